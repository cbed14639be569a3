"""Facts that a function or a program declares of itself as a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from eec_datasets.systems.base import NO_RANGE, Range

LONGEST: Final = 100
"""Letters of a name, a version or a meaning."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A system's declaration of itself.

    Attributes
    ----------
    name, version
        Of the system.
    languages
        Languages that it is made for; None for any.
    score_range
        Its lowest and highest score, `NO_RANGE` if it says that there is none; None if it does not say.
    high_means
        The end of "more …", such as ``positive``; empty if it does not say.
    """

    name: str
    version: str
    languages: tuple[str, ...] | None = None
    score_range: Range | None = None
    high_means: str = ""


def read_declared(table: Mapping[str, Any], range_key: str) -> Declared:
    """Read what a system declares.

    Parameters
    ----------
    table
        With ``name``, ``version`` and, if it likes, ``languages``, a range and ``high_means``.
    range_key
        Key of the range.

    Raises
    ------
    ValueError
        Says what was expected under which key.
    """
    for key in ("name", "version"):
        if not _is_text(table.get(key)):
            raise ValueError(f"{key} is {table.get(key)!r}; expected a text of at most {LONGEST} letters in one line")
    languages = table.get("languages")
    if languages is not None and not (
        isinstance(languages, list | tuple) and languages and all(map(_is_text, languages))
    ):
        raise ValueError(f'languages is {languages!r}; expected tags such as ["en", "es"], or none for any language')
    high_means = table.get("high_means") or ""
    if high_means and not _is_text(high_means):
        raise ValueError(f'high_means is {high_means!r}; expected the end of "more …", such as "positive"')
    tags = None if languages is None else tuple(dict.fromkeys(languages))
    return Declared(table["name"], table["version"], tags, _range(table, range_key), high_means)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value.strip() == value and 0 < len(value) <= LONGEST


def _range(table: Mapping[str, Any], key: str) -> Range | None:
    if key not in table:
        return None
    limits = table[key]
    if limits is None:
        return NO_RANGE
    numbers = list(limits) if isinstance(limits, list | tuple) else []
    if len(numbers) != 2 or not all(type(each) in (int, float) for each in numbers) or not numbers[0] < numbers[1]:
        raise ValueError(f"{key} is {limits!r}; expected the lowest and the highest score, or nothing if none is known")
    return float(numbers[0]), float(numbers[1])
