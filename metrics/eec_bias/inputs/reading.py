"""Scores and the data they belong to, read and checked together."""

from dataclasses import replace
from typing import Any

from eec_bias.errors import LabelsError
from eec_bias.inputs.containers import NO_ROWS, Source, read_source, refuse_other_order, unpack
from eec_bias.inputs.observed import Observations, label_rows
from eec_bias.inputs.outputs import Outputs, fold_runs, read_outputs
from eec_bias.inputs.pipelines import scores_of_outputs
from eec_bias.inputs.reshape import PART, are_checked_pairs, find_runs, read_by_system, read_long, unfold_pairs
from eec_bias.options import MeasureOptions


def read_rows(scores: Any, data: Any, options: MeasureOptions) -> tuple[Observations, Outputs]:
    """Read scores and the labels of their rows; parameters and errors as for `measure`."""
    source, outputs = read_scored(scores, data, options)
    if are_checked_pairs(source.columns):
        source, outputs = unfold_pairs(source, outputs)
        options = replace(options, axes=("gender",), by=PART)
    return label_rows(source, options), outputs


def read_scored(scores: Any, data: Any, options: MeasureOptions) -> tuple[Source, Outputs]:
    """Check scores and data; long data become wide: one row per sentence, and the outputs of these sentences.

    Parameters
    ----------
    scores, data
        As for `measure`.
    options : MeasureOptions
        Those that say what the scores are, and of what, are followed.

    Raises
    ------
    ScoresError, LabelsError, OptionError
        As for `measure`.
    """
    source = read_source(data)
    if not source.rows:
        raise LabelsError(NO_ROWS)
    scores, options = scores_of_outputs(unpack(scores, data, source), options)
    refuse_other_order(scores, data)
    if options.runs is None:
        options = replace(options, runs=find_runs(source, options.systems))
    if isinstance(options.systems, str) or isinstance(options.runs, str):
        source, order, systems = read_long(source, options)
        read = read_by_system(scores, order, systems, options)
    else:
        read = read_outputs(scores, source.rows, options)
    return source, fold_runs(read)
