"""The adjusted p of rows of terms, and the smallest gap that a test at the level of the plan would catch."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import stdtrit

from eec_bias.options import ANY, Floats
from eec_bias.result.comparison import Comparison
from eec_bias.result.frame import Row
from eec_bias.result.plan import Plan
from eec_bias.stats.emotions import sidak, sidak_level

POWER = 0.80
"""The power at which the smallest gap is stated that a test would catch."""

FEWEST_DF = 8
"""With fewer degrees of freedom the smallest gap that a test would catch is not stated: it delivers .31 to .73."""


def adjust_rows(rows: Sequence[Row], plan: Plan) -> None:
    """Set ``p_adjusted`` and ``mde`` of rows of terms by the rule of the plan; null for rows that are no question.

    Parameters
    ----------
    rows : sequence of dict
        Rows of terms of one measurement.
    plan : Plan
        Each p is multiplied by twice the number of questions of its family, at most 1. That of a row of an emotion is
        first adjusted for the emotions among each other (Šidák).
    """
    main, second = frozenset(plan.main), frozenset(_axis_of(question) for question in plan.second)
    compared = [Comparison.of(row) for row in rows]
    emotions = Counter(each.overall for each in set(compared) if each.emotion not in (None, ANY))
    levels = np.full(len(rows), np.nan)
    for number, (row, comparison) in enumerate(zip(rows, compared, strict=True)):
        p, tests = row.get("p"), None
        if comparison in main:
            tests, levels[number] = plan.main_tests, plan.main_alpha
        elif comparison.emotion is not None and _axis_of(comparison) in second:
            tests = plan.second_tests
            if comparison.emotion != ANY:
                count = emotions[comparison.overall]
                p = None if p is None else float(sidak(np.array(p), count))
                levels[number] = sidak_level(plan.second_alpha, count)
        row["p_adjusted"] = None if p is None or tests is None else min(1.0, tests * p)
    found = smallest_detectable(_numbers(rows, "se"), _numbers(rows, "df"), levels)
    for row, mde in zip(rows, found.tolist(), strict=True):
        row["mde"] = None if np.isnan(mde) else mde


def smallest_detectable(se: Floats, df: Floats, alpha: Floats) -> Floats:
    """Return the smallest gaps that tests at these levels catch with a power of .80; NaN without a test."""
    return np.asarray(se * (stdtrit(df, 1 - alpha / 2) + stdtrit(df, POWER)))


def _axis_of(comparison: Comparison) -> tuple[Any, ...]:
    """Return what all rows of an emotion question have in common."""
    return comparison.term, comparison.subset, comparison.stratum, comparison.output


def _numbers(rows: Sequence[Row], key: str) -> Floats:
    return np.array([row.get(key) for row in rows], dtype=float)
