"""What rows say: one table of constructed results, and every output saying the same of every row."""

import re

import numpy as np
import pytest
from verdict_cases import CASES, DATA, SAYS, SHORT, Case, corpus, named, says, scores

from eec_bias import compare, measure, report
from eec_bias.assembly.rows import FEW
from eec_bias.result.verdict import judge_terms
from eec_bias.result.words import say_verdict, sentence

ALL = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
ONE = pytest.mark.parametrize(
    "case", [case for case in CASES if not (case.procedure or case.several)], ids=lambda case: case.name
)


@ALL
def test_every_row_has_the_verdict_that_its_numbers_give(case: Case) -> None:
    assert {named(row): verdict.kind for row, verdict, _ in case.rows} == {named(r): kind for r, _, kind in case.rows}
    assert set(case.expected) <= {named(row) for row, *_ in case.rows}
    for row, verdict, _ in case.rows:
        effect = row["effect"] or 0
        assert verdict.direction == (effect > 0) - (effect < 0)
        assert verdict.p == (row["p_adjusted"] if verdict.adjusted else row["p"])
        assert not (verdict.adjusted and not case.adjusted)
        assert verdict.found == (verdict.kind in ("difference", "same_difference", "wording", "by_emotion"))
        assert verdict.rough == bool(row["rough"])
    if case.rough:
        assert all(row["rough"] for row, *_ in case.rows)


def test_the_table_has_every_verdict_and_names_what_is_adjusted() -> None:
    assert {kind for case in CASES for *_, kind in case.rows} == set(SAYS) == set(SHORT)
    assert (len(CASES) >= 20, FEW) == (True, 5)
    of = {case.name: report(case.result) for case in CASES}
    assert "95 % interval, not adjusted" in of["a difference"]
    assert "not adjusted" not in of["p not adjusted"]
    assert "adj." not in of["p not adjusted"]


@ALL
def test_the_sentence_says_the_verdict_and_no_other(case) -> None:
    for row, verdict, kind in case.rows:
        said = sentence(case.result, row, verdict)
        assert says(said, kind), said
        assert says(say_verdict(row, verdict), kind, SHORT)
        assert (f"Rough: {row['rough']}." in said) == verdict.rough
        assert not re.search(r"by [+-]?0(\.0+)?[ ,(]", said), said
        assert ("difference of differences" in said) == (":" in row["term"])
        if ":" in row["term"]:
            assert str(row["reference"]) not in said.partition("): ")[0]


def test_a_row_that_p_finds_alone_is_not_found_in_its_table() -> None:
    """Eight comparisons hold together, and the pairs stand alone in their family of p."""
    result = measure(scores(DATA, 1, female=0.05), DATA, simple=True)
    (pairs,) = [row for row in result.terms if row.subset == "pairs" and not row.is_of_emotion]
    assert 0.05 / 8 < pairs.p_adjusted < 0.05
    (line,) = [line for line in report(result).splitlines() if line.startswith("gender ") and " pairs " in line]
    assert line.endswith("not found, rough")


def test_a_difference_of_one_group_alone_is_one_on_average() -> None:
    data = corpus(pairs=False)
    women = (data["gender"] == "female") & (data["race"] == "Black")
    # Higher for women and as much lower for men.
    crossed = 0.5 + 0.2 * (data["race"] == "Black") * np.where(data["gender"] == "female", 1, -1)
    for values, label_of, direct in ((0.8 * women, "difference on average", 0.4), (crossed, "effect 0", 0.0)):
        result = measure(values, data)
        (race, verdict), _, (interaction, of_all) = judge_terms(result)
        assert (verdict.averaged, of_all.averaged, race["effect"]) == (True, False, pytest.approx(direct))
        text = sentence(result, race, verdict)
        assert "on average over the levels of another axis" in text
        assert "throughout" not in text
        assert say_verdict(race, verdict) == label_of
        assert "the same throughout" in sentence(result, interaction, of_all)
    simple = judge_terms(measure(0.8 * women, data, simple=True))
    assert not any(verdict.averaged for row, verdict in simple if "|" in row["term"])


def test_what_two_systems_differ_or_agree_in_is_said_of_their_effects() -> None:
    data = corpus(("Anglo", "Black", "Latino"), pairs=False)
    both = compare(scores(data, 1, Black=0.1), scores(data, 2), data, axes=("race",))
    (text,) = (sentence(both, row, verdict) for row, verdict in judge_terms(both) if row["level"] == "any")
    assert "any level (names): the effects of the two systems (a-b) differ on some level (p adj. (Holm) < .001)" in text
    data = corpus(pairs=False)
    both = compare(scores(data, 1, Black=0.3), scores(data, 2, Black=0.3), data, margin=0.1)
    (line,) = [line for line in report(both).splitlines() if line.startswith("- race, Black") and "margin" in line]
    assert ": the effects of the two systems (a-b) are equivalent within ±0.100" in line
