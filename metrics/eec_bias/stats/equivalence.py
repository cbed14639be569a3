"""Two one-sided tests: does the effect lie within a margin? (Schuirmann 1987)."""

import numpy as np
from scipy.special import stdtr

from eec_bias.options import Floats
from eec_bias.stats.default_test import Estimates

CONFIDENCE = 0.9
"""An interval of this level lies within a margin if both one-sided tests reject at .05."""


def equivalence(estimates: Estimates, margin: float) -> dict[str, Floats]:
    """Test each effect against a margin, with the standard error and degrees of freedom of the default test.

    Parameters
    ----------
    estimates : Estimates
        The default test.
    margin : float
        Half-width, positive, in the units of the scores.

    Returns
    -------
    dict of str to (S, R) array, NaN where the standard error is 0
        ``effect`` and ``margin``; ``p_lower`` and ``p_upper``, the one-sided p of effect ≤ −margin and of
        effect ≥ margin; ``p_equivalence``, the larger of the two; ``ci90_low`` and ``ci90_high``, which lie within the
        margin where that is below .05.
    """
    # Where the standard error is 0 there are no degrees of freedom, and so no p.
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = stdtr(estimates.df, -(estimates.effect + margin) / estimates.se)
        upper = stdtr(estimates.df, (estimates.effect - margin) / estimates.se)
    low, high = estimates.interval(CONFIDENCE)
    return {
        "effect": estimates.effect, "margin": np.full(estimates.effect.shape, margin), "p_lower": lower,
        "p_upper": upper, "p_equivalence": np.maximum(lower, upper), "ci90_low": low, "ci90_high": high,
    }  # fmt: skip


def smallest_margin(estimates: Estimates) -> Floats:
    """Return the smallest margin that the test shows each effect to lie within, (S, R).

    It is the end of the interval that is farther from 0. An effect without any spread is its own interval. NaN if there
    is no test.
    """
    low, high = estimates.interval(CONFIDENCE)
    return np.where(estimates.se == 0, np.abs(estimates.effect), np.maximum(-low, high))
