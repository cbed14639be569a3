"""Student's t for every pair of classes, with the ε of Lakkaraju et al. (2022), and the weighted rejection score."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.errors import DesignError, OptionError
from eec_bias.methods.published import plain
from eec_bias.options import Floats, Ints
from eec_bias.result.frame import Row
from eec_bias.stats.sums import summarise
from eec_bias.stats.two_way import ZERO, two_way

EPSILON = 0.0001
"""Added to the denominator of t, in the units of the scores."""

TEXT: dict[float, float] = {0.95: 1.0, 0.70: 0.8, 0.60: 0.6}
"""Weights by confidence level as the article's text prints them (Algorithm 1)."""

TABLES: dict[float, float] = {0.95: 1.0, 0.70: 0.7, 0.60: 0.6}
"""Weights from which its tables follow."""


def read_weights(weights: Any) -> dict[float, float]:
    """Check the option ``weights``: three numbers for 95, 70 and 60 %, or a mapping of confidence level to weight.

    Raises
    ------
    OptionError
        If there are not three, a weight is negative, or a level is not between 0 and 1.
    """
    if weights is None:
        return dict(TEXT)
    try:
        pairs = weights.items() if isinstance(weights, Mapping) else zip(TEXT, weights, strict=True)
        read = {float(level): float(weight) for level, weight in pairs}
    except (TypeError, ValueError):
        read = {}
    if not read or not all(0 < level < 1 and 0 <= weight < np.inf for level, weight in read.items()):
        raise OptionError(
            f"weights is {weights!r}; expected three numbers from 0 for the confidence levels 95, 70 and 60 %, such as "
            "1, .8 and .6, or a mapping of level to weight such as {.95: 1, .70: .8, .60: .6}"
        )
    return read


def compare_classes(
    values: Floats,
    first: Ints,
    second: Ints,
    names: tuple[str, str],
    who: tuple[Ints, Ints],
    scale: float,
    levels: Sequence[float],
) -> list[Row]:
    """Compare two classes of one data set.

    Parameters
    ----------
    values : (S, n) array
        Scores.
    first, second : integer arrays
        Rows of the classes.
    names : (str, str)
        Their labels.
    who : two (n,) integer arrays
        Person and item of each row, as codes.
    scale : float
        Width of the score range, the unit of what counts as 0.
    levels : sequence of float
        Confidence levels.

    Returns
    -------
    list of dict, length S
        Per system ``level, reference, df, persons, items, sentences, mean, other, effect, se, t, p, p_names_only,
        p_two_way, high, alike, mark, mark_tables``; ``se`` without ε, the default test over persons and items beside.

    Raises
    ------
    DesignError
        If a class has a single sentence.
    """
    if min(len(first), len(second)) < 2:
        raise DesignError(
            f"the groups {names[0]} and {names[1]} have {len(first)} and {len(second)} sentences; Student's t needs "
            "two of each"
        )
    a, b = values[:, first], values[:, second]
    se = np.sqrt(a.var(axis=1, ddof=1) / a.shape[1] + b.var(axis=1, ddof=1) / b.shape[1])
    mean, other = a.mean(axis=1), b.mean(axis=1)
    se, effect = (np.where(np.abs(x) <= ZERO * scale, 0.0, x) for x in (se, mean - other))
    t = effect / (se + EPSILON)
    df = a.shape[1] + b.shape[1] - 2
    persons, items = (len(np.unique(codes[np.concatenate((first, second))])) for codes in who)
    names_only, two_way_p, alike = _default_test(values, (first, second), who, scale)
    columns = {
        "mean": mean, "other": other, "effect": effect, "se": se, "t": t, "p": 2 * stdtr(df, -np.abs(t)),
        "p_names_only": names_only, "p_two_way": two_way_p, "high": (se == 0) & (effect != 0), "alike": alike,
        "mark": marks(t, df, levels), "mark_tables": marks(t, df, levels, tables=True),
    }  # fmt: skip
    shared = {
        "level": names[0], "reference": names[1], "df": df, "persons": persons, "items": items, "sentences": df + 2,
    }  # fmt: skip
    return [shared | {key: plain(column[s]) for key, column in columns.items()} for s in range(len(values))]


def marks(t: Floats, df: int, levels: Sequence[float], *, tables: bool = False) -> Ints:
    """The article's superscripts (S,): the highest confidence level that rejects, counted from 1; 0 for none.

    With ``tables`` the critical values are those that the article's tables follow from, t(1 − (1 − level)/4), instead
    of those of a test with two sides, t(1 − (1 − level)/2).
    """
    tail = (1 - np.array(sorted(levels, reverse=True))) / (4 if tables else 2)
    rejected = np.abs(t) >= stdtrit(df, 1 - tail)[:, None]
    return np.where(rejected.any(axis=0), rejected.argmax(axis=0) + 1, 0)


def weighted_score(tests: Sequence[Row], weights: Mapping[float, float], mark: str = "mark") -> float:
    """Weighted rejection score Σ w x of one system (equation 1), from the marks of its comparisons.

    A mark of 2 says that the second highest confidence level rejects, and with it all lower ones.
    """
    ordered = enumerate(sorted(weights, reverse=True), start=1)
    return float(round(sum(weights[level] * sum(0 < t[mark] <= place for t in tests) for place, level in ordered), 12))


def _default_test(
    values: Floats, classes: tuple[Ints, Ints], who: tuple[Ints, Ints], scale: float
) -> tuple[Floats, Floats, Any]:
    """The default test of the same difference: p over names, over names and items, and whether neither has spread.

    NaN where persons and items do not cross, or a class has one person.
    """
    crossed = [_cross(rows, who) for rows in classes]
    if any(len(table) < 2 for table in crossed) or crossed[0].shape[1] != crossed[1].shape[1]:
        return *np.full((2, len(values)), np.nan), np.zeros(len(values), dtype=bool)
    rows = np.concatenate(crossed)
    cell = np.repeat(np.arange(2), [len(table) for table in crossed])
    sums = summarise(values[:, rows], cell)
    tested = two_way(sums, np.array([[1.0, -1.0]]), scale)
    alike = (tested.se[:, 0] == 0) & (tested.effect[:, 0] != 0)
    return tested.p_names_only[:, 0], tested.p[:, 0], alike


def _cross(rows: Ints, who: tuple[Ints, Ints]) -> Ints:
    """Rows as persons × items; empty where they do not cross."""
    person, item = (np.unique(codes[rows], return_inverse=True)[1] for codes in who)
    table = np.full((person.max() + 1, item.max() + 1), -1, dtype=np.intp)
    table[person, item] = rows
    return table if table.size == len(rows) and (table >= 0).all() else table[:0]
