"""Scores and the data they belong to, read and checked together."""

from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.errors import LabelsError
from eec_bias.inputs.long import read_long
from eec_bias.inputs.matrices import refuse_other_order
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.runs import fold_runs
from eec_bias.inputs.sources import NO_ROWS, Source, read_source
from eec_bias.inputs.systems import Naming, Tasks
from eec_bias.options import FewRuns, OutputKind


def read_scored(
    scores: Any,
    data: Any,
    *,
    axes: tuple[str, ...] | None = None,
    by: str | None = None,
    score_range: tuple[float, float] = (0.0, 1.0),
    systems: Sequence[str] | str | None = None,
    tasks: Tasks = None,
    runs: Sequence[str] | str | None = None,
    few_runs: FewRuns = "refuse",
    data_name: str | None = None,
    outputs: OutputKind = "score",
    classes: Mapping[Any, float] | Sequence[Any] | None = None,
) -> tuple[Source, Outputs]:
    """Check scores and data; long data become wide: one row per sentence, and the outputs of these sentences.

    Parameters
    ----------
    scores, data, by, score_range, systems, tasks, runs, few_runs, data_name, outputs, classes
        As for `measure`.
    axes : tuple of str, optional
        The axes asked for.

    Raises
    ------
    ScoresError, LabelsError, OptionError
        As for `measure`.
    """
    source = read_source(data, data_name)
    if not source.rows:
        raise LabelsError(NO_ROWS)
    refuse_other_order(scores, data)
    kind: dict[str, Any] = {"outputs": outputs, "classes": classes, "score_range": score_range}
    if not (isinstance(systems, str) or isinstance(runs, str)):
        read = read_outputs(scores, source.rows, naming=Naming(systems, tasks, runs), **kind)
        return source, fold_runs(read, few_runs)
    long = read_long(source, systems, tasks, axes, runs, by)
    return long.sentences, fold_runs(long.read(scores, **kind), few_runs)
