"""The default test: contrasts of cell means with names, their families and the facets of sentences as samples.

Every person meets every item. What all groups share cancels in a contrast; what reacts differently to the groups does
not, and it reacts per name, per family of names, per template and per word. The variance is

    V = max(V_name + V_S − V_E, V_name, V_S),

V_name from person means, clustered by families (`families.name_variance`; names one by one: clubSandwich's CR2 by
person), V_S from the contrast taken item by item, clustered by the facets (`facets.sentence_variance`), V_E from the
residual, which both count. With one kind of family and no floor this is the multiway clustering of Cameron, Gelbach &
Miller (2011) for names, templates and words; with names alone the quasi-F of crossed designs (Clark 1973). Runs
(prompts, seeds) are one more facet: V′ = max(V + V_K − V_NK, V, V_K). t has Satterthwaite's degrees of freedom.

All functions take scores of many systems along the leading axis. Tables with holes: `incomplete`.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.facets import Facets, Sentences, sentence_variance
from eec_bias.stats.families import NameClusters, NameVariance, cluster_names, name_variance
from eec_bias.stats.rounding import ZERO, exceeds
from eec_bias.stats.sums import Sums

Columns = TypeVar("Columns", bound=NamedTuple)

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
        V_N of names one by one, V_S and V_E.
    df_sentences : array
        The degrees of freedom of V_S; NaN where it is 0, or a facet has too few clusters.
    words : array
        What the choice of words for groups adds to the variance, see `words`; 0 until it is added.
    name_variance, families, df_families : arrays
        V_name; the largest variance over families, and their fewest degrees of freedom (NaN without families).
    se, df, t, p : arrays
        The default test. Where se is 0: p is 1 if the effect is 0 on every item; otherwise t, df and p are NaN, as
        they are where a facet has too few clusters.
    p_names_only : array
        From V_N alone with Welch's degrees of freedom: "these sentences only".
    scarce, least : arrays of str and of float
        The facet with the fewest degrees of freedom of those that count, and these.
    deciding : array of str
        The kind of family that makes V_name larger than names one by one do; empty where none does.
    largest, furthest : arrays
        The share of V_N that one name has, the largest there is, and that name's position.
    uniform : array of bool
        Whether the contrast is the same on every item.
    """

    by_item: Floats
    effect: Floats
    names: Floats
    sentences: Floats
    df_sentences: Floats
    words: Floats
    residual: Floats
    name_variance: Floats
    families: Floats
    df_families: Floats
    se: Floats
    df: Floats
    t: Floats
    p: Floats
    p_names_only: Floats
    scarce: np.ndarray[tuple[int, ...], np.dtype[np.object_]]
    least: Floats
    deciding: np.ndarray[tuple[int, ...], np.dtype[np.object_]]
    largest: Floats
    furthest: Ints
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


def one_below_the_other(systems: Sequence[Columns]) -> Columns:
    """Return numbers of several systems, found one by one, as those of all."""
    return systems[0]._make(np.concatenate(columns, axis=0) for columns in zip(*systems, strict=True))


class RunVariance(NamedTuple):
    """Variances of contrasts over the runs of each system, and how many there are.

    Attributes
    ----------
    runs, names : (S, R) arrays
        V_K of the mean over runs, and V_NK, the part of it that names × runs alone would give; both 0 for one run.
    number : (S, 1) array
        Runs of each system.
    """

    runs: Floats
    names: Floats
    number: Floats


class Effects(NamedTuple):
    """Effects of S × R contrasts, and what their variances are made of.

    Attributes
    ----------
    by_item : (S, R, J) array
        The contrasts on each item.
    effect, residual : (S, R) arrays
        The effects, and V_E.
    uniform : (S, R) array of bool
        Whether the contrast is the same on every item.
    names : NameVariance
        Over names.
    sentences : Sentences
        Over sentences.
    runs : RunVariance, optional
        Over runs.
    items : int
        How many items there are.
    """

    by_item: Floats
    effect: Floats
    residual: Floats
    uniform: Bools
    names: NameVariance
    sentences: Sentences
    runs: RunVariance | None
    items: int


def run_test(
    sums: Sums, weights: Floats, facets: Facets, scale: float = 1.0, clusters: NameClusters | None = None
) -> Estimates:
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
    clusters : NameClusters, optional
        The names in their families; by default each is alone.
    """
    tiny = ZERO * scale
    cell = sums.cell_of_person
    clusters = cluster_names(cell) if clusters is None else clusters
    by_item = np.einsum("rk,skj->srj", weights, sums.item)
    of_person = (sums.person - sums.cell[:, cell])[:, None, :] * (weights / sums.count)[:, cell]
    names = name_variance(of_person, clusters, np.sign(weights), tiny)
    crossed = [np.maximum(np.einsum("rk,sk->sr", weights**2, excess), 0.0) for excess in sums.crossed]
    effects = Effects(
        by_item=by_item,
        effect=by_item.mean(axis=2),
        residual=np.einsum("rk,sk->sr", weights**2, sums.residual),
        uniform=np.ptp(by_item, axis=2) <= tiny,
        names=names,
        sentences=sentence_variance(by_item, facets, tiny, crossed),
        runs=None if sums.runs is None else run_variance(sums, weights),
        items=sums.items,
    )
    return combine(effects, tiny)


def combine(effects: Effects, tiny: float = 0.0, fewest_df: float = FEWEST_DF) -> Estimates:
    """Put a standard error and a test together from variances over names, sentences and runs.

    Parameters
    ----------
    effects : Effects
        The effects and their variances.
    tiny : float
        An effect or standard error up to it is made of rounding errors, and 0.
    fewest_df : float
        With fewer degrees of freedom in the scarcest facet that counts there is no test.
    """
    names, sentences, residual = effects.names, effects.sentences, effects.residual
    both = names.variance + sentences.variance - residual
    variance = np.maximum(np.maximum(both, names.variance), sentences.variance)
    denominator = names.denominator + sentences.denominator
    if effects.runs is not None:
        runs, of_names, number = effects.runs
        denominator = denominator + np.where(exceeds(runs, of_names), runs**2 / np.maximum(number - 1, 1), 0.0)
        variance = np.maximum(np.maximum(variance + runs - of_names, variance), runs)
    se = np.sqrt(variance)
    se = np.where(se > tiny, se, 0.0)
    # An effect of rounding errors alone would be printed as a finding of 1e-17.
    effect = np.where(np.abs(effects.effect) <= tiny, 0.0, effects.effect)
    of_sentences = sentences.least if effects.items > 1 else np.full(se.shape, np.inf)
    families_decide = exceeds(of_sentences, names.least)
    least = np.where(families_decide, names.least, of_sentences)
    scarce = np.where(families_decide, names.scarce, sentences.scarce)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where((se > 0) & ~exceeds(fewest_df, least), variance**2 / denominator, np.nan)
        testable = (sentences.variance > 0) & ~exceeds(FEWEST_DF, of_sentences)
        df_sentences = np.where(testable, sentences.variance**2 / sentences.denominator, np.nan)
    t, p = student_t(effect, se, df)
    p = np.where((se == 0) & ~effects.uniform, np.nan, p)
    _, alone = student_t(effect, np.where(names.alone > tiny**2, np.sqrt(names.alone), 0.0), names.df_alone)
    return Estimates(
        by_item=effects.by_item,
        effect=effect,
        names=names.alone,
        sentences=sentences.variance,
        df_sentences=df_sentences,
        words=np.zeros(se.shape),
        residual=residual,
        name_variance=names.variance,
        families=names.families,
        df_families=names.df_families,
        se=se,
        df=df,
        t=np.where(np.isnan(df), np.nan, t),
        p=p,
        p_names_only=alone,
        scarce=scarce,
        least=least,
        deciding=names.deciding,
        largest=names.largest,
        furthest=names.furthest,
        uniform=effects.uniform,
    )


def run_variance(sums: Sums, weights: Floats) -> RunVariance:
    """Variances of contrasts (R, K) over the runs of each system."""
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
    return RunVariance(of_runs, both, number)


def student_t(effect: Floats, se: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Return t and its p with two sides; without a standard error there is no t, and p is 1 where the effect is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(se > 0, effect / se, np.nan)
    return t, np.where((se == 0) & (effect == 0), 1.0, 2 * stdtr(df, -np.abs(t)))
