"""The perturbation measures against their definitions, written out, on perturbed corpora and on those of templates."""

from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from noted import noted
from perturbed import NAMES, THRESHOLDS, corpus, naive, rows_of, scores

from eec_bias import measure, report
from eec_bias.figures.forest import forest
from eec_bias.methods import perturbation
from eec_datasets import corpora

WHOLE = corpus()
F, NAMED = scores(WHOLE), WHOLE["person"] != "original"
PRONOUNS = WHOLE.replace({"person": {"ada": "he", "original": "she"}})
BOTH = {"baseline": ("she", "he")}
SHARED = {"incomplete": "shared"}


def says(result, text: str) -> bool:
    return any(text in str(note) for note in result.notes)


def agrees(result, expected: dict) -> None:
    found = {term: rows_of(result, term)[None]["effect"] for term in expected if term not in ("label_dist", "sens")}
    assert found == pytest.approx({term: expected[term] for term in found}, abs=1e-12)
    distances = {float(level): row["effect"] for level, row in rows_of(result, "label_dist").items()}
    assert distances == pytest.approx(expected["label_dist"], abs=1e-12)
    sens = {name: row["effect"] for name, row in rows_of(result, "score_sens", "person").items()}
    assert (list(sens), sens) == (list(expected["sens"]), pytest.approx(expected["sens"], abs=1e-12))


def test_the_measures_are_those_worked_by_hand() -> None:
    data = pd.DataFrame(
        {"person": ["original", "ann", "bob"] * 2, "item": ["s1"] * 3 + ["s2"] * 3, "pair": ["s1"] * 3 + ["s2"] * 3}
    )
    result = perturbation([0.5, 0.7, 0.3, 0.9, 0.8, 0.4], data, thresholds=0.5)
    sens = {name: row["effect"] for name, row in rows_of(result, "score_sens", "person").items()}
    assert sens == pytest.approx({"ann": 0.05, "bob": -0.35}, abs=1e-12)
    # Both originals reach .5; ann keeps both, bob neither: distances 0 and 1.
    expected = {"score_dev": 0.2, "score_dev_sample": 0.2 * 2**0.5, "score_range_effect": 0.4, "label_dist[0.5]": 0.5}
    flat = result.to_dict()
    assert {key: flat[key] for key in expected} == pytest.approx(expected, abs=1e-12)
    assert flat["score_range"] == [0.0, 1.0]


def test_two_sets_without_a_sentence_lie_at_distance_zero() -> None:
    f = np.where((WHOLE["person"] == "ada") & (WHOLE["item"] == "s0003"), 0.9, 0.1)
    row = rows_of(perturbation(f, WHOLE, thresholds=(0.5, 0.95)), "label_dist")
    assert row["0.5"]["effect"] == pytest.approx(1 / 6, abs=1e-12)
    assert "for 5 of 6 names, no sentence reaches the threshold" in row["0.5"]["note"]
    assert row["0.95"]["effect"] == 0
    assert "no sentence reaches the threshold, neither in its original form nor with any name" in row["0.95"]["note"]


def test_one_of_two_originals_that_reaches_the_threshold_is_enough() -> None:
    two = perturbation(np.where(PRONOUNS["person"] == "he", 0.9, 0.1), PRONOUNS, **BOTH, thresholds=0.5)
    (row,) = rows_of(two, "label_dist").values()
    assert (row["effect"], "no sentence" in row["note"]) == (1, False)


def without(data: pd.DataFrame, person: str, *items: str) -> pd.DataFrame:
    return data[~((data["person"] == person) & data["item"].isin(items))]


def gappy(seed: int) -> pd.DataFrame:
    """Gaps anywhere: only fox stands in every sentence, each of which has one pronoun at least."""
    data = corpus(15).replace({"person": {"ada": "he", "original": "she"}})
    gone = np.random.default_rng(seed).random(len(data)) < 0.3
    she, early = data["person"] == "she", data["item"] < "s0008"
    return data[~gone | (data["person"] == "fox") | (she & early) | ((data["person"] == "he") & ~early)]


def lacking() -> pd.DataFrame:
    """Ada lacks two sentences, all others lack another."""
    data = without(corpus(), "ada", "s0001", "s0002")
    return data[data["person"].isin(["ada", "original"]) | (data["item"] != "s0005")]


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (WHOLE, {}, "the row with the person original. The data have 6 names"),
        (lacking(), {}, "7 of 6 × 12 combinations of name and sentence are missing: ada (2), bea (1), cai (1)"),
        (without(WHOLE, "ada", "s0001", "s0002"), SHARED, "only the 10 of 12 sentences that have all names are used"),
        (PRONOUNS, BOTH | {"group": "career"}, "is one original (24 in all). The data have 5 names and 12"),
        *((gappy(seed), BOTH, "of 5 × 15 combinations of name and sentence are missing") for seed in range(8)),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_the_measures_equal_their_definitions(data, options, said, seed) -> None:
    data = data.reset_index(drop=True)
    f = scores(data, seed)
    result = perturbation(f, data, thresholds=THRESHOLDS, **options)
    kept = ~data["item"].isin(["s0001", "s0002"]) if options == SHARED else data["item"] != ""
    assert ("|incomplete:shared" in result.signature) == (options == SHARED)
    agrees(result, naive(data[kept], f[kept], baseline=options.get("baseline", ("original",))))
    assert says(result, said)


def test_a_sentence_as_it_was_found_is_no_name() -> None:
    result = perturbation(F, WHOLE, thresholds=THRESHOLDS, baseline="fox")
    agrees(result, naive(WHOLE[NAMED], F[NAMED], baseline=("fox",)))
    assert says(result, "12 of 84 rows are not used")


def test_intervals_know_of_templates() -> None:
    for templates, said in ((WHOLE["item"], False), (WHOLE["item"].str[:4], True)):
        result = perturbation(F, WHOLE.assign(template=templates), bootstrap=99)
        assert says(result, "12 sentences come from 2 templates, but we resample each sentence separately") is said


def test_measures_keep_the_units_of_the_scores() -> None:
    f = 2 * F - 1
    thresholds = (-1.0, -0.5, 0.0, 1.0)
    agrees(perturbation(f, WHOLE, score_range=(-1, 1), thresholds=thresholds), naive(WHOLE, f, thresholds))
    assert list(rows_of(perturbation(f, WHOLE, score_range=(-1, 1)), "label_dist"))[:2] == ["-0.8", "-0.6"]


def test_a_correlation_and_a_distance_have_no_unit() -> None:
    result = perturbation(F / 10, WHOLE, score_range=(0, 0.1), thresholds=0.05)
    assert "declared as [0, 0.1], those under correlation and label_dist without a unit" in report(result)


def test_the_figure_of_findings_has_no_measure_without_a_unit() -> None:
    result = perturbation(F / 10, WHOLE, score_range=(0, 0.1), thresholds=0.05)
    ax = forest(result, theme="print").axes[0]
    assert ax.get_xlabel().endswith("gap in points of 100 (scores from 0 to 0.1)")
    assert not any("correlation" in label.get_text() for label in ax.get_yticklabels())


@pytest.mark.parametrize(
    ("group", "axes"),
    [(None, ("gender", "career")), (("gender", "career"), ("gender", "career")), ("career", ("career",)), ((), ())],
)
def test_groups_are_means_over_names_on_the_identity_axes(group, axes) -> None:
    result = perturbation(F, WHOLE, group=group)
    assert result.axes == axes
    sens, flat = rows_of(result, "score_sens", "person"), result.to_dict()
    for at, column in enumerate(("gender", "career")):
        found = rows_of(result, "score_sens", column)
        assert bool(found) == (column in axes)
        for level, row in found.items():
            own = [each["effect"] for name, each in sens.items() if NAMES[name][at] == level]
            assert row["effect"] == pytest.approx(fmean(own), abs=1e-12)
            assert row["n_persons"] == len(own) == 3
            assert flat[f"score_sens[{column}={level}]"] == row["effect"]


def test_the_test_of_the_groups_is_the_default_one() -> None:
    result = perturbation(F, WHOLE, group="gender")
    default = measure(F[NAMED], WHOLE[NAMED].reset_index(drop=True), axes=("gender",))
    assert [row for row in result.overall if row["term"] == "gender"] == list(default.overall)
    flat = result.to_dict()
    groups = flat["score_sens[gender=female]"] - flat["score_sens[gender=male]"]
    assert flat["gender_effect"] == pytest.approx(groups, abs=1e-12)
    assert "|test:perturbation+names+items|strata:none|base:original|" in flat["signature"]


def test_a_group_of_one_name_is_described_and_the_others_are_tested() -> None:
    data = corpus()
    data["career"] = data["career"].where(data["person"] != "ada", "leader")
    data["source"] = np.where(data["item"] < "s0006", "forum", "news")
    # Columns that say nothing of names make no groups.
    whole = perturbation(scores(data), data)
    assert whole.axes == ("gender", "career")
    assert any(
        note.endswith("we take no groups of names from this column") and "'source'" in note
        for note in noted(whole.notes)
    )
    result = perturbation(scores(data), data, group="career")
    assert list(rows_of(result, "score_sens", "career")) == ["athlete", "leader", "scientist"]
    assert [row["level"] for row in result.overall if row["term"] == "career"] == ["scientist"]
    assert says(result, "names: we compare career without leader (persons left out: 1)")


def test_groups_that_cannot_be_crossed_are_tested_one_by_one() -> None:
    women, references = (WHOLE["gender"] == "female").to_numpy(), {"gender": "male", "career": "scientist"}
    f = F / 2 + 0.4 * women

    def alone(**options) -> list:
        rows = WHOLE[NAMED].reset_index(drop=True)
        return [
            measure(f[NAMED], rows, axes=(axis,), reference={axis: references[axis]}, **options) for axis in references
        ]

    result = perturbation(f, WHOLE, reference=references)
    tested = [row for row in result.overall if row["p"] is not None]
    assert [row["p"] for row in tested] == [each.overall[0]["p"] for each in alone()]
    smaller, larger = sorted(row["p"] for row in tested)
    assert smaller < 0.05
    # Two questions of one plan, with half of the error rate.
    assert sorted(row["p_adjusted"] for row in tested) == pytest.approx([min(1, 4 * smaller), min(1, 4 * larger)])
    each = alone()
    for kind in ("cells", "fits", "variances"):
        assert getattr(result, kind) == getattr(each[0], kind) + getattr(each[1], kind)
    steady = perturbation(np.where(women, 0.6, 0.5), WHOLE)
    assert [row["p_adjusted"] for row in steady.overall if row["term"] == "gender"] == [None]
    assert [row.term for row in steady.overall if row.state != "normal"] == ["gender"]
    together = "we cannot test the groups of 'gender' and 'career' together, so we test each column alone: names: "
    assert says(result, together)
    assert "|axes:gender+career|ref:male+scientist|test:perturbation+names+items|" in result.signature


def test_a_system_that_ignores_names_has_no_deviation() -> None:
    result = perturbation(pd.factorize(WHOLE["item"])[0] / 20, WHOLE, bootstrap=99)
    flat = result.to_dict()
    assert flat["score_dev"] == flat["score_range_effect"] == flat["label_dist[0.5]"] == 0
    assert flat["correlation"] is None
    assert "no value, because all scores are equal, or all changes" in rows_of(result, "correlation")[None]["note"]


def test_a_single_name_has_no_deviation() -> None:
    data = WHOLE[WHOLE["person"].isin(["original", "ada"])].reset_index(drop=True)
    result = perturbation(scores(data), data, thresholds=0.5)
    assert result.to_dict()["score_dev"] == 0
    assert result.to_dict()["score_dev_sample"] is None
    assert "there is only one name, so score_dev and score_range are 0" in noted(result.notes)


def test_changes_that_cancel_over_sentences_have_no_effect() -> None:
    data = corpus(16)
    sign = np.where(data["item"].str[-1].astype(int) % 2, 0.1, -0.1)
    result = perturbation(0.5 + np.where(data["person"] == "original", 0.0, sign), data)
    assert {row["effect"] for row in result.overall if row["term"] == "score_sens"} == {0.0}


def test_a_single_name_is_counted_as_one() -> None:
    data = corpus(16)
    alone = data[data["person"].isin(["ada", "original"])]
    (said,) = [note for note in noted(perturbation(np.linspace(0.1, 0.9, len(alone)), alone).notes) if "f(x)" in note]
    assert ". The data have 1 name and 16 sentences" in said


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
    assert says(result, "2592 of 8640 rows are not used")
    found = {(row["term"], row["agreement"]): row for row in result.overall if row["p"] is not None}
    for row in (row for row in measure(f, data).overall if row["subset"] == "names"):
        same = found[row["term"], row["agreement"]]
        assert same["effect"] == pytest.approx(row["effect"], abs=1e-12)
        assert same["p"] == pytest.approx(row["p"], abs=1e-12)


def test_other_persons_can_be_what_names_are_compared_with() -> None:
    data, f = of_templates("en-gender")
    kept = (data["person_type"] == "name") | (data["person"] == "mother")
    result = perturbation(f, data, thresholds=0.5, baseline="mother")
    agrees(result, naive(data[kept], f[kept], (0.5,), ("mother",)))
    assert "|base:mother|thresholds:0.5" in result.signature
    # A third pronoun is an original too, unless the others are named.
    for baseline, expected in ((None, "he+she+they"), (("she", "he"), "he+she")):
        rows = rows_of(perturbation(f, data, baseline=baseline), "score_sens", "person").values()
        assert {row["reference"] for row in rows} == {expected}
    data, f = of_templates("en-black-white")
    kept = data["person_type"] != "name"
    result = perturbation(f[kept], data[kept].reset_index(drop=True), group="gender")
    assert len(rows_of(result, "score_sens", "person")) == 18
    assert [row["subset"] for row in result.overall if row["term"] == "gender"] == ["pairs"]
    # A language without such pronouns is told the original.
    data, f = of_templates("tr-gender")
    assert len(rows_of(perturbation(f, data, baseline=("woman", "man")), "label_dist")) == 9
