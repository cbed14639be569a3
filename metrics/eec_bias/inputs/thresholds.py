"""Who scores above a threshold: a number, or the median of all persons on the same item."""

import numpy as np

from eec_bias.inputs.scores import Scores
from eec_bias.options import MEDIAN, Floats, Threshold
from eec_bias.stats.layout import Table
from eec_bias.stats.units import UnitScores


def gathered(scores: Scores, table: Table) -> UnitScores:
    """Lay scores out as persons × items."""
    return UnitScores(table.gather(scores.values), None if scores.runs is None else table.gather(scores.runs))


def above(scores: Scores, table: Table, threshold: Threshold) -> UnitScores:
    """Lay out which scores of a table lie above a threshold: 1 above it and 0 elsewhere; of runs, their mean.

    Parameters
    ----------
    scores : Scores
        Of S systems.
    table : Table
        P persons × J items.
    threshold : float or "median"
        A number, or the median of the P scores of the same item (and run): who scores above it does not depend on the
        item or its emotion then.
    """
    if scores.runs is None:
        return UnitScores(exceeds(table.gather(scores.values), threshold))
    by_run = exceeds(table.gather(scores.runs), threshold)
    known = ~np.isnan(by_run)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(known, by_run, 0.0).sum(axis=1) / known.sum(axis=1)
    return UnitScores(values, by_run)


def exceeds(values: Floats, threshold: Threshold) -> Floats:
    """1 for values (…, P, J) above the threshold, 0 for others, NaN for missing ones."""
    bound: Floats | float
    if threshold == MEDIAN:
        missing = np.isnan(values).all(axis=-2, keepdims=True)
        bound = np.nanmedian(np.where(missing, 0.0, values), axis=-2, keepdims=True)
    else:
        bound = float(threshold)
    return np.where(np.isnan(values), np.nan, values > bound)


def say_threshold(threshold: Threshold) -> str:
    """Write a threshold as signatures do: ``0.5``, ``median``."""
    if threshold == MEDIAN:
        return MEDIAN
    return f"{threshold:.12g}"
