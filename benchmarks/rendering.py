"""Rendering, and two rivals in the same run: one compiled `template.render` per sentence, and bare f-strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from benchmarks.workloads import Workload
from eec_datasets import corpora
from eec_datasets.locale.agreement import select
from eec_datasets.locale.finishing import finished
from eec_datasets.locale.templating import Controller, TemplateWord, compiled, parts_of
from eec_datasets.render.choice import choose
from eec_datasets.render.items import items_of

PAPERS = ("en-black-white", "es-anglo-latino", "ar-anglo-arab")
BULK = "en-country"
PER_SECOND = 600_000


def chosen(name: str) -> Any:
    """Return what a rendering of a config works on, its caches empty."""
    config = corpora.find(name)
    return choose(config.locale, config.spec)


def sentences(name: str) -> list[str]:
    """Render all sentences of a config by frames."""
    choice = chosen(name)
    return [text for item in items_of(choice, choice.persons, []) for text in item.texts]


def contexts(choice: Any) -> Iterator[tuple[str, Any, dict[str, Any], str | None]]:
    """Yield per sentence its id, its compiled template, all that the template may name, and its own final mark."""
    locale, features = choice.locale, choice.features
    for item in items_of(choice, choice.persons, []):
        speaker = item.speaker if item.speaker in locale.speaker.genders else locale.speaker.default
        words = dict(item.template.words)
        if item.word:
            words[item.template.kind] = item.word
        shared = {"speaker": Controller(locale.speaker.features(speaker)), "noun": locale.nouns} | {
            key: TemplateWord(lambda asked, w=word: select(w, {**asked, **features}).text, word.gram)
            for key, word in words.items()
        }
        for person in choice.persons:
            text = choice.patterns[item.template.id].text(person.type, person.gram.values())
            roles = [part[1] for part in parts_of(text) if isinstance(part, tuple) and part[0] == "person"]
            forms = {role: choice.role_form(person, role) for role in roles}
            context = {**shared, "person": Controller(person.gram, forms)}
            yield f"{item.id}/{person.id}", compiled(text), context, item.template.final


@cache
def ready(name: str) -> tuple[Any, list[tuple[str, Any, dict[str, Any], str | None]]]:
    """Return the finish of a config, and all that its sentences are rendered from."""
    choice = chosen(name)
    return choice.locale.finish, list(contexts(choice))


def one_by_one(finish: Any, each: Iterable[tuple[str, Any, dict[str, Any], str | None]]) -> dict[str, str]:
    """Render sentences, by their ids, with one `template.render` each; all else is ready before."""
    return {key: finished([template.render(context)], finish, final)[0] for key, template, context, final in each}


@cache
def words_of(name: str) -> tuple[list[str], list[str]]:
    """Return the person and the emotion word of every sentence."""
    columns = corpora.render(name).columns
    return columns["person_form"], columns["word_form"]


def bare(name: str) -> list[str]:
    """Make as many sentences with an f-string each."""
    return [f"{person} made me feel {word}." for person, word in zip(*words_of(name), strict=True)]


def workloads() -> list[Workload]:
    """Return the rows of the table."""
    rows = {name: len(words_of(name)[0]) for name in (*PAPERS, BULK)}
    for name in (*PAPERS, BULK):
        ready(name)
    made = [against_templates(name, rows[name]) for name in (*PAPERS, BULK)]
    against_f_strings = Workload(
        f"rendering `{BULK}`, {rows[BULK]:,} sentences",
        lambda: sentences(BULK),
        budget=rows[BULK] / PER_SECOND,
        rival_name="Python f-strings",
        rival=lambda: bare(BULK),
        ratio=0.05,
    )
    return [*made, against_f_strings]


def against_templates(name: str, rows: int) -> Workload:
    """Return the rendering of a config beside that of a template per sentence."""
    return Workload(
        f"rendering `{name}`, {rows:,} sentences",
        lambda: sentences(name),
        budget=rows / PER_SECOND,
        rival_name="one `template.render` per sentence",
        rival=lambda: one_by_one(*ready(name)),
        ratio=8,
    )
