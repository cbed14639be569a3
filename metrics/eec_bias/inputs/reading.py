"""Scores and the data they belong to, read and checked together."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eec_bias.errors import LabelsError
from eec_bias.inputs.long import read_long
from eec_bias.inputs.matrices import as_numbers, refuse_other_order
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.runs import fold_runs
from eec_bias.inputs.sources import NO_ROWS, Source, read_source
from eec_bias.inputs.systems import Naming, Systems
from eec_bias.options import DEFAULTS, Ints
from eec_bias.sentences import refusal


def read_scored(
    scores: Any, data: Any, *, axes: tuple[str, ...] | None = None, **options: Any
) -> tuple[Source, Outputs]:
    """Check scores and data; long data become wide: one row per sentence, and the outputs of these sentences.

    Parameters
    ----------
    scores, data
        As for `measure`.
    axes : tuple of str, optional
        The axes asked for.
    **options
        Of `measure`, checked by their declarations; those that say what the scores are and of what are followed.

    Raises
    ------
    ScoresError, LabelsError, OptionError
        As for `measure`.
    """
    settings = DEFAULTS | options
    source = read_source(data, settings["data_name"])
    if not source.rows:
        raise LabelsError(NO_ROWS)
    refuse_other_order(scores, data)
    naming = Naming(*(settings[name] for name in ("systems", "tasks", "runs")))
    kind = {name: settings[name] for name in ("outputs", "classes", "score_range")}
    if isinstance(naming.systems, str) or isinstance(naming.runs, str):
        source, order, systems = read_long(source, naming, axes, settings["by"])
        read = _read_by_system(scores, order, systems, kind)
    else:
        read = read_outputs(scores, source.rows, naming=naming, **kind)
    return source, fold_runs(read, settings["few_runs"])


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
