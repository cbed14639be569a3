"""The questions of a list and the sentences that answer them, known before anything is scored."""

from typing import Any

from eec_bias.assembly.questions import plan_design
from eec_bias.inputs.containers import read_source
from eec_bias.inputs.observed import label_rows
from eec_bias.inputs.strata import stratify
from eec_bias.options import DEFAULTS, MeasureOptions
from eec_bias.result.plan import Plan


def plan_list(data: Any, options: MeasureOptions = DEFAULTS) -> Plan:
    """Return what `measure` asks of scores on a list of names and words.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        As for `measure`.
    options : MeasureOptions
        As for `measure`; of scores, not of classes.

    Raises
    ------
    LabelsError, DesignError
        As `measure`.
    """
    strata, _ = stratify(label_rows(read_source(data), options), options)
    return plan_design(strata, [None], options)
