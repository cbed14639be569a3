"""``--fail-on``: which findings fail, and how far their gaps are shown to lie within."""

from dataclasses import replace

import pytest
from verdict_cases import DATA, corpus, female, scores

from eec_bias import Result, measure
from eec_bias.result.gate import GateFailure, failures

FAIR = measure(scores(DATA, 3), DATA)
UNFAIR = measure(scores(DATA, 3, female=0.1), DATA)


def test_no_gap_found_passes_found() -> None:
    assert not any(finding.found for finding in FAIR.findings)
    assert failures(FAIR.findings) == []


def test_every_gap_found_is_a_reason() -> None:
    found = [finding for finding in UNFAIR.findings if finding.found]
    assert len(failures(UNFAIR.findings)) == len(found) == 4
    assert [each.finding for each in failures(UNFAIR.findings)] == found


def test_a_gap_that_turns_with_the_emotion_fails_found() -> None:
    turning = measure(scores(DATA) + 0.1 * female(DATA) * (2 * (DATA["emotion"] == "joy") - 1), DATA)
    assert "turns" in {reason.finding.answer for reason in failures(turning.findings)}


def test_above_passes_where_every_axis_is_shown_to_lie_within() -> None:
    of_axes = [each.row for each in FAIR.findings if each.comparison.is_main and each.comparison.subset == "names"]
    bound = 100 * max(row.smallest_margin for row in of_axes)
    assert failures(FAIR.findings, bound * 1.001) == []
    assert len(failures(FAIR.findings, bound * 0.999)) == 1


def test_above_agrees_with_the_test_of_equivalence() -> None:
    for margin in (1, 2, 3, 5, 10):
        result = measure(scores(DATA, 3, Black=0.01), DATA, margin=margin)
        tests = {(row["term"], row["subset"]): row["p_worst"] for row in result.equivalence}
        for row in result.overall:
            assert (row.smallest_margin < margin / 100) == (tests[row.term, row.subset] < 0.05)


def test_above_asks_of_emotions_what_it_asks_of_their_mean() -> None:
    turning = measure(scores(DATA) + 0.1 * female(DATA) * (2 * (DATA["emotion"] == "joy") - 1), DATA)
    gender = next(row for row in turning.overall if (row.term, row.subset) == ("gender", "names"))
    assert max(-gender.ci_low, gender.ci_high) < 0.05 < gender.smallest_margin
    assert {reason.finding.comparison.axes for reason in failures(turning.findings, 5)} == {"gender"}


def test_interactions_and_simple_effects_do_not_decide() -> None:
    both = ((DATA["race"] == "Black") == (DATA["gender"] == "female")) & (DATA["race"] != "unmarked")
    crossed = measure(scores(DATA, 3) + 0.2 * both, DATA)
    assert any(finding.found and finding.comparison.is_interaction for finding in crossed.findings)
    assert failures(crossed.findings, 20) == []


def test_gender_by_words_decides_only_without_names() -> None:
    of_pairs = (DATA["race"] == "unmarked") & (DATA["gender"] == "female")
    y = scores(DATA, 3) + 0.3 * of_pairs
    assert failures(measure(y, DATA).findings, 20) == []
    pairs = DATA[DATA["race"] == "unmarked"].drop(columns="race")
    (reason,) = failures(measure(y[pairs.index], pairs).findings, 20)
    assert reason.shown > 20


def test_each_level_of_an_axis_must_lie_within() -> None:
    data = corpus(("Anglo", "Black", "Latino"), pairs=False)
    result = measure(scores(data, 3, Latino=0.3), data)
    assert len([each for each in failures(result.findings, 5) if each.finding.comparison.subset == "names"]) >= 3


def test_what_cannot_be_estimated_fails_above_and_passes_found() -> None:
    unknown = tuple(replace(row, se=None, p=None, df=None, smallest_margin=None) for row in FAIR.terms)
    findings = replace(FAIR, terms=unknown).findings
    assert failures(findings) == []
    assert [reason.shown for reason in failures(findings, 50)] == [None, None]
    assert failures((), 50) == [GateFailure(None)]


def test_a_gap_without_spread_is_its_own_interval() -> None:
    assert failures(measure([0.5] * len(DATA), DATA).findings, 0.1) == []
    everywhere = measure(female(DATA), DATA)
    (reason,) = failures(everywhere.findings, 50)
    assert (reason.finding.comparison.id, reason.shown) == ("gender[female-male].names", 100)


@pytest.mark.parametrize("span", [1.0, 100.0])
def test_a_point_is_a_hundredth_of_the_declared_range(span: float) -> None:
    result = measure(span * scores(DATA, 3, female=0.1), DATA, score_range=(0, span))
    assert failures(result.findings, 50) == []
    assert len(failures(result.findings, 5)) == len(failures(UNFAIR.findings, 5))


def test_a_point_is_a_unit_of_scores_without_a_range() -> None:
    result: Result = measure(100 * scores(DATA, 3, female=0.1), DATA, score_range=None)
    assert failures(result.findings, 50, range_known=False) == []
    reasons = failures(result.findings, 5, range_known=False)
    (reason,) = [each for each in reasons if each.finding.comparison.axes == "gender"]
    assert reason.shown == reason.finding.row.smallest_margin
