"""Equivalence within a margin the user states."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.weightstats import ttost_ind, ttost_paired
from synthetic import corpus, names, noun_phrases, scores

from eec_bias import measure


def test_equivalence_with_one_item_is_the_tost_of_statsmodels() -> None:
    data = pd.DataFrame(names(genders=("female",), persons=9, items=["t01/none"]))
    y = scores(data)
    means = data.assign(y=y).groupby("race")["y"].apply(np.array)
    p, lower, upper = ttost_ind(means["Latino"], means["Anglo"], -0.05, 0.05, usevar="unequal")
    (row,) = measure(y, data, axes=("race",), margin=0.05).equivalence
    assert row["p_equivalence"] == pytest.approx(p)
    assert (row["p_lower"], row["p_upper"]) == pytest.approx((lower[1], upper[1]))
    assert row["margin"] == 0.05


def test_equivalence_of_pairs_with_one_item_is_the_paired_tost() -> None:
    data = pd.DataFrame(noun_phrases(items=["t01/none"]))
    y = scores(data)
    wide = data.assign(y=y).pivot(index="pair", columns="gender", values="y")
    p, _, _ = ttost_paired(wide["female"].to_numpy(), wide["male"].to_numpy(), -0.1, 0.1)
    (row,) = measure(y, data, margin=0.1).equivalence
    assert row["p_equivalence"] == pytest.approx(p)


def test_the_ninety_percent_interval_lies_within_the_margin_where_p_is_below_five_percent() -> None:
    data = corpus()
    for seed in range(5):
        for row in measure(0.2 * scores(data, seed), data, margin=0.02).equivalence:
            widest = max(-row["ci90_low"], row["ci90_high"])
            assert (widest < 0.02) == (row["p_equivalence"] < 0.05)


def test_rows_of_equivalence_name_system_term_and_subset() -> None:
    data = corpus()
    result = measure({"a": scores(data), "b": scores(data, 1)}, data, margin=0.02)
    assert len(result.equivalence) == len(result.terms) == 8
    assert tuple(result.equivalence[0]) == (
        *("system", "term", "axes", "level", "reference", "subset", "effect", "margin", "p_lower", "p_upper"),
        *("p_equivalence", "ci90_low", "ci90_high"),
    )
    assert result.to_dict()["equivalence"][7]["system"] == "b"
    assert str(result.signature).endswith("|margin:0.02")
    assert measure(scores(data), data).equivalence == ()


def test_equivalence_without_a_standard_error_has_no_test() -> None:
    data = pd.DataFrame(names())
    result = measure(0.4 + 0.1 * (data["gender"] == "female"), data, margin=0.02)
    assert {row["p_equivalence"] for row in result.equivalence} == {None}
