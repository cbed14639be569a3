"""Distances between the scores that contrasts compare; scores no further apart than their resolution are equal."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.default_test import Estimates
from eec_bias.stats.units import UnitScores

NEAR = 2.0**-20
"""Scores that are further apart than this part of the largest |score| are not looked at on further items."""


def furthest_apart(scores: UnitScores, compared: Sequence[Ints], resolution: Floats) -> Floats:
    """Return how far apart the raw scores (S, R) are at most that contrasts compare, item by item.

    Parameters
    ----------
    scores : UnitScores
        The scores of each system.
    compared : sequence of (U, C) integer arrays
        Of each contrast the persons compared: one row with all of them or, within bases, a row per base.
    resolution : (S,) array
        How far apart scores of a system may be and still be equal.

    Returns
    -------
    (S, R) array
        Infinite where scores are further apart than both the resolution and `NEAR`.
    """
    values = scores.values
    apart = np.full((len(values), len(compared)), np.inf)
    limit = np.maximum(resolution, NEAR * scores.largest)
    for r, persons in enumerate(compared):
        # Most systems differ on the first item, which spares a look at the others.
        for s in np.flatnonzero(_furthest(values[:, :, :1][:, persons]) <= limit).tolist():
            furthest = _furthest(values[s : s + 1, persons])[0]
            if furthest <= limit[s]:
                apart[s, r] = furthest
    return apart


def _furthest(scores: Floats) -> Floats:
    """Return how far the scores (S, U, C, J) of a base on an item are apart; what is missing is far from none."""
    spread = np.fmax.reduce(scores, axis=2) - np.fmin.reduce(scores, axis=2)
    return np.asarray(np.fmax.reduce(spread, axis=(1, 2), initial=0.0))


def without_reaction(estimates: Estimates, equal: Bools) -> Estimates:
    """Return estimates in which contrasts of equal scores are no finding; effects stay as they are."""
    return estimates._replace(
        se=np.where(equal, 0.0, estimates.se),
        df=np.where(equal, np.nan, estimates.df),
        t=np.where(equal, np.nan, estimates.t),
        p=np.where(equal, 1.0, estimates.p),
        p_names_only=np.where(equal, 1.0, estimates.p_names_only),
    )
