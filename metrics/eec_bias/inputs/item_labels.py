"""What items are made of: their template, word and emotion, from columns or from ``item`` ids."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eec_bias.errors import LabelsError
from eec_bias.inputs.codes import Coded, as_arrow, encode, first_rows
from eec_bias.inputs.sources import Source
from eec_bias.options import Ints

COLUMNS = ("template", "word", "emotion")
"""Columns that hold one label per item."""

NONE = "none"
"""The word, and the emotion, of a sentence that has none; a missing value says the same."""

ItemLabels = dict[str, tuple[str, ...]]


def read_item_labels(source: Source, item: Coded) -> ItemLabels:
    """Read the labels of each level of ``item``, as far as there are columns of them.

    Parameters
    ----------
    source : Source
        Where the columns are.
    item : Coded
        The item of each row.

    Raises
    ------
    LabelsError
        If an item has two templates, words or emotions.
    """
    first = first_rows(item.codes, len(item.levels))
    present = [name for name in COLUMNS if name in source.columns]
    return {name: _labels(_coded(name, source.columns[name]), item, first) for name in present}


def _coded(name: str, column: Any) -> Coded:
    return encode(name, column if name == "template" else _fill_missing(name, column), ordered=False, unused=True)


def _fill_missing(name: str, column: Any) -> Any:
    """Write ``none`` where a column has no value."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iub" and not isinstance(column, np.ma.MaskedArray):
        return column
    array = as_arrow(name, column)
    if array.null_count == len(array):
        return [NONE] * len(array)
    if not array.null_count or pa.types.is_floating(array.type):
        return array
    return pc.fill_null(array.cast(pa.string()), NONE)


def _labels(column: Coded, item: Coded, first: Ints) -> tuple[str, ...]:
    code_of_item = column.codes[first]
    differs = column.codes != code_of_item[item.codes]
    if differs.any():
        row = int(differs.argmax())
        code = item.codes[row]
        refuse_two(column.name, item.levels[code], column.levels[code_of_item[code]], column.levels[column.codes[row]])
    return tuple(column.levels[code] for code in code_of_item.tolist())


def refuse_two(column: str, item: str, first: str, other: str) -> None:
    """Refuse an item with two labels in a column.

    Raises
    ------
    LabelsError
        Always.
    """
    raise LabelsError(
        f"column {column!r} gives item {item!r} both {first!r} and {other!r}; an item has one {column}: correct the "
        f"rows, or leave the column {column} out of the data, and its part of the test with it"
    )


def complete_labels(items: Sequence[str], columns: Mapping[str, Sequence[str]]) -> tuple[dict[str, Sequence[str]], str]:
    """Take template and word from ids of the form ``template/word[/…]`` where there is no column of them.

    Parameters
    ----------
    items : sequence of str
        The ids.
    columns : mapping of str to sequence of str
        The labels known, one per item.

    Returns
    -------
    labels, note
        The note says which ids do not have the form, where others do; an item of such an id stands for itself.
    """
    parts = [item.split("/") for item in items]
    plain = [item for item, fields in zip(items, parts, strict=True) if len(fields) < 2]
    if len(plain) == len(items) or {"template", "word"} <= columns.keys():
        return dict(columns), ""
    words = [fields[1] if len(fields) > 1 else NONE for fields in parts]
    read = {"template": [fields[0] for fields in parts], "word": words}
    note = (
        f"{len(plain)} of {len(items)} item ids are not of the form template/word, first {plain[0]!r}: each of these "
        "items stands for itself; columns template and word would say what they share"
        if plain
        else ""
    )
    return read | dict(columns), note
