"""Rows of terms as columns: the numbers of all systems at once, until someone asks for a `Term`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from eec_bias.options import Bools, Floats
from eec_bias.result.comparison import Comparison
from eec_bias.result.frame import Row
from eec_bias.result.term import COUNTS, NORMAL, NUMBERS, Term

PLACES = {key: k for k, key in enumerate(NUMBERS)}
"""Place of each column of numbers in `TermColumns.numbers`."""

OF_MISSING: dict[str, Any] = {"state": NORMAL, "notes": ()}
"""Values in columns that a row's table does not fill, by column; in other columns they are null."""


@dataclass(frozen=True, slots=True)
class TermColumns:
    """Rows of terms of S systems, R rows each.

    Attributes
    ----------
    names : tuple of dict, (R,)
        What each row is about: its term, its groups, its sentences.
    numbers : (K, S, R) array
        The columns of numbers and counts of `Term`, NaN if a row has none.
    others : dict of (S, R) object arrays
        The other columns that are filled: states, notes, texts.
    there : (S, R) boolean array
        Which systems have which row.
    """

    names: tuple[Row, ...]
    numbers: Floats
    others: dict[str, NDArray[np.object_]]
    there: Bools

    @classmethod
    def empty(cls, names: Sequence[Row], there: Bools) -> Self:
        """Return rows whose columns nothing fills."""
        return cls(tuple(names), np.full((len(NUMBERS), *there.shape), np.nan), {}, there)

    @classmethod
    def of(cls, names: Sequence[Row], columns: Mapping[str, NDArray[Any]], systems: int) -> Self:
        """Take arrays (S, R) of numbers, truth values, texts or objects as columns; every system has every row."""
        return cls.empty(names, np.ones((systems, len(names)), dtype=bool)).filled(columns)

    @classmethod
    def of_one(cls, name: Row, rows: Sequence[Row | None]) -> Self:
        """Take one row of each system as columns; a system without the row has None."""
        table = cls.empty([name], np.array([[row is not None] for row in rows]))
        for s, row in enumerate(rows):
            for key, value in (row or {}).items():
                if key not in PLACES:
                    table.others.setdefault(key, _objects(key, table.there.shape))[s, 0] = value
                elif value is not None:
                    table.numbers[PLACES[key], s, 0] = value
        return table

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparison that each row is about."""
        return [Comparison.of(name) for name in self.names]

    def __getitem__(self, key: str) -> NDArray[Any]:
        if key in PLACES:
            return np.asarray(self.numbers[PLACES[key]])
        return self.others[key] if key in self.others else _objects(key, self.there.shape)

    def named(self, place: Row) -> Self:
        """Return the same rows with further keys that say what they are about."""
        return replace(self, names=tuple(place | name for name in self.names))

    def filled(self, columns: Mapping[str, NDArray[Any]]) -> Self:
        """Return the same rows with these columns."""
        numbers, others = self.numbers.copy(), dict(self.others)
        for key, column in columns.items():
            if key in PLACES:
                numbers[PLACES[key]] = column
            else:
                others[key] = column.astype(object)
        return replace(self, numbers=numbers, others=others)

    def take(self, rows: Sequence[int]) -> Self:
        """Return some rows, in this order."""
        index = np.array(rows, dtype=int)
        others = {key: column[:, index] for key, column in self.others.items()}
        names = tuple(self.names[r] for r in rows)
        return type(self)(names, self.numbers[:, :, index], others, self.there[:, index])


def joined(tables: Sequence[TermColumns]) -> TermColumns:
    """Return the rows of several tables of the same systems, one table after the other."""
    keys = dict.fromkeys(key for table in tables for key in table.others)
    return TermColumns(
        tuple(name for table in tables for name in table.names),
        np.concatenate([table.numbers for table in tables], axis=2),
        {key: np.concatenate([table[key] for table in tables], axis=1) for key in keys},
        np.concatenate([table.there for table in tables], axis=1),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Terms(Sequence[Term]):
    """The rows of every system, each made into a `Term` when someone first looks at any of them."""

    columns: TermColumns
    systems: Sequence[Row]
    """The keys that name each system."""

    @cached_property
    def _made(self) -> tuple[Term, ...]:
        return tuple(self._make())

    def _make(self) -> Iterator[Term]:
        columns = self.columns
        filled = [key for key, k in PLACES.items() if not np.isnan(columns.numbers[k]).all()]
        lists = {key: _plain_numbers(key, columns[key]) for key in filled}
        lists |= {key: column.tolist() for key, column in columns.others.items()}
        for s, system in enumerate(self.systems):
            of_system = [column[s] for column in lists.values()]
            for r in np.flatnonzero(columns.there[s]).tolist():
                cells = zip(lists, (column[r] for column in of_system), strict=True)
                yield Term(**system, **columns.names[r], **dict(cells))

    @overload
    def __getitem__(self, index: int) -> Term: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Term, ...]: ...

    def __getitem__(self, index: int | slice) -> Term | tuple[Term, ...]:
        return self._made[index]

    def __iter__(self) -> Iterator[Term]:
        return iter(self._made)

    def __len__(self) -> int:
        return int(self.columns.there.sum())

    def __eq__(self, other: object) -> bool:
        return self._made == tuple(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._made)


def _objects(key: str, shape: tuple[int, ...]) -> NDArray[np.object_]:
    """Return a column of objects that nothing fills."""
    column = np.empty(shape, dtype=object)
    column.fill(OF_MISSING.get(key))
    return column


def _plain_numbers(key: str, column: Floats) -> list[list[Any]]:
    """Return the numbers of a column by system and row: whole ones in columns of counts, None for NaN."""
    missing = np.isnan(column)
    whole = np.where(missing, 0, column).astype(np.int64) if key in COUNTS else column
    objects = whole.astype(object)
    objects[missing] = None
    cells: list[list[Any]] = objects.tolist()
    return cells
