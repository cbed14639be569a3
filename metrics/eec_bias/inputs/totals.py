"""Sums over rows of names that are not in memory, and the statistics that come of them."""

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Logs, Sums

ROUNDING = 1e-13
"""A remainder below this share of the sum it is left of is 0."""


def sum_up(
    table: Table, group: Ints, *, middle: Floats, of_unit: Floats, of_items: Floats,
    squares: Floats,
) -> Sums:  # fmt: skip
    """Sum up a table, as `sums.summarise` does from scores.

    Parameters
    ----------
    table : Table
        Of names.
    group : (U,) integer array
        The group of each unit, a combination of the levels of all axes.
    middle : (S, 1) array
        What was subtracted from the scores of S systems before they were summed, against loss of digits.
    of_unit : (4, S, U) array
        Per unit the sums of scores, of log y and of log(1 − y) of scores in [0, 1] after their edge treatment, and the
        number of scores at an edge.
    of_items, squares : (S, G, J) and (S, G) arrays
        Per group the sums of scores on each item of the table, and of their squares.
    """
    units, cell, items = table.units, table.cell, len(table.items)
    person, log_y, log_1my = of_unit[:3, :, units] / items
    count = np.bincount(cell).astype(float)
    groups, first = np.unique(group[units], return_index=True)
    of_group = np.zeros((len(count), len(groups)))
    of_group[cell[first], np.arange(len(groups))] = 1.0
    item = np.einsum("kg,sgj->skj", of_group, of_items[:, groups]) / count[:, None]
    square = squares[:, groups] @ of_group.T
    mean, free = item.mean(axis=2), count - 1
    shift = person - mean[:, cell]
    between = np.add.reduceat(shift**2, np.searchsorted(cell, np.arange(len(count))), axis=1)
    rest = square - count * np.einsum("skj,skj->sk", item, item) - items * between
    # What is left of sums this large after they cancel is rounding.
    rest = np.where(rest > ROUNDING * square, rest, 0.0) if items > 1 else np.zeros_like(rest)
    residual = rest / (free * max(items - 1, 1) * count * items)
    logs = Logs(log_y, log_1my, of_unit[3][:, units].sum(axis=1).astype(np.intp))
    return Sums(count, person + middle, item + middle[:, :, None], mean + middle, between / free, residual, logs)
