"""The published tables of Lakkaraju et al. (2022): what follows from their own printed numbers.

From the printed t follow the WRS, from the printed means the DIE %, from the WRS and DIE % the ratings.
"""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from eec_bias.methods.rating.adjustment import die_percent
from eec_bias.methods.rating.comparisons import TABLES, marks, weighted_score
from eec_bias.methods.rating.ratings import assign_ratings, overall_rating, partial_order

PRINTED = tomllib.loads(Path(__file__).with_name("lakkaraju2022.toml").read_text(encoding="utf-8"))
X = math.inf
WORDS = (1, 1, 2, 3, 3)
"""Number of emotion words in E1 to E5."""


@pytest.mark.parametrize("system", PRINTED["t"])
def test_the_printed_scores_follow_from_the_printed_t(system: str) -> None:
    printed, tests = PRINTED["t"][system], []
    for values, words in zip(printed["t"], WORDS, strict=True):
        # 8 sentences per class and word, 4 per named class of the composite.
        sizes = [16] * 3 if len(values) == 3 else [12] * 4 + [8] * 6
        for t, size in zip(values, sizes, strict=True):
            tests.append({"mark": int(marks(np.array([t]), size * words - 2, list(TABLES), tables=True)[0])})
    assert weighted_score(tests, TABLES) == pytest.approx(printed["wrs"])


def test_the_printed_scores_do_not_follow_from_tests_with_two_sides() -> None:
    # 1.27 in E3 is beyond 1.06 of 70 % with two sides, and carries no mark.
    both = [marks(np.array([1.27]), 30, list(TABLES), tables=tables)[0] for tables in (True, False)]
    assert both == [0, 2]


@pytest.mark.parametrize("data", PRINTED["scores"])
def test_the_printed_ratings_and_order_follow_from_the_printed_scores(data: str) -> None:
    scores, ratings = PRINTED["scores"][data], PRINTED["ratings"][data]
    found = {name: [assign_ratings(group, 3)[name] for group in scores.values()] for name in ratings}
    assert {name: [*rated, overall_rating(rated)] for name, rated in found.items()} == ratings
    for group in scores.values():
        assert list(partial_order(dict(reversed(group.items()))).values()) == list(group.values())


@pytest.mark.parametrize("row", PRINTED["die"]["means"], ids=str)
def test_the_printed_die_follows_from_the_printed_means(row: dict[str, list[float]]) -> None:
    found = die_percent(np.array(row["observed"]), np.array(row["do"]))
    np.testing.assert_allclose(found, row["printed"], rtol=0, atol=0.1)


def test_ratings_of_one_system_and_of_equal_scores() -> None:
    for score, levels, expected in ((0, 4, 1), (0.6, 2, 2), (X, 4, 4)):
        assert assign_ratings({"only": score}, levels) == {"only": expected}
    assert assign_ratings(dict.fromkeys("abcd", 0), 3) == dict.fromkeys("abcd", 1)
    assert assign_ratings(dict.fromkeys("ab", X), 3) == dict.fromkeys("ab", 3)
    assert assign_ratings({"a": 0, "b": 5}, 7) == {"a": 1, "b": 2}
    # Averages are rounded half upwards.
    assert [overall_rating(ratings) for ratings in ([1, 2], [1, 1, 2], [3, 2, 3])] == [2, 1, 3]
