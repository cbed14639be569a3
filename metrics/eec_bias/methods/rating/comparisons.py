"""Student's t for every pair of classes, with the ε of Lakkaraju et al. (2022), and the weighted rejection score."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.errors import DesignError, expect
from eec_bias.methods.published import to_json
from eec_bias.methods.rating.sets import LETTERS, RatedSet, ordered_pairs
from eec_bias.options import Floats, Ints
from eec_bias.result.frame import Row
from eec_bias.stats.default_test import run_test
from eec_bias.stats.facets import make_facets
from eec_bias.stats.rounding import ZERO
from eec_bias.stats.sums import summarise

EPSILON = 0.0001
"""Added to the denominator of t, in the units of the scores."""

TEXT: dict[float, float] = {0.95: 1.0, 0.70: 0.8, 0.60: 0.6}
"""Weights by confidence level as the article's text prints them (Algorithm 1)."""

TABLES: dict[float, float] = {0.95: 1.0, 0.70: 0.7, 0.60: 0.6}
"""Weights from which its tables follow."""


NUMBERS = (
    "mean", "other", "effect", "se", "t", "p", "p_names_only", "p_names_items", "high", "alike", "mark", "mark_tables",
)  # fmt: skip
"""Columns of numbers about a pair of classes and a system, in their order."""


def read_weights(weights: Any) -> dict[float, float]:
    """Check the option ``weights``: three numbers for 95, 70 and 60 %, or a mapping of confidence level to weight.

    The highest level comes first.

    Raises
    ------
    OptionError
        If there are not three, a weight is negative, or a level is not between 0 and 1.
    """
    if weights is None:
        return dict(TEXT)
    # A set has no order, and a text would be read digit by digit.
    ordered = hasattr(weights, "__getitem__") and not isinstance(weights, str | bytes)
    try:
        pairs = weights.items() if isinstance(weights, Mapping) else zip(TEXT, weights, strict=True)
        read = {float(level): float(weight) for level, weight in pairs}
    except (TypeError, ValueError):
        read = {}
    expected = (
        "three numbers from 0 for the confidence levels 95, 70 and 60 %, such as 1, .8 and .6, or a mapping of level "
        "to weight such as {.95: 1, .70: .8, .60: .6}"
    )
    fits = ordered and read and all(0 < level < 1 and 0 <= weight < np.inf for level, weight in read.items())
    expect(fits, "weights", weights, expected)
    return dict(sorted(read.items(), reverse=True))


def compare_classes(
    rated_set: RatedSet, values: Floats, scale: float, levels: Sequence[float], systems: Sequence[str]
) -> Iterator[Row]:
    """Compare every pair of classes of a data set.

    Parameters
    ----------
    rated_set : RatedSet
        The data set, of n rows.
    values : (S, n) array
        Its scores.
    scale : float
        Width of the score range, the unit of what counts as 0.
    levels : sequence of float
        Confidence levels.
    systems : sequence of str, length S
        Their names.

    Yields
    ------
    dict
        Per pair and system ``system, group, set, attribute, level, reference, df, persons, items, sentences, mean,
        other, effect, se, t, p, p_names_only, p_names_items, high, alike, mark, mark_tables``; ``se`` without ε, the
        test over persons and items beside.

    Raises
    ------
    DesignError
        If a class has a single sentence.
    """
    for attribute, classes in rated_set.attributes.items():
        group = column_of(rated_set.group, attribute)
        for pair in ordered_pairs(classes.levels):
            names = {"level": classes.levels[pair[0]], "reference": classes.levels[pair[1]]}
            first, second = (np.flatnonzero(classes.codes == code) for code in pair)
            if min(len(first), len(second)) < 2:
                raise DesignError(
                    f"the groups {names['level']} and {names['reference']} have {len(first)} and {len(second)} "
                    "sentences; Student's t needs two of each"
                )
            both = np.concatenate((first, second))
            sizes = {
                "df": len(both) - 2, "persons": len(np.unique(rated_set.person[both])),
                "items": len(np.unique(rated_set.item[both])), "sentences": len(both),
            }  # fmt: skip
            tests = _student(values[:, first], values[:, second], scale, levels)
            tests |= _default_test(rated_set, values, (first, second), scale)
            about = {"group": group, "set": rated_set.label, "attribute": attribute} | names | sizes
            for s, system in enumerate(systems):
                yield {"system": system} | about | {key: to_json(tests[key][s]) for key in NUMBERS}


def column_of(group: str, attribute: str) -> str:
    """Name the column of the article's tables for an attribute of data group 1 or 3, such as ``3_R``."""
    return group if group == "1" else f"3_{LETTERS[attribute]}"


def _student(a: Floats, b: Floats, scale: float, levels: Sequence[float]) -> dict[str, Any]:
    """Student's t with ε in its denominator, of the scores (S, n) of two classes."""
    se = np.sqrt(a.var(axis=1, ddof=1) / a.shape[1] + b.var(axis=1, ddof=1) / b.shape[1])
    mean, other = a.mean(axis=1), b.mean(axis=1)
    se, effect = (np.where(np.abs(x) <= ZERO * scale, 0.0, x) for x in (se, mean - other))
    t = effect / (se + EPSILON)
    df = a.shape[1] + b.shape[1] - 2
    return {
        "mean": mean, "other": other, "effect": effect, "se": se, "t": t, "p": 2 * stdtr(df, -np.abs(t)),
        "high": (se == 0) & (effect != 0), "mark": marks(t, df, levels),
        "mark_tables": marks(t, df, levels, tables=True),
    }  # fmt: skip


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
    return float(round(sum(weights[level] * sum(0 < t[mark] <= rank for t in tests) for rank, level in ordered), 12))


def _default_test(rated_set: RatedSet, values: Floats, classes: tuple[Ints, Ints], scale: float) -> dict[str, Any]:
    """Test the same difference over names, and over names and items; say whether neither has spread.

    The data sets have too few templates to take these as a sample.

    NaN where persons and items do not cross, or a class has one person.
    """
    crossed = [_cross(rated_set, rows) for rows in classes]
    if any(len(table) < 2 for table in crossed) or crossed[0].shape[1] != crossed[1].shape[1]:
        none = np.full(len(values), np.nan)
        return {"p_names_only": none, "p_names_items": none, "alike": np.zeros(len(values), dtype=bool)}
    cell = np.repeat(np.arange(2), [len(table) for table in crossed])
    sums, facets = summarise(values[:, np.concatenate(crossed)], cell), make_facets(crossed[0].shape[1], {})
    tested = run_test(sums, np.array([[1.0, -1.0]]), facets, scale)
    alike = (tested.se[:, 0] == 0) & (tested.effect[:, 0] != 0)
    return {"p_names_only": tested.p_names_only[:, 0], "p_names_items": tested.p[:, 0], "alike": alike}


def _cross(rated_set: RatedSet, rows: Ints) -> Ints:
    """Rows as persons × items; empty where they do not cross."""
    person, item = (np.unique(codes[rows], return_inverse=True)[1] for codes in (rated_set.person, rated_set.item))
    table = np.full((person.max() + 1, item.max() + 1), -1, dtype=np.intp)
    table[person, item] = rows
    return table if table.size == len(rows) and (table >= 0).all() else table[:0]
