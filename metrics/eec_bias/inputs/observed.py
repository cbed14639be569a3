"""Whom n rows are about and what they met, whatever way they came in: persons, items, and a score's place for each."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from eec_bias.data_name import DataName
from eec_bias.errors import LabelsError
from eec_bias.inputs.codes import Coded, compact, number_rows
from eec_bias.inputs.item_labels import ItemLabels, read_item_labels
from eec_bias.inputs.labels import Labels
from eec_bias.inputs.lookalikes import refuse_lookalikes
from eec_bias.inputs.person_labels import PLACEBO, PersonLabels, read_person_labels
from eec_bias.inputs.sources import Source, keep_axes, lone_axes
from eec_bias.notes import Note
from eec_bias.options import UNMARKED, Bools, Floats, Ints
from eec_bias.stats.facets import NO_WORD


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
    """Some columns of a table (P, J), in the order given; if they are all of them, the table is changed itself."""
    if len(columns) != table.shape[1]:
        return table[:, columns]
    if not np.array_equal(columns, np.arange(len(columns))):
        step = max(AT_ONCE // max(len(columns), 1), 1)
        for start in range(0, len(table), step):
            table[start : start + step] = table[start : start + step][:, columns]
    return table


AT_ONCE = 100_000
"""Numbers that are put in order at once: a second table of all of them would take as long to get as to fill."""


@dataclass(frozen=True, slots=True)
class MemoryRows:
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
    """Distinct combinations that occur, ascending, and how often each does."""
    # Of texts that were never paired, persons × items may be more than fit in memory.
    if combinations > 8 * len(flat) + 1024:
        return np.unique(flat, return_counts=True)
    count = np.bincount(flat, minlength=combinations)
    distinct = np.flatnonzero(count)
    return distinct, count[distinct]


@dataclass(frozen=True, slots=True)
class Observations:
    """The labels of all rows: U units (persons within their groups and bases) and the items they met.

    Attributes
    ----------
    person : Coded, length U
        The person of each unit.
    base : (U,) integer array
        What it is paired by, a position in ``bases``; −1: a name.
    bases : tuple of str
        The bases, sorted.
    axes : dict of str to Coded, length U
        Its level on each identity axis.
    of_persons : dict of str to tuple of str, length U
        What names share (``family``, ``ending``) and their form, as far as it is known.
    families : tuple of str
        The columns among these whose values are families of names.
    items : tuple of str
        The items.
    labels : dict of str to tuple of str
        Their templates, words and emotions, as far as they are known.
    rows : MemoryRows
        The unit and the item of each row.
    parts : Coded, length n, optional
        The value of the column that the data are cut by.
    data : DataName
        The name of the data.
    notes : tuple of Note
        What was noted while the labels were read.
    source : Source, optional
        Further columns, where the data were given as a whole.
    """

    person: Coded
    base: Ints
    bases: tuple[str, ...]
    axes: dict[str, Coded]
    of_persons: PersonLabels
    families: tuple[str, ...]
    items: tuple[str, ...]
    labels: ItemLabels
    rows: MemoryRows
    parts: Coded | None = None
    data: DataName = field(default_factory=DataName)
    notes: tuple[Note, ...] = ()
    source: Source | None = None

    def name_rows(self, first: int, second: int) -> str:
        """Name two rows in a message."""
        if self.source is not None and self.source.unordered:
            return "two rows"
        return f"rows {first} and {second} (rows count from 0)"

    def __post_init__(self) -> None:
        """Refuse templates, words or emotions that look alike."""
        for name, labels in self.labels.items():
            refuse_lookalikes(labels, f"labels of the column {name!r}", LabelsError)

    def on_axes(self, *, requested: bool) -> "Observations":
        """Keep the axes that can be measured, see `sources.keep_axes`, and note the others."""
        kept = keep_axes(self.axes, requested=requested)
        return replace(self, axes=kept, notes=(*self.notes, *lone_axes(self.axes, kept)))

    def only(self, rows: Ints) -> "Observations":
        """Return what was observed in some rows."""
        (units, unit), (items, item) = compact(self.rows.unit[rows]), compact(self.rows.item[rows])
        labels = self.of_items(items)
        return replace(
            self,
            person=self.person.take(units),
            base=self.base[units],
            axes={name: axis.take(units) for name, axis in self.axes.items()},
            of_persons={name: tuple(column[u] for u in units) for name, column in self.of_persons.items()},
            items=labels.pop("item"),
            labels=labels,
            rows=MemoryRows(unit, item, self.rows.position[rows]),
            parts=None,
            notes=(),
        )

    def scored(self, values: Floats) -> "Observations":
        """Keep the rows of which every system has a score; ``values`` are these (S, n)."""
        lacking = np.asarray(np.isnan(values).any(axis=0))[self.rows.position]
        if not lacking.any():
            return self
        rows = self.rows
        kept = MemoryRows(rows.unit[~lacking], rows.item[~lacking], rows.position[~lacking])
        parts = self.parts if self.parts is None else replace(self.parts, codes=self.parts.codes[~lacking])
        return replace(self, rows=kept, parts=parts)

    @property
    def neutral(self) -> Bools:
        """Units (U,) that have a neutral word in place of one for a group; they stand for no group."""
        words = self.of_persons.get(PLACEBO)
        if words is None:
            return np.zeros(len(self.base), dtype=bool)
        return np.array([word not in NO_WORD for word in words], dtype=bool)

    def marked(self, axis: str) -> Bools:
        """Units that have a level of the axis."""
        column = self.axes[axis]
        return np.array([level != UNMARKED for level in column.levels], dtype=bool)[column.codes]

    def texts(self, column: str, rows: Ints) -> tuple[str, ...] | None:
        """Labels of a further column of the data at scores' rows; None where they are not known."""
        if self.source is None or not rows.size or (rows < 0).any():
            return None
        return self.source.texts(column, rows)

    def of_items(self, items: Ints) -> ItemLabels:
        """Columns that describe some of the items, as far as they are known."""
        columns = {"item": self.items} | self.labels
        chosen = items.tolist()
        return {name: tuple(map(labels.__getitem__, chosen)) for name, labels in columns.items()}


def observe(
    source: Source, labels: Labels, families: Sequence[str] = (), parts: Coded | None = None, notes: Sequence[Note] = ()
) -> Observations:
    """Observe labelled rows; ``source`` has further columns, ``families`` among them."""
    unit, first = number_rows([labels.person.codes, labels.base, *(axis.codes for axis in labels.axes.values())])
    person, *axes = (replace(column, codes=column.codes[first]) for column in (labels.person, *labels.axes.values()))
    return Observations(
        person=person,
        base=labels.base[first],
        bases=labels.bases,
        axes={axis.name: axis for axis in axes},
        of_persons=read_person_labels(source, labels.person, unit, first, families, tuple(labels.axes)),
        families=tuple(families),
        items=labels.item.levels,
        labels=read_item_labels(source, labels.item),
        rows=MemoryRows(unit, labels.item.codes, np.arange(len(unit))),
        parts=parts,
        data=source.data,
        notes=tuple(notes),
        source=source,
    )
