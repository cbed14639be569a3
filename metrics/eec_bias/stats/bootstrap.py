"""Person bootstrap: intervals from resampled persons, items held fixed.

Persons are drawn with replacement within their cell (bases, where contrasts are taken within them), every
sample with the sizes of the data. Effects follow from the person means; the beta regression is refitted to each
sample from the cells' sufficient statistics, all samples as one batch.
"""

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from eec_bias.options import Floats, Ints
from eec_bias.stats.beta import fit_cells
from eec_bias.stats.sums import Logs, Sums

_TIES: tuple[tuple[float, Literal["left", "right"]], ...] = ((-1e-9, "left"), (1e-9, "right"))
"""Estimates closer than this share of their standard deviation are equal."""

_NOISE = 1e-13
"""An estimate below this share of the largest mean is 0."""


class Intervals(NamedTuple):
    """Bootstrap of S systems and R contrasts; all arrays are (S, R), NaN where there is nothing to resample.

    Attributes
    ----------
    value : array
        The estimate from all persons.
    se : array
        Standard deviation of the samples' estimates.
    ci_low, ci_high : arrays
        Percentile interval.
    bca_low, bca_high : arrays
        Bias-corrected and accelerated interval (Efron 1987).
    replicates : integer array
        Samples that gave an estimate.
    """

    value: Floats
    se: Floats
    ci_low: Floats
    ci_high: Floats
    bca_low: Floats
    bca_high: Floats
    replicates: Ints


@lru_cache(maxsize=16)
def resamples(sizes: tuple[int, ...], draws: int, seed: int) -> Floats:
    """Draw how often each person enters a bootstrap sample that keeps the sizes of the cells.

    Parameters
    ----------
    sizes : tuple of int
        Persons per cell; persons are ordered by cell.
    draws, seed : int
        How many samples, and the seed; the same ones see the same draws, so they are kept.

    Returns
    -------
    (draws, P) array
        Counts; they sum to the cell's size within each cell. Read-only.
    """
    rng = np.random.default_rng([seed, 1 << 20])
    counts = np.concatenate([rng.multinomial(m, np.full(m, 1 / m), size=draws) for m in sizes], axis=1).astype(float)
    counts.flags.writeable = False
    return counts


def bootstrap_means(sums: Sums, weights: Floats, counts: Floats, confidence: float = 0.95) -> Intervals:
    """Bootstrap contrasts of the means of independent cells.

    Parameters
    ----------
    sums : Sums
        Over K cells of persons, or over the one of what each base differs by.
    weights : (R, K) array
        The contrasts.
    counts : (B, P) array
        How often each person enters each sample, from `resamples`.
    confidence : float
        Of the intervals.
    """
    cell, person = sums.cell_of_person, sums.person
    member = np.equal.outer(cell, np.arange(len(sums.count))).astype(float)
    with np.errstate(invalid="ignore"):
        means = np.einsum("bp,pk,sp->sbk", counts, member, person, optimize=True) / (counts @ member)
    influence = (weights / sums.count)[:, cell] * (person - sums.cell[:, cell])[:, None, :]
    # Of equal means the sums differ in their last bits, which are no spread.
    noise = _NOISE * np.abs(person).max(axis=1)[:, None]
    value, drawn = sums.cell @ weights.T, means @ weights.T
    value, drawn = np.where(np.abs(value) > noise, value, 0), np.where(np.abs(drawn) <= noise[:, None], 0, drawn)
    return intervals(value, drawn, _acceleration(influence), confidence)


def bootstrap_beta(
    logs: Logs,
    cell: Ints,
    lines: Floats,
    value: Floats,
    counts: Floats,
    groups: Ints,
    strata: Ints,
    confidence: float = 0.95,
) -> Intervals:
    """Refit the beta regression to every sample.

    Parameters
    ----------
    logs : Logs
        Of the P persons.
    cell : (P,) integer array
        Each person's cell, 0 … K − 1.
    lines : (R, K) array
        Weighted sums of the cells' logits; NaN in a row that has none.
    value : (S, R) array
        These sums from all persons.
    counts : (B, G) array
        How often each group enters each sample.
    groups : (P,) integer array
        What is resampled: persons, or the bases they belong to.
    strata : (G,) integer array
        The cell within which each group is resampled.
    confidence : float
        Of the intervals.
    """
    # Leaving each group out once gives the acceleration.
    samples = np.concatenate([counts, 1.0 - np.eye(counts.shape[1])])[:, groups]
    member = np.equal.outer(cell, np.arange(int(cell.max()) + 1)).astype(float)
    n = samples @ member
    drawn = np.full((len(value), len(counts), len(lines)), np.nan)
    acceleration = np.full(value.shape, np.nan)
    for s in np.flatnonzero(~np.isnan(value).all(axis=1)):
        with np.errstate(invalid="ignore", divide="ignore"):
            means = [samples @ (sums[s][:, None] * member) / n for sums in (logs.log_y, logs.log_1my)]
        coef = fit_cells(n, *means).eta @ lines.T
        drawn[s] = coef[: len(counts)]
        left_out, influence = coef[len(counts) :], np.zeros((len(lines), len(strata)))
        for members in (strata == k for k in np.unique(strata)):
            n_groups, without = members.sum(), left_out[members]
            influence[:, members] = ((n_groups - 1) / n_groups * (without.mean(axis=0) - without)).T
        acceleration[s] = _acceleration(influence)
    return intervals(value, drawn, acceleration, confidence)


def intervals(value: Floats, drawn: Floats, acceleration: Floats, confidence: float = 0.95) -> Intervals:
    """Summarise drawn estimates.

    Parameters
    ----------
    value : (S, R) array
        Estimates from all persons.
    drawn : (S, B, R) array
        Estimates from the samples, NaN where a sample has none.
    acceleration : (S, R) array
        See `bca_levels`.
    confidence : float
        Of the intervals.
    """
    se, low, high, bca_low, bca_high = np.full((5, *value.shape), np.nan)
    for s, r in np.argwhere(~np.isnan(value)):
        sample = np.sort(drawn[s, ~np.isnan(drawn[s, :, r]), r])
        if sample.size > 1:
            se[s, r] = sd = sample.std(ddof=1)
            low[s, r], high[s, r] = np.quantile(sample, [(1 - confidence) / 2, (1 + confidence) / 2])
            # Of few persons many samples repeat the data, up to rounding.
            first, last = (np.searchsorted(sample, value[s, r] + tie * sd, side) for tie, side in _TIES)
            levels = bca_levels(float(first + last) / 2 / sample.size, acceleration[s, r], confidence)
            if np.isfinite(levels).all():
                bca_low[s, r], bca_high[s, r] = np.quantile(sample, levels)
    return Intervals(value, se, low, high, bca_low, bca_high, (~np.isnan(drawn)).sum(axis=1))


def bca_levels(below: float, acceleration: float, confidence: float = 0.95) -> Floats:
    """Quantiles at which the BCa interval ends.

    Parameters
    ----------
    below : float
        Share of samples below the estimate.
    acceleration : float
        How the standard error changes with the estimate; 0 where it does not.
    confidence : float
        Of the interval.

    Returns
    -------
    (2,) array, NaN where every sample lies on one side
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        bias = ndtri(below)
        z = bias + ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
        return np.asarray(ndtr(bias + z / (1 - acceleration * z)))


def _acceleration(influence: Floats) -> Floats:
    """Skewness of the influence values (…, n), over 6; 0 where nothing varies."""
    squares = (influence**2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        skewness = (influence**3).sum(axis=-1) / (6 * squares**1.5)
    return np.where(squares > 0, skewness, 0.0)
