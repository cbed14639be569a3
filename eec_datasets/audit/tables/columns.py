"""Which columns of a user's table are what: scores, what rows are matched by, who gave the scores; and its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.tables.files import Files
from eec_datasets.errors import BadScores
from eec_datasets.text_file import number

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SCORE: Final = "score"
COMMA: Final = r"^\s*[+-]?\d*(,\d+)+([eE][+-]?\d+)?\s*$"
THOUSANDS: Final = re.compile(r"\s*[+-]?[1-9]\d{0,2}(,\d{3})+\s*")
"""Numbers with a comma, and those of them in which it may stand between thousands."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the user says of a table of scores.

    Attributes
    ----------
    asked
        Columns of scores; by default all that hold numbers and are none of the corpus.
    outputs
        What the scores are: ``class`` where they are labels, else numbers.
    sheet
        The sheet of an Excel file, where it has several.
    decimal
        What a comma in a number is: ``comma`` for a decimal comma, ``point`` where it stands between thousands; empty
        where the numbers say it.
    facets
        Options of the metric (``systems``, ``tasks``, ``runs``) as they were given, which may name columns: one that
        names the system (task, run) of each row, or the columns of scores that are the runs of one system.
    """

    asked: Sequence[str] = ()
    outputs: str = "score"
    sheet: str = ""
    decimal: str = ""
    facets: Mapping[str, Any] = field(default_factory=dict)


PLAIN: Final = Reading()
"""Nothing is said."""


def choose_scores(asked: Sequence[str], files: Files, labels: Sequence[str] = ()) -> list[str]:
    """Return the columns of scores.

    Parameters
    ----------
    asked
        Columns asked for.
    files
        What holds the scores.
    labels
        Columns that hold no scores, where these are in a file of their own; empty where they stand beside them.

    Raises
    ------
    BadScores
        A column asked for is missing, or none can be told from the labels.
    """
    there = files.columns
    if missing := [name for name in asked if name not in there]:
        raise BadScores(f"{files.given}: there is no column {missing[0]!r} among {', '.join(there)}.")
    own = [name for name in there if name not in (*labels, "id")] if labels else [SCORE] if SCORE in there else []
    if not (asked or own):
        known = f"the data have {SCORE!r} as well" if SCORE in there else f"expected a column {SCORE!r}"
        raise BadScores(
            f"{files.given}: which column holds the scores? There are {', '.join(there)}; {known}. "
            "Name one or several with the option score."
        )
    return list(dict.fromkeys(asked or own))


def pick(given: Files, table: pa.Table, labels: Sequence[str], reading: Reading) -> tuple[list[str], list[str]]:
    """Return the columns of scores by what they hold, and what is said of it.

    Raises
    ------
    BadScores
        There is none, or another column beside ``score`` could be one.
    """
    runs = reading.facets.get("runs")
    asked = reading.asked or (runs if isinstance(runs, tuple) else ())
    systems = choose_scores(asked, given, [*labels, "id"])
    if asked:
        return systems, []
    counts = [name for name in systems if len(systems) > 1 and _counts_rows(table[name])]
    numeric = [name for name in systems if reading.outputs == "class" or _measurable(table[name])]
    left = [name for name in numeric if name not in counts] or systems
    others = [name for name in left if name != SCORE and not _empty(table[name])]
    if SCORE in left and others:
        raise BadScores(
            f"{given.given}: which column holds the scores? Besides 'score' there are numbers in {', '.join(others)}. "
            "Name one with the option score, or several, one per system."
        )
    notes = [f"the column {name!r} counts the rows and is left out" for name in counts]
    words = [name for name in systems if name not in (*numeric, *left)]
    notes += [f"the column {name!r} holds no numbers and is left out" for name in words]
    if len(left) == 1 and left != [SCORE]:
        notes.append(f"the column {left[0]!r} is taken for the scores")
    return left, notes


def runs_of(given: Files, systems: Sequence[str], reading: Reading) -> dict[str, Any]:
    """Return the columns that are runs of one system: those named as such, or all of a file of an audit of prompts."""
    if reading.facets.get("runs") == tuple(systems):
        return {"runs": tuple(systems)}
    if given.header and len(systems) > 1 and not reading.asked:
        return {"runs": tuple(systems), "few_runs": "rough"}
    return {}


def long_facets(table: pa.Table, key: str, labels: Sequence[str], place: str, reading: Reading) -> dict[str, str]:
    """Return the columns by which a sentence has several rows, by option of the metric; empty where it has one.

    Raises
    ------
    BadScores
        Several columns could be the one that names the system.
    """
    single = {
        option: column for option, column in reading.facets.items()
        if isinstance(column, str) and column in table.column_names
    }  # fmt: skip
    if single:
        return single
    if _distinct(table, [key]) == len(table):
        return {}
    words = [name for name in table.column_names if name not in (*labels, key) and not _measurable(table[name])]
    own = [name for name in words if _distinct(table, [key, name]) == len(table)]
    if len(own) > 1:
        raise BadScores(
            f"{place}: every {key} has several rows. Which column names the system? It could be "
            f"{' or '.join(own)}. Name it with the option systems, "
            "or with the option runs where it tells prompts or seeds of one system apart."
        )
    return {"systems": own[0]} if own else {}


def _distinct(table: pa.Table, names: Sequence[str]) -> int:
    return int(table.group_by(list(names)).aggregate([]).num_rows)


def refuse_no_id(path: str, columns: Sequence[str]) -> None:
    """Refuse a table whose rows cannot be matched with those of another one."""
    key_of(path, columns, ("id",))


def key_of(path: str, columns: Sequence[str], others: Sequence[str]) -> str:
    """Return the column by which rows are matched: ``id``, or ``text`` where one of the tables has no ids.

    Raises
    ------
    BadScores
        Neither is in both.
    """
    found = [name for name in ("id", "text") if name in columns and name in others]
    if not found:
        also = " or 'text'" if "text" in others else ""
        raise BadScores(
            f"{path}: there is no column 'id'{also} among {', '.join(columns)}; scores and rows are matched by it."
        )
    return found[0]


def with_points(
    table: pa.Table, limits: tuple[float, float], reading: Reading, place: str
) -> tuple[pa.Table, list[str]]:
    """Write a point for the decimal comma of columns that hold numbers with one.

    Raises
    ------
    BadScores
        The comma may as well stand between thousands.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = [name for name in table.column_names if name not in ("id", "text")]
    given = [name for name in names if pa.types.is_string(table[name].type)]
    found = {name: pc.match_substring_regex(table[name], COMMA) for name in given}
    found = {name: hits for name, hits in found.items() if pc.any(hits).as_py()}
    if not found or reading.outputs == "class":
        return table, []
    thousands = reading.decimal == "point"
    if not reading.decimal and (example := _either(table, found, limits)):
        decimal, thousand = example.replace(",", "."), example.replace(",", "")
        raise BadScores(
            f"{place}: {example!r} is {decimal} with a decimal comma, and {thousand} where the "
            "comma stands between thousands; both lie within the range. Say which with the option decimal: comma or "
            "point."
        )
    for name, hits in found.items():
        changed = pc.replace_substring(table[name], ",", "" if thousands else ".")
        at = table.column_names.index(name)
        table = table.set_column(at, name, pc.if_else(hits, changed, table[name]))
    return table, [f"numbers have {'commas between thousands' if thousands else 'a decimal comma'}"]


def _either(table: pa.Table, found: Mapping[str, Any], limits: tuple[float, float]) -> str:
    """A number that is one with a decimal comma and without, where all are; else nothing."""
    texts = [text for name, hits in found.items() for text in table[name].filter(hits).to_pylist()]
    low, high = limits
    both = all(
        THOUSANDS.fullmatch(text) and all(low <= number(text.replace(",", mark)) <= high for mark in (".", ""))
        for text in texts
    )
    return texts[0] if both else ""


def _counts_rows(column: Any) -> bool:
    """Whether a column is 0, 1, 2, … or 1, 2, 3, …, and so an index that a program wrote."""
    import numpy as np

    values = numbers_of(column)
    return len(values) > 1 and any(np.array_equal(values, np.arange(len(values)) + first) for first in (0, 1))


def _measurable(column: Any) -> bool:
    """Whether a column holds a number, or nothing at all."""
    import numpy as np

    return _empty(column) or bool(np.isfinite(numbers_of(column)).any())


def _empty(column: Any) -> bool:
    import pyarrow as pa

    return column.null_count == len(column) or (pa.types.is_string(column.type) and not any(column.to_pylist()))


def numbers_of(column: Any) -> Floats:
    """The numbers of a column; NaN for anything else."""
    import numpy as np
    import pyarrow as pa

    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind):
        values: Floats = column.cast("float64", safe=False).to_numpy(zero_copy_only=False)
        return values
    return np.array([number_of(value) for value in column.to_pylist()])


def as_text(column: Any) -> Any:
    """A column as text; whole numbers that a spreadsheet keeps as 1.0 are 1."""
    import pyarrow as pa

    column = column.combine_chunks()
    if pa.types.is_floating(column.type):
        column = column.cast("int64", safe=True) if (numbers_of(column) % 1 == 0).all() else column
    return column.cast("string")


def number_of(value: object) -> float:
    """A number; NaN for anything else."""
    try:
        return number(value) if isinstance(value, str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
