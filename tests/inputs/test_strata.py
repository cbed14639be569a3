"""Terms by the values of a column."""

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, scores

from eec_bias import measure


@pytest.fixture
def data() -> pd.DataFrame:
    frame = corpus()
    return frame.assign(emotion=np.where(frame["item"].str.endswith("angry"), "anger", "joy"))


def test_each_stratum_has_the_terms_of_its_rows_alone(data) -> None:
    y = scores(data)
    result = measure(y, data, by="emotion")
    assert list(result.to_frame().columns[:2]) == ["stratum", "term"]
    for emotion in ("anger", "joy"):
        kept = data["emotion"] == emotion
        alone = measure(y[kept], data[kept], adjust="none").terms
        part = [row for row in result.terms if row["stratum"] == emotion]
        for a, b in zip(part, alone, strict=True):
            assert {k: v for k, v in a.items() if k not in ("stratum", "p_adjusted")} == {
                k: v for k, v in b.items() if k != "p_adjusted"
            }
    assert str(result.signature).endswith("|by:emotion")


def test_a_single_item_is_measured_over_persons_alone(data) -> None:
    y = scores(data)
    result = measure(y, data, by="item")
    item = data["item"].iloc[0]
    kept = data["item"] == item
    alone = measure(y[kept], data[kept], adjust="none").terms
    found = [row for row in result.terms if row["stratum"] == item]
    assert [(row["term"], row["effect"], row["p"]) for row in found] == [
        (row["term"], row["effect"], row["p"]) for row in alone
    ]
    assert len([note for note in result.notes if "one item" in note]) == 1


def test_the_family_of_p_values_spans_the_strata(data) -> None:
    result = measure(scores(data), data, by="emotion")
    names = [row for row in result.terms if row["subset"] == "names"]
    smallest = min(names, key=lambda row: row["p"])
    assert len(names) == 6
    assert smallest["p_adjusted"] == pytest.approx(6 * smallest["p"])


def test_maxt_allows_for_every_stratum_that_was_looked_at(data) -> None:
    whole = measure(scores(data), data, by="emotion", adjust="maxt", permutations=199)
    anger = data["emotion"] == "anger"
    alone = measure(scores(data)[anger], data[anger], axes=("race", "gender"), adjust="maxt", permutations=199)
    for row, own in zip((row for row in whole.terms if row["stratum"] == "anger"), alone.terms, strict=True):
        assert row["p"] == own["p"]
        assert row["p_adjusted"] == pytest.approx(min(2 * own["p_adjusted"], 1))


def test_strata_are_told_apart_in_the_report_and_in_flat_scalars(data) -> None:
    result = measure(scores(data), data, by="emotion")
    assert "System: stratum anger" in str(result)
    content = result.to_dict()
    assert content["joy/race_effect"] == next(
        row["effect"] for row in result.terms if (row["stratum"], row["term"]) == ("joy", "race")
    )
    assert "race_effect" not in content


def test_an_axis_as_strata_is_not_an_axis(data) -> None:
    result = measure(scores(data), data, by="gender")
    assert result.axes == ("race",)
    assert {(row["stratum"], row["term"]) for row in result.terms} == {("female", "race"), ("male", "race")}


def test_a_stratum_without_anything_to_compare_is_named(data) -> None:
    odd = data.assign(part=np.where(data["person"] == "anglo-male-0", "one", "rest"))
    result = measure(scores(odd), odd, by="part")
    assert {row["stratum"] for row in result.terms} == {"rest"}
    assert result.notes == (
        "part one is left out: axis 'race' has one marked level (Anglo); a comparison needs two: leave the axis out, "
        "or add a level",
        "part rest: names: fewer than 5 persons with race=Anglo, gender=male (4): p-values and intervals are rough",
    )


def test_strata_systems_and_outputs_go_together(data) -> None:
    labels = np.where(scores(data) > 0.5, "yes", "no")
    result = measure({"a": labels, "b": labels}, data, by="emotion", outputs="class")
    assert list(result.terms[0])[:3] == ["system", "stratum", "output"]
    assert {row["stratum"] for row in result.flips} == {"anger", "joy"}
    assert len(result.terms) == 2 * 2 * 2 * 4


def test_what_stands_beside_the_terms_is_told_apart_too(data) -> None:
    text = str(measure(scores(data), data, by="emotion", margin=0.5))
    anger, joy = text.split("System: stratum joy")
    assert anger.count("Variance within groups (names)") == joy.count("Variance within groups (names)") == 1
