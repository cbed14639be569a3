"""A gap that turns with the emotion is found although the average hides it."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from eec_bias import Result, measure
from eec_bias.result.text import report

EMOTIONS = ("anger", "fear", "joy", "sadness")
ITEMS = [f"t{t:02d}/{emotion}-{w}" for t in range(1, 7) for emotion in EMOTIONS for w in range(6)]


def corpus(races: tuple[str, ...] = ("Black", "white")) -> pd.DataFrame:
    rows = [
        {"person": f"{race}-{gender}-{p}", "race": race, "gender": gender, "item": item, "pair": item,
         "template": item[:3], "emotion": item[4:].split("-")[0], "word": item[4:]}
        for race in races for gender in ("female", "male") for p in range(10) for item in ITEMS
    ]  # fmt: skip
    return pd.DataFrame(rows)


DATA = corpus()
BLACK = (DATA["race"] == "Black").to_numpy()
TURN = DATA["emotion"].map({"joy": 0.09, "anger": -0.09}).fillna(0.0).to_numpy()


def scores(data: pd.DataFrame, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    person = rng.normal(0, 0.03, 1000)[pd.factorize(data["person"])[0]]
    item = rng.normal(0, 0.05, 1000)[pd.factorize(data["item"])[0]]
    return np.clip(0.5 + person + item + rng.normal(0, 0.02, len(data)), 0, 1)


TURNING = measure(scores(DATA) + BLACK * TURN, DATA, margin=5)
QUIET = measure(scores(DATA), DATA, margin=5)


def rows(result: Result, term: str) -> dict[str, dict]:
    return {row["emotion"]: row for row in result.terms if row["term"] == term}


def test_joy_and_anger_are_found_where_the_average_is_quiet() -> None:
    race = next(row for row in TURNING.overall if row["term"] == "race")
    assert race["p_adjusted"] > 0.05
    found = rows(TURNING, "race:emotion")
    assert found["joy"]["p_adjusted"] < 1e-6
    assert found["anger"]["p_adjusted"] < 1e-6
    assert found["any"]["p_adjusted"] == min(found["joy"]["p_adjusted"], found["anger"]["p_adjusted"])
    assert found["joy"]["effect"] == pytest.approx(0.09, abs=0.01)
    assert {emotion for emotion, row in found.items() if row["p_adjusted"] < 0.05} == {"joy", "anger", "any"}


def test_the_finding_is_that_the_gap_turns_with_the_emotion() -> None:
    finding = next(each for each in TURNING.findings if each.comparison.term == "race")
    assert finding.answer == "turns"
    assert {each.emotion: each.gap > 0 for each in finding.found_emotions} == {"joy": True, "anger": False}


def test_the_table_of_emotions_has_their_gaps() -> None:
    assert re.search(r"^race:emotion +joy +\S+ +\S+ +names +\+0\.0", report(TURNING, emotions=True), re.MULTILINE)


def test_it_is_never_equivalent() -> None:
    row = next(row for row in TURNING.equivalence if row["term"] == "race")
    assert row["p_equivalence"] < 0.05 < row["p_worst"]
    assert row["worst_emotion"] in ("joy", "anger")
    assert re.search(rf"^race .* {row['worst_emotion']} +> \.999$", report(TURNING), re.MULTILINE)
    quiet = next(row for row in QUIET.equivalence if row["term"] == "race")
    assert quiet["p_worst"] < 0.05


def test_findings_have_the_gap_on_each_emotion_beside_the_mean() -> None:
    (race,) = [each for each in TURNING.to_dict()["findings"] if each["id"].startswith("race[")]
    joy, row = next(each for each in race["emotions"] if each["emotion"] == "joy"), rows(TURNING, "race:emotion")["joy"]
    assert joy["points"] == 100 * row.in_emotion
    assert joy["points"] == pytest.approx(race["points"] + 100 * row.effect)


def test_intervals_of_emotions_hold_together() -> None:
    joy = rows(TURNING, "race:emotion")["joy"]
    level = 1 - (1 - 0.05) ** (1 / len(EMOTIONS))
    reach = stats.t.ppf(1 - level / 2, joy["df"]) * joy["se"]
    assert (joy["joint_low"], joy["joint_high"]) == pytest.approx((joy["effect"] - reach, joy["effect"] + reach))
    level = 1 - (1 - TURNING.plan.second_alpha) ** (1 / len(EMOTIONS))
    reach = stats.t.ppf(1 - level / 2, joy["df"]) * joy["se"]
    assert joy["mde"] == pytest.approx(reach + stats.t.ppf(0.8, joy["df"]) * joy["se"])


def test_emotions_change_no_row_of_the_terms() -> None:
    averaged = measure(scores(DATA), DATA.drop(columns="emotion"))
    assert {row.term for row in averaged.terms} == {row.term for row in QUIET.overall}
    assert [row.p_adjusted for row in averaged.terms] != [None] * len(averaged.terms)
    assert averaged.plan.main == QUIET.plan.main


def test_flat_scalars_name_emotions() -> None:
    scalars = TURNING.to_dict()
    assert scalars["race:emotion_p"] < 1e-6
    assert scalars["race:emotion[joy]_effect"] == rows(TURNING, "race:emotion")["joy"]["effect"]


def test_two_emotions_mirror_each_other_and_count_as_one_test() -> None:
    two = DATA["emotion"].isin(["joy", "anger"])
    found = rows(measure(scores(DATA)[two], DATA[two]), "race:emotion")
    assert found["anger"]["effect"] == pytest.approx(-found["joy"]["effect"])
    assert found["anger"]["p"] == pytest.approx(found["joy"]["p"])
    assert found["any"]["p"] == found["anger"]["p"]
    assert found["any"]["p_adjusted"] == found["anger"]["p_adjusted"]


def test_an_emotion_with_one_item_is_named_and_left_out() -> None:
    kept = (DATA["emotion"] != "joy") | (DATA["item"] == "t01/joy-0")
    result = measure(scores(DATA)[kept], DATA[kept])
    assert list(rows(result, "race:emotion")) == ["anger", "fear", "sadness", "any"]
    assert any("if the gap is different in joy, because" in str(note) for note in result.notes)


def test_a_difference_of_one_emotion_without_any_spread_is_found() -> None:
    result = measure(0.5 + BLACK * TURN, DATA)
    assert result.findings[0].answer == "turns"
    assert {each.emotion for each in result.findings[0].found_emotions} == {"joy", "anger"}


def test_three_levels_share_one_any_row() -> None:
    data = corpus(("Anglo", "Black", "Latino"))
    result = measure(scores(data), data)
    of_race = [row for row in result.terms if row["term"] == "race:emotion"]
    assert [row["emotion"] for row in of_race].count("any") == 1
    assert len(of_race) == 3 * len(EMOTIONS) + 1


def test_the_full_text_has_a_row_for_each_emotion() -> None:
    text = report(TURNING, emotions=True)
    lines = [line.split()[:2] for line in text.splitlines() if line.startswith("race:emotion ")]
    assert lines == [["race:emotion", emotion] for emotion in (*EMOTIONS, "any")]


def test_the_text_has_no_rows_of_emotions_unless_asked() -> None:
    assert not any(line.startswith("race:emotion") for line in report(TURNING).splitlines())


def test_a_notebook_has_a_row_for_each_emotion() -> None:
    lines = [line for line in TURNING._repr_markdown_().splitlines() if line.startswith("| Black and white names: ")]
    assert ["more positive**" in line or "higher**" in line for line in lines] == [True, True, False, False]
    assert [line.split()[5] for line in lines] == ["joyful", "angry", "fearful", "sad"]


def test_a_printed_result_has_the_emotions_on_which_a_gap_depends() -> None:
    found = [line.split()[2] for line in str(TURNING).splitlines() if line.strip().startswith("GAP FOUND")]
    assert found == ["joyful", "angry"]


def test_how_sure_a_gap_that_turns_is_comes_from_the_emotions() -> None:
    finding = TURNING.findings[0]
    joy = rows(TURNING, "race:emotion")["joy"]
    assert (finding.answer, finding.p_adjusted) == ("turns", rows(TURNING, "race:emotion")["any"]["p_adjusted"])
    assert finding.p_adjusted <= joy["p_adjusted"] < 1e-6
    assert "Very sure" in str(TURNING)


def test_a_printed_result_has_no_emotions_where_no_gap_depends_on_them() -> None:
    assert "joyful" not in str(QUIET)
