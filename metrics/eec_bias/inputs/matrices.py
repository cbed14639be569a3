"""What a user hands over as scores, as a matrix of systems × rows."""

import math
import re
import reprlib
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import ScoresError
from eec_bias.inputs.containers import columns_of, is_missing
from eec_bias.options import Floats

STARS = re.compile(r"\s*(\d+)\s*(?:stars?|★|⭐)\s*", re.IGNORECASE)
"""A grade as text, such as ``5 stars``."""


DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}( .*)?|\d{1,2}[-/. ][^\W\d]{3,4}\.?([-/. ]\d{2,4})?")
"""What a spreadsheet makes of a number that looks like a date."""

CURES = {
    ".*%": "write them without %",
    r"[+-]?\d{1,3}([\s.,'’]\d{3})+([.,]\d*)?": "write them without marks between thousands",
    r".*\d\s*/\s*\d+": "write the number alone, without what it is out of",
    DATE.pattern: "a spreadsheet made dates of numbers; format the column as numbers first",
    "(?i)n/?a|none|null|#n/a|-": "leave it empty, or give None for no score",
}
"""How to write what should be a number, by what it looks like."""

MOST_LABELS = 9
"""Texts of more kinds are no labels."""


def as_matrix(scores: Any, rows: int) -> tuple[Floats, tuple[str, ...] | None, bool]:
    """Return the scores as (S, n), the names a mapping gives, and whether one plain vector was given.

    Raises
    ------
    ScoresError
        If they are not numbers, or there is not one per row.
    """
    scores, names = by_system(scores, rows)
    if names is None:
        values = as_numbers(scores)
    else:
        values = _stacked([_numbers_of(name, column) for name, column in zip(names, scores, strict=True)])
    if values.ndim not in (1, 2):
        raise ScoresError(f"the scores have the shape {values.shape}; expected (rows,) or (systems, rows)")
    if not len(values) and values.ndim == 2:
        raise ScoresError("the scores are a matrix without rows; give one row of scores per system")
    single, values = values.ndim == 1, np.atleast_2d(values)
    if values.shape[1] != rows:
        turned = ""
        if len(values) == rows:
            turned = (
                "; the matrix has one row per sentence: pass its transpose if its columns are systems, and let outputs "
                "be 'probabilities' if they are classes"
            )
        raise ScoresError(
            f"{values.shape[1]} scores for {rows} rows; give one score per row of the data, in the data's order{turned}"
        )
    return values, names, single


def _numbers_of(system: str, column: Any) -> Floats:
    """Return the scores of a system as numbers; an error names the system."""
    try:
        return as_numbers(column)
    except ScoresError as error:
        raise ScoresError(f"system {system!r}: {error}", row=error.row) from None


def _stacked(columns: Sequence[Floats]) -> Floats:
    """Return scores of several systems as a matrix; those of different shapes have none."""
    if len({column.shape for column in columns}) > 1:
        shapes = " and ".join(str(column.shape) for column in columns[:2])
        raise ScoresError(f"the scores of the systems have different shapes, {shapes}; give one score per row of each")
    return np.stack(columns)


def refuse_other_order(scores: Any, data: Any) -> None:
    """Refuse pandas scores whose index holds the data's ids, or the labels of the data's index, in another order.

    Scores are taken by position; where both carry labels that contradict this, one of the two was sorted. The labels
    of data that are no pandas are their positions.
    """
    several = list(scores.values()) if isinstance(scores, Mapping) else scores
    if isinstance(several, list | tuple) and several and hasattr(several[0], "iloc"):
        for each in several:
            refuse_other_order(each, data)
    if not hasattr(scores, "iloc"):
        return
    ours = scores.index
    if hasattr(data, "iloc"):
        theirs, mended = data.index, "scores.loc[data.index]"
    else:
        theirs, mended = scores.reset_index(drop=True).index, "scores.sort_index()"
    columns = data if isinstance(data, Mapping) else getattr(data, "column_names", getattr(data, "columns", ()))
    if "string" == ours.inferred_type != theirs.inferred_type and "id" in columns:
        theirs, mended = type(ours)(np.asarray(data["id"])), 'scores.loc[np.asarray(data["id"])]'
    if ours.equals(theirs) or not ours.sort_values().equals(theirs.sort_values()):
        return
    row = int(np.flatnonzero(np.asarray(ours != theirs))[0])
    raise ScoresError(
        f"the scores' index has the data's labels in another order: row {row} (rows count from 0) is {ours[row]!r} in "
        f"the scores and {theirs[row]!r} in the data; bring them into one order with {mended}, or pass "
        "scores.to_numpy() if they are in the data's order already",
        row=row,
    )


def as_numbers(scores: Any) -> Floats:
    """Return scores as floating point numbers.

    Raises
    ------
    ScoresError
        If they are text, complex, or no numbers at all.
    """
    _refuse_labelled(scores)
    try:
        plain = unmask(scores)
        if plain.dtype.kind in "cmM":
            kind = "complex numbers" if plain.dtype.kind == "c" else "times"
            raise ScoresError(f"scores are {kind}; give every score as a real number")
        # Python reads '0_1' as 1, so that no text may pass among other objects.
        if plain.dtype.kind in "US" or (plain.dtype.kind == "O" and any(map(_is_text, plain.flat))):
            raise _text_among(plain)
        if plain.dtype.kind == "O":
            missing = np.array([score is None or is_missing(score) for score in plain.flat]).reshape(plain.shape)
            plain = np.where(missing, np.nan, plain)
        return np.asarray(plain, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:  # the last from torch, of a gradient
        if isinstance(error, ScoresError):
            raise
        raise ScoresError(f"scores cannot be read as numbers ({error})") from None


def how_to_write(value: object) -> str:
    """Return how to write what should be a number; nothing where that is not known."""
    raw = str(value)
    for pattern, cure in CURES.items():
        if re.fullmatch(pattern, raw.strip()):
            return cure
    plain = unicodedata.normalize("NFKC", raw.strip()).translate({ord("−"): "-", ord("٫"): ".", ord(","): "."})
    typed = plain == raw.replace(",", ".") or not _is_numeral(plain)
    return "" if typed else "write them as they are typed: 0 to 9, -, point or comma, no spaces"


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes)


def _text_among(plain: Any) -> ScoresError:
    """Return the error for text where numbers were expected: the row, if only some are text, else the labels."""
    there = [(place, value) for place, value in enumerate(plain.flat) if not is_missing(value)]
    texts = [(place, value) for place, value in there if _is_text(value) and not _is_numeral(value)]
    cure = how_to_write(texts[0][1]) if texts else ""
    if texts and len(texts) == len(there) and not cure:
        labels = np.array([value for _, value in texts], dtype=object)
        return ScoresError(f"scores are text; give every score as a real number{_of_text(labels)}")
    hint = cure or "leave it out, or give None for no score"
    if not texts:
        texts = [(place, value) for place, value in there if _is_text(value)]
        hint = "it is a number in quotes: convert it with float"
    place, value = texts[0]
    row, such = place % plain.shape[-1], f"{len(texts):,} such of {len(there):,}"
    return ScoresError(f"score in row {row} (rows count from 0) is the text {str(value)!r} ({such}); {hint}", row=row)


def _is_numeral(value: Any) -> bool:
    try:
        return math.isfinite(float(value)) and "_" not in str(value)
    except ValueError:
        return False


def _of_text(texts: Any) -> str:
    """Return how labels are measured, with the values of grades where they are grades, as the end of a message."""
    labels = sorted({str(label) for label in texts.flat})
    grades = {label: found[1] for label in labels if (found := STARS.fullmatch(label))}
    if labels and len(grades) == len(labels):
        worth = ", ".join(f"{label!r}: {number}" for label, number in grades.items())
        return f"; grades are measured as outputs 'class', with what each is worth as classes, such as {{{worth}}}"
    if not labels or len(labels) > MOST_LABELS:
        return "; if they are classes, let outputs say so, with what each is worth as classes"
    some = ", ".join(map(repr, labels))
    return (
        f": {some}; if these are labels, name the one that counts as 1 with positive_class, such as {labels[-1]!r}, or "
        "let outputs be 'class'"
    )


def _refuse_labelled(scores: Any) -> None:
    """Refuse the raw output of a transformers pipeline: its first score is that of whichever label won."""
    first = scores
    while isinstance(first, list | tuple):
        first = next(iter(first), None)
    if isinstance(first, Mapping):
        raise ScoresError(
            f"an output is {reprlib.repr(dict(first))}; give one number per sentence, the score of the same label in "
            "all of them, or the labels alone as outputs 'class'"
        )


def unmask(scores: Any) -> Any:
    """An array in which masked values are NaN; numpy itself would give what lies under the mask."""
    if isinstance(scores, list | tuple) and any(isinstance(part, np.ma.MaskedArray) for part in scores):
        scores = [unmask(part) for part in scores]
    if isinstance(scores, list | tuple):
        scores = [_without_torch(part) for part in scores]
    scores = _without_torch(scores)
    if isinstance(scores, np.ma.MaskedArray) and scores.mask.any():
        return np.ma.filled(scores.astype(np.float64), np.nan)
    return scores if isinstance(scores, np.ndarray) else np.asarray(scores)


def _without_torch(scores: Any) -> Any:
    """Return an array of numpy for a tensor, which may be on another device, in a graph, or of a type of its own."""
    if hasattr(scores, "detach") and hasattr(scores, "cpu"):
        return scores.detach().cpu().double().numpy()
    return scores


def is_one_line(outputs: Any) -> bool:
    """Return whether outputs that are no numbers are those of one system: one value per row."""
    if isinstance(outputs, pa.Array | pa.ChunkedArray):
        return True
    return np.ndim(next(iter(outputs), "")) == 0


def by_system(scores: Any, rows: int) -> tuple[Any, tuple[str, ...] | None]:
    """Columns by system as a list, with their names; anything else as it is.

    Raises
    ------
    ScoresError
        If there are no columns, or one has not as many scores as there are rows.
    """
    columns = columns_of(scores)
    if columns is None:
        _refuse_labelled(scores)
        return scores, None
    if not columns:
        raise ScoresError("the scores are an empty mapping; give one row of scores per system")
    for name, row in columns.items():
        if not hasattr(row, "__len__"):
            raise ScoresError(f"the scores of system {name!r} are {row!r}; give one score per row of the data")
        if len(row) != rows:
            raise ScoresError(
                f"system {name!r} has {len(row)} scores for {rows} rows; give one score per row of the data, in the "
                "data's order"
            )
    return list(columns.values()), tuple(columns)
