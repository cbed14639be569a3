"""Results to report on."""

from reported import outcomes, saved, write

__all__ = ["outcomes", "saved", "write"]
