"""Person bootstrap: intervals from resampled persons, items held fixed.

Persons are drawn with replacement within their cell (bases, where contrasts are taken within them), every
sample with the sizes of the data. Effects follow from the person means; the beta regression is refitted to each
sample from the cells' sufficient statistics, all samples as one batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from eec_bias.options import Floats, Ints
from eec_bias.stats.beta import fit_cells
from eec_bias.stats.logsums import LogMeans

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Intervals:
    """Bootstrap of S systems and R contrasts; all arrays are (S, R), NaN where there is nothing to resample.

    Attributes
    ----------
    value : array
        The estimate from all persons.
    se : array
        Standard deviation of the samples' estimates.
    low, high : arrays
        Percentile interval, 95 %.
    bca_low, bca_high : arrays
        Bias-corrected and accelerated interval (Efron 1987), 95 %.
    replicates : integer array
        Samples that gave an estimate.
    """

    value: Floats
    se: Floats
    low: Floats
    high: Floats
    bca_low: Floats
    bca_high: Floats
    replicates: Ints


def bootstrap_cells(person: Floats, cell: Ints, weights: Floats, counts: Floats) -> Intervals:
    """Bootstrap contrasts of the means of independent cells.

    Parameters
    ----------
    person : (S, P) array
        Person means.
    cell : (P,) integer array
        Each person's cell, ascending, 0 … K − 1.
    weights : (R, K) array
        The contrasts.
    counts : (B, P) array
        How often each person enters each sample, from `relabelling.resamples`.
    """
    size = np.bincount(cell).astype(float)
    own = weights[:, cell] / size[cell]
    drawn = np.einsum("bp,rp,sp->sbr", counts, own, person, optimize=True)
    mean = np.add.reduceat(person, np.searchsorted(cell, np.arange(len(size))), axis=1) / size
    influence = own * (person - mean[:, cell])[:, None, :]
    return intervals(mean @ weights.T, drawn, _acceleration(influence))


def bootstrap_bases(units: Floats, counts: Floats) -> Intervals:
    """Bootstrap the mean of one contrast over bases.

    Parameters
    ----------
    units : (S, U) array
        Mean of the contrast within each base.
    counts : (B, U) array
        How often each base enters each sample.
    """
    with np.errstate(invalid="ignore"):
        drawn = np.asarray(units @ counts.T / counts.sum(axis=1))
    value = units.mean(axis=1, keepdims=True)
    return intervals(value, drawn[:, :, None], _acceleration((units - value)[:, None, :]))


def bootstrap_beta(
    sums: LogMeans, cell: Ints, lines: Floats, value: Floats, counts: Floats, groups: Ints, strata: Ints
) -> Intervals:
    """Refit the beta regression to every sample.

    Parameters
    ----------
    sums : LogMeans
        Mean logs of each person, (S, P).
    cell : (P,) integer array
        Each person's cell, 0 … K − 1.
    lines : (R, K) array
        Contrasts of the saturated model's coefficients; NaN in a row that has none.
    value : (S, R) array
        The coefficients from all persons.
    counts : (B, G) array
        How often each group enters each sample.
    groups : (P,) integer array
        What is resampled: persons, or the bases they belong to.
    strata : (G,) integer array
        The cell within which each group is resampled.
    """
    # Leaving each group out once gives the acceleration.
    left_out = 1.0 - np.eye(counts.shape[1])
    samples = np.concatenate([counts, left_out])[:, groups] * sums.n
    member = np.equal.outer(cell, np.arange(int(cell.max()) + 1)).astype(float)
    n = samples @ member
    drawn = np.full((len(value), len(counts), len(lines)), np.nan)
    acceleration = np.full(value.shape, np.nan)
    for s in np.flatnonzero(~np.isnan(value).all(axis=1)):
        with np.errstate(invalid="ignore", divide="ignore"):
            logs = [(samples * each[s]) @ member / n for each in (sums.mean_log_y, sums.mean_log_1my)]
        coef = fit_cells(n, logs[0], logs[1], np.eye(member.shape[1])).coef @ lines.T
        drawn[s] = coef[: len(counts)]
        acceleration[s] = _acceleration(_jackknife(coef[len(counts) :], strata)[None])[0]
    return intervals(value, drawn, acceleration)


def intervals(value: Floats, drawn: Floats, acceleration: Floats) -> Intervals:
    """Summarise drawn estimates.

    Parameters
    ----------
    value : (S, R) array
        Estimates from all persons.
    drawn : (S, B, R) array
        Estimates from the samples, NaN where a sample has none.
    acceleration : (S, R) array
        See `bca_levels`.
    """
    shape = value.shape
    ends = np.full((5, *shape), np.nan)
    for s, r in np.argwhere(~np.isnan(value)):
        sample = drawn[s, :, r]
        sample = np.sort(sample[~np.isnan(sample)])
        if sample.size < 2:
            continue
        below = (np.searchsorted(sample, value[s, r], "left") + np.searchsorted(sample, value[s, r], "right")) / 2
        levels = bca_levels(below / sample.size, acceleration[s, r])
        ends[0, s, r] = sample.std(ddof=1)
        ends[1:3, s, r] = np.quantile(sample, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        if np.isfinite(levels).all():
            ends[3:, s, r] = np.quantile(sample, levels)
    return Intervals(value, ends[0], ends[1], ends[2], ends[3], ends[4], (~np.isnan(drawn)).sum(axis=1))


def bca_levels(below: float, acceleration: float) -> Floats:
    """Quantiles at which the BCa interval ends.

    Parameters
    ----------
    below : float
        Share of samples below the estimate.
    acceleration : float
        How the standard error changes with the estimate; 0 where it does not.

    Returns
    -------
    (2,) array, NaN where every sample lies on one side
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        bias = ndtri(below)
        z = bias + ndtri([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        return np.asarray(ndtr(bias + z / (1 - acceleration * z)))


def _acceleration(influence: Floats) -> Floats:
    """Skewness of the influence values (…, R, n), over 6; 0 where nothing varies."""
    squares = (influence**2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (influence**3).sum(axis=-1) / (6 * squares**1.5)
    return np.where(squares > 0, found, 0.0)


def _jackknife(left_out: Floats, strata: Ints) -> Floats:
    """Influence of each group (R, G) from the estimates without it (G, R)."""
    influence = np.zeros(left_out.T.shape)
    for k in np.unique(strata):
        own = strata == k
        n = own.sum()
        influence[:, own] = ((n - 1) / n * (left_out[own].mean(axis=0) - left_out[own])).T
    return influence


def stack(parts: Sequence[Intervals]) -> Intervals:
    """Put the intervals of several contrasts, one at least, side by side."""
    names = Intervals.__dataclass_fields__
    return Intervals(**{name: np.concatenate([getattr(part, name) for part in parts], axis=1) for name in names})
