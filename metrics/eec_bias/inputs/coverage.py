"""Count which items each person met, and find where the scores of these are."""

from dataclasses import dataclass

import numpy as np

from eec_bias.inputs.labels import compact
from eec_bias.options import Ints

AT_ONCE = 100_000
"""Numbers that are put in order at once: a second table of all of them would take as long to get as to fill."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The items that some persons met.

    Attributes
    ----------
    persons : int
        How many persons P there are.
    items, shared : integer arrays
        Items that any of them met, and that all of them met.
    entries : two (n,) integer arrays
        Of each row its combination, person · J + item, and where its score stands.
    missing : int
        Combinations of person and item that are missing.
    first_gap : (int, int)
        Person and item of the first of these.
    duplicate : tuple of int or None
        Two rows of the same person and item, these two, and how many combinations there are of that kind.
    """

    persons: int
    items: Ints
    shared: Ints
    entries: tuple[Ints, Ints]
    missing: int = 0
    first_gap: tuple[int, int] = (-1, -1)
    duplicate: tuple[int, int, int, int, int] | None = None

    def table(self, items: Ints) -> Ints:
        """Return where the score of each person on some of the items stands, (P, J); −1 where there is none."""
        flat, position = self.entries
        table = np.full(self.persons * len(self.items), -1, dtype=np.intp)
        table[flat] = position
        return _in_order(table.reshape(self.persons, -1), np.searchsorted(self.items, items))


def _in_order(table: Ints, columns: Ints) -> Ints:
    """Return some columns of a table (P, J), in the order given; of all columns, change the table itself."""
    if len(columns) != table.shape[1]:
        return table[:, columns]
    if not np.array_equal(columns, np.arange(len(columns))):
        step = max(AT_ONCE // max(len(columns), 1), 1)
        for start in range(0, len(table), step):
            table[start : start + step] = table[start : start + step][:, columns]
    return table


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """The persons and items of n rows.

    Attributes
    ----------
    unit, item : (n,) integer arrays
        Whom each row is about, and what.
    position : (n,) integer array
        Where its score stands.
    """

    unit: Ints
    item: Ints
    position: Ints

    def coverage(self, units: Ints, person: Ints) -> Coverage:
        """Say which items the units met, each of which is a person, or a part of one."""
        persons = int(person.max()) + 1
        of_unit = np.full(max(int(self.unit.max(initial=-1)), int(units.max())) + 1, -1, dtype=np.intp)
        of_unit[units] = person
        person_of_row = of_unit[self.unit]
        item_of_row, position = self.item, self.position
        if person_of_row.min(initial=0) < 0:
            rows = np.flatnonzero(person_of_row >= 0)
            person_of_row, item_of_row, position = person_of_row[rows], item_of_row[rows], position[rows]
        items, item = compact(item_of_row)
        flat = person_of_row * len(items)
        flat += item
        if _is_each_once(flat, persons * len(items)):
            return Coverage(persons, items, items, (flat, position))
        distinct, count = _count(flat, persons * len(items))
        again = None
        if len(distinct) < len(flat):
            twice = distinct[count > 1]
            same = position[flat == twice[0]]
            p, j = divmod(int(twice[0]), len(items))
            again = int(same[0]), int(same[1]), p, int(items[j]), len(twice)
        shared = items[np.bincount(distinct % len(items), minlength=len(items)) == persons]
        missing, first = persons * len(items) - len(distinct), (-1, -1)
        if missing:
            gaps = np.append(distinct, -1) != np.arange(len(distinct) + 1)
            p, j = divmod(int(gaps.argmax()), len(items))
            first = p, int(items[j])
        return Coverage(persons, items, shared, (flat, position), missing, first, again)


def _is_each_once(flat: Ints, combinations: int) -> bool:
    """Return whether each of the combinations occurs, and only once."""
    if combinations != len(flat):
        return False
    there = np.zeros(combinations, dtype=bool)
    there[flat] = True
    return bool(there.all())


def _count(flat: Ints, combinations: int) -> tuple[Ints, Ints]:
    """Return the distinct combinations that occur, ascending, and how often each does."""
    # Of texts that were never paired, persons × items may be more than fit in memory.
    if combinations > 8 * len(flat) + 1024:
        return np.unique(flat, return_counts=True)
    count = np.bincount(flat, minlength=combinations)
    distinct = np.flatnonzero(count)
    return distinct, count[distinct]
