"""Effect sizes over persons: Hedges' g and the probability of superiority."""

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.rounding import ZERO
from eec_bias.stats.sums import Sums


def hedges_g(effect: Floats, sums: Sums, scale: float = 1.0) -> Floats:
    """Effect over the pooled within-cell standard deviation of person means, with Hedges' correction.

    Parameters
    ----------
    effect : (S, R) array
        Differences or other contrasts of cell means.
    sums : Sums
        Over the persons; the correction is 1 − 3/(4·df − 1) with df = Σ(m − 1) (Hedges 1981).
    scale : float
        Width of the score range, the unit of what counts as 0.

    Returns
    -------
    (S, R) array, NaN where persons do not differ
    """
    free = sums.count - 1
    df = free.sum()
    squares = np.where(free > 0, sums.spread * free, 0.0).sum(axis=1)
    pooled = np.sqrt(squares / max(df, 1.0))
    pooled = np.where(pooled > ZERO * scale, pooled, np.nan)
    return np.asarray(effect / pooled[:, None] * (1 - 3 / (4 * df - 1)))


def superiority(person: Floats, cell: Ints, weights: Floats, cells: Ints, scale: float = 1.0) -> Floats:
    """Share of pairs of persons, one of each group, in which the first scores higher; ties count half.

    Parameters
    ----------
    person : (S, P) array
        Person means.
    cell : (P,) integer array
        Each person's cell.
    weights : (K,) array
        The contrast: the first group has weights above 0, the second below.
    cells : (H, Q) integer array
        The cells among which persons are compared, from `layout.within_others`; each row counts alike.
    scale : float
        Width of the score range, the unit of what counts as a tie.

    Returns
    -------
    (S,) array in [0, 1]
    """
    shares = []
    weight = weights[cell]
    for stratum in cells[(weights[cells] != 0).any(axis=1)]:
        inside = np.isin(cell, stratum)
        first, second = person[:, inside & (weight > 0)], person[:, inside & (weight < 0)]
        shares.append(_higher(first, second, ZERO * scale))
    return np.asarray(np.mean(shares, axis=0))


def _higher(first: Floats, second: Floats, tie: float) -> Floats:
    """Share (S,) of pairs of numbers (S, n) and (S, m) in which the first is higher; ties count half."""
    n, m = first.shape[1], second.shape[1]
    # In their common order each first comes twice: before the seconds that it ties with, and after them.
    order = np.concatenate([first - tie, second, first + tie], axis=1).argsort(axis=1, kind="stable")
    is_second = (order >= n) & (order < n + m)
    below = np.where(is_second, 0, np.cumsum(is_second, axis=1))
    return np.asarray(below.sum(axis=1) / (2 * n * m))


def paired_superiority(difference: Floats, scale: float = 1.0) -> Floats:
    """Share of differences (S, …) above 0; ties count half."""
    tie: Bools = np.abs(difference) <= ZERO * scale
    share = np.where(tie, 0.5, difference > 0)
    return np.asarray(share.reshape(len(share), -1).mean(axis=1))
