"""Rows laid out as a dense table of persons × items, or refused with the reason."""

from collections.abc import Callable
from itertools import product

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.inputs.codes import compact
from eec_bias.options import Bools, Ints
from eec_bias.stats.layout import Axis

LISTED = 4
"""Cells named in a note; the rest are counted."""


def describe(axes: tuple[Axis, ...], levels: tuple[str, ...]) -> str:
    """Name a cell: ``race=Latino, gender=female``."""
    return ", ".join(f"{axis.name}={level}" for axis, level in zip(axes, levels, strict=True))


def lay_out(
    subset: str, keys: Ints, items: Ints, rows: Ints, *, shared: bool, name: Callable[[int, int], tuple[str, str]]
) -> tuple[Ints, Ints, Ints, tuple[str, ...]]:
    """Cross units with items.

    Parameters
    ----------
    subset : str
        The part of the data, for messages.
    keys, items, rows : (r,) integer arrays
        Unit, item and position in the scores of each row taking part.
    shared : bool
        Whether an incomplete table is cut down to the items all units share.
    name : function of (unit key, item code)
        Texts for messages.

    Returns
    -------
    (P,) unit keys, (J,) item codes, (P, J) positions, notes

    Raises
    ------
    DesignError
        If a unit meets an item twice, or not at all.
    """
    units, unit = compact(keys)
    found, item = compact(items)
    flat = unit * len(found) + item
    seen = np.bincount(flat, minlength=len(units) * len(found)).reshape(len(units), len(found))
    if seen.max() > 1:
        _refuse_duplicate(subset, units, found, rows, flat, seen, name)
    grid = np.full(seen.size, -1, dtype=np.intp)
    grid[flat] = rows
    grid = grid.reshape(seen.shape)
    if seen.all():
        return units, found, grid, ()
    complete = (seen > 0).all(axis=0)
    missing = int((seen == 0).sum())
    person, what = name(int(units[np.argwhere(seen == 0)[0, 0]]), int(found[np.argwhere(seen == 0)[0, 1]]))
    gap = (
        f"{subset}: {missing} of the {len(units)} × {len(found)} combinations of person and item are missing, first "
        f"{person} on item {what!r}"
    )
    if not shared:
        kept = int(complete.sum())
        remedy = f", or pass incomplete='shared' to keep the {kept} items all persons share" if kept else ""
        raise DesignError(f"{gap}; every person needs every item: add the rows{remedy}")
    if not complete.any():
        raise DesignError(f"{gap}; no item is shared by all persons, so nothing is left to compare")
    note = f"{subset}: incomplete table cut to the {int(complete.sum())} of {len(found)} items all persons share"
    return units, found[complete], grid[:, complete], (note,)


def _refuse_duplicate(
    subset: str,
    units: Ints,
    found: Ints,
    rows: Ints,
    flat: Ints,
    seen: Ints,
    name: Callable[[int, int], tuple[str, str]],
) -> None:
    unit, item = (int(i) for i in np.argwhere(seen > 1)[0])
    first, second = (int(rows[i]) for i in np.flatnonzero(flat == unit * len(found) + item)[:2])
    person, what = name(int(units[unit]), int(found[item]))
    raise DesignError(
        f"{subset}: rows {first} and {second} (rows count from 0) both give {person} on item {what!r}; "
        f"each person meets each item once ({int((seen > 1).sum())} such)"
    )


def check_cells(subset: str, axes: tuple[Axis, ...], cell: Ints, persons: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse cells in which the spread of persons cannot be seen; note those in which it is seen badly.

    Raises
    ------
    DesignError
        If a cell has no person, or one only.
    """
    labels = list(product(*(axis.levels for axis in axes)))
    counts = np.bincount(cell, minlength=len(labels))
    empty = [describe(axes, labels[k]) for k in np.flatnonzero(counts == 0)]
    if empty:
        raise DesignError(
            f"{subset}: no person with {' and none with '.join(empty)}; every combination of the axes' levels needs "
            "persons: leave an axis out with axes=, or filter the level away"
        )
    lone: Bools = counts == 1
    if lone.any():
        k = int(np.flatnonzero(lone)[0])
        raise DesignError(
            f"{subset}: {persons[int(np.flatnonzero(cell == k)[0])]!r} is the only person with "
            f"{describe(axes, labels[k])}; how much persons differ needs two or more in every cell"
        )
    few = [f"{describe(axes, labels[k])} ({counts[k]})" for k in np.flatnonzero(counts < 5)]
    if not few:
        return ()
    listed = "; ".join(few[:LISTED]) + (f" and in {len(few) - LISTED} more cells" if len(few) > LISTED else "")
    return (f"{subset}: fewer than 5 persons with {listed}: p-values and intervals are rough",)
