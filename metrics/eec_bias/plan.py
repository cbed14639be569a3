"""The questions of a list; they depend on the labels alone, so they are known before anything is scored."""

from typing import Any

from eec_bias.assembly.questions import checksums_of, design_questions, emotions_of
from eec_bias.inputs.reading import label_rows
from eec_bias.inputs.sources import read_source
from eec_bias.inputs.strata import stratify
from eec_bias.options import DEFAULTS, MeasureOptions
from eec_bias.result.plan import PlannedList


def plan_list(name: str, data: Any, options: MeasureOptions = DEFAULTS, *, secondary: bool = False) -> PlannedList:
    """Return what a list of names and words asks, before anything is scored.

    Parameters
    ----------
    name : str
        Of the list.
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        As for `measure`.
    options : MeasureOptions
        As for `measure`; of scores, not of classes.
    secondary : bool
        Whether it is a part of another list.

    Raises
    ------
    LabelsError, DesignError
        As `measure`.
    """
    strata, _ = stratify(label_rows(read_source(data), options), options)
    return PlannedList(name, tuple(design_questions(strata, [None], options)), emotions_of(strata), secondary)


def sentence_checksums(data: Any, options: MeasureOptions = DEFAULTS) -> dict[str, str]:
    """Return a checksum of the sentences that each question of a list compares, by the id of the question.

    Two lists that hold the same sentences for a question, in whatever order, have the same checksum.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        As for `measure`; the sentences are the column ``text``.
    options : MeasureOptions
        As for `measure`.

    Returns
    -------
    dict
        Empty where there is no column ``text``.

    Raises
    ------
    LabelsError, DesignError
        As `measure`.
    """
    strata, _ = stratify(label_rows(read_source(data), options), options)
    return checksums_of(strata, options)
