"""Tables in which every base phrase meets the levels it carries: ``pairs`` and ``phrases``."""

import numpy as np

from eec_bias.inputs.codes import compact
from eec_bias.inputs.labels import Labels
from eec_bias.inputs.table import lay_out
from eec_bias.options import Bools, Ints
from eec_bias.stats.contrasts import default_reference
from eec_bias.stats.layout import Axis, Table


def base_tables(labels: Labels) -> list[Table]:
    """Lay out noun phrases and pronouns, one table per set of axes that vary within bases.

    Parameters
    ----------
    labels : Labels
        The checked columns.

    Returns
    -------
    list of Table
        Subset ``pairs`` where only gender varies, ``phrases`` where another axis does.
    """
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


def _base_table(labels: Labels, own: list[str], rows: Ints) -> Table:
    subset = "pairs" if own == ["gender"] else "phrases"
    axes, cell = labels.cells(own, rows)
    width = len(labels.bases)
    dropped: tuple[str, ...] = ()
    if not labels.shared:
        whole, dropped = _drop_gaps(labels, subset, cell, rows)
        if not whole.all():
            rows = rows[whole]
            axes, cell = labels.cells(own, rows)
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
    return Table(subset, axes, kept, cells, labels.items(items), grid, labels.bases, base, dropped + notes + more)


def _drop_gaps(labels: Labels, subset: str, cell: Ints, rows: Ints) -> tuple[Bools, tuple[str, ...]]:
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
