"""A build for all tests that only read it."""

from builds import built

__all__ = ["built"]
