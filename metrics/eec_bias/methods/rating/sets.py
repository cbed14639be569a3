"""The data sets of the rating: which rows belong to which, and who is who in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from eec_bias.errors import DesignError, LabelsError
from eec_bias.grouping import grouped
from eec_bias.inputs.containers import Source
from eec_bias.inputs.labels import Coded, refuse_lookalikes
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
"""The article's abbreviations of the attributes of group 3."""

NEED = (
    "the rating needs the columns group, set, gender, race, emotion, person and item of the data sets that "
    "eec_datasets.confounded or eec sentences --confounded makes"
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
    for name in ("group", "set", "gender", "race", "emotion", "person", "item"):
        if name not in source.columns:
            raise LabelsError(f"column {name!r} is missing; {NEED}")
    for name, known in (("group", tuple(GROUPS)), ("emotion", (*POSITIVE, *NEGATIVE))):
        column = source.coded(name)
        if other := [level for level in column.levels if level not in known]:
            raise LabelsError(
                f"column {name!r} holds {other[0]!r} in row {column.first(other[0])} (rows count from 0); expected one "
                f"of {', '.join(known)}: leave other rows out; {NEED}"
            )
    for name in ("set", "gender", "race", "person", "item"):
        refuse_lookalikes(source.coded(name).levels, f"labels of the column {name!r}", LabelsError)
    columns = {name: _texts(source, name) for name in ("gender", "race")}
    columns |= {name: source.coded(name).codes for name in ("person", "item")}
    columns |= {"positive": np.isin(_texts(source, "emotion"), POSITIVE)}
    names = [_texts(source, name) for name in ("group", "set", "case") if name in source.columns]
    sets = grouped((key, row) for row, key in enumerate(zip(*names, strict=True)))
    return [_rated_set(key, np.array(sets[key]), columns) for key in sorted(sets)]


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
    def place(label: str) -> tuple[bool, tuple[bool, ...], str]:
        return _is_unmarked(label), tuple(part not in FIRST for part in label.split(" ")), label

    levels = sorted(set(labels), key=place)
    if _is_unmarked(levels[-1]):
        # In the article's tables the class without mark comes second of three, and first of five.
        levels.insert(len(levels) == 3, levels.pop())
    number = {level: code for code, level in enumerate(levels)}
    return Coded(attribute, np.array([number[label] for label in labels]), tuple(levels))


def _is_unmarked(label: str) -> bool:
    """Return whether a class is that of persons whose gender or race is not said."""
    return label == NA or label.startswith("neutral")
