"""The default test: contrasts of cell means with a two-way variance over persons and items.

Every person meets every item. Item effects cancel in a contrast, person effects do not, and an effect that
varies over items counts once per item; so persons and items are both units of inference. The variance is

    V = max(Vp + Vi − Ve, Vp, Vi),

Vp from person means (with weights w on cells of m persons: Σ w² s²/m, which is clubSandwich's CR2 by person),
Vi from the contrast taken item by item (its variance over J), Ve from the residual, which both count. This is
the denominator of the quasi-F of crossed designs (Clark 1973; Winer's F″) with a floor. t has Satterthwaite
degrees of freedom: Welch's where V = Vp, otherwise V²/(Vp²/df_p + Vi²/(J − 1)), at most max(df_p, J − 1).

All functions take scores of many systems along the leading axis.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.options import Bools, Floats
from eec_bias.stats.sums import Sums

ZERO = 1e-12
"""Smaller than this share of the score range is 0: the same rows summed in another order differ by 2e-16."""


@dataclass(frozen=True, slots=True)
class Tested:
    """Effects and their tests; every array is (S, R) for S systems and R contrasts.

    Attributes
    ----------
    effect : array
        The contrast of cell means, in the units of the scores.
    person_variance, item_variance, residual_variance : arrays
        Vp, Vi and Ve.
    se, df, t, p : arrays
        The two-way test. Where se is 0: p is 1 if the effect is 0; otherwise t, df and p are NaN.
    p_names_only : array
        From Vp alone with Welch's degrees of freedom: "these sentences only".
    """

    effect: Floats
    person_variance: Floats
    item_variance: Floats
    residual_variance: Floats
    se: Floats
    df: Floats
    t: Floats
    p: Floats
    p_names_only: Floats

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper ends of the confidence interval; NaN where there is no test."""
        reach = stdtrit(self.df, 0.5 + level / 2) * self.se
        return self.effect - reach, self.effect + reach

    def detectable(self, alpha: float = 0.05, power: float = 0.8) -> Floats:
        """Smallest effect found with the given power: se·(t(1 − α/2) + t(power)) at the row's df."""
        return np.asarray(self.se * (stdtrit(self.df, 1 - alpha / 2) + stdtrit(self.df, power)))


def two_way(sums: Sums, weights: Floats, scale: float = 1.0) -> Tested:
    """Test contrasts of cell sums.

    Parameters
    ----------
    sums : Sums
        Of the cells.
    weights : (R, K) array
        Weights on the cells.
    scale : float
        Width of the score range, the unit of what counts as 0.
    """
    items = sums.items
    by_item = np.einsum("rk,skj->srj", weights, sums.item)
    effect = by_item.mean(axis=2)
    parts = weights**2 * (sums.spread / sums.count)[:, None, :]
    vp = parts.sum(axis=2)
    ve = np.einsum("rk,sk->sr", weights**2, sums.residual)
    vi = by_item.var(axis=2, ddof=1) / items if items > 1 else np.zeros_like(vp)
    df_person = np.where(vp > (ZERO * scale) ** 2, welch_df(parts, sums.count), np.nan)
    return _test(effect, vp, vi, ve, df_person, items, scale)


def welch_df(parts: Floats, count: Floats) -> Floats:
    """Welch's degrees of freedom of a variance that is the sum of the cells' parts (…, K)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(parts.sum(axis=-1) ** 2 / (parts**2 / (count - 1)).sum(axis=-1))


def _test(effect: Floats, vp: Floats, vi: Floats, ve: Floats, df_person: Floats, items: int, scale: float) -> Tested:
    tiny = ZERO * scale
    variance = np.maximum(np.maximum(vp + vi - ve, vp), vi)
    se = np.sqrt(variance)
    se = np.where(se > tiny, se, 0.0)
    # An effect of rounding errors alone would be printed as a finding of 1e-17.
    effect = np.where((np.abs(effect) <= tiny) & (se == 0), 0.0, effect)
    known = np.where(np.isnan(df_person), 0.0, vp**2 / df_person)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = variance**2 / (known + vi**2 / max(items - 1, 1))
        df = np.minimum(df, np.fmax(df_person, max(items - 1, 1)))
        df = np.where((variance == vp) & ~np.isnan(df_person), df_person, df)
        df = np.where(se > 0, df, np.nan)
    return Tested(effect, vp, vi, ve, se, df, *student_t(effect, se, df), _names_only(effect, vp, df_person, tiny))


def student_t(effect: Floats, se: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Return t and its p with two sides; without a standard error there is no t, and p is 1 where the effect is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(se > 0, effect / se, np.nan)
    return t, np.where((se == 0) & (effect == 0), 1.0, 2 * stdtr(df, -np.abs(t)))


def _names_only(effect: Floats, vp: Floats, df: Floats, tiny: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(df, -np.abs(effect) / np.sqrt(vp))
    return np.where(np.isnan(df) & (np.abs(effect) <= tiny), 1.0, p)


def still(sums: Sums, scale: float = 1.0) -> Bools:
    """Systems (S,) that give all persons of each cell the same mean score."""
    return np.asarray((sums.spread <= (ZERO * scale) ** 2).all(axis=1))


def moved_items(sums: Sums, weights: Floats, scale: float = 1.0) -> Bools:
    """Items (S, R, J) on which a contrast (R, K) is not 0."""
    return np.asarray(np.abs(np.einsum("rk,skj->srj", weights, sums.item)) > ZERO * scale)


def unmoved(sums: Sums, weights: Floats, scale: float = 1.0) -> Bools:
    """Contrasts (S, R) that compare equal scores: on every item all persons of the cells weighed get the same."""
    tiny = ZERO * scale
    within = (sums.spread <= tiny**2) & (sums.residual * (sums.count * sums.items) <= tiny**2)
    equal = [
        within[:, own].all(axis=1) & (np.ptp(sums.item[:, own], axis=1) <= tiny).all(axis=1) for own in weights != 0
    ]
    return np.stack(equal, axis=1)
