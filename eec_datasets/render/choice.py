"""Choice for a rendering: variants of templates, options, persons and the speaker of a locale."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import InputError, RenderError
from eec_datasets.locale.model import UNMARKED, WORD_FILES, Pattern
from eec_datasets.render.grid import grid_of

if TYPE_CHECKING:
    from eec_datasets.locale.model import ConfigSpec, Locale, Person, Template
    from eec_datasets.render.grid import Cell

SPEAKERS = ("female", "male", "crossed")
WORDS = ("published", "revised")
"""Whose words a corpus has: those of the papers' corpora, or those that a later reading proposed."""
WORDING = "wording"
"""The option of a language under which its words were revised."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A locale under the choice that was made, resolved.

    Attributes
    ----------
    sets : the sets of persons.
    persons : the persons of the sets, in file order; of mentions, those of the groups that the names stand for.
    grid : the templates and words that meet.
    patterns : the texts of each template, by its id.
    plain : the templates whose texts are not those of a variant.
    features : the values of the options.
    redirects : roles that the options put others in the place of.
    strip : characters that the options take away.
    speaker : ``female``, ``male`` or ``crossed``.
    word_files : the files whose emotion words the templates meet.
    texts : template texts rendered so far, by what they depend on.
    """

    locale: Locale
    sets: tuple[str, ...]
    persons: tuple[Person, ...]
    grid: Sequence[Cell]
    patterns: Mapping[str, Pattern]
    plain: frozenset[str]
    features: Mapping[str, str]
    redirects: Mapping[str, str]
    strip: re.Pattern[str] | None
    speaker: str | None
    word_files: Sequence[str] = WORD_FILES[:1]
    texts: dict[tuple[object, ...], Any] = field(default_factory=dict)

    def bare(self, text: str) -> str:
        """The text without the characters this choice takes away."""
        return self.strip.sub("", text) if self.strip else text

    def form(self, person: Person, role: str) -> str | None:
        """The form of a person in a role: its own cell, else the cell of the role that serves for it, if any."""
        needed: str | None = role
        while needed is not None:
            form = person.roles.get(self.redirects.get(needed, needed)) or person.roles.get(needed)
            if form:
                return form
            rule = self.locale.roles[needed]
            needed = rule.like if person.type in rule.types else None
        return None

    def role_form(self, person: Person, role: str) -> str:
        """The form of a person in a role (see `form`), which must be there."""
        if form := self.form(person, role):
            return form
        raise RenderError(
            f"{person.place}: '{person.id}' ({person.type}) has no form '{role}', and no form that may replace it. "
            f"Fill the column {role}, or give the template a text of its own for {person.type}"
        )


def choose(
    locale: Locale,
    spec: ConfigSpec | None = None,
    variants: Mapping[str, str] | None = None,
    speaker: str | None = None,
    items: str | None = None,
    words: str | None = None,
) -> Choice:
    """Resolve what was asked for against what the locale has; without a config, no persons are chosen.

    Raises
    ------
    InputError : a key or value of `variants`, the speaker, or templates and words that the locale does not have.
    """
    own_variants = dict(spec.variants) if spec else {}
    if words is not None:
        own_variants = _with_words(locale, own_variants, _one_of("words", words, WORDS))
    templates = {template.id: template for template in locale.templates}
    sets = list(spec.sets) if spec else []
    patterns = {name: template.pattern for name, template in templates.items()}
    options = {name: option.default for name, option in locale.options.items()}
    for key, value in {**own_variants, **(variants or {})}.items():
        if key in templates:
            patterns[key] = _variant(templates[key], value, patterns[key])
        elif key in options:
            options[key] = _one_of(f"option '{key}'", value, locale.options[key].values)
        elif key == "persons" and spec:
            sets.append(_optional_set(locale, spec, value))
        else:
            available = [name for name, template in templates.items() if template.variants]
            available += [*options, *(["persons"] if spec and spec.optional else [])]
            raise InputError(
                f"no variant '{key}' in locale '{locale.tag}'; there are: {', '.join(available) or 'none'}"
            )
    persons = [person for person in locale.persons if person.set in sets]
    races = {person.identity["race"] for person in persons if person.type == "name"}
    speaker_asked = speaker or (spec and spec.speaker) or locale.speaker.default
    if speaker_asked is not None:
        _one_of("speaker", speaker_asked, SPEAKERS)
    redirects: dict[str, str] = {}
    for name, value in options.items():
        redirects |= locale.options[name].roles.get(value, {})
    grid = grid_of(locale, spec, items)
    words_of = {id(word): word.under(options) for word in {id(word): word for _, word in grid}.values()}
    strips = [strip for name, value in options.items() if (strip := locale.options[name].strip.get(value))]
    return Choice(
        locale,
        tuple(sets),
        tuple(p for p in persons if p.type != "mention" or not races or p.identity["race"] in {*races, UNMARKED}),
        tuple((template, words_of[id(word)]) for template, word in grid),
        patterns,
        plain=frozenset(name for name in templates if patterns[name] is templates[name].pattern),
        features=options,
        redirects=redirects,
        strip=re.compile("|".join(strips)) if strips else None,
        speaker=speaker_asked,
        word_files=spec.words if spec else WORD_FILES[:1],
    )


def _with_words(locale: Locale, variants: Mapping[str, str], words: str) -> dict[str, str]:
    """The variants of a config with other words: the options of the language as the papers' corpora have them."""
    others = {key: value for key, value in variants.items() if key not in locale.options}
    if words == "published":
        return others
    wording = locale.options.get(WORDING)
    if wording is None or words not in wording.values:
        raise InputError(
            f"words is '{words}', and the language '{locale.tag}' has no words that were revised. Leave words out"
        )
    return {**variants, WORDING: words}


def _optional_set(locale: Locale, spec: ConfigSpec, value: str) -> str:
    if value not in spec.optional and value.startswith("neutral") and locale.neutral_refused:
        raise InputError(f"persons is '{value}': {locale.neutral_refused}")
    return _one_of("persons", value, spec.optional)


def _one_of(label: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise InputError(f"{label} is '{value}'; it can be: {', '.join(allowed) or 'nothing else here'}")
    return value


def _variant(template: Template, value: str, base: Pattern) -> Pattern:
    if value == "default":
        return base
    _one_of(f"the variant of template {template.id}", value, ["default", *template.variants])
    texts = template.variants[value].texts
    return Pattern(texts if "default" in texts else {**base.texts, **texts})
