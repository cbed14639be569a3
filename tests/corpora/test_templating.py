"""A template may name persons, nouns and words that agree, and nothing else."""

from pathlib import Path

import pytest

from eec_datasets.locale.grammar import read_grammar
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.sources import Problems
from eec_datasets.locale.templating import Agreement, slots_of

WORDS = {"state", "feel"}


@pytest.fixture(scope="module")
def grammar():
    return read_grammar(Path(locales_folder()) / "es", Problems())


def test_slots_say_who_agrees_with_whom(grammar):
    slots = slots_of("{{ person.nom }} {{ feel | agree(person) }} {{ state | agree(noun.situacion) }}", WORDS, grammar)
    assert slots.problems == ()
    assert slots.roles == ("nom",)
    assert slots.agreements == (Agreement("feel", "person", {}), Agreement("state", "noun.situacion", {}))


def test_the_construction_may_fix_a_feature(grammar):
    (agreement,) = slots_of('{{ state | agree(person, number="pl") }}', WORDS, grammar).agreements
    assert agreement == Agreement("state", "person", {"number": "pl"})


@pytest.mark.parametrize(
    "hostile",
    [
        "{% for x in person %}{{ x }}{% endfor %}",
        "{% include '/etc/passwd' %}",
        "{% import 'x' as y %}",
        "{% set person = 1 %}",
        "{% if person %}a{% endif %}",
        "{% macro f() %}{% endmacro %}",
        "{{ person.__class__ }}",
        "{{ person.nom.__class__ }}",
        "{{ person['nom'] }}",
        "{{ ''.join(person) }}",
        "{{ range(10) }}",
        "{{ state.forms }}",
        "{{ noun }}",
        "{{ state | upper }}",
        "{{ state | agree }}",
        "{{ state | agree(nobody) }}",
        "{{ state | agree(person, speaker) }}",
        "{{ state | agree(person, number='many') }}",
        "{{ state | agree(*person) }}",
        "{{ 1 + 1 }}",
        "{{ person.nom",
        "{ person.nom }",
    ],
)
def test_everything_else_is_refused(hostile, grammar):
    assert slots_of(hostile, WORDS, grammar).problems


def test_a_refusal_says_what_is_allowed(grammar):
    assert slots_of("{{ state | upper }}", WORDS, grammar).problems == (
        (
            "the filter 'upper' is not part of the template language",
            "Allowed: {{ person.ROLE }}, {{ noun.NAME }}, {{ WORD }}, {{ WORD | agree(CONTROLLER) }}",
        ),
    )
