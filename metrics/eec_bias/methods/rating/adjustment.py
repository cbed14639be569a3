"""Expected scores as if emotion words did not go with groups: backdoor adjustment and DIE %, and also matching."""

from dataclasses import dataclass

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.rounding import ZERO

ENDS = ("negative", "positive")
"""The two kinds of emotion words, in the article's order."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Expected scores before and after adjustment, for S systems.

    Attributes
    ----------
    observed : (S, 2) array
        E[Sentiment | emotion word], negative and positive.
    do : (S, 2) array
        E[Sentiment | do(emotion word)] = Σ_z E[Sentiment | emotion word, z] P(z) (equation 2).
    die : (S, 2) array
        |do − observed|/|observed| in percent (equation 3); infinite where only the denominator is 0, which the article
        prints as X.
    ate : (S,) array
        Average effect of a positive against a negative word, by propensity matching (equation 4).
    shares : (K,) array
        Share of positive words in each class, which is also the propensity.
    """

    observed: Floats
    do: Floats
    die: Floats
    ate: Floats
    shares: Floats


def adjust_backdoor(values: Floats, positive: Bools, group: Ints, labels: tuple[str, ...], scale: float) -> Adjusted:
    """Adjust for the class of the person.

    Parameters
    ----------
    values : (S, n) array
        Scores.
    positive : (n,) bool array
        Whether the emotion word is positive.
    group : (n,) integer array
        Class z of each row.
    labels : tuple of str, length K
        Names of the classes.
    scale : float
        Width of the score range, the unit of what counts as 0.

    Raises
    ------
    DesignError
        If a class has no sentence with words of one kind: nothing can then be said of it.
    """
    count = np.array([np.bincount(group[positive == end], minlength=len(labels)) for end in (False, True)])
    for end, row in zip(ENDS, count, strict=True):
        if len(empty := np.flatnonzero(row == 0)):
            raise DesignError(
                f"the class {labels[empty[0]]} has no sentence with {end} words, so nothing is known of it under "
                "do(emotion word); every class needs sentences of both kinds"
            )
    # Means per kind of word and class, (S, 2, K).
    sums = np.stack(
        [[np.bincount(group, weights=np.where(positive == end, y, 0.0)) for end in (False, True)] for y in values]
    )
    mean = sums / count
    weight = count.sum(axis=0) / count.sum()
    observed, do = sums.sum(axis=2) / count.sum(axis=1), mean @ weight
    shares = count[1] / count.sum(axis=0)
    observed, do, ate = (
        np.where(np.abs(x) <= ZERO * scale, 0.0, x) for x in (observed, do, _matched(values, positive, shares[group]))
    )
    return Adjusted(observed, do, die_percent(observed, do, scale), ate, shares)


def die_percent(observed: Floats, do: Floats, scale: float = 1.0) -> Floats:
    """Deconfounding impact estimate in percent (equation 3), with the absolute value of the denominator too.

    Returns
    -------
    array
        0 where nothing changes, infinite where the denominator is 0 and something does.
    """
    tiny = ZERO * scale
    change = np.abs(np.asarray(do) - observed)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(np.abs(observed) <= tiny, np.inf, change / np.abs(observed))
    return np.where(change <= tiny, 0.0, 100 * ratio)


def _matched(values: Floats, treated: Bools, propensity: Floats) -> Floats:
    """Match every sentence with all of the other kind that have its propensity, and average the differences.

    The propensity is the share of positive words in the class, so there are few different ones and each has sentences
    of both kinds; ties are averaged instead of drawn. Classes of one propensity are matched with each other.
    """
    _, stratum = np.unique(np.round(propensity, 12), return_inverse=True)
    effect = np.zeros(len(values))
    for number in range(stratum.max() + 1):
        here = stratum == number
        contrast = values[:, here & treated].mean(axis=1) - values[:, here & ~treated].mean(axis=1)
        effect += contrast * here.mean()
    return effect
