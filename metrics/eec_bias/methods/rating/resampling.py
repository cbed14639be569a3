"""Spread of DIE % and WRS over resamples of names and items, which shows what a rating can and cannot rank."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.special import stdtrit

from eec_bias.methods.rating.adjustment import die_percent
from eec_bias.methods.rating.comparisons import EPSILON
from eec_bias.methods.rating.sets import RatedSet, ordered_pairs
from eec_bias.options import Floats, Ints
from eec_bias.stats.rounding import ZERO

DRAWS = 500
"""Resamples of a data set."""

SETTLED = 0.95
"""Share of resamples in which two systems have the same order, from which on it is taken for settled."""

Resampled = dict[str, Floats]
"""System → its raw score in a data group in every resample: largest DIE % (infinite for X), or WRS."""


def resample_die(rated_set: RatedSet, values: Floats, scale: float, rng: np.random.Generator) -> Floats:
    """Draw the persons of every class, and the items, with replacement, and compute DIE % again.

    Parameters
    ----------
    rated_set : RatedSet
        A confounded data set, of n rows.
    values : (S, n) array
        Its scores.
    scale : float
        Width of the score range.
    rng : numpy.random.Generator
        Draws; the same for all systems, so that these are compared in the same resamples.

    Returns
    -------
    (DRAWS, S) array
        The larger DIE % of negative and positive words. NaN where a class has no sentence of one kind left.
    """
    (classes,) = rated_set.attributes.values()
    weight = _drawn(rated_set.person, classes.codes, rng) * _drawn(rated_set.item, np.zeros_like(classes.codes), rng)
    count, systems = len(classes.levels), len(values)
    # One column per kind of word and class.
    column = rated_set.positive.astype(np.intp) * count + classes.codes
    members = np.eye(2 * count)[column]
    sizes = (weight @ members).reshape(DRAWS, 1, 2, count)
    spread = (values.T[:, :, None] * members[:, None, :]).reshape(len(column), -1)
    sums = (weight @ spread).reshape(DRAWS, systems, 2, count)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = sums / sizes
        observed = sums.sum(axis=3) / sizes.sum(axis=3)
    share = sizes.sum(axis=2) / sizes.sum(axis=(2, 3))[..., None]
    adjusted = (means * share[:, :, None, :]).sum(axis=3)
    die = die_percent(observed, adjusted, scale)
    lost = np.isnan(adjusted) | np.isnan(observed)
    return np.asarray(np.where(lost, np.nan, die).max(axis=2))


def resample_marks(
    rated_set: RatedSet, values: Floats, scale: float, levels: Sequence[float], rng: np.random.Generator
) -> dict[str, Ints]:
    """Draw the persons of every class, and the items, with replacement, and test every pair of classes again.

    Parameters
    ----------
    rated_set : RatedSet
        A balanced data set, of n rows.
    values : (S, n) array
        Its scores.
    scale : float
        Width of the score range.
    levels : sequence of float
        Confidence levels.
    rng : numpy.random.Generator
        Draws; the same for all systems and attributes.

    Returns
    -------
    dict of str to (DRAWS, pairs, S) array
        Attribute → the marks of its pairs, see `comparisons.marks`.
    """
    finest = rated_set.attributes["rg" if "rg" in rated_set.attributes else "gender"]
    weight = _drawn(rated_set.person, finest.codes, rng) * _drawn(rated_set.item, np.zeros_like(finest.codes), rng)
    # Squares of numbers far from 0 would lose the digits of their spread.
    centred = values - values.mean(axis=1, keepdims=True)
    return {
        attribute: np.stack(
            [_marks_of(weight, centred, classes.codes, pair, scale, levels) for pair in ordered_pairs(classes.levels)],
            axis=1,
        )
        for attribute, classes in rated_set.attributes.items()
    }


def _marks_of(
    weight: Floats, values: Floats, codes: Ints, pair: tuple[int, int], scale: float, levels: Sequence[float]
) -> Ints:
    """Marks of one pair of classes in every draw, (DRAWS, S); 0 where a class has fewer than two sentences."""
    means, variances, sizes = [], [], []
    for code in pair:
        own = codes == code
        drawn = weight[:, own]
        size = drawn.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = drawn @ values[:, own].T / size
            variance = (drawn @ (values[:, own] ** 2).T - size * mean**2) / (size - 1)
        means.append(mean)
        variances.append(np.maximum(variance, 0.0) / size)
        sizes.append(size)
    se, effect = np.sqrt(variances[0] + variances[1]), means[0] - means[1]
    # The spread of equal scores is rounding, of which the root of a difference of squares leaves more than usual.
    se = np.where(se <= np.sqrt(ZERO) * scale, 0.0, se)
    effect = np.where(np.abs(effect) <= ZERO * scale, 0.0, effect)
    t, df = effect / (se + EPSILON), sizes[0] + sizes[1] - 2
    marked = np.zeros(t.shape, dtype=np.intp)
    for rank, level in reversed(list(enumerate(sorted(levels, reverse=True), start=1))):
        with np.errstate(invalid="ignore"):
            marked = np.where(np.abs(t) >= stdtrit(np.maximum(df, 1), 1 - (1 - level) / 2), rank, marked)
    enough = (sizes[0] > 1) & (sizes[1] > 1)
    return np.where(enough & ~np.isnan(t), marked, 0)


def weighted_draws(marked: Ints, weights: Mapping[float, float]) -> Floats:
    """Weighted rejection scores (DRAWS, S) from marks (DRAWS, pairs, S), see `comparisons.weighted_score`."""
    ordered = [weights[level] for level in sorted(weights, reverse=True)]
    # A mark counts the weights from its own rank on.
    worth = np.array([0.0, *np.cumsum(ordered[::-1])[::-1]])
    return np.asarray(worth[marked].sum(axis=1))


def _drawn(codes: Ints, within: Ints, rng: np.random.Generator) -> Floats:
    """Return how often every row is drawn (DRAWS, n) where its code is drawn among those of its part."""
    counts = np.zeros((DRAWS, int(codes.max()) + 1))
    for part in np.unique(within):
        own = np.unique(codes[within == part])
        counts[:, own] = rng.multinomial(len(own), np.full(len(own), 1 / len(own)), size=DRAWS)
    return counts[:, codes]


def middle(draws: Floats) -> tuple[float, float]:
    """Return the middle 95 % of the resamples of one system; infinite where that many are X."""
    known = np.sort(draws[~np.isnan(draws)])
    if not len(known):
        return float("nan"), float("nan")
    last = len(known) - 1
    return float(known[int(np.floor(0.025 * last))]), float(known[int(np.ceil(0.975 * last))])


def settled_orders(
    scores: Mapping[str, float], ratings: Mapping[str, int], resampled: Resampled
) -> dict[str, Sequence[str]]:
    """For every system, those rated differently although the order of the two is not settled.

    Parameters
    ----------
    scores : mapping of str to float
        System → its largest DIE %, or its WRS.
    ratings : mapping of str to int
        System → its rating.
    resampled : mapping of str to (DRAWS,) array
        System → the same in the resamples.
    """
    found: dict[str, Sequence[str]] = {}
    for system, score in scores.items():
        unsure = []
        for other, its in scores.items():
            if ratings[other] == ratings[system] or its == score:
                continue
            first, second = resampled[system], resampled[other]
            known = ~np.isnan(first) & ~np.isnan(second)
            same = (first < second)[known] if score < its else (first > second)[known]
            if not known.any() or same.mean() < SETTLED:
                unsure.append(other)
        found[system] = unsure
    return found
