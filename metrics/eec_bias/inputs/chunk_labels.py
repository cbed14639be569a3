"""Labels of a stream by number, who met which item, and what is said where somebody lacks one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from eec_bias.errors import DesignError, LabelsError
from eec_bias.inputs.codes import Coded, compact_any, encode
from eec_bias.inputs.labels import bare
from eec_bias.options import Ints


@dataclass(slots=True)
class Levels:
    """Labels seen so far, numbered by first appearance.

    Attributes
    ----------
    number : dict of str to int
        The labels.
    plain : dict of str to str
        The labels checked for twins, by what they are without case and accents.
    """

    number: dict[str, int]
    plain: dict[str, str] = field(default_factory=dict)

    def one(self, label: str) -> int:
        """Number a label."""
        return self.number.setdefault(label, len(self.number))

    def codes(self, column: Coded) -> Ints:
        """Number each row's label."""
        new = np.array([self.one(level) for level in column.levels], dtype=np.intp)
        return column.codes if (new == np.arange(len(new))).all() else new[column.codes]

    def coded(self, name: str, codes: Ints) -> Coded:
        """Return codes as a column with sorted levels."""
        return encode(name, Coded(name, codes, tuple(self.number)))

    def refuse_twins(self, name: str) -> None:
        """Refuse labels that differ only by case, accents or space from those of earlier chunks.

        Raises
        ------
        LabelsError
            Naming both.
        """
        for label in list(self.number)[len(self.plain) :]:
            twin = self.plain.setdefault(bare(label), label)
            if twin != label:
                raise LabelsError(
                    f"column {name!r} has the label {label!r} here and {twin!r} before, which differ only by case, "
                    "accents or space; write one of them throughout, or names that can be told apart if two are meant"
                )


@dataclass(slots=True)
class Seen:
    """Which units (person, base and axes' levels) met which items.

    Attributes
    ----------
    units : dict of tuple of int to int
        Number of each unit by its codes.
    cells : dict of tuple of int to int
        Number of each combination of the axes' levels.
    cell : list of int
        The cell of each unit.
    bits : (U, W) uint8 array
        Bit ``item`` of row ``unit`` is 1 where the two met; grows by doubling.
    count : int
        Bits set.
    """

    units: dict[tuple[int, ...], int]
    cells: dict[tuple[int, ...], int]
    cell: list[int]
    bits: np.ndarray[tuple[int, int], np.dtype[np.uint8]]
    count: int = 0

    def number(self, columns: Sequence[Ints]) -> Ints:
        """Number each row's unit.

        Parameters
        ----------
        columns : sequence of (n,) integer arrays
            Person, base (−1: a name) and the axes.
        """
        key = columns[0]
        for column in columns[1:]:
            # Compacted at every step, so that the product of many columns does not overflow.
            _, key = compact_any(key * (int(column.max()) + 2) + column + 1)
        _, key = compact_any(key)
        first = np.empty(int(key.max()) + 1, dtype=np.intp)
        first[key[::-1]] = np.arange(len(key) - 1, -1, -1)
        own = np.stack([column[first] for column in columns], axis=1)
        for codes in map(tuple, own.tolist()):
            if codes not in self.units:
                self.units[codes] = len(self.units)
                self.cell.append(self.cells.setdefault(codes[2:], len(self.cells)))
        return np.array([self.units[codes] for codes in map(tuple, own.tolist())], dtype=np.intp)[key]

    def add(self, unit: Ints, item: Ints) -> tuple[int, int | None] | None:
        """Enter rows.

        Returns
        -------
        None, or (row, earlier)
            The first row whose unit met its item before: in the row ``earlier``, None in an earlier chunk.
        """
        self._grow(len(self.units), int(item.max(initial=-1)) + 1)
        flat = self.bits.reshape(-1)
        place = unit * self.bits.shape[1] + (item >> 3)
        bit = np.left_shift(1, item & 7).astype(np.uint8)
        known = (flat[place] & bit) > 0
        if known.any():
            return int(known.argmax()), None
        np.bitwise_or.at(flat, place, bit)
        total = int(np.bitwise_count(self.bits).sum())
        if total != self.count + len(unit):
            key = place * 8 + (item & 7)
            order = np.argsort(key, kind="stable")
            again = np.flatnonzero(np.diff(key[order]) == 0)
            at = again[order[again + 1].argmin()]
            return int(order[at + 1]), int(order[at])
        self.count = total
        return None

    def _grow(self, units: int, items: int) -> None:
        rows, width = self.bits.shape
        if units <= rows and items <= width * 8:
            return
        wanted = -(-items // 8)
        shape = (max(units, 2 * rows) if units > rows else rows, max(wanted, 2 * width) if wanted > width else width)
        wider = np.zeros(shape, dtype=np.uint8)
        wider[:rows, :width] = self.bits
        self.bits = wider

    def gaps(self, units: Ints) -> "Gaps":
        """Return the items that any of the units met, and what is missing."""
        own = self.bits[units]
        found = np.flatnonzero(np.unpackbits(np.bitwise_or.reduce(own, axis=0), bitorder="little"))
        count = len(units) * len(found) - int(np.bitwise_count(own).sum())

        def first() -> tuple[int, int]:
            missing = np.unpackbits(own, axis=1, bitorder="little")[:, found] == 0
            unit, item = (int(i) for i in np.argwhere(missing)[0])
            return int(units[unit]), int(found[item])

        shared = np.flatnonzero(np.unpackbits(np.bitwise_and.reduce(own, axis=0), bitorder="little"))
        return Gaps(found, shared, count, first)


@dataclass(frozen=True, slots=True)
class Gaps:
    """Which items some units met.

    Attributes
    ----------
    found : (J,) integer array
        Items that any of them met.
    shared : integer array
        Items that all of them met.
    count : int
        Missing combinations of unit and item.
    first : function
        Gives the unit and item of the first one.
    """

    found: Ints
    shared: Ints
    count: int
    first: Callable[[], tuple[int, int]]


def refuse_gaps(gaps: Gaps, units: int, person: str, item: str, remedy: str) -> NoReturn:
    """Refuse persons who did not meet every item.

    Parameters
    ----------
    gaps : Gaps
        What is missing.
    units : int
        Number of persons.
    person, item : str
        The first of them, and what they lack.
    remedy : str
        What can be done; empty where no item is shared by all.

    Raises
    ------
    DesignError
        Always.
    """
    gap = (
        f"names: {gaps.count} of the {units} × {len(gaps.found)} combinations of person and item are missing, first "
        f"person {person} on item {item!r}"
    )
    if not remedy:
        raise DesignError(f"{gap}; no item is shared by all persons, so nothing is left to compare")
    raise DesignError(f"{gap}; every person needs every item{remedy}")
