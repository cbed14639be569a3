"""Sums over rows of names that are not in memory, and the statistics that come of them."""

from dataclasses import dataclass

import numpy as np

from eec_bias.inputs.observed import Members
from eec_bias.options import Floats, Ints
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Logs, Sums

ROUNDING = 1e-13
"""A remainder below this share of the sum it is left of is 0."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums for S systems of scores from which ``middle`` was subtracted, against loss of digits.

    Attributes
    ----------
    middle : (S, 1) array
        What was subtracted.
    person : (S, U) array
        Per unit.
    log_y, log_1my : (S, U) arrays
        Per unit, of log y and log(1 − y) of scores in [0, 1] after their edge treatment.
    touched : (S, U) array
        Per unit, the number of scores at an edge.
    item, square : (S, G, J) and (S, G) arrays
        Per group of units (a combination of the levels of all axes), the first also per item of a table.
    """

    middle: Floats
    person: Floats
    log_y: Floats
    log_1my: Floats
    touched: Floats
    item: Floats
    square: Floats

    def sums(self, table: Table, members: Members, group: Ints) -> Sums:
        """Sum up a table, as `sums.summarise` does from scores; ``group`` (U,) is the group of each unit."""
        units, cell, items = members.units, table.cell, len(table.items)
        count = np.bincount(cell).astype(float)
        groups, first = np.unique(group[units], return_index=True)
        of_group = np.zeros((len(count), len(groups)))
        of_group[cell[first], np.arange(len(groups))] = 1.0
        item = np.einsum("kg,sgj->skj", of_group, self.item[:, groups]) / count[:, None]
        square = self.square[:, groups] @ of_group.T
        person = self.person[:, units] / items
        mean, free = item.mean(axis=2), count - 1
        shift = person - mean[:, cell]
        between = np.add.reduceat(shift**2, np.searchsorted(cell, np.arange(len(count))), axis=1)
        rest = square - count * np.einsum("skj,skj->sk", item, item) - items * between
        # What is left of sums this large after they cancel is rounding.
        rest = np.where(rest > ROUNDING * square, rest, 0.0) if items > 1 else np.zeros_like(rest)
        residual = rest / (free * max(items - 1, 1) * count * items)
        logs = Logs(
            self.log_y[:, units] / items, self.log_1my[:, units] / items,
            self.touched[:, units].sum(axis=1).astype(np.intp),
        )  # fmt: skip
        middle = self.middle
        return Sums(count, person + middle, item + middle[:, :, None], mean + middle, between / free, residual, logs)
