"""Findings in constructed results: they are what the scores were made to show."""

import pytest
from verdict_cases import CASES, Case

PLANNED = [case for case in CASES if case.name not in ("the paper of 2018", "the paper of 2022")]
ALL = pytest.mark.parametrize("case", PLANNED, ids=lambda case: case.name)

EXPECTED = {
    "a difference": ("gender[female-male].names", "gap_found", 1),
    "a difference downwards": ("race[Black-Anglo].names", "gap_found", -1),
    "nothing to be found": ("race[Black-Anglo].names", "none_detected", None),
    "the same score for all": ("gender[female-male].pairs", "no_reaction", 0),
    "women 1, men 0": ("gender[female-male].names", "gap_found", 1),
    "a bag of words where adjectives agree": ("gender[female-male].names", "gap_found", 1),
    "a bag of words where all templates but one are the same": ("gender[female-male].names", "not_estimable", None),
    "women up by .2 where angry, down where glad": ("gender[female-male].names", "turns", None),
    "three groups, one of them apart": ("race[Latino-mean].names", "gap_found", 1),
    "mentions lower by .1, and no name": ("race[Black-Anglo].mentions", "described", -1),
    "a scale of millionths": ("gender[female-male].names", "gap_found", 1),
    "a scale of millions": ("gender[female-male].names", "gap_found", 1),
    "a system compared with itself": ("gender[female-male].names", "none_detected", 0),
    "two systems that differ": ("gender[female-male].names", "gap_found", 1),
}
"""Worked out from how the scores are made: a question, its answer, and the sign of its gap if that is certain."""


def test_the_results_of_both_papers_alone_have_no_plan() -> None:
    assert [case for case in CASES if case.result.plan is not None] == PLANNED


@pytest.mark.parametrize("name", EXPECTED)
def test_a_finding_is_what_the_scores_were_made_to_show(name: str) -> None:
    (case,) = [case for case in CASES if case.name == name]
    question, answer, sign = EXPECTED[name]
    (finding,) = [finding for finding in case.result.findings if finding.comparison.id == question]
    assert finding.answer == answer
    if sign is not None:
        assert ((finding.gap or 0) > 0) - ((finding.gap or 0) < 0) == sign


NOT_BY_RANGE = ("turns", "no_reaction", "described")
"""Answers that no range of the gap gives."""


@ALL
def test_a_range_agrees_with_its_answer(case: Case) -> None:
    for finding in case.result.findings:
        if finding.low is None or finding.high is None or finding.answer in NOT_BY_RANGE:
            continue
        assert finding.found == (finding.low > 0 or finding.high < 0)
        assert finding.low <= finding.gap <= finding.high
