"""The perturbation measures against their definitions, written out, on perturbed corpora and on those of templates."""

import json
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from perturbed import NAMES, THRESHOLDS, corpus, naive, rows_of, scores

from eec_bias import TERM_KEYS, measure
from eec_bias.methods import perturbation
from eec_datasets import corpora


def agrees(result, expected: dict) -> None:
    for term in ("score_dev", "score_dev_sample", "score_range", "correlation"):
        assert rows_of(result, term)[None]["effect"] == pytest.approx(expected[term], abs=1e-12)
    distances = rows_of(result, "label_dist")
    assert [float(level) for level in distances] == list(expected["label_dist"])
    for c, value in expected["label_dist"].items():
        assert distances[f"{c:g}"]["effect"] == pytest.approx(value, abs=1e-12)
    sens = rows_of(result, "score_sens", "person")
    assert list(sens) == list(expected["sens"])
    for name, value in expected["sens"].items():
        assert sens[name]["effect"] == pytest.approx(value, abs=1e-12)


def test_a_corpus_worked_by_hand() -> None:
    data = pd.DataFrame(
        {"person": ["original", "ann", "bob"] * 2, "item": ["s1"] * 3 + ["s2"] * 3, "pair": ["s1"] * 3 + ["s2"] * 3}
    )
    result = perturbation([0.5, 0.7, 0.3, 0.9, 0.8, 0.4], data, thresholds=0.5)
    flat = result.to_dict()
    assert rows_of(result, "score_sens", "person")["ann"]["effect"] == pytest.approx(0.05, abs=1e-12)
    assert rows_of(result, "score_sens", "person")["bob"]["effect"] == pytest.approx(-0.35, abs=1e-12)
    assert flat["score_dev"] == pytest.approx(0.2, abs=1e-12)
    assert flat["score_dev_sample"] == pytest.approx(0.2 * 2**0.5, abs=1e-12)
    assert flat["score_range_effect"] == pytest.approx(0.4, abs=1e-12)
    # Both originals reach .5; ann keeps both, bob neither: distances 0 and 1.
    assert flat["label_dist[0.5]"] == pytest.approx(0.5, abs=1e-12)
    assert flat["score_range"] == [0.0, 1.0]


@pytest.mark.parametrize("seed", range(5))
def test_the_measures_equal_their_definitions(seed) -> None:
    data = corpus()
    f = scores(data, seed)
    agrees(perturbation(f, data, thresholds=THRESHOLDS), naive(data, f))


def test_they_do_so_where_names_are_left_out_of_sentences() -> None:
    data = corpus()
    gone = (data["person"] == "ada") & data["item"].isin(["s0001", "s0002"])
    gone |= (data["person"] != "ada") & (data["item"] == "s0005") & (data["person"] != "original")
    data = data[~gone].reset_index(drop=True)
    f = scores(data)
    result = perturbation(f, data, thresholds=THRESHOLDS)
    agrees(result, naive(data, f))
    assert rows_of(result, "score_sens", "person")["ada"]["n_items"] == 10
    missing = "7 of 6 × 12 combinations of name and sentence are missing: ada (2), bea (1), cai (1)"
    assert any(note.startswith(missing) for note in result.notes)


@pytest.mark.parametrize("seed", range(8))
def test_they_do_so_with_gaps_anywhere_and_originals_that_some_sentences_lack(seed) -> None:
    rng = np.random.default_rng(seed)
    data = corpus(15)
    data["person"] = data["person"].replace({"ada": "he", "original": "she"})
    gone = rng.random(len(data)) < 0.3
    # Every sentence keeps an original, and so that each has a name, fox.
    kept = (data["person"] == "fox") | ((data["person"] == "she") & (data["item"] < "s0008"))
    data = data[~gone | kept | ((data["person"] == "he") & (data["item"] >= "s0008"))].reset_index(drop=True)
    f = scores(data, seed)
    result = perturbation(f, data, thresholds=THRESHOLDS, baseline=("she", "he"), bootstrap=99)
    agrees(result, naive(data, f, baseline=("he", "she")))


def test_sentences_can_be_cut_to_those_that_have_all_names() -> None:
    data = corpus()
    data = data[~((data["person"] == "ada") & data["item"].isin(["s0001", "s0002"]))].reset_index(drop=True)
    f = scores(data)
    kept = ~data["item"].isin(["s0001", "s0002"])
    result = perturbation(f, data, thresholds=THRESHOLDS, incomplete="shared")
    agrees(result, naive(data[kept].reset_index(drop=True), f[kept]))
    assert "cut to the 10 of 12 sentences that have all names" in result.notes


def test_several_originals_of_a_sentence_are_several_x() -> None:
    data = corpus()
    data["person"] = data["person"].replace({"ada": "he", "original": "she"})
    f = scores(data)
    result = perturbation(f, data, thresholds=THRESHOLDS, baseline=("she", "he"), group="career")
    agrees(result, naive(data, f, baseline=("she", "he")))
    assert any("he or she, each an original of its own (24 in all); 5 names, 12 sentences" in n for n in result.notes)


def test_scores_on_another_scale_keep_their_units() -> None:
    data = corpus()
    f = 2 * scores(data) - 1
    thresholds = (-1.0, -0.5, 0.0, 1.0)
    result = perturbation(f, data, score_range=(-1, 1), thresholds=thresholds)
    agrees(result, naive(data, f, thresholds))
    assert list(rows_of(perturbation(f, data, score_range=(-1, 1)), "label_dist"))[:2] == ["-0.8", "-0.6"]


def test_many_systems_give_the_rows_of_each_alone() -> None:
    data = corpus()
    systems = {name: scores(data, seed) for seed, name in enumerate("abc")}
    together = perturbation(systems, data, bootstrap=99, seed=3)
    for name, f in systems.items():
        alone = perturbation(f, data, bootstrap=99, seed=3)
        own = [{k: v for k, v in row.items() if k != "system"} for row in together.terms if row["system"] == name]
        assert [(row["term"], row["level"], row["n_sentences"]) for row in own] == [
            (row["term"], row["level"], row["n_sentences"]) for row in alone.terms
        ]
        for key in ("effect", "ci_low", "ci_high"):
            assert [row[key] for row in own] == pytest.approx([row[key] for row in alone.terms], abs=1e-12)


def test_the_rows_stand_in_the_long_frame_without_a_test() -> None:
    data = corpus()
    result = perturbation(scores(data), data)
    assert list(result.to_frame().columns) == list(TERM_KEYS)
    own = [row for row in result.terms if row["term"] in ("score_sens", "score_dev", "score_range", "label_dist")]
    assert all(row["p"] is None and row["p_adjusted"] is None and row["mde"] is None for row in own)
    assert all(row["note"].startswith("describes these names; no test of zero") for row in own)
    assert json.loads(json.dumps(result.to_dict(details=True), allow_nan=False)) == result.to_dict(details=True)


def test_groups_are_means_over_their_names() -> None:
    data = corpus()
    result = perturbation(scores(data), data, group=("gender", "career"))
    sens = {name: row["effect"] for name, row in rows_of(result, "score_sens", "person").items()}
    for at, column in enumerate(("gender", "career")):
        for level, row in rows_of(result, "score_sens", column).items():
            own = [value for name, value in sens.items() if NAMES[name][at] == level]
            assert row["effect"] == pytest.approx(fmean(own), abs=1e-12)
            assert row["n_persons"] == len(own) == 3
    assert (
        result.to_dict()["score_sens[career=athlete]"] == rows_of(result, "score_sens", "career")["athlete"]["effect"]
    )


def test_groups_are_the_identity_axes_unless_others_are_named() -> None:
    data = corpus()
    assert perturbation(scores(data), data).axes == ("gender", "career")
    assert perturbation(scores(data), data, group="career").axes == ("career",)
    none = perturbation(scores(data), data, group=())
    assert none.axes == ()
    assert not rows_of(none, "score_sens", "gender")


def test_the_test_of_the_groups_is_the_default_one_on_the_same_names() -> None:
    data = corpus()
    f = scores(data)
    result = perturbation(f, data, group="gender")
    named = data["person"] != "original"
    default = measure(f[named], data[named].reset_index(drop=True), axes=("gender",))
    assert [row for row in result.terms if row["term"] == "gender"] == list(default.terms)
    flat = result.to_dict()
    groups = flat["score_sens[gender=female]"] - flat["score_sens[gender=male]"]
    assert flat["gender_effect"] == pytest.approx(groups, abs=1e-12)
    assert "|test:perturbation+names+items|adj:holm|edge:none|base:original|" in flat["signature"]


def test_groups_too_small_to_test_are_described_all_the_same() -> None:
    data = corpus()
    data["career"] = data["career"].where(data["person"] != "ada", "leader")
    result = perturbation(scores(data), data, group="career")
    assert list(rows_of(result, "score_sens", "career")) == ["athlete", "leader", "scientist"]
    assert [row for row in result.terms if row["term"] == "career"] == []
    untested = "the groups are not tested: names: 'ada' is the only person with career=leader"
    assert any(note.startswith(untested) for note in result.notes)


def test_groups_that_cannot_be_crossed_are_tested_one_by_one() -> None:
    data = corpus()
    f = scores(data) / 2 + 0.4 * (data["gender"] == "female").to_numpy()
    result = perturbation(f, data, reference={"gender": "male", "career": "scientist"})
    named = data["person"] != "original"
    alone = [
        measure(f[named], data[named].reset_index(drop=True), axes=(axis,), reference={axis: level}).terms[0]
        for axis, level in (("gender", "male"), ("career", "scientist"))
    ]
    tested = [row for row in result.terms if row["p"] is not None]
    assert [row["p"] for row in tested] == [row["p"] for row in alone]
    smaller, larger = sorted(row["p"] for row in alone)
    assert smaller < 0.05
    assert sorted(row["p_adjusted"] for row in tested) == pytest.approx([2 * smaller, max(2 * smaller, larger)])
    alone_said = "gender and career cannot be tested together, so each is tested alone: names: 'ada' is the only person"
    assert any(note.startswith(alone_said) for note in result.notes)
    assert "|axes:gender+career|ref:male+scientist|test:perturbation+names+items|" in str(result.signature)


def test_columns_that_say_nothing_of_names_make_no_groups() -> None:
    data = corpus()
    data["source"] = np.where(data["item"] < "s0006", "forum", "news")
    result = perturbation(scores(data), data)
    assert result.axes == ("gender", "career")
    assert any(note.endswith("so it makes no groups of names") and "'source'" in note for note in result.notes)


def test_rows_in_any_order_and_long_data_give_the_same_numbers() -> None:
    data = corpus()
    systems = {name: scores(data, seed) for seed, name in enumerate("ab")}
    wide = perturbation(systems, data, bootstrap=99)
    turned = np.random.default_rng(5).permutation(len(data))
    moved = {name: f[turned] for name, f in systems.items()}
    other = perturbation(moved, data.iloc[turned].reset_index(drop=True), bootstrap=99)
    long = pd.concat([data.assign(system=name) for name in systems], ignore_index=True)
    found = perturbation(np.concatenate(list(systems.values())), long, systems="system", bootstrap=99)
    for key in ("effect", "ci_low", "p"):
        wanted = pytest.approx([row[key] for row in wide.terms], abs=1e-12, nan_ok=True)
        assert [row[key] for row in other.terms] == wanted
        assert [row[key] for row in found.terms] == wanted


def test_a_system_that_ignores_names_has_no_deviation_and_keeps_its_labels() -> None:
    data = corpus()
    f = data["item"].map({item: i / 20 for i, item in enumerate(sorted(set(data["item"])))}).to_numpy()
    result = perturbation(f, data, bootstrap=99)
    flat = result.to_dict()
    assert flat["score_dev"] == flat["score_range_effect"] == flat["label_dist[0.5]"] == 0
    assert flat["correlation"] is None
    assert "no value: the scores, or their changes, are all equal" in rows_of(result, "correlation")[None]["note"]


def test_two_empty_sets_are_at_distance_zero_and_said_so() -> None:
    data = corpus()
    f = np.where((data["person"] == "ada") & (data["item"] == "s0003"), 0.9, 0.1)
    row = rows_of(perturbation(f, data, thresholds=(0.5, 0.95)), "label_dist")
    assert row["0.5"]["effect"] == pytest.approx(1 / 6, abs=1e-12)
    assert "no sentence of 5 of 6 names reaches the threshold, nor the original: distance 0" in row["0.5"]["note"]
    assert row["0.95"]["effect"] == 0
    assert "no sentence of any name reaches the threshold" in row["0.95"]["note"]


def test_one_name_has_a_sensitivity_and_no_deviation() -> None:
    data = corpus()
    data = data[data["person"].isin(["original", "ada"])].reset_index(drop=True)
    result = perturbation(scores(data), data, thresholds=0.5)
    assert result.to_dict()["score_dev"] == 0
    assert result.to_dict()["score_dev_sample"] is None
    assert "one name only: score_dev and score_range are 0, as nothing deviates from it" in result.notes


def of_templates(config: str):
    data = corpora.table(config).to_pandas()
    return data, np.random.default_rng(4).integers(0, 101, len(data)) / 100


@pytest.mark.parametrize("config", ["en-black-white", "es-anglo-latino", "ar-anglo-arab"])
def test_both_pronouns_of_an_item_are_originals_of_its_names(config) -> None:
    data, f = of_templates(config)
    kept = data["person_type"].isin(["name", "pronoun"])
    expected = naive(data[kept], f[kept], (0.5,), ("she", "he"))
    result = perturbation(f, data, thresholds=0.5)
    agrees(result, expected)
    sens = rows_of(result, "score_sens", "person")
    assert len(sens) == 40
    assert {(row["reference"], row["n_items"], row["n_sentences"]) for row in sens.values()} == {("he+she", 144, 432)}
    assert any(note.startswith("2592 of 8640 rows take no part") for note in result.notes)
    found = {row["term"]: row for row in result.terms if row["p"] is not None}
    for row in (row for row in measure(f, data).terms if row["subset"] == "names"):
        assert found[row["term"]]["effect"] == pytest.approx(row["effect"], abs=1e-12)
        assert found[row["term"]]["p"] == pytest.approx(row["p"], abs=1e-12)


def test_other_persons_can_be_what_names_are_compared_with() -> None:
    data, f = of_templates("en-gender")
    kept = (data["person_type"] == "name") | (data["person"] == "mother")
    result = perturbation(f, data, thresholds=0.5, baseline="mother")
    agrees(result, naive(data[kept], f[kept], (0.5,), ("mother",)))
    assert "|base:mother|thresholds:0.5" in str(result.signature)
    # A third pronoun is an original too, unless the others are named.
    for baseline, expected in ((None, "he+she+they"), (("she", "he"), "he+she")):
        rows = rows_of(perturbation(f, data, baseline=baseline), "score_sens", "person").values()
        assert {row["reference"] for row in rows} == {expected}


def test_noun_phrases_are_measured_where_the_names_are_filtered_away() -> None:
    data, f = of_templates("en-black-white")
    kept = data["person_type"] != "name"
    result = perturbation(f[kept], data[kept].reset_index(drop=True), group="gender")
    assert len(rows_of(result, "score_sens", "person")) == 18
    assert [row["subset"] for row in result.terms if row["term"] == "gender"] == ["pairs"]


def test_a_language_without_such_pronouns_is_told_the_original() -> None:
    data, f = of_templates("tr-gender")
    assert len(rows_of(perturbation(f, data, baseline=("woman", "man")), "label_dist")) == 9
