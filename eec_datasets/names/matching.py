"""Cells matched by design: names chosen so that the means of what is known differ little between cells.

Names of one cell are assigned to those of another at the least total distance (Rosenbaum 1989; Hansen 2004), and
single names are then exchanged for others of their cell while that brings the means together (cardinality matching by
exchange; Zubizarreta 2012). Numbers only: a cell is an array of candidates × features.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Members = list[list[int]]
    """For each cell, the rows of its candidates that are chosen."""


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


def _unit(cells: Sequence[Array]) -> Array:
    """What features are measured in: their standard deviation, or 1 where nothing varies."""
    within = _within(cells)
    return np.where(within > 0, within, 1.0)


def assigned(cells: Sequence[Array], size: int) -> Members:
    """Choose from each cell the names that lie nearest to those of the cell with the fewest candidates.

    Of that cell the `size` candidates are kept that have the nearest neighbours in the other cells; each cell is then
    assigned to these at the least total squared distance (features in pooled standard deviations).
    """
    from scipy.optimize import linear_sum_assignment

    unit = _unit(cells)
    scaled = [cell / unit for cell in cells]
    rare = min(scaled, key=len)
    apart = [((rare[:, None, :] - cell[None, :, :]) ** 2).sum(axis=2) for cell in scaled]
    nearest = np.sort(np.argsort(np.sum([distances.min(axis=1) for distances in apart], axis=0), kind="stable")[:size])
    return [sorted(linear_sum_assignment(distances[nearest])[1].tolist()) for distances in apart]


def exchanged(cells: Sequence[Array], chosen: Members, within: float, preferred: Sequence[Array]) -> Members:
    """Exchange as few names as bring every feature within so many standard deviations, one at a time.

    Each step is the exchange that lowers most what lies beyond, and a little the variance of cell means; among near
    equals a preferred name comes in.

    Parameters
    ----------
    chosen : what is chosen so far; it is not changed.
    preferred : for each cell, how much each candidate is preferred, from 0 to 1; infinite for one that stays.

    Returns
    -------
    The members after the last exchange that helps; `spread` says whether that was enough.
    """
    members = [list(rows) for rows in chosen]
    current = _taken(cells, members)
    while (spread(current) > within).any():
        _, cell, out, into = min(_best(index, cells, members, within, preferred[index]) for index in range(len(cells)))
        tried = [sorted({*rows, into} - {out}) if index == cell else rows for index, rows in enumerate(members)]
        after = _taken(cells, tried)
        if into < 0 or _cost(_standard(after), within) >= _cost(_standard(current), within):
            break
        members, current = tried, after
    return members


def _taken(cells: Sequence[Array], members: Members) -> list[Array]:
    return [cell[rows] for cell, rows in zip(cells, members, strict=True)]


def _standard(cells: Sequence[Array]) -> Array:
    """Cell means in pooled standard deviations: cells × features."""
    return np.array([cell.mean(axis=0) for cell in cells]) / _unit(cells)


def _cost(means: Array, within: float) -> Array:
    """What is to be lowered, for cell means in standard deviations along the first axis and features along the last."""
    apart = means.max(axis=0) - means.min(axis=0)
    cost: Array = (np.maximum(apart - within, 0) ** 2 + 0.01 * means.var(axis=0)).sum(axis=-1)
    return cost


def _best(
    index: int, cells: Sequence[Array], members: Members, within: float, preferred: Array
) -> tuple[float, int, int, int]:
    """The exchange in one cell that lowers the cost most: its value, the cell, who goes and who comes."""
    ins = np.array(members[index])
    outs = np.setdiff1d(np.arange(len(cells[index])), ins)
    if not len(outs):
        return np.inf, index, -1, -1
    current = _taken(cells, members)
    scale = _unit(current)
    means = (current[index].mean(axis=0) + (cells[index][outs][None] - current[index][:, None]) / len(ins)) / scale
    others = [cell.mean(axis=0) / scale for number, cell in enumerate(current) if number != index]
    value = _cost(np.stack([means, *(np.broadcast_to(other, means.shape) for other in others)]), within)
    value = value - 1e-4 * preferred[outs][None] + 1e-4 * preferred[ins][:, None]
    row, column = np.unravel_index(int(value.argmin()), value.shape)
    return float(value[row, column]), index, int(ins[row]), int(outs[column])
