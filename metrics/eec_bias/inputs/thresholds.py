"""Who scores above a threshold: a number, or the median of all persons on the same item."""

import numpy as np

from eec_bias.inputs.scores import Scores
from eec_bias.options import MEDIAN, Floats, Threshold
from eec_bias.stats.layout import Table
from eec_bias.stats.resolution import of_type
from eec_bias.stats.rounding import largest_size
from eec_bias.stats.units import UnitScores

TOO_COARSE = 1e-4
"""Scores so far from 0 that single precision tells no smaller share of their range apart are taken as they are."""


def above(scores: Scores, table: Table, threshold: Threshold, resolution: Floats) -> UnitScores:
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
    resolution : (S,) array
        How far apart scores of a system may be and still be equal.
    """
    given = scores.values if scores.runs is None else scores.runs
    told, tolerance = as_told(given, resolution, scores.score_range)
    values = table.gather(told)
    bound = _bound(values, threshold)
    selected = _exceeds(values, bound, tolerance)
    of_phrases = None if table.phrases is None else _exceeds(table.phrases.gather(told), bound, tolerance)
    if scores.runs is None:
        return UnitScores(selected, of_phrases=of_phrases)
    return UnitScores(
        _mean_of_runs(selected), selected, of_phrases=None if of_phrases is None else _mean_of_runs(of_phrases)
    )


def _mean_of_runs(selected: Floats) -> Floats:
    """Return the means (S, P, J) of what is known of runs (S, N, P, J)."""
    known = ~np.isnan(selected)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(known, selected, 0.0).sum(axis=1) / known.sum(axis=1))


def as_told(scores: Floats, resolution: Floats, score_range: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return scores as single precision tells them, and how far from a threshold they may be and still equal it.

    Networks compute in single precision, whatever holds their scores: .3 from a text file is 0.3, and from a Parquet
    file 0.30000001. Neither lies above a threshold of .3.

    Parameters
    ----------
    scores : (S, …) array
        Of S systems.
    resolution : (S,) array
        How far apart scores of a system may be and still be equal.
    score_range : (float, float)
        Lowest and highest possible score.
    """
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32).astype(np.float64)
    largest = largest_size(single)
    of_single = np.array([of_type("float32", each) for each in largest.tolist()])
    tells = np.isfinite(largest) & (of_single <= TOO_COARSE * (score_range[1] - score_range[0]))
    by_system = tells.reshape(-1, *(1,) * (scores.ndim - 1))
    return np.where(by_system, single, scores), np.where(tells, np.maximum(resolution, of_single), resolution)


def _bound(values: Floats, threshold: Threshold) -> Floats | float:
    """Return the threshold; as the median that of the values (S, …, P, J) of each item."""
    if threshold != MEDIAN:
        return float(threshold)
    missing = np.isnan(values).all(axis=-2, keepdims=True)
    return np.asarray(np.nanmedian(np.where(missing, 0.0, values), axis=-2, keepdims=True))


def _exceeds(values: Floats, bound: Floats | float, tolerance: Floats) -> Floats:
    """Return 1 for values (S, …, P, J) above the bound, 0 for others, NaN for missing ones."""
    margin = tolerance.reshape(-1, *(1,) * (values.ndim - 1))
    return np.where(np.isnan(values), np.nan, values > bound + margin)


def say_threshold(threshold: Threshold) -> str:
    """Write a threshold as signatures do: ``0.5``, ``median``."""
    if threshold == MEDIAN:
        return MEDIAN
    return f"{threshold:.12g}"
