"""A user's scores: which columns they are, put beside the rows they are of, and all that is wrong with them at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.table_files import Files
from eec_datasets.errors import BadScores
from eec_datasets.text_file import number

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Column = NDArray[np.float64] | NDArray[np.object_]

SCORE: Final = "score"
SHOWN: Final = 3
"""Problems of one kind that are spelled out; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores in the order of the rows they are of.

    Attributes
    ----------
    scores
        One array per system, by column name.
    score_range
        Lowest and highest possible score: as declared, else as the file says, else 0 to 1.
    system
        Name of the one system, where the file was written by ``eec audit``, else empty.
    """

    scores: dict[str, Column]
    score_range: tuple[float, float]
    system: str = ""

    @property
    def measured(self) -> Any:
        """What `measure` takes: one column where there is one system."""
        return next(iter(self.scores.values())) if len(self.scores) == 1 else self.scores


class Problems:
    """Collects what is wrong with a file, so that one reading of it shows all."""

    def __init__(self, head: str, expected: str) -> None:
        self.head = head
        self.expected = expected
        self.lines: list[str] = []

    def add(self, kind: str, count: int, examples: Sequence[str]) -> None:
        """Add problems of a kind: how many, and the first `SHOWN` of them."""
        if count:
            more = f" … and {count - SHOWN:,} more" if count > SHOWN else ""
            self.lines.append(f"  {count:,} {kind}: {'; '.join(examples[:SHOWN])}{more}")

    def add_rows(self, kind: str, rows: NDArray[np.intp], describe: Callable[[int], str]) -> None:
        """Add one problem per row."""
        self.add(kind, len(rows), [describe(int(row)) for row in rows[:SHOWN]])

    def raise_if_any(self) -> None:
        """Say all of it.

        Raises
        ------
        BadScores
            There are some.
        """
        if self.lines:
            raise BadScores("\n".join([self.head, *self.lines, f"{self.expected} Nothing was measured."]))


def misfits(path: str, what: str) -> Problems:
    """Problems of scores that stand in a file of their own, and the rows they are of: ``the data``, ``config NAME``."""
    expected = f"Expected every id of the {noun(what)} once, with one number per system."
    return Problems(f"{path} does not fit {what}:", expected)


def noun(what: str) -> str:
    """``data`` or ``config``."""
    return what.removeprefix("the ").partition(" ")[0]


def read_scores(
    path: Path,
    rows: pa.Table,
    score_range: tuple[float, float] | None = None,
    data: str = "",
    *,
    name: str = "",
    asked: Sequence[str] = (),
    outputs: str = "score",
    most: int | None = None,
) -> Scores:
    """Read a table of scores and put it into the order of a corpus.

    Parameters
    ----------
    path
        A UTF-8 CSV file with comma, with or without a byte-order mark, or a parquet file: a column ``id``, and one
        column of scores per system. Columns named like one of the corpus (``text``, ``race``, …) must hold what the
        corpus holds.
    rows
        The corpus, with a column ``id``.
    score_range
        Declared range; ``None`` takes the file's own declaration, or 0 to 1 without one.
    data
        ``NAME@VERSION#HASH`` of the corpus; a file written by ``eec audit`` must say the same.
    name
        What messages call the file; by default its path.
    asked
        Columns of scores; by default all that are none of the corpus.
    outputs
        What the scores are: ``class`` where they are labels, else numbers.
    most
        Columns of scores that are read; a file with more is refused before its rows are looked at.

    Raises
    ------
    BadScores
        Everything that is wrong with the file, at once, by line.
    """
    given = Files(name or str(path), (str(path),), "parquet" if path.suffix.lower() == ".parquet" else "csv")
    header = given.header
    if header and header.data != data:
        raise BadScores(
            f"{given.given}: the scores are of {header.data}, the corpus is {data}. Choose the corpus they are of, or "
            "score the corpus as it is now."
        )
    limits = score_range or ((header.low, header.high) if header else (0.0, 1.0))
    systems = choose_scores(asked, given, rows.column_names)
    if most is not None and len(systems) > most:
        raise BadScores(
            f"{given.given}: {len(systems):,} columns of scores; expected at most {most:,}, one per system. Leave out "
            "those that are none, or use fewer systems at a time."
        )
    what = f"config {data.partition('@')[0]}"
    columns = _beside(rows, given, systems, None if outputs == "class" else limits, what)
    return Scores(columns, limits, header.system if header else "")


def read_table(
    data: Files, scores: Files | None, asked: Sequence[str], score_range: tuple[float, float], outputs: str = "score"
) -> tuple[pa.Table, Scores]:
    """Read a table of labels, and its scores or those of a file of their own, to memory; options as `read_scores`.

    Returns
    -------
    table, Scores
        The labels, texts left out.

    Raises
    ------
    BadScores
        A file is damaged, a score is no number, or the scores do not fit the rows.
    """
    limits = None if outputs == "class" else score_range
    if scores is None:
        systems = choose_scores(asked, data)
        table = data.read([name for name in data.columns if name not in ("id", "text")], systems)
        problems = Problems(f"{data.given} cannot be measured:", "Expected one finite number per row and system.")
        columns = {name: _scores(name, table[name], limits, data.line, problems) for name in systems}
        problems.raise_if_any()
        return table.drop_columns(systems), Scores(columns, score_range)
    refuse_no_id(data.given, data.columns)
    systems = choose_scores(asked, scores, data.columns)
    rows = data.read([name for name in data.columns if name != "text" or name in scores.columns])
    columns = _beside(rows, scores, systems, limits, "the data")
    return rows.drop_columns([name for name in ("id", "text") if name in rows.column_names]), Scores(
        columns, score_range
    )


def choose_scores(asked: Sequence[str], files: Files, labels: Sequence[str] = ()) -> list[str]:
    """Return the columns of scores.

    Parameters
    ----------
    asked
        Columns asked for.
    files
        What holds the scores.
    labels
        Columns that hold labels, where the scores are in a file of their own; empty where they stand beside them.

    Raises
    ------
    BadScores
        A column asked for is missing, or none can be told from the labels; or there are no ids to match labels by.
    """
    if labels:
        refuse_no_id(files.given, files.columns)
    there = files.columns
    if missing := [name for name in asked if name not in there]:
        raise BadScores(f"{files.given}: there is no column {missing[0]!r} among {', '.join(there)}.")
    own = [name for name in there if name not in (*labels, "id")] if labels else [SCORE] if SCORE in there else []
    if not (asked or own):
        raise BadScores(
            f"{files.given}: which column holds the scores? There are {', '.join(there)}; expected a "
            "column 'score', or the names of one or several as score."
        )
    return list(dict.fromkeys(asked or own))


def refuse_no_id(path: str, columns: Sequence[str]) -> None:
    """Refuse a table whose rows cannot be matched with those of another one."""
    if "id" not in columns:
        raise BadScores(
            f"{path}: there is no column 'id' among {', '.join(columns)}; scores and rows are matched by it."
        )


def _beside(
    rows: pa.Table, given: Files, systems: Sequence[str], limits: tuple[float, float] | None, what: str
) -> dict[str, Column]:
    """Put scores into the order of the rows they are of, and compare what both files hold."""
    import numpy as np
    import pyarrow.compute as pc

    shared = [name for name in given.columns if name in rows.column_names and name not in ("id", *systems)]
    table = given.read(["id", *shared, *systems], systems)
    problems = misfits(given.given, what)
    ids, own = (source["id"].combine_chunks().cast("string") for source in (rows, table))
    _add_doubles(f"ids that several rows of the {noun(what)} have", ids, lambda row: f"row {row + 1}", problems)
    _add_doubles("duplicate ids", own, given.line, problems)
    unknown = np.flatnonzero(~pc.is_in(own, value_set=ids).to_numpy(zero_copy_only=False))
    problems.add_rows("unknown ids", unknown, lambda row: f"{own[row].as_py()!r} in {given.line(row)}")
    place = pc.index_in(ids, value_set=own)
    missing = np.flatnonzero(place.is_null().to_numpy(zero_copy_only=False))
    problems.add_rows("missing ids", missing, lambda row: str(ids[row]))
    met = np.flatnonzero(place.is_valid().to_numpy(zero_copy_only=False))
    order = place.drop_null().to_numpy()
    rows_met, table = rows.take(met), table.take(order)

    def line(row: int) -> str:
        return f"{given.line(int(order[row]))} ({ids[int(met[row])]})"

    scores = {name: _scores(name, table[name], limits, line, problems) for name in systems}
    for name in shared:
        kind = f"values of {name!r} that differ from the {noun(what)}"
        _compare(kind, table[name].cast("string"), rows_met[name].cast("string"), line, problems)
    problems.raise_if_any()
    return scores


def _add_doubles(kind: str, ids: Any, line: Callable[[int], str], problems: Problems) -> None:
    import numpy as np
    import pyarrow.compute as pc

    first = pc.index_in(ids, value_set=ids).to_numpy()
    again = np.flatnonzero(first != np.arange(len(first)))
    problems.add_rows(kind, again, lambda row: f"{ids[row]} in {line(int(first[row]))} and {line(row)}")


def _compare(kind: str, theirs: Any, ours: Any, line: Callable[[int], str], problems: Problems) -> None:
    import numpy as np
    import pyarrow.compute as pc

    other = np.flatnonzero(pc.not_equal(theirs, ours).to_numpy())
    problems.add_rows(
        kind, other, lambda row: f"{theirs[row].as_py()!r} in {line(row)}, expected {ours[row].as_py()!r}"
    )


def _scores(
    name: str, column: Any, limits: tuple[float, float] | None, line: Callable[[int], str], problems: Problems
) -> Column:
    """Read a column of scores, or of labels, which have no limits.

    One without any score is left to the metric, which names it and goes on.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if limits is None:
        labels: Column = np.array(column.cast("string").to_pylist(), dtype=object)
        return labels
    raw = column
    if pa.types.is_string(column.type):
        column = pc.if_else(pc.is_in(column, value_set=pa.array(["", "NaN", "nan"])), None, column)
    try:
        values: Floats = column.cast("float64").to_numpy()
    except (pa.ArrowException, NotImplementedError):
        values = np.array([_float(value) for value in column.to_pylist()])
        column = raw
    if column.null_count == len(column):
        return values
    low, high = limits
    wrong = np.flatnonzero(~np.isfinite(values))
    outside = np.flatnonzero(np.isfinite(values) & ((values < low) | (values > high)))
    problems.add_rows(
        "values that are no finite number", wrong, lambda row: f"{name} = {raw[row].as_py()!r} in {line(row)}"
    )
    problems.add_rows(
        f"scores outside {low:g} to {high:g} (declare the score_range, such as -1 to 1)",
        outside,
        lambda row: f"{name} = {values[row]:g} in {line(row)}",
    )
    return values


def _float(value: object) -> float:
    try:
        return number(value) if isinstance(value, str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
