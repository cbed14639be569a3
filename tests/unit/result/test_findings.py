"""Findings: one answer from one table, ranges that agree with it, and adjusted p that agree with both."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from verdict_cases import CASES as RESULTS
from verdict_cases import DATA, corpus, female, scores

from eec_bias import Result, compare, measure
from eec_bias.result.finding import ANSWERS, EmotionGap, Evidence, decide, find, range_of
from eec_bias.result.term import Term

ROW = Term(term="race", axes="race", level="a", reference="b", subset="names", effect=0.1, se=0.02, df=9.0, p=0.01)
JOY, ANGER = (replace(ROW, term="race:emotion", emotion=emotion) for emotion in ("joy", "anger"))
SEEN = {"effect": 0.03, "se": 0.01, "limit": 0.1}
ABOVE = {**SEEN, "low": 0.01, "high": 0.05}
BELOW = {**SEEN, "effect": -0.03, "low": -0.05, "high": -0.01}
AROUND = {**SEEN, "low": -0.01, "high": 0.07}
STILL = {"se": 0.0, "limit": 0.1}


def on_emotions(joy: tuple[float, float], anger: tuple[float, float]) -> tuple[EmotionGap, ...]:
    return EmotionGap(JOY, sum(joy) / 2, *joy), EmotionGap(ANGER, sum(anger) / 2, *anger)


OPPOSITE = on_emotions((0.02, 0.06), (-0.06, -0.02))
IN_JOY = on_emotions((0.02, 0.06), (-0.03, 0.03))

CASES = [
    ("nothing is answered", {**ABOVE, "answered": False}, "unanswered"),
    ("nothing is answered, no number", {"answered": False}, "unanswered"),
    ("all scores are equal", {**STILL, "effect": 0.0, "low": 0.0, "high": 0.0, "equal_scores": True}, "no_reaction"),
    ("all equal, close too", {"effect": 0.0, "equal_scores": True, "close": True}, "no_reaction"),
    ("no number", {}, "not_estimable"),
    ("a number without a range", {"effect": 0.1, "se": 0.01}, "not_estimable"),
    ("above 0", ABOVE, "gap_found"),
    ("below 0", BELOW, "gap_found"),
    ("above 0, within a margin", {**ABOVE, "close": True}, "gap_found"),
    ("two emotions in opposite directions", {**AROUND, "emotions": OPPOSITE, "emotions_differ": True}, "turns"),
    ("the same, and the mean is found", {**ABOVE, "emotions": OPPOSITE, "emotions_differ": True}, "turns"),
    ("opposite directions that are not found to differ", {**AROUND, "emotions": OPPOSITE}, "none_detected"),
    ("a gap in one emotion", {**AROUND, "emotions": IN_JOY, "emotions_differ": True}, "gap_found"),
    ("the same throughout", {**STILL, "effect": 0.2, "low": 0.2, "high": 0.2}, "gap_found"),
    ("0 throughout, not all equal", {**STILL, "effect": 0.0, "low": 0.0, "high": 0.0}, "none_detected"),
    ("around 0, within the limit", AROUND, "none_detected"),
    ("touching 0 from above", {**SEEN, "low": 0.0, "high": 0.06}, "none_detected"),
    ("around 0, beyond the limit", {**AROUND, "high": 0.11}, "inconclusive"),
    ("below the limit on average, beyond it in joy", {**AROUND, "emotions": on_emotions((-0.02, 0.2), (-0.1, 0.1))},
     "inconclusive"),
    ("around 0, no limit known", {**AROUND, "limit": None, "high": 5.0}, "none_detected"),
    ("one word for a group", {**ABOVE, "described": True}, "described"),
    ("shown to be within the margin on every emotion", {**AROUND, "close": True}, "close"),
]  # fmt: skip


@pytest.mark.parametrize(("evidence", "answer"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_answer_is_the_first_in_order_that_holds(evidence, answer) -> None:
    assert decide(Evidence(**evidence)) == answer


def test_every_answer_of_the_table_has_a_case() -> None:
    assert {answer for answer, _ in ANSWERS} == {answer for *_, answer in CASES}


def test_the_range_and_the_smallest_gap_are_at_the_level_of_the_question() -> None:
    low, high, found_from = range_of(ROW, 0.05 / 16)
    reach = stats.t.ppf(1 - 0.05 / 32, 9)
    assert (low, high) == pytest.approx((0.1 - reach * 0.02, 0.1 + reach * 0.02))
    assert found_from == pytest.approx(0.02 * (reach + stats.t.ppf(0.8, 9)))
    assert range_of(replace(ROW, df=7.0), 0.05)[2] is None


def test_p_range_and_answer_always_agree() -> None:
    for seed in range(20):
        for confidence in (0.8, 0.95):
            for finding in measure(scores(DATA, seed), DATA, confidence=confidence).gaps:
                below = finding.p_adjusted is not None and finding.p_adjusted < 1 - confidence
                assert below is (finding.low > 0 or finding.high < 0)
                assert finding.on_average is below or finding.answer == "turns"


def test_a_list_of_two_by_two_groups_with_pairs_has_eight_main_questions() -> None:
    plans = {measure(scores(DATA, seed), DATA).plan for seed in range(3)}
    plans.add(measure(np.full(len(DATA), 0.5), DATA).plan)
    (plan,) = plans
    assert [question.id for question in plan.main] == [
        "race[Black-Anglo].names", "gender[female-male].names", "race:gender[Black:female-Anglo:male].names",
        "race|gender=female[Black-Anglo].names", "race|gender=male[Black-Anglo].names",
        "gender|race=Anglo[female-male].names", "gender|race=Black[female-male].names", "gender[female-male].pairs",
    ]  # fmt: skip
    assert [question.id for question in plan.second] == [
        "race:emotion[Black-Anglo].names.any", "gender:emotion[female-male].names.any",
        "race:reaction[Black-Anglo].names", "gender:reaction[female-male].names",
        "gender:emotion[female-male].pairs.any", "gender:reaction[female-male].pairs",
    ]  # fmt: skip
    assert (plan.main_alpha, plan.second_alpha) == pytest.approx((0.05 / 16, 0.05 / 12))


def test_of_more_than_two_groups_each_is_asked_for_on_average_and_within_each_gender() -> None:
    data = corpus(("Anglo", "Arab", "Black"), pairs=False)
    plan = measure(scores(data), data, reference=None).plan
    terms = [question.term for question in plan.main]
    assert sorted(set(terms)) == ["gender", "race", "race|gender=female", "race|gender=male"]
    assert [terms.count(term) for term in ("race", "race|gender=female", "race|gender=male")] == [3, 3, 3]
    assert [question.level for question in plan.second if question.axes == "race"] == ["any", "any"]


def test_adjusted_p_is_twice_the_number_of_questions_of_the_family_times_p() -> None:
    result = measure(scores(DATA, 3), DATA)
    asked = {question: 2 * len(result.plan.main) for question in result.plan.main}
    for row in result.overall:
        expected = min(1, asked[row.comparison] * row.p) if row.comparison in asked else None
        assert row.p_adjusted == (expected if expected is None else pytest.approx(expected, rel=1e-12))
    second = {question.term for question in result.plan.second}
    for row in result.by_emotion:
        if row.term not in second:
            assert row.p_adjusted is None
        elif row.emotion == "any":
            assert row.p_adjusted == pytest.approx(min(1, 2 * len(result.plan.second) * row.p), rel=1e-12)


def test_a_gap_that_changes_its_direction_with_the_emotion_turns() -> None:
    sign = np.where(DATA["emotion"] == "joy", 1, -1)
    result = measure(scores(DATA) + 0.1 * sign * female(DATA), DATA, score_range=(-1, 2))
    answers = {finding.comparison.id: finding for finding in result.gaps}
    finding = answers["gender[female-male].names"]
    assert finding.answer == "turns"
    assert [each.emotion for each in finding.emotions if each.low > 0] == ["joy"]
    assert [each.emotion for each in finding.emotions if each.high < 0] == ["anger"]


def test_a_gap_in_one_emotion_alone_is_found_in_that_emotion() -> None:
    joyful = (DATA["emotion"] == "joy").to_numpy()
    result = measure(scores(DATA) + 0.08 * joyful * female(DATA), DATA, score_range=(-1, 2))
    (finding,) = [each for each in result.gaps if each.comparison.id == "gender[female-male].names"]
    assert (finding.answer, finding.emotions_differ) == ("gap_found", True)
    assert [each.emotion for each in finding.found_emotions] == ["joy"]


def test_a_range_that_holds_zero_and_reaches_beyond_ten_points_is_inconclusive() -> None:
    data = DATA[DATA["race"] != "unmarked"].reset_index(drop=True)
    wide = measure(scores(data, spread=0.3), data, score_range=(-1, 2), axes=("gender",)).gaps
    narrow = measure(scores(data, spread=0.01), data, score_range=(-1, 2), axes=("gender",)).gaps
    assert {finding.answer for finding in wide} == {"inconclusive"}
    assert {finding.answer for finding in narrow} == {"none_detected"}


def test_without_a_declared_range_the_limit_is_half_the_distance_of_the_emotions() -> None:
    joyful = (DATA["emotion"] == "joy").to_numpy()
    told = {}
    for distance in (0.05, 5.0):
        y = scores(DATA, spread=0.05) + distance * joyful
        told[distance] = {each.answer for each in measure(y, DATA, score_range=None, axes=("gender",)).gaps}
    assert told == {0.05: {"inconclusive"}, 5.0: {"none_detected"}}


def test_a_found_gap_within_the_margin_says_so() -> None:
    y = scores(DATA, spread=0.002) + 0.01 * female(DATA)
    findings = measure(y, DATA, margin=5).gaps
    by_id = {finding.comparison.id: finding for finding in findings}
    assert (by_id["gender[female-male].names"].answer, by_id["gender[female-male].names"].within_margin) == (
        "gap_found", True,
    )  # fmt: skip
    assert by_id["race[Black-Anglo].names"].answer == "close"


def test_points_of_a_comparison_are_those_of_one_system() -> None:
    before, after = scores(DATA, 1) + 0.12 * female(DATA), scores(DATA, 2)
    result = compare(after, before, DATA, names=("after", "before"), score_range=(-1, 2))
    (finding,) = [each for each in result.gaps if each.comparison.id == "gender[female-male].names"]
    assert finding.width == 3
    assert finding.points == pytest.approx(100 * finding.gap / 3)


def test_a_system_that_answers_nothing_is_unanswered_whatever_its_numbers_are() -> None:
    result = measure({"mute": scores(DATA), "loud": scores(DATA, 1)}, DATA)
    answers = {finding.system: finding.answer for finding in find(result, unanswered=["mute"])}
    assert answers["mute"] == "unanswered"
    assert answers["loud"] != "unanswered"


@pytest.mark.parametrize("case", RESULTS, ids=lambda case: case.name)
def test_a_result_read_back_gives_the_same_findings(case) -> None:
    again = Result.from_dict(json.loads(json.dumps(case.result.to_dict())))
    assert again.plan == case.result.plan
    assert [each.to_dict() for each in again.gaps] == [each.to_dict() for each in case.result.gaps]
