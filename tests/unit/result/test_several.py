"""Findings of several results of one system: one list answers each question, and no sentence counts twice."""

import pytest
from verdict_cases import DATA, female, scores

from eec_bias import measure
from eec_bias.plan import sentence_checksums
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
    names = [finding for finding in find_over([small, large]) if finding.comparison.subset == "names"]
    assert {finding.listed for finding in names} == {"large"}
    assert all([other.listed for other in finding.others] == ["small"] for finding in names)


def test_groups_are_called_alike_only_where_they_are_in_every_list(small):
    """VADER knows the word TIA; a list without that name gets the same scores, another does not."""
    constant = ListedResult("large", measure([0.5] * len(DATA["person"]), DATA, simple=True))
    assert {each.verdict for each in find_over([constant]) if not each.comparison.is_interaction} == {"no_reaction"}
    assert opening(find_over([constant])).key == "opening_no_reaction"
    assert opening(find_over([constant, small])).key == "opening_lists_differ"


def test_a_list_that_repeats_the_sentences_is_no_other_list(large):
    again = ListedResult("again", large.record)
    assert all(finding.others == () for finding in find_over([large, again]))
    assert {finding.listed for finding in find_over([large, again])} == {"large"}


def texts_of(data: dict[str, list[str]], ending: str = ".") -> dict[str, list[str]]:
    """The same rows with their sentences."""
    texts = [f"{person} {item}{ending}" for person, item in zip(data["person"], data["item"], strict=True)]
    return {**data, "text": texts}


def with_sentences(name: str, data: dict[str, list[str]], values: list[float]) -> ListedResult:
    """A list whose sentences are known."""
    return ListedResult(name, measure(values, data), checksums=sentence_checksums(data))


def test_as_many_other_sentences_with_the_same_scores_are_another_list():
    values = [0.5] * len(DATA["person"])
    first = with_sentences("first", texts_of(DATA), values)
    other = with_sentences("other", texts_of(DATA, ending="!"), values)
    findings = find_over([first, other])
    assert [[each.listed for each in finding.others] for finding in findings] == [["other"]] * len(findings)


def test_the_same_sentences_in_another_order_are_no_other_list():
    turned = {key: values[::-1] for key, values in texts_of(DATA).items()}
    first = with_sentences("first", texts_of(DATA), scores(DATA, 1))
    again = with_sentences("again", turned, scores(DATA, 2))
    assert {finding.others for finding in find_over([first, again])} == {()}


def test_lists_that_share_noun_phrases_differ_in_their_names_alone():
    renamed = {**DATA, "person": [f"{each}a" if race != "unmarked" else each for each, race in persons_of(DATA)]}
    first = with_sentences("first", texts_of(DATA), scores(DATA, 1))
    other = with_sentences("other", texts_of(renamed), scores(DATA, 1))
    others = {finding.comparison.subset: len(finding.others) for finding in find_over([first, other])}
    assert others == {"names": 1, "pairs": 0}


def persons_of(data: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Person and race of each row."""
    return list(zip(data["person"], data["race"], strict=True))


def test_a_question_of_several_lists_counts_once(small, large):
    plan = plan_over([small, large])
    assert len(plan.questions) == len(find_over([small, large])) == len(plan_over([large]).questions)


def test_a_part_of_a_list_never_answers_what_the_list_can(small, large):
    part = ListedResult("part", large.record, secondary=True)
    assert {finding.listed for finding in find_over([part, small])} == {"small"}


def test_the_plan_does_not_change_with_the_scores(large):
    others = [ListedResult("large", measure(scores(DATA, seed), DATA, simple=True)) for seed in range(2)]
    assert {plan_over([each]) for each in (*others, large)} == {plan_over([large])}
