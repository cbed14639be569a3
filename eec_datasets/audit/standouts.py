"""Names whose scores lie farther from those of their group than chance would put any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from eec_bias.reading import signed
from eec_datasets.locale.model import UNMARKED
from eec_datasets.schema import axes_of
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus

NOISE: Final = 1e-9
"""Distances below this share of the range of the scores come from rounding."""

ALPHA: Final = 0.05
"""Probability with which any name at all is called far where none is."""


@dataclass(frozen=True, slots=True)
class Standout:
    """One name far from the others.

    Attributes
    ----------
    form
        The name as written in the corpus.
    labels
        Its level on each axis, such as ``{"race": "Black", "gender": "female"}``.
    distance
        Mean score of the name minus the mean of the other names of its group, in units of the scores.
    p
        Of a distance as large, Bonferroni-adjusted for the number of names.
    """

    form: str
    labels: dict[str, str]
    distance: float
    p: float

    def __str__(self) -> str:
        return f"{self.form} ({' '.join(self.labels.values())}) {signed(self.distance)}"


def standouts(corpus: Corpus, scores: Sequence[float], score_range: tuple[float, float]) -> list[Standout]:
    """Return the names that are outliers among all names of a corpus, at a level that holds for all of them together.

    A name is far if its externally studentised residual about the mean of its group, with the variance that the other
    names have about theirs, has a two-sided Bonferroni-adjusted p below `ALPHA` (Cook & Weisberg 1982, 2.2.2).

    Parameters
    ----------
    corpus
        What was scored; noun phrases and pronouns take no part, as they differ in more than their group.
    scores
        One per row.
    score_range
        Declared range.

    Returns
    -------
    list of Standout
        The farthest first.
    """
    names = _names_of(corpus)
    given = np.asarray(scores, dtype=float)[names.rows]
    known = ~np.isnan(given)
    items, persons, given = names.items[known], names.persons[known], given[known]
    # Names that lack some sentences are compared on those they have.
    given = given - _means(items, given)[items]
    scored = np.unique(persons)
    distances, p = outliers(_means(persons, given)[scored], names.groups[scored])
    least = NOISE * (score_range[1] - score_range[0])
    outlying = [
        Standout(names.forms[person], names.labels[person], distance, chance)
        for person, distance, chance in zip(scored.tolist(), distances.tolist(), p.tolist(), strict=True)
        if abs(distance) > least and chance < ALPHA
    ]
    return sorted(outlying, key=lambda each: -abs(each.distance))


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a corpus, each with its number.

    Attributes
    ----------
    rows
        The rows with a name.
    items, persons
        The number of the item, and of the name, of each of these rows.
    forms, labels, groups
        Of each name: how it is written, its level on each axis, and the number of its group.
    """

    rows: NDArray[np.intp]
    items: NDArray[np.intp]
    persons: NDArray[np.intp]
    forms: list[str]
    labels: list[dict[str, str]]
    groups: NDArray[np.intp]


@lru_cache(maxsize=CACHED_CORPORA)
def _names_of(corpus: Corpus) -> _Names:
    """Return the names of a corpus; they are the same for every system that scores it."""
    axes = sorted(axes_of(corpus.columns), key=lambda axis: axis == "gender")
    keys = zip(*(corpus.columns[key] for key in ("person_type", "item", "person_form", *axes)), strict=True)
    rows: list[int] = []
    items: list[int] = []
    persons: list[int] = []
    item_numbers: dict[str, int] = {}
    person_numbers: dict[tuple[str, ...], int] = {}
    for row, (kind, item, *person) in enumerate(keys):
        if kind == "name":
            rows.append(row)
            items.append(item_numbers.setdefault(item, len(item_numbers)))
            persons.append(person_numbers.setdefault(tuple(person), len(person_numbers)))
    group_numbers: dict[tuple[str, ...], int] = {}
    groups = [group_numbers.setdefault(person[1:], len(group_numbers)) for person in person_numbers]
    return _Names(
        np.array(rows, dtype=np.intp),
        np.array(items, dtype=np.intp),
        np.array(persons, dtype=np.intp),
        [form for form, *_ in person_numbers],
        [
            {axis: level for axis, level in zip(axes, levels, strict=True) if level != UNMARKED}
            for _, *levels in person_numbers
        ],
        np.array(groups, dtype=np.intp),
    )


def _means(numbers: NDArray[np.intp], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of the values of each number; 0 where a number has none."""
    means: NDArray[np.float64] = np.bincount(numbers, values) / np.maximum(np.bincount(numbers), 1)
    return means


def outliers(values: Any, groups: Any) -> tuple[Any, Any]:
    """Return how far each value is from the mean of the others of its group, and the adjusted p of that.

    Parameters
    ----------
    values : (N,) array
    groups : (N,) array of int
        Number of each value's group. A value alone in its group is at distance 0.

    Returns
    -------
    (N,) array, (N,) array
        Distances, in the units of the values; Bonferroni-adjusted p, 1 where there is too little to judge by.
    """
    from scipy.special import stdtr

    sizes = np.bincount(groups)[groups]
    residuals = values - _means(groups, values)[groups]
    free = np.where(sizes > 1, 1 - 1 / sizes, np.inf)
    df = len(values) - len(np.unique(groups)) - 1
    left = np.maximum((residuals**2).sum() - residuals**2 / free, 0) / max(df, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(residuals == 0, 0.0, np.abs(residuals) / np.sqrt(left * free))
    p = np.minimum(2 * stdtr(max(df, 1), -t) * len(values), 1) if df > 0 else np.ones(len(values))
    return residuals / free, p
