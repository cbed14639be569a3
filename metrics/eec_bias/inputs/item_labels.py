"""What items are made of: their template, word and emotion, from columns or from ``item`` ids."""

from collections.abc import Mapping, Sequence

import numpy as np

from eec_bias.errors import LabelsError
from eec_bias.inputs.codes import Coded, encode, first_rows
from eec_bias.inputs.sources import Source

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
    labels = {}
    for name in (name for name in COLUMNS if name in source.columns):
        missing = None if name == "template" else NONE
        column = encode(name, source.columns[name], ordered=False, missing=missing)
        code_of_item = column.codes[first]
        differs = column.codes != code_of_item[item.codes]
        if differs.any():
            row = int(differs.argmax())
            of_item, of_row = column.texts(np.array([first[item.codes[row]], row]))
            of = item.levels[item.codes[row]]
            raise LabelsError(
                f"column {name!r} gives item {of!r} both {of_item!r} and {of_row!r}; an item has one {name}: correct "
                f"the rows, or leave the column {name} out of the data, and its part of the test with it"
            )
        labels[name] = column.texts(first)
    return labels


def complete_labels(
    items: Sequence[str], columns: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Sequence[str]], dict[str, int | str] | None]:
    """Take template and word from ids of the form ``template/word[/…]`` where there is no column of them.

    Parameters
    ----------
    items : sequence of str
        The ids.
    columns : mapping of str to sequence of str
        The labels known, one per item.

    Returns
    -------
    labels, unformed
        How many ids do not have the form, of how many, and the first, where others do: such an item stands for itself.
    """
    parts = [item.split("/") for item in items]
    plain = [item for item, fields in zip(items, parts, strict=True) if len(fields) < 2]
    if len(plain) == len(items) or {"template", "word"} <= columns.keys():
        return dict(columns), None
    template, word = zip(*((*fields, NONE)[:2] for fields in parts), strict=True)
    labels = {"template": template, "word": word, **columns}
    if not plain:
        return labels, None
    return labels, {"count": len(plain), "items": len(items), "first": plain[0]}
