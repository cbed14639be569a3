"""How often the predicted class changes when only the person changes."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.layout import Axis, Table


def find_flips(table: Table, predicted: Ints, classes: int) -> Iterator[tuple[dict[str, Any], Floats, Floats]]:
    """Compare the classes of a table's sentences, one entry per axis and pair of levels.

    Parameters
    ----------
    table : Table
        Persons × items.
    predicted : (S, n) integer array
        The class of every row of the data.
    classes : int
        Number of classes.

    Yields
    ------
    keys : dict
        ``axis``, ``level`` and ``reference``: what differs; ``n_sentences``: how many are compared.
    between : (S,) array
        Share of pairs of sentences on the same item, one of each level, whose classes differ: on pairs and phrases
        within the base; on names over all pairs of persons within each cell of the other axes, cells weighted
        equally.
    within : (S,) array
        On names the same share among persons of one level, which says how much of it any other name would do; else NaN.
    """
    classes_of = table.gather(predicted)
    rates = None if table.paired else _rates(classes_of, table, classes)
    for axis in table.axes:
        for level, reference in _comparisons(axis):
            sides = table.strata([axis.name])[:, [axis.levels.index(level), axis.levels.index(reference)]]
            shares = _over_bases(classes_of, table, sides) if rates is None else _over_names(rates, table.counts, sides)
            if shares is not None:
                sentences = int(np.isin(table.cell, np.ravel(sides)).sum()) * len(table.items)
                keys = {"axis": axis.name, "level": level, "reference": reference, "n_sentences": sentences}
                yield keys, *shares


def _comparisons(axis: Axis) -> list[tuple[str, str]]:
    if axis.reference is None:
        return list(combinations(axis.levels, 2))
    return [(level, axis.reference) for level in axis.levels if level != axis.reference]


def _rates(chosen: Ints, table: Table, classes: int) -> Floats:
    """Share of each class per cell and item, (S, K, C, J)."""
    starts = np.searchsorted(table.cell, np.arange(len(table.cells)))
    shares = [np.add.reduceat((chosen == c).astype(float), starts, axis=1) for c in range(classes)]
    return np.asarray(np.stack(shares, axis=2) / table.counts[:, None, None])


def _over_names(rates: Floats, counts: Ints, sides: Ints) -> tuple[Floats, Floats]:
    same = (rates[:, sides[:, 0]] * rates[:, sides[:, 1]]).sum(axis=2).mean(axis=(1, 2))
    used = sides.T.ravel()
    m = counts[used].astype(float)[:, None]
    # Of m² ordered pairs of a cell, m compare a sentence with itself.
    alike = ((rates[:, used] ** 2).sum(axis=2) * m - 1) / (m - 1)
    return 1 - same, 1 - alike.mean(axis=(1, 2))


def _over_bases(chosen: Ints, table: Table, sides: Ints) -> tuple[Floats, Floats] | None:
    """None where no base has both levels."""
    pairs = [table.within_bases(cells) for cells in sides]
    shares = [(chosen[:, both[:, 0]] != chosen[:, both[:, 1]]).mean(axis=(1, 2)) for both in pairs if len(both)]
    return (np.asarray(np.mean(shares, axis=0)), np.full(len(chosen), np.nan)) if shares else None
