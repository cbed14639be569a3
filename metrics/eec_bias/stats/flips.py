"""Flips: changes of the predicted class when only the person changes, and how often they occur."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.layout import Table


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
    chosen, counts = table.gather(predicted), table.counts.astype(float)
    starts = np.searchsorted(table.cell, np.arange(len(counts)))
    # Share of each class per cell and item, (S, K, C, J).
    shares = [np.add.reduceat((chosen == c).astype(float), starts, axis=1) for c in range(classes * (not table.paired))]
    rates = np.stack(shares, axis=2) / counts[:, None, None] if shares else None
    for axis in table.axes:
        others = [level for level in axis.levels if level != axis.reference]
        pairs = combinations(others, 2) if axis.reference is None else product(others, [axis.reference])
        for level, reference in pairs:
            sides = table.strata([axis.name])[:, [axis.levels.index(level), axis.levels.index(reference)]]
            flipped = _over_bases(chosen, table, sides) if rates is None else _over_names(rates, counts, sides)
            if flipped is not None:
                sentences = int(np.isin(table.cell, np.ravel(sides)).sum()) * len(table.items)
                keys = {"axis": axis.name, "level": level, "reference": reference, "n_sentences": sentences}
                yield keys, *flipped


def _over_names(rates: Floats, counts: Floats, sides: Ints) -> tuple[Floats, Floats]:
    same = (rates[:, sides[:, 0]] * rates[:, sides[:, 1]]).sum(axis=2).mean(axis=(1, 2))
    used = sides.T.ravel()
    m = counts[used][:, None]
    # Of m² ordered pairs of a cell, m compare a sentence with itself.
    alike = ((rates[:, used] ** 2).sum(axis=2) * m - 1) / (m - 1)
    return 1 - same, 1 - alike.mean(axis=(1, 2))


def _over_bases(chosen: Ints, table: Table, sides: Ints) -> tuple[Floats, Floats] | None:
    """None where no base has both levels."""
    pairs = [table.within_bases(cells) for cells in sides]
    shares = [(chosen[:, both[:, 0]] != chosen[:, both[:, 1]]).mean(axis=(1, 2)) for both in pairs if len(both)]
    return (np.asarray(np.mean(shares, axis=0)), np.full(len(chosen), np.nan)) if shares else None
