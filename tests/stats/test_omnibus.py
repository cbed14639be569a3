"""Terms with several levels: the test that any differs, and comparisons pair by pair."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import names, phrases, row_of, scores

from eec_bias import measure
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.layout import Axis
from eec_bias.stats.omnibus import any_p, find_groups, single_step

RACES = ("Anglo", "Arab", "Black", "Latino")
PHRASES = phrases()
OF_PHRASES = scores(PHRASES)
WIDE = PHRASES.assign(y=OF_PHRASES, base=PHRASES["pair"].str.split("/").str[-1])
WIDE = WIDE.groupby(["base", "country"])["y"].mean().unstack()


def test_p_of_unrelated_rows_is_sidaks_and_of_rows_that_say_the_same_that_of_one() -> None:
    p = np.array([[0.03, 0.4, 0.9], [1e-9, 0.5, 0.5], [0.7, 0.8, 0.9]])
    expected = 1 - (1 - p.min(axis=1)) ** 3
    assert any_p(p, np.broadcast_to(np.eye(3), (3, 3, 3))) == pytest.approx(expected, rel=0.02)
    same = np.array([[0.03, 0.03], [0.4, 0.4]])
    for correlation in (np.ones((2, 2, 2)), np.broadcast_to(2 * np.eye(2) - 1, (2, 2, 2))):
        assert any_p(same, correlation) == pytest.approx(same[:, 0])


@pytest.mark.parametrize("p", [0.2, 0.01, 1e-6])
def test_p_of_related_rows_equals_the_multivariate_normal(p: float) -> None:
    correlation = np.array([[1, 0.5, -0.3], [0.5, 1, 0.2], [-0.3, 0.2, 1]])
    z = stats.norm.isf(p / 2)
    box = stats.multivariate_normal(cov=correlation, abseps=1e-8, releps=1e-8, maxpts=10**6)
    expected = 1 - box.cdf(np.full(3, z), lower_limit=np.full(3, -z))
    # For tiny p the box integral itself is short of digits.
    assert any_p(np.full((1, 3), p), correlation[None])[0] == pytest.approx(expected, rel=0.02, abs=1e-7)


def test_pairs_of_levels_come_near_tukeys_range() -> None:
    pairs = build_contrasts([Axis("race", RACES, None)], pairwise=True)
    weights = np.array([c.weights for c in pairs])
    p = any_p(np.full((1, len(pairs)), 2 * stats.norm.sf(3.0)), (weights @ weights.T / 2)[None])[0]
    assert p == pytest.approx(stats.studentized_range.sf(3.0 * np.sqrt(2), 4, np.inf), rel=0.02)


def test_rows_without_a_test_leave_none_for_the_whole() -> None:
    p = np.array([[np.nan, 0.1], [1.0, 1.0]])
    assert any_p(p, np.broadcast_to(np.eye(2), (2, 2, 2))) == pytest.approx([np.nan, 1.0], nan_ok=True)
    steps = single_step(np.array([[0.05, np.nan]]), np.eye(2)[None])[0]
    assert steps == pytest.approx([0.0975, np.nan], nan_ok=True, rel=0.02)


def test_terms_with_several_levels_are_tested_as_a_whole() -> None:
    data = pd.DataFrame(names(races=RACES))
    result = measure(scores(data), data, permutations=999)
    rows = [row for row in result.terms if row["level"] == "any"]
    assert [(row["term"], row["reference"]) for row in rows] == [("race", "mean"), ("race:gender", "mean:male")]
    *race, whole = [row for row in result.terms if row["term"] == "race"]
    assert [row["level"] for row in race] == list(RACES)
    peak = max(race, key=lambda row: abs(row["t"]))
    assert whole["t"] == pytest.approx(abs(peak["t"]))
    assert whole["note"] == f"largest |t| of 4: {peak['level']}"
    assert peak["p"] <= whole["p"] <= 4 * peak["p"]
    assert whole["p_permutation"] == pytest.approx(whole["p"], abs=0.1)
    assert (whole["effect"], whole["p_adjusted"] is None) == (None, False)


def test_two_levels_and_references_need_no_test_of_the_whole() -> None:
    data = pd.DataFrame(names(races=RACES))
    assert all(r["level"] != "any" for r in measure(scores(data), data, reference={"race": "Anglo"}).terms)
    assert find_groups(build_contrasts([Axis("race", ("a", "b"), None), Axis("gender", ("f", "m"), None)])) == []


def test_a_whole_term_is_permuted_by_its_largest_t() -> None:
    data = pd.DataFrame(names(races=("a", "b", "c"), genders=("female",), persons=3))
    y = scores(data, 8)
    means = data.assign(y=y).groupby(["race", "person"])["y"].mean().to_numpy()
    w = np.eye(3) - 1 / 3

    def peak(labels) -> float:
        groups = [means[np.array(labels) == k] for k in range(3)]
        m, v = np.array([g.mean() for g in groups]), np.array([g.var(ddof=1) / 3 for g in groups])
        return float(np.abs(w @ m / np.sqrt(w**2 @ v)).max())

    every = {labels for labels in product(range(3), repeat=9) if np.bincount(labels, minlength=3).tolist() == [3, 3, 3]}
    drawn = np.array([peak(labels) for labels in every])
    expected = (drawn >= peak([0] * 3 + [1] * 3 + [2] * 3) - 1e-9).mean()
    row = measure(y, data, axes=("race",), permutations=9999).terms[3]
    assert row["p_permutation"] == pytest.approx(expected, abs=0.02)


def test_countries_on_base_phrases_are_tested_as_a_whole_within_bases() -> None:
    row = row_of(measure(OF_PHRASES, PHRASES), "country", "any", "phrases")
    assert (row["reference"], row["n_persons"]) == ("mean", 6)
    deviation = (WIDE.sub(WIDE.mean(axis=1), axis=0)).to_numpy()

    def peak(sign) -> float:
        d = deviation * np.array(sign)[:, None]
        return float(np.abs(d.mean(axis=0) / d.std(axis=0, ddof=1)).max())

    expected = np.mean([peak(sign) >= peak(np.ones(6)) - 1e-9 for sign in product((1, -1), repeat=6)])
    assert row["p_permutation"] == pytest.approx(expected)


def test_pairwise_contrasts_compare_every_pair_of_levels() -> None:
    data = pd.DataFrame(names(races=("Anglo", "Black", "Latino")))
    y = scores(data)
    result = measure(y, data, contrasts="pairwise")
    race = [row for row in result.terms if row["term"] == "race"]
    pairs = [("Black", "Anglo"), ("Latino", "Anglo"), ("Latino", "Black"), ("any", "any")]
    assert [(row["level"], row["reference"]) for row in race] == pairs
    means = data.assign(y=y).groupby(["race", "gender"])["y"].mean().groupby("race").mean()
    assert race[2]["effect"] == pytest.approx(means["Latino"] - means["Black"])
    both = next(row for row in result.terms if row["term"] == "race:gender")
    assert (both["level"], both["reference"]) == ("Black:female", "Anglo:male")
    assert race[3]["note"].startswith("largest |t| of 3: ")
    assert " against " in race[3]["note"]
    # A level asked for as reference comes first.
    found = Axis("race", ("Anglo", "Black", "Latino"), "Latino").comparisons(pairwise=True)
    assert [pair[:2] for pair in found] == [("Anglo", "Latino"), ("Black", "Latino"), ("Black", "Anglo")]


def test_pairs_of_countries_are_compared_within_bases() -> None:
    rows = measure(OF_PHRASES, PHRASES, contrasts="pairwise").terms
    pairs = [("Kenya", "Chile"), ("Norway", "Chile"), ("Norway", "Kenya"), ("any", "any")]
    assert [(r["level"], r["reference"]) for r in rows] == pairs
    assert rows[2]["p_names_only"] == pytest.approx(stats.ttest_rel(WIDE["Norway"], WIDE["Kenya"]).pvalue)
