"""A template may name persons, nouns and words that agree, and nothing else, however it is written."""

from __future__ import annotations

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
    "{{ person.nom.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''.__class__ }}",
    "{{ self }}",
    "{{ self.__init__.__globals__ }}",
    "{{ lipsum.__globals__ }}",
    "{{ cycler }}",
    "{{ joiner() }}",
    "{{ namespace(a=1) }}",
    "{{ ''.join() }}",
    "{{ person() }}",
    "{{ person.nom() }}",
    "{{ person['__class__'] }}",
    "{{ person[person.nom] }}",
    "{{ person|attr('__class__') }}",
    "{{ state|agree(person)|upper }}",
    "{{ state|agree(state|agree(person)) }}",
    "{{ state|agree(person.nom) }}",
    "{{ state|agree(person=person) }}",
    "{{ state|agree(**person) }}",
    "{{ state|agree(*person) }}",
    "{{ state|agree(person, gender=person.nom) }}",
    "{{ state|agree(person, gender='f', gender='m') }}",
    "{{ state is defined }}",
    "{{ state and person }}",
    "{{ not state }}",
    "{{ state ~ state }}",
    "{{ state, state }}",
    "{{ [state] }}",
    "{{ {'a': state} }}",
    "{{ 10 ** 10 ** 10 }}",
    "{{ 'x' * 10000000000 }}",
    "{{ state if person else state }}",
    "{{ '%s' % person }}",
    "{{ state.text }}",
    "{{ speaker.gram }}",
    "{{ noun }}",
    "{{ noun.situacion.gram }}",
    "{{ true }}",
    "{{ None }}",
    "{% for x in y %}{% endfor %}",
    "{%- for x in range(9) -%}{{ x }}{%- endfor -%}",
    "{% if state %}{{ state }}{% endif %}",
    "{% set x = person %}{{ x }}",
    "{% set x %}{{ state }}{% endset %}",
    "{% macro x() %}{% endmacro %}",
    "{% call person() %}{% endcall %}",
    "{% filter upper %}{{ state }}{% endfilter %}",
    "{% include 'x' %}",
    "{% import 'x' as x %}",
    "{% from 'x' import x %}",
    "{% extends 'x' %}",
    "{% block x %}{{ state }}{% endblock %}",
    "{% with x = 1 %}{% endwith %}",
    "{% autoescape true %}{{ state }}{% endautoescape %}",
    "{% raw %}{{ state }}{% endraw %}",
    "{%- raw %}x{% endraw %}",
    "{# comment #}",
    "{% do person %}",
    "{{ " + "(" * 4000 + "state" + ")" * 4000 + " }}",
    "{{ state",
    "{{ }}",
    "}}",
    "{",
    "{{ state | agree }}",
    "{{ state | agree(nobody) }}",
    "{{ state | agree(person, speaker) }}",
    "{{ state | agree(person, number='many') }}",
    "{{ range(10) }}",
    "{{ 1 + 1 }}",
    "{ person.nom }",
    "{{ stаte }}",  # the second letter a is Cyrillic
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
