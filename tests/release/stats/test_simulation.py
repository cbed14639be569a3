"""Simulated scores have the truth they were asked for, the default test holds its level on them."""

import sys
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eec_bias import OptionError, measure
from eec_bias.power_simulation import power, replicate, simulate

CELLS = tuple(product(("Black", "white"), ("female", "male")))
TEN = dict.fromkeys(CELLS, 10)
TERMS = ("race", "gender", "race:gender")


def corpus(counts=TEN, items=36, pairs=0):
    """Return columns of a names × items corpus, with noun-phrase pairs where asked for."""
    rows = []
    for item in (f"t{j:03d}" for j in range(items)):
        for (race, gender), count in counts.items():
            rows += [(f"{race}-{gender}-{k}", race, gender, item, item) for k in range(count)]
        for k, gender in product(range(pairs), ("female", "male")):
            rows.append((f"{gender}-{k}", "unmarked", gender, item, f"{item}/phrase{k}"))
    return dict(zip(("person", "race", "gender", "item", "pair"), map(list, zip(*rows, strict=True)), strict=True))


def cell_means(data, scores):
    race, gender = np.array(data["race"]), np.array(data["gender"])
    return np.array([scores[:, (race == r) & (gender == g)].mean() for r, g in CELLS])


def test_effects_shift_the_means_of_cells_as_measure_reports_them():
    data = corpus(items=10)
    sd = {cell: 0.2 + 0.6 * i for i, cell in enumerate(CELLS)}
    scores = simulate(data, name_sd=sd, item_sd=1.0, slope_sd={"race": 0.5}, mean=0.2, systems=2000, seed=1)
    assert_allclose(cell_means(data, scores), 0.2, atol=0.007)
    effects = {"race": 0.1, "gender": -0.04, "race:gender": 0.06}
    means = cell_means(data, simulate(data, effects=effects, phi=None, item_sd=0.3, systems=2000, seed=2))
    weights = [[0.5, 0.5, -0.5, -0.5], [0.5, -0.5, 0.5, -0.5], [1, -1, -1, 1]]
    assert_allclose(weights @ means, list(effects.values()), atol=0.004)
    # Effects by level serve axes with more than two levels.
    data = {"race": ["Arab", "Anglo", "Latino"] * 4, "item": ["a", "a", "a", "b", "b", "b"] * 2}
    data["person"] = [f"p{k // 6}" for k in range(12)]
    none = {"name_sd": 0.0, "item_sd": 0.0, "phi": None}
    scores = simulate(data, effects={"race": {"Arab": 0.1, "Latino": -0.1}}, axes=["race"], **none)
    assert_allclose(scores[0, :3], [0.6, 0.5, 0.4], atol=1e-12)
    assert_allclose(simulate(corpus(items=2), mean=0.3, **none), 0.3, rtol=1e-12)
    # Scores lie in the unit interval, have the spread asked for and repeat with their seed.
    data = corpus(items=4)
    first, again, other = (
        simulate(data, phi=5, mean=0.02, systems=7, seed=s) for s in (3, np.random.default_rng(3), 4)
    )
    assert first.shape == (7, len(data["item"]))
    assert ((first >= 0) & (first <= 1)).all()
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    # Means of 0 and 1 to the last digit are means.
    assert np.isin(simulate(data, item_sd=100.0, seed=1), [0, 1]).any()
    spread = simulate(corpus(items=1), name_sd=0.3, item_sd=0.0, residual_sd=0.4, phi=None, systems=2000)
    assert np.log(spread / (1 - spread)).std() == pytest.approx(0.5, rel=0.01)


def test_the_detectable_effect_is_found_four_times_in_five():
    data = corpus(items=24)
    null = power(data, "race", [0.0], systems=400, seed=1, name_sd=0.1)
    mde = float(null["mde"].iloc[0])
    frame = power(data, "race", [0.0, mde / 2, mde], systems=1000, seed=1, name_sd=0.1)
    assert frame[["term", "subset"]].drop_duplicates().to_numpy().tolist() == [["race", "names"]]
    assert frame["power"].is_monotonic_increasing
    assert frame["power_adjusted"].iloc[2] == pytest.approx(0.8, abs=0.05)
    assert ((frame["power_low"] < frame["power"]) & (frame["power"] < frame["power_high"])).all()
    assert_allclose(frame["mean_estimate"], frame["effect"], atol=0.002)
    both = power(corpus(items=12, pairs=10), "gender", [0.3], systems=50)
    assert list(both["subset"]) == ["names", "pairs"]
    assert (both["power"] > 0.9).all()
    # Two levels are compared with each other also where none is a usual reference.
    data = corpus(items=12)
    told = power(data, "race", [0.1], systems=50, name_sd=0.1)
    levels = dict(zip(sorted(set(data["race"])), ["x", "y"], strict=True))
    row = power({**data, "race": [levels[race] for race in data["race"]]}, "race", [0.1], systems=50, name_sd=0.1)
    assert (len(row), row.mean_estimate[0]) == (1, pytest.approx(0.1, abs=0.02))
    assert row.mde[0] == pytest.approx(told.mde[0], rel=0.1)


def test_what_is_drawn_is_tested_as_measure_tests_it(monkeypatch) -> None:
    data, truth = corpus(items=6), {"run_sd": {"race": 0.2}, "runs": 4, "systems": 3, "seed": 3}
    drawn = replicate(data, **truth)["names", "race", "Black"]
    for scores, (_, row) in zip(simulate(data, **truth), drawn.iterrows(), strict=True):
        term = measure(scores, data, runs=list("abcd")).overall[0]
        assert (row.estimate, row.p, row.mde, row.df) == pytest.approx([term[k] for k in ("effect", "p", "mde", "df")])
    monkeypatch.setattr(sys.modules["eec_bias.power_simulation"], "_CHUNK", 1)
    assert len(replicate(data, **truth)["names", "race", "Black"]) == 3
    # Runs that differ by group are drawn with their spread and tested.
    stated = {"persons": 0.0, "residual": 1e-6, "groups × runs": 0.02}
    found = replicate(corpus(items=6), systems=1000, components=stated, runs=4)["names", "race", "Black"]
    # Four cells with weights ±1/2, and means of four runs.
    assert found.estimate.std() == pytest.approx(0.02 / 2, rel=0.06)
    assert rejects(found.p) == pytest.approx(0.05, abs=0.015)
    assert (found.p_names_only < 0.05).mean() > 0.9


def test_runs_of_pairs_are_tested_as_measure_tests_them() -> None:
    data, truth = corpus(items=6, pairs=10), {"run_sd": {"gender": 0.2}, "runs": 4, "systems": 3, "seed": 3}
    drawn = replicate(data, **truth)["pairs", "gender", "female"]
    for scores, (_, row) in zip(simulate(data, **truth), drawn.iterrows(), strict=True):
        term = next(row for row in measure(scores, data, runs=list("abcd")).overall if row.subset == "pairs")
        assert (row.estimate, row.p, row.mde, row.df) == pytest.approx([term[k] for k in ("effect", "p", "mde", "df")])


NULLS = {
    "names differ": (TEN, 24, {"name_sd": 0.05}),
    "names differ as in a real model": (TEN, 24, {"name_sd": 0.11, "phi": 119}),
    "names do not differ": (TEN, 24, {"name_sd": 0.0}),
    "race reacts to items": (TEN, 24, {"name_sd": 0.05, "slope_sd": {"race": 0.1}}),
    "15 calm and 5 wild names": (
        dict(zip(CELLS, (15, 5, 5, 15), strict=True)),
        24,
        {"name_sd": dict(zip(CELLS, (0.05, 0.3, 0.3, 0.05), strict=True))},
    ),
    "3 names per cell": (dict.fromkeys(CELLS, 3), 24, {"name_sd": 0.3}),
    "5 names per cell": (dict.fromkeys(CELLS, 5), 36, {"name_sd": 0.1}),
    "4 items": (TEN, 4, {"name_sd": 0.05}),
    "means near the boundary": (TEN, 24, {"name_sd": 0.1, "mean": 0.02}),
}
SYSTEMS = 3000
"""The bounds lie three standard errors off: .05 ± .012. The benchmark ``sizes`` has many more designs."""


def rejects(p):
    return (p < 0.05).mean()


@pytest.mark.parametrize("name", NULLS)
def test_the_default_test_holds_its_level(name):
    counts, items, truth = NULLS[name]
    found = replicate(corpus(counts, items), systems=SYSTEMS, seed=20, **truth)
    assert [term for _, term, _ in found] == list(TERMS)
    for replicates in found.values():
        # With few items and little signal the test errs on the safe side.
        least = 0.03 if np.median(replicates.signal) >= 4 else 0.02 if items > 5 else 0.01
        assert least <= rejects(replicates.p) <= 0.065
        assert abs(replicates.estimate.mean()) < 0.002


THREE = dict.fromkeys(product(("Anglo", "Arab", "Latino"), ("female", "male")), 8)
STRONG = {"effects": {"race": 0.3, "gender": 0.2}, "name_sd": 0.05, "seed": 21}


QUIET = {"name_sd": 0.1, "seed": 23}
OTHERS = {
    "an interaction under strong main effects": (corpus(items=24), STRONG, {"race", "gender"}, ["race:gender"]),
    "noun-phrase pairs": (corpus(items=24, pairs=10), QUIET, set(), [*TERMS, "gender"]),
    "deviations of three groups": (corpus(THREE, 24), QUIET, set(), [*["race"] * 3, "gender", *["race:gender"] * 3]),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_contrasts_hold_their_level(name):
    data, truth, true, others = OTHERS[name]
    found = replicate(data, systems=SYSTEMS, **truth)
    assert [term for _, term, _ in found if term not in true] == others
    assert [subset for subset, _, _ in found].count("pairs") == (name == "noun-phrase pairs")
    for (_, term, _), replicates in found.items():
        least, most = (1, 1) if term in true else (0.02, 0.065)
        assert least <= rejects(replicates.p) <= most


@pytest.mark.parametrize(
    ("truth", "loss"),
    [({"name_sd": 0.2}, 0.02), ({"name_sd": 0.11, "phi": 119}, 0.02), ({"name_sd": 0.03}, 0.08), ({"phi": 5}, 0.08)],
)
def test_power_is_close_to_that_of_names_only(truth, loss):
    data = corpus()
    null = replicate(data, systems=500, seed=24, **truth)["names", "race", "Black"]
    for share in (0.5, 1.0):
        effects = {"race": share * float(np.median(null.mde))}
        # Both tests see the same systems, so that half as many tell them apart.
        found = replicate(data, systems=SYSTEMS // 2, seed=25, effects=effects, **truth)["names", "race", "Black"]
        assert (np.median(found.signal) >= 4) == (loss == 0.02)
        assert rejects(found.p) >= rejects(found.p_names_only) - loss


def test_families_of_names_cost_power() -> None:
    data, spread = corpus(items=12), {"persons": 0.05, "residual": 0.02}
    alone, together = (
        power(data, "race", [0.05], components=spread, families=ratio, systems=200).iloc[0] for ratio in (1.0, 2.0)
    )
    wider = power(data, "race", [0.05], components={"persons": 0.05 * 2**0.5, "residual": 0.02}, systems=200).iloc[0]
    assert together["mde"] == wider["mde"] > 1.3 * alone["mde"]
    assert together["power_adjusted"] < alone["power_adjusted"]


def test_the_share_of_families_is_that_of_a_measured_system() -> None:
    data = corpus(items=12)
    family = [f"{person.split('-')[0]}{int(person.split('-')[2]) // 2}" for person in data["person"]]
    shift = dict(zip(sorted(set(family)), np.random.default_rng(1).normal(0, 0.08, len(set(family))), strict=True))
    y = 0.5 + np.array([shift[each] for each in family]) + np.random.default_rng(2).normal(0, 0.02, len(family))
    result = measure(y, {**data, "family": family})
    row = next(row for row in result.overall if (row.term, row.subset) == ("race", "names"))
    drawn, stated = (
        power(data, "race", [0.05], components=result, families=ratio, systems=50).iloc[0]
        for ratio in (None, (row["se_families"] / row["se_names"]) ** 2)
    )
    assert row["se_families"] > row["se_names"]
    assert drawn["mde"] == stated["mde"]


@pytest.mark.parametrize("wrong", [0.5, "many"])
def test_a_wrong_share_of_families_is_refused(wrong: object) -> None:
    with pytest.raises(OptionError, match="families"):
        power(corpus(items=12), "race", [0.05], components={"persons": 0.05, "residual": 0.02}, families=wrong)
