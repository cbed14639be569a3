"""The data sets of the rating: which rows belong to which, and who is who in them."""

from dataclasses import dataclass

import numpy as np

from eec_bias.errors import DesignError, LabelsError
from eec_bias.inputs.codes import Coded
from eec_bias.inputs.sources import Source
from eec_bias.options import UNMARKED, Bools, Ints

GROUPS = ("1", "2", "3", "4")
"""Data groups: 1 gender, 2 gender confounded, 3 gender and race, 4 both confounded."""

NA = "NA"
"""Label of persons whose race (and gender) is not said."""

FIRST = ("male", "white", "Anglo")
"""Levels that come first, as in the article's tables."""

NEED = (
    "the rating needs the columns group, set, gender, race, emotion, person and item of the data sets that "
    "eec_datasets.confounded or eec corpus confound makes"
)


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of one attribute in one data set.

    Attributes
    ----------
    levels : tuple of str
        The classes, in the order of the tables.
    codes : (rows,) integer array
        Class of each row of the data set.
    """

    levels: tuple[str, ...]
    codes: Ints

    def pairs(self) -> list[tuple[int, int]]:
        """Every pair of classes as (level, reference): the class without mark is the reference, else the earlier."""
        found = []
        for a in range(len(self.levels)):
            for b in range(a + 1, len(self.levels)):
                found.append((a, b) if _silent(self.levels[b]) else (b, a))
        return found


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
    attributes : dict of str to Classes
        ``gender``, ``race`` and the composite ``rg``, those of them that the group compares or adjusts for.
    """

    group: str
    label: str
    case: str
    rows: Ints
    positive: Bools
    attributes: dict[str, Classes]


def read_sets(source: Source) -> list[RatedSet]:
    """Cut the data into data sets.

    Raises
    ------
    LabelsError
        If a column is missing, or a label is not one of the groups or emotions that can be rated.
    DesignError
        If a data set has one class only.
    """
    group, label, gender, race, positive = _columns(source)
    case = (
        source.coded("case") if "case" in source.columns else Coded("case", np.zeros(source.rows, np.intp), ("none",))
    )
    key = np.stack([group.codes, label.codes, case.codes])
    found = []
    for one in np.unique(key, axis=1).T:
        rows = np.flatnonzero((key == one[:, None]).all(axis=0))
        names = (group.levels[one[0]], label.levels[one[1]], case.levels[one[2]])
        attributes = _attributes(names[0], _labels(gender, rows), _labels(race, rows))
        for attribute, classes in attributes.items():
            if len(classes.levels) < 2:
                raise DesignError(
                    f"the data set {names[1]} of group {names[0]} has one class of {attribute}, "
                    f"{classes.levels[0]}; a comparison needs two"
                )
        found.append(RatedSet(*names, rows, positive[rows], attributes))
    return found


def _columns(source: Source) -> tuple[Coded, Coded, Coded, Coded, Bools]:
    for name in ("group", "set", "gender", "race", "emotion", "person", "item"):
        if name not in source.columns:
            raise LabelsError(f"column {name!r} is missing; {NEED}")
    group, emotion = source.coded("group"), source.coded("emotion")
    for level in group.levels:
        if level not in GROUPS:
            raise LabelsError(f"column 'group' holds {level!r}; expected 1, 2, 3 or 4; {NEED}")
    if "none" in emotion.levels:
        row = int(np.flatnonzero(emotion.codes == emotion.levels.index("none"))[0])
        raise LabelsError(
            f"row {row} (rows count from 0) has no emotion word; the rating compares sentences with positive "
            "and negative words: leave such rows out"
        )
    positive = np.array([level in ("joy", "positive") for level in emotion.levels])[emotion.codes]
    return group, source.coded("set"), source.coded("gender"), source.coded("race"), positive


def _labels(column: Coded, rows: Ints) -> list[str]:
    return [column.levels[code] for code in column.codes[rows]]


def _attributes(group: str, gender: list[str], race: list[str]) -> dict[str, Classes]:
    if group in ("1", "2"):
        return {"gender": _classes(gender)}
    composite = [_composite(*both) for both in zip(race, gender, strict=True)]
    if group == "4":
        return {"rg": _classes(composite)}
    races = [NA if label == UNMARKED else label for label in race]
    return {"gender": _classes(gender), "race": _classes(races), "rg": _classes(composite)}


def _composite(race: str, gender: str) -> str:
    return NA if race == UNMARKED else f"{race} {gender}"


def _classes(labels: list[str]) -> Classes:
    levels = sorted(set(labels), key=_place)
    # In the article's tables the class without mark comes second of three, and first of five.
    if len(levels) == 3 and _silent(levels[2]):
        levels = [levels[0], levels[2], levels[1]]
    elif _silent(levels[-1]):
        levels = [levels[-1], *levels[:-1]]
    codes = np.searchsorted(np.array(sorted(levels)), labels)
    order = np.array([levels.index(level) for level in sorted(levels)])
    return Classes(tuple(levels), order[codes])


def _place(label: str) -> tuple[bool, tuple[bool, ...], str]:
    return _silent(label), tuple(part not in FIRST for part in label.split(" ")), label


def _silent(label: str) -> bool:
    """Whether a class is that of persons whose gender or race is not said."""
    return label == NA or label.startswith("neutral")
