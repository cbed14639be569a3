"""Findings: one verdict from one table, intervals that agree with it, and what is said of each."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from verdict_cases import CASES as RESULTS
from verdict_cases import DATA, female, scores

from eec_bias import Result, measure
from eec_bias.notes import Note
from eec_bias.result.brief import brief
from eec_bias.result.finding import Evidence, Finding, decide, find, headline, order, simultaneous, tell
from eec_bias.result.plan import Plan, questions_of
from eec_bias.result.telling import name, opening, points_of, say, sure, up_to
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


def test_p_below_one_minus_the_confidence_is_a_difference() -> None:
    for seed in range(20):
        for confidence in (0.8, 0.95):
            for finding in measure(scores(DATA, seed), DATA, confidence=confidence, simple=True).findings:
                assert (finding.verdict == "difference") is (finding.p is not None and finding.p < 1 - confidence)


def test_the_plan_follows_from_the_design_and_not_from_the_scores() -> None:
    plans = {measure(scores(DATA, seed), DATA, simple=True).plan for seed in range(3)}
    plans.add(measure(np.full(len(DATA), 0.5), DATA, simple=True).plan)
    (plan,) = plans
    assert [question.term for question in plan.questions if question.subset == "names"] == [
        "race", "gender", "race:gender", "race|gender=female", "race|gender=male", "gender|race=Anglo",
        "gender|race=Black",
    ]  # fmt: skip
    assert plan.alpha_each == pytest.approx(0.05 / len(plan.questions))


@pytest.mark.parametrize("case", RESULTS, ids=lambda case: case.name)
def test_the_plan_asks_what_rows_answer_and_nothing_else(case) -> None:
    plan = case.result.plan
    assert (plan is None) == (case.result.method in ("kiritchenko2018", "camara2022"))
    if plan is not None:
        assert plan.questions == questions_of(case.result.overall)


@pytest.mark.parametrize("case", RESULTS, ids=lambda case: case.name)
def test_a_result_read_back_gives_the_same_findings(case) -> None:
    again = Result.from_dict(json.loads(json.dumps(case.result.to_dict())))
    assert again.plan == case.result.plan
    assert [(each.comparison.id, each.verdict, each.gap, each.low, each.high, each.p) for each in again.findings] == [
        (each.comparison.id, each.verdict, each.gap, each.low, each.high, each.p) for each in case.result.findings
    ]


def test_a_difference_on_which_variants_disagree_is_not_found() -> None:
    """An interval over several variants of a system is wider than the test of the whole."""
    result = measure(scores(DATA, female=0.1), DATA)
    row = next(row for row in result.overall if (row.term, row.subset) == ("gender", "names"))
    over_all = replace(row, ci_low=-0.01, p=1.0, p_adjusted=1.0)
    changed = replace(result, terms=tuple(over_all if each is row else each for each in result.terms))
    before, after = (
        next(each for each in found.findings if each.comparison.id == "gender[female-male].names")
        for found in (result, changed)
    )
    assert (before.verdict, after.verdict, after.p) == ("difference", "not_found", 1)
    assert after.low < 0 < after.high


def test_a_question_has_the_same_name_in_every_measurement() -> None:
    assert [question.id for question in measure(scores(DATA), DATA, simple=True).plan.questions] == [
        "race[Black-Anglo].names", "gender[female-male].names", "race:gender[Black:female-Anglo:male].names",
        "race|gender=female[Black-Anglo].names", "race|gender=male[Black-Anglo].names",
        "gender|race=Anglo[female-male].names", "gender|race=Black[female-male].names", "gender[female-male].pairs",
    ]  # fmt: skip


def test_a_number_too_large_for_an_interval_is_no_interval() -> None:
    row = Term(term="race", axes="race", level="a", reference="b", subset="names", effect=0.1, se=1e308, df=3.0, p=0.1)
    assert simultaneous(row, 0.01) == (None, None, None)


def test_a_plan_of_more_questions_widens_the_intervals() -> None:
    result = measure(scores(DATA), DATA)
    own, plan = find(result), result.plan
    wide = find(result, plan=Plan(plan.questions * 3, plan.confidence))
    by_question = {finding.comparison: finding for finding in wide}
    assert all(by_question[each.comparison].low < each.low for each in own if each.low is not None)


def test_a_system_that_adds_to_one_group_scores_it_higher() -> None:
    (first, *_) = measure(female(DATA), DATA).findings
    assert (first.comparison.term, first.higher, first.lower) == ("gender", "female", "male")
    assert first.found


def test_equal_scores_are_no_reaction_in_every_question_but_interactions() -> None:
    findings = measure(np.full(len(DATA), 0.5), DATA).findings
    verdicts = {finding.comparison.is_interaction: finding.verdict for finding in findings}
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


def test_findings_are_ordered_by_strength() -> None:
    noisy, clear, none = made(0.2, 0.09), made(0.1, 0.01), made(0.001, 0.01)
    assert [finding.gap for finding in order([none, noisy, clear])] == [0.1, 0.2, 0.001]


def test_a_difference_that_misses_0_before_adjustment_is_always_said() -> None:
    mentioned = made(0.025, 0.01)
    assert (mentioned.found, mentioned.must_be_mentioned) == (False, True)
    told = tell([made(0.001), mentioned, made(0.002), made(0.003), made(0.1)], most=1)
    assert [finding.gap for finding in told.said] == [0.1, 0.025]
    assert len(told.counted) == 3


def test_a_page_starts_with_the_largest_difference() -> None:
    small, large, unknown = made(0.08), made(-0.1), made(0.02, verdict="cannot_tell")
    assert headline([unknown, small, large]) is large
    assert headline([made(0.001), unknown]) is unknown
    assert headline([]) is None


@pytest.mark.parametrize(
    ("finding", "sentence"),
    [
        (made(0.081, low=0.02, high=0.147),
         "sentences about {level} (names) get scores about 8 points out of 100 higher than the same sentences about "
         "{reference} (names)"),
        (made(-0.3, verdict="difference", high_means="positive"),
         "sentences about {reference} (names) get scores about 30 points out of 100 higher (more positive) than the "
         "same sentences about {level} (names)"),
        (made(0.001, verdict="not_found", found_from=0.0401),
         "no difference found between sentences about {level} (names) and the same sentences about {reference} "
         "(names); a gap of 5 points out of 100 or more would probably have been found"),
        (made(0.02, verdict="cannot_tell", found_from=0.14),
         "sentences about {level} (names) got scores 2 points out of 100 higher than the same sentences about "
         "{reference} (names), which cannot be told from chance: only a gap of 14 points or more would probably have "
         "been found"),
        (made(0.0, verdict="no_reaction"),
         "the same score for sentences about {level} (names) and for the same sentences about {reference} (names)"),
    ],
)  # fmt: skip
def test_the_sentence_of_a_finding_names_who_scores_higher(finding: Finding, sentence: str) -> None:
    simple = replace(finding, comparison=replace(finding.comparison, axes="race", term="race"))
    groups = {"level": simple.comparison.level, "reference": simple.comparison.reference}
    assert str(say(simple)) == sentence.format(**groups)


def test_every_verdict_has_a_sentence() -> None:
    for _, _, verdict in CASES:
        note = say(made(0.05, verdict=verdict), margin=0.05)
        assert isinstance(note, Note)
        assert "{" not in str(note)


def question(**changed: object) -> Finding:
    """A finding about another question."""
    finding = made(0.08)
    return replace(finding, comparison=replace(finding.comparison, **changed))


GENDER_BY_RACE = {
    "term": "race:gender", "axes": "race+gender", "level": "Latino:female", "reference": "Anglo:male",
}  # fmt: skip


def test_an_interaction_is_told_as_a_gap_that_differs_by_group():
    wider = question(**GENDER_BY_RACE)
    assert str(say(wider)) == (
        "the gap “female minus male” is about 8 points out of 100 higher in sentences about Latino (names) than in "
        "sentences about Anglo (names)"
    )


def test_a_gap_below_0_is_higher_among_the_other_group():
    narrower = replace(question(**GENDER_BY_RACE), gap=-0.08)
    assert "higher in sentences about Anglo (names) than in sentences about Latino (names)" in str(say(narrower))


def test_a_gap_that_was_not_found_is_no_gap_of_two_groups():
    unfound = replace(question(**GENDER_BY_RACE), verdict="not_found", found_from=0.05)
    assert str(say(unfound)).startswith("no sign that the gap “female minus male” differs between sentences about")


def test_a_group_within_another_is_named_by_both():
    within = question(term="gender|race=Latino", axes="gender", level="female", reference="male")
    assert "sentences about Latino female (names)" in str(say(within))
    assert str(name(within.comparison)) == "Latino female − Latino male, names"


def test_a_row_about_the_mean_of_all_groups_says_so():
    finding = question(term="race", axes="race", level="Black", reference="mean")
    assert str(say(finding)).endswith("than the same sentences about all groups on average")


@pytest.mark.parametrize(
    ("size", "rounded", "up"),
    [(0.0814, 8, 9), (0.021, 2, 3), (0.0149, 1.5, 1.5), (0.00021, 0.02, 0.03), (0.3, 30, 30), (0.0, 0, 0)],
)
def test_points_are_whole_from_2_on_and_bounds_are_rounded_up(size, rounded, up):
    finding = replace(made(0.1), width=1.0)
    assert (points_of(size, finding), up_to(size, finding)) == (rounded, up)


def test_points_are_hundredths_of_any_declared_range():
    assert points_of(0.4, replace(made(0.1), width=4.0)) == 10
    assert points_of(1e-8, replace(made(0.1), width=1e-7)) == 10


def test_how_sure_a_difference_is_names_the_chance_over_all_comparisons():
    finding = made(0.1, verdict="difference", low=0.02, high=0.18, p=0.013)
    assert str(sure(finding, 10)) == (
        "the gap lies between 2 and 18 points; if the system treated all groups alike, a gap as clear as this in any "
        "of the 10 comparisons would come up in about 2 of 100 such audits"
    )
    assert sure(made(0.001, verdict="not_found"), 10) is None


def test_where_nothing_is_found_what_would_have_been_is_said_first():
    unfound = [made(0.001, verdict="not_found", found_from=size) for size in (0.02, 0.12, 0.05)]
    assert str(opening(unfound)) == (
        "no difference found in any of 3 comparisons; a gap of 12 points out of 100 or more would probably have been "
        "found in each"
    )
    equal = question(term="race", axes="race", level="Black", reference="white")
    assert str(opening([replace(equal, gap=0.0, verdict="no_reaction")])).startswith("the same score whoever is")


def test_a_short_text_says_the_finding_first_in_its_width():
    text = brief(measure(female(DATA), DATA, simple=True, high_means="positive"), 60)
    assert text.splitlines()[0].startswith("Sentences about female (names) get scores 100 points")
    assert max(map(len, text.splitlines())) <= 60
    assert len(text.splitlines()) <= 30


def test_how_sure_a_dependence_on_the_emotion_is_counts_every_question() -> None:
    turn = np.where(DATA["item"].str.endswith("angry"), -0.1, 0.1) * female(DATA)
    result = measure(np.clip(scores(DATA) + turn, 0, 1), DATA)
    finding = next(each for each in result.findings if each.comparison.term == "gender")
    assert finding.verdict == "differs_by_emotion"
    assert "if the gap were the same for every emotion" in str(sure(finding, len(result.findings)))


def test_an_emotion_is_found_at_the_level_of_one_question() -> None:
    result = measure(scores(DATA), DATA)
    (row, *_) = [each for each in result.by_emotion if each.emotion not in (None, "any")]
    terms = tuple(replace(each, p=0.03, p_adjusted=0.03) if each is row else each for each in result.terms)
    finding = next(each for each in replace(result, terms=terms).findings if each.comparison.term == "race")
    assert finding.verdict != "differs_by_emotion"
