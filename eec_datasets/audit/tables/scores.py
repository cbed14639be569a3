"""A user's scores: the numbers of each system, in the order of the rows they are of, or all that is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from eec_datasets import corpora
from eec_datasets.audit.tables.cells import as_text, is_empty, number_of, numbers_of
from eec_datasets.audit.tables.columns import ScoreColumns
from eec_datasets.audit.tables.files import Files
from eec_datasets.audit.tables.labels import LabelledTable
from eec_datasets.errors import InputError
from eec_datasets.text_file import all_digits, straightened

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from eec_datasets.systems.base import Range
    from eec_datasets.systems.corpus import Corpus

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
"""Description of texts that are those of the corpus except for such changes."""

DAMAGED: Final = "ids that a spreadsheet has made dates or numbers (format the column as text first)"

ROW: Final = "\0row"
"""Column that numbers the rows of a table of scores, so that they are told by their lines in any order."""


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
    corpus
        The list that the rows are of, if they are of one.
    """

    scores: dict[str, Column]
    score_range: tuple[float, float]
    system: str = ""
    rows: pa.Table | None = None
    options: dict[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()
    corpus: Corpus | None = None

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


def scores_of(files: Files, labels: LabelledTable, columns: ScoreColumns) -> TableScores:
    """Return the scores of a table with the labels of their rows.

    Raises
    ------
    InputError
        A score is no number, or the scores do not fit the rows.
    """
    import numpy as np

    if labels.rows is None:
        scores, rows = _in_place(files, columns)
    else:
        scores, rows = _joined(files, labels, columns, labels.rows)
    if all(len(values) and values.dtype == float and np.isnan(values).all() for values in scores.values()):
        raise InputError(
            f"{files.source}: there are no scores: {', '.join(scores)} is empty in every row. Fill it in; a formula "
            "counts once a spreadsheet program has computed and saved it."
        )
    left_out = {*labels.left_out, *columns.left_out}
    return TableScores(
        scores,
        columns.limits,
        system=files.header.system if files.header else "",
        rows=rows.select([name for name in rows.column_names if name not in left_out]),
        options=dict(columns.options),
        notes=[*labels.notes, *columns.written, *columns.notes],
        corpus=labels.corpus,
    )


def _in_place(files: Files, columns: ScoreColumns) -> tuple[dict[str, Column], pa.Table]:
    """Return the scores of a table that has labels itself, and its rows."""
    problems = RowProblems(f"{files.source} cannot be measured:", "Expected one finite number per row and system.")
    scores = _read_columns(files, columns, columns.table, files.line, problems)
    problems.raise_if_any()
    return scores, columns.table


def _joined(
    files: Files, labels: LabelledTable, columns: ScoreColumns, rows: pa.Table
) -> tuple[dict[str, Column], pa.Table]:
    """Return scores in the order of the rows that they are of; and these rows, once per system that has its own."""
    import numpy as np
    import pyarrow as pa

    table = columns.table
    parts = [table.append_column(ROW, pa.array(range(len(table))))]
    if columns.facets:
        by_facet = table.select(columns.facets).to_pandas()
        groups = by_facet.groupby(list(columns.facets), sort=False, dropna=False).indices
        parts = [parts[0].take(part) for part in groups.values()]
    problems = misfits(files.source, labels.target, labels.key)
    aligned = [_aligned(files, labels.key, columns, rows, part, problems) for part in parts]
    guessed = "; ".join([*labels.notes, *columns.written])
    as_read = f"As it was read: {guessed}. " if guessed else ""
    problems.raise_if_any(lambda: as_read + _other_corpus(labels.target, rows, table))
    repeated = pa.concat_tables([rows] * len(parts))
    for name in columns.facets:
        said = [str(part[name][0]) for part in parts]
        repeated = repeated.append_column(name, pa.array(np.repeat(said, len(rows)).tolist()))
    return {name: np.concatenate([part[name] for part in aligned]) for name in columns.scores}, repeated


def _aligned(
    files: Files, key: str, columns: ScoreColumns, rows: pa.Table, table: pa.Table, problems: RowProblems
) -> dict[str, Column]:
    """Put a table of scores into the order of the rows they are of, and compare what both hold."""
    import pyarrow.compute as pc

    def lines_of(part: pa.Table) -> Callable[[int], str]:
        return lambda row: files.line(part[ROW][row].as_py())

    ids, keys = _keys_of(rows, key), _keys_of(table, key)
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
        if name in rows.column_names and name not in (key, *columns.scores):
            _compare(name, as_text(table[name]), as_text(rows[name]), place, problems)
    there = _where(every.is_valid())
    scores = _read_columns(files, columns, table, place, problems)
    return {name: _spread_out(column, there, len(every)) for name, column in scores.items()}


def _keys_of(table: pa.Table, key: str) -> Any:
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


def _other_corpus(target: str, rows: pa.Table, table: pa.Table) -> str:
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


def _read_columns(
    files: Files, columns: ScoreColumns, table: pa.Table, line: Callable[[int], str], problems: RowProblems
) -> dict[str, Column]:
    """Read the columns of scores of a table: numbers, labels, which have no limits, or outputs of pipelines."""
    import numpy as np

    scores: dict[str, Column] = {}
    for name in columns.scores:
        column = table[name]
        if files.options.classes:
            scores[name] = np.array(column.cast("string").to_pylist(), dtype=object)
        elif name in columns.outputs:
            scores[name] = np.empty(len(column), dtype=object)
            scores[name][:] = [None if is_empty(cell) else cell for cell in column.to_pylist()]
        else:
            scores[name] = _read_numbers(name, column, columns.limits, line, problems)
    return scores


def _read_numbers(
    name: str, column: Any, limits: Range, line: Callable[[int], str], problems: RowProblems
) -> NDArray[np.float64]:
    """Read a column of numbers.

    An empty cell is a sentence without a score, and NaN: the metric estimates from the others, and says so.
    """
    import numpy as np

    from eec_bias.reading import how_to_write

    values = numbers_of(column)
    low, high = limits
    unread = np.flatnonzero(~np.isfinite(values))
    cells = column.take(unread).to_pylist()
    wrong = np.array([row for row, cell in zip(unread, cells, strict=True) if not is_empty(cell)], dtype=int)
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
    labels = sorted({str(cell) for cell in column.unique().to_pylist() if not is_empty(cell)})
    if len(labels) > MOST_LABELS:
        return "if they are labels, name the one that counts as 1 with --positive-class (positive_class= in Python)"
    listed = ", ".join(labels)
    return (
        f"these are {listed}: name the label that counts as 1, such as {labels[-1]}, with --positive-class "
        "(positive_class= in Python)"
    )
