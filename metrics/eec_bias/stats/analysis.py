"""The one way into the numbers: from a table and its sums to everything that can be said about it."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Floats
from eec_bias.stats.contrasts import Contrast
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
    """
    if table.paired:
        assert values is not None, "contrasts within bases need the scores"
        return pair_up(table, contrasts, values, sums, score_range, inference)
    weights = np.array([contrast.weights for contrast in contrasts])
    part = Part(sums, weights, np.ones(len(sums.count), dtype=np.intp))
    return Analysis(table.subset, tuple(contrasts), (part,), table.facets, score_range, inference, table, sums, (), ())
