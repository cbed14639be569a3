"""Cells of a user's table: numbers however they are written, texts, outputs of pipelines, or nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

from eec_datasets.audit.tables.files import Files, TableOptions
from eec_datasets.audit.tables.sheets import whole_numbers
from eec_datasets.errors import InputError
from eec_datasets.text_file import number

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SCORE, LABEL = "score", "label"
"""Names of the column of scores, and of the column of labels in the output of a pipeline."""

NOTHING: Final = (None, "", "NaN", "nan")
"""Cells that mean "no score" in a column of scores."""

OUTPUT: Final = re.compile(r"""\s*[\[{].*["'](label|labels|score|scores)["']""", re.DOTALL)
"""Output of a pipeline, as JSON or as Python writes it."""

Kind = Literal["outputs", "nothing", "counts", "numbers", "texts"]
"""Kinds of columns by their content, see `kind_of`."""

WORDY: Final = ("outputs", "texts")
"""Kinds of columns without a number."""

COMMA: Final = r"^\s*[+-]?\d*(,\d+)+([eE][+-]?\d+)?\s*$"
GROUPED: Final = {
    mark: rf"^\s*[+-]?[1-9]\d{{0,2}}({re.escape(mark)}\d{{3}})+({re.escape(other)}\d*)?\s*$"
    for mark, other in ((",", "."), (".", ","))
}
"""Numbers with a comma; and by mark, those in which it may stand between thousands."""


def number_of(value: object) -> float:
    """Return a number; NaN for anything else."""
    try:
        return number(value) if isinstance(value, str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan


def numbers_of(column: Any) -> Floats:
    """Return the numbers of a column; NaN for anything else."""
    import numpy as np
    import pyarrow as pa

    try:
        values: Floats = column.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    except pa.ArrowException:
        values = np.array([number_of(value) for value in column.to_pylist()])
    return values


def as_text(column: Any) -> Any:
    """Return a column as text; whole numbers that a spreadsheet keeps as 1.0 are 1."""
    return whole_numbers(column.combine_chunks()).cast("string")


def texts_of(table: pa.Table, name: str) -> list[str]:
    """Return a column as texts, empty for nothing."""
    return [text or "" for text in as_text(table[name]).to_pylist()]


def is_empty(cell: object) -> bool:
    """Return whether a cell holds no score."""
    return cell in NOTHING or (isinstance(cell, float) and math.isnan(cell))


def kind_of(column: Any, options: TableOptions) -> Kind:
    """Return what a column holds.

    Outputs are what pipelines emit, as lists, objects or JSON, or labels if it was said what they are worth. A column
    that counts is 0, 1, 2, … or 1, 2, 3, …, and so an index that a program wrote.
    """
    import numpy as np
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    within = kind.value_type if pa.types.is_nested(kind) and not pa.types.is_struct(kind) else kind
    of_objects = pa.types.is_struct(within) or (within is not kind and pa.types.is_nested(within))
    of_texts = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    texts = column.to_pylist() if of_texts else []
    first = next((text for text in texts if text and text.strip()), "")
    if of_objects or OUTPUT.match(first):
        return "outputs"
    if column.null_count == len(column) or (of_texts and not any(texts)):
        return "nothing"
    values = numbers_of(column)
    if not np.isfinite(values).any():
        said = options.positive_class is not None or bool(options.worth)
        return "outputs" if of_texts and said else "texts"
    counts = len(values) > 1 and any(np.array_equal(values, np.arange(len(values)) + first) for first in (0, 1))
    return "counts" if counts else "numbers"


def with_points(files: Files, table: pa.Table, columns: Sequence[str]) -> tuple[pa.Table, list[str]]:
    """Write numbers in columns of texts with a decimal point and without marks between thousands; and say so.

    Raises
    ------
    InputError
        A comma or point may be decimal as well as stand between thousands.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = [name for name in columns if name not in ("id", "text") and pa.types.is_string(table[name].type)]
    if not names or files.options.classes:
        return table, []
    with_comma = [name for name in names if pc.any(pc.match_substring(table[name], ",")).as_py()]
    decimal = _decimal_mark(files, [table[name] for name in names], [table[name] for name in with_comma])
    steps = []
    if decimal == "comma":
        steps.append((GROUPED["."], ".", "", "numbers have points between thousands", names))
    if decimal == "point":
        steps.append((GROUPED[","], ",", "", "numbers have commas between thousands", with_comma))
    else:
        steps.append((COMMA, ",", ".", "numbers have a decimal comma", with_comma))
    notes = dict[str, None]()
    for pattern, mark, by, note, changing in steps:
        for name in changing:
            match = pc.match_substring_regex(table[name], pattern)
            if pc.any(match).as_py():
                notes[note] = None
                changed = pc.if_else(match, pc.replace_substring(table[name], mark, by), table[name])
                table = table.set_column(table.column_names.index(name), name, changed)
    return table, list(notes)


def _decimal_mark(files: Files, columns: Sequence[Any], with_comma: Sequence[Any]) -> str:
    """Say which mark is decimal where a number holds both (1.089,8); nothing where no number does.

    Raises
    ------
    InputError
        No number tells it, and every number with one of the marks may be read both ways.
    """
    import pyarrow.compute as pc

    low, high = files.limits
    for mark, other, name, having in ((",", ".", "comma", with_comma), (".", ",", "point", columns)):
        grouped = [column.filter(pc.match_substring_regex(column, GROUPED[mark])) for column in having]
        texts = [text for column in grouped for text in column.to_pylist()]
        if any(other in text for text in texts):
            return "point" if mark == "," else "comma"
        if not texts:
            continue
        marked = [pc.match_substring_regex(column, COMMA.replace(",", re.escape(mark))) for column in having]
        if len(texts) != sum(pc.sum(match).as_py() or 0 for match in marked):
            continue
        if all(low <= number(text.replace(mark, by)) <= high for text in texts for by in (".", "")):
            decimal, thousand = texts[0].replace(mark, "."), texts[0].replace(mark, "")
            raise InputError(
                f"{files.source}: {texts[0]!r} is {decimal} if the {name} is decimal, and {thousand} if the "
                f"{name} separates thousands, and both are within the range. Write numbers without marks "
                "between thousands."
            )
    return ""


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
    from eec_bias.reading import PIPELINE, expected_scores, pairs_of, range_of

    options = files.options
    known = LABEL in table.column_names and SCORE in systems and LABEL not in (*options.named, *options.columns)
    if not known or kind_of(table[LABEL], options) not in WORDY:
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
