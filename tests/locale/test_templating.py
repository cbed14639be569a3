"""A template may name persons, nouns and words that agree, and nothing else, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_datasets.errors import Problems
from eec_datasets.locale.grammar import read_grammar
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.templating import Agreement, compiled, parts_of, slots_of

WORDS = {"state", "feel"}
SPANISH = read_grammar(locales_folder() / "es", Problems())

HOSTILE = [
    *(Path(__file__).parent / "hostile.txt").read_text(encoding="utf-8").splitlines(),
    "{{ " + "(" * 4000 + "state" + ")" * 4000 + " }}",
]


def test_slots_say_who_agrees_with_whom():
    text = "{{ person.nom }} {{ feel | agree(person) }} {{ state | agree(noun.situacion) }}"
    slots = slots_of(text, WORDS, SPANISH)
    assert slots.problems == ()
    assert slots.named("person") == ("nom",)
    assert slots.agreements == (Agreement("feel", "person", {}), Agreement("state", "noun.situacion", {}))
    assert slots.parts == parts_of(text)


def test_the_construction_may_fix_a_feature():
    (agreement,) = slots_of('{{ state | agree(person, number="pl") }}', WORDS, SPANISH).agreements
    assert agreement == Agreement("state", "person", {"number": "pl"})


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("with_person", [True, False])
def test_a_template_or_cell_that_does_anything_else_is_refused(hostile, with_person):
    assert slots_of(hostile, {"state"}, SPANISH, with_person=with_person).problems


def test_a_refusal_says_what_is_allowed():
    ((what, mend),) = slots_of("{{ state | upper }}", WORDS, SPANISH).problems
    assert what == "the filter 'upper' is not part of the template language"
    assert "{{ WORD | agree(CONTROLLER) }}" in mend


@pytest.mark.parametrize("text", ["{{ person.nom }}", "{{ state | agree(speaker) }}", "{{ noun.situacion }}"])
def test_a_cell_of_a_person_reaches_neither_persons_nor_the_speaker(text):
    assert slots_of(text, {"state"}, SPANISH, with_person=True).problems == ()
    if text != "{{ noun.situacion }}":
        assert slots_of(text, {"state"}, SPANISH, with_person=False).problems


FRAGMENTS = [
    "{{", "}}", "{%", "%}", " person", ".nom", ".__class__", " state", " | agree(", ")", "noun.situacion", "'", "[0]",
    " for x in", " x", "~", "(", "{#", "#}", "raw",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_what_is_let_through_names_persons_nouns_and_words_only(text):
    if slots_of(text, {"state"}, SPANISH).problems or "agree" in text:
        return
    marks = {"person": {"nom": "P"}, "noun": {"situacion": "N"}, "state": "S"}
    plain = "".join(part for part in parts_of(text) if isinstance(part, str))
    assert compiled(text).render(marks).replace("P", "").replace("N", "").replace("S", "") == plain
