"""The one way into the numbers: from a table and its sums to everything that can be said about it."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Floats
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import rounding_of, span_of
from eec_bias.stats.equal import equal_scores
from eec_bias.stats.inference import NONE, Inference
from eec_bias.stats.layout import Table
from eec_bias.stats.paired import pair_up
from eec_bias.stats.sums import Sums
from eec_bias.stats.tested import Analysis, Part


def analyse(
    table: Table,
    contrasts: Sequence[Contrast],
    sums: Sums,
    values: Floats | None = None,
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
    values : (S, P, J) array, optional
        The scores themselves, which contrasts within bases need; a table of names does without.
    score_range : (float, float)
        Lowest and highest possible score.
    inference : Inference
        What is computed beside the default test.
    resolution : (S,) array, optional
        How far apart scores of a system may be and still be equal; by default as far as rounding brings them.
    """
    if values is not None:
        rounding = rounding_of(values, span_of(score_range))
        resolution = rounding if resolution is None else np.maximum(resolution, rounding)
    if table.paired:
        assert values is not None, "contrasts within bases need the scores"
        assert resolution is not None
        return pair_up(table, contrasts, values, sums, score_range, inference, resolution)
    weights = np.array([contrast.weights for contrast in contrasts])
    part = Part(sums, weights, np.ones(len(sums.count), dtype=np.intp))
    tested = table.subset, tuple(contrasts), (part,), table.facets, score_range, inference
    equal = None
    if values is not None and resolution is not None:
        persons = [np.flatnonzero(contrast.weights[table.cell])[None, :] for contrast in contrasts]
        equal = equal_scores(values, persons, resolution)
    return Analysis(*tested, table, sums, (), (), equal=equal)
