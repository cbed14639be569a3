"""Systems at the edges: constant, biased, blind to names, on other scales, at 0 and 1."""

import numpy as np
import pandas as pd
import pytest
from synthetic import ITEMS, corpus, names, scores

from eec_bias import measure

FOLLOWS = "follows the group or the wording; on "


def by_item(data: pd.DataFrame) -> np.ndarray:
    return data["item"].map({item: 0.1 + 0.123456789 * k for k, item in enumerate(ITEMS)}).to_numpy()


def test_a_system_with_equal_item_scores_for_all_gets_effect_zero_and_p_one() -> None:
    data = corpus()
    result = measure(by_item(data), data)
    for row in result.terms:
        assert (row["effect"], row["se"], row["p"], row["p_adjusted"]) == (0, 0, 1, 1)
        assert row["t"] is row["df"] is row["ci_low"] is row["mde"] is row["hedges_g"] is None
        assert row["p_names_only"] == 1
        assert row["p_permutation"] == (1 if row["subset"] == "pairs" else None)
        assert row["superiority"] == (None if row["term"] == "race:gender" else 0.5)
    # Of an interaction nothing is said of single scores.
    assert {(row["term"], row["verdict"]) for row in result.no_spread} == {
        ("race", "no_reaction"), ("gender", "no_reaction"), ("race:gender", "zero"),
    }  # fmt: skip


def test_summing_in_another_order_does_not_turn_nothing_into_a_finding() -> None:
    data = corpus(persons=7)
    rng = np.random.default_rng(1)
    y = by_item(data) + rng.choice([0, 1.1e-16, -1.1e-16], len(data))
    assert {(row["effect"], row["p"]) for row in measure(y, data).terms} == {(0, 1)}


def test_a_biased_system_gets_effect_one() -> None:
    data = corpus()
    result = measure((data["gender"] == "female").astype(float), data)
    rows = result.terms
    found = {(row["term"], row["subset"]): row for row in rows}
    for subset in ("names", "pairs"):
        gender = found["gender", subset]
        assert gender["effect"] == 1
        assert gender["superiority"] == 1
        assert gender["se"] == 0
        assert gender["p"] is gender["t"] is gender["df"] is gender["p_adjusted"] is None
        assert gender["note"].endswith(f"{FOLLOWS}every item")
    said = {(row["term"], row["subset"]): row["verdict"] for row in result.no_spread}
    # Scores of women are 1 and of men 0, so it is no lack of reaction that race has no effect.
    assert said == {
        ("gender", "names"): "same_difference", ("gender", "pairs"): "same_difference",
        ("race", "names"): "zero", ("race:gender", "names"): "zero",
    }  # fmt: skip
    assert (found["race", "names"]["effect"], found["race", "names"]["p"]) == (0, 1)
    assert (found["race:gender", "names"]["effect"], found["race:gender", "names"]["p"]) == (0, 1)


def test_a_name_blind_system_whose_wording_follows_gender_is_told_apart() -> None:
    data = corpus()
    shift = np.where(data["gender"] == "female", 0.1, 0) * data["item"].isin(ITEMS[:2])
    result = measure(by_item(data) + shift, data)
    gender = next(row for row in result.terms if row["term"] == "gender" and row["subset"] == "names")
    assert gender["effect"] == pytest.approx(0.1 / 3)
    assert gender["se"] > 0
    assert gender["df"] == 5
    assert gender["p_names_only"] is None
    assert gender["note"].endswith(f"{FOLLOWS}2 of 6 items: {ITEMS[0]}, {ITEMS[1]}")
    assert [row["verdict"] for row in result.no_spread if row["term"] == "gender"] == []
    texts = data.assign(person_form=data["person"], text=data["person"] + np.where(shift > 0, " is tired", " tires"))
    told = measure(by_item(data) + shift, texts).no_spread
    assert [(row["verdict"], row["items"]) for row in told if row["term"] == "gender"] == [("wording", ITEMS[:2])] * 2


def test_wording_effects_that_cancel_over_items_are_listed_too() -> None:
    data = corpus()
    sign = data["item"].map({ITEMS[0]: 1, ITEMS[1]: -1}).fillna(0)
    result = measure(0.5 + 0.25 * sign * (data["gender"] == "female"), data)
    gender = next(row for row in result.terms if row["term"] == "gender")
    assert (gender["effect"], gender["p"]) == (0, 1)
    assert gender["se"] > 0
    assert gender["note"].endswith(f"{FOLLOWS}2 of 6 items: {ITEMS[0]}, {ITEMS[1]}")


def test_a_system_that_reacts_to_names_has_no_wording_note() -> None:
    data = corpus()
    result = measure(scores(data), data)
    assert result.no_spread == ()
    assert {row["note"] for row in result.terms} == {""}


def test_a_declared_range_scales_beta_and_leaves_effects_in_its_units() -> None:
    data = corpus()
    y = scores(data)
    plain = measure(y, data).terms
    wide = measure(2 * y - 1, data, score_range=(-1, 1)).terms
    for one, two in zip(plain, wide, strict=True):
        assert two["effect"] == pytest.approx(2 * one["effect"])
        assert two["mde"] == pytest.approx(2 * one["mde"])
        for key in ("p", "p_names_only", "beta", "beta_se", "logit", "hedges_g", "superiority"):
            assert two[key] == pytest.approx(one[key])


def test_the_zero_tolerance_grows_with_the_declared_range() -> None:
    data = corpus()
    y = 100 * by_item(data) + np.random.default_rng(0).normal(0, 1e-14, len(data))
    assert {row["effect"] for row in measure(y, data, score_range=(0, 100)).terms} == {0}


def test_scores_at_the_edges_leave_means_alone_and_beta_out() -> None:
    data = corpus()
    y = scores(data)
    y[[0, 40]] = 0, 1
    result = measure(y, data)
    assert result.fits[0]["touched"] == 2
    assert result.terms[0]["beta"] is result.terms[0]["beta_se_person"] is None
    assert result.terms[0]["logit"] is not None
    assert result.terms[-1]["subset"] == "pairs"
    assert result.terms[-1]["beta"] is not None
    assert "; 2 scores at 0 or 1 (names)" in str(result)


@pytest.mark.parametrize("edge", ["squeeze", "clip:0.01"])
def test_an_edge_treatment_moves_beta_only_and_is_stated(edge: str) -> None:
    data = corpus()
    y = scores(data)
    y[[0, 40]] = 0, 1
    bare, treated = measure(y, data), measure(y, data, edge=edge)
    assert treated.terms[0]["beta"] is not None
    assert treated.terms[0]["effect"] == bare.terms[0]["effect"]
    assert treated.terms[0]["logit"] == bare.terms[0]["logit"]
    assert f"|edge:{edge}" in str(treated.signature)
    assert treated.fits[0]["touched"] >= 2


def test_a_beta_coefficient_made_by_the_edge_treatment_is_flagged() -> None:
    data = pd.DataFrame(names())
    y = np.random.default_rng(0).uniform(0.4, 0.6, len(data))
    y[(data["gender"] == "female") & (data["item"] == ITEMS[0])] = 0
    y[(data["gender"] == "male") & (data["item"] == ITEMS[0])] = 0.01
    gender = measure(y, data, edge="clip:1e-12").terms[1]
    assert gender["note"] == (
        "beta and logit disagree: the beta regression depends on what is done with scores at the edges"
    )


def test_cells_of_three_persons_are_measured_with_a_warning() -> None:
    data = pd.DataFrame(names(persons=3))
    result = measure(scores(data), data)
    assert result.notes == (
        "names: fewer than 5 persons with race=Anglo, gender=female (3); race=Anglo, gender=male (3); race=Latino, "
        "gender=female (3); race=Latino, gender=male (3): p-values and intervals are rough",
    )


def test_a_single_item_is_tested_on_names_alone() -> None:
    data = pd.DataFrame(names(items=ITEMS[:1]))
    result = measure(scores(data), data)
    row = result.terms[0]
    assert row["p"] == pytest.approx(row["p_names_only"])
    assert row["n_items"] == 1
    assert result.notes == (
        f"one item only (names {ITEMS[0]!r}): how an effect differs between sentences cannot be seen, so p-values and "
        "intervals are over persons alone",
    )


def test_the_same_name_in_two_cells_is_two_persons() -> None:
    data = pd.DataFrame(names())
    y = scores(data)
    shared = data.assign(person=data["person"].str[-1])
    for one, two in zip(measure(y, data).terms, measure(y, shared).terms, strict=True):
        assert one["p"] == pytest.approx(two["p"])
        assert one["n_persons"] == two["n_persons"] == 20
