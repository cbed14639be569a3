"""How often the predicted class changes when only the person changes."""

from itertools import combinations, product
from typing import Any

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.layout import Table

FLIP_KEYS = ("axis", "level", "reference", "subset", "flip_rate", "within_rate", "n_items", "n_sentences")
"""Keys of a row of flips, after those that name the system."""


def flip_rows(table: Table, predicted: Ints, classes: int) -> list[list[dict[str, Any]]]:
    """Compare the classes of sentences that differ in one level of one axis.

    Parameters
    ----------
    table : Table
        Persons × items.
    predicted : (S, n) integer array
        The class of every row of the data.
    classes : int
        Number of classes.

    Returns
    -------
    list of lists of dict
        Per system one row per axis and pair of levels: ``flip_rate``, the share of pairs of sentences on the
        same item, one of each level, whose classes differ (on pairs and phrases within the base; on names over
        all pairs of persons within each cell of the other axes, cells weighted equally); ``within_rate``, on
        names the same share among persons of one level, which says how much of it any other name would do.
    """
    chosen = predicted[:, table.rows.ravel()].reshape(len(predicted), *table.rows.shape)
    rows: list[list[dict[str, Any]]] = [[] for _ in predicted]
    rates = None if table.paired else _rates(chosen, table, classes)
    for at, axis in enumerate(table.axes):
        for level, reference in _comparisons(axis.levels, axis.reference):
            sides = _sides(table, at, level, reference)
            between: Floats | None
            within: Floats | None = None
            if rates is None:
                between = _over_bases(chosen, table, sides)
            else:
                between, within = _over_names(rates, table.counts, sides)
            if between is None:
                continue
            used = np.isin(table.cell, np.ravel(sides))
            for s, found in enumerate(rows):
                values = (
                    axis.name, level, reference, table.subset, float(between[s]),
                    None if within is None else float(within[s]), len(table.items), int(used.sum()) * len(table.items),
                )  # fmt: skip
                found.append(dict(zip(FLIP_KEYS, values, strict=True)))
    return rows


def _comparisons(levels: tuple[str, ...], reference: str | None) -> list[tuple[str, str]]:
    if reference is None:
        return list(combinations(levels, 2))
    return [(level, reference) for level in levels if level != reference]


def _sides(table: Table, at: int, level: str, reference: str) -> list[tuple[int, int]]:
    """Cells to compare: one pair per combination of the other axes' levels."""
    cells = {levels: k for k, levels in enumerate(table.cells)}
    others = [axis.levels for i, axis in enumerate(table.axes) if i != at]
    return [
        (cells[(*where[:at], level, *where[at:])], cells[(*where[:at], reference, *where[at:])])
        for where in product(*others)
    ]


def _rates(chosen: Ints, table: Table, classes: int) -> Floats:
    """Share of each class per cell and item, (S, K, C, J)."""
    starts = np.searchsorted(table.cell, np.arange(len(table.cells)))
    shares = [np.add.reduceat((chosen == c).astype(float), starts, axis=1) for c in range(classes)]
    return np.asarray(np.stack(shares, axis=2) / table.counts[:, None, None])


def _over_names(rates: Floats, counts: Ints, sides: list[tuple[int, int]]) -> tuple[Floats, Floats]:
    first, second = (np.array(side) for side in zip(*sides, strict=True))
    same = (rates[:, first] * rates[:, second]).sum(axis=2).mean(axis=(1, 2))
    used = np.concatenate([first, second])
    m = counts[used].astype(float)[:, None]
    # Of m² ordered pairs of a cell, m compare a sentence with itself.
    alike = ((rates[:, used] ** 2).sum(axis=2) * m - 1) / (m - 1)
    return 1 - same, 1 - alike.mean(axis=(1, 2))


def _over_bases(chosen: Ints, table: Table, sides: list[tuple[int, int]]) -> Floats | None:
    position = np.full((len(table.bases), len(table.cells)), -1, dtype=np.intp)
    position[table.base, table.cell] = np.arange(len(table.persons))
    shares = []
    for pair in sides:
        both = position[:, list(pair)]
        both = both[(both >= 0).all(axis=1)]
        if len(both):
            shares.append((chosen[:, both[:, 0]] != chosen[:, both[:, 1]]).mean(axis=(1, 2)))
    return np.asarray(np.mean(shares, axis=0)) if shares else None
