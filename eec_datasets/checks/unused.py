"""What no sentence shows: rows, roles, nouns, words of templates, sets of persons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.report import finding
from eec_datasets.locale.templating import nouns_in, read_slots
from eec_datasets.render.grid import asked_templates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.checks.report import Finding
    from eec_datasets.checks.subject import Subject


def unused_findings(checked: Subject) -> Iterator[Finding]:
    """Rows, roles, nouns, words of templates and sets of persons that no sentence shows."""
    locale, toml = checked.locale, checked.locale_toml
    yield from _unused_forms(checked)
    for axis, levels in locale.levels.items():
        for level, word in levels.items():
            persons = (person for person in locale.persons if person.identity.get(axis) == level)
            cells = "\n".join(text for person in persons for text in person.roles.values())
            for form in word.forms:
                if not form.reserve and form.text not in cells:
                    yield finding("unused.level-form", form.place, form=form.text, level=level)
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


def _unused_forms(checked: Subject) -> Iterator[Finding]:
    """Templates, and forms of words and of words of templates."""
    locale, used = checked.locale, checked.used
    for word in locale.words:
        for form in word.forms:
            if form.reserve == (id(form) in used):
                name = "unused.reserve-used" if form.reserve else "unused.form"
                yield finding(name, form.place, form=form, word=word)
    requested = asked_templates(locale, [template.id for template in locale.templates])
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
