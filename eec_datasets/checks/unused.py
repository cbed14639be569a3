"""What no sentence shows: rows, roles, nouns, words of templates, sets of persons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.asking import parts
from eec_datasets.checks.report import Finding
from eec_datasets.locale.templating import Agreement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.checks.forms import Forms
    from eec_datasets.checks.trials import Subject
    from eec_datasets.locale.model import Form, Place, Template, Word


def unused(checked: Subject, forms: Forms) -> Iterator[Finding]:
    """Rows, roles, nouns, words of templates and sets of persons that no sentence shows."""
    locale = checked.locale
    for word in locale.words:
        for form in word.forms:
            yield from _unused_form(word, form, id(form) in forms.used)
    for template in locale.templates:
        yield from _unused_words(template, forms)
    yield from _unused_levels(checked)
    yield from _unused_names(checked, forms)


def _unused_form(word: Word, form: Form, used: bool) -> Iterator[Finding]:
    if used and form.reserve:
        what = f"'{form.text}' of '{word.id}' is kept in reserve, and a template asks for it"
        yield Finding("warning", "unused", form.place, what, "Empty the column use")
    if not used and not form.reserve:
        what = f"no template asks for '{form.text}', a form of '{word.id}'"
        yield Finding("warning", "unused", form.place, what, "Remove the row, or write reserve into the column use")


def _unused_words(template: Template, forms: Forms) -> Iterator[Finding]:
    texts = [text for p in (template.pattern, *template.variants.values()) for text in p.texts.values()]
    shown = {part.word for text in texts for part in parts(text) if isinstance(part, Agreement)}
    for word in template.words.values():
        if word.id not in shown:
            what = f"template {template.id} lists forms of '{word.id}' and does not show it"
            yield Finding("warning", "unused", word.place, what, f"Put {{{{ {word.id} }}}} into the text, or remove it")
            continue
        for form in word.forms:
            if id(form) not in forms.used:
                what = f"nobody asks for '{form.text}', a form of '{word.id}' in template {template.id}"
                yield Finding("warning", "unused", form.place, what, "Remove it")


def _unused_levels(checked: Subject) -> Iterator[Finding]:
    """Forms of identity levels that stand in no person's cell."""
    for axis, levels in checked.locale.levels.items():
        for level, word in levels.items():
            cells = [
                text
                for person in checked.locale.persons
                if person.identity.get(axis) == level
                for text in person.roles.values()
            ]
            for form in word.forms:
                if not form.reserve and not any(form.text in cell for cell in cells):
                    what = f"no base phrase in persons.csv asks for '{form.text}', a form of '{level}'"
                    yield Finding("warning", "unused", form.place, what, "Remove the row, or add a base phrase")


def _unused_names(checked: Subject, forms: Forms) -> Iterator[Finding]:
    locale, toml = checked.locale, checked.locale_toml
    for name in locale.roles:
        if name not in forms.roles and not any(role.like == name for role in locale.roles.values()):
            yield Finding(
                "warning", "unused", toml.place("roles", name), f"no template asks for the role '{name}'", "Remove it"
            )
    used = _nouns_shown(locale.templates)
    for noun in locale.nouns:
        if noun not in used:
            yield Finding(
                "warning", "unused", toml.place("nouns", noun), f"no template shows the noun '{noun}'", "Remove it"
            )
    asked = {name for spec in locale.configs.values() for name in (*spec.sets, *spec.optional)}
    first: Mapping[str, Place] = {person.set: person.place for person in reversed(locale.persons)}
    for name, place in first.items():
        if name not in asked:
            yield Finding(
                "warning", "unused", place, f"no config asks for the set '{name}'", "Name it in a config, or remove it"
            )


def _nouns_shown(templates: Sequence[Template]) -> set[str]:
    used = set()
    for template in templates:
        for pattern in (template.pattern, *template.variants.values()):
            for text in pattern.texts.values():
                for part in parts(text):
                    if isinstance(part, tuple) and part[0] == "noun":
                        used.add(part[1])
                    elif isinstance(part, Agreement) and (part.controller or "").startswith("noun."):
                        used.add(str(part.controller)[5:])
    return used
