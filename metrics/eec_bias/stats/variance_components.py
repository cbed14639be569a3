"""Where scores vary within groups: between persons, between items, between groups on an item, and the rest."""

from dataclasses import dataclass

import numpy as np

from eec_bias.options import Floats
from eec_bias.stats.default_test import ZERO
from eec_bias.stats.sums import Sums

SOURCES = ("persons", "items", "groups × items", "residual")


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components of S systems, in squared units of the scores; never below 0.

    Attributes
    ----------
    variance : (S, 4) array
        Between persons of a cell, between items, of cells × items, and residual (persons × items), as `SOURCES`.
    """

    variance: Floats

    @property
    def share(self) -> Floats:
        """Shares of the total, (S, 4); NaN where nothing varies."""
        total = self.variance.sum(axis=1, keepdims=True)
        return np.where(total > 0, self.variance / np.where(total > 0, total, 1.0), np.nan)


def components(sums: Sums, scale: float = 1.0) -> Components:
    """Estimate variance components by equating mean squares with what they estimate.

    y = cell + person + item + cell × item + residual, all but the cells random. Cells of one person say nothing
    about persons; they count for items. Negative estimates are 0.

    Parameters
    ----------
    sums : Sums
        Over the cells of a table.
    scale : float
        Width of the score range: a component below (1e-12 of it)² is made of rounding errors, and 0.
    """
    cells, items = sums.item.shape[1:]
    free = np.maximum(sums.count - 1, 0.0)
    known = free > 0
    weight = np.where(known, free, 0.0) / max(float(free.sum()), 1.0)
    square = np.where(known, sums.residual * sums.count * items, 0.0)
    residual = square @ weight
    persons = np.where(known, sums.spread, 0.0) @ weight - residual / items
    noise = residual * (1 / sums.count).mean()
    profile = sums.item - sums.cell[:, :, None]
    grand = profile.mean(axis=1)
    by_cell = ((profile - grand[:, None]) ** 2).sum(axis=(1, 2)) / max((cells - 1) * (items - 1), 1) - noise
    by_cell = np.maximum(by_cell, 0.0)
    by_item = (grand**2).sum(axis=1) / max(items - 1, 1) - (by_cell + noise) / cells
    parts = np.stack([persons, by_item, by_cell, residual], axis=1)
    return Components(np.where(parts > (ZERO * scale) ** 2, parts, 0.0))
