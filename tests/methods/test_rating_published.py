"""The published tables of Lakkaraju et al. (2022): what follows from their own printed numbers.

From the t printed in Tables 4 and 11–15 follow the WRS of Tables 2 and 3, from the means of Tables 5, 9, 10 and 16 the
DIE %, from the WRS and DIE % the ratings of Tables 2, 3, 6 and 7.
"""

import math

import numpy as np
import pytest

from eec_bias.methods.rating.adjustment import die_percent
from eec_bias.methods.rating.comparisons import TABLES, marks, weighted_score
from eec_bias.methods.rating.ratings import assign_ratings, overall_rating, partial_order

X = math.inf
WORDS = (1, 1, 2, 3, 3)
"""Number of emotion words in E1 to E5."""

# t of E1 to E5: pairs male–NA, male–female, female–NA (or European–NA, European–African-American, African-American–NA).
RANDOM_1 = [(0.06, 0.89, 1), (0.13, 0.39, 0.32), (0.65, 1.42, 0.85), (0.32, 0.60, 0.94), (2.08, 1.12, 1.20)]
RANDOM_1_DISCRETE = [(0.48, 0, 0.48), (0, 0.48, 0.48), (0, 0.34, 0.34), (0.87, 0.28, 0.59), (1.46, 0.87, 0.57)]
GRU_1 = [(0.17, 0.17, 0), (1.15, 0.40, 0.90), (0.63, 0.12, 0.77), (0.61, 0.10, 0.81), (1.31, 0.64, 0.92)]
GRU_1_DISCRETE = [(1, 1, 0), (1, 0.48, 0.50), (1.27, 0.80, 0.47), (1.55, 0.70, 0.86), (1.63, 0.92, 0.70)]
RANDOM_3_G = [(0.45, 0.79, 0.21), (0.28, 0.97, 0.67), (0.80, 0.73, 1.60), (1.66, 0.37, 1.91), (2.15, 0.60, 2.97)]
RANDOM_3_R = [(0.03, 0.24, 0.23), (0.42, 0.37, 0.03), (1.80, 1.12, 0.62), (2.37, 0.99, 1.25), (2.84, 0.47, 2.26)]
RANDOM_3_G_DISCRETE = [(0, 0.97, 0.97), (1.53, 0.50, 0.97), (0.34, 0.34, 0), (0.57, 0.28, 0.85), (0.29, 1.44, 1.15)]
RANDOM_3_R_DISCRETE = [(0.48, 0, 0.48), (0.48, 1.65, 2.25), (0.69, 1.04, 0.35), (1.77, 2.08, 0.28), (0.28, 0.28, 0.56)]
GRU_3_DISCRETE = [(0, 0, 0), (1, 0, 1), (0.89, 0, 0.89), (1.55, 0, 1.55), (1.33, 0, 1.33)]
GRU_3 = [(1, 0, 1), (1.34, 0, 1.34), (0.69, 0, 0.69), (0.57, 0, 0.57), (0.94, 0, 0.94)]
# Composite: four pairs with NA, then six among the named.
RANDOM_3_RG = [
    (0.20, 0.24, 0.53, 0.14, 0.43, 0.27, 0.30, 0.83, 0.03, 0.60),
    (0.06, 0.66, 0.37, 0.37, 0.68, 0.30, 0.40, 0.87, 0.20, 0.61),
    (1.73, 1.13, 0.54, 1.41, 0.63, 2.04, 0.25, 1.51, 0.35, 1.75),
    (2.54, 1.41, 0.40, 1.57, 0.53, 1.66, 0.46, 0.91, 0.07, 1.02),
    (1.46, 2.94, 1.73, 1.61, 0.80, 0.05, 0.07, 0.81, 0.73, 0.03),
]
RANDOM_3_RG_DISCRETE = [
    (0.40, 1.21, 0.37, 0.37, 1.41, 0.65, 0.65, 0.65, 0.65, 0),
    (1.21, 0.40, 1.21, 3.41, 1.41, 0, 1, 1.41, 3, 1),
    (0.84, 0.28, 0.28, 0.28, 0.48, 0.97, 0.97, 0.48, 0.48, 0),
    (1.18, 1.75, 0.23, 0.23, 0.43, 1.21, 1.21, 1.68, 1.68, 0),
    (0, 0.46, 0.47, 1.42, 0.40, 0.40, 1.21, 0.80, 0.80, 1.66),
]
BIASED_3_R = [(2.64, 0, 2.64), (2.64, 0, 2.64), (3.87, 0, 3.87), (4.80, 0, 4.80), (4.80, 0, 4.80)]


def score(tables: list[tuple[float, ...]]) -> float:
    """WRS from printed t: 8 sentences per class and word, 4 per named class of the composite."""
    tests = []
    for values, words in zip(tables, WORDS, strict=True):
        sizes = [16] * 3 if len(values) == 3 else [12] * 4 + [8] * 6
        for t, size in zip(values, sizes, strict=True):
            tests.append({"mark": int(marks(np.array([t]), size * words - 2, list(TABLES), tables=True)[0])})
    return weighted_score(tests, TABLES)


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        (RANDOM_1, 1.9), (RANDOM_1_DISCRETE, 0.6), (GRU_1, 0.6), (GRU_1_DISCRETE, 2.6),
        (RANDOM_3_G, 7.5), (RANDOM_3_R, 7.2), (RANDOM_3_G_DISCRETE, 1.9), (RANDOM_3_R_DISCRETE, 5.2),
        (GRU_3, 0), (GRU_3_DISCRETE, 3.8), (RANDOM_3_RG, 16.1), (RANDOM_3_RG_DISCRETE, 10.4), (BIASED_3_R, 23),
    ],
)  # fmt: skip
def test_the_printed_scores_follow_from_the_printed_t(tables: list[tuple[float, ...]], expected: float) -> None:
    assert score(tables) == pytest.approx(expected)


def test_the_printed_scores_do_not_follow_from_tests_with_two_sides() -> None:
    # 1.27 in E3 is beyond 1.06 of 70 % with two sides, and carries no mark.
    both = [marks(np.array([1.27]), 30, list(TABLES), tables=tables)[0] for tables in (True, False)]
    assert both == [0, 2]


TABLE_2 = {
    "1": {"Sd": 0, "St": 0, "Sr": 0.6, "Sg": 2.6, "Sb": 23},
    "2": {"Sd": 0, "St": 0, "Sr": 10.87, "Sb": 128.5, "Sg": X},
    "3_R": {"Sd": 0, "St": 0, "Sg": 3.8, "Sr": 5.2, "Sb": 23},
    "3_G": {"Sd": 0, "St": 0, "Sr": 1.9, "Sg": 3.8, "Sb": 23},
    "3_RG": {"Sd": 0, "Sg": 0, "St": 0, "Sr": 10.4, "Sb": 69},
    "4": {"Sd": 0, "St": 0, "Sr": 7.4, "Sb": 105.4, "Sg": X},
}
TABLE_3 = {
    "1": {"Sd": 0, "St": 0, "Sg": 0.6, "Sr": 1.9, "Sb": 23},
    "2": {"Sg": 42.85, "Sr": 71.43, "St": 76, "Sd": 84, "Sb": 128.5},
    "3_R": {"Sd": 0, "St": 0, "Sg": 0, "Sr": 7.2, "Sb": 23},
    "3_G": {"Sd": 0, "St": 0, "Sg": 0, "Sr": 7.5, "Sb": 23},
    "3_RG": {"Sd": 0, "St": 0, "Sg": 0, "Sr": 16.1, "Sb": 69},
    "4": {"Sg": 28.57, "Sr": 45, "St": 78, "Sd": 80, "Sb": 105.4},
}
# Tables 6 and 7: G1, G2, G3_R, G3_G, G3_RG, G4, overall.
TABLE_6 = {
    "Sb": (3, 3, 3, 3, 3, 3, 3), "Sr": (2, 2, 2, 2, 2, 2, 2), "St": (1, 1, 1, 1, 1, 1, 1),
    "Sd": (1, 1, 1, 1, 1, 1, 1), "Sg": (2, 3, 2, 2, 1, 3, 2),
}  # fmt: skip
TABLE_7 = {
    "Sb": (3, 3, 3, 3, 3, 3, 3), "Sr": (2, 1, 2, 2, 2, 1, 2), "St": (1, 2, 1, 1, 1, 2, 1),
    "Sd": (1, 2, 1, 1, 1, 2, 1), "Sg": (2, 1, 1, 1, 1, 1, 1),
}  # fmt: skip


@pytest.mark.parametrize(("scores", "ratings"), [(TABLE_2, TABLE_6), (TABLE_3, TABLE_7)])
def test_the_printed_ratings_follow_from_the_printed_scores(
    scores: dict[str, dict[str, float]], ratings: dict[str, tuple[int, ...]]
) -> None:
    found: dict[str, list[int]] = {name: [] for name in ratings}
    for group in scores.values():
        for name, rating in assign_ratings(group, 3).items():
            found[name].append(rating)
    assert {name: (*rated, overall_rating(rated)) for name, rated in found.items()} == ratings


@pytest.mark.parametrize("scores", [*TABLE_2.values(), *TABLE_3.values()])
def test_the_partial_order_is_the_printed_one(scores: dict[str, float]) -> None:
    assert list(partial_order(dict(reversed(scores.items()))).values()) == list(scores.values())


@pytest.mark.parametrize(
    ("observed", "do", "printed"),
    [
        ((0.23, -1), (-0.08, -0.24), (134.7, 76)),
        ((0.40, -0.85), (0.02, -0.16), (95, 81.17)),
        ((0.46, 0.72), (0.41, 0.77), (10.87, 6.94)),
        ((0.06, 0.47), (0.07, 0.45), (16.66, 4.25)),
        ((0, 1), (0, 1), (0, 0)),
        ((0, 0.27), (0.03, 0.25), (X, 7.40)),
        ((-0.81, 0.80), (-0.81, 0.80), (0, 0)),
        ((-1, 0.80), (-0.24, 0.58), (76, 27.50)),
        ((-0.42, -0.15), (-0.43, -0.13), (2.38, 13.33)),
        ((-0.20, -0.55), (-0.10, 0.03), (50, 105.4)),
        ((0.11, 0.20), (0.13, 0.29), (18.18, 45)),
    ],
)
def test_the_printed_die_follows_from_the_printed_means(
    observed: tuple[float, float], do: tuple[float, float], printed: tuple[float, float]
) -> None:
    np.testing.assert_allclose(die_percent(np.array(observed), np.array(do)), printed, rtol=0, atol=0.1)


@pytest.mark.parametrize(
    ("scores", "levels", "expected"),
    [
        ({"only": 0}, 4, {"only": 1}),
        ({"only": 0.6}, 2, {"only": 2}),
        ({"only": X}, 4, {"only": 4}),
        ({"a": 0, "b": 0, "c": 0, "d": 0}, 3, {"a": 1, "b": 1, "c": 1, "d": 1}),
        ({"a": X, "b": X}, 3, {"a": 3, "b": 3}),
        ({"a": 0, "b": 5}, 7, {"a": 1, "b": 2}),
    ],
)
def test_one_system_is_rated_one_or_the_worst_and_equal_scores_share_a_rating(
    scores: dict[str, float], levels: int, expected: dict[str, int]
) -> None:
    assert assign_ratings(scores, levels) == expected


def test_the_average_is_rounded_half_upwards() -> None:
    assert [overall_rating(ratings) for ratings in ([1, 2], [1, 1, 2], [3, 2, 3])] == [2, 1, 3]
