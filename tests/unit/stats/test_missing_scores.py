"""Scores that are missing cost what they say, no more: effects are estimated from the others."""

import numpy as np
import pandas as pd
import pytest
from synthetic import ITEMS, corpus, main_rows, names, row_of, scores

from eec_bias import DesignError, ScoresError, measure

DATA = corpus(persons=8)
Y = scores(DATA)


def lacking(share: float, seed: int = 1) -> np.ndarray:
    y = Y.copy()
    y[np.random.default_rng(seed).random(len(y)) < share] = np.nan
    return y


def test_one_percent_missing_at_random_hardly_moves_an_effect() -> None:
    whole, result = measure(Y, DATA), measure(lacking(0.01), DATA)
    for row, complete in zip(main_rows(result), main_rows(whole), strict=True):
        assert abs(row["effect"] - complete["effect"]) < 0.1 * complete["se"]
        assert row["se"] == pytest.approx(complete["se"], rel=0.1)


def test_rows_that_are_missing_are_as_scores_that_are_missing() -> None:
    y = lacking(0.05)
    there = ~np.isnan(y)
    gone, nan = measure(y[there], DATA[there]), measure(y, DATA)
    for row, other in zip(gone.overall, nan.overall, strict=True):
        assert row["effect"] == pytest.approx(other["effect"], rel=1e-9)
        assert row["p"] == pytest.approx(other["p"], rel=1e-9)


def test_a_gap_among_pairs_does_not_touch_names() -> None:
    y = Y.copy()
    y[(DATA["person"] == "mother") & (DATA["item"] == ITEMS[0])] = np.nan
    whole, result = measure(Y, DATA), measure(y, DATA)
    assert row_of(result, "race")["p"] == row_of(whole, "race")["p"]
    assert row_of(result, "gender", subset="pairs")["p"] != row_of(whole, "gender", subset="pairs")["p"]


def test_what_is_missing_is_counted_by_group() -> None:
    y = Y.copy()
    gone = (DATA["race"] == "Latino") & (DATA["gender"] == "female") & (DATA["item"] == ITEMS[0])
    y[gone] = np.nan
    result = measure(y, DATA)
    assert f"has no score for {gone.sum()} of" in str(result.notes[0])
    counted = {(row["race"], row["gender"]): row["n_missing"] for row in result.missing if row["subset"] == "names"}
    assert counted == {("Anglo", "female"): 0, ("Anglo", "male"): 0, ("Latino", "female"): 8, ("Latino", "male"): 0}
    assert not measure(Y, DATA).missing


def test_the_worst_that_missing_scores_could_do_is_said() -> None:
    y = Y.copy()
    women = (DATA["race"] == "Latino") & (DATA["gender"] == "female") & (DATA["item"] == ITEMS[0])
    y[women] = np.nan
    race = row_of(measure(y, DATA), "race")
    low, high = Y.copy(), Y.copy()
    low[women], high[women] = 0.0, 1.0
    assert race["worst_low"] == pytest.approx(row_of(measure(low, DATA), "race")["effect"])
    assert race["worst_high"] == pytest.approx(row_of(measure(high, DATA), "race")["effect"])
    assert row_of(measure(Y, DATA), "race")["worst_low"] is None


def test_more_than_five_percent_missing_of_a_group_is_rough() -> None:
    y = Y.copy()
    y[(DATA["race"] == "Latino") & (DATA["item"] == ITEMS[0])] = np.nan
    race = row_of(measure(y, DATA), "race")
    shared = row_of(measure(y, DATA, incomplete="shared"), "race")["effect"]
    assert "17 % of the answers about a group are missing. On the 5 items" in race["rough"]
    assert f"the gap is {shared:+.3g}" in race["rough"]


def test_a_person_without_any_score_is_named() -> None:
    y = Y.copy()
    y[(DATA["person"] == "latino-female-0").to_numpy()] = np.nan
    result = measure(y, DATA)
    assert any("no score for any sentence about latino-female-0 (persons: 1)" in str(note) for note in result.notes)
    assert row_of(result, "race")["n_persons"] == 31


def test_sentences_about_some_persons_each_need_not_be_crossed() -> None:
    data = pd.DataFrame(names(persons=8, items=[f"x{n:02d}" for n in range(40)]))
    rng = np.random.default_rng(3)
    kept = rng.random(len(data)) < 0.3
    y = scores(data) + 0.2 * (data["race"] == "Latino")
    race = row_of(measure(y[kept].to_numpy() - 0.1, data[kept], score_range=(-1, 2)), "race")
    assert race["effect"] == pytest.approx(0.2, abs=3 * race["se"])
    assert race["p"] < 0.05


def test_groups_without_a_common_item_are_refused() -> None:
    data = pd.DataFrame(names())
    half = (data["race"] == "Latino") == (data["item"].isin(ITEMS[:3]))
    with pytest.raises(DesignError, match="no item has scores of persons of all groups on race, gender"):
        measure(scores(data)[half], data[half])


def test_a_group_with_one_person_left_is_refused() -> None:
    y = Y.copy()
    cell = (DATA["race"] == "Latino") & (DATA["gender"] == "female")
    y[cell & (DATA["person"] != "latino-female-0")] = np.nan
    with pytest.raises(DesignError, match="scores of one person only with race=Latino, gender=female"):
        measure(y, DATA)


def test_a_run_in_which_a_group_answered_nothing_is_left_out_and_named() -> None:
    runs = np.stack([scores(DATA, seed) for seed in range(5)])
    runs[2, (DATA["race"] == "Latino") & (DATA["gender"] == "male")] = np.nan
    result = measure(runs, DATA, runs=list("abcde"))
    said = "run 'c' of the system is left out, because this run has no score for Latino, male"
    assert any(said in str(note) for note in result.notes)
    others = measure(runs[[0, 1, 3, 4]], DATA, runs=list("abde"))
    assert row_of(result, "race")["p"] == pytest.approx(row_of(others, "race")["p"], rel=1e-9)


def test_beta_says_that_scores_are_missing_and_what_to_do() -> None:
    (names_fit, _) = measure(lacking(0.01), DATA).fits
    assert "some scores are missing" in names_fit["reason"]
    assert "incomplete 'shared' fits the items all persons share" in names_fit["reason"]


def test_beta_is_fitted_on_the_items_that_all_share() -> None:
    y = Y.copy()
    y[(DATA["person"] == "latino-female-0") & (DATA["item"] == ITEMS[0])] = np.nan
    assert row_of(measure(y, DATA, incomplete="shared"), "race")["beta"] is not None


def test_cues_with_missing_scores_say_what_to_do() -> None:
    mentions = DATA[DATA["race"] != "unmarked"]
    mentions = mentions.assign(pair=mentions["item"] + "/" + mentions["person"].str.split("-").str[2])
    mentions = mentions.assign(person="a-" + mentions["person"])
    both = pd.concat([DATA[DATA["race"] != "unmarked"], mentions], ignore_index=True)
    y = scores(both)
    y[0] = np.nan
    said = [str(note) for note in measure(y, both).notes if note.key == "cues_not_compared"]
    assert said
    assert all("set the option incomplete to 'shared'" in each for each in said)


def test_cues_are_compared_where_both_keep_the_same_items() -> None:
    mentions = DATA[DATA["race"] != "unmarked"]
    mentions = mentions.assign(pair=mentions["item"] + "/" + mentions["person"].str.split("-").str[2])
    mentions = mentions.assign(person="a-" + mentions["person"])
    both = pd.concat([DATA[DATA["race"] != "unmarked"], mentions], ignore_index=True)
    y = scores(both)
    y[(both["item"] == ITEMS[0]) & both["person"].str.endswith("latino-female-0")] = np.nan
    assert any(row["term"] == "race:cue" for row in measure(y, both, incomplete="shared").overall)


def test_missing_scores_are_refused_on_request() -> None:
    with pytest.raises(ScoresError, match="every row needs a finite score"):
        measure(lacking(0.01), DATA, incomplete="refuse")
