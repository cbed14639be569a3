"""Exceptions for mistakes in input and output, one type per kind of mistake."""

from collections.abc import Iterable
from difflib import get_close_matches


class EecError(Exception):
    """Base of every error that both packages raise on purpose; the command line prints it without a traceback."""

    exit_code = 1


class InputError(EecError):
    """Something that was given cannot be used: a file, a table, a name, a version."""


class OutputError(EecError):
    """A file or folder cannot be written, or holds something that is not ours to replace."""


class BiasError(EecError, ValueError):
    """Base of every error this metric raises about its input."""


class ScoresError(BiasError):
    """The scores are of the wrong shape or type, not finite, or outside the declared range.

    Attributes
    ----------
    row : int, optional
        Whose output it is, counted from 0, where the message names a row.
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


class LabelsError(BiasError):
    """A label column is missing, of the wrong length or type, or holds labels that contradict each other."""


class DesignError(BiasError):
    """The labels do not form a design in which the terms asked for can be estimated."""


class OptionError(BiasError):
    """An option has a value that is not among those it can take."""


class ResultError(BiasError):
    """A saved result cannot be read, or lacks what is asked of it."""


def expect(fits: object, name: str, value: object, expected: str) -> None:
    """Refuse the value of an option unless it fits; the message says what was expected."""
    if not fits:
        raise OptionError(f"{name} is {value!r}; expected {expected}")


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return a sentence that suggests the known name nearest to one that is unknown; empty if none is near.

    It begins with the full stop of the sentence before.
    """
    near = get_close_matches(str(name), list(known), n=1)
    return f". Did you mean '{near[0]}'?" if near else ""
