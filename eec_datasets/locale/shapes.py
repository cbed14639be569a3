"""What a key of a TOML file may hold, said in words, so that a wrong kind of value is told and never used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from eec_datasets.locale.sources import Problems, TomlFile


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of value: how it is called, and whether a value is one."""

    name: str
    fits: Callable[[Any], bool]


Shapes: TypeAlias = "Mapping[str, Shape]"


def _table_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(fits(entry) for entry in value.values())


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(fits(entry) for entry in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


TEXT = Shape("a string", _is_text)
NUMBER = Shape("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
TEXTS = Shape("a list of strings", _list_of(_is_text))
TABLE = Shape("a table", _is_table)
TABLES = Shape("a list of tables of strings", _list_of(_table_of(_is_text)))
TEXT_TABLE = Shape("a table of strings", _table_of(_is_text))
TABLE_TABLE = Shape("a table of tables", _table_of(_is_table))
TEXT_TABLE_TABLE = Shape("a table of tables of strings", _table_of(_table_of(_is_text)))
TEXT_OR_TABLE = Shape("a string or a table of strings", lambda value: _is_text(value) or _table_of(_is_text)(value))


def kept(
    file: TomlFile, where: tuple[str, ...], table: Mapping[str, Any], known: Shapes, problems: Problems
) -> dict[str, Any]:
    """The entries of `table` that are known and hold the right kind of value; the others are noted.

    Parameters
    ----------
    where : the keys that lead to `table`.
    """
    entries = {}
    for key, value in table.items():
        spot = ".".join((*where, key))
        if key not in known:
            problems.add(file.place(*where, key), f"unknown key '{spot}'", f"Known here: {', '.join(sorted(known))}")
        elif not known[key].fits(value):
            problems.add(file.place(*where, key), f"'{spot}' is {_called(value)}", f"It must be {known[key].name}")
        else:
            entries[key] = value
    return entries


def _called(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    for shape in (TEXT, TEXTS, TEXT_TABLE):
        if shape.fits(value):
            return shape.name
    if isinstance(value, dict | list):
        return "a table of other things" if isinstance(value, dict) else "a list of other things"
    return "a date or time"
