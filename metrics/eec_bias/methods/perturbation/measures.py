"""The measures of Prabhakaran et al. (2019), evaluated for one system and any weights of the sentences.

x is an original sentence, x_n the same sentence with the name n, f the score. A sentence with several originals
(she, he) is several x with the same x_n. Weights are how often a sentence counts: 1 for the data as they are, the
counts of a multinomial draw for a resample.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.rounding import ZERO

BLOCK = 20_000_000
"""So many weights are held at a time."""

EXACT = 2**24
"""Whole numbers up to this are exact in single precision."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One system's scores and changes, sentence by sentence; NaN in gaps.

    Attributes
    ----------
    values : (N, J) array
        f(x_n).
    original : (B, J) array
        f(x).
    spreads : three (J,) arrays
        Standard deviation over names with N and with N − 1 in its denominator (NaN for one name), and range.
    change : (B, J) array
        Mean over names of |f(x_n) − f(x)|.
    """

    values: Floats
    original: Floats
    spreads: tuple[Floats, Floats, Floats]
    change: Floats

    @property
    def present(self) -> Bools:
        """Return whether a name stands in a sentence, (N, J)."""
        return ~np.isnan(self.values)

    @property
    def times(self) -> Floats:
        """Originals of each sentence, (J,)."""
        return np.asarray((~np.isnan(self.original)).sum(axis=0), dtype=float)


def profile(scores: Floats, rows: Ints, originals: Ints) -> Profile:
    """The profile of one system, sentence by sentence.

    Parameters
    ----------
    scores : (n,) array
        One score per row of the data.
    rows, originals : (N, J) and (B, J) integer arrays
        Where the scores stand, −1 for a gap; no sentence lacks all names or all originals.
    """
    present = rows >= 0
    count = present.sum(axis=0)
    values, original = scores[rows], scores[originals]
    values[~present], original[originals < 0] = np.nan, np.nan
    # Functions that pass over gaps take twice the time.
    least, most, sd, mean = (
        (np.min, np.max, np.std, np.mean) if present.all() else (np.nanmin, np.nanmax, np.nanstd, np.nanmean)
    )
    span = most(values, axis=0) - least(values, axis=0)
    # The mean of equal scores may miss them by a rounding error.
    spread = np.where(span > 0, sd(values, axis=0), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sample = np.where(count > 1, spread * np.sqrt(count / (count - 1)), np.nan)
    change = np.stack([mean(np.abs(values - x), axis=0) for x in np.nan_to_num(original)])
    return Profile(values, original, (spread, sample, span), change)


def evaluate(
    system: Profile, thresholds: Floats, members: Bools, weights: Floats | None = None, scale: float = 1.0
) -> Floats:
    """Evaluate the measures.

    Parameters
    ----------
    system : Profile
        The system.
    thresholds : (C,) array
        On the scale of the scores.
    members : (K, N) array
        The names of each group.
    weights : (R, J) array, optional
        How often each sentence counts; by default once, R = 1.
    scale : float
        Width of the score range, the unit of what counts as no variation.

    Returns
    -------
    (R, 3 + C + 1 + K + N) array
        ScoreDev with N and with N − 1 in the denominator of the standard deviation, and ScoreRange; LabelDist at each
        threshold; the correlation of the mean over names of |f(x_n) − f(x)| with f(x); ScoreSens of each group, the
        mean over its names; and of each name. NaN where one has no value.
    """
    weights = np.ones((1, system.values.shape[1])) if weights is None else weights
    counted = weights * system.times
    sens = _mean(system.values - np.nanmean(system.original, axis=0), counted)
    # Differences of rounding size are none.
    groups, sens = (np.where(np.abs(x) <= ZERO * scale, 0.0, x) for x in (_mean(sens, members.astype(float)).T, sens))
    spreads, distances = [_mean(x[None], counted) for x in system.spreads], _distances(system, weights, thresholds)
    return np.column_stack([*spreads, distances, _correlation(system, weights, scale), groups, sens])


def _mean(values: Floats, weights: Floats) -> Floats:
    """Weighted means (R, M) of values (M, J), each over those that it has."""
    defined = ~np.isnan(values)
    count = weights.sum(axis=1, keepdims=True) if defined.all() else weights @ defined.T
    with np.errstate(invalid="ignore"):
        return np.asarray(weights @ np.nan_to_num(values).T / count)


def _distances(system: Profile, weights: Floats, thresholds: Floats) -> Floats:
    """Mean over names of the Jaccard distance of {x: f(x) ≥ c} and {x: f(x_n) ≥ c}; of two empty sets 0."""
    distance = np.empty((len(weights), len(thresholds)))
    times, present = system.times, system.present
    # Counts are whole numbers, exact in single precision, whose matrix products take half the time.
    kind = np.float32 if (weights @ times).max() < EXACT else np.float64
    small: Any = weights.astype(kind)
    drawn = None if present.all() else weights @ present.T > 0
    for c, threshold in enumerate(thresholds.tolist()):
        above, reached = (system.original >= threshold).sum(axis=0), system.values >= threshold
        both = _count(small, reached, above)
        union = _count(small, reached, times - above)
        union += (small @ above.astype(kind))[:, None] if drawn is None else _count(small, present, above)
        share = np.divide(both, union, out=np.ones(both.shape), where=union > 0, dtype=np.float64)
        # A name that a resample has no sentence of says nothing.
        names = share.shape[1] if drawn is None else drawn.sum(axis=1)
        distance[:, c] = 1 - (share if drawn is None else np.where(drawn, share, 0.0)).sum(axis=1) / names
    return distance


def _count(weights: Any, chosen: Bools, times: Floats) -> Floats:
    """Weighted count (R, N) of the sentences chosen for each name, each so many times."""
    used, kind = np.flatnonzero(times), weights.dtype
    return np.asarray((weights[:, used] * times[used].astype(kind)) @ chosen[:, used].T.astype(kind))


def count_empty(system: Profile, thresholds: Floats) -> list[int]:
    """Count per threshold the names for which no x and no x_n reaches it, whose distance is 0 by convention."""
    counts = []
    for threshold in thresholds.tolist():
        above = (system.original >= threshold).any(axis=0)
        reached = (((system.values >= threshold) | above) & system.present).any(axis=1)
        counts.append(int((~reached).sum()))
    return counts


def _correlation(system: Profile, weights: Floats, scale: float) -> Floats:
    present = ~np.isnan(system.original)
    x, y = system.original[present], system.change[present]
    x, y = x - x.mean(), y - y.mean()
    per_pair = weights[:, np.nonzero(present)[1]]
    n = per_pair.sum(axis=1)
    mx, my = per_pair @ x / n, per_pair @ y / n
    vx, vy = per_pair @ (x * x) / n - mx**2, per_pair @ (y * y) / n - my**2
    tiny = (ZERO * scale) ** 2
    varies = (vx > tiny) & (vy > tiny)
    correlation = np.full(len(weights), np.nan)
    cov = per_pair @ (x * y) / n - mx * my
    correlation[varies] = np.clip(cov[varies] / np.sqrt(vx[varies] * vy[varies]), -1.0, 1.0)
    return correlation


def redraw(sentences: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each sentence enters each resample, as (R, J) weights; the draws are the same each time."""
    rng = np.random.default_rng([seed, 1 << 22])
    size = max(1, BLOCK // sentences)
    even = np.full(sentences, 1 / sentences)
    for start in range(0, resamples, size):
        yield rng.multinomial(sentences, even, size=min(size, resamples - start)).astype(float)


def percentiles(drawn: Floats, confidence: float) -> Floats:
    """Standard deviation and percentile interval of each measure.

    Parameters
    ----------
    drawn : (R, M) array
        NaN where a resample has no value.
    confidence : float
        Of the interval.

    Returns
    -------
    (3, M) array
        NaN where fewer than two resamples have a value.
    """
    ends = np.full((3, drawn.shape[1]), np.nan)
    defined = ~np.isnan(drawn)
    for m in np.flatnonzero(defined.sum(axis=0) > 1):
        values = drawn[defined[:, m], m]
        ends[:, m] = values.std(ddof=1), *np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return ends
