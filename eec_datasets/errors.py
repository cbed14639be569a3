"""The exceptions of this package. Each message says what was given, what was expected, where, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Place:
    """Where in somebody's files something stands."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in somebody's files, and how to mend it."""

    place: Place
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}. {self.mend}"


@dataclass(slots=True)
class Problems:
    """Collects what is wrong, so that all of it can be told at once."""

    found: list[Problem] = field(default_factory=list)

    def add(self, place: Place, what: str, mend: str) -> None:
        """Note one problem."""
        self.found.append(Problem(place, what, mend))

    def __len__(self) -> int:
        return len(self.found)


class EecError(Exception):
    """Base of every error this package raises on purpose; the command line prints it without a traceback."""


class FileProblems(EecError):
    """Files cannot be used as they are; carries every problem found, not only the first."""

    def __init__(self, what: str, problems: Sequence[Problem], outcome: str = "") -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"{what}: {count} problem{'s' if count != 1 else ''}{outcome}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


class LocaleError(FileProblems):
    """The files of a locale cannot be used as they are."""

    def __init__(self, tag: str, problems: Sequence[Problem]) -> None:
        self.tag = tag
        super().__init__(f"locale '{tag}'", problems)


class UnknownConfig(EecError):
    """A config was asked for that no locale declares."""


class UnknownVariant(EecError):
    """A variant, option or set of persons was asked for that the locale does not have."""


class RenderError(EecError):
    """A sentence cannot be rendered from the locale's files as they are."""


class NoForm(RenderError):
    """A word has no form, or more than one, for the features of its controller."""
