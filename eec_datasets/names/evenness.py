"""Evenness of cells: means of the features of names, and how far they are apart. Numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def spread(cells: Sequence[Array]) -> Array:
    """The largest difference of cell means of each feature, in standard deviations pooled within cells.

    Parameters
    ----------
    cells : for each cell, names × features; NaN where something is not known of a name.

    Returns
    -------
    One number per feature: 0 where all cells are alike; NaN where a cell knows nothing.
    """
    means = np.array([means_of(cell) for cell in cells])
    within = _within(cells)
    apart = means.max(axis=0) - means.min(axis=0)
    result: Array = np.divide(apart, within, out=np.where(apart > 0, np.inf, apart) + 0 * within, where=within > 0)
    return result


def means_of(cell: Array) -> Array:
    """The mean of each feature; NaN where the cell has no name."""
    result: Array = cell.mean(axis=0) if len(cell) else np.full(cell.shape[1], np.nan)
    return result


def _within(cells: Sequence[Array]) -> Array:
    """Standard deviations within cells, pooled."""
    unknown = np.full(cells[0].shape[1], np.nan)
    result: Array = np.sqrt(np.mean([cell.var(axis=0, ddof=1) if len(cell) > 1 else unknown for cell in cells], axis=0))
    return result


def deviations(cells: Sequence[Array]) -> Array:
    """The standard deviation of each feature within cells; 1 where nothing varies."""
    within = _within(cells)
    return np.where(within > 0, within, 1.0)
