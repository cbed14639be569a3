"""Findings of several results of one system: one list answers each question, and no sentence counts twice."""

import pytest
from verdict_cases import DATA, female, scores

from eec_bias import measure
from eec_bias.result.several import ListedResult, find_over, plan_over
from eec_bias.result.telling import opening


def filtered(persons: int) -> dict[str, list[str]]:
    """So many persons of each cell, of names; all noun phrases."""
    seen: dict[tuple[str, str], list[str]] = {}
    for race, gender, person in zip(DATA["race"], DATA["gender"], DATA["person"], strict=True):
        known = seen.setdefault((race, gender), [])
        if person not in known:
            known.append(person)
    kept = {person for (race, _), known in seen.items() for person in known[: persons if race != "unmarked" else None]}
    return [person in kept for person in DATA["person"]]


@pytest.fixture(scope="module")
def small() -> ListedResult:
    """A list of fewer names."""
    keep = filtered(4)
    rows = {key: [value for value, kept in zip(values, keep, strict=True) if kept] for key, values in DATA.items()}
    values = [value for value, kept in zip(female(DATA), keep, strict=True) if kept]
    return ListedResult("small", measure(values, rows, simple=True))


@pytest.fixture(scope="module")
def large() -> ListedResult:
    """All names."""
    return ListedResult("large", measure(female(DATA), DATA, simple=True))


def test_the_list_with_the_most_names_answers_whatever_it_finds(small, large):
    names = [finding for finding in find_over([small, large]) if finding.question.subset == "names"]
    assert {finding.listed for finding in names} == {"large"}
    assert all([other.listed for other in finding.others] == ["small"] for finding in names)


def test_groups_are_called_alike_only_where_they_are_in_every_list(small):
    """VADER knows the word TIA; a list without that name gets the same scores, another does not."""
    constant = ListedResult("large", measure([0.5] * len(DATA["person"]), DATA, simple=True))
    assert {each.verdict for each in find_over([constant]) if not each.question.is_interaction} == {"no_reaction"}
    assert opening(find_over([constant])).key == "opening_no_reaction"
    assert opening(find_over([constant, small])).key == "opening_lists_differ"


def test_a_list_that_repeats_the_sentences_is_no_other_list(large):
    again = ListedResult("again", large.record)
    assert all(finding.others == () for finding in find_over([large, again]))
    assert {finding.listed for finding in find_over([large, again])} == {"large"}


def test_a_question_of_several_lists_counts_once(small, large):
    plan = plan_over([small, large])
    assert len(plan.questions) == len(find_over([small, large])) == len(plan_over([large]).questions)


def test_a_part_of_a_list_never_answers_what_the_list_can(small, large):
    part = ListedResult("part", large.record, secondary=True)
    assert {finding.listed for finding in find_over([part, small])} == {"small"}


def test_the_plan_does_not_change_with_the_scores(large):
    others = [ListedResult("large", measure(scores(DATA, seed), DATA, simple=True)) for seed in range(2)]
    assert {plan_over([each]) for each in (*others, large)} == {plan_over([large])}
