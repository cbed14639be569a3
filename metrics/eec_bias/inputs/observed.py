"""What was observed, wherever the rows are: who they are about, who met what, and sums of scores on request."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from eec_bias.inputs.codes import Coded, compact, number_rows
from eec_bias.inputs.item_labels import ItemLabels, read_item_labels
from eec_bias.inputs.labels import Labels
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import Source, keep_axes
from eec_bias.options import UNMARKED, Bools, Floats, Ints
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Sums, summarise


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which items some persons met.

    Attributes
    ----------
    persons : int
        How many persons P there are.
    items, shared : integer arrays
        Items that any of them met, and that all of them met.
    missing : int
        Combinations of person and item that are missing.
    first_gap : (int, int)
        Person and item of the first of these.
    entries : two (n,) integer arrays, or None
        Of each row its combination, person · J + item, and where its score stands; None where scores are not in memory.
    duplicate : tuple of int or None
        Two rows of the same person and item, these two, and how many combinations there are of that kind.
    """

    persons: int
    items: Ints
    shared: Ints
    missing: int = 0
    first_gap: tuple[int, int] = (-1, -1)
    entries: tuple[Ints, Ints] | None = None
    duplicate: tuple[int, int, int, int, int] | None = None

    def table(self, items: Ints) -> Ints:
        """Where the score of each person on some of the items stands, (P, J); −1 where there is none in memory."""
        if self.entries is None:
            return np.broadcast_to(np.intp(-1), (self.persons, len(items)))
        flat, position = self.entries
        table = np.full(self.persons * len(self.items), -1, dtype=np.intp)
        table[flat] = position
        return table.reshape(self.persons, -1)[:, np.searchsorted(self.items, items)]


class Rows(Protocol):
    """Rows of names that are not in memory."""

    divisible: bool
    """Whether they can be summed up over some of their items."""

    def coverage(self, units: Ints, person: Ints) -> Coverage:
        """Say which items the units met, each of which is a person."""

    def sums(self, table: Table, edge: str) -> Sums:
        """Sum up a table."""


@dataclass(frozen=True, slots=True)
class Observations:
    """What is known of all rows: U units (persons within their groups and bases) and the items they met.

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
    items : tuple of str
        The items.
    labels : dict of str to tuple of str
        Their templates, words and emotions, as far as they are known.
    rows : int
        How many rows there are.
    names : MemoryRows or Rows
        The rows of names.
    pairs : MemoryRows
        The rows of noun phrases and pronouns.
    source : Source, optional
        The data, where they are in memory.
    """

    person: Coded
    base: Ints
    bases: tuple[str, ...]
    axes: dict[str, Coded]
    items: tuple[str, ...]
    labels: ItemLabels
    rows: int
    names: "MemoryRows | Rows"
    pairs: "MemoryRows"
    source: Source | None = None

    def on_axes(self, *, requested: bool) -> "Observations":
        """Keep the axes that can be measured, see `sources.keep_axes`."""
        return replace(self, axes=keep_axes(self.axes, requested=requested))

    def only(self, rows: Ints) -> "Observations":
        """Return what was observed in some rows, all of them in memory."""
        assert isinstance(self.names, MemoryRows)
        (units, unit), (items, item) = compact(self.names.unit[rows]), compact(self.names.item[rows])
        rows_left, labels = MemoryRows(unit, item, self.names.position[rows]), self.of_items(items)
        return replace(
            self, person=self.person.take(units), base=self.base[units], items=labels.pop("item"), labels=labels,
            axes={name: axis.take(units) for name, axis in self.axes.items()}, rows=len(rows),
            names=rows_left, pairs=rows_left,
        )  # fmt: skip

    def marked(self, axis: str) -> Bools:
        """Units that have a level of the axis."""
        column = self.axes[axis]
        return np.array([level != UNMARKED for level in column.levels], dtype=bool)[column.codes]

    def texts(self, column: str, rows: Ints) -> tuple[str, ...] | None:
        """Labels of a further column of the data at scores' rows; None where they are not known."""
        if self.source is None or not rows.size or rows.flat[0] < 0:
            return None
        return self.source.texts(column, rows)

    def sums(self, table: Table, scores: Scores, edge: str) -> tuple[Sums, Floats | None]:
        """Sum up a table; return also its scores (S, P, J), where they are in memory."""
        if not table.paired and not isinstance(self.names, MemoryRows):
            return self.names.sums(table, edge), None
        values = table.gather(scores.values)
        runs = None if scores.runs is None else table.by_run(scores.runs)
        return summarise(values, table.cell, edge=edge, score_range=scores.score_range, runs=runs), values

    def of_items(self, items: Ints) -> ItemLabels:
        """Columns that describe some of the items, as far as they are known."""
        columns = {"item": self.items} | self.labels
        return {name: tuple(labels[j] for j in items) for name, labels in columns.items()}


@dataclass(frozen=True, slots=True)
class MemoryRows:
    """Rows in memory.

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
    divisible = True

    def coverage(self, units: Ints, person: Ints) -> Coverage:
        """Say which items the units met, each of which is a person, or a part of one."""
        persons = int(person.max()) + 1
        of_unit = np.full(max(int(self.unit.max(initial=-1)), int(units.max())) + 1, -1, dtype=np.intp)
        of_unit[units] = person
        person_of_row = of_unit[self.unit]
        rows = np.flatnonzero(person_of_row >= 0)
        items, item = compact(self.item[rows])
        flat = person_of_row[rows] * len(items) + item
        # Of texts that were never paired, persons × items may be more than fit in memory.
        distinct, count = np.unique(flat, return_counts=True)
        again = None
        if len(distinct) < len(flat):
            twice = distinct[count > 1]
            same = self.position[rows[flat == twice[0]]]
            p, j = divmod(int(twice[0]), len(items))
            again = int(same[0]), int(same[1]), p, int(items[j]), len(twice)
        shared = items[np.bincount(distinct % len(items), minlength=len(items)) == persons]
        missing, first = persons * len(items) - len(distinct), (-1, -1)
        if missing:
            gaps = np.append(distinct, -1) != np.arange(len(distinct) + 1)
            p, j = divmod(int(gaps.argmax()), len(items))
            first = p, int(items[j])
        return Coverage(persons, items, shared, missing, first, (flat, self.position[rows]), again)


def observe(source: Source, labels: Labels) -> Observations:
    """Observe labelled rows in memory; ``source`` has further columns."""
    unit, first = number_rows([labels.person.codes, labels.base, *(axis.codes for axis in labels.axes.values())])
    memory_rows = MemoryRows(unit, labels.item.codes, np.arange(len(unit)))
    person, *axes = (replace(column, codes=column.codes[first]) for column in (labels.person, *labels.axes.values()))
    return Observations(
        person, labels.base[first], labels.bases, {axis.name: axis for axis in axes}, labels.item.levels,
        read_item_labels(source, labels.item), len(unit), memory_rows, memory_rows, source,
    )  # fmt: skip
