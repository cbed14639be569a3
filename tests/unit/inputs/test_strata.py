"""Terms by the values of a column."""

import numpy as np
import pytest
from synthetic import assert_rows, corpus, scores

from eec_bias import measure
from eec_bias.result.text import report

DATA = corpus().assign(emotion=lambda d: np.where(d["item"].str.endswith("angry"), "anger", "joy"))
Y = scores(DATA)


@pytest.mark.parametrize("by", ["emotion", "item"])
def test_each_stratum_has_the_terms_of_its_rows_alone(by: str) -> None:
    result = measure(Y, DATA, by=by)
    assert list(result.to_frame().columns[:2]) == ["stratum", "term"]
    for value in DATA[by].unique():
        kept = DATA[by] == value
        part = [row for row in result.overall if row["stratum"] == value]
        alone = measure(Y[kept], DATA[kept]).overall
        assert_rows(part, alone, without=("stratum", "p_adjusted", "mde"))
    assert f"|by:{by}|" in result.signature
    # The questions of the plan are those of all strata.
    asked = [row for row in result.overall if row["p_adjusted"] is not None]
    assert len(asked) <= len(result.plan.main)
    smallest = min(asked, key=lambda row: row["p"])
    assert smallest["p_adjusted"] == pytest.approx(min(2 * len(result.plan.main) * smallest["p"], 1))


def test_references_hold_in_every_stratum() -> None:
    terms = measure(Y, DATA, by="emotion", reference={"race": "Latino"}).overall
    found = {(row["stratum"], row["reference"]) for row in terms if row["term"] == "race"}
    assert found == {("anger", "Latino"), ("joy", "Latino")}


def test_strata_are_told_apart_in_the_text_and_in_flat_scalars() -> None:
    anger, joy = report(measure(Y, DATA, by="emotion", margin=0.5)).split("\n\nstratum joy\n")
    assert anger.startswith("stratum anger\n")
    assert anger.count("Variance within groups (names)") == joy.count("Variance within groups (names)") == 1
    result = measure(Y, DATA, by="emotion")
    content = result.to_dict()
    joyful = next(row for row in result.overall if (row["stratum"], row["term"]) == ("joy", "race"))
    assert content["joy/race_effect"] == joyful["effect"]
    assert "race_effect" not in content


def test_a_stratum_without_anything_to_compare_is_left_out() -> None:
    odd = DATA.assign(part=np.where(DATA["person"] == "anglo-male-0", "one", "rest"))
    assert {row["stratum"] for row in measure(Y, odd, by="part").overall} == {"rest"}


def test_an_axis_that_makes_the_strata_is_no_axis() -> None:
    result = measure(Y, DATA, by="gender")
    assert result.axes == ("race",)
    assert {(row["stratum"], row["term"]) for row in result.overall} == {("female", "race"), ("male", "race")}


def test_the_columns_that_give_the_groups_are_named_with_strata_too() -> None:
    of_age = DATA.assign(age=np.where(DATA["person"].str.endswith(("0", "2")), "old", "young"))
    for by in (None, "emotion"):
        (note,) = [str(note) for note in measure(Y, of_age, by=by).notes if note.key == "axes_taken"]
        assert "race, gender, age" in note


def test_strata_systems_and_outputs_go_together() -> None:
    labels = np.where(Y > 0.5, "yes", "no")
    result = measure({"a": labels, "b": labels}, DATA, by="emotion", outputs="class")
    assert list(result.overall[0])[:3] == ["system", "stratum", "output"]
    assert {row["stratum"] for row in result.flips} == {"anger", "joy"}
    assert len(result.overall) == 2 * 2 * 2 * 8
