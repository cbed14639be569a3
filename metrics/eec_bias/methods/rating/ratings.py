"""Raw scores, order and ratings of systems (Algorithms 3 and 4 of Lakkaraju et al. 2022)."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from eec_bias.methods.published import to_json
from eec_bias.methods.rating.comparisons import TABLES, weighted_score
from eec_bias.methods.rating.resampling import Resampled, middle, settled_orders
from eec_bias.result.frame import Row
from eec_bias.result.parts import by_keys

COLUMNS = ("1", "2", "3_R", "3_G", "3_RG", "4")
"""Data groups as the article names them, in the order of its tables."""


def rate(
    tests: Sequence[Row],
    adjusted: Sequence[Row],
    weights: dict[float, float],
    levels: int,
    resampled: Mapping[str, Resampled] = MappingProxyType({}),
) -> tuple[Row, ...]:
    """Rate the systems in every data group, from comparisons and adjusted means, and on the whole.

    Parameters
    ----------
    tests, adjusted
        Rows of comparisons and of adjusted means.
    weights, levels
        As for `rating`.
    resampled : mapping of str to mapping, optional
        Data group → the DIE % or WRS of its systems in resamples, by which orders that are not settled are found.
    """
    ratings: list[Row] = []
    compared, changed = (by_keys(rows, "group", "system") for rows in (tests, adjusted))
    for column in COLUMNS:
        rows = [
            {"system": key[1], "group": column} | _raw(compared.get(key, []), changed.get(key, []), weights)
            for key in compared | changed
            if key[0] == column
        ]
        scores = {row["system"]: raw_score(row) for row in rows}
        rated = assign_ratings(scores, levels)
        unranked: Mapping[str, Sequence[str]] = {}
        if column in resampled:
            unranked = settled_orders(scores, rated, resampled[column])
        for system, row in zip(scores, rows, strict=True):
            alone = assign_ratings({system: scores[system]}, levels)
            low = high = None
            if column in resampled:
                low, high = (to_json(end) for end in middle(resampled[column][system]))
            judged = {"rating": rated[system], "absolute": alone[system], "low": low, "high": high}
            ratings.append(row | judged | {"unranked": list(unranked.get(system, []))})
    return (*ratings, *_overall(ratings))


def _overall(ratings: Sequence[Row]) -> list[Row]:
    """Return a row per system over all data groups; not ordered are those that one of the groups does not order."""
    by_system = {system: mine for (system,), mine in by_keys(ratings, "system").items()}
    whole = {
        system: {key: overall_rating([row[key] for row in mine]) for key in ("rating", "absolute")}
        for system, mine in by_system.items()
    }
    found = []
    for system, mine in by_system.items():
        unsure = {other for row in mine for other in row["unranked"]}
        unranked = [
            other for other in by_system if other in unsure and whole[other]["rating"] != whole[system]["rating"]
        ]
        about = {"system": system, "group": "overall", "x": False, "unranked": unranked}
        found.append(dict.fromkeys(mine[0]) | about | whole[system])
    return found


def _raw(tests: Sequence[Row], changed: Sequence[Row], weights: dict[float, float]) -> Row:
    """Raw scores of one system in one data group, from its comparisons or its adjusted means."""
    finite = [row["die"] for row in changed if not row["x"]]
    x = any(row["x"] for row in changed)
    p = [test["p_names_items"] for test in tests if test["p_names_items"] is not None]
    alike = sum(test["alike"] for test in tests)
    counts = {
        "rejected": sum(test["mark"] == 1 for test in tests), "pairs": len(tests),
        "controlled": sum(value < 0.05 for value in p), "alike": alike, "testable": len(p) + alike,
    }  # fmt: skip
    as_tables = tests and list(weights) == list(TABLES)
    return {
        "wrs": weighted_score(tests, weights) if tests else None,
        "wrs_tables": weighted_score(tests, TABLES, "mark_tables") if as_tables else None,
        "die": None if x or not changed else max(finite),
        "x": x,
        "finite": max(finite, default=None),
        **(counts if tests else dict.fromkeys(counts)),
    }


def raw_score(rated: Mapping[str, Any]) -> float:
    """The score by which a data group orders systems: WRS, or largest DIE %, infinite for X."""
    if rated["wrs"] is not None:
        return float(rated["wrs"])
    return math.inf if rated["x"] else float(rated["die"])


def partial_order(scores: Mapping[str, float]) -> dict[str, float]:
    """Sort systems by their raw score, the least first, X (infinite) last (Algorithm 3)."""
    return dict(sorted(scores.items(), key=lambda pair: pair[1]))


def assign_ratings(scores: Mapping[str, float], levels: int = 3) -> dict[str, int]:
    """Rate systems from their raw scores of one data group (Algorithm 4).

    Of several systems the sorted scores are split into L parts (the first ones longer where it does not go up), and a
    system's rating is the first part that holds its score; X (infinite) has the highest level and takes no part in the
    split, as in the article's Table 2. One system by itself: 1 where its raw score is 0, otherwise the highest level.
    """
    if len(scores) == 1:
        return {name: 1 if score == 0 else levels for name, score in scores.items()}
    order = partial_order(scores)
    parts = np.array_split([score for score in order.values() if math.isfinite(score)], levels)
    return {
        name: next((number for number, part in enumerate(parts, start=1) if score in part), levels)
        for name, score in order.items()
    }


def overall_rating(ratings: Sequence[int]) -> int:
    """Average of the ratings of all data groups, rounded, halves upwards."""
    return math.floor(sum(ratings) / len(ratings) + 0.5)
