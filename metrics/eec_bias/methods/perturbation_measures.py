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
from eec_bias.stats.bootstrap import LEVEL
from eec_bias.stats.two_way import ZERO

BLOCK = 20_000_000
"""So many weights are held at a time."""

EXACT = 2**24
"""Whole numbers up to this are exact in single precision."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What one system does sentence by sentence; gaps hold 0.

    Attributes
    ----------
    values : (N, J) array
        f(x_n).
    there : (N, J) array
        Whether the name stands in the sentence.
    original : (B, J) array
        f(x).
    given : (B, J) array
        Whether there is this original.
    deviation, sample, spread : (J,) arrays
        Standard deviation over names with N and with N − 1 in its denominator (NaN for one name), and range.
    change : (B, J) array
        Mean over names of |f(x_n) − f(x)|.
    """

    values: Floats
    there: Bools
    original: Floats
    given: Bools
    deviation: Floats
    sample: Floats
    spread: Floats
    change: Floats


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures under R weightings of the sentences; NaN where one has no value.

    Attributes
    ----------
    sens : (R, N) array
        ScoreSens per name.
    dev, sample, spread : (R,) arrays
        ScoreDev with N and with N − 1 in the denominator of the standard deviation, and ScoreRange.
    distance : (R, C) array
        LabelDist per threshold.
    correlation : (R,) array
        Pearson's, of the mean over names of |f(x_n) − f(x)| with f(x).
    """

    sens: Floats
    dev: Floats
    sample: Floats
    spread: Floats
    distance: Floats
    correlation: Floats


def profile(scores: Floats, rows: Ints, originals: Ints) -> Profile:
    """Look at one system sentence by sentence.

    Parameters
    ----------
    scores : (n,) array
        One score per row of the data.
    rows, originals : (N, J) and (B, J) integer arrays
        Where the scores stand, −1 for a gap; no sentence lacks all names or all originals.
    """
    there, given = rows >= 0, originals >= 0
    full = bool(there.all())
    values, original = scores[rows], scores[originals]
    if not full:
        values[~there] = 0.0
    original[~given] = 0.0
    count = there.sum(axis=0)
    centred = values - values.sum(axis=0) / count
    if not full:
        centred[~there] = 0.0
    squares = np.einsum("nj,nj->j", centred, centred)
    low = values.min(axis=0) if full else np.where(there, values, np.inf).min(axis=0)
    high = values.max(axis=0) if full else np.where(there, values, -np.inf).max(axis=0)
    # The mean of equal scores may miss them by a rounding error.
    squares[low == high] = 0.0
    change = np.empty(original.shape)
    for own, found in zip(change, original, strict=True):
        np.subtract(values, found, out=centred)
        np.abs(centred, out=centred)
        if not full:
            centred[~there] = 0.0
        own[:] = centred.sum(axis=0) / count
    with np.errstate(divide="ignore", invalid="ignore"):
        sample = np.where(count > 1, np.sqrt(squares / (count - 1)), np.nan)
    return Profile(values, there, original, given, np.sqrt(squares / count), sample, high - low, change)


def measures(found: Profile, thresholds: Floats, weights: Floats | None = None, scale: float = 1.0) -> Measures:
    """Evaluate the measures.

    Parameters
    ----------
    found : Profile
        The system.
    thresholds : (C,) array
        On the scale of the scores.
    weights : (R, J) array, optional
        How often each sentence counts; by default once, R = 1.
    scale : float
        Width of the score range, the unit of what counts as no variation.
    """
    weights = np.ones((1, found.values.shape[1])) if weights is None else weights
    times = found.given.sum(axis=0).astype(float)
    each = weights * times
    whole = each.sum(axis=1)
    return Measures(
        sens=_sens(found, times, weights),
        dev=each @ found.deviation / whole,
        sample=_known_mean(found.sample, each),
        spread=each @ found.spread / whole,
        distance=_distances(found, times, weights, thresholds),
        correlation=_correlation(found, weights, scale),
    )


def _sens(found: Profile, times: Floats, weights: Floats) -> Floats:
    """E_x[f(x_n) − f(x)] over the x that the name has, (R, N)."""
    difference = found.values * times - found.original.sum(axis=0)
    if found.there.all():
        return np.asarray(weights @ difference.T / (weights @ times)[:, None])
    difference[~found.there] = 0.0
    with np.errstate(invalid="ignore"):
        return np.asarray(weights @ difference.T / (weights @ (found.there * times).T))


def _known_mean(values: Floats, weights: Floats) -> Floats:
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(weights[:, known] @ values[known] / weights[:, known].sum(axis=1))


def _distances(found: Profile, times: Floats, weights: Floats, thresholds: Floats) -> Floats:
    """Mean over names of the Jaccard distance of {x: f(x) ≥ c} and {x: f(x_n) ≥ c}; of two empty sets 0."""
    distance = np.empty((len(weights), len(thresholds)))
    # Counts are whole numbers, exact in single precision, whose matrix products take half the time.
    kind = np.float32 if (weights @ times).max() < EXACT else np.float64
    small: Any = weights.astype(kind)
    full = bool(found.there.all())
    for c, threshold in enumerate(thresholds.tolist()):
        above = ((found.original >= threshold) & found.given).sum(axis=0)
        named = (found.values >= threshold) & found.there
        both = _count(small, named, above)
        union = _count(small, named, times - above)
        union += (small @ above.astype(kind))[:, None] if full else _count(small, found.there, above)
        met = union > 0
        part = np.divide(both, union, out=np.ones(both.shape), where=met, dtype=np.float64)
        if full:
            distance[:, c] = 1 - part.mean(axis=1)
        else:
            # A name that a resample has no sentence of says nothing.
            seen = weights @ found.there.T > 0
            distance[:, c] = 1 - np.where(seen, part, 0.0).sum(axis=1) / seen.sum(axis=1)
    return distance


def _count(weights: Any, chosen: Bools, times: Floats) -> Floats:
    """Weighted count (R, N) of the sentences chosen for each name, each so many times."""
    at = np.flatnonzero(times)
    return np.asarray((weights[:, at] * times[at].astype(weights.dtype)) @ chosen[:, at].T.astype(weights.dtype))


def empty_sets(found: Profile, thresholds: Floats) -> Ints:
    """Count per threshold the names for which no x and no x_n reaches it, whose distance is 0 by convention."""
    counts = np.empty(len(thresholds), dtype=np.intp)
    for c, threshold in enumerate(thresholds.tolist()):
        above = ((found.original >= threshold) & found.given).any(axis=0)
        reached = (((found.values >= threshold) | above) & found.there).any(axis=1)
        counts[c] = int((~reached).sum())
    return counts


def _correlation(found: Profile, weights: Floats, scale: float) -> Floats:
    x, y = found.original[found.given], found.change[found.given]
    x, y = x - x.mean(), y - y.mean()
    each = weights[:, np.nonzero(found.given)[1]]
    n = each.sum(axis=1)
    mx, my = each @ x / n, each @ y / n
    vx, vy = each @ (x * x) / n - mx**2, each @ (y * y) / n - my**2
    tiny = (ZERO * scale) ** 2
    varies = (vx > tiny) & (vy > tiny)
    found_r = np.full(len(weights), np.nan)
    cov = each @ (x * y) / n - mx * my
    found_r[varies] = np.clip(cov[varies] / np.sqrt(vx[varies] * vy[varies]), -1.0, 1.0)
    return found_r


def group_means(sens: Floats, members: Bools) -> Floats:
    """Mean of ScoreSens over the names of each group.

    Parameters
    ----------
    sens : (R, N) array
        NaN for a name without a sentence.
    members : (K, N) array
        The names of each group.

    Returns
    -------
    (R, K) array
    """
    known = ~np.isnan(sens)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, sens, 0.0) @ members.T / (known @ members.T.astype(float)))


@dataclass(frozen=True, slots=True)
class Redrawn:
    """How often each sentence enters each resample, the same draws each time, in blocks of (R, J) weights."""

    sentences: int
    resamples: int
    seed: int

    def __iter__(self) -> Iterator[Floats]:
        rng = np.random.default_rng([self.seed, 1 << 22])
        size = max(1, BLOCK // self.sentences)
        even = np.full(self.sentences, 1 / self.sentences)
        for start in range(0, self.resamples, size):
            yield rng.multinomial(self.sentences, even, size=min(size, self.resamples - start)).astype(float)


def percentiles(drawn: Floats) -> tuple[Floats, Floats, Floats]:
    """Summarise resamples: standard deviation and percentile interval.

    Parameters
    ----------
    drawn : (R, K) array
        NaN where a resample has no value.

    Returns
    -------
    se, low, high : (K,) arrays
        NaN where fewer than two resamples have a value.
    """
    known = (~np.isnan(drawn)).sum(axis=0)
    ordered = np.sort(drawn, axis=0)
    ends = []
    for level in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        place = level * np.maximum(known - 1, 0)
        below = np.floor(place).astype(np.intp)
        pick = np.stack([below, np.minimum(below + 1, np.maximum(known - 1, 0))])
        low, high = np.take_along_axis(ordered, pick, axis=0)
        ends.append(low + (high - low) * (place - below))
    total = np.where(np.isnan(drawn), 0.0, drawn).sum(axis=0)
    centred = drawn - total / np.maximum(known, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(np.where(np.isnan(drawn), 0.0, centred**2).sum(axis=0) / (known - 1))
    few = known < 2
    return tuple(np.where(few, np.nan, each) for each in (se, *ends))  # type: ignore[return-value]
