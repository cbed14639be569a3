"""Student's t for every pair of groups, with the ε of Lakkaraju et al. (2022), and the weighted rejection score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.errors import DesignError, OptionError
from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.sums import summarise
from eec_bias.stats.two_way import ZERO, two_way

EPSILON = 0.0001
"""Added to the denominator of t, in the units of the scores."""

TEXT: dict[float, float] = {0.95: 1.0, 0.70: 0.8, 0.60: 0.6}
"""Weights by confidence level as the article's text prints them (Algorithm 1)."""

TABLES: dict[float, float] = {0.95: 1.0, 0.70: 0.7, 0.60: 0.6}
"""Weights from which its tables follow."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The comparison of two groups in one data set, for S systems; every array is (S,).

    Attributes
    ----------
    level, reference : str
        The groups.
    mean, other : arrays
        Their mean scores, E[Sentiment | group].
    effect : array
        The difference.
    se : array
        The denominator without ε.
    t, p : arrays
        effect/(se + ε), and Student's p with two sides.
    df : int
        Sentences of both groups minus 2.
    p_names_only, p_two_way : arrays
        The default test with persons, and with persons and items, as units; NaN where a group has one person, and
        where there is a difference without a standard error.
    alike : bool array
        Whether that is so: persons and items all differ by the same.
    persons, items, sentences : int
        How many there are.
    """

    level: str
    reference: str
    mean: Floats
    other: Floats
    effect: Floats
    se: Floats
    t: Floats
    p: Floats
    df: int
    p_names_only: Floats
    p_two_way: Floats
    alike: Bools
    persons: int
    items: int
    sentences: int

    def high(self) -> Bools:
        """Whether only ε stands in the denominator of a difference, which the article prints as H."""
        return np.asarray((self.se == 0) & (self.effect != 0))

    def rejected(self, levels: Sequence[float], *, tables: bool = False) -> Bools:
        """Whether each confidence level rejects, (levels, S).

        Parameters
        ----------
        levels : sequence of float
            Confidence levels.
        tables : bool
            Whether to use the critical values that the article's tables follow from, t(1 − (1 − level)/4), instead
            of those of a test with two sides, t(1 − (1 − level)/2).
        """
        tail = (1 - np.asarray(levels, dtype=float)) / (4 if tables else 2)
        return np.asarray(np.abs(self.t) >= stdtrit(self.df, 1 - tail)[:, None])


def compare_pair(
    values: Floats, first: Ints, second: Ints, names: tuple[str, str], who: tuple[Ints, Ints], scale: float
) -> Pair:
    """Compare two groups.

    Parameters
    ----------
    values : (S, n) array
        Scores.
    first, second : integer arrays
        Rows of the groups.
    names : (str, str)
        Their labels.
    who : two (n,) integer arrays
        Person and item of each row, as codes.
    scale : float
        Width of the score range, the unit of what counts as 0.

    Raises
    ------
    DesignError
        If a group has a single sentence.
    """
    if min(len(first), len(second)) < 2:
        raise DesignError(
            f"the groups {names[0]} and {names[1]} have {len(first)} and {len(second)} sentences; Student's t needs "
            "two of each"
        )
    a, b = values[:, first], values[:, second]
    se = np.sqrt(a.var(axis=1, ddof=1) / a.shape[1] + b.var(axis=1, ddof=1) / b.shape[1])
    mean, other = a.mean(axis=1), b.mean(axis=1)
    effect = mean - other
    se, effect = (np.where(np.abs(x) <= ZERO * scale, 0.0, x) for x in (se, effect))
    t = effect / (se + EPSILON)
    df = a.shape[1] + b.shape[1] - 2
    names_only, both, alike = _controlled(values, first, second, who, scale)
    persons, items = (len(np.unique(codes[np.concatenate((first, second))])) for codes in who)
    return Pair(
        *names,
        mean,
        other,
        effect,
        se,
        t,
        2 * stdtr(df, -np.abs(t)),
        df,
        names_only,
        both,
        alike,
        persons,
        items,
        df + 2,
    )


def _controlled(
    values: Floats, first: Ints, second: Ints, who: tuple[Ints, Ints], scale: float
) -> tuple[Floats, Floats, Bools]:
    """The default test of the same difference: p over names, over names and items, and whether neither has spread."""
    nothing = np.full(len(values), np.nan), np.full(len(values), np.nan), np.zeros(len(values), dtype=bool)
    tables = [_table(rows, who) for rows in (first, second)]
    if any(table is None or len(table) < 2 for table in tables):
        return nothing
    rows = np.concatenate([table for table in tables if table is not None])
    if len({table.shape[1] for table in tables if table is not None}) > 1:
        return nothing
    cell = np.repeat(np.arange(2), [len(table) for table in tables if table is not None])
    gathered = values[:, rows.ravel()].reshape(len(values), *rows.shape)
    tested = two_way(summarise(gathered, cell), np.array([[1.0, -1.0]]), scale)
    alike = (tested.se[:, 0] == 0) & (tested.effect[:, 0] != 0)
    return tested.p_names_only[:, 0], tested.p[:, 0], alike


def _table(rows: Ints, who: tuple[Ints, Ints]) -> Ints | None:
    """Rows as persons × items; None where they do not cross."""
    person, item = (np.unique(codes[rows], return_inverse=True)[1] for codes in who)
    shape = (person.max() + 1, item.max() + 1)
    if len(rows) != shape[0] * shape[1] or len(np.unique(person * shape[1] + item)) != len(rows):
        return None
    table = np.empty(shape, dtype=np.intp)
    table[person, item] = rows
    return table


def read_weights(weights: Any) -> dict[float, float]:
    """Check the option ``weights``.

    Parameters
    ----------
    weights : sequence of three numbers, mapping of confidence level to weight, or None
        Three numbers are for 95, 70 and 60 %; None means `TEXT`.

    Raises
    ------
    OptionError
        If there are not three, a weight is negative, or a level is not between 0 and 1.
    """
    if weights is None:
        return dict(TEXT)
    try:
        found = (
            {float(level): float(weight) for level, weight in weights.items()}
            if isinstance(weights, Mapping)
            else dict(zip(TEXT, map(float, weights), strict=True))
        )
    except (TypeError, ValueError):
        found = {}
    if not found or not all(0 < level < 1 and 0 <= weight < np.inf for level, weight in found.items()):
        raise OptionError(
            f"weights={weights!r}; expected three numbers from 0 for the confidence levels 95, 70 and 60 %, such as "
            "(1, .8, .6), or a mapping of level to weight such as {.95: 1, .70: .8, .60: .6}"
        )
    return found


def weighted_score(rejections: Any, weights: Mapping[float, float]) -> Floats:
    """Weighted rejection score Σ w x (equation 1).

    Parameters
    ----------
    rejections : (levels, …) array
        How many pairs each confidence level rejects, in the order of the weights.
    weights : mapping of level to weight
        The weights.
    """
    return np.asarray(np.tensordot(list(weights.values()), np.asarray(rejections, dtype=float), axes=1))
