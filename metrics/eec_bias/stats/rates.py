"""How often scores lie above a threshold, and the ratio of two rates.

A rate is the mean of scores that are 1 above the threshold and 0 elsewhere, so its differences go through the default
test. With a and b the weights of a group and of its reference on the cells, log(p_a / p_b) changes by the contrast
a/p_a − b/p_b of the same cells: the default test of that contrast gives the standard error of the log ratio (delta
method), with names, sentences and runs as samples.
"""

import numpy as np
from scipy.special import stdtrit

from eec_bias.options import Floats
from eec_bias.stats.analysis import analyse
from eec_bias.stats.sums import summarise
from eec_bias.stats.tested import Analysis


def ratio_of(analysis: Analysis, row: int, values: Floats) -> dict[str, Floats]:
    """Compare the rates of one contrast by their ratio.

    Parameters
    ----------
    analysis : Analysis
        Of scores that are 0 and 1, or the means of such over runs.
    row : int
        Which of its contrasts; one of a single axis.
    values : (S, P, J) array
        These scores.

    Returns
    -------
    dict of str to (S,) array, NaN where there is no such number
        ``rate`` and ``rate_reference``; ``ratio``, the first over the second; ``ratio_low`` and ``ratio_high``, its
        interval, on ``df`` degrees of freedom; none where their difference has no test.
    """
    contrast = analysis.contrasts[row]
    cells = np.flatnonzero(contrast.weights)
    weights = contrast.weights[cells]
    level = np.maximum(weights, 0) / np.maximum(weights, 0).sum()
    # On pairs the rates are those of the bases that are compared.
    of_bases = values[:, analysis.persons[row]].mean(axis=(1, 3)) if analysis.persons else None
    means = analysis.sums.cell[:, cells] if of_bases is None else of_bases
    rate, reference = means @ level, means @ (level - weights)
    positive = (rate > 0) & (reference > 0)
    over, under = np.where(positive, rate, 1.0)[:, None], np.where(positive, reference, 1.0)[:, None]
    factors = np.ones((len(values), len(contrast.weights)))
    factors[:, cells] = (level / over - (level - weights) / under) / weights
    table, runs, of_person = analysis.table, analysis.sums.runs, factors[:, analysis.table.cell][:, :, None]
    scaled = values * of_person
    sums = summarise(scaled, table.cell, runs=None if runs is None else runs * of_person)
    estimates = analyse(table, [contrast], sums, scaled).estimates
    ratio = np.where(positive, rate, np.nan) / np.where(positive, reference, 1.0)
    df = np.where(np.isnan(analysis.estimates.df[:, row]), np.nan, estimates.df[:, 0])
    reach = np.exp(stdtrit(df, 0.5 + analysis.inference.confidence / 2) * estimates.se[:, 0])
    ends = {"ratio_low": ratio / reach, "ratio_high": ratio * reach, "df": np.where(positive, df, np.nan)}
    return {"rate": rate, "rate_reference": reference, "ratio": ratio, **ends}
