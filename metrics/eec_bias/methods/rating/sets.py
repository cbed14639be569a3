"""The data sets of the rating: which rows belong to which, and who is who in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from eec_bias.errors import DesignError, LabelsError
from eec_bias.grouping import grouped
from eec_bias.inputs.codes import Coded
from eec_bias.inputs.item_labels import NONE
from eec_bias.inputs.sources import Source
from eec_bias.options import UNMARKED, Bools, Ints

GROUPS = {"1": ("gender",), "2": ("gender",), "3": ("gender", "race", "rg"), "4": ("rg",)}
"""Data groups with what they compare or adjust for: 1 gender, 2 gender confounded, 3 and race, 4 both confounded."""

POSITIVE, NEGATIVE = ("joy", "positive"), ("anger", "fear", "sadness", "negative")
"""Emotions by the kind of their words."""

NA = "NA"
"""Label of persons whose race (and gender) is not said."""

FIRST = ("male", "white", "Anglo", "Spanish")
"""Levels that come first, as in the article's tables."""

LETTERS = {"gender": "G", "race": "R", "rg": "RG"}
"""How the article abbreviates the attributes of group 3."""

NEED = (
    "the rating needs the columns group, set, gender, race, emotion, person and item of the data sets that "
    "eec_datasets.confounded or eec corpus confound makes"
)


@dataclass(frozen=True, slots=True)
class RatedSet:
    """One of the sixteen data sets.

    Attributes
    ----------
    group, label, case : str
        Data group, set of words, case k (``none`` outside group 2).
    rows : integer array
        Its rows in the data.
    positive : bool array
        Whether each row's emotion word is positive.
    person, item : integer arrays
        Person and item of each row, as codes.
    attributes : dict of str to Coded
        ``gender``, ``race`` and the composite ``rg``, those of them that the group compares or adjusts for; their
        classes in the order of the tables.
    """

    group: str
    label: str
    case: str
    rows: Ints
    positive: Bools
    person: Ints
    item: Ints
    attributes: dict[str, Coded]


def read_sets(source: Source) -> list[RatedSet]:
    """Cut the data into data sets.

    Raises
    ------
    LabelsError
        If a column is missing, or a label is not one of the groups or emotions that can be rated.
    DesignError
        If a data set has one class only.
    """
    _refuse_other_columns(source)
    positive = np.isin(_texts(source, "emotion"), POSITIVE)
    columns = {name: _texts(source, name) for name in ("gender", "race")}
    columns |= {name: source.coded(name).codes for name in ("person", "item")} | {"positive": positive}
    names = [_texts(source, name) for name in ("group", "set", "case") if name in source.columns]
    sets = grouped((key, row) for row, key in enumerate(zip(*names, strict=True)))
    return [_rated_set(key, np.array(sets[key]), columns) for key in sorted(sets)]


def _refuse_other_columns(source: Source) -> None:
    for name in ("group", "set", "gender", "race", "emotion", "person", "item"):
        if name not in source.columns:
            raise LabelsError(f"column {name!r} is missing; {NEED}")
    for level in source.coded("group").levels:
        if level not in GROUPS:
            raise LabelsError(f"column 'group' holds {level!r}; expected 1, 2, 3 or 4; {NEED}")
    for level in source.coded("emotion").levels:
        if level not in (*POSITIVE, *NEGATIVE, NONE):
            raise LabelsError(
                f"column 'emotion' holds {level!r}; expected {', '.join(POSITIVE)} of positive words and "
                f"{', '.join(NEGATIVE)} of negative ones"
            )
    wordless = np.flatnonzero(_texts(source, "emotion") == NONE)
    if wordless.size:
        raise LabelsError(
            f"row {wordless[0]} (rows count from 0) has no emotion word; the rating compares sentences with positive "
            "and negative words: leave such rows out"
        )


def _texts(source: Source, name: str) -> Any:
    column = source.coded(name)
    return np.array(column.levels, dtype=object)[column.codes]


def _rated_set(key: tuple[str, ...], rows: Ints, columns: Mapping[str, Any]) -> RatedSet:
    group, label, case = (*key, "none")[:3]
    values = {name: column[rows] for name, column in columns.items()}
    genders, races = values["gender"].tolist(), [NA if race == UNMARKED else race for race in values["race"]]
    both = [NA if r == NA else f"{r} {g}" for r, g in zip(races, genders, strict=True)]
    labels = {"gender": genders, "race": races, "rg": both}
    attributes = {attribute: _classes(attribute, labels[attribute]) for attribute in GROUPS[group]}
    for attribute, classes in attributes.items():
        if len(classes.levels) < 2:
            raise DesignError(
                f"the data set {label} of group {group} has one class of {attribute}, {classes.levels[0]}; a "
                "comparison needs two"
            )
    return RatedSet(group, label, case, rows, values["positive"], values["person"], values["item"], attributes)


def ordered_pairs(levels: Sequence[str]) -> list[tuple[int, int]]:
    """Return every pair of classes as (level, reference): the class without mark is the reference, else the earlier."""
    return [(a, b) if _is_unmarked(levels[b]) else (b, a) for a, b in combinations(range(len(levels)), 2)]


def _classes(attribute: str, labels: list[str]) -> Coded:
    levels = sorted(set(labels), key=_sort_key)
    # In the article's tables the class without mark comes second of three, and first of five.
    if len(levels) == 3 and _is_unmarked(levels[2]):
        levels = [levels[0], levels[2], levels[1]]
    elif _is_unmarked(levels[-1]):
        levels = [levels[-1], *levels[:-1]]
    number = {level: code for code, level in enumerate(levels)}
    return Coded(attribute, np.array([number[label] for label in labels]), tuple(levels))


def _sort_key(label: str) -> tuple[bool, tuple[bool, ...], str]:
    return _is_unmarked(label), tuple(part not in FIRST for part in label.split(" ")), label


def _is_unmarked(label: str) -> bool:
    """Whether a class is that of persons whose gender or race is not said."""
    return label == NA or label.startswith("neutral")
