"""Two one-sided tests: does the effect lie within a margin the user states? (Schuirmann 1987)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.options import Floats
from eec_bias.stats.default_test import Tested


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two one-sided tests of S systems and R contrasts; NaN where the standard error is 0.

    Attributes
    ----------
    margin : float
        Half-width of the interval, in the units of the scores.
    p_lower, p_upper : (S, R) arrays
        One-sided p of effect ≤ −margin and of effect ≥ margin.
    p : (S, R) array
        The larger of the two.
    low, high : (S, R) arrays
        90 % interval: it lies within the margin where p < .05.
    """

    margin: float
    p_lower: Floats
    p_upper: Floats
    p: Floats
    low: Floats
    high: Floats


def equivalence(tested: Tested, margin: float) -> Equivalence:
    """Test each effect against a margin, with the standard error and degrees of freedom of the default test.

    Parameters
    ----------
    tested : Tested
        The default test.
    margin : float
        Half-width, positive, in the units of the scores.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = stdtr(tested.df, -(tested.effect + margin) / tested.se)
        upper = stdtr(tested.df, (tested.effect - margin) / tested.se)
    known = tested.se > 0
    lower, upper = np.where(known, lower, np.nan), np.where(known, upper, np.nan)
    reach = stdtrit(tested.df, 0.95) * tested.se
    return Equivalence(margin, lower, upper, np.maximum(lower, upper), tested.effect - reach, tested.effect + reach)
