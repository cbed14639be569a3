"""The questions of a list and the sentences that answer them, known before anything is scored."""

from typing import Any

from eec_bias.assembly.questions import checksums_of, plan_design
from eec_bias.inputs.reading import label_rows
from eec_bias.inputs.sources import read_source
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


def sentence_checksums(data: Any, options: MeasureOptions = DEFAULTS) -> dict[str, str]:
    """Return a checksum of the sentences that each main question of a list compares, by the id of the question.

    Two lists that have the same sentences for a question, in whatever order, have the same checksum.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        As for `measure`; the sentences are the column ``text``.
    options : MeasureOptions
        As for `measure`.

    Returns
    -------
    dict
        Empty without a column ``text``.

    Raises
    ------
    LabelsError, DesignError
        As `measure`.
    """
    strata, _ = stratify(label_rows(read_source(data), options), options)
    return checksums_of(strata)
