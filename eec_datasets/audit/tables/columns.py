"""Which columns of a user's table are what: scores, what rows are matched by, who gave the scores; and its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.tables.files import Files, TableOptions
from eec_datasets.audit.tables.forms import whole_numbers
from eec_datasets.errors import InputError
from eec_datasets.text_file import number

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SCORE: Final = "score"
RUN_COLUMNS: Final = ("sample", "run", "seed", "repeat", "repetition", "trial", "replicate")
"""Columns that tell several answers to one sentence apart."""

OUTPUT: Final = re.compile(r"""\s*[\[{].*["'](label|labels|score|scores)["']""", re.DOTALL)
"""What a pipeline emits, as JSON or as Python writes it."""

COMMA: Final = r"^\s*[+-]?\d*(,\d+)+([eE][+-]?\d+)?\s*$"
MARKS: Final = {",": "comma", ".": "point"}
GROUPED: Final = {
    mark: rf"^\s*[+-]?[1-9]\d{{0,2}}({re.escape(mark)}\d{{3}})+({re.escape(other)}\d*)?\s*$"
    for mark, other in ((",", "."), (".", ","))
}
"""Numbers with a comma; and by mark, those in which it may stand between thousands."""


def choose_scores(files: Files, labels: Sequence[str] = ()) -> list[str]:
    """Return the columns of scores by their names: those asked for, else what they are called.

    Parameters
    ----------
    files
        What holds the scores.
    labels
        Columns that hold no scores, where these are in a file of their own; empty where they stand beside them.

    Raises
    ------
    InputError
        A column asked for is missing, or none can be told from the labels.
    """
    names, requested = files.columns, files.options.columns or files.options.run_columns
    if missing := [name for name in requested if name not in names]:
        raise InputError(f"{files.source}: there is no column {missing[0]!r} among {', '.join(names)}.")
    if labels:
        usable = [name for name in names if name not in (*labels, "id")]
    else:
        usable = [SCORE] if SCORE in names else []
    if not (requested or usable):
        hint = f"the data have {SCORE!r} as well" if SCORE in names else f"expected a column {SCORE!r}"
        raise InputError(
            f"{files.source}: which column holds the scores? There are {', '.join(names)}; {hint}. "
            "Call it so, or name one or several with the option score."
        )
    return list(dict.fromkeys(requested or usable))


def scores_of_pipeline(files: Files, table: pa.Table, systems: Sequence[str]) -> tuple[pa.Table, Files, list[str]]:
    """Turn the columns ``label`` and ``score`` that a pipeline emits into scores, by what the labels are worth.

    Returns
    -------
    pyarrow.Table, Files, list of str
        The table with the scores in the column ``score``; the file with their range; and what is said of it. A table
        without both columns passes as it is.

    Raises
    ------
    InputError
        Nothing says what the labels are worth, or more than two could have won: the score of a row is how sure the
        pipeline was of whichever label it has, and would be taken for that of one.
    """
    import pyarrow as pa

    from eec_bias import BiasError
    from eec_bias.reading import LABEL, PIPELINE, expected_scores, pairs_of, range_of

    options = files.options
    known = LABEL in table.column_names and SCORE in systems and LABEL not in (*options.named, *options.columns)
    if not known or _measurable(table[LABEL]):
        return table, files, []
    if not options.worth:
        raise InputError(f"{files.source}: {PIPELINE}.")
    emitted = pairs_of(table[LABEL].to_pylist(), numbers_of(table[SCORE]).tolist())
    try:
        scores = expected_scores(emitted, options.worth, None)
    except BiasError as error:
        raise InputError(f"{files.source}: {error}.") from error
    at = table.column_names.index(SCORE)
    changed = table.set_column(at, SCORE, pa.array(scores))
    ranged = replace(files, options=replace(options, score_range=range_of(options.worth), worth={}))
    worth = ", ".join(f"{name} {value:g}" for name, value in options.worth.items())
    return changed, ranged, [f"the columns 'label' and 'score' of a pipeline are read as scores: {worth}"]


def pick(files: Files, table: pa.Table, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns of scores by what they hold, and what is said of it.

    Raises
    ------
    InputError
        There is none, or another column beside ``score`` could be one.
    """
    systems = choose_scores(files, [*labels, "id"])
    if files.options.columns or files.options.run_columns:
        return systems, []
    counts = [name for name in systems if len(systems) > 1 and _counts_rows(table[name])]
    options = files.options
    numeric = [
        name for name in systems if options.classes or holds_outputs(table[name], options) or _measurable(table[name])
    ]
    chosen = [name for name in numeric if name not in counts] or systems
    others = [name for name in chosen if name != SCORE and not _empty(table[name])]
    if SCORE in chosen and others:
        raise InputError(
            f"{files.source}: which column holds the scores? Besides 'score' there are numbers in {', '.join(others)}. "
            "Leave out those that are none, or name one or several, one per system, with the option score."
        )
    notes = [f"the column {name!r} counts the rows and is left out" for name in counts]
    textual = [name for name in systems if name not in (*numeric, *chosen)]
    notes += [f"the column {name!r} holds no numbers and is left out" for name in textual]
    if len(chosen) == 1 and chosen != [SCORE]:
        notes.append(f"the column {chosen[0]!r} is taken for the scores")
    return chosen, notes


def runs_of(files: Files, systems: Sequence[str]) -> dict[str, Any]:
    """Return the columns that are runs of one system: those named as such, or all of a file of an audit of prompts.

    Raises
    ------
    InputError
        Runs are named by columns that are not those of the scores.
    """
    runs = files.options.run_columns
    if set(runs) & {*files.columns}:
        if sorted(runs) != sorted(systems):
            raise InputError(
                f"{files.source}: the option score names the columns {', '.join(systems)}, the option run "
                f"{', '.join(runs)}. Name the columns of one system's runs with the option run alone."
            )
        return {"runs": tuple(systems)}
    if files.header and len(systems) > 1 and not files.options.columns:
        return {"runs": tuple(systems)}
    return {}


def long_facets(files: Files, table: pa.Table, key: str, labels: Sequence[str]) -> dict[str, str]:
    """Return the columns by which a sentence has several rows, by option of the metric; empty where it has one.

    Raises
    ------
    InputError
        Several columns could be the one that names the system, or what was named as that is no column.
    """
    facets = files.options.facets
    declared = {name: column for name, column in facets.items() if column in table.column_names}
    if declared:
        return declared

    def unique(*names: str) -> bool:
        return bool(table.group_by(list(names)).aggregate([]).num_rows == len(table))

    if unique(key):
        return {}
    runs = [name for name in table.column_names if name in RUN_COLUMNS and name not in labels and unique(key, name)]
    if runs and not facets:
        return {"runs": runs[0]}
    textual = [name for name in table.column_names if name not in (*labels, key) and not _measurable(table[name])]
    candidates = [name for name in textual if unique(key, name)]
    named = facets.get("systems")
    if candidates and (named or len(candidates) > 1):
        told = f", and systems is {named!r}" if named else ""
        raise InputError(
            f"{files.source}: every {key} has several rows{told}. Which column names the system? It could be "
            f"{' or '.join(candidates)}. Name it with the option systems, or with the option run where it tells "
            "prompts or seeds of one system apart."
        )
    return {"systems": candidates[0]} if candidates else {}


def key_of(path: str, columns: Sequence[str], others: Sequence[str]) -> str:
    """Return the column by which rows are matched: ``id``, or ``text`` where one of the tables has no ids.

    Raises
    ------
    InputError
        Neither is in both.
    """
    shared = [name for name in ("id", "text") if name in columns and name in others]
    if not shared:
        also = " or 'text'" if "text" in others else ""
        raise InputError(
            f"{path}: there is no column 'id'{also} among {', '.join(columns) or 'none'}; scores and rows are matched "
            "by it. Name a column so, and leave nothing above the names."
        )
    return shared[0]


def refuse_nested(table: pa.Table, others: Collection[str], place: str) -> None:
    """Refuse columns of lists or objects, which JSON and parquet may hold, where rows are matched or compared by them.

    Raises
    ------
    InputError
        Naming the first.
    """
    import pyarrow as pa

    for each in table.schema:
        if each.name in others and pa.types.is_nested(each.type):
            raise InputError(f"{place}: the column {each.name!r} holds {each.type}; expected a text or number per row.")


def with_points(files: Files, table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Write numbers of text columns with a decimal point and without marks between thousands; and say so.

    Raises
    ------
    InputError
        A comma or point may be decimal as well as stand between thousands.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = [each.name for each in table.schema if pa.types.is_string(each.type) and each.name not in ("id", "text")]
    names = [name for name in texts if not holds_outputs(table[name], files.options)]
    if not names or files.options.classes:
        return table, []
    decimal = _decimal_mark([table[name] for name in names], files)
    grouping = {"comma": ".", "point": ","}.get(decimal, "")
    steps = (
        [(GROUPED[grouping], grouping, "", f"numbers have {MARKS[grouping]}s between thousands")] if grouping else []
    )
    steps += [(COMMA, ",", ".", "numbers have a decimal comma")] if decimal != "point" else []
    notes = dict[str, None]()
    for pattern, mark, by, note in steps:
        for name in names:
            match = pc.match_substring_regex(table[name], pattern)
            changed = pc.if_else(match, pc.replace_substring(table[name], mark, by), table[name])
            table = table.set_column(table.column_names.index(name), name, changed)
            notes |= {note: None} if pc.any(match).as_py() else {}
    return table, list(notes)


def _decimal_mark(columns: Sequence[Any], files: Files) -> str:
    """Say which mark is decimal where a number holds both (1.089,8); nothing where no number does.

    Raises
    ------
    InputError
        No number tells it, and every number with one of the marks may be read both ways.
    """
    import pyarrow.compute as pc

    low, high = files.limits
    for mark, name in MARKS.items():
        other = "." if mark == "," else ","
        grouped = [column.filter(pc.match_substring_regex(column, GROUPED[mark])) for column in columns]
        texts = [text for column in grouped for text in column.to_pylist()]
        if any(other in text for text in texts):
            return MARKS[other]
        marked = [pc.match_substring_regex(column, COMMA.replace(",", re.escape(mark))) for column in columns]
        if len(texts) != sum(pc.sum(match).as_py() or 0 for match in marked):
            continue
        if texts and all(low <= number(text.replace(mark, by)) <= high for text in texts for by in (".", "")):
            decimal, thousand = texts[0].replace(mark, "."), texts[0].replace(mark, "")
            raise InputError(
                f"{files.source}: {texts[0]!r} is {decimal} with a decimal {name}, and {thousand} where the "
                f"{name} stands between thousands; both lie within the range. Write numbers without marks "
                "between thousands."
            )
    return ""


def holds_outputs(column: Any, options: TableOptions) -> bool:
    """Return whether a column holds what pipelines emit, as lists, objects or JSON; or labels whose worth was said."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_struct(kind):
        return True
    if pa.types.is_nested(kind):
        return pa.types.is_struct(kind.value_type) or bool(pa.types.is_nested(kind.value_type))
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return False
    first = next((text for text in column.to_pylist() if text and text.strip()), "")
    said = options.positive_class is not None or bool(options.worth)
    return OUTPUT.match(first) is not None or (said and not _measurable(column))


def _counts_rows(column: Any) -> bool:
    """Return whether a column is 0, 1, 2, … or 1, 2, 3, …, and so an index that a program wrote."""
    import numpy as np

    values = numbers_of(column)
    return len(values) > 1 and any(np.array_equal(values, np.arange(len(values)) + first) for first in (0, 1))


def _measurable(column: Any) -> bool:
    """Return whether a column holds a number, or nothing at all."""
    import numpy as np

    return _empty(column) or bool(np.isfinite(numbers_of(column)).any())


def _empty(column: Any) -> bool:
    import pyarrow as pa

    return column.null_count == len(column) or (pa.types.is_string(column.type) and not any(column.to_pylist()))


def number_columns(
    files: Files, columns: Sequence[str], values_of: Callable[[str], Collection[str]]
) -> tuple[list[str], list[str]]:
    """Return the columns of a text file that are numbers and that nobody knows or named: they are no groups.

    It is said beside them. In other files columns have types, and those of numbers are no axes unless they are named.
    """
    from eec_bias.reading import OF_SENTENCES, OF_SETS, SCHEMA

    known = {*SCHEMA, *OF_SENTENCES, *OF_SETS, *files.options.named}
    unknown = [name for name in columns if name not in known] if files.kind == "csv" else []
    filled = {name: [value.replace(",", ".") for value in values_of(name) if value] for name in unknown}
    names = [name for name, values in filled.items() if values and not any(math.isnan(number(v)) for v in values)]
    note = f"columns of numbers are no groups unless an option names them: {', '.join(names)}"
    return names, [note] if names else []


def numbers_of(column: Any) -> Floats:
    """The numbers of a column; NaN for anything else."""
    import numpy as np
    import pyarrow as pa

    try:
        values: Floats = column.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    except pa.ArrowException:
        values = np.array([number_of(value) for value in column.to_pylist()])
    return values


def as_text(column: Any) -> Any:
    """A column as text; whole numbers that a spreadsheet keeps as 1.0 are 1."""
    return whole_numbers(column.combine_chunks()).cast("string")


def number_of(value: object) -> float:
    """A number; NaN for anything else."""
    try:
        return number(value) if isinstance(value, str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
