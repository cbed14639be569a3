"""The exceptions of this package. Each message says what was given, what was expected, where, and how to fix it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_bias.shared import EecError, InputError, OutputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "BudgetSpent",
    "CallFailed",
    "EecError",
    "FileProblems",
    "InputError",
    "InputUnreadable",
    "Interrupted",
    "NoForm",
    "OutputError",
    "Place",
    "Problem",
    "Problems",
    "RenderError",
    "StoreUnusable",
    "SystemFailed",
    "Unavailable",
]


@dataclass(frozen=True, slots=True)
class Place:
    """A line in a user's file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in someone's files, and how to fix it."""

    place: Place
    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}. {self.fix}"


@dataclass(slots=True)
class Problems:
    """Collects what is wrong, so that all of it can be told at once."""

    found: list[Problem] = field(default_factory=list)

    def add(self, place: Place, what: str, fix: str) -> None:
        """Note one problem."""
        self.found.append(Problem(place, what, fix))

    def __len__(self) -> int:
        return len(self.found)


class Unavailable(EecError):
    """Something that is needed cannot be had: a package, a model, an engine, a port, the Hub."""


class InputUnreadable(EecError, OSError):
    """A file that a user gave is no regular file, or larger than what is read.

    It is an `OSError` too, so that what says why a file cannot be read says this with it.
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} cannot be read: {why}")
        self.strerror = why


class FileProblems(EecError):
    """Files cannot be used as they are; carries every problem found, not only the first."""

    def __init__(self, what: str, problems: Sequence[Problem], outcome: str = "") -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"{what}: {count} problem{'s' if count != 1 else ''}{outcome}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


class RenderError(EecError):
    """A sentence cannot be rendered from the locale's files as they are."""


class NoForm(RenderError):
    """A word has no form, or more than one, for the features of its controller."""


class SystemFailed(EecError):
    """The system ran and did not return one number of its declared range, or None, per sentence."""


class CallFailed(SystemFailed):
    """A call of a system failed; it may be made again.

    Attributes
    ----------
    count
        Sentences that the call was for.
    calls
        Times it was made.
    """

    def __init__(self, message: str, count: int = 1, calls: int = 1) -> None:
        self.count = count
        self.calls = calls
        super().__init__(message)


class StoreUnusable(EecError):
    """The store of answers cannot be opened, read or written."""


class BudgetSpent(EecError):
    """All calls that were allowed are made; what was answered is kept."""

    exit_code = 3


class Interrupted(EecError):
    """The user stopped a run; what was finished is kept."""

    exit_code = 3
