"""The exceptions of this package. Each message says what was given, what was expected, where, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.locale.model import Problem


class EecError(Exception):
    """Base of every error this package raises on purpose; the command line prints it without a traceback."""


class LocaleError(EecError):
    """The files of a locale cannot be used as they are; carries every problem found, not only the first."""

    def __init__(self, tag: str, problems: Sequence[Problem]) -> None:
        self.tag = tag
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"locale '{tag}': {count} problem{'s' if count != 1 else ''}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


class UnknownConfig(EecError):
    """A config was asked for that no locale declares."""


class UnknownVariant(EecError):
    """A variant, option or set of persons was asked for that the locale does not have."""


class RenderError(EecError):
    """A sentence cannot be rendered from the locale's files as they are."""


class NoForm(RenderError):
    """A word has no form, or more than one, for the features of its controller."""
