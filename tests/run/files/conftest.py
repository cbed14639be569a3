"""A folder with what the commands read, made once."""

from outputs import desk, locales, ready

__all__ = ["desk", "locales", "ready"]
