"""Tables that people have, in files or in memory, as scores and labelled rows; eec_datasets reads them."""

import importlib
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eec_bias.errors import EecError, LabelsError, OptionError
from eec_bias.inputs.containers import KEYS, column_names, columns_of, is_column, open_scores, refuse_other_order
from eec_bias.inputs.engines import is_engine_table
from eec_bias.notes import Note
from eec_bias.options import DEFAULTS, MeasureOptions

LABELS = frozenset({"person", "item"})
"""Columns without which rows are labelled first."""

ROW = "row of the table"
"""Column by which labels are brought into the order of a table's rows."""

WITHOUT_DATA = (
    "data is missing; pass the labelled rows as second argument, or one table with sentences, groups and scores"
)


def with_labels(scores: Any, data: Any, options: MeasureOptions) -> tuple[Any, Any, MeasureOptions, tuple[Note, ...]]:
    """Return scores, labelled rows, the options that both need, and how a table was read; labelled rows pass.

    Raises
    ------
    OptionError, LabelsError
        There is no table, it cannot be read, or nothing says whom its rows are about.
    """
    engine = data is not None and is_engine_table(data)
    if not engine:
        scores = open_scores(scores, data)
    if data is None and not is_table(scores):
        raise OptionError(WITHOUT_DATA)
    labelled = data is not None and not engine and _is_labelled(data)
    if engine or (labelled and not (is_table(scores) and _may_be_joined(scores, data))):
        _refuse_of_tables(options)
        return scores, data, options, ()
    try:
        return _read(scores, data, options)
    except EecError as error:
        if isinstance(error, ValueError):
            raise
        raise LabelsError(str(error).rstrip(".")) from error


def is_table(given: Any) -> bool:
    """Return whether a value is a path or a table of several columns, which may hold labels as well as scores."""
    if isinstance(given, str | os.PathLike):
        return True
    if hasattr(given, "with_format") and hasattr(given, "info"):
        return True
    columns = columns_of(given) if _has_columns(given) else None
    return columns is not None and all(is_column(column) for column in columns.values())


def _has_columns(given: Any) -> bool:
    return isinstance(given, Mapping) or hasattr(given, "columns") or hasattr(given, "column_names")


def _is_labelled(data: Any) -> bool:
    """Return whether rows have the labels that the metric needs, or are no table, which is refused elsewhere."""
    if isinstance(data, str | os.PathLike):
        return False
    if not _has_columns(data):
        return True
    names = set(columns_of(data, LabelsError) or ())
    known = {name.casefold() for name in names} & KEYS
    return bool(names & LABELS) or not known


def _refuse_of_tables(options: MeasureOptions) -> None:
    for name in ("config", "text", "score"):
        if getattr(options, name) is not None:
            raise OptionError(
                f"{name} is for one table with sentences and scores, and the data have labels already; leave it out"
            )


def _read(scores: Any, data: Any, options: MeasureOptions) -> tuple[Any, Any, MeasureOptions, tuple[Note, ...]]:
    entrance = importlib.import_module("eec_datasets.audit.tables.entrance")
    axes = tuple(options.axes or ())
    if data is None or (is_table(scores) and _may_be_joined(scores, data)):
        files = entrance.given_table(scores, **_said(options))
        rows = None if data is None else entrance.given_table(data)
        given = entrance.read_given(files, config=options.config, data=rows, axes=axes)
        taken = {name: value for name, value in given.options.items() if getattr(options, name) is None}
        measured = replace(options, **taken, config=None, text=None, score=None)
        if options.score_range == DEFAULTS.score_range:
            measured = replace(measured, score_range=given.score_range)
        notes = tuple(Note("table_read", {"said": note}) for note in given.notes)
        return given.measured, given.rows, measured, notes
    if options.score is not None:
        raise OptionError("score names a column of a table of scores, and the scores were given; leave it out")
    files = entrance.given_table(data, text=options.text)
    given = entrance.label_rows(files, ROW, config=options.config, axes=axes)
    place = np.asarray(given.scores[ROW])
    kept = np.flatnonzero(~np.isnan(place))
    labels = given.rows.take(kept[np.argsort(place[kept], kind="stable")])
    if hasattr(data, "iloc"):
        refuse_other_order(scores, data)
        labels = labels.to_pandas().set_axis(data.index)
    notes = tuple(Note("table_read", {"said": note}) for note in given.notes)
    return scores, labels, replace(options, config=None, text=None), notes


def _may_be_joined(scores: Any, data: Any) -> bool:
    """Return whether scores have ids or texts, as the rows do, by which they belong to these."""
    if not (isinstance(data, str | os.PathLike) or _has_columns(data)):
        return False
    if isinstance(scores, str | os.PathLike):
        return True
    ours, theirs = ({name.casefold() for name in _names(each)} & KEYS for each in (scores, data))
    return bool(ours and theirs)


def _names(table: Any) -> Any:
    if isinstance(table, str | os.PathLike):
        return KEYS
    return column_names(table)


def _said(options: MeasureOptions) -> dict[str, Any]:
    """Return what the options say of a table of scores."""
    columns = (options.score,) if isinstance(options.score, str) else tuple(options.score or ())
    named = [options.by, *(options.axes or ()), *columns]
    default = options.score_range == DEFAULTS.score_range
    limits = (-np.inf, np.inf) if options.score_range is None else options.score_range
    worth = options.classes if isinstance(options.classes, Mapping) and options.output_kind == "score" else {}
    return {
        "columns": columns,
        "classes": options.output_kind == "class",
        "score_range": None if default else limits,
        "facets": {name: value for name in ("systems", "tasks", "runs") if (value := getattr(options, name))},
        "named": tuple(filter(None, named)),
        "worth": worth,
        "positive_class": options.positive_class,
        "text": options.text,
    }
