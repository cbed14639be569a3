"""Rates above a threshold, and their ratio."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from statsmodels.stats.proportion import confint_proportions_2indep
from synthetic import corpus, names, noun_phrases, scores
from tables import PAIR, table

from eec_bias import measure
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.rates import ratio_of
from eec_bias.stats.simulation import draw_linear
from eec_bias.stats.sums import summarise

DATA = corpus()


def test_rates_are_the_shares_of_scores_above_the_threshold_and_change_no_other_row() -> None:
    y = scores(DATA)
    result = measure(y, DATA, rate_above=0.5)
    assert result.terms == measure(y, DATA).terms
    assert str(result.signature).endswith("|above:0.5")
    named = DATA.assign(above=y > 0.5)[DATA["race"] != "unmarked"]
    for axis, level in (("race", "Latino"), ("gender", "female")):
        share = named.groupby([axis, "race" if axis == "gender" else "gender"])["above"].mean().groupby(axis).mean()
        (row,) = [row for row in result.rates if (row["term"], row["subset"]) == (axis, "names")]
        assert row["rate"] == pytest.approx(share[level])
        assert row["effect"] == pytest.approx(row["rate"] - row["rate_reference"])
        assert row["ratio"] == pytest.approx(row["rate"] / row["rate_reference"])
        assert row["ratio_low"] < row["ratio"] < row["ratio_high"]
        assert np.sqrt(row["ratio_low"] * row["ratio_high"]) == pytest.approx(row["ratio"])
    assert {row["term"] for row in result.rates} == {"race", "gender"}
    # Of several runs the share of runs counts.
    runs = np.stack([scores(DATA, seed) for seed in range(4)])
    both = measure(runs, DATA, runs=list("abcd"), rate_above=0.5).rates
    each = [measure(own, DATA, rate_above=0.5).rates for own in runs]
    for k, row in enumerate(both):
        assert row["rate"] == pytest.approx(np.mean([own[k]["rate"] for own in each]))


def test_with_one_item_the_ratio_has_the_interval_of_two_independent_samples() -> None:
    data = pd.DataFrame(names(genders=("female",), persons=400, items=["t01/none"]))
    y = scores(data)
    (row,) = measure(y, data, axes=("race",), rate_above=0.5).rates
    above = data.assign(y=y > 0.5).groupby("race")["y"].sum()
    low, high = confint_proportions_2indep(
        int(above["Latino"]), 400, int(above["Anglo"]), 400, compare="ratio", method="log"
    )
    assert (row["ratio_low"], row["ratio_high"]) == pytest.approx((low, high), rel=2e-3)


def test_pairs_are_compared_within_their_bases_and_levels_with_their_mean() -> None:
    data = pd.DataFrame(noun_phrases())
    y = scores(data)
    (row,) = measure(y, data, rate_above=0.5).rates
    shares = data.assign(above=y > 0.5).groupby("gender")["above"].mean()
    assert (row["rate"], row["rate_reference"]) == pytest.approx((shares["female"], shares["male"]))
    (first, second) = measure(y, data, reference=None, rate_above=0.5).rates
    assert first["rate_reference"] == second["rate_reference"] == pytest.approx(shares.mean())


def test_a_rate_of_zero_has_no_ratio_and_equal_rates_have_no_interval() -> None:
    data = pd.DataFrame(names())
    none = measure(np.where(data["gender"] == "female", 0.1, 0.9), data, rate_above=0.5)
    (row,) = [row for row in none.rates if row["term"] == "gender"]
    assert (row["rate"], row["rate_reference"], row["ratio"], row["ratio_low"]) == (0, 1, None, None)
    assert "no ratio, a rate is 0" in str(none)
    second = 0.9 * (data["item"] == data["item"].iloc[0]) * (data["person"].str.endswith(("1", "3", "4")))
    (equal, *_) = measure(second.to_numpy(), data, rate_above=0.5).rates
    assert (equal["effect"], equal["ratio"]) == (0, pytest.approx(1))
    (every, *_) = measure(np.full(len(data), 0.9), data, rate_above=0.5).rates
    assert (every["ratio"], every["ratio_low"], every["ci_low"]) == (1, None, None)


@pytest.mark.parametrize(("effect", "group_items"), [(0.0, 0.0), (0.4, 0.0), (0.4, 0.3)])
def test_the_interval_of_the_ratio_holds_the_true_one_as_often_as_it_says(effect: float, group_items: float) -> None:
    own = table(PAIR, [12] * 4, 24)
    parts = {"persons": 0.5, f"groups × {own.facets.cells.name}": group_items, "residual": 0.7}
    drawn, _ = draw_linear(own, parts, {"race": effect}, 600, 1, np.random.default_rng(7))
    above = (drawn > 0.4).astype(float)
    found = ratio_of(analyse(own, build_contrasts(own.axes), summarise(above, own.cell)), 0, above)
    spread = float(np.sqrt(sum(sd**2 for sd in parts.values())))
    ratio = norm.sf(0.4, effect / 2, spread) / norm.sf(0.4, -effect / 2, spread)
    assert 0.93 <= ((found["ratio_low"] <= ratio) & (ratio <= found["ratio_high"])).mean() <= 0.985


def test_a_ratio_has_an_interval_only_where_the_difference_has_and_is_rough_by_its_own_degrees_of_freedom() -> None:
    data = pd.DataFrame(names(items=[f"t{n % 2}/w{n // 2}" for n in range(12)]))
    women, first = data["gender"] == "female", data["item"].str.startswith("t0")
    drawn = np.random.default_rng(8).random(len(data))
    rates = measure((drawn < 0.4 + 0.3 * (women & first)).astype(float), data, rate_above=0.5).rates
    gender = next(row for row in rates if row["term"] == "gender")
    assert gender["ratio"] > 1
    assert [gender[key] for key in ("ci_low", "ci_high", "ratio_low", "ratio_high", "rough")] == [None] * 4 + [""]
    own = table(PAIR, [9] * 4, 24)
    drawn = (np.random.default_rng(8).random((1, 36, 24)) < np.where(np.arange(36) < 18, 0.97, 0.06)[:, None]) * 1.0
    analysis = analyse(own, build_contrasts(own.axes), summarise(drawn, own.cell))
    assert ratio_of(analysis, 0, drawn)["df"][0] < analysis.estimates.df[0, 0]
