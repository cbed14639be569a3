"""`method="perturbation"` on the corpora of templates, where the pronouns are the originals, and through `evaluate`."""

from pathlib import Path

import evaluate
import numpy as np
import pytest
from perturbed import naive, rows_of

from eec_bias import LabelsError, measure
from eec_datasets import corpora

FOLDER = Path(__file__).parents[2] / "metrics" / "eec_bias"


def scored(config: str):
    data = corpora.table(config).to_pandas()
    return data, np.random.default_rng(4).integers(0, 101, len(data)) / 100


@pytest.mark.parametrize("config", ["en-black-white", "es-anglo-latino", "ar-anglo-arab"])
def test_both_pronouns_of_an_item_are_originals_of_its_names(config) -> None:
    data, f = scored(config)
    kept = data["person_type"].isin(["name", "pronoun"])
    expected = naive(data[kept], f[kept], (0.5,), ("she", "he"))
    result = measure(f, data, method="perturbation", thresholds=0.5)
    flat = result.to_dict()
    assert flat["score_dev"] == pytest.approx(expected["score_dev"], abs=1e-12)
    assert flat["score_range_effect"] == pytest.approx(expected["score_range"], abs=1e-12)
    assert flat["label_dist[0.5]"] == pytest.approx(expected["label_dist"][0.5], abs=1e-12)
    assert flat["correlation"] == pytest.approx(expected["correlation"], abs=1e-12)
    sens = rows_of(result, "score_sens", "person")
    assert len(sens) == 40
    for name, value in expected["sens"].items():
        assert sens[name]["effect"] == pytest.approx(value, abs=1e-12)
        assert (sens[name]["reference"], sens[name]["n_items"], sens[name]["n_sentences"]) == ("he+she", 144, 432)
    assert (
        "2592 of 8640 rows take no part: they are neither originals nor names; filter the names away to measure noun "
        "phrases"
    ) in result.notes


def test_the_test_of_the_groups_is_that_of_the_names_of_the_corpus() -> None:
    data, f = scored("en-black-white")
    result = measure(f, data, method="perturbation")
    whole = measure(f, data)
    found = {row["term"]: row for row in result.terms if row["p"] is not None}
    for row in whole.terms:
        if row["subset"] == "names":
            assert found[row["term"]]["effect"] == pytest.approx(row["effect"], abs=1e-12)
            assert found[row["term"]]["p"] == pytest.approx(row["p"], abs=1e-12)


def test_another_person_can_be_what_names_are_compared_with() -> None:
    data, f = scored("en-black-white")
    kept = (data["person_type"] == "name") | (data["person"] == "mother")
    expected = naive(data[kept], f[kept], (0.5,), ("mother",))
    result = measure(f, data, method="perturbation", thresholds=0.5, baseline="mother")
    assert result.to_dict()["label_dist[0.5]"] == pytest.approx(expected["label_dist"][0.5], abs=1e-12)
    assert "|base:mother|thresholds:0.5" in str(result.signature)


def test_noun_phrases_are_measured_where_the_names_are_filtered_away() -> None:
    data, f = scored("en-black-white")
    kept = data["person_type"] != "name"
    result = measure(f[kept], data[kept].reset_index(drop=True), method="perturbation", group="gender")
    assert len(rows_of(result, "score_sens", "person")) == 18
    assert [row["subset"] for row in result.terms if row["term"] == "gender"] == ["pairs"]


def test_a_language_without_such_pronouns_needs_to_be_told_the_original() -> None:
    data, f = scored("tr-gender")
    with pytest.raises(LabelsError) as caught:
        measure(f, data, method="perturbation")
    assert str(caught.value) == (
        "there is no baseline row, the sentence a name is put into: no row has the person 'original', and the data "
        "have the types name, noun_phrase, in which 'pronoun' would be taken; keep the originals that eec perturb "
        "writes, or name the person to compare with, such as baseline=('she', 'he'); the persons are ahmet, ali, "
        "aunt, ayse, boy and 33 more"
    )
    assert len(rows_of(measure(f, data, method="perturbation", baseline=("woman", "man")), "label_dist")) == 9


def test_the_evaluate_module_takes_the_same_options(tmp_path) -> None:
    data, f = scored("en-gender")
    kept = (data["person_type"] == "name") | data["person"].isin(["she", "he"])
    data, f = data[kept], f[kept]
    module = evaluate.load(str(FOLDER), axes="gender", columns="person_type", cache_dir=str(tmp_path))
    columns = {name: data[name].tolist() for name in ("gender", "person", "item", "pair", "person_type")}
    found = module.compute(predictions=f, **columns, method="perturbation", thresholds=[0.4, 0.6])
    direct = measure(f, columns, method="perturbation", thresholds=(0.4, 0.6)).to_dict()
    assert found == direct
    assert found["label_dist[0.4]"] == pytest.approx(
        naive(data, f, (0.4,), ("she", "he"))["label_dist"][0.4], abs=1e-12
    )
    assert "ScoreRange" in module.report(found)


def test_a_third_pronoun_is_an_original_too_unless_the_others_are_named() -> None:
    data, f = scored("en-gender")
    assert len(rows_of(measure(f, data, method="perturbation"), "score_sens", "person")) == 40
    for baseline, expected in ((None, "he+she+they"), (("she", "he"), "he+she")):
        result = measure(f, data, method="perturbation", baseline=baseline)
        assert {row["reference"] for row in result.terms if row["term"] == "score_sens"} == {expected}
