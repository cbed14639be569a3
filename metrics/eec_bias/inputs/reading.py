"""Scores and the data they belong to, read and checked together."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eec_bias.errors import LabelsError
from eec_bias.inputs.long import read_long
from eec_bias.inputs.matrices import as_numbers, refuse_other_order
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.runs import fold_runs
from eec_bias.inputs.sources import NO_ROWS, Source, axis_names, read_source
from eec_bias.inputs.systems import Naming, Systems
from eec_bias.options import Ints, MeasureOptions
from eec_bias.sentences import refusal


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
    source = read_source(data, options.data_name)
    if not source.rows:
        raise LabelsError(NO_ROWS)
    refuse_other_order(scores, data)
    naming = Naming(options.systems, options.tasks, options.runs)
    kind: dict[str, Any] = {"outputs": options.outputs, "classes": options.classes, "score_range": options.score_range}
    if isinstance(naming.systems, str) or isinstance(naming.runs, str):
        source, order, systems = read_long(source, naming, axis_names(options.axes), options.by)
        read = _read_by_system(scores, order, systems, kind)
    else:
        read = read_outputs(scores, source.rows, naming=naming, **kind)
    return source, fold_runs(read, options.few_runs)


def _read_by_system(scores: Any, order: Ints, systems: Systems, kind: Mapping[str, Any]) -> Outputs:
    """Check the outputs of long data, one per row, and lay them out by system."""
    if kind["outputs"] in ("score", "ordinal"):
        numbers = as_numbers(scores)
        if numbers.shape != (order.size,):
            raise refusal("shape_of_long", shape=numbers.shape, rows=order.size)
        return read_outputs(numbers[order], order.shape[1], naming=Naming(known=systems), **kind)
    read = read_outputs(scores, order.size, **kind)
    parts = ((label, replace(part, values=part.values[0][order], systems=systems)) for label, part in read.parts)
    return replace(read, parts=tuple(parts), predicted=None if read.predicted is None else read.predicted[0][order])
