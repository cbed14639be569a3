"""Whether the texts that a contrast compares differ in more than the person."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from eec_bias.inputs.codes import Coded
from eec_bias.inputs.sources import Source
from eec_bias.options import Bools, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import Table

TEXT, FORM = "text", "person_form"


def find_reworded(table: Table, contrasts: Sequence[Contrast], source: Source | None, rows: Ints | None) -> Bools:
    """Return per contrast and item whether texts differ in more than the person, as where adjectives agree in gender.

    Parameters
    ----------
    table : Table
        P persons × J items.
    contrasts : sequence of Contrast
        The R rows.
    source : Source, optional
        The data; without the columns ``text`` and ``person_form`` nothing is known to differ.
    rows : integer array, optional
        The rows of the data that the table counts in; None for all.

    Returns
    -------
    (R, J) bool array
    """
    found = np.zeros((len(contrasts), len(table.items)), dtype=bool)
    if source is None or not {TEXT, FORM} <= set(source.columns) or table.rows[0, 0] < 0:
        return found
    known: dict[tuple[int, int], Bools] = {}
    for r, contrast in enumerate(contrasts):
        for pair in _compared_persons(table, contrast) if len(contrast.axes) == 1 else ():
            if pair not in known:
                at = table.rows[list(pair)] if rows is None else rows[table.rows[list(pair)]]
                (a, b), (x, y) = ([label_at(source.columns[name], own) for own in at] for name in (TEXT, FORM))
                known[pair] = np.array([_reworded(*four) for four in zip(a, x, b, y, strict=True)])
            found[r] |= known[pair]
    return found


def _compared_persons(table: Table, contrast: Contrast) -> list[tuple[int, int]]:
    """One pair of persons per pair of groups that the contrast weighs against each other, alike on other axes."""
    at = [axis.name for axis in table.axes].index(contrast.axes[0])
    higher, lower = (np.flatnonzero(contrast.weights * sign > 0).tolist() for sign in (1, -1))
    pairs = []
    for k, m in product(higher, lower):
        if _but(table.cells[k], at) == _but(table.cells[m], at):
            one, other = (np.flatnonzero(table.cell == cell).tolist() for cell in (k, m))
            pairs += [(p, q) for p in one for q in other if not table.paired or table.base[p] == table.base[q]][:1]
    return pairs


def _but(levels: Sequence[str], at: int) -> tuple[str, ...]:
    return (*levels[:at], *levels[at + 1 :])


def _reworded(one: str, form: str, other: str, other_form: str) -> bool:
    """Whether more words differ, between the first and the last that do, than those of the person."""
    a, b = one.split(), other.split()
    shorter = min(len(a), len(b))
    start = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    end = next((i for i in range(shorter - start) if a[-1 - i] != b[-1 - i]), shorter - start)
    return len(a) - start - end > len(form.split()) or len(b) - start - end > len(other_form.split())


def label_at(column: Any, rows: Ints) -> tuple[str, ...]:
    """Labels of a column at some rows, whatever holds the column."""
    if isinstance(column, Coded):
        return tuple(column.levels[code] for code in column.codes[rows].tolist())
    if hasattr(column, "iloc"):
        found = column.iloc[rows].tolist()
    elif hasattr(column, "take") and hasattr(column, "to_pylist"):
        found = column.take(rows).to_pylist()
    else:
        found = [column[row] for row in rows.tolist()]
    return tuple("" if label is None else str(label) for label in found)
