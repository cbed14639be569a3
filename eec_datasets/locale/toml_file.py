"""TOML files read so that every key knows its line, and a value of the wrong kind is told and never used."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TypeAlias

from eec_datasets.errors import Place, Problems
from eec_datasets.locale.encoding import QUOTES, read_text
from eec_datasets.text_file import toml_of


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of value: how it is called, and whether a value is one.

    Attributes
    ----------
    listed : whether the name lists the values that there are, so that a message shows the one that was given.
    """

    name: str
    fits: Callable[[Any], bool]
    listed: bool = False


Shapes: TypeAlias = Mapping[str, Shape]


def table_of(entries: Shape, name: str) -> Shape:
    """A table all of whose entries are of one kind."""
    return Shape(name, lambda value: isinstance(value, dict) and all(map(entries.fits, value.values())))


def list_of(entries: Shape, name: str) -> Shape:
    """A list all of whose entries are of one kind."""
    return Shape(name, lambda value: isinstance(value, list) and all(map(entries.fits, value)))


def word_of(*words: str) -> Shape:
    """One of these words; an empty one is called (empty)."""
    names = ", ".join(word or "(empty)" for word in words)
    return Shape(f"one of {names}", words.__contains__, listed=True)


def either(one: Shape, other: Shape) -> Shape:
    """Return what is of one kind or of the other."""
    return Shape(f"{one.name} or {other.name}", lambda value: one.fits(value) or other.fits(value))


ANYTHING = Shape("anything", lambda _: True)
TEXT = Shape("a string", lambda value: isinstance(value, str))
FLAG = Shape("true or false", lambda value: isinstance(value, bool))
TRUE = Shape("true", lambda value: value is True)
AMOUNT = Shape("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool))
NUMBER = Shape("a whole number", lambda value: AMOUNT.fits(value) and isinstance(value, int))
TABLE = table_of(ANYTHING, "a table")
TEXTS = list_of(TEXT, "a list of strings")
TABLES = list_of(TABLE, "a list of tables")
TEXT_TABLE = table_of(TEXT, "a table of strings")
TEXT_TABLES = list_of(TEXT_TABLE, "a list of tables of strings")
TABLE_TABLE = table_of(TABLE, "a table of tables")
TEXT_TABLE_TABLE = table_of(TEXT_TABLE, "a table of tables of strings")
PAIR = Shape("two whole numbers", lambda value: isinstance(value, list) and list(map(type, value)) == [int, int])
TEXT_OR_TABLE = either(TEXT, TEXT_TABLE)
TEXT_OR_TEXTS = either(TEXT, TEXTS)
KINDS_OF_VALUES = (
    FLAG, AMOUNT, TEXT, TEXTS, TEXT_TABLE, table_of(ANYTHING, "a table of other things"),
    list_of(ANYTHING, "a list of other things"), Shape("a date or time", ANYTHING.fits),
)  # fmt: skip
"""Kinds of values that messages name: the first that a value fits."""


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of a table: those that it must have, those that it may have, and the kind of value of each."""

    needed: Shapes = field(default_factory=dict)
    allowed: Shapes = field(default_factory=dict)

    @property
    def known(self) -> dict[str, Shape]:
        """All of them."""
        return {**self.needed, **self.allowed}


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A TOML file or a table of one: what it holds, where it stands, and where its problems are noted.

    Attributes
    ----------
    name, text : of the file.
    keys : those that lead to the table; none for the file itself.
    first : line from which on its keys are looked for.
    """

    name: str
    text: str
    data: Mapping[str, Any]
    problems: Problems
    keys: tuple[str, ...] = ()
    first: int = 1

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default."""
        return self.data.get(key, default)

    @property
    def values(self) -> dict[str, Any]:
        """Everything that it holds, lists as tuples."""
        return {key: tuple(value) if isinstance(value, list) else value for key, value in self.data.items()}

    def table(self, *keys: str) -> TomlTable:
        """The table under these keys, empty where there is none."""
        data: Any = self.data
        for key in keys:
            data = data.get(key) if isinstance(data, dict) else None
        return replace(self, data=data if isinstance(data, dict) else {}, keys=(*self.keys, *keys))

    def tables(self, key: str) -> list[TomlTable]:
        """The tables of a list ``[[key]]``."""
        header = f"[[{'.'.join((*self.keys, key))}]]"
        numbered = enumerate(self.text.split("\n"), start=1)
        lines = (number for number, line in numbered if line.split("#", 1)[0].strip() == header)
        return [
            replace(self, data=data, keys=(*self.keys, key), first=line)
            for data, line in zip(self.data.get(key, ()), chain(lines, repeat(1)), strict=False)
        ]

    def checked(self, known: Shapes, needed: Iterable[str] = (), see: str = "") -> TomlTable:
        """The table with those entries that are known and hold the right kind of value; the others are noted.

        So is what is `needed` and lacking; `see` says how to fix that.
        """
        entries = {}
        for key in needed:
            if key not in self.data:
                self.report(f"'{'.'.join((*self.keys, key))}' is missing", see or f"It must be {known[key].name}")
        for key, value in self.data.items():
            spot = ".".join((*self.keys, key))
            if key not in known:
                self.report(f"unknown key '{spot}'", f"Known here: {', '.join(sorted(known))}", key)
            elif not known[key].fits(value):
                kind = next(shape.name for shape in KINDS_OF_VALUES if shape.fits(value))
                shown = repr(value) if isinstance(value, str) and known[key].listed else kind
                self.report(f"'{spot}' is {shown}", f"It must be {known[key].name}", key)
            else:
                entries[key] = value
        return replace(self, data=entries)

    def laid_out(self, keys: TableKeys, see: str = "", further: Iterable[str] = ()) -> TomlTable:
        """The table `checked` by its declaration; `further` keys hold tables."""
        return self.checked({**keys.known, **dict.fromkeys(further, TABLE)}, keys.needed, see)

    def report(self, what: str, fix: str, *keys: str) -> None:
        """Note a problem of the table, or of what stands under these keys of it."""
        self.problems.add(self.place(*keys), what, fix)

    def expect(self, value: Any, values: Iterable[str], what: str, *keys: str) -> None:
        """Note a value that is none of these; `what` tells whose it is."""
        if value not in (known := list(values)):
            self.report(f"{what} {value!r}", one_of(known), *keys)

    def place(self, *keys: str) -> Place:
        """Line of the longest part of the keys that the text shows (line 1 where nothing does)."""
        path, lines = (*self.keys, *keys), _lines(self.text)
        for depth in range(len(path), 0, -1):
            numbers = lines.get(path[:depth], ())
            at = bisect_left(numbers, self.first)
            if at < len(numbers):
                return Place(self.name, numbers[at])
        return Place(self.name, self.first)


@lru_cache(maxsize=64)
def _lines(text: str) -> Mapping[tuple[str, ...], Sequence[int]]:
    """The lines that show some keys or what stands under them; kept, as every place of a file asks for them."""
    lines: dict[tuple[str, ...], list[int]] = defaultdict(list)
    header: tuple[str, ...] = ()
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.split("#", 1)[0].strip()
        keys: tuple[str, ...] = ()
        if line.startswith("["):
            keys = header = _dotted(line.strip("[] "))
        elif "=" in line:
            keys = header + _dotted(line.split("=", 1)[0].strip())
        for depth in range(1, len(keys) + 1):
            lines[keys[:depth]].append(number)
    return lines


def _dotted(key: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in key.split("."))


def read_toml(path: Path, problems: Problems | None = None) -> TomlTable:
    """Read a TOML file; a missing or broken one is noted and comes back empty."""
    problems = Problems() if problems is None else problems
    text = unicodedata.normalize("NFC", read_text(path, problems) or "")
    try:
        return TomlTable(path.name, text, toml_of(text), problems)
    except ValueError as error:
        message, line = _toml_mistake(str(error), text)
        problems.add(Place(path.name, line), f"not valid TOML: {message}", _toml_fix(text.split("\n")[line - 1]))
    return TomlTable(path.name, "", {}, problems)


def _toml_mistake(message: str, text: str) -> tuple[str, int]:
    """The message without its place, and the line: Python below 3.14 tells it only inside the message."""
    match = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    if match is None:
        return message, 1
    problem = message[: match.start()]
    return (problem, int(match[1])) if match[1] else (f"{problem} at the end of the file", text.count("\n") + 1)


def _toml_fix(line: str) -> str:
    """Return how to fix a line: what a word processor makes of quotes, or an apostrophe that ends a text."""
    if not {*QUOTES, "’"}.isdisjoint(line):
        return "Fix the syntax; texts stand in straight quotes, \"…\" or '…'"
    apostrophe = "; a text that holds an apostrophe stands in \"…\", or in '''…'''"
    return "Fix the syntax" + (apostrophe if line.count("'") > 2 else "")


def one_of(values: Sequence[str]) -> str:
    """Return how a message lists what may be written."""
    return f"One of: {', '.join(value or '(empty)' for value in values) or 'none'}"
