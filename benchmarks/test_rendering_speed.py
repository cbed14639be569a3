"""Rendering against one compiled `template.render` per sentence, and against bare f-strings, in the same run.

``pytest benchmarks/test_rendering.py -p no:cacheprovider --benchmark-only`` prints the table.
"""

from __future__ import annotations

import time

import pytest

from eec_datasets import corpora
from eec_datasets.locale.templating import compiled
from eec_datasets.rendering.blocks import blocks_of
from eec_datasets.rendering.frames import role_form
from eec_datasets.rendering.items import choose, items_of

NAMES = ["en-black-white", "es-anglo-latino", "ar-anglo-arab"]


def best(work, rounds=9):
    """Shortest wall time of several runs, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def cast(name):
    """What a rendering of a config works on."""
    config = corpora.find(name)
    choice = choose(config.locale, config.spec, {}, None)
    persons = [person for person in config.locale.persons if person.set in choice.sets]
    return config, choice, persons


def sentences(name):
    """All sentences of a config, by frames (caches begin empty)."""
    config, choice, persons = cast(name)
    items = items_of(config.locale, choice, persons)
    return [text for block in blocks_of(config.locale, items, persons, choice, []) for text in block.texts]


@pytest.mark.parametrize("name", NAMES)
def test_frames_render_a_config(name, benchmark):
    assert len(benchmark(sentences, name)) == 8640


def test_frames_are_many_times_faster_than_a_template_per_sentence():
    config, choice, persons = cast("en-black-white")
    locale, setting = config.locale, choice.setting
    template = compiled("{{ person }} feels {{ word }}.")
    forms = [role_form(locale, person, "nom", setting) for person in persons] * 144

    def one_by_one():
        return [template.render(person=form, word="angry") for form in forms]

    assert best(one_by_one, 3) / best(lambda: sentences("en-black-white")) > 5


def test_frames_stay_near_bare_f_strings():
    columns = corpora.render("en-black-white").columns
    people, words = columns["person_form"], columns["word_form"]

    def bare():
        return [f"{person} made me feel {word}." for person, word in zip(people, words, strict=True)]

    assert best(lambda: sentences("en-black-white")) / best(bare) < 30
