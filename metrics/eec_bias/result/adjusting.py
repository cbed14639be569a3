"""The adjusted p of rows of terms, and the smallest gap that a test at the level of the plan would catch."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import stdtrit

from eec_bias.options import ANY, MEAN, Floats
from eec_bias.result.comparison import EMOTION, REACTION, Comparison
from eec_bias.result.plan import Plan
from eec_bias.stats.emotions import rows_that_count, sidak, sidak_level
from eec_bias.stats.reaction import smallest_ratio

POWER = 0.80
"""The power at which the smallest gap is stated that a test would catch."""

FEWEST_DF = 8
"""With fewer degrees of freedom the smallest gap that a test would catch is not stated: it delivers .31 to .73."""


def adjust(compared: Sequence[Comparison], p: Floats, se: Floats, df: Floats, plan: Plan) -> dict[str, Floats]:
    """Return ``p_adjusted``, ``mde`` and ``mde_ratio`` (S, R) by the rule of the plan; NaN if a row is no question.

    Parameters
    ----------
    compared : sequence of Comparison, (R,)
        What each row is about.
    p, se, df : (S, R) arrays
        The test of each row of each system.
    plan : Plan
        Each p is multiplied by twice the number of questions of its family, at most 1. That of a row of an emotion, or
        of one of several levels whose reactions are compared, is first adjusted for the others (Šidák).
    """
    alike = Counter(_rows_of(each) for each in dict.fromkeys(compared) if each.asks and not each.is_whole)
    main, second = frozenset(plan.main), frozenset(_axis_of(question) for question in plan.second)
    rules: list[tuple[float, int, float]] = []
    for comparison in compared:
        if comparison in main:
            rules.append((plan.main_tests, 1, plan.main_alpha))
        elif _is_part_of_question(comparison) and _axis_of(comparison) in second:
            rules.append(_second_rule(plan, comparison, alike))
        else:
            rules.append((np.nan, 1, np.nan))
    tests, count, level = np.array(rules, dtype=float).reshape(-1, 3).T
    adjusted = np.minimum(1.0, tests * np.where(count == 1, p, sidak(p, count)))
    found = smallest_detectable(se, df, level)
    ratio = np.full(found.shape, np.nan)
    for r, comparison in enumerate(compared):
        if comparison.asks == REACTION and "+" not in comparison.axes:
            ratio[:, r] = smallest_ratio(found[:, r], against_mean=comparison.reference == MEAN)
    return {"p_adjusted": adjusted, "mde": found, "mde_ratio": ratio}


def smallest_detectable(se: Floats, df: Floats, alpha: Floats) -> Floats:
    """Return the smallest gaps that tests at these levels catch with a power of .80; NaN without a test."""
    return np.asarray(se * (stdtrit(df, 1 - alpha / 2) + stdtrit(df, POWER)))


def _second_rule(plan: Plan, comparison: Comparison, alike: Mapping[Comparison, int]) -> tuple[int, int, float]:
    """Return by what p is multiplied, for how many rows it is adjusted first, and the level of the row."""
    if comparison.is_whole:
        return plan.second_tests, 1, np.nan
    count = _number_that_counts(comparison, alike[_rows_of(comparison)])
    return plan.second_tests, count, sidak_level(plan.second_alpha, count)


def _is_part_of_question(comparison: Comparison) -> bool:
    """Return whether a row belongs to an emotion or reaction question, and is about no part of its items."""
    of_emotions = comparison.asks == EMOTION
    return of_emotions or (comparison.asks != "" and comparison.emotion is None and comparison.agreement is None)


def _rows_of(comparison: Comparison) -> Comparison:
    """Return what rows have in common whose p are adjusted for each other: an emotion's, or a level's of many."""
    if comparison.asks == EMOTION:
        return comparison.overall
    return replace(comparison, level=ANY)


def _number_that_counts(comparison: Comparison, rows: int) -> int:
    """Return how many of the rows are different: each of two emotions, or levels, mirrors the other."""
    mirrored = comparison.asks == EMOTION or comparison.reference == MEAN
    return rows_that_count(rows) if mirrored else rows


def _axis_of(comparison: Comparison) -> tuple[Any, ...]:
    """Return what all rows of an emotion question have in common."""
    return comparison.term, comparison.subset, comparison.stratum, comparison.output
