"""A user's scores: which columns they are, put beside the rows they are of, and all that is wrong with them at once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets import corpora
from eec_datasets.audit.tables.columns import (
    as_text,
    choose_scores,
    holds_outputs,
    key_of,
    long_facets,
    number_columns,
    number_of,
    numbers_of,
    pick,
    refuse_nested,
    runs_of,
    scores_of_pipeline,
    with_points,
)  # fmt: skip
from eec_datasets.audit.tables.files import NO_OPTIONS, Files, TableOptions, kind_of
from eec_datasets.audit.tables.forms import KINDS
from eec_datasets.errors import InputError
from eec_datasets.text_file import all_digits, straightened

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Column = NDArray[np.float64] | NDArray[np.object_]

MOST_LABELS: Final = 9
"""Labels that are listed; texts of more kinds are hardly labels."""

FLOAT_NOISE: Final = 1e-6
"""Scores beyond the range by this share of it are taken as its ends, which the metric counts and says."""

SHOWN: Final = 3
"""Problems of one kind that are spelled out; the rest are counted."""

RETYPED: Final = (
    "texts in which a program changed quotes or spaces or took accents apart (undo it, or match by the column id alone)"
)
"""What is said of texts that are those of the corpus but for that."""

DAMAGED: Final = "ids that a spreadsheet has made dates or numbers (format the column as text first)"

ROW: Final = "\0row"
"""Column that numbers the rows of a table of scores, so that they are told by their lines in any order."""

NOTHING: Final = (None, "", "NaN", "nan")
"""What stands in a column of scores for none."""


@dataclass(frozen=True, slots=True)
class TableScores:
    """Scores in the order of the rows they are of.

    Attributes
    ----------
    scores
        One array per system, by column name.
    score_range
        Lowest and highest possible score: as declared, else as the file says, else 0 to 1.
    system
        Name of the one system, where the file was written by ``eec audit``, else empty.
    rows
        What they are of: the rows of the corpus (also where it is None), or these once per system where the table has
        a row per system.
    options
        What `measure` must be told of it: columns that name systems, tasks and runs, or the names of runs.
    notes
        What was guessed of the table.
    """

    scores: dict[str, Column]
    score_range: tuple[float, float]
    system: str = ""
    rows: pa.Table | None = None
    options: dict[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def measured(self) -> Any:
        """Return what `measure` takes: one column where there is one system, a matrix where there are runs of one."""
        if len(self.scores) == 1:
            return next(iter(self.scores.values()))
        return list(self.scores.values()) if "runs" in self.options else self.scores


@dataclass(slots=True)
class RowProblems:
    """Collects what is wrong with a file, so that one reading of it shows all."""

    head: str
    expected: str
    noun: str = "rows"
    lines: list[str] = field(default_factory=list)

    def add(self, kind: str, count: int, examples: Sequence[str]) -> None:
        """Add problems of a kind: how often, and the first `SHOWN` of them."""
        if count:
            more = f" … and {count - SHOWN:,} more" if count > SHOWN else ""
            times = "once" if count == 1 else f"{count:,} times"
            self.lines.append(f"  {kind}, {times}: {'; '.join(examples[:SHOWN])}{more}")

    def add_rows(self, kind: str, rows: Sequence[int] | NDArray[np.intp], describe: Callable[[int], str]) -> None:
        """Add one problem per row."""
        self.add(kind, len(rows), [describe(int(row)) for row in rows[:SHOWN]])

    def raise_if_any(self, hint: Callable[[], str] = str) -> None:
        """Say all of it, and what ``hint`` finds.

        Raises
        ------
        InputError
            There are some.
        """
        if self.lines:
            raise InputError("\n".join([self.head, *self.lines, f"{hint()}{self.expected} Nothing was measured."]))


def misfits(path: str, rows: str, key: str = "id") -> RowProblems:
    """Problems of scores that stand in a file of their own, and the rows they are of: ``the data``, ``config NAME``."""
    noun = rows.removeprefix("the ").partition(" ")[0]
    expected = f"Expected every {key} of the {noun} once, with one number per system."
    return RowProblems(f"{path} does not fit {rows}:", expected, noun)


def read_scores(
    path: Path, rows: pa.Table, data: str = "", options: TableOptions = NO_OPTIONS, *, name: str = "", most: int = 10**9
) -> TableScores:
    """Read a table of scores and put it into the order of a corpus.

    Parameters
    ----------
    path
        A file of any kind in `forms.KINDS`, text in any separator and encoding that spreadsheets write: a column
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
    if files.header and files.header.data != data:
        raise InputError(
            f"{files.source}: the scores are of {files.header.data}, the corpus is {data}. Choose the corpus they are "
            "of, or score the corpus as it is now. If only some of its names or items were scored, the audit that "
            "scored them measures them again, from the stored answers; with other options they are measured with "
            "--data, beside the rows that eec_datasets.load(…, names=, items=) gives."
        )
    columns = [column for column in files.columns if column not in rows.column_names]
    if len(columns) > most:
        raise InputError(
            f"{files.source}: {len(columns):,} columns of scores; expected at most {most:,}, one per system. Leave out "
            "those that are none, or use fewer systems at a time."
        )
    return read_beside(rows, files, f"config {data.partition('@')[0]}")


def read_table(data: Files, scores: Files | None = None) -> TableScores:
    """Read a table of labels, and its scores or those of a file of their own, to memory.

    Raises
    ------
    InputError
        A file is damaged, a score is no number, or the scores do not fit the rows.
    """
    if scores is None:
        systems = choose_scores(data)
        table = data.read([name for name in data.columns if name not in ("id", "text")], systems)
        table, data, of_pipeline = scores_of_pipeline(data, table, systems)
        if of_pipeline:
            table = table.drop_columns(["label"])
        problems = RowProblems(f"{data.source} cannot be measured:", "Expected one finite number per row and system.")
        columns, notes = with_points(data, table.select(systems))
        found = {name: _score_column(name, columns[name], data, data.line, problems) for name in systems}
        problems.raise_if_any()
        _refuse_empty(data, found)
        labels, of_numbers = _without_numbers(table.drop_columns(systems), data)
        all_notes = [*data.notes, *notes, *of_pipeline, *of_numbers]
        read_by = {"classes": None} if of_pipeline else {}
        return TableScores(found, data.limits, rows=labels, options=runs_of(data, systems) | read_by, notes=all_notes)
    if "text" not in scores.columns:
        key_of(data.source, data.columns, ("id",))
    rows = data.read([name for name in data.columns if name != "text" or name in scores.columns])
    refuse_nested(rows, scores.columns, data.source)
    aligned = read_beside(rows, scores, "the data")
    assert aligned.rows is not None
    join_keys = [name for name in ("id", "text") if name in rows.column_names]
    labels, of_numbers = _without_numbers(aligned.rows.drop_columns(join_keys), data)
    of_rows = [f"in {data.source} {note}" for note in (*data.notes, *of_numbers)]
    return replace(aligned, rows=labels, notes=[*of_rows, *aligned.notes])


def _without_numbers(rows: pa.Table, data: Files) -> tuple[pa.Table, list[str]]:
    """Leave out the columns of a text file that hold numbers and are no groups; and say so."""
    numbers, notes = number_columns(data, rows.column_names, lambda name: rows[name].unique().to_pylist())
    return rows.drop_columns(numbers), notes


def read_beside(rows: pa.Table, files: Files, target: str) -> TableScores:
    """Read a file of scores and put it into the order of the rows they are of."""
    import numpy as np
    import pyarrow as pa

    key = key_of(files.source, files.columns, rows.column_names)
    table, of_points = with_points(files, files.read(files.columns, files.columns))
    refuse_nested(table, rows.column_names, files.source)
    asked = files.options.columns or table.column_names
    table, files, of_pipeline = scores_of_pipeline(
        files, table, [name for name in asked if name not in rows.column_names]
    )
    facets = long_facets(files, table, key, rows.column_names)
    told = list(facets.values())
    others = [*rows.column_names, *told]
    if of_pipeline:
        others.append("label")
    systems, of_columns = pick(files, table, others)
    if facets and len(systems) > 1:
        raise InputError(
            f"{files.source}: a row per system has one score, and there are {', '.join(systems)}. Name one as score."
        )
    parts = [table.append_column(ROW, pa.array(range(len(table))))]
    if facets:
        by_facet = table.select(told).to_pandas().groupby(told, sort=False, dropna=False).indices
        parts = [parts[0].take(part) for part in by_facet.values()]
    problems = misfits(files.source, target, key)
    aligned = [_aligned(rows, part, key, files, systems, problems) for part in parts]
    guessed = "; ".join([*files.notes, *of_points])
    as_read = f"As it was read: {guessed}. " if guessed else ""
    problems.raise_if_any(lambda: as_read + other_corpus(target, rows, table))
    scores = {name: np.concatenate([part[name] for part in aligned]) for name in systems}
    _refuse_empty(files, scores)
    notes = [*files.notes, *of_points, *of_pipeline, *of_columns]
    if facets:
        clear = facets.items() <= files.options.facets.items() or re.search("system|model", told[0], re.IGNORECASE)
        taken = "" if clear else ", taken as systems and not as runs of one"
        taken = ", taken as runs of one system" if "runs" in facets and not files.options.facets else taken
        notes.append(f"a row per {' and '.join(told)}: {len(parts)} for every sentence{taken}")
    repeated = pa.concat_tables([rows] * len(parts))
    for column in told:
        labels = [str(part[column][0]) for part in parts]
        repeated = repeated.append_column(column, pa.array(np.repeat(labels, len(rows)).tolist()))
    system, options = files.header.system if files.header else "", facets or runs_of(files, systems)
    if of_pipeline:
        options = {**options, "classes": None}
    return TableScores(scores, files.limits, system, repeated, options, notes)


def _aligned(
    rows: pa.Table, table: pa.Table, key: str, files: Files, systems: Sequence[str], problems: RowProblems
) -> dict[str, Column]:
    """Put a table of scores into the order of the rows they are of, and compare what both hold."""
    import pyarrow.compute as pc

    def lines_of(part: pa.Table) -> Callable[[int], str]:
        return lambda row: files.line(part[ROW][row].as_py())

    ids, keys = keys_of(rows, key), keys_of(table, key)
    blank = pc.fill_null(pc.equal(keys, ""), True)
    problems.add_rows(f"rows without {key} (delete those that are empty)", _where(blank), lines_of(table))
    table, keys = table.filter(pc.invert(blank)), keys.filter(pc.invert(blank))
    line = lines_of(table)
    _add_doubles(f"{key}s that several rows of the {problems.noun} have", ids, lambda row: f"row {row + 1}", problems)
    _add_doubles(f"duplicate {key}s", keys, line, problems)
    _add_unknown(key, keys, ids, line, problems)
    position = pc.index_in(ids, value_set=keys)
    every, found = position, position.is_valid()
    rows, table, known = rows.filter(found), table.take(position.drop_null()), ids.filter(found)
    line_of = lines_of(table)

    def place(row: int) -> str:
        return f"{line_of(row)} ({known[row]})"

    for name in table.column_names:
        if name in rows.column_names and name not in (key, *systems):
            _compare(name, as_text(table[name]), as_text(rows[name]), place, problems)
    there = _where(every.is_valid())
    columns = {name: _score_column(name, table[name], files, place, problems) for name in systems}
    return {name: _spread_out(column, there, len(every)) for name, column in columns.items()}


def keys_of(table: pa.Table, key: str) -> Any:
    """Return what rows are matched by: ids as they are, texts as programs may have changed them unasked."""
    import pyarrow as pa

    column = as_text(table[key])
    return column if key == "id" else pa.array([straightened(text) for text in column.to_pylist()], pa.string())


def _spread_out(column: Column, there: NDArray[np.intp], count: int) -> Column:
    """Return a column in the order of all rows; those that are not there have no score, as an empty cell has none."""
    import numpy as np

    if len(there) == count:
        return column
    whole: Column = np.full(count, np.nan) if column.dtype == float else np.full(count, None, dtype=object)
    whole[there] = column
    return whole


def _where(mask: Any) -> NDArray[np.intp]:
    """The rows of which something holds."""
    import numpy as np

    return np.flatnonzero(mask.to_numpy(zero_copy_only=False))


def _add_doubles(kind: str, ids: Any, line: Callable[[int], str], problems: RowProblems) -> None:
    import numpy as np
    import pyarrow.compute as pc

    first = pc.index_in(ids, value_set=ids).to_numpy()
    again = np.flatnonzero(first != np.arange(len(first)))
    problems.add_rows(kind, again, lambda row: f"{ids[row]} in {line(int(first[row]))} and {line(row)}")


def _add_unknown(key: str, keys: Any, ids: Any, line: Callable[[int], str], problems: RowProblems) -> None:
    """Add what is no id (text) of the rows, and what a spreadsheet has done to it."""
    import pyarrow.compute as pc

    unknown = _where(pc.invert(pc.is_in(keys, value_set=ids))).tolist()
    if not unknown:
        return
    names, expected, changed = keys.to_pylist(), ids.to_pylist(), []
    if key == "id":
        from eec_bias.reading import DATE

        numbers = {number_of(name) for name in expected} - {math.nan}
        changed = [row for row in unknown if DATE.fullmatch(names[row]) or number_of(names[row]) in numbers]

    def describe(row: int) -> str:
        return f"{names[row]!r} in {line(row)}"

    problems.add_rows(DAMAGED, changed, describe)
    problems.add_rows(f"unknown {key}s", [row for row in unknown if row not in set(changed)], describe)


def other_corpus(target: str, rows: pa.Table, table: pa.Table) -> str:
    """Say of which corpora the rows of a table are, if they are not of the one they were taken for."""
    import pyarrow.compute as pc

    key = next(name for name in ("text", "id") if name in table.column_names and name in rows.column_names)
    keys = as_text(table[key])

    def holds(corpus: pa.Table) -> bool:
        return bool(pc.all(pc.is_in(keys, value_set=as_text(corpus[key]))).as_py())

    if not target.startswith("config ") or not len(keys):
        return ""
    if holds(rows):
        return ""
    # A corpus that lacks one of the persons is told by its locale: to render all of them takes seconds.
    ids = as_text(table["id"]).to_pylist() if "id" in table.column_names else []
    persons = {name.rpartition("/")[2] for name in ids if name and (key == "id" or "/" in name)}
    likely = [config for config in corpora.usable()[0] if persons <= {person.id for person in config.persons}]
    names = [config.name for config in likely if holds(corpora.table(config))]
    return f"All {key}s of the file are of {', '.join(names)}. " if names else ""


def _compare(name: str, theirs: Any, ours: Any, line: Callable[[int], str], problems: RowProblems) -> None:
    import pyarrow.compute as pc

    # Nothing and an empty text are one in CSV, and so are 1 and 1.0.
    differs = _where(pc.not_equal(pc.fill_null(theirs, ""), pc.fill_null(ours, ""))).tolist()
    values = {row: (theirs[row].as_py(), ours[row].as_py()) for row in differs}
    other = {row: pair for row, pair in values.items() if number_of(pair[0]) != number_of(pair[1])}
    same = [row for row, pair in other.items() if name == "text" and len({*map(straightened, pair)}) == 1]

    def describe(row: int) -> str:
        return f"{other[row][0]!r} in {line(row)}, expected {other[row][1]!r}"

    problems.add_rows(RETYPED, same, describe)
    kind = f"values of {name!r} that differ from the {problems.noun}"
    problems.add_rows(kind, [row for row in other if row not in set(same)], describe)


def _score_column(name: str, column: Any, files: Files, line: Callable[[int], str], problems: RowProblems) -> Column:
    """Read a column of scores, or of labels, which have no limits.

    An empty cell is a sentence without a score, and NaN: the metric estimates from the others, and says so.
    """
    import numpy as np

    from eec_bias.reading import how_to_write

    if files.options.classes:
        labels: Column = np.array(column.cast("string").to_pylist(), dtype=object)
        return labels
    if holds_outputs(column, files.options):
        outputs = np.empty(len(column), dtype=object)
        outputs[:] = [None if _is_empty(cell) else cell for cell in column.to_pylist()]
        return outputs
    values = numbers_of(column)
    low, high = files.limits
    unread = np.flatnonzero(~np.isfinite(values))
    cells = column.take(unread).to_pylist()
    wrong = np.array([row for row, cell in zip(unread, cells, strict=True) if not _is_empty(cell)], dtype=int)
    noise = FLOAT_NOISE * (high - low)
    with np.errstate(invalid="ignore"):
        outside = np.flatnonzero(np.isfinite(values) & ((values < low - noise) | (values > high + noise)))
    classes = _say_classes(column) if len(wrong) and len(unread) == len(values) else ""
    hint = next((hint for row in wrong[:SHOWN] if (hint := how_to_write(column[int(row)].as_py()))), classes)
    kind = f"values that are no finite number{f' ({hint})' if hint else ''}"
    problems.add_rows(kind, wrong, lambda row: f"{name} = {column[row].as_py()!r} in {line(row)}")
    advice = "declare the lowest and highest possible score with --score-range (score_range= in Python)"
    if len(outside) and np.nanmin(values) >= 0 and 10 < np.nanmax(values) <= 100:
        advice += ", 0 and 100 for percentages"
    advice += ", or none with --no-score-range (None)"
    kind = f"scores outside {all_digits(low)} to {all_digits(high)} ({advice})"
    problems.add_rows(kind, outside, lambda row: f"{name} = {all_digits(values[row])} in {line(row)}")
    return values


def _say_classes(column: Any) -> str:
    """Say how labels are measured, with the labels that there are."""
    labels = sorted({str(cell) for cell in column.unique().to_pylist() if not _is_empty(cell)})
    if len(labels) > MOST_LABELS:
        return "if they are labels, name the one that counts as 1 with --positive-class (positive_class= in Python)"
    listed = ", ".join(labels)
    return (
        f"these are {listed}: name the label that counts as 1, such as {labels[-1]}, with --positive-class "
        "(positive_class= in Python)"
    )


def _refuse_empty(files: Files, scores: dict[str, Column]) -> None:
    import numpy as np

    if all(len(values) and values.dtype == float and np.isnan(values).all() for values in scores.values()):
        raise InputError(
            f"{files.source}: there are no scores: {', '.join(scores)} is empty in every row. Fill it in; a formula "
            "counts once a spreadsheet program has computed and saved it."
        )


def _is_empty(cell: object) -> bool:
    return cell in NOTHING or (isinstance(cell, float) and math.isnan(cell))
