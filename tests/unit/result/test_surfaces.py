"""One finding on every surface: the same answer, sign, size and sureness, for a table of constructed results."""

import json
import re
from functools import cache
from html import unescape

import pytest
from verdict_cases import CASES, Case

from eec_bias import Result
from eec_bias.figures import forest, heatmap, items, systems
from eec_bias.result.brief import COLUMNS, row_of, sentence_of, signed_points
from eec_bias.result.finding import Finding, by_plan, tell
from eec_bias.result.telling import answer_with_unit, opening, say
from eec_datasets.audit.compact import compact
from eec_datasets.audit.report.answers import gather_answers
from eec_datasets.audit.report.document import Document, from_content, units
from eec_datasets.audit.report.finding_words import FindingWords
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.page import render

PLANNED = [case for case in CASES if case.name not in ("the paper of 2018", "the paper of 2022")]
ALL = pytest.mark.parametrize("case", PLANNED, ids=lambda case: case.name)
MEASURED = pytest.mark.parametrize("case", [case for case in PLANNED if not case.procedure], ids=lambda case: case.name)
ONE = pytest.mark.parametrize(
    "case", [case for case in PLANNED if not (case.procedure or case.several)], ids=lambda case: case.name
)

EXPECTED = {
    "a difference": ("gender[female-male].names", "difference", 1),
    "a difference downwards": ("race[Black-Anglo].names", "difference", -1),
    "nothing to be found": ("race[Black-Anglo].names", "not_found", None),
    "the same score for all": ("gender[female-male].pairs", "no_reaction", 0),
    "women 1, men 0": ("gender[female-male].names", "same_throughout", 1),
    "a bag of words where adjectives agree": ("gender[female-male].names", "same_throughout", 1),
    "a bag of words where all templates but one are the same": ("gender[female-male].names", "not_estimable", None),
    "women up by .2 where angry, down where glad": ("gender[female-male].names", "differs_by_emotion", None),
    "three groups, one of them apart": ("race[Latino-mean].names", "difference", 1),
    "mentions lower by .1, and no name": ("race[Black-Anglo].mentions", "difference", -1),
    "a scale of millionths": ("gender[female-male].names", "difference", 1),
    "a scale of millions": ("gender[female-male].names", "difference", 1),
    "a system compared with itself": ("gender[female-male].names", "not_found", 0),
    "two systems that differ": ("gender[female-male].names", "difference", 1),
}
"""Worked out from how the scores are made: a question, its verdict, and the sign of its gap where that is certain."""


def margin_of(result: Result) -> float | None:
    assert result.plan is not None
    return result.plan.margin


def compared(result: Result) -> str:
    return result.facts.systems_compared


def ordered(result: Result) -> list[Finding]:
    assert result.plan is not None
    return by_plan(result.findings, result.plan)


@cache
def document(name: str) -> Document:
    (case,) = [case for case in CASES if case.name == name]
    saved = json.loads(json.dumps(case.result.to_dict(details=True)))
    return from_content(saved, "mine.json", "mine")


def test_the_results_of_both_papers_alone_have_no_plan() -> None:
    assert [case for case in CASES if case.result.plan is not None] == PLANNED


def test_there_are_thirty_results_at_least() -> None:
    assert len(PLANNED) >= 30
    verdicts = {finding.verdict for case in PLANNED for finding in case.result.findings}
    made = {"no_reaction", "differs_by_emotion", "not_estimable", "same_throughout", "difference", "not_found"}
    assert verdicts >= made


@pytest.mark.parametrize("name", EXPECTED)
def test_a_finding_is_what_the_scores_were_made_to_show(name: str) -> None:
    (case,) = [case for case in CASES if case.name == name]
    question, verdict, sign = EXPECTED[name]
    (finding,) = [finding for finding in case.result.findings if finding.comparison.id == question]
    assert finding.verdict == verdict
    if sign is not None:
        assert ((finding.gap or 0) > 0) - ((finding.gap or 0) < 0) == sign


@ALL
def test_an_interval_agrees_with_its_verdict(case: Case) -> None:
    for finding in case.result.findings:
        if finding.low is None or finding.high is None or finding.verdict in ("differs_by_emotion", "no_reaction"):
            continue
        assert finding.found == (finding.low > 0 or finding.high < 0)
        assert finding.low <= finding.gap <= finding.high


@ALL
def test_json_has_every_finding_with_its_numbers(case: Case) -> None:
    rows = json.loads(json.dumps(case.result.to_dict()))["findings"]
    for row, finding in zip(rows, case.result.findings, strict=True):
        assert (row["id"], row["verdict"]) == (finding.comparison.id, finding.verdict)
        assert (row["gap"], row["low"], row["high"], row["p"]) == (finding.gap, finding.low, finding.high, finding.p)
        assert (row["higher"], row["lower"]) == (finding.higher or None, finding.lower or None)
        assert row["says"] == str(say(finding, margin_of(case.result), systems=compared(case.result)))


@MEASURED
def test_the_text_says_the_headline_first_and_the_rows_of_findings(case: Case) -> None:
    text = " ".join(str(case.result).split())
    for system in {finding.system for finding in case.result.findings}:
        own = [finding for finding in case.result.findings if finding.system == system]
        said = sentence_of(opening(own, margin_of(case.result), systems=compared(case.result)))
        assert " ".join(said.split()) in text
        for finding in tell(own, 1).said:
            if not case.several:
                _, gap, *_, verdict = row_of(finding, margin_of(case.result))
                assert gap in text
                assert verdict in text


@ALL
def test_the_forest_draws_the_interval_beside_the_answer(case: Case) -> None:
    terms = list(dict.fromkeys(question.term for question in case.result.plan.questions)) if case.several else [None]
    told = "; ".join(forest(case.result, term=term).eec_alt for term in terms)
    for finding in case.result.findings:
        between = finding.points_between
        spread = f" [{signed_points(between[0])}, {signed_points(between[1])}]" if between else ""
        assert f"{signed_points(finding.points)}{spread}, {answer_with_unit(finding, margin_of(case.result))}" in told


@MEASURED
def test_the_captions_of_items_and_systems_say_the_answer(case: Case) -> None:
    shown = [finding for finding in case.result.findings if finding.gap is not None]
    # One finding of each verdict.
    for finding in {finding.verdict: finding for finding in shown}.values():
        place = {key: finding.get(key) for key in ("system", "stratum", "output", "subset")}
        where = {key: value for key, value in place.items() if value is not None}
        figure = items(case.result, term=finding.comparison.term, level=finding.comparison.level, **where)
        assert answer_with_unit(finding, margin_of(case.result)) in figure.eec_caption
        canvas = " ".join(figure.get_suptitle().split())
        assert answer_with_unit(finding, margin_of(case.result)) in canvas
    first = shown[0]
    where = {key: first.get(key) for key in ("stratum", "output", "subset") if first.get(key) is not None}
    told = systems(case.result, term=first.comparison.term, level=first.comparison.level, **where).eec_alt
    assert answer_with_unit(first, margin_of(case.result)) in told


@ONE
def test_the_heat_map_says_the_answer_on_the_interaction(case: Case) -> None:
    crossed = [
        finding
        for finding in case.result.findings
        if finding.comparison.term == "race:gender" and finding.comparison.subset == "names"
    ]
    if len(crossed) == 1:
        figure = heatmap(case.result, axes=("race", "gender"), subset="names")
        assert f"Interaction: {answer_with_unit(crossed[0], margin_of(case.result))}" in figure.eec_caption


@ALL
def test_page_and_terminal_answer_as_the_result_does(case: Case) -> None:
    def key(finding: Finding) -> tuple[object, ...]:
        return finding.comparison.id, finding.verdict, finding.gap, finding.low, finding.high, finding.p

    saved = document(case.name)
    answers = gather_answers(units(saved.entries))
    assert sorted(map(str, (key(finding) for each in answers for finding in each.findings))) == sorted(
        map(str, map(key, case.result.findings))
    )
    page = " ".join(unescape(re.sub("<[^>]+>", " ", render(saved))).split())
    terminal = " ".join(compact(units(saved.entries), COLUMNS).split())
    for each in answers:
        words = FindingWords(load_translator(), each)
        for text in (page, terminal):
            assert " ".join(words.headline.split()).rstrip(".").lower() in text.lower()
        for line in [] if each.reacts_to_nothing else words.told(1)[0]:
            assert line.verdict in terminal
