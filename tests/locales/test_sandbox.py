"""What a template may not do is refused, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_datasets.locale.grammar import read_grammar
from eec_datasets.locale.sources import Problems
from eec_datasets.locale.templating import compiled, parts_of, slots_of

BASE = Path(__file__).parent / "base"

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
    "{{ stаte }}",  # the second letter a is Cyrillic
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("with_person", [True, False])
def test_a_template_or_cell_that_does_anything_else_is_refused(hostile, with_person, grammar):
    assert slots_of(hostile, {"state"}, grammar, with_person=with_person).problems


@pytest.mark.parametrize("text", ["{{ person.nom }}", "{{ state | agree(speaker) }}", "{{ noun.situacion }}"])
def test_a_cell_of_a_person_reaches_neither_persons_nor_the_speaker(text, grammar):
    assert slots_of(text, {"state"}, grammar, with_person=True).problems == ()
    if text != "{{ noun.situacion }}":
        assert slots_of(text, {"state"}, grammar, with_person=False).problems


FRAGMENTS = [
    "{{",
    "}}",
    "{%",
    "%}",
    " person",
    ".nom",
    ".__class__",
    " state",
    " | agree(",
    ")",
    "noun.situacion",
    "'",
    "[0]",
    " for x in",
    " x",
    "~",
    "(",
    "{#",
    "#}",
    "raw",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_what_is_let_through_names_persons_nouns_and_words_only(text):
    grammar = read_grammar(BASE / "gl", Problems())
    if slots_of(text, {"state"}, grammar).problems:
        return
    marks = {"person": {"nom": "P"}, "noun": {"situacion": "N"}, "state": "S"}
    if "agree" not in text:
        shown = compiled(text).render(marks)
        assert shown.replace("P", "").replace("N", "").replace("S", "") == "".join(
            part for part in parts_of(text) if isinstance(part, str)
        )
