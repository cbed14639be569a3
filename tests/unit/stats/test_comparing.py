"""Two systems on the same sentences."""

import numpy as np
import pandas as pd
import pytest
from noted import noted
from synthetic import assert_rows, corpus, row_of, scores

from eec_bias import OptionError, ScoresError, compare, measure
from eec_bias.result.text import report

DATA = corpus()
A, B = scores(DATA), scores(DATA, 1)
BETA = ("beta", "beta_se", "beta_p", "beta_se_person", "logit")


def test_a_comparison_is_the_test_of_the_differences() -> None:
    found, plain, turned = compare(A, B, DATA), measure(A - B, DATA, score_range=(-1, 1)), compare(B, A, DATA)
    assert_rows(found.overall, plain.overall, without=("note", *BETA))
    alone = (measure(A, DATA).overall, measure(B, DATA).overall)
    for row, x, y, swapped in zip(found.overall, *alone, turned.overall, strict=True):
        assert row["effect"] == pytest.approx(x["effect"] - y["effect"], abs=1e-14)
        assert (swapped["effect"], swapped["p"]) == pytest.approx((-row["effect"], row["p"]))
        assert row["note"].startswith("the gap of a ")
    assert noted(found.notes)[0].startswith("each row shows the gap of a minus the gap of b")
    # There is no beta regression of differences.
    assert {row[key] for row in found.overall for key in BETA} == {None}
    assert {fit["reason"] for fit in found.fits} == {
        "differences between two systems' scores are not scores on a bounded scale"
    }
    # Many systems are compared one by one, and by stratum.
    data = DATA.assign(emotion=np.where(DATA["item"].str.endswith("angry"), "anger", "joy"))
    after, before = ({name: scores(DATA, 2 * k + k0) for k, name in enumerate("mn")} for k0 in (0, 1))
    found = compare(after, before, data, by="emotion")
    assert list(found.overall[0])[:2] == ["system", "stratum"]
    lone = compare(after["n"], before["n"], data, by="emotion")
    assert_rows([row for row in found.overall if row["system"] == "n"], lone.overall, without=("system", "p_adjusted"))


def test_a_checkpoint_that_only_moved_every_score_alike_does_not_differ() -> None:
    before = 0.2 + 0.5 * A
    found = compare(before + 0.1, before, DATA, names=("after", "before"))
    assert {(row["effect"], row["p"]) for row in found.overall} == {(0, 1)}
    assert (found.score_range, found.facts.score_range) == ((-1.0, 1.0), (0.0, 1.0))
    assert "|compare:after-before|plan:" in found.signature
    # What the two share cancels, so that small changes are found.
    noise = np.random.default_rng(3).normal(0, 1e-3, len(DATA))
    after = before + 0.01 * (DATA["gender"] == "female").to_numpy() + noise
    gender = row_of(compare(after, before, DATA), "gender")
    assert gender["effect"] == pytest.approx(0.01, abs=1e-3)
    assert gender["p"] < 1e-6
    assert row_of(measure(after, DATA), "gender")["p"] > 0.05


def test_two_systems_are_compared_under_a_sample_of_prompts() -> None:
    after, before = (np.stack([scores(DATA, 2 * k + k0) for k in range(4)]) for k0 in (0, 1))
    prompts = {"runs": ("p1", "p2", "p3", "p4")}
    found = compare(after, before, DATA, **prompts)
    expected = measure(after - before, DATA, score_range=(-1, 1), **prompts)
    assert_rows(found.overall, expected.overall, without=("note", *BETA))
    assert "names+items+runs|" in found.signature
    (gender,) = (row for row in found.overall if row["term"] == "gender" and row["subset"] == "names")
    assert gender["effect"] == pytest.approx(row_of(compare(after.mean(0), before.mean(0), DATA), "gender")["effect"])
    rough = compare(after[:2], before[:2], DATA, runs=("p1", "p2"))
    assert "fewer than 4 runs" in row_of(rough, "gender")["rough"]


def test_the_margin_of_a_comparison_is_one_of_the_difference() -> None:
    first, second = 0.4 + 0.02 * A, 0.6 - 0.02 * A
    margin = 0.75 * float(np.ptp(first - second))
    assert margin > max(np.ptp(first), np.ptp(second))
    assert {row["margin"] for row in compare(first, second, DATA, margin=100 * margin).equivalence} == {margin}
    # Two systems may be closer to each other than a margin.
    rounded = (256 * A).round() / 256
    found = compare(A, rounded, DATA, margin=2)
    assert np.ptp(A - rounded) < 0.02
    assert {row["p_equivalence"] < 0.001 for row in found.equivalence} == {True}
    assert [note for note in noted(found.notes) if note.startswith("the margin, 0.02, is at least the distance")]
    with pytest.raises(OptionError, match="no gap could exceed it"):
        compare(A, rounded, DATA, margin=200)
    # Systems that are nearly alike can be shown to be equivalent.
    found = compare(A, A + 1e-3 * (B - 0.5), DATA, margin=2)
    assert all(row["p_equivalence"] < 0.05 for row in found.equivalence)
    assert "whose differences lie in [-1, 1]" in report(found)
    assert "the margin, 0.9, is at least the distance" in report(
        compare(0.4 + 0.02 * A, 0.4 + 0.02 * B, DATA, margin=90)
    )


def test_notes_say_whose_scores_they_are_about() -> None:
    apart = compare(0.5 * A, 0.5 * A + 0.1 * (DATA["race"] == "Latino"), DATA)
    _, _, of_both = row_of(apart, "race")["note"].partition("; about the differences between the two systems' scores: ")
    assert "all persons of a group have the same mean score, so" in of_both
    (_, note) = compare(A, 2 * B, DATA, names=("after", "before"), score_range=(0, 2)).notes
    assert str(note).startswith("scores of after: all scores are between 0 and 1")
    after, before = (np.stack([scores(DATA, 2 * k + k0) for k in range(5)]) for k0 in (0, 1))
    after[1] = np.nan
    with pytest.raises(ScoresError, match="runs p1, p3, p4, p5 and runs p1, p2, p3, p4, p5"):
        compare(after, before, DATA, runs=("p1", "p2", "p3", "p4", "p5"))
    # Effects that are equal are not said to be 0.
    women, names = DATA["gender"] == "female", DATA["race"].isin(["Latino", "Anglo"])
    emotions = DATA.assign(emotion=np.where(pd.factorize(DATA["item"])[0] % 2, "anger", "joy"))
    opposite = 0.25 * women * np.where(emotions["emotion"] == "joy", 1, -1)
    cancelling = compare(0.25 + 0.25 * A + opposite, 0.25 + 0.25 * A, emotions)
    assert {each.answer for each in cancelling.findings if each.comparison.id.startswith("gender[")} == {"turns"}
    three = DATA[names].assign(race=[f"r{k % 3}" for k in pd.factorize(DATA[names]["person"])[0]])
    alike = compare(A[names], A[names], three)
    assert {(each.answer, each.gap) for each in alike.findings} == {("none_detected", 0.0)}
