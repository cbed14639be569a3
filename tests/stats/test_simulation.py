"""Simulated scores have the truth they were asked for, and the default test holds its level on them."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eec_bias.power import power, replicate, simulate

CELLS = tuple(product(("Black", "white"), ("female", "male")))
TEN = dict.fromkeys(CELLS, 10)


def corpus(counts=None, items=36, pairs=0):
    """Return columns of a names × items corpus, with noun-phrase pairs where asked for."""
    columns = {name: [] for name in ("person", "race", "gender", "item", "pair")}

    def add(person, race, gender, item, pair):
        for name, value in zip(columns, (person, race, gender, item, pair), strict=True):
            columns[name].append(value)

    for j in range(items):
        item = f"t{j:03d}"
        for (race, gender), count in (counts or TEN).items():
            for k in range(count):
                add(f"{race}-{gender}-{k}", race, gender, item, item)
        for k, gender in product(range(pairs), ("female", "male")):
            add(f"{gender}-{k}", "unmarked", gender, item, f"{item}/phrase{k}")
    return columns


def cell_means(data, scores):
    race, gender = np.array(data["race"]), np.array(data["gender"])
    return {(r, g): float(scores[:, (race == r) & (gender == g)].mean()) for r, g in CELLS}


def test_cells_have_the_asked_means_on_the_response_scale_also_with_unequal_variances():
    data = corpus(items=10)
    sd = {cell: 0.2 + 0.6 * i for i, cell in enumerate(CELLS)}
    scores = simulate(data, name_sd=sd, item_sd=1.0, slope_sd={"race": 0.5}, mean=0.2, systems=4000, seed=1)
    assert list(cell_means(data, scores).values()) == pytest.approx([0.2] * 4, abs=0.005)


def test_effects_shift_the_means_as_measure_reports_them():
    data = corpus(items=8)
    effects = {"race": 0.1, "gender": -0.04, "race:gender": 0.06}
    means = cell_means(data, simulate(data, effects=effects, phi=None, item_sd=0.3, systems=4000, seed=2))
    black, white = (means[race, "female"] + means[race, "male"] for race in ("Black", "white"))
    female, male = (means["Black", gender] + means["white", gender] for gender in ("female", "male"))
    interaction = (means["Black", "female"] - means["Black", "male"]) - (
        means["white", "female"] - means["white", "male"]
    )
    assert (black - white) / 2 == pytest.approx(0.1, abs=0.003)
    assert (female - male) / 2 == pytest.approx(-0.04, abs=0.003)
    assert interaction == pytest.approx(0.06, abs=0.003)


def test_effects_by_level_serve_axes_with_more_than_two_levels():
    data = {"race": ["Arab", "Anglo", "Latino"] * 4, "item": ["a", "a", "a", "b", "b", "b"] * 2}
    data["person"] = [f"p{k // 6}" for k in range(12)]
    scores = simulate(
        data, name_sd=0.0, item_sd=0.0, phi=None, effects={"race": {"Arab": 0.1, "Latino": -0.1}}, axes=["race"]
    )
    assert_allclose(scores[0, :3], [0.6, 0.5, 0.4], atol=1e-12)


def test_the_same_seed_gives_the_same_scores_and_another_seed_others():
    data = corpus(items=4)
    assert np.array_equal(simulate(data, seed=3), simulate(data, seed=np.random.default_rng(3)))
    assert not np.array_equal(simulate(data, seed=3), simulate(data, seed=4))


def test_scores_lie_in_the_unit_interval_one_row_per_system():
    data = corpus(items=4)
    scores = simulate(data, phi=5, mean=0.02, systems=7)
    assert scores.shape == (7, len(data["item"]))
    assert ((scores >= 0) & (scores <= 1)).all()


def test_without_any_spread_every_score_is_the_mean():
    scores = simulate(corpus(items=2), name_sd=0, item_sd=0, phi=None, mean=0.3)
    assert_allclose(scores, 0.3, rtol=1e-12)


def test_spread_is_that_asked_for():
    scores = simulate(corpus(items=1), name_sd=0.3, item_sd=0.0, residual_sd=0.4, phi=None, systems=2000)
    assert np.log(scores / (1 - scores)).std() == pytest.approx(0.5, rel=0.01)


def test_power_grows_with_the_effect_and_the_smallest_detectable_effect_is_found_four_times_in_five():
    data = corpus(items=24)
    null = power(data, "race", [0.0], systems=400, seed=1, name_sd=0.1)
    mde = float(null["mde"].iloc[0])
    frame = power(data, "race", [0.0, mde / 2, mde], systems=1500, seed=1, name_sd=0.1)
    assert list(frame["subset"].unique()) == ["names"]
    assert frame["power"].is_monotonic_increasing
    assert frame["power"].iloc[2] == pytest.approx(0.8, abs=0.05)
    assert (frame["power_low"] < frame["power"]).all()
    assert (frame["power"] < frame["power_high"]).all()
    assert_allclose(frame["mean_estimate"], frame["effect"], atol=0.002)


def test_power_is_given_for_noun_phrase_pairs_too():
    frame = power(corpus(items=12, pairs=10), "gender", [0.3], systems=50)
    assert list(frame["subset"]) == ["names", "pairs"]
    assert (frame["power"] > 0.9).all()


UNEQUAL = dict(zip(CELLS, (15, 5, 5, 15), strict=True))
NULLS = {
    "names differ a little": (TEN, 144, {"name_sd": 0.02, "phi": 50}),
    "names differ": (TEN, 36, {"name_sd": 0.05}),
    "names differ as in a real model": (TEN, 36, {"name_sd": 0.11, "phi": 119}),
    "names do not differ": (TEN, 36, {"name_sd": 0.0}),
    "race reacts to items": (TEN, 36, {"name_sd": 0.05, "slope_sd": {"race": 0.1}}),
    "race reacts to 144 items": (TEN, 144, {"name_sd": 0.05, "slope_sd": {"race": 0.1}}),
    "15 calm and 5 wild names": (
        UNEQUAL,
        36,
        {"name_sd": dict(zip(CELLS, (0.05, 0.3, 0.3, 0.05), strict=True))},
    ),
    "3 names per cell": (dict.fromkeys(CELLS, 3), 36, {"name_sd": 0.3}),
    "5 names per cell": (dict.fromkeys(CELLS, 5), 36, {"name_sd": 0.1}),
    "4 items": (TEN, 4, {"name_sd": 0.05}),
    "means near the boundary": (TEN, 36, {"name_sd": 0.1, "mean": 0.02}),
    "noisy scores": (TEN, 36, {"name_sd": 0.05, "phi": 5}),
}
REPLICATES = 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", NULLS)
def test_the_default_test_holds_its_level(name):
    counts, items, truth = NULLS[name]
    found = replicate(corpus(counts, items), systems=REPLICATES, seed=20, **truth)
    assert [term for _, term, _ in found] == ["race", "gender", "race:gender"]
    for replicates in found.values():
        size = (replicates.p < 0.05).mean()
        floor = 0.03 if np.median(replicates.signal) >= 4 else 0.02
        assert floor <= size <= 0.065
        assert abs(replicates.estimate.mean()) < 0.001


@pytest.mark.slow
def test_the_interaction_holds_its_level_under_strong_main_effects():
    effects = {"race": 0.3, "gender": 0.2}
    found = replicate(corpus(), systems=REPLICATES, seed=21, name_sd=0.05, effects=effects)
    assert 0.02 <= (found["names", "race:gender", "Black:female"].p < 0.05).mean() <= 0.065
    assert (found["names", "race", "Black"].p < 0.05).all()


@pytest.mark.slow
def test_noun_phrase_pairs_hold_their_level():
    found = replicate(corpus(items=36, pairs=10), systems=REPLICATES, seed=22, name_sd=0.1)
    assert 0.02 <= (found["pairs", "gender", "female"].p < 0.05).mean() <= 0.065


@pytest.mark.slow
@pytest.mark.parametrize("axis", ["race", "gender"])
def test_deviations_of_three_groups_hold_their_level(axis):
    counts = dict.fromkeys(product(("Anglo", "Arab", "Latino"), ("female", "male")), 8)
    found = replicate(corpus(counts, 24), systems=REPLICATES, seed=23, name_sd=0.1)
    rows = [replicates for (_, term, _), replicates in found.items() if term == axis]
    assert len(rows) == {"race": 3, "gender": 1}[axis]
    for replicates in rows:
        assert 0.02 <= (replicates.p < 0.05).mean() <= 0.065


@pytest.mark.slow
@pytest.mark.parametrize(
    ("truth", "loss"),
    [({"name_sd": 0.2}, 0.02), ({"name_sd": 0.11, "phi": 119}, 0.02), ({"name_sd": 0.03}, 0.08), ({"phi": 5}, 0.08)],
)
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_power_is_close_to_that_of_names_only(truth, loss, share):
    data = corpus()
    null = replicate(data, systems=500, seed=24, **truth)["names", "race", "Black"]
    effect = share * float(np.median(null.mde))
    found = replicate(data, systems=5000, seed=25, effects={"race": effect}, **truth)["names", "race", "Black"]
    assert (np.median(found.signal) >= 4) == (loss == 0.02)
    assert (found.p < 0.05).mean() >= (found.p_names_only < 0.05).mean() - loss
