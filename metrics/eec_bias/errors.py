"""What can be wrong with the input, one exception type per kind of mistake."""

import functools
import tomllib
from pathlib import Path
from typing import Any


class BiasError(ValueError):
    """Base of every error this metric raises about its input."""


class ScoresError(BiasError):
    """The scores are of the wrong shape or type, not finite, or outside the declared range.

    Attributes
    ----------
    row : int, optional
        Whose output it is, counted from 0, where the message names a row.
    """

    row: int | None = None


class LabelsError(BiasError):
    """A label column is missing, of the wrong length or type, or holds labels that contradict each other."""


class DesignError(BiasError):
    """The labels do not form a design in which the terms asked for can be estimated."""


class OptionError(BiasError):
    """An option has a value that is not among those it can take."""


class ResultError(BiasError):
    """A saved result cannot be read, or lacks what is asked of it."""


def expect(fits: object, name: str, value: object, expected: str) -> None:
    """Refuse what an option was given, and say what was expected, unless it fits."""
    if not fits:
        raise OptionError(f"{name} is {value!r}; expected {expected}")


def refusal(key: str, **given: Any) -> BiasError:
    """Return the error whose sentence stands in ``refusals.toml``, with what was given."""
    kind, sentence = _sentences()[key]
    error = kind(sentence.format(**given))
    if isinstance(error, ScoresError):
        error.row = given.get("row")
    return error


@functools.cache
def _sentences() -> dict[str, tuple[type[BiasError], str]]:
    kinds = {kind.__name__: kind for kind in (ScoresError, LabelsError, DesignError, OptionError)}
    tables = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))
    return {key: (kinds[name], sentence) for name, table in tables.items() for key, sentence in table.items()}
