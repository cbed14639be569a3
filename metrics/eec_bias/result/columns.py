"""Rows of terms as columns: the numbers of all systems at once, until someone asks for a `Term`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from eec_bias.options import Bools
from eec_bias.result.comparison import Comparison
from eec_bias.result.frame import Row
from eec_bias.result.term import COUNTS, NORMAL, NUMBERS, Term

Column = NDArray[Any]
"""One column (S, R): numbers and counts are floats, NaN if there is none; everything else is an object."""

OF_MISSING: dict[str, Any] = {"state": NORMAL, "notes": ()}
"""What a row has in a column that its table does not fill, if it is not null."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Rows of terms of S systems, R rows each.

    Attributes
    ----------
    names : tuple of dict, (R,)
        What each row is about: its term, its groups, its sentences.
    values : dict of (S, R) arrays
        The other columns of `Term`.
    there : (S, R) boolean array
        Which systems have which row.
    """

    names: tuple[Row, ...]
    values: dict[str, Column]
    there: Bools

    @classmethod
    def of(cls, names: Sequence[Row], arrays: Mapping[str, NDArray[Any]], systems: int) -> Self:
        """Take arrays (S, R) of numbers, truth values, texts or objects as columns; every system has every row."""
        values = {key: array.astype(float if key in NUMBERS else object) for key, array in arrays.items()}
        return cls(tuple(names), values, np.ones((systems, len(names)), dtype=bool))

    @classmethod
    def of_one(cls, name: Row, rows: Sequence[Row | None]) -> Self:
        """Take one row of each system as columns; a system without the row has None."""
        keys = dict.fromkeys(key for row in rows if row is not None for key in row)
        values = {key: _empty(key, (len(rows), 1)) for key in keys}
        for s, row in enumerate(rows):
            for key, value in (row or {}).items():
                if value is not None:
                    values[key][s, 0] = value
        return cls((name,), values, np.array([[row is not None] for row in rows]))

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparison that each row is about."""
        return [Comparison.of(name) for name in self.names]

    def column(self, key: str) -> Column:
        """Return a column; empty if no table fills it."""
        if key in self.values:
            return self.values[key]
        return _empty(key, self.there.shape)

    def named(self, place: Row) -> Self:
        """Return the same rows with further keys that say what they are about."""
        return replace(self, names=tuple(place | name for name in self.names))

    def filled(self, columns: Mapping[str, Column]) -> Self:
        """Return the same rows with these columns."""
        return replace(self, values=self.values | dict(columns))

    def take(self, rows: Sequence[int]) -> Self:
        """Return some rows, in this order."""
        index = np.array(rows, dtype=int)
        values = {key: column[:, index] for key, column in self.values.items()}
        return type(self)(tuple(self.names[r] for r in rows), values, self.there[:, index])


def joined(tables: Sequence[Columns]) -> Columns:
    """Return the rows of several tables of the same systems, one table after the other."""
    keys = dict.fromkeys(key for table in tables for key in table.values)
    values = {key: np.concatenate([table.column(key) for table in tables], axis=1) for key in keys}
    names = tuple(name for table in tables for name in table.names)
    return Columns(names, values, np.concatenate([table.there for table in tables], axis=1))


@dataclass(frozen=True, eq=False, repr=False)
class Terms(Sequence[Term]):
    """The rows of every system, each made into a `Term` when someone first looks at any of them."""

    columns: Columns
    systems: Sequence[Row]
    """The keys that name each system."""

    @cached_property
    def _made(self) -> tuple[Term, ...]:
        return tuple(self._make())

    def _make(self) -> Iterator[Term]:
        columns = self.columns
        lists = {key: _as_objects(key, column) for key, column in columns.values.items()}
        for s, system in enumerate(self.systems):
            of_system = [column[s] for column in lists.values()]
            for r in np.flatnonzero(columns.there[s]).tolist():
                numbers = zip(lists, (column[r] for column in of_system), strict=True)
                yield Term(**system, **columns.names[r], **dict(numbers))

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


def _empty(key: str, shape: tuple[int, ...]) -> Column:
    """Return a column without anything in it."""
    if key in NUMBERS:
        return np.full(shape, np.nan)
    column = np.empty(shape, dtype=object)
    column.fill(OF_MISSING.get(key))
    return column


def _as_objects(key: str, column: Column) -> list[list[Any]]:
    """Return the cells of a column by system and row: whole numbers in columns of counts, None for NaN."""
    objects = column
    if key in NUMBERS:
        missing = np.isnan(column)
        whole = key in COUNTS
        objects = (np.where(missing, 0, column).astype(np.int64) if whole else column).astype(object)
        objects[missing] = None
    cells: list[list[Any]] = objects.tolist()
    return cells
