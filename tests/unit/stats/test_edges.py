"""Systems at the edges: constant, biased, blind to names, at 0 and 1; and what holds for any scores and any labels."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from noted import noted
from synthetic import BASES, ITEMS, assert_rows, corpus, main_rows, names, phrases, row_of, scores

from eec_bias import measure, report

DATA = corpus()
Y = scores(DATA)
WOMEN = (DATA["gender"] == "female").to_numpy()
BY_ITEM = DATA["item"].map({item: 0.1 + 0.123456789 * k for k, item in enumerate(ITEMS)}).to_numpy()
AT_EDGES = np.where(np.isin(np.arange(len(Y)), [0, 40]), np.round(Y), Y)
FOLLOWS = "comes from the group or the wording. "


def test_equal_item_scores_for_all_give_effect_zero_without_a_p() -> None:
    result = measure(BY_ITEM, DATA)
    for row in result.overall:
        # An interaction is zero, and not a lack of reaction.
        p = 1 if row["term"] == "race:gender" else None
        assert (row["effect"], row["se"], row["p"], row["p_adjusted"], row["p_names_only"]) == (0, 0, p, p, p)
        assert row["t"] is row["df"] is row["ci_low"] is row["mde"] is row["hedges_g"] is None
        assert row["p_permutation"] is None
        assert row["superiority"] == (None if row["term"] == "race:gender" else 0.5)
    # Of an interaction nothing is said of single scores.
    said = {(row.term, row.state) for row in main_rows(result)}
    assert said == {("race", "equal_scores"), ("gender", "equal_scores"), ("race:gender", "zero")}
    # A biased system gets effect one.
    result = measure(WOMEN.astype(float), DATA)
    for subset in ("names", "pairs"):
        gender = row_of(result, "gender", subset=subset)
        assert (gender["effect"], gender["superiority"], gender["se"]) == (1, 1, 0)
        assert gender["p"] is gender["t"] is gender["df"] is gender["p_adjusted"] is None
        assert gender["note"].endswith(f"{FOLLOWS}Every item has a gap")
    for term in ("race", "race:gender"):
        assert (row_of(result, term)["effect"], row_of(result, term)["p"]) == (0, 1)


def test_rounding_turns_nothing_into_neither_finding_nor_reaction() -> None:
    for scale, noise in ((1, 1.1e-16), (100, 1e-14)):
        noisy = np.random.default_rng(1).choice([0, noise, -noise], len(DATA))
        found = measure(scale * BY_ITEM + noisy, DATA, score_range=(0, scale))
        assert {(row["effect"], row["p"]) for row in found.overall} == {(0, None), (0, 1)}
        assert ("race", "equal_scores") in {(row.term, row.state) for row in found.overall}
        # What is far above rounding is a reaction.
        moved = measure(scale * BY_ITEM + 1e10 * noisy, DATA, score_range=(0, scale))
        assert {row.state for row in moved.terms} == {"normal"}
    # Far from zero, in groups of other sizes.
    uneven = DATA["person"] != "latino-female-0"
    for offset in (1e4, 1e6):
        found = measure((offset + BY_ITEM)[uneven], DATA[uneven], score_range=(offset, offset + 1))
        assert {(row["effect"], row["p"]) for row in found.overall} == {(0, None), (0, 1)}


def test_scores_too_close_for_their_range_are_said_to_count_as_equal() -> None:
    tiny = 1e-13 * Y
    result = measure(tiny, DATA)
    assert any("Differences below 1e-12 of the declared score range count" in note for note in noted(result.notes))
    assert {row.state for row in result.overall} == {"zero"}
    assert not any("count as rounding" in str(note) for note in measure(tiny, DATA, score_range=(0, 1e-12)).notes)
    result = measure(Y, DATA, score_range=(-1e11, 1e11))
    assert {row["effect"] for row in result.overall} == {0}
    assert any("a gap of up to 0.2 counts as 0" in note for note in noted(result.notes))
    assert not any("count as rounding" in str(note) for note in measure(Y, DATA, score_range=(-1e3, 1e3)).notes)
    # A single item is measured with a warning.
    single = pd.DataFrame(names(items=ITEMS[:1]))
    result = measure(scores(single), single)
    assert result.overall[0]["p"] == pytest.approx(result.overall[0]["p_names_only"])
    assert result.overall[0]["n_items"] == 1
    (note,) = noted(result.notes)
    assert note.startswith(f"there is only one item (names {ITEMS[0]!r})")
    assert "|test:names|" in result.signature
    assert "allow for other names of the same kind" in report(result)
    assert {row["share"] for row in result.variances} == {None}
    assert "Variance within groups" not in report(result)


def test_simple_effects_look_at_their_own_cells_alone() -> None:
    data = pd.DataFrame(names())
    y = 0.3 + 0.2 * ((data["race"] == "Latino") & (data["gender"] == "female"))
    found = {row.term for row in measure(y, data).overall if row.state == "equal_scores"}
    assert found == {"race|gender=male", "gender|race=Anglo"}
    # An interaction that cancels is zero where names spread too.
    nth = data["person"].str[-1].astype(int).to_numpy()
    y = 0.1 * (data["race"] == "Latino") + 0.2 * (data["gender"] == "female") + 0.07 * nth
    row = row_of(measure(y, data), "race:gender")
    assert (row["effect"], row["p"]) == (0, 1)
    assert row["se"] > 0
    # Pairs are unmoved where the sides of every base are equal.
    data = phrases()
    base = pd.factorize(data["pair"].str.split("/").str[-1])[0] / 10
    # Against the mean of all, Kenya is compared with Norway too.
    for reference, unmoved in (("Chile", {"Kenya"}), (None, set())):
        result = measure(base + 0.1 * (data["country"] == "Norway"), data, reference={"country": reference})
        assert {row.level for row in result.overall if row.state == "equal_scores"} == unmoved
    # Rounding does not give the term as a whole a p from relabellings.
    whole = [row for row in measure(np.full(len(data), 0.3), data).overall if row["level"] == "any"]
    assert {row["p_permutation"] for row in whole} == {1}
    # Persons whose differences cancel over items have reacted.
    swing = np.where(DATA["person"] == "anglo-female-0", DATA["item"].map({ITEMS[0]: 0.1, ITEMS[1]: -0.1}).fillna(0), 0)
    found = main_rows(measure(BY_ITEM + swing, DATA))
    assert "equal_scores" not in {row.state for row in found if row.subset == "names"}
    # A declared range scales beta, and leaves effects in its units.
    plain, wide = measure(Y, DATA).overall, measure(2 * Y - 1, DATA, score_range=(-1, 1)).overall
    units = ("effect", "se", "ci_low", "ci_high", "mde", "mde_alone", "smallest_margin", "se_names")
    assert_rows([{**row, **{key: row[key] / 2 for key in units}} for row in wide], plain)


def test_a_name_blind_system_whose_wording_follows_gender_is_told_apart() -> None:
    shift = 0.1 * WOMEN * DATA["item"].isin(ITEMS[:2])
    result = measure(BY_ITEM + shift, DATA)
    gender = row_of(result, "gender")
    assert gender["effect"] == pytest.approx(0.1 / 3)
    assert gender["se"] > 0
    assert (gender["df"], gender["p_names_only"]) == (pytest.approx(5), None)
    assert gender["note"].endswith(f"{FOLLOWS}2 of 6 items have a gap: {ITEMS[0]}, {ITEMS[1]}")
    assert {row.state for row in result.overall if row.term == "gender"} == {"normal"}
    texts = DATA.assign(person_form=DATA["person"], text=DATA["person"] + np.where(shift > 0, " is tired", " tires"))
    told = measure(BY_ITEM + shift, texts).overall
    assert [row.state for row in told if row.term == "gender"] == ["wording"] * 2
    # Wording effects that cancel over items are listed too.
    sign = DATA["item"].map({ITEMS[0]: 1, ITEMS[1]: -1}).fillna(0)
    gender = row_of(measure(0.5 + 0.25 * sign * WOMEN, DATA), "gender")
    assert (gender["effect"], gender["p"]) == (0, 1)
    assert gender["se"] > 0
    assert gender["note"].endswith(f"{FOLLOWS}2 of 6 items have a gap: {ITEMS[0]}, {ITEMS[1]}")
    # A system that reacts to names has no such note.
    assert {row["note"] for row in measure(Y, DATA).overall} == {""}


def test_scores_at_the_edges_leave_beta_out() -> None:
    bare = measure(AT_EDGES, DATA)
    race, pairs = bare.overall[0], bare.overall[-1]
    assert (bare.fits[0]["touched"], race["beta"], race["beta_se_person"]) == (2, None, None)
    assert race["logit"] is not None
    assert (pairs["subset"], pairs["beta"] is None) == ("pairs", False)
    assert "; 2 scores at 0 or 1 (names)" in report(bare)
    assert "; 2 scores at -1 or 1 (names)" in report(measure(2 * AT_EDGES - 1, DATA, score_range=(-1, 1)))


def test_the_same_name_in_two_cells_is_two_persons() -> None:
    data = pd.DataFrame(names())
    shared = measure(scores(data), data.assign(person=data["person"].str[-1])).overall
    # A note that names a person names another one.
    assert_rows(shared, measure(scores(data), data).overall, without=("rough", "notes"))
    assert {row["n_persons"] for row in shared if "|" not in row["term"]} == {20}
    gapless = ~DATA["pair"].isin(map("/".join, zip(ITEMS, BASES, strict=True)))
    result = measure(Y[gapless], DATA[gapless], incomplete="refuse")
    assert {row["subset"] for row in result.overall} == {"names"}
    assert sum("because 1 of 6 items have no such pair" in note for note in noted(result.notes)) == len(BASES)


SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=12, deadline=None)
NUMBERS = ("effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high", "mde", "hedges_g", "superiority", "beta")
RACES = ("Anglo", "Black", "Latino")
SMALL = corpus(persons=3)
NAMED = pd.DataFrame(names(races=RACES, persons=3))


def assert_same(one: Any, other: Any, keys: tuple[str, ...] = NUMBERS, **factors: float) -> None:
    """Rows with the same numbers, some multiplied by a factor in the other."""
    for row, twin in zip(one, other, strict=True):
        for key in (*keys, *factors):
            expected = None if row[key] is None else pytest.approx(row[key] * factors.get(key, 1), rel=1e-6, abs=1e-9)
            assert twin[key] == expected, key


@FEW
@given(SEEDS)
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    data = corpus(persons=3, races=RACES)
    y = scores(data, seed)
    order = np.random.default_rng(seed).permutation(len(data))
    plain, shuffled = measure(y, data).overall, measure(y[order], data.iloc[order]).overall
    assert [(row["term"], row["level"]) for row in plain] == [(row["term"], row["level"]) for row in shuffled]
    assert_same(plain, shuffled)


@FEW
@given(SEEDS, st.permutations(["x", "y", "z"]), st.permutations(["p", "q"]))
def test_the_names_of_labels_do_not_matter(seed: int, races: list[str], genders: list[str]) -> None:
    y = scores(NAMED, seed)
    race, gender = dict(zip(RACES, races, strict=True)), dict(zip(("female", "male"), genders, strict=True))
    renamed = NAMED.replace({"race": race, "gender": gender}).assign(person=NAMED["person"] + "!")
    label = race | gender | {"mean": "mean", "any": "any"}
    one = main_rows(measure(y, NAMED, reference={"gender": "male"}))
    found = {(r["term"], r["level"]): r for r in main_rows(measure(y, renamed, reference={"gender": gender["male"]}))}
    twins = [found[row["term"], ":".join(label[part] for part in row["level"].split(":"))] for row in one]
    assert len(found) == len(one)
    assert_same(one, twins, tuple(key for key in NUMBERS if key not in ("p", "p_adjusted")))
    # The test of a whole term draws its points row by row, so it agrees to its accuracy.
    assert [row["p"] for row in one] == pytest.approx([row["p"] for row in twins], rel=0.05)


@FEW
@given(SEEDS)
def test_swapping_a_reference_flips_the_sign(seed: int) -> None:
    y = scores(SMALL, seed)
    one, other = (measure(y, SMALL, reference={"race": race}).overall[:1] for race in ("Anglo", "Latino"))
    assert_same(one, other, ("se", "df", "p", "p_names_only", "mde"), effect=-1, t=-1, hedges_g=-1)
    ((row, twin),) = zip(one, other, strict=True)
    assert (row["level"], row["reference"]) == (twin["reference"], twin["level"]) == ("Latino", "Anglo")
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((-twin["ci_high"], -twin["ci_low"]))
    assert row["superiority"] == pytest.approx(1 - twin["superiority"])


@FEW
@given(SEEDS, st.floats(-0.2, 0.2), st.floats(0.01, 100.0))
def test_a_constant_or_another_unit_changes_no_test(seed: int, constant: float, unit: float) -> None:
    y = 0.3 + 0.4 * scores(SMALL, seed)
    plain = measure(y, SMALL).overall
    assert_same(plain, measure(y + constant, SMALL).overall, tuple(key for key in NUMBERS if key != "beta"))
    scaled = measure(unit * y, SMALL, score_range=(0.0, unit * 1.0000001)).overall
    free = ("df", "t", "p", "p_adjusted", "hedges_g", "superiority")
    assert_same(plain, scaled, free, effect=unit, mde=unit)
