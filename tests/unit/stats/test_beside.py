"""Numbers that stand beside the default test: effect sizes, equivalence, variance by source, rates and their ratio."""

import re

import numpy as np
import pandas as pd
import pytest
from noted import noted
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import ttost_ind, ttost_paired
from synthetic import corpus, names, noun_phrases, scores
from tables import PAIR, table

from eec_bias import measure, report
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.effect_sizes import hedges_g, paired_superiority, superiority
from eec_bias.stats.facets import make_facets
from eec_bias.stats.layout import within_others
from eec_bias.stats.rates import ratio_of
from eec_bias.stats.sums import summarise
from eec_bias.stats.units import UnitScores
from eec_bias.stats.variance_components import components

DATA = corpus()
ONE = ["t01/none"]


def test_hedges_g_pools_the_cells_by_their_degrees_of_freedom() -> None:
    for values, cell, effect, g in (
        # Pooled sd √0.02, difference 0.4, correction 1 − 3/(4·2 − 1).
        ([0.2, 0.4, 0.6, 0.8], [0, 0, 1, 1], 0.4, 0.4 / 0.02**0.5 * 4 / 7),
        # (2 · 0.04 + 1 · 0.005)/3 within cells, correction 1 − 3/11.
        ([0.1, 0.3, 0.5, 0.6, 0.7], [0, 0, 0, 1, 1], 0.35, 0.35 / (0.085 / 3) ** 0.5 * 8 / 11),
        # Persons that do not differ have no standardised difference.
        ([0.2, 0.2, 0.6, 0.6], [0, 0, 1, 1], 0.4, np.nan),
    ):
        means = summarise(np.array(values).reshape(1, -1, 1), np.array(cell))
        assert hedges_g(np.array([[effect]]), means)[0, 0] == pytest.approx(g, nan_ok=True)
    # Superiority is a share of pairs of persons within the cells of the other axes, or of bases.
    main, apart = (0.5, -0.5, 0.5, -0.5), (0.2, 0.3, 0.1, 0.0, 0.6, 0.7, 0.8, 0.9)
    for person, cell, weights, share in (
        # Above: .7 > .5, .9 > .5, .9 > .8; one tie; of six pairs.
        ((0.5, 0.7, 0.9, 0.5, 0.8), (0, 0, 0, 1, 1), (1, -1), 3.5 / 6),
        # Women score higher in one race and lower in the other, which scores far higher: pooled it would be another.
        (apart, (0, 0, 1, 1, 2, 2, 3, 3), main, 0.5),
        # A simple effect leaves the other race out.
        (apart, (0, 0, 1, 1, 2, 2, 3, 3), (0, 0, 1, -1), 0.0),
        # Cells of other sizes count alike.
        ((0.5, 0.1, 0.3, 0.4, 0.2), (0, 1, 2, 3, 3), main, (1 + 0.5) / 2),
    ):
        cells = within_others((2, 2), (1,)) if len(weights) == 4 else np.array([[0, 1]])
        assert superiority(np.array([person]), np.array(cell), np.array(weights), cells)[0] == pytest.approx(share)
    assert paired_superiority(np.array([[0.1, 0.0, -0.2, 0.3]]))[0] == pytest.approx(2.5 / 4)


def test_equivalence_with_one_item_is_the_tost_of_statsmodels() -> None:
    data = pd.DataFrame(names(genders=("female",), persons=9, items=ONE))
    y = scores(data)
    means = data.assign(y=y).groupby("race")["y"].apply(np.array)
    p, lower, upper = ttost_ind(means["Latino"], means["Anglo"], -0.05, 0.05, usevar="unequal")
    (row,) = measure(y, data, axes=("race",), margin=5).equivalence
    assert (row["p_equivalence"], row["p_lower"], row["p_upper"]) == pytest.approx((p, lower[1], upper[1]))
    data = pd.DataFrame(noun_phrases(items=ONE))
    y = scores(data)
    wide = data.assign(y=y).pivot(index="pair", columns="gender", values="y")
    p, _, _ = ttost_paired(wide["female"].to_numpy(), wide["male"].to_numpy(), -0.1, 0.1)
    (row,) = measure(y, data, margin=10).equivalence
    assert row["p_equivalence"] == pytest.approx(p)
    # The 90 % interval lies within the margin where p is below 5 %.
    given = {str(seed): 0.2 * scores(DATA, seed) for seed in range(5)}
    result = measure(given, DATA, margin=2)
    assert len(result.equivalence) == len(result.overall) == 40
    assert tuple(result.equivalence[0]) == (
        *("system", "term", "axes", "level", "reference", "subset", "effect", "margin", "p_lower", "p_upper"),
        *("p_equivalence", "ci90_low", "ci90_high", "p_worst", "worst_emotion"),
    )
    for row in result.equivalence:
        assert (max(-row["ci90_low"], row["ci90_high"]) < 0.02) == (row["p_equivalence"] < 0.05)
    assert "|margin:2|" in result.signature
    assert measure(given, DATA).equivalence == ()
    # Without a standard error there is no test.
    still = measure(0.4 + 0.1 * (DATA["gender"] == "female"), DATA, margin=2)
    assert {row["p_equivalence"] for row in still.equivalence} == {None}


def test_a_margin_is_held_against_rows_of_every_kind() -> None:
    for margin, told in ((0.5, True), (5, False)):
        notes = noted(measure(scores(DATA), DATA, margin=margin).notes)
        assert any("Did you mean 50?" in note for note in notes) is told
    given = scores(DATA)
    result = measure(0.5 + 0.01 * given, DATA, margin=2)
    assert {row["p_equivalence"] < 0.001 for row in result.equivalence} == {True}
    assert noted(result.notes) == [
        "the margin, 0.02, is at least the distance from the lowest to the highest measured value "
        f"({0.5 + 0.01 * given.min():g} to {0.5 + 0.01 * given.max():g}), so no gap can be larger than this margin",
    ]
    assert not noted(measure(given, DATA, margin=2).notes)
    # Where templates are too few for a test there is none, and no standard error of 0 is claimed.
    data = pd.DataFrame(names(items=[f"t{t:02d}/{word}" for t in (1, 2) for word in ("angry", "glad", "sad")]))
    apart = 0.2 * data["item"].str.startswith("t01") * (data["race"] == "Latino")
    result = measure((scores(data) + apart) / 2, data, margin=5)
    assert (result.overall[0]["se"] > 0, result.equivalence[0]["p_equivalence"]) == (True, None)
    assert re.search(r"^race .* names +0\.0500 +– +–", report(result), re.MULTILINE)
    assert "There are too few templates to say anything about other templates, so there is no p: race, " in (
        report(result)
    )


def test_persons_and_items_that_add_up_leave_no_residual() -> None:
    rng = np.random.default_rng(0)
    person, item = rng.normal(size=(1, 12, 1)), rng.normal(size=(1, 1, 7))
    cell = np.repeat([0, 1], 6)
    found = components(summarise(person + item + cell[:, None], cell), make_facets(7, {})).variance[0]
    within = np.mean([person[0, cell == k, 0].var(ddof=1) for k in (0, 1)])
    assert found == pytest.approx([within, item.var(ddof=1), 0, 0])
    # Effects of groups on items are told from items.
    item, slope = np.array([0.0, 2.0, 4.0]), np.array([1.0, -2.0, 1.0])
    values = np.stack([item + slope, item + slope, item - slope, item - slope])[None]
    found = components(summarise(values, np.array([0, 0, 1, 1])), make_facets(3, {})).variance[0]
    # Mean square of cells × items over its 2 degrees of freedom; half of it is in the variance of item means.
    assert found == pytest.approx([0, 4 - 6 / 2, 2 * 6 / 2, 0])
    # Shares stand in the result, and rounding errors are not shared out.
    result = measure(scores(DATA), DATA)
    sources = ("persons", "items", "groups × items", "residual")
    found = [(row["subset"], row["source"]) for row in result.variances]
    assert found == [(subset, source) for subset in ("names", "pairs") for source in sources]
    assert sum(row["share"] for row in result.variances[:4]) == pytest.approx(1)
    noise = np.random.default_rng(0).choice([0, 1.1e-16, -1.1e-16], len(DATA))
    for width in (1.0, 200.0):
        result = measure(width * (0.3 + noise), DATA, score_range=(0, width))
        assert {(row["sd"], row["share"]) for row in result.variances} == {(0.0, None)}


@pytest.mark.parametrize("emotions", [0, 5])
def test_components_are_recovered_on_average(emotions: float) -> None:
    rng = np.random.default_rng(2)
    template, word = np.divmod(np.arange(144), 12)
    labels = {"template": template.astype(str), "word": word.astype(str), "emotion": (word // 3).astype(str)}
    cell = np.repeat(np.arange(4), 10)
    values = (
        rng.normal(0, 0.3, (150, 40, 1))
        + rng.normal(0, 0.2, (150, 4, 12))[:, cell][:, :, template]
        + rng.normal(0, 0.1, (150, 4, 12))[:, cell][:, :, word]
        # What differs between emotions is fixed, and no component.
        + rng.normal(0, emotions, (150, 4, 4))[:, cell][:, :, word // 3]
        + rng.normal(0, 0.5, (150, 1, 144))
        + rng.normal(0, 0.15, (150, 4, 144))[:, cell]
        + rng.normal(0, 0.4, (150, 40, 144))
    )
    found = components(summarise(values, cell), make_facets(144, labels))
    wanted = {
        "persons": 0.09, "groups × templates": 0.04, "groups × words": 0.01, "groups × items": 0.0225, "residual": 0.16,
    } | ({} if emotions else {"items": 0.25})  # fmt: skip
    means = dict(zip(found.sources, found.variance.mean(axis=0), strict=True))
    assert {source: means[source] for source in wanted} == pytest.approx(wanted, rel=0.08)
    assert found.share.sum(axis=1) == pytest.approx(np.ones(150))


def test_rates_are_the_shares_of_scores_above_the_threshold() -> None:
    y = scores(DATA)
    result = measure(y, DATA, rate_above=0.5)
    assert result.overall == measure(y, DATA).overall
    assert "|above:0.5|" in result.signature
    named = DATA.assign(above=y > 0.5)[DATA["race"] != "unmarked"]
    for axis, level in (("race", "Latino"), ("gender", "female")):
        share = named.groupby([axis, "race" if axis == "gender" else "gender"])["above"].mean().groupby(axis).mean()
        (row,) = [row for row in result.rate_rows if (row["term"], row["subset"]) == (axis, "names")]
        assert row["rate"] == pytest.approx(share[level])
        assert row["effect"] == pytest.approx(row["rate"] - row["rate_reference"])
        assert row["ratio"] == pytest.approx(row["rate"] / row["rate_reference"])
        assert row["ratio_low"] < row["ratio"] < row["ratio_high"]
        assert np.sqrt(row["ratio_low"] * row["ratio_high"]) == pytest.approx(row["ratio"])
    assert {row["term"] for row in result.rate_rows} == {"race", "gender", "race+gender"}
    # Of several runs the share of runs counts.
    runs = np.stack([scores(DATA, seed) for seed in range(4)])
    both = measure(runs, DATA, runs=list("abcd"), rate_above=0.5).rate_rows
    each = [measure(own, DATA, rate_above=0.5).rate_rows for own in runs]
    for k, row in enumerate(both):
        assert row["rate"] == pytest.approx(np.mean([own[k]["rate"] for own in each]))


def test_with_one_item_a_ratio_has_the_interval_of_two_samples() -> None:
    data = pd.DataFrame(names(genders=("female",), persons=400, items=["t01/none"]))
    y = scores(data)
    (row,) = measure(y, data, axes=("race",), rate_above=0.5).rate_rows
    above = data.assign(y=y > 0.5).groupby("race")["y"].sum()
    low, high = confint_proportions_2indep(
        int(above["Latino"]), 400, int(above["Anglo"]), 400, compare="ratio", method="log"
    )
    assert (row["ratio_low"], row["ratio_high"]) == pytest.approx((low, high), rel=2e-3)
    # Pairs are compared within their bases, and levels with their mean.
    data = pd.DataFrame(noun_phrases())
    y = scores(data)
    (row,) = measure(y, data, rate_above=0.5).rate_rows
    shares = data.assign(above=y > 0.5).groupby("gender")["above"].mean()
    assert (row["rate"], row["rate_reference"]) == pytest.approx((shares["female"], shares["male"]))
    (first, second) = measure(y, data, reference=None, rate_above=0.5).rate_rows
    assert first["rate_reference"] == second["rate_reference"] == pytest.approx(shares.mean())


def test_a_rate_of_zero_has_no_ratio_and_equal_rates_have_no_interval() -> None:
    data = pd.DataFrame(names())
    none = measure(np.where(data["gender"] == "female", 0.1, 0.9), data, rate_above=0.5)
    (row,) = [row for row in none.rate_rows if row["term"] == "gender"]
    assert (row["rate"], row["rate_reference"], row["ratio"], row["ratio_low"]) == (0, 1, 0, None)
    assert re.search(r"^gender +female +male +names .* -1\.00 +\S.* 0 +–$", report(none), re.MULTILINE)
    second = 0.9 * (data["item"] == data["item"].iloc[0]) * (data["person"].str.endswith(("1", "3", "4")))
    (equal, *_) = measure(second.to_numpy(), data, rate_above=0.5).rate_rows
    assert (equal["effect"], equal["ratio"]) == (0, pytest.approx(1))
    (every, *_) = measure(np.full(len(data), 0.9), data, rate_above=0.5).rate_rows
    assert (every["ratio"], every["ratio_low"], every["ci_low"]) == (1, None, None)
    # A ratio has an interval only where the difference has, and is rough by its own degrees of freedom.
    data = pd.DataFrame(names(items=[f"t{n % 2}/w{n // 2}" for n in range(12)]))
    women, first = data["gender"] == "female", data["item"].str.startswith("t0")
    drawn = np.random.default_rng(8).random(len(data))
    rates = measure((drawn < 0.4 + 0.3 * (women & first)).astype(float), data, rate_above=0.5).rate_rows
    gender = next(row for row in rates if row["term"] == "gender")
    assert gender["ratio"] > 1
    assert [gender[key] for key in ("ci_low", "ci_high", "ratio_low", "ratio_high", "rough")] == [None] * 4 + [""]
    own = table(PAIR, [9] * 4, 24)
    drawn = (np.random.default_rng(8).random((1, 36, 24)) < np.where(np.arange(36) < 18, 0.97, 0.06)[:, None]) * 1.0
    analysis = analyse(own, build_contrasts(own.axes), summarise(drawn, own.cell), UnitScores(drawn))
    assert ratio_of(analysis, 0)["df"][0] < analysis.estimates.df[0, 0]
