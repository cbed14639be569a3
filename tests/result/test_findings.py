"""Findings: one verdict from one table, intervals that agree with it, and what is said of each."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from verdict_cases import DATA, female, scores

from eec_bias import measure
from eec_bias.notes import Note
from eec_bias.result.finding import Evidence, Finding, decide, find, headline, order, simultaneous, tell
from eec_bias.result.plan import Plan, plan_of
from eec_bias.result.telling import say
from eec_bias.result.term import Term

SEEN = {"effect": 0.03, "se": 0.01, "found_from": 0.04}
ABOVE = {**SEEN, "low": 0.01, "high": 0.05}
BELOW = {**SEEN, "effect": -0.03, "low": -0.05, "high": -0.01}
AROUND = {**SEEN, "low": -0.01, "high": 0.07}

CASES = [
    ("nothing is answered", {**ABOVE, "answered": False}, "unanswered"),
    ("nothing is answered, all equal", {"effect": 0.0, "equal_scores": True, "answered": False}, "unanswered"),
    ("nothing is answered, no number", {"answered": False}, "unanswered"),
    ("all scores are equal", {"effect": 0.0, "se": 0.0, "low": 0.0, "high": 0.0, "equal_scores": True}, "no_reaction"),
    ("all equal, a margin", {"effect": 0.0, "equal_scores": True, "margin": 0.05}, "no_reaction"),
    ("all equal, close too", {"effect": 0.0, "equal_scores": True, "close": True, "margin": 0.05}, "no_reaction"),
    ("no number", {}, "not_estimable"),
    ("no number, a margin", {"margin": 0.05}, "not_estimable"),
    ("a number without an interval", {"effect": 0.1, "se": 0.01}, "not_estimable"),
    ("a number without an interval, a margin", {"effect": 0.1, "se": 0.01, "margin": 0.05}, "not_estimable"),
    ("above 0", ABOVE, "difference"),
    ("below 0", BELOW, "difference"),
    ("above 0, a margin that holds it", {**ABOVE, "margin": 0.1, "close": True}, "difference"),
    ("below 0, a margin that does not", {**BELOW, "margin": 0.02}, "difference"),
    ("an emotion differs, the mean does not", {**AROUND, "emotion_found": True}, "differs_by_emotion"),
    ("an emotion differs, the mean too", {**ABOVE, "emotion_found": True}, "differs_by_emotion"),
    ("an emotion differs, close on average", {**AROUND, "emotion_found": True, "close_on_average": True, "margin": 0.1},
     "differs_by_emotion"),
    ("the same throughout", {"effect": 0.2, "se": 0.0, "low": 0.2, "high": 0.2}, "same_throughout"),
    ("the same throughout, below", {"effect": -0.2, "se": 0.0, "low": -0.2, "high": -0.2}, "same_throughout"),
    ("the same throughout, a margin", {"effect": 0.01, "se": 0.0, "low": 0.01, "high": 0.01, "margin": 0.05},
     "same_throughout"),
    ("0 throughout, not all equal", {"effect": 0.0, "se": 0.0, "low": 0.0, "high": 0.0, "found_from": 0.0},
     "not_found"),
    ("around 0, no margin", AROUND, "not_found"),
    ("around 0, no margin, little could be found", {**AROUND, "found_from": 0.9}, "not_found"),
    ("touching 0 from above", {**SEEN, "low": 0.0, "high": 0.06}, "not_found"),
    ("touching 0 from below", {**SEEN, "low": -0.06, "high": 0.0}, "not_found"),
    ("within the margin on every emotion", {**AROUND, "margin": 0.1, "close": True}, "close"),
    ("within the margin, also on average", {**AROUND, "margin": 0.1, "close": True, "close_on_average": True}, "close"),
    ("within the margin on average", {**AROUND, "margin": 0.1, "close_on_average": True}, "close_on_average"),
    ("the margin would have been found", {**AROUND, "margin": 0.05}, "not_found"),
    ("just the margin would have been found", {**AROUND, "margin": 0.04}, "not_found"),
    ("the margin would not have been found", {**AROUND, "margin": 0.03}, "cannot_tell"),
    ("what would have been found is not known", {**AROUND, "margin": 0.03, "found_from": None}, "cannot_tell"),
    ("close without a margin is not said", {**AROUND, "close": True}, "not_found"),
]  # fmt: skip


@pytest.mark.parametrize(("evidence", "verdict"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_verdict_is_the_first_in_order_that_holds(evidence, verdict) -> None:
    assert decide(Evidence(**evidence)) == verdict


def test_intervals_of_all_questions_hold_together() -> None:
    row = Term(term="race", axes="race", level="a", reference="b", subset="names", effect=0.1, se=0.02, df=9.0, p=0.01)
    low, high, found_from = simultaneous(row, 0.05 / 7)
    reach = stats.t.ppf(1 - 0.05 / 14, 9)
    assert (low, high) == pytest.approx((0.1 - reach * 0.02, 0.1 + reach * 0.02))
    assert found_from == pytest.approx(0.02 * (reach + stats.t.ppf(0.8, 9)))


def test_a_finding_is_a_difference_where_its_p_is_below_one_minus_the_confidence() -> None:
    for seed in range(20):
        for confidence in (0.8, 0.95):
            for finding in measure(scores(DATA, seed), DATA, confidence=confidence, simple=True).findings:
                assert (finding.verdict == "difference") is (finding.p is not None and finding.p < 1 - confidence)


def test_the_plan_follows_from_the_design_and_not_from_the_scores() -> None:
    plans = {plan_of(measure(scores(DATA, seed), DATA, simple=True)) for seed in range(3)}
    plans.add(plan_of(measure(np.full(len(DATA), 0.5), DATA, simple=True)))
    (plan,) = plans
    assert [question.term for question in plan.questions if question.subset == "names"] == [
        "race", "gender", "race:gender", "race|gender=female", "race|gender=male", "gender|race=Anglo",
        "gender|race=Black",
    ]  # fmt: skip
    assert plan.alpha_each == pytest.approx(0.05 / len(plan.questions))


def test_a_plan_of_more_questions_widens_the_intervals() -> None:
    result = measure(scores(DATA), DATA)
    own, plan = find(result), plan_of(result)
    wide = find(result, plan=Plan(plan.questions * 3, plan.confidence))
    by_question = {finding.question: finding for finding in wide}
    assert all(by_question[each.question].low < each.low for each in own if each.low is not None)


def test_a_system_that_adds_to_one_group_scores_it_higher() -> None:
    (first, *_) = measure(female(DATA), DATA).findings
    assert (first.question.term, first.higher, first.lower) == ("gender", "female", "male")
    assert first.found


def test_equal_scores_are_no_reaction_in_every_question_but_interactions() -> None:
    findings = measure(np.full(len(DATA), 0.5), DATA).findings
    verdicts = {finding.question.is_interaction: finding.verdict for finding in findings}
    assert verdicts == {False: "no_reaction", True: "not_found"}


def test_a_silent_system_gets_no_verdict() -> None:
    result = measure({"a": scores(DATA), "b": female(DATA)}, DATA)
    verdicts = {finding.system: finding.verdict for finding in find(result, unanswered=["b"])}
    assert verdicts["b"] == "unanswered"
    assert verdicts["a"] != "unanswered"


def test_a_margin_decides_between_close_not_found_and_cannot_tell() -> None:
    quiet = 0.5 + 0.01 * (scores(DATA) - 0.5)
    assert {finding.verdict for finding in measure(quiet, DATA, margin=0.2).findings} <= {"close", "difference"}
    strict = measure(scores(DATA), DATA, margin=1e-4).findings
    assert {finding.verdict for finding in strict} <= {"cannot_tell", "difference"}


def made(gap: float, se: float = 0.01, **changed: object) -> Finding:
    """A finding like one of a measurement, with another difference."""
    (first, *_) = measure(scores(DATA), DATA).findings
    row = replace(first.row, effect=gap, se=se, ci_low=gap - 2 * se, ci_high=gap + 2 * se)
    low, high, found_from = simultaneous(row, 0.01)
    kind = decide(Evidence(effect=gap, se=se, low=low, high=high, found_from=found_from))
    finding = replace(first, row=row, gap=gap, low=low, high=high, found_from=found_from, verdict=kind)
    return replace(finding, **changed)


def test_findings_are_ordered_by_distance_from_0_relative_to_what_could_be_found() -> None:
    noisy, clear, none = made(0.2, 0.09), made(0.1, 0.01), made(0.001, 0.01)
    assert [finding.gap for finding in order([none, noisy, clear])] == [0.1, 0.2, 0.001]


def test_a_difference_that_misses_0_before_adjustment_is_always_said() -> None:
    mentioned = made(0.025, 0.01)
    assert (mentioned.found, mentioned.must_be_mentioned) == (False, True)
    told = tell([made(0.001), mentioned, made(0.002), made(0.003), made(0.1)], most=1)
    assert [finding.gap for finding in told.said] == [0.1, 0.025]
    assert len(told.counted) == 3


def test_a_page_starts_with_the_largest_difference_else_with_what_cannot_be_told() -> None:
    small, large, unknown = made(0.08), made(-0.1), made(0.02, verdict="cannot_tell")
    assert headline([unknown, small, large]) is large
    assert headline([made(0.001), unknown]) is unknown
    assert headline([]) is None


@pytest.mark.parametrize(
    ("finding", "sentence"),
    [
        (made(0.081, low=0.02, high=0.147),
         "scores are about 8.1 points of 100 higher for {level} than for {reference} (names); the difference lies "
         "between 2 and 15 points"),
        (made(-0.3, low=-0.35, high=-0.25, verdict="difference"),
         "scores are about 30 points of 100 higher for {reference} than for {level} (names); the difference lies "
         "between 25 and 35 points"),
        (made(0.001, verdict="not_found", found_from=0.0401),
         "no difference found between {level} and {reference} (names); one of 4.1 points of 100 or more would have "
         "been"),
        (made(0.02, verdict="cannot_tell", found_from=0.14),
         "scores were 2 points of 100 higher for {level} than for {reference} (names), which cannot be told from "
         "chance; only a difference of 14 points or more would have been found"),
        (made(0.0, verdict="no_reaction"),
         "the same score whether {level} or {reference} is mentioned (names), which says nothing of other text"),
    ],
)  # fmt: skip
def test_the_sentence_of_a_finding_names_who_scores_higher(finding: Finding, sentence: str) -> None:
    simple = replace(finding, question=replace(finding.question, axes="race", term="race"))
    groups = {"level": simple.question.level, "reference": simple.question.reference}
    assert str(say(simple)) == sentence.format(**groups)


def test_every_verdict_has_a_sentence() -> None:
    for _, _, verdict in CASES:
        note = say(made(0.05, verdict=verdict), margin=0.05)
        assert isinstance(note, Note)
        assert "{" not in str(note)
