"""The default test: contrasts of cell means with names and the facets of sentences as units of inference.

Every person meets every item. What all groups share cancels in a contrast; what reacts differently to the groups does
not, and it reacts per name, per template and per word. The variance is

    V = max(V_N + V_S − V_E, V_N, V_S),

V_N from person means (with weights w on cells of m persons: Σ w² s²/m, which is clubSandwich's CR2 by person), V_S
from the contrast taken item by item, clustered by the facets (`facets.sentence_variance`), V_E from the residual,
which both count. This is the denominator of the quasi-F of crossed designs (Clark 1973; Winer's F″) with a floor.
Runs (prompts, seeds) are one more facet: V′ = max(V + V_K − V_NK, V, V_K). t has Satterthwaite's degrees of freedom.

All functions take scores of many systems along the leading axis.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.options import Bools, Floats
from eec_bias.stats.facets import Facets, sentence_variance
from eec_bias.stats.sums import Sums

Columns = TypeVar("Columns", bound=NamedTuple)

ZERO = 1e-12
"""Smaller than this share of the score range is 0: the same rows summed in another order differ by 2e-16."""


FEWEST_DF = 2
"""With fewer degrees of freedom in the scarcest facet that counts there is no test."""


class Estimates(NamedTuple):
    """Effects and their tests; every array but the first is (S, R) for S systems and R contrasts.

    Attributes
    ----------
    by_item : (S, R, J) array
        The contrast on each item.
    effect : array
        The contrast of cell means, in the units of the scores.
    names, sentences, residual : arrays
        V_N, V_S and V_E.
    se, df, t, p : arrays
        The default test. Where se is 0: p is 1 if the effect is 0 on every item; otherwise t, df and p are NaN, as
        they are where a facet has too few clusters.
    p_names_only : array
        From V_N alone with Welch's degrees of freedom: "these sentences only".
    scarce : array of str
        The facet of sentences with the fewest degrees of freedom, of those that count.
    uniform : array of bool
        Whether the contrast is the same on every item.
    """

    by_item: Floats
    effect: Floats
    names: Floats
    sentences: Floats
    residual: Floats
    se: Floats
    df: Floats
    t: Floats
    p: Floats
    p_names_only: Floats
    scarce: np.ndarray[tuple[int, ...], np.dtype[np.str_]]
    uniform: Bools

    def interval(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper ends of the confidence interval; NaN where there is no test."""
        reach = stdtrit(self.df, 0.5 + confidence / 2) * self.se
        return self.effect - reach, self.effect + reach

    def detectable(self, alpha: float = 0.05, power: float = 0.8) -> Floats:
        """Smallest effect found with the given power: se·(t(1 − α/2) + t(power)) at the row's df."""
        return np.asarray(self.se * (stdtrit(self.df, 1 - alpha / 2) + stdtrit(self.df, power)))


def side_by_side(parts: Sequence[Columns]) -> Columns:
    """Return numbers of several contrasts of the same systems, one part of these at least, as those of one."""
    return parts[0]._make(np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True))


def run_test(sums: Sums, weights: Floats, facets: Facets, scale: float = 1.0) -> Estimates:
    """Test contrasts of cell sums.

    Parameters
    ----------
    sums : Sums
        Of the cells.
    weights : (R, K) array
        Weights on the cells.
    facets : Facets
        Of the items.
    scale : float
        Width of the score range, the unit of what counts as 0.
    """
    tiny = ZERO * scale
    by_item = np.einsum("rk,skj->srj", weights, sums.item)
    effect = by_item.mean(axis=2)
    parts = weights**2 * (sums.spread / sums.count)[:, None, :]
    names = parts.sum(axis=2)
    df_names = np.where(names > tiny**2, welch_df(parts, sums.count), np.inf)
    residual = np.einsum("rk,sk->sr", weights**2, sums.residual)
    sentences = sentence_variance(by_item, facets, tiny)
    variance = np.maximum(np.maximum(names + sentences.variance - residual, names), sentences.variance)
    denominator = names**2 / df_names + sentences.denominator
    if sums.runs is not None:
        of_runs, both, number = run_variance(sums, weights)
        denominator += np.where(of_runs > both, of_runs**2 / np.maximum(number - 1, 1), 0.0)
        variance = np.maximum(np.maximum(variance + of_runs - both, variance), of_runs)
    se = np.sqrt(variance)
    se = np.where(se > tiny, se, 0.0)
    # An effect of rounding errors alone would be printed as a finding of 1e-17.
    effect = np.where(np.abs(effect) <= tiny, 0.0, effect)
    enough = (sentences.least >= FEWEST_DF) | (sums.items == 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where((se > 0) & enough, variance**2 / denominator, np.nan)
    uniform = np.ptp(by_item, axis=2) <= tiny
    t, p = student_t(effect, se, df)
    p = np.where((se == 0) & ~uniform, np.nan, p)
    _, alone = student_t(effect, np.where(names > tiny**2, np.sqrt(names), 0.0), df_names)
    return Estimates(
        by_item, effect, names, sentences.variance, residual, se, df, np.where(np.isnan(df), np.nan, t), p, alone,
        sentences.scarce, uniform,
    )  # fmt: skip


def run_variance(sums: Sums, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Variances of contrasts over the runs of each system, (S, R), and the number of runs (S, 1).

    Returns
    -------
    V_K, V_NK, runs
        The variance of the mean over runs, the part that names × runs alone would give; both 0 for a single run.
    """
    assert sums.runs is not None
    cell = sums.cell_of_person
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    number = sums.run_counts[:, None]
    by_cell = np.add.reduceat(sums.runs, starts, axis=1) / sums.count[:, None]
    several = np.maximum(number - 1, 1)
    effects = np.einsum("rk,skn->srn", weights, by_cell)
    of_runs = np.nansum((effects - np.nanmean(effects, axis=2, keepdims=True)) ** 2, axis=2) / (several * number)
    off = sums.runs - by_cell[:, cell] - np.nanmean(sums.runs, axis=2, keepdims=True)
    off += np.nanmean(by_cell, axis=2)[:, cell, None]
    squares = np.add.reduceat(np.nansum(off**2, axis=2), starts, axis=1)
    # A cell of one person says nothing about persons × runs.
    others = np.maximum(sums.count - 1, 1)
    both = np.einsum("rk,sk->sr", weights**2, squares / (others * several * sums.count * number))
    return of_runs, both, number


def welch_df(parts: Floats, count: Floats) -> Floats:
    """Welch's degrees of freedom of a variance that is the sum of the cells' parts (…, K)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(parts.sum(axis=-1) ** 2 / (parts**2 / (count - 1)).sum(axis=-1))


def student_t(effect: Floats, se: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Return t and its p with two sides; without a standard error there is no t, and p is 1 where the effect is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(se > 0, effect / se, np.nan)
    return t, np.where((se == 0) & (effect == 0), 1.0, 2 * stdtr(df, -np.abs(t)))


def span_of(score_range: tuple[float, float]) -> float:
    """Width of a score range, the unit of what counts as 0; more where it lies so far from 0 that sums are rounded."""
    low, high = score_range
    return max(high - low, abs(low) / 100, abs(high) / 100)


def rounding_of(scores: Floats, scale: float) -> Floats:
    """How far equal scores of each system (S, …) can seem apart, (S,): of tiny scores less than of the whole range."""
    return np.asarray(ZERO * np.minimum(np.abs(scores).max(axis=(1, 2)), scale))
