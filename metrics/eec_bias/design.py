"""From label columns to checked tables of persons × items.

Rows of names (``pair`` equal to ``item``) form the table ``names``: persons nested in cells. Rows of noun
phrases and pronouns (``pair`` is ``item/base``) form tables in which every base meets the levels it carries:
``pairs`` where only gender varies, ``phrases`` where another axis does.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from .coding import Coded, compact
from .contrasts import Axis, default_reference, reference_of, resolve_references
from .crossing import Table, check_cells, describe, lay_out
from .errors import DesignError, LabelsError
from .options import UNMARKED, Bools, Ints
from .sources import Source


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


@dataclass(frozen=True, slots=True)
class _Labels:
    """Coded columns and the options every table needs."""

    axes: dict[str, Coded]
    choice: dict[str, str | bool | None]
    person: Coded
    item: Coded
    base: Ints
    bases: tuple[str, ...]
    shared: bool

    def marked(self, axis: str) -> Bools:
        """Rows that carry a level of the axis."""
        column = self.axes[axis]
        if UNMARKED not in column.levels:
            return np.ones(len(column), dtype=bool)
        return np.asarray(column.codes != column.levels.index(UNMARKED))


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
    for column in axes.values():
        _refuse_twins(column)
    marked = {name: tuple(x for x in column.levels if x != UNMARKED) for name, column in axes.items()}
    choice = resolve_references(reference, marked)
    item = source.coded("item")
    base, bases = _bases(source, item, axes)
    labels = _Labels(axes, choice, source.coded("person"), item, base, bases, shared)
    tables: list[Table] = []
    used = np.zeros(source.rows, dtype=bool)
    for table in [*_name_tables(labels), *_base_tables(labels)]:
        tables.append(_unique_subset(table, tables))
        used[table.rows.ravel()] = True
    if not tables:
        raise DesignError(
            f"no rows can be compared on {', '.join(axes)}: names need two marked levels, and noun phrases two levels "
            "of an axis in the same pair"
        )
    notes = tuple(note for table in tables for note in table.notes)
    return Design(tuple(axes), tuple(tables), notes + _unused(used, shared))


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
    name = f"{table.subset}:{'+'.join(axis.name for axis in table.axes)}"
    return Table(
        name, table.axes, table.persons, table.cell, table.items, table.rows, table.bases, table.base, table.notes
    )


def _refuse_twins(column: Coded) -> None:
    """Refuse labels that differ only by case, accents or surrounding space."""
    plain: dict[str, str] = {}
    for level in column.levels:
        letters = unicodedata.normalize("NFKD", level.strip().casefold())
        key = "".join(c for c in letters if not unicodedata.combining(c))
        if key in plain:
            raise LabelsError(
                f"axis {column.name!r} has the labels {plain[key]!r} and {level!r}, which differ only by case, accents "
                "or space; write one of them throughout"
            )
        plain[key] = level


def _bases(source: Source, item: Coded, axes: dict[str, Coded]) -> tuple[Ints, tuple[str, ...]]:
    """Return each row's base (−1: a name) and the bases' names, read from ``pair``.

    Raises
    ------
    LabelsError
        If a pair is neither its row's item nor the item followed by ``/`` and a base; or if there is no
        column ``pair`` although some rows are unmarked on an axis.
    """
    if "pair" not in source.columns:
        for column in axes.values():
            if UNMARKED in column.levels:
                row = int(np.flatnonzero(column.codes == column.levels.index(UNMARKED))[0])
                raise LabelsError(
                    f"column 'pair' is missing, and row {row} (rows count from 0) is unmarked on {column.name!r}; "
                    "pass pair=, which tells names from noun phrases"
                )
        return np.full(source.rows, -1, dtype=np.intp), ()
    pair = source.coded("pair")
    first = np.full(len(pair.levels), -1, dtype=np.intp)
    first[pair.codes[::-1]] = np.arange(len(pair) - 1, -1, -1)
    strayed = item.codes != item.codes[first][pair.codes]
    own = [item.levels[code] for code in item.codes[first].tolist()]
    rest = [_base_of(level, its) for level, its in zip(pair.levels, own, strict=True)]
    if None in rest:
        k = rest.index(None)
        _refuse_pair(int(first[k]), pair.levels[k], own[k])
    if strayed.any():
        row = int(np.flatnonzero(strayed)[0])
        _refuse_pair(row, pair.levels[pair.codes[row]], item.levels[item.codes[row]])
    bases = sorted({base for base in rest if base})
    number = {base: i for i, base in enumerate(bases)} | {"": -1}
    return np.array([number[base] for base in rest if base is not None], dtype=np.intp)[pair.codes], tuple(bases)


def _base_of(pair: str, item: str) -> str | None:
    """What a pair adds to its item: nothing for names; None where it does not belong to the item."""
    if pair == item:
        return ""
    return (pair[len(item) + 1 :] or None) if pair.startswith(item + "/") else None


def _refuse_pair(row: int, pair: str, item: str) -> None:
    raise LabelsError(
        f"row {row} (rows count from 0) has pair {pair!r} and item {item!r}; a pair is the item itself (names) or the "
        "item followed by '/' and what the row is paired by, such as 'mother_father'"
    )


def _name_tables(labels: _Labels) -> list[Table]:
    """One table per set of axes that names carry; in most corpora one table."""
    names = labels.base < 0
    carried = [axis for axis in labels.axes if _n_levels(labels, axis, names) >= 2]
    pattern = np.zeros(len(names), dtype=np.intp)
    for bit, axis in enumerate(carried):
        pattern += (labels.marked(axis) & names).astype(np.intp) << bit
    tables = []
    for mask in sorted(set(compact(pattern)[0].tolist()) - {0}, reverse=True):
        rows = np.flatnonzero(pattern == mask)
        here = np.zeros(len(names), dtype=bool)
        here[rows] = True
        own = [axis for bit, axis in enumerate(carried) if mask >> bit & 1 and _n_levels(labels, axis, here) >= 2]
        if own:
            tables.append(_name_table(labels, own, rows))
    return tables


def _n_levels(labels: _Labels, axis: str, where: Bools) -> int:
    return len(compact(labels.axes[axis].codes[where & labels.marked(axis)])[0])


def _name_table(labels: _Labels, own: list[str], rows: Ints) -> Table:
    axes, cell = _cells(labels, own, rows)
    width = len(labels.person.levels)
    levels = list(product(*(axis.levels for axis in axes)))

    def name(key: int, item: int) -> tuple[str, str]:
        where = describe(axes, levels[key // width])
        return f"person {labels.person.levels[key % width]!r} ({where})", labels.item.levels[item]

    keys = cell * width + labels.person.codes[rows]
    units, items, grid, notes = lay_out("names", keys, labels.item.codes[rows], rows, shared=labels.shared, name=name)
    persons = tuple(labels.person.levels[k] for k in units % width)
    notes += check_cells("names", axes, units // width, persons)
    none = np.full(len(units), -1, dtype=np.intp)
    return Table("names", axes, persons, units // width, _items(labels, items), grid, (), none, notes)


def _items(labels: _Labels, codes: Ints) -> tuple[str, ...]:
    return tuple(labels.item.levels[i] for i in codes)


def _cells(labels: _Labels, own: Sequence[str], rows: Ints) -> tuple[tuple[Axis, ...], Ints]:
    """The axes with the levels these rows carry, and each row's cell."""
    axes, cell = [], np.zeros(len(rows), dtype=np.intp)
    for name in own:
        column = labels.axes[name]
        present, codes = compact(column.codes[rows])
        levels = tuple(column.levels[i] for i in present)
        axes.append(Axis(name, levels, reference_of(name, levels, labels.choice[name])))
        cell = cell * len(levels) + codes
    return tuple(axes), cell


def _base_tables(labels: _Labels) -> list[Table]:
    """One table per set of axes that vary within bases."""
    varying = np.zeros(len(labels.bases), dtype=np.intp)
    for bit, axis in enumerate(labels.axes):
        column = labels.axes[axis]
        rows = (labels.base >= 0) & labels.marked(axis)
        seen = np.zeros((len(labels.bases), len(column.levels)), dtype=bool)
        seen[labels.base[rows], column.codes[rows]] = True
        varying += (seen.sum(axis=1) >= 2).astype(np.intp) << bit
    tables = []
    for mask in sorted(set(varying.tolist()) - {0}):
        own = [axis for bit, axis in enumerate(labels.axes) if mask >> bit & 1]
        here = np.isin(labels.base, np.flatnonzero(varying == mask))
        for axis in own:
            here &= labels.marked(axis)
        tables.append(_base_table(labels, own, np.flatnonzero(here)))
    return tables


def _base_table(labels: _Labels, own: list[str], rows: Ints) -> Table:
    subset = "pairs" if own == ["gender"] else "phrases"
    axes, cell = _cells(labels, own, rows)
    width = len(labels.bases)
    dropped: tuple[str, ...] = ()
    if not labels.shared:
        whole, dropped = _drop_gaps(labels, subset, cell, rows)
        rows = rows[whole]
        axes, cell = _cells(labels, own, rows)
    persons = np.zeros(int(cell.max() + 1) * width, dtype=np.intp)
    keys = cell * width + labels.base[rows]
    persons[keys] = labels.person.codes[rows]

    def name(key: int, item: int) -> tuple[str, str]:
        return (
            f"person {labels.person.levels[persons[key]]!r} (pair {labels.bases[key % width]!r})",
            labels.item.levels[item],
        )

    units, items, grid, notes = lay_out(subset, keys, labels.item.codes[rows], rows, shared=labels.shared, name=name)
    cells, base = units // width, units % width
    axes, more = _paired_references(subset, axes, labels.choice, cells, base, width)
    kept = tuple(labels.person.levels[k] for k in persons[units])
    return Table(subset, axes, kept, cells, _items(labels, items), grid, labels.bases, base, dropped + notes + more)


def _drop_gaps(labels: _Labels, subset: str, cell: Ints, rows: Ints) -> tuple[Bools, tuple[str, ...]]:
    """Leave out what has gaps by nature, and say so; other gaps are mistakes, which are refused later.

    Where two forms coincide the corpus holds no pair. So an item may be missing for all persons of a base, and
    forms that not every base has (neutral ones) may lack items on their own.
    """
    width = len(labels.bases)
    base, cells = labels.base[rows], int(cell.max()) + 1
    found, item = compact(labels.item.codes[rows])
    met = np.bincount(cell * width + base, minlength=cells * width).reshape(cells, width)
    paired = np.zeros((width, len(found)), dtype=bool)
    paired[base, item] = True
    lacking = len(found) - paired.sum(axis=1)
    partial = (lacking > 0) & paired.any(axis=1)
    optional = (met > 0).sum(axis=1) < paired.any(axis=1).sum()
    gaps = optional[:, None] & (met > 0) & (met < len(found)) & ~partial
    notes = [
        f"{subset}: {labels.bases[k]!r} is left out, {lacking[k]} of the {len(found)} items have no such pair; "
        "incomplete='shared' keeps it, on the items all share"
        for k in np.flatnonzero(partial)
    ]
    for level, k in np.argwhere(gaps):
        row = rows[np.flatnonzero((cell == level) & (base == k))[0]]
        person = labels.person.levels[labels.person.codes[row]]
        notes.append(
            f"{subset}: {person!r} is left out, {len(found) - met[level, k]} of its {len(found)} items are missing; "
            "incomplete='shared' keeps it, on the items all share"
        )
    return ~(partial[base] | gaps[cell, base]), tuple(notes)


def _paired_references(
    subset: str, axes: tuple[Axis, ...], choice: dict[str, str | bool | None], cell: Ints, base: Ints, width: int
) -> tuple[tuple[Axis, ...], tuple[str, ...]]:
    """Compare with a reference where not every base has every level: deviations would need all of them."""
    cells = int(np.prod([len(axis.levels) for axis in axes]))
    have = np.zeros((width, cells), dtype=bool)
    have[base, cell] = True
    have = have[have.any(axis=1)]
    if have.all():
        return axes, ()
    note = (
        f"{subset}: {int((~have.all(axis=1)).sum())} of {len(have)} rows lack a level; each comparison uses the rows "
        "that have both its sides"
    )
    changed = []
    for axis in axes:
        fitting = axis.reference
        if fitting is None and choice[axis.name] is True:
            fitting = default_reference(axis.name, axis.levels)
        changed.append(Axis(axis.name, axis.levels, fitting))
    return tuple(changed), (note,)
