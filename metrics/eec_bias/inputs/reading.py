"""Scores and the data they belong to, read and checked together."""

from typing import Any

from eec_bias.errors import LabelsError
from eec_bias.inputs.long import read_long
from eec_bias.inputs.matrices import refuse_other_order
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.runs import fold_runs
from eec_bias.inputs.sources import NO_ROWS, Source, read_source
from eec_bias.inputs.systems import Naming
from eec_bias.options import DEFAULTS


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
    systems, tasks, runs = (settings[name] for name in ("systems", "tasks", "runs"))
    kind = {name: settings[name] for name in ("outputs", "classes", "score_range")}
    if not (isinstance(systems, str) or isinstance(runs, str)):
        read = read_outputs(scores, source.rows, naming=Naming(systems, tasks, runs), **kind)
        return source, fold_runs(read, settings["few_runs"])
    long = read_long(source, systems, tasks, axes, runs, settings["by"])
    return long.sentences, fold_runs(long.read(scores, **kind), settings["few_runs"])
