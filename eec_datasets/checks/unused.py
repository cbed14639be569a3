"""Parts of a locale that no sentence shows: rows, roles, nouns, words of templates, sets of persons."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from eec_datasets.checks.report import finding
from eec_datasets.locale.templating import nouns_in, read_slots
from eec_datasets.render.grid import asked_templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.locale.model import Form, Locale, Person, Word

FEW = 3
"""So many forms of one kind are told one by one, more of them together."""


def unused_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Rows, roles, nouns, words of templates and sets of persons that no sentence shows."""
    locale, toml = checked.locale, checked.locale_toml
    yield from _unused_forms(checked)
    yield from _unused_templates(checked)
    for axis, levels in locale.levels.items():
        for word in levels.values():
            persons = [person for person in locale.persons if person.identity.get(axis) == word.level]
            yield from _unused_level(word, persons)
    for word in (word for words in locale.placebo_words.values() for word in words):
        yield from _unused_level(word, [person for person in locale.persons if person.placebo == word.said])
    serving = {role.like for role in locale.roles.values()}
    for role in locale.roles:
        if role not in checked.roles | serving:
            yield finding("unused.role", toml.place("roles", role), role=role)
    in_texts = nouns_in(text for template in locale.templates for text in template.texts)
    for noun in locale.nouns:
        if noun not in in_texts:
            yield finding("unused.noun", toml.place("nouns", noun), noun=noun)
    requested = {name for spec in locale.configs.values() for name in (*spec.sets, *spec.optional)}
    first = {person.set: person.place for person in reversed(locale.persons)}
    for name, place in first.items():
        if name not in requested:
            yield finding("unused.set", place, set=name)


def _unused_level(word: Word, persons: Sequence[Person]) -> Iterator[LocaleFinding]:
    """Forms that no base phrase has of a word for a level of an axis, or of a neutral one in its place."""
    cells = "\n".join(text for person in persons for text in person.roles.values())
    for form in word.forms:
        if not form.reserve and form.text not in cells:
            yield finding("unused.level-form", form.place, form=form.text, level=word.said)


def _unused_forms(checked: Subject) -> Iterator[LocaleFinding]:
    """Forms of words."""
    locale, used = checked.locale, checked.used
    idle: dict[tuple[str, ...], list[tuple[Word, Form]]] = defaultdict(list)
    for word in locale.words:
        for form in word.forms:
            if form.reserve and id(form) in used:
                yield finding("unused.reserve-used", form.place, form=form, word=word)
            elif not form.reserve and id(form) not in used:
                idle[(word.kind, *form.needs.values())].append((word, form))
    for entries in idle.values():  # a language with few templates asks for few of the forms of all its words
        word, form = entries[0]
        if len(entries) > FEW:
            yield finding("unused.forms", form.place, form=form, word=word, count=len(entries))
            continue
        for word, form in entries:
            yield finding("unused.form", form.place, form=form, word=word)


def _by_name(locale: Locale) -> set[str]:
    """Templates of the sets of corpus.toml that users ask for by name: all but those of the first, the usual one."""
    _, *by_name = locale.item_sets.templates.values() or [()]
    return {template for some in by_name for template in some}


def _unused_templates(checked: Subject) -> Iterator[LocaleFinding]:
    """Templates, and words of templates and their forms."""
    locale, used = checked.locale, checked.used
    requested = {*asked_templates(locale, [template.id for template in locale.templates]), *_by_name(locale)}
    for template in locale.templates:
        if template.id not in requested:
            yield finding("unused.template", template.place, template=template.id)
        in_texts = {agreement.word for text in template.texts for agreement in read_slots(text).agreements}
        for word in template.words.values():
            values = {"word": word.id, "template": template.id}
            if word.id not in in_texts:
                yield finding("unused.template-word", word.place, **values)
            for form in word.forms if word.id in in_texts else ():
                if id(form) not in used:
                    yield finding("unused.template-form", form.place, form=form.text, **values)
