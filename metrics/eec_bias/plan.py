"""Which rows of terms a measurement gives; it depends on the labels alone, so it is known before anything is scored."""

from itertools import product
from typing import Any

from eec_bias.assembly.questions import checksums_of, design_questions, emotions_of
from eec_bias.inputs.reading import label_rows
from eec_bias.inputs.sources import read_source
from eec_bias.inputs.strata import stratify
from eec_bias.options import ANY, DEFAULTS, MeasureOptions
from eec_bias.result.frame import Row
from eec_bias.result.plan import PlannedList
from eec_bias.result.verdict import emotion_term
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.layout import Table
from eec_bias.stats.omnibus import Group, find_groups


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
    strata, _ = stratify(label_rows(read_source(data, None), options), options)
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
    strata, _ = stratify(label_rows(read_source(data, None), options), options)
    return checksums_of(strata, options)


def planned_terms(data: Any) -> list[Row]:
    """Name the rows that `measure` gives by default: term, level and subset of each.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        As for `measure`.

    Raises
    ------
    LabelsError, DesignError
        As `measure`.
    """
    rows = []
    for table in _tables(data):
        contrasts = build_contrasts(table.axes)
        terms: list[Contrast | Group] = [*contrasts, *find_groups(contrasts)]
        named = [{"term": each.term, "level": each.level, "subset": table.subset} for each in terms]
        rows += named
        if table.facets.emotions:
            for row, emotion in product(named[: len(contrasts)], (*table.facets.emotions, ANY)):
                rows.append({**row, "term": emotion_term(row["term"]), "emotion": emotion})
    return rows


def _tables(data: Any) -> tuple[Table, ...]:
    """Return the tables of persons × items that `measure` makes of these labels by default."""
    (stratum,), _ = stratify(label_rows(read_source(data, None), DEFAULTS), DEFAULTS)
    return stratum.design.tables
