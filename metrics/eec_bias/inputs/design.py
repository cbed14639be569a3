"""From label columns to checked tables of persons × items.

Rows of names (``pair`` equal to ``item``) form the table ``names``: persons nested in cells. Rows of noun
phrases and pronouns (``pair`` is ``item/base``) form tables in which every base meets the levels it carries:
``pairs`` where only gender varies, ``phrases`` where another axis does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.inputs.codes import Coded
from eec_bias.inputs.labels import Labels, read_labels
from eec_bias.inputs.paired_design import base_tables
from eec_bias.inputs.sources import Source
from eec_bias.inputs.table import check_cells, describe, lay_out
from eec_bias.options import Bools, Ints
from eec_bias.stats.layout import Table


@dataclass(frozen=True, slots=True)
class Design:
    """The tables of a data set and what a reader must know about them."""

    axes: tuple[str, ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]

    @property
    def references(self) -> tuple[str, ...]:
        """For each axis the level the others are compared with, ``mean`` for deviations."""
        first = {axis.name: axis.reference for table in reversed(self.tables) for axis in table.axes}
        return tuple(first.get(axis) or "mean" for axis in self.axes)


def build_design(source: Source, axes: dict[str, Coded], *, reference: Any = "default", shared: bool = False) -> Design:
    """Check the labels and lay the rows out.

    Parameters
    ----------
    source : Source
        Holds ``person``, ``item`` and, where rows are paired, ``pair``.
    axes : dict of str to Coded
        The identity axes, see `sources.choose_axes`.
    reference : "default", None or mapping
        See `contrasts.resolve_references`.
    shared : bool
        Whether incomplete tables are cut down to the items all persons share.

    Raises
    ------
    LabelsError
        If a column is missing or its labels contradict each other.
    OptionError
        If ``reference`` names an axis or level the data do not have.
    DesignError
        If a table has duplicated or missing entries, empty cells, or nothing is left to compare.
    """
    labels = read_labels(source, axes, reference=reference, shared=shared)
    tables: list[Table] = []
    used = np.zeros(source.rows, dtype=bool)
    for table in [*_name_tables(labels), *base_tables(labels)]:
        tables.append(_unique_subset(table, tables))
        used[table.rows.ravel()] = True
    if not tables:
        raise DesignError(
            f"no rows can be compared on {', '.join(axes)}: names need two marked levels, and noun phrases two levels "
            "of an axis in the same pair"
        )
    notes = tuple(note for table in tables for note in table.notes)
    return Design(tuple(axes), tuple(tables), notes + lone_item(tables) + _unused(used, shared))


def lone_item(tables: Sequence[Table]) -> tuple[str, ...]:
    """Say where the test cannot be about sentences, as there is one only."""
    lone = [f"{table.subset} {table.items[0]!r}" for table in tables if len(table.items) == 1]
    if not lone:
        return ()
    return (
        f"one item only ({', '.join(lone)}): how an effect differs between sentences cannot be seen, so p-values and "
        "intervals are over persons alone",
    )


def _unused(used: Bools, shared: bool) -> tuple[str, ...]:
    """Say how many rows take no part, unless a note on shared items says so already."""
    left = int((~used).sum())
    if not left or shared:
        return ()
    return (f"{left} of {len(used)} rows take no part: they carry no level, or no counterpart, on the axes measured",)


def _unique_subset(table: Table, earlier: Sequence[Table]) -> Table:
    """Keep subsets apart when two tables of the same kind carry different axes."""
    if all(table.subset != other.subset for other in earlier):
        return table
    return replace(table, subset=f"{table.subset}:{'+'.join(axis.name for axis in table.axes)}")


def _name_tables(labels: Labels) -> list[Table]:
    """One table per set of axes that names carry; in most corpora one table."""
    names = labels.base < 0
    marked = {axis: labels.marked(axis) & names for axis in labels.axes}
    carried = [axis for axis, rows in marked.items() if _n_levels(labels, axis, rows) >= 2]
    pattern = np.zeros(len(names), dtype=np.intp)
    for bit, axis in enumerate(carried):
        pattern += marked[axis].astype(np.intp) << bit
    tables = []
    for mask in sorted(set(np.flatnonzero(np.bincount(pattern)).tolist()) - {0}, reverse=True):
        here = pattern == mask
        own = [axis for bit, axis in enumerate(carried) if mask >> bit & 1 and _n_levels(labels, axis, here) >= 2]
        if own:
            tables.append(_name_table(labels, own, np.flatnonzero(here)))
    return tables


def _n_levels(labels: Labels, axis: str, where: Bools) -> int:
    return int(np.count_nonzero(np.bincount(labels.axes[axis].codes[where])))


def _name_table(labels: Labels, own: list[str], rows: Ints) -> Table:
    axes, cell = labels.cells(own, rows)
    width = len(labels.person.levels)
    levels = list(product(*(axis.levels for axis in axes)))

    keys = cell * width + labels.person.codes[rows]

    def name(key: int, item: int) -> tuple[str, str]:
        # A wrong label in one row makes a second person of the same name, whose gaps would else seem a riddle.
        others = [int(other) // width for other in np.unique(keys[keys % width == key % width]) if other != key]
        where = "; also rows with ".join(describe(axes, levels[k]) for k in [key // width, *others])
        return f"person {labels.person.levels[key % width]!r} ({where})", labels.item.levels[item]

    units, items, grid, notes = lay_out("names", keys, labels.item.codes[rows], rows, shared=labels.shared, name=name)
    persons = tuple(labels.person.levels[k] for k in units % width)
    notes += check_cells("names", axes, units // width, persons)
    none = np.full(len(units), -1, dtype=np.intp)
    return Table("names", axes, persons, units // width, labels.items(items), grid, (), none, notes)
