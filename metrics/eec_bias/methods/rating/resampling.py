"""How far DIE % moves when the names and items of a data set are drawn again: what a rating can and cannot rank."""

from collections.abc import Mapping, Sequence

import numpy as np

from eec_bias.methods.rating.adjustment import die_percent
from eec_bias.methods.rating.sets import RatedSet
from eec_bias.options import Floats, Ints

DRAWS = 500
"""Resamples of a data set."""

SETTLED = 0.95
"""Share of resamples in which two systems have the same order, from which on it is taken for settled."""

Resampled = dict[str, Floats]
"""System → its largest DIE % over the sets of a data group, in every resample; infinite for X."""


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


def _drawn(codes: Ints, within: Ints, rng: np.random.Generator) -> Floats:
    """Return how often every row is drawn (DRAWS, n) where its code is drawn among those of its part."""
    counts = np.zeros((DRAWS, int(codes.max()) + 1))
    for part in np.unique(within):
        own = np.unique(codes[within == part])
        counts[:, own] = rng.multinomial(len(own), np.full(len(own), 1 / len(own)), size=DRAWS)
    return counts[:, codes]


def die_interval(draws: Floats) -> tuple[float, float]:
    """Return the middle 95 % of the resamples of one system; infinite where that many are X."""
    known = np.sort(draws[~np.isnan(draws)])
    if not len(known):
        return float("nan"), float("nan")
    last = len(known) - 1
    return float(known[int(np.floor(0.025 * last))]), float(known[int(np.ceil(0.975 * last))])


def settled_orders(
    scores: Mapping[str, float], ratings: Mapping[str, int], resampled: Resampled
) -> dict[str, Sequence[str]]:
    """Return for every system those that are rated otherwise although their order is not settled.

    Parameters
    ----------
    scores : mapping of str to float
        System → its largest DIE %.
    ratings : mapping of str to int
        System → its rating.
    resampled : mapping of str to (DRAWS,) array
        System → its largest DIE % in the resamples.
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
