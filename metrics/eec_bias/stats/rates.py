"""Rates of scores above a threshold, and the ratio of two rates.

A rate is the mean of scores that are 1 above the threshold and 0 elsewhere, so its differences go through the default
test. With a and b the weights of a group and of its reference on the cells, log(p_a / p_b) changes by the contrast
a/p_a − b/p_b of the same cells: the default test of that contrast gives the standard error of the log ratio (delta
method), with names, sentences and runs as samples.
"""

from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from eec_bias.options import Floats, Ints
from eec_bias.stats.analysis import analyse
from eec_bias.stats.tested import Analysis
from eec_bias.stats.units import UnitScores, sum_up


def ratio_of(analysis: Analysis, row: int) -> dict[str, Floats]:
    """Compare the rates of one contrast by their ratio.

    Parameters
    ----------
    analysis : Analysis
        Of scores that are 0 and 1, or the means of such over runs.
    row : int
        Which of its contrasts; one of a single axis.

    Returns
    -------
    dict of str to (S,) array, NaN where there is no such number
        ``rate`` and ``rate_reference``; ``ratio``, the first over the second; ``ratio_low`` and ``ratio_high``, its
        interval, on ``df`` degrees of freedom; none where their difference has no test.
    """
    contrast, scores = analysis.contrasts[row], analysis.scores
    cells = np.flatnonzero(contrast.weights)
    weights = contrast.weights[cells]
    level = np.maximum(weights, 0) / np.maximum(weights, 0).sum()
    # On pairs the rates are those of the bases that are compared.
    of_bases = _mean_of_bases(scores.values, analysis.persons[row]) if analysis.persons else None
    means = analysis.sums.cell[:, cells] if of_bases is None else of_bases
    rate, reference = means @ level, means @ (level - weights)
    positive = (rate > 0) & (reference > 0)
    over, under = np.where(positive, rate, 1.0)[:, None], np.where(positive, reference, 1.0)[:, None]
    factors = np.ones((len(scores.values), len(contrast.weights)))
    factors[:, cells] = (level / over - (level - weights) / under) / weights
    table, of_person = analysis.table, factors[:, analysis.table.cell][:, :, None]
    runs = None if scores.runs is None else scores.runs * of_person[:, None]
    scaled = UnitScores(scores.values * of_person, runs, of_phrases=scores.of_phrases)
    sums = sum_up(scaled, table.cell, table.facets)
    tested = analyse(table, [contrast], sums, scaled)
    part = tested.parts[0]
    if part.words:
        by_level = table.by_level(contrast.weights * factors)
        part = replace(part, words=tuple(replace(spread, weights=by_level) for spread in part.words))
    estimates = replace(tested, parts=(part,)).estimates
    ratio = np.where(positive, rate, np.nan) / np.where(positive, reference, 1.0)
    df = np.where(np.isnan(analysis.estimates.df[:, row]), np.nan, estimates.df[:, 0])
    reach = np.exp(stdtrit(df, 0.5 + analysis.inference.confidence / 2) * estimates.se[:, 0])
    ends = {"ratio_low": ratio / reach, "ratio_high": ratio * reach, "df": np.where(positive, df, np.nan)}
    return {"rate": rate, "rate_reference": reference, "ratio": ratio, **ends}


def _mean_of_bases(values: Floats, persons: Ints) -> Floats:
    """Means (S, C) of the sides of bases (U, C) on the items on which a base has them all."""
    sides = values[:, persons]
    complete = ~np.isnan(sides).any(axis=2, keepdims=True)
    return np.asarray(np.where(complete, sides, 0.0).sum(axis=(1, 3)) / complete.sum(axis=(1, 3)))
