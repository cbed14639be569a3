"""From a table and its scores to its analysis."""

import numpy as np

from eec_bias.inputs.scores import Scores
from eec_bias.inputs.table import Table
from eec_bias.options import Floats
from eec_bias.stats.analysis import Analysis
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.fitting import fit_table
from eec_bias.stats.inference import NONE, Inference
from eec_bias.stats.names import analyse_names
from eec_bias.stats.paired import analyse_pairs
from eec_bias.stats.two_way import summarise


def analyse(
    table: Table, scores: Scores, *, simple: bool = False, edge: str = "none", inference: Inference = NONE
) -> Analysis:
    """Run the default test and its companions on one table.

    Parameters
    ----------
    table : Table
        From `design.build_design`.
    scores : Scores
        All systems' scores.
    simple : bool
        Whether simple effects are added.
    edge : str
        Edge treatment of the beta regression.
    inference : Inference
        What is computed beside the default test.
    """
    contrasts = build_contrasts(table.axes, simple=simple, pairwise=inference.contrasts == "pairwise")
    values = _gather(scores.values, table)
    filled, cell = np.unique(table.cell, return_inverse=True)
    means = summarise(values, cell, len(filled))
    unit = scores.to_unit(values)
    beta = fit_table(unit, table, contrasts, edge)
    run = analyse_pairs if table.paired else analyse_names
    return run(table, contrasts, values, unit, means, beta, scores.span, edge, inference)


def _gather(values: Floats, table: Table) -> Floats:
    return values[:, table.rows.ravel()].reshape(len(values), *table.rows.shape)
