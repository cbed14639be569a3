"""The way in for tables that users bring, in files or in memory: opened, labelled, and read as scores.

`files` finds and opens a table, `labels` finds whom and what its rows are about, `columns` says which of its columns
are what, `cells` reads what they hold, and `scores` joins the numbers to the labels.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.tables.columns import joined_columns, key_of, own_columns
from eec_datasets.audit.tables.files import KINDS, NO_OPTIONS, Files, TableOptions, find_files, kind_of
from eec_datasets.audit.tables.labels import LabelledTable, check_header, find_labels, own_labels
from eec_datasets.audit.tables.scores import TableScores, scores_of
from eec_datasets.audit.tables.sheets import table_of
from eec_datasets.errors import InputError
from eec_datasets.systems.base import NO_RANGE

if TYPE_CHECKING:
    import pyarrow as pa

LISTED: Final = 6
"""Columns that a line names."""


def given_table(content: Any, **said: Any) -> Files:
    """Return a path, frame, dataset or mapping as a table that can be read, with what is said of it as options."""
    options = TableOptions(**{name: value for name, value in said.items() if value is not None})
    if isinstance(content, str | os.PathLike):
        return find_files(os.fspath(content), options)
    return Files("the table", (), "memory", options, content=table_of(content))


def read_given(files: Files, **how: Any) -> TableScores:
    """Read a table of scores with the labels of its rows, and say in one line how it was read.

    Parameters
    ----------
    files
        The table.
    how
        What `labels.find_labels` takes: ``config``, ``data``, ``axes``, ``cluster``.

    Raises
    ------
    InputError
        Everything that is wrong with the table, at once; or nothing says whom its rows are about.
    """
    labels = find_labels(files, **how)
    scores = _read(files, labels)
    return replace(scores, notes=[*_read_as(labels, list(scores.scores)), *scores.notes])


def read_table(files: Files) -> TableScores:
    """Read a table of scores that has the columns ``person`` and ``item`` itself."""
    return _read(files, own_labels(files))


def label_rows(files: Files, row: str, **how: Any) -> TableScores:
    """Return the labels of a table's rows, with the number of each row as its score."""
    import pyarrow as pa

    table = files.read(files.columns, [name for name in files.columns if name != "id"])
    numbered = table.append_column(row, pa.array(range(len(table)), pa.float64()))
    options = replace(files.options, columns=(row,), score_range=NO_RANGE)
    files = replace(files, content=numbered, options=options)
    labels = find_labels(files, **how)
    scores = _read(files, labels)
    return replace(scores, notes=[*_read_as(labels, []), *scores.notes])


def read_scores(
    path: Path, rows: pa.Table, data: str = "", options: TableOptions = NO_OPTIONS, *, name: str = "", most: int = 10**9
) -> TableScores:
    """Read a table of scores and put it into the order of a corpus.

    Parameters
    ----------
    path
        A file of any kind in `files.KINDS`, text in any separator and encoding that spreadsheets write: a column
        ``id``, or ``text`` where there are no ids, and one column of scores per system; or a row per system and
        sentence. Columns named like one of the corpus (``text``, ``race``, …) must hold what the corpus holds.
    rows
        The corpus, with a column ``id``.
    data
        ``NAME@VERSION#HASH`` of the corpus; a file written by ``eec audit`` must say the same.
    options
        What the user says of the table.
    name
        What messages call the file; by default its path.
    most
        Columns of scores that are read; a file with more is refused before its rows are looked at.

    Raises
    ------
    InputError
        Everything that is wrong with the file, at once, by line; or it can be understood in more than one way.
    Unavailable
        What reads such a file is not installed.
    """
    if not path.exists():
        # Each library that reads a table has a message of its own.
        raise InputError(f"Cannot read {name or path}: No such file or directory.")
    kind = kind_of(path)
    letters = "".join(sorted(set().union(*rows["text"].to_pylist()))) if "text" in rows.column_names else ""
    files = Files(name or str(path), (str(path),), kind if kind in KINDS else "csv", options, letters)
    check_header(files, data)
    columns = [column for column in files.columns if column not in rows.column_names]
    if len(columns) > most:
        raise InputError(
            f"{files.source}: {len(columns):,} columns of scores; expected at most {most:,}, one per system. Leave out "
            "those that are none, or use fewer systems at a time."
        )
    key = key_of(files.source, files.columns, rows.column_names)
    target = f"config {data.partition('@')[0]}"
    return _read(files, LabelledTable(files.table, rows, key, target, notes=files.notes))


def _read(files: Files, labels: LabelledTable) -> TableScores:
    if labels.rows is None:
        columns = own_columns(files, labels.table, labels.scores)
    else:
        columns = joined_columns(files, labels.table, labels.key, labels.rows.column_names)
    return scores_of(files, labels, columns)


def _read_as(labels: LabelledTable, systems: Sequence[str]) -> list[str]:
    """Return the line that says how a table was read, unless its labels were named as ours are."""
    if not labels.origin:
        return []
    quoted = [f"`{name}`" for name in systems]
    if len(quoted) > LISTED + 1:
        quoted[LISTED:] = [f"{len(quoted) - LISTED} more"]
    of_scores = f", scores from {', '.join(quoted)}" if quoted else ""
    return [f"read as: {labels.origin}{of_scores}; {labels.found}"]
