"""From a table and its scores to its analysis."""

import numpy as np

from .analysis import Analysis
from .contrasts import build_contrasts
from .crossed import analyse_names
from .crossing import Table
from .fitting import fit_table
from .inference import NONE, Inference
from .options import Floats
from .paired import analyse_pairs
from .persons import summarise
from .scoring import Scores


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
