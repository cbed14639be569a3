"""What the rating knows beyond the long frame: comparisons, adjustments and ratings, as rows in the article's terms."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.methods.published import plain
from eec_bias.methods.rating_adjustment import ENDS, Adjusted
from eec_bias.methods.rating_levels import absolute_rating, assign_ratings, overall_rating
from eec_bias.methods.rating_sets import RatedSet
from eec_bias.methods.rating_tests import TABLES, Pair, weighted_score
from eec_bias.result.frame import Row

COLUMNS = ("1", "2", "3_R", "3_G", "3_RG", "4")
"""Data groups as the article names them, in the order of its tables."""

LETTERS = {"gender": "G", "race": "R", "rg": "RG"}


@dataclass(frozen=True, slots=True)
class RatingStudy:
    """The rating of systems, as rows of plain values.

    Attributes
    ----------
    systems : tuple of str
        Their names; ``""`` for one unnamed.
    levels : int
        Rating levels L.
    weights : dict of float to float
        By confidence level.
    tests : tuple of dict
        Per data group, set, pair and system: ``system, group, set, attribute, level, reference, mean, other, effect,
        se, t, df, p, high, alike, mark, mark_tables, p_names_only, p_two_way, persons, items, sentences``. ``mark``
        counts from 1 (rejected at every confidence level) to their number (at the lowest only), 0 where none rejects;
        ``high`` where only ε stands in the denominator; ``alike`` where persons and items differ by the same, so that
        the default test has a difference and no standard error.
    adjusted : tuple of dict
        Per data group, set, kind of word and system: ``system, group, set, words, observed, do, die, x``; ``die`` is
        null and ``x`` true where the denominator is 0.
    effects : tuple of dict
        Per data group, set and system: ``system, group, set, ate``.
    shares : tuple of dict
        ``group, set, case, class, positive``: percentage of sentences with positive words.
    ratings : tuple of dict
        Per system and data group ``system, group, wrs, wrs_tables, die, x, finite, rejected, pairs, controlled,
        alike, testable, rating, absolute``, null where it does not apply, and one row ``overall`` per system.
        ``finite`` is the largest DIE % but for X. The rule rejects ``rejected`` of ``pairs`` at the highest confidence
        level; the default test over names and items rejects ``controlled`` of ``testable`` pairs at .05, and
        ``alike`` more have a difference without spread.
    """

    systems: tuple[str, ...]
    levels: int
    weights: dict[float, float]
    tests: tuple[Row, ...]
    adjusted: tuple[Row, ...]
    effects: tuple[Row, ...]
    shares: tuple[Row, ...]
    ratings: tuple[Row, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The data groups that were rated, in the order of the tables."""
        there = {row["group"] for row in self.ratings}
        return tuple(group for group in COLUMNS if group in there)

    def of(self, system: str, group: str) -> Row:
        """Return one row of ratings; ``overall`` is a group too."""
        return next(row for row in self.ratings if row["system"] == system and row["group"] == group)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON types."""
        kinds = ("tests", "adjusted", "effects", "shares", "ratings")
        return {
            "systems": list(self.systems),
            "levels": self.levels,
            "weights": {f"{level:g}": weight for level, weight in self.weights.items()},
            **{kind: [dict(row) for row in getattr(self, kind)] for kind in kinds},
        }


def describe(
    systems: tuple[str, ...],
    compared: Sequence[tuple[RatedSet, str, Pair]],
    corrected: Sequence[tuple[RatedSet, Adjusted]],
    weights: dict[float, float],
    levels: int,
) -> RatingStudy:
    """Put comparisons and adjustments together and rate the systems.

    Parameters
    ----------
    systems : tuple of str
        Their names.
    compared : sequence of (data set, attribute, Pair)
        Of groups 1 and 3.
    corrected : sequence of (data set, Adjusted)
        Of groups 2 and 4.
    weights, levels
        The options.
    """
    cases = {one.case for one, _ in corrected if one.group == "2"}
    tests = [
        row for one, attribute, pair in compared for row in _test_rows(systems, one, attribute, pair, list(weights))
    ]
    adjusted, effects, shares = [], [], []
    for one, found in corrected:
        several = one.group == "2" and len(cases) > 1
        place = {"group": one.group, "set": f"{one.label} k={one.case}" if several else one.label}
        classes = next(iter(one.attributes.values())).levels
        shares += [
            place | {"case": one.case, "class": name, "positive": 100 * float(share)}
            for name, share in zip(classes, found.shares, strict=True)
        ]
        for s, system in enumerate(systems):
            effects.append({"system": system, **place, "ate": float(found.ate[s])})
            adjusted += [
                {"system": system, **place, "words": words, "observed": float(found.observed[s, end]),
                 "do": float(found.do[s, end]), "die": plain(found.die[s, end]), "x": bool(np.isinf(found.die[s, end]))}
                for end, words in enumerate(ENDS)
            ]  # fmt: skip
    ratings = _ratings(systems, tests, adjusted, weights, levels)
    return RatingStudy(
        systems, levels, weights, tuple(tests), tuple(adjusted), tuple(effects), tuple(shares), tuple(ratings)
    )


_NUMBERS = ("mean", "other", "effect", "se", "t", "p", "p_names_only", "p_two_way")


def _test_rows(
    systems: tuple[str, ...], one: RatedSet, attribute: str, pair: Pair, levels: Sequence[float]
) -> list[Row]:
    group = one.group if one.group == "1" else f"3_{LETTERS[attribute]}"
    ordered = sorted(levels, reverse=True)
    high, marks = pair.high(), [_marks(pair.rejected(ordered, tables=tables)) for tables in (False, True)]
    shared = {
        "group": group, "set": one.label, "attribute": attribute, "level": pair.level, "reference": pair.reference,
        "df": pair.df, "persons": pair.persons, "items": pair.items, "sentences": pair.sentences,
    }  # fmt: skip
    return [
        {"system": system, **shared}
        | {name: plain(getattr(pair, name)[s]) for name in _NUMBERS}
        | {
            "high": bool(high[s]),
            "alike": bool(pair.alike[s]),
            "mark": int(marks[0][s]),
            "mark_tables": int(marks[1][s]),
        }
        for s, system in enumerate(systems)
    ]


def _marks(rejected: Any) -> Any:
    """The article's superscripts: the highest confidence level that rejects, counted from 1; 0 for none."""
    return np.where(rejected.any(axis=0), rejected.argmax(axis=0) + 1, 0)


def score_of(tests: Sequence[Row], weights: Mapping[float, float], mark: str = "mark") -> float:
    """Weighted rejection score of one system from the marks of its comparisons.

    A mark of 2 says that the second highest confidence level rejects, and with it all lower ones.
    """
    ordered = dict(sorted(weights.items(), reverse=True))
    counts = [sum(0 < test[mark] <= place for test in tests) for place in range(1, len(ordered) + 1)]
    return float(np.round(weighted_score(counts, ordered), 12))


def _ratings(
    systems: tuple[str, ...], tests: Sequence[Row], adjusted: Sequence[Row], weights: dict[float, float], levels: int
) -> list[Row]:
    found: list[Row] = []
    compared, changed = by_keys(tests, "system", "group"), by_keys(adjusted, "system", "group")
    there = {row["group"] for row in (*tests, *adjusted)}
    for group in (column for column in COLUMNS if column in there):
        rows = [
            {"system": system, "group": group}
            | _raw(compared.get((system, group), []), changed.get((system, group), []), weights)
            for system in systems
        ]
        rated = assign_ratings({row["system"]: raw_score(row) for row in rows}, levels)
        found += [
            row | {"rating": rated[row["system"]], "absolute": absolute_rating(raw_score(row), levels)} for row in rows
        ]
    for system, mine in by_keys(found, "system").items():
        overall = {key: overall_rating([row[key] for row in mine]) for key in ("rating", "absolute")}
        found.append(dict.fromkeys(mine[0]) | {"system": system[0], "group": "overall", "x": False} | overall)
    return found


def _raw(mine: Sequence[Row], changed: Sequence[Row], weights: dict[float, float]) -> Row:
    """Raw scores of one system in one data group, from its comparisons or its adjusted means."""
    finite = [row["die"] for row in changed if not row["x"]]
    x = any(row["x"] for row in changed)
    p = [row["p_two_way"] for row in mine if row["p_two_way"] is not None]
    alike = sum(row["alike"] for row in mine)
    return {
        "wrs": score_of(mine, weights) if mine else None,
        "wrs_tables": score_of(mine, TABLES, "mark_tables") if mine and list(weights) == list(TABLES) else None,
        "die": None if x or not changed else max(finite),
        "x": x,
        "finite": max(finite, default=None),
        "rejected": sum(row["mark"] == 1 for row in mine) if mine else None,
        "pairs": len(mine) if mine else None,
        "controlled": sum(one < 0.05 for one in p) if mine else None,
        "alike": alike if mine else None,
        "testable": len(p) + alike if mine else None,
    }


def by_keys(rows: Sequence[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    """Sort rows into lists by the values of some keys, in the order in which these first occur."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys), []).append(row)
    return found


def raw_score(rated: Mapping[str, Any]) -> float:
    """The score by which a data group orders systems: WRS, or largest DIE %, infinite for X."""
    if rated["wrs"] is not None:
        return float(rated["wrs"])
    return math.inf if rated["x"] else float(rated["die"])
