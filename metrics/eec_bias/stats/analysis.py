"""The one way into the numbers: from a table and its sums to everything that can be said about it."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Floats
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.equal import furthest_apart
from eec_bias.stats.inference import NONE, Inference
from eec_bias.stats.layout import Table
from eec_bias.stats.paired import pair_up
from eec_bias.stats.rounding import rounding_of, span_of
from eec_bias.stats.sums import Sums
from eec_bias.stats.tested import Analysis, Part
from eec_bias.stats.units import UnitScores


def analyse(
    table: Table,
    contrasts: Sequence[Contrast],
    sums: Sums,
    scores: UnitScores,
    score_range: tuple[float, float] = (0.0, 1.0),
    inference: Inference = NONE,
    resolution: Floats | None = None,
) -> Analysis:
    """Compare the cells of a table: as independent samples, or within bases.

    Parameters
    ----------
    table : Table
        Which persons and items, in which cells and bases.
    contrasts : sequence of Contrast
        Of its cells.
    sums : Sums
        Of all systems, over the table's cells that have persons; for a beta regression with logarithms.
    scores : UnitScores
        Of persons on items.
    score_range : (float, float)
        Lowest and highest possible score.
    inference : Inference
        What is computed beside the default test.
    resolution : (S,) array, optional
        How far apart scores of a system may be and still be equal; by default as far as rounding brings them.
    """
    rounding = rounding_of(scores.largest, span_of(score_range))
    resolution = rounding if resolution is None else np.maximum(resolution, rounding)
    if table.paired:
        return pair_up(table, contrasts, scores, sums, score_range, inference, resolution)
    weights = np.array([contrast.weights for contrast in contrasts])
    sides = np.ones(len(sums.count), dtype=np.intp)
    part = Part(sums, weights, sides, scores, table.families, described=table.one_term_each)
    tested = table.subset, tuple(contrasts), (part,), table.facets, score_range, inference
    persons = [np.flatnonzero(contrast.weights[table.cell])[None, :] for contrast in contrasts]
    apart = furthest_apart(scores, persons, resolution)
    equal = apart <= resolution[:, None]
    return Analysis(*tested, table, sums, (), (), scores, resolution, equal=equal, apart=apart)
