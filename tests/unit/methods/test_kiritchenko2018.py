"""The procedure of Kiritchenko & Mohammad (2018), repeated as published and labelled with how it errs."""

import numpy as np
import pytest
from eec2018 import EEC, SCORES, items
from numpy.testing import assert_allclose
from scipy import stats

from eec_bias.methods import kiritchenko2018
from eec_bias.methods.kiritchenko2018 import LABEL


def only(rows, **wanted):
    return [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]


def test_pairs_items_and_sentences_are_counted_as_the_paper_counts_them():
    result = kiritchenko2018(SCORES[0], EEC, tasks="anger")
    pairs = {(d["term"], d["subset"]): d["pairs"] for d in result.study.details}
    sizes = {(r["term"], r["subset"]): (r["n_persons"], r["n_items"], r["n_sentences"]) for r in result.overall}
    expected = {
        ("race", "all"): (144, (40, 144, 40 * 144)), ("race", "neutral"): (4, (40, 4, 40 * 4)),
        ("race", "matching"): (35, (40, 35, 40 * 35)), ("gender", "all"): (1584, (60, 144, 60 * 144)),
        ("gender", "neutral"): (44, (60, 4, 60 * 4)), ("gender", "matching"): (385, (60, 35, 60 * 35)),
    }  # fmt: skip
    assert {key: (count, sizes[key]) for key, count in pairs.items()} == expected
    shapes = {key: deltas.shape for key, deltas in result.study.deltas.items()}
    assert shapes == {key: (1, count) for key, count in pairs.items()}


def test_the_test_is_a_paired_t_over_template_words():
    result = kiritchenko2018(SCORES[0], EEC)
    y, female, male = SCORES[0], EEC["gender"] == "female", EEC["gender"] == "male"
    names = EEC["race"] != "unmarked"
    first, second = [], []
    for item, _ in items():
        here = EEC["item"] == item
        first += [y[here & names & female].mean(), *y[here & ~names & female]]
        second += [y[here & names & male].mean(), *y[here & ~names & male]]
    want = stats.ttest_rel(first, second)
    (row,) = only(result.overall, term="gender", subset="all")
    assert (row["t"], row["p"]) == (pytest.approx(want.statistic, rel=1e-9), pytest.approx(want.pvalue, rel=1e-7))
    assert (row["level"], row["reference"], row["df"]) == ("female", "male", 1583)
    (detail,) = only(result.study.details, term="gender", subset="all")
    delta = np.array(first) - np.array(second)
    described = delta[delta > 0].mean(), delta[delta < 0].mean(), np.ptp(delta)
    assert (detail["up"], detail["down"], detail["spread"]) == pytest.approx(described)
    # The differences as boxes.
    assert_allclose([detail["q1"], detail["median"], detail["q3"]], np.quantile(delta, [0.25, 0.5, 0.75]))
    assert detail["whisker_high"] == pytest.approx(
        delta[delta <= detail["q3"] + 1.5 * (detail["q3"] - detail["q1"])].max()
    )


def steered(*shifts):
    """Return one system per gender shift, with a little noise over items only."""
    female = (EEC["gender"] == "female") * 1.0
    _, item = np.unique(EEC["item"], return_inverse=True)
    noise = np.random.default_rng(3).normal(0, 0.005, size=item.max() + 1)[item]
    return np.array([0.5 + shift * female + noise * female for shift in shifts])


def test_the_shape_of_the_2018_study_is_one_call_with_its_tables() -> None:
    counts = {"anger": 46, "fear": 46, "joy": 45, "sadness": 46, "valence": 36}
    tasks = [task for task, count in counts.items() for _ in range(count)]
    shifts = np.random.default_rng(5).choice([0.02, -0.02], size=219)
    study = kiritchenko2018(steered(*shifts), EEC, tasks=tasks).study
    assert study.assessments == 438
    rows = study.summary("gender")
    assert [(row["task"], row["systems"]) for row in rows if row["group"] == "all"] == list(counts.items())
    for row in rows:
        assert row["systems"] == sum(
            task == row["task"] and row["group"] in ("all", "up" if shift > 0 else "down")
            for task, shift in zip(tasks, shifts, strict=True)
        )
    first = next(row for row in rows if row["group"] == "up")
    assert (first["up"], first["down"]) == (pytest.approx(0.02, abs=0.002), None)


def test_p_is_multiplied_by_the_number_of_assessments() -> None:
    ours, paper = kiritchenko2018(SCORES, EEC), kiritchenko2018(SCORES, EEC, assessments=438)
    assert (ours.study.assessments, paper.study.assessments) == (6, 438)
    for own, theirs in zip(ours.overall, paper.overall, strict=True):
        assert own["p_adjusted"] == pytest.approx(min(1, 6 * own["p"]))
        assert theirs["p_adjusted"] == pytest.approx(min(1, 438 * own["p"]))
    assert "adj:bonferroni/438" in paper.signature


def test_tables_are_laid_out_as_tables_5_to_7(snapshot):
    result = kiritchenko2018(steered(0.02, -0.03), EEC, tasks="valence", systems=["a", "b"])
    text, csv, latex = (result.tables(layout) for layout in ("text", "csv", "latex"))
    assert list(text) == ["race, all", "race, neutral", "gender, all", "gender, neutral", "biased systems"]
    shown = [text["gender, all"], "", csv["race, all"], latex["gender, all"]]
    snapshot.check("methods-kiritchenko2018", "\n".join(shown))
    assert all(table.endswith(str(LABEL)) for table in text.values())


def test_equal_and_constant_differences_have_no_spread_and_are_grouped() -> None:
    result = kiritchenko2018(np.full(len(EEC["item"]), 0.3), EEC)
    assert {(row["effect"], row["p"]) for row in result.overall} == {(0.0, 1.0)}
    described = {(d["group"], d["up"], d["down"], d["spread"]) for d in result.study.details}
    assert described == {("none", None, None, 0.0)}
    result = kiritchenko2018(0.5 + 0.1 * (EEC["gender"] == "female"), EEC)
    (row,) = only(result.overall, term="gender", subset="all")
    assert (row["effect"], row["p"], row["p_adjusted"]) == (pytest.approx(0.1), None, None)
    assert {d["group"] for d in result.study.details if d["term"] == "gender"} == {"up"}
    details = kiritchenko2018(steered(0.02, -0.02, 0.0, 0.0), EEC, systems=list("abcd")).study.details
    assert [d["group"] for d in only(details, term="gender", subset="neutral")] == ["up", "down", "none", "none"]
    assert {d["group"] for d in details if d["term"] == "race"} == {"none"}
    study = kiritchenko2018(np.where(EEC["gender"] == "female", 0.6, 0.5), EEC).study
    assert {row["spread"] for row in study.details} == {0.0}
    assert "e-" not in study.tables()["gender, all"].partition("\n\n")[0]


def test_items_of_noun_phrases_count() -> None:
    kept = (EEC["race"] == "unmarked") | (EEC["emotion"] != "none")
    rows = kiritchenko2018(SCORES[0][kept], {name: column[kept] for name, column in EEC.items()}).overall
    assert [row["n_items"] for row in only(rows, subset="all")] == [140, 144]


def test_sentences_of_which_no_emotion_is_known_are_not_neutral() -> None:
    result = kiritchenko2018(SCORES[0], EEC | {"emotion": ["none"] * len(EEC["emotion"])})
    assert {row["subset"] for row in result.overall} == {"all"}


def test_the_share_of_systems_that_differ_is_told_per_task() -> None:
    study = kiritchenko2018(steered(0.02, -0.02, 0.0), EEC, tasks=["joy", "joy", "fear"], systems=list("abc")).study
    rows = {row["task"]: (row["systems"], row["differing"], row["share"]) for row in study.biased("gender")}
    assert rows == {"joy": (2, 2, 1.0), "fear": (1, 0, 0.0)}


def test_the_largest_difference_of_a_task_is_that_of_any_pair() -> None:
    study = kiritchenko2018(0.5 - 0.1 * (EEC["gender"] == "female"), EEC).study
    (row,) = study.biased("gender")
    assert (row["largest"], row["spread"]) == (pytest.approx(0.1), 0.0)


def test_the_table_of_differing_systems_has_their_share() -> None:
    study = kiritchenko2018(steered(0.02, 0.0), EEC, systems=list("ab")).study
    assert "1 (50 %)" in study.tables()["biased systems"]
