"""Results to report on."""

from reported import measurements, saved, write

__all__ = ["measurements", "saved", "write"]
