"""What persons are further known by: what names share, how strongly they signal a group, and the form in sentences."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import LabelsError, OptionError
from eec_bias.inputs.codes import Coded, encode, first_rows
from eec_bias.inputs.sources import Source, signal_columns
from eec_bias.options import DEFAULTS, Ints, check_names

FORM = "person_form"
SAID, PLACEBO = "said", "placebo"
"""The word that says a group, and the neutral word in its place; ``none`` where there is none."""

NONE = "none"
"""What stands in a column of families for what is no name; a missing value says the same."""

MOST_FAMILIES = 2
"""So many columns of families at most; what three partitions add up to has no formula here."""

NO_SIGNAL = frozenset({"", "none", "nan"})
"""What stands in a column of signals for whoever has none; a missing value says the same."""

FIRST_WORD, LAST_WORD = WORDS_OF_NAMES = ("first word", "last word")
"""Families of persons whose names have several words, if the data name no others: those that share one."""

BETWEEN_WORDS = re.compile(r"[\s_-]+")

COUNTED = re.compile(r"[^\W\d]?\d+\W*")
"""A number at the end of a label, such as 3 or f3, which is no part of a name."""

ONE_FAMILY = "a name belongs to one family: correct the rows, or leave the column out with families"
ONE_WORD = "a person is said by one word: correct the rows, or give each word a person of its own"

PersonLabels = dict[str, tuple[str, ...]]


def choose_families(requested: Sequence[str] | None, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of families that the data have, or those that were asked for.

    Parameters
    ----------
    requested : sequence of str, optional
        The option ``families``; None, empty or ``none`` for none.
    columns : iterable of str
        What the data have.

    Raises
    ------
    OptionError
        If there are more than two, or the data lack one that is no default.
    """
    if requested is None:
        return ()
    check_names("families", requested)
    known, names = list(columns), tuple(requested)
    if names == (NONE,):
        return ()
    if names == DEFAULTS.families:
        return tuple(name for name in names if name in known)
    if len(names) > MOST_FAMILIES or len(set(names)) != len(names):
        raise OptionError(
            f"families is {requested!r}; expected {MOST_FAMILIES} different columns at most, such as "
            "('family', 'ending'), or none"
        )
    for name in names:
        if name not in known:
            raise OptionError(
                f"families names the column {name!r}, which the data do not have; they have {', '.join(known)}"
            )
    return names


def words_of_names(source: Source, person: Coded, groups: Collection[str]) -> dict[str, Any]:
    """Return the first and the last word of each row's person as columns, as far as persons share them.

    Lakisha Johnson and Lakisha Jones are no independent draws, nor are Lakisha Johnson and Emily Johnson. The name of
    a group is no part of a name.
    """
    first_row = first_rows(person.codes, len(person.levels))
    names = source.texts(FORM, first_row) or person.levels
    words = [BETWEEN_WORDS.split(name.strip()) for name in names]
    found = {}
    for column, place in ((FIRST_WORD, 0), (LAST_WORD, -1)):
        shared = [of_name[place] if len(of_name) > 1 else NONE for of_name in words]
        known = {word for word in shared if not (word in groups or word == NONE or COUNTED.fullmatch(word))}
        shared = [word if word in known else NONE for word in shared]
        if 1 < len(known) < len(shared) - shared.count(NONE):
            found[column] = pa.DictionaryArray.from_arrays(pa.array(person.codes), pa.array(shared))
    return found


def read_person_labels(
    source: Source, person: Coded, unit: Ints, first: Ints, families: Sequence[str], axes: Sequence[str]
) -> PersonLabels:
    """Read what is further known of each unit.

    Parameters
    ----------
    source : Source
        Where the columns are.
    person : Coded, length n
        The person of each row, for messages.
    unit : (n,) integer array
        The unit of each row.
    first : (U,) integer array
        The first row of each unit.
    families : sequence of str
        Columns of families.
    axes : sequence of str
        The axes, on which signals are read; a column that is an axis itself is none.

    Raises
    ------
    LabelsError
        If a person has two labels in a column of families, or two signals, or a signal is no probability.
    """
    labels: PersonLabels = {}
    for name in signal_columns(source.columns, axes):
        if name in axes:
            continue
        labels[name] = _read_signals(source, name, person, unit, first)
    worded = tuple(name for name in (SAID, PLACEBO) if name in source.columns and name not in (*families, *axes))
    for name in (*families, *worded):
        column = encode(name, source.columns[name], ordered=False, missing=NONE)
        code_of_unit = column.codes[first]
        differs = column.codes != code_of_unit[unit]
        if differs.any():
            row = int(differs.argmax())
            since = int(first[unit[row]])
            raise LabelsError(
                f"column {name!r} gives person {person.levels[person.codes[row]]!r} the label "
                f"{column.levels[column.codes[since]]!r} in {source.place(since)} and "
                f"{column.levels[column.codes[row]]!r} in {source.place(row)}; "
                + (ONE_WORD if name in worded else ONE_FAMILY)
            )
        labels[name] = column.texts(first)
    forms = source.texts(FORM, first)
    if forms is not None:
        labels[FORM] = forms
    return labels


def _read_signals(source: Source, name: str, person: Coded, unit: Ints, first: Ints) -> tuple[str, ...]:
    """Read how strongly each unit signals its group, as text; empty where that is not known."""
    every = source.texts(name, np.arange(source.rows)) or ()
    values = np.array(["" if text.strip().lower() in NO_SIGNAL else text for text in every], dtype=object)
    differs = np.flatnonzero(values != values[first][unit])
    if differs.size:
        row = int(differs[0])
        since = int(first[unit[row]])
        raise LabelsError(
            f"column {name!r} gives person {person.levels[person.codes[row]]!r} the signal {values[since] or 'none'} "
            f"in {source.place(since)} and {values[row] or 'none'} in {source.place(row)}; a name signals its group as "
            "strongly everywhere: correct the rows"
        )
    signals = tuple(values[first].tolist())
    for row, text in zip(first.tolist(), signals, strict=True):
        if text and not _is_probability(text):
            raise LabelsError(
                f"column {name!r} has {text!r} in {source.place(row)}; expected the probability of the group given the "
                "name, a number from 0 to 1, or none"
            )
    return signals


def _is_probability(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False
