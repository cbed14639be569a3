"""How far apart the scores are that contrasts compare; no further than their resolution they are equal."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.default_test import Estimates

NEAR = 2.0**-20
"""Scores that are further apart than this part of the largest |score| are not looked at on further items."""


def furthest_apart(values: Floats, compared: Sequence[Ints], resolution: Floats) -> Floats:
    """Return how far apart the raw scores (S, R) are at most that contrasts compare, item by item.

    Parameters
    ----------
    values : (S, P, J) array
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
    apart = np.full((len(values), len(compared)), np.inf)
    for s, of_system in enumerate(values):
        limit = max(resolution[s], NEAR * float(np.nanmax(np.abs(of_system), initial=0.0)))
        for r, persons in enumerate(compared):
            # (U, C, J): most systems differ on the first item, which spares a look at the others.
            if _furthest(of_system[:, :1][persons]) > limit:
                continue
            furthest = _furthest(of_system[persons])
            if furthest <= limit:
                apart[s, r] = furthest
    return apart


def _furthest(scores: Floats) -> float:
    """How far the scores (U, C, J) of a base on an item are apart at most; a score that is missing is far from none."""
    lowest = np.fmin.reduce(scores, axis=1)
    return float(np.nanmax(np.fmax.reduce(scores, axis=1) - lowest, initial=0.0))


def without_reaction(estimates: Estimates, equal: Bools) -> Estimates:
    """Return estimates in which contrasts of equal scores are no finding; effects stay as they are."""
    return estimates._replace(
        se=np.where(equal, 0.0, estimates.se),
        df=np.where(equal, np.nan, estimates.df),
        t=np.where(equal, np.nan, estimates.t),
        p=np.where(equal, 1.0, estimates.p),
        p_names_only=np.where(equal, 1.0, estimates.p_names_only),
    )
