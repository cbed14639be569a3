"""Results to report on."""

from reported import english, outcomes, real, saved, several, write

__all__ = ["english", "outcomes", "real", "saved", "several", "write"]
