"""Adjusted differences against values worked by hand, and against a known graph in simulated data."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from confounding import by_names, confounded

from eec_bias import DesignError, LabelsError, OptionError, ScoresError
from eec_bias.methods import deconfound, discretised
from eec_bias.methods.rating import Deconfounded

SMALL = pd.DataFrame(
    {
        "gender": ["female"] * 5 + ["male"] * 5,
        "word": ["happy", "happy", "happy", "grim", "grim", "happy", "happy", "grim", "grim", "grim"],
        "score": [0.9, 0.8, 1.0, 0.3, 0.5, 0.7, 0.9, 0.1, 0.2, 0.3],
    }
)
"""Women stand with happy in three of five rows, men in two."""


def small(**options: Any) -> Deconfounded:
    return deconfound(SMALL["score"], SMALL, **{"group": "gender", "given": "word"} | options)


def test_an_adjusted_mean_is_weighted_by_the_words_of_all_rows() -> None:
    women, men = small().means
    # Five of ten rows are happy: .5 · .9 + .5 · .4 and .5 · .8 + .5 · .2.
    assert (women.adjusted, men.adjusted) == pytest.approx((0.65, 0.5))
    assert (women.observed, men.observed) == pytest.approx((0.7, 0.44))


def test_a_difference_is_that_of_the_adjusted_means() -> None:
    (found,) = small().differences
    assert (found.level, found.reference) == ("female", "male")
    assert found.adjusted == pytest.approx(0.15)
    assert found.unadjusted == pytest.approx(0.26)


def test_the_impact_of_adjusting_is_the_papers_percentage() -> None:
    women, _ = small().means
    assert women.die == pytest.approx(100 * 0.05 / 0.7)


def test_without_association_nothing_changes() -> None:
    rows = pd.DataFrame({"gender": ["female", "male"] * 20, "word": np.repeat(["a", "b"], 20)})
    found = deconfound(np.random.default_rng(0).random(40), rows, group="gender", given="word").differences[0]
    assert found.adjusted == pytest.approx(found.unadjusted)


def test_several_confounders_are_adjusted_for_together() -> None:
    both = SMALL.assign(topic="home")
    assert small().differences[0].adjusted == pytest.approx(
        deconfound(both["score"], both, group="gender", given=("word", "topic")).differences[0].adjusted
    )


def test_the_overlap_is_counted() -> None:
    found = small().overlap
    assert [(cell.values["word"], cell.share, cell.rows) for cell in found] == [
        ("grim", 0.5, {"female": 2, "male": 3}),
        ("happy", 0.5, {"female": 3, "male": 2}),
    ]


def test_intervals_are_too_short_where_rows_pass_for_draws() -> None:
    scores, labels = by_names(np.random.default_rng(3), 4)
    widths = {}
    for unit in ("person", "rows"):
        found = deconfound(scores, labels, group="gender", given="word", unit=unit).differences[0]
        widths[unit] = found.ci_high - found.ci_low
    assert widths["person"] > 1.5 * widths["rows"]


def test_a_lower_confidence_gives_a_shorter_interval() -> None:
    scores, labels = confounded(np.random.default_rng(4))
    wide, narrow = (
        deconfound(scores, labels, group="gender", given="word", confidence=level).differences[0]
        for level in (0.95, 0.5)
    )
    assert wide.ci_low < narrow.ci_low < narrow.ci_high < wide.ci_high


def test_a_group_that_lacks_a_word_is_refused_by_name() -> None:
    rows = SMALL[(SMALL["gender"] == "female") | (SMALL["word"] == "grim")]
    with pytest.raises(DesignError, match=r"no row of male has word 'happy' \(3 rows of others do\)"):
        deconfound(rows["score"], rows, group="gender", given="word")


def test_rows_without_a_counterpart_are_left_out_when_asked_for() -> None:
    rows = SMALL[(SMALL["gender"] == "female") | (SMALL["word"] == "grim")].reset_index(drop=True)
    found = deconfound(rows["score"], rows, group="gender", given="word", overlap="shared")
    assert (found.rows, found.left_out) == (5, 3)
    assert found.differences[0].adjusted == pytest.approx(0.4 - 0.2)
    assert any("3 of 8 rows have a value of word that not all groups have" in note for note in found.notes)


def test_groups_that_share_no_word_cannot_be_compared() -> None:
    rows = SMALL.assign(word=SMALL["gender"])
    with pytest.raises(DesignError, match="the groups share no value of word"):
        deconfound(rows["score"], rows, group="gender", given="word", overlap="shared")


def test_a_single_group_is_refused() -> None:
    rows = SMALL[SMALL["gender"] == "male"]
    with pytest.raises(DesignError, match="has one group, male; a comparison needs two"):
        deconfound(rows["score"], rows, group="gender", given="word")


def test_a_group_of_one_person_is_refused() -> None:
    rows = SMALL.assign(person=["a"] * 5 + ["b", "c", "b", "c", "c"])
    with pytest.raises(DesignError, match=r"the group female has a single unit \(one of person\)"):
        deconfound(rows["score"], rows, group="gender", given="word")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"group": ""}, "group is ''"),
        ({"given": ()}, "given is ()"),
        ({"given": "gender"}, "not adjusted for itself"),
        ({"overlap": "some"}, "overlap is 'some'"),
        ({"confidence": 95}, "confidence is 95"),
        ({"confidence": True}, "confidence is True"),
        ({"reference": "neutral"}, "reference is 'neutral'; the column 'gender' has female, male"),
    ],
)
def test_an_option_that_cannot_be_is_refused_with_its_value(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError) as error:
        small(**options)
    assert told in str(error.value)


def test_a_column_that_is_missing_is_named() -> None:
    with pytest.raises(LabelsError, match="column 'topic' is missing; the data have gender, word, score"):
        small(given="topic")


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ([0.5] * 9, "9,) for 10 rows"),
        ([0.5] * 9 + [float("nan")], "the score of row 9 is nan"),
        (["high"] * 10, "not all numbers"),
    ],
)
def test_a_score_that_cannot_be_used_is_refused(scores: list[Any], told: str) -> None:
    with pytest.raises(ScoresError) as error:
        deconfound(scores, SMALL, group="gender", given="word")
    assert told in str(error.value)


def test_scores_without_spread_have_no_interval() -> None:
    found = deconfound(np.where(SMALL["gender"] == "female", 1.0, 0.0), SMALL, group="gender", given="word")
    (row,) = found.differences
    assert (row.adjusted, row.ci_low, row.p) == (1.0, None, None)


def test_thin_overlap_is_said() -> None:
    rows = pd.DataFrame({"gender": ["female"] * 100 + ["male"] * 100, "word": ["a"] * 98 + ["b"] * 4 + ["a"] * 98})
    rows.loc[102:, "word"] = "b"
    rows.loc[100:101, "word"] = "a"
    found = deconfound(np.random.default_rng(0).random(200), rows, group="gender", given="word")
    assert any("the 100 rows of female count as" in note for note in found.notes)


def test_a_result_prints_what_it_found() -> None:
    text = str(small())
    assert text.startswith("gender, adjusted for word (10 rows, sampled: rows)\n")
    assert "+0.2600" in text
    assert "Note: adjusted for word and nothing else" in text


def test_a_frame_has_a_row_per_difference() -> None:
    frame = small().to_frame()
    assert list(frame["level"]) == ["female"]
    assert list(frame.columns[:4]) == ["level", "reference", "unadjusted", "unadjusted_low"]


def test_discretised_scores_say_on_which_side_of_the_middle_they_lie() -> None:
    assert discretised([-1, -0.2, 0, 0.3], (-1, 1)).tolist() == [-1, -1, 0, 1]
    assert discretised([0.2, 0.5, 0.51]).tolist() == [-1, 0, 1]


def test_a_missing_score_has_no_discrete_form() -> None:
    assert np.isnan(discretised([float("nan"), 1.0])).tolist() == [True, False]
