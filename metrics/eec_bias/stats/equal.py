"""Which contrasts compare equal scores: on every item no two of them are further apart than the resolution."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.default_test import Estimates


def equal_scores(values: Floats, compared: Sequence[Ints], resolution: Floats) -> Bools:
    """Return the contrasts (S, R) of which all raw scores compared are equal, item by item.

    Parameters
    ----------
    values : (S, P, J) array
        The scores of each system.
    compared : sequence of (U, C) integer arrays
        Of each contrast the persons compared: one row with all of them or, within bases, a row per base.
    resolution : (S,) array
        How far apart scores of a system may be and still be equal.
    """
    equal = np.zeros((len(values), len(compared)), dtype=bool)
    for r, persons in enumerate(compared):
        for s in range(len(values)):
            # (U, C, J): most systems differ on the first item, which spares a look at the others.
            if _furthest(values[s, :, :1][persons]) <= resolution[s]:
                equal[s, r] = _furthest(values[s][persons]) <= resolution[s]
    return equal


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
