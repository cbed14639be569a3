"""Templates → frames: what stands before and after the emotion word, with marks in place of the person.

A template's text depends on few features, so it is rendered once per class of persons (a `Frame`); a sentence is then
a string join (see `filling`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from eec_datasets.errors import RenderError
from eec_datasets.locale.agreement import select
from eec_datasets.locale.templating import CLOSE, MARK, OPEN, Agreement, Controller, Inflecting, compiled, parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.locale.model import Locale, Pattern, Person, PersonType, Template, Word

Asks = tuple[tuple[str, str], ...]
"""Features that the emotion word must have: pairs of feature and value."""


@dataclass(frozen=True, slots=True)
class RoleMark:
    """Stands for the person in a role."""

    role: str


@dataclass(frozen=True, slots=True)
class WordMark:
    """Stands for the emotion word, in the form these features ask for."""

    features: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Frame:
    """A template rendered for one class of persons: what stands before and after the emotion word.

    `asks` holds the features the emotion word must have, or None where the template has no emotion word.
    """

    before: tuple[str | RoleMark, ...]
    after: tuple[str | RoleMark, ...]
    asks: Asks | None


@dataclass(slots=True)
class Setting:
    """What a corpus is rendered under: option values as features, role redirects, characters to strip."""

    features: Mapping[str, str] = field(default_factory=dict)
    redirects: Mapping[str, str] = field(default_factory=dict)
    strip: re.Pattern[str] | None = None

    def bare(self, text: str) -> str:
        """The text without the characters this setting takes away."""
        return self.strip.sub("", text) if self.strip else text


def setting_for(locale: Locale, chosen: Mapping[str, str]) -> Setting:
    """The setting of these option values (defaults where not named)."""
    features = {name: chosen.get(name, option.default) for name, option in locale.options.items()}
    redirects: dict[str, str] = {}
    strips = []
    for name, value in features.items():
        redirects |= locale.options[name].roles.get(value, {})
        if value in locale.options[name].strip:
            strips.append(locale.options[name].strip[value])
    return Setting(features, redirects, re.compile("|".join(strips)) if strips else None)


def role_form(locale: Locale, person: Person, role: str, setting: Setting) -> str:
    """The form of a person in a role: its own cell, else the cell of the role that serves for it."""
    asked = role
    while True:
        stand_in = person.roles.get(setting.redirects.get(role, role))
        form = stand_in or person.roles.get(role)
        if form:
            return form
        rule = locale.roles[role]
        if rule.like is None or person.type not in rule.types:
            raise RenderError(
                f"{person.place}: '{person.id}' ({person.type}) has no form '{asked}', and none that may stand for it. "
                f"Fill the column {asked}, or give the template a text of its own for {person.type}"
            )
        role = rule.like


@dataclass(frozen=True, slots=True)
class Mould:
    """What all frames of a template share, whoever the person is.

    Attributes
    ----------
    template, pattern : what is rendered.
    marks : the marks of the roles; that of the emotion word comes after them.
    roles : per role the text that stands for its mark.
    context : everything a template may name but person and emotion word.
    features : of the setting.
    governs : whether anything agrees with the emotion word, so that frames differ by its grammar.
    """

    template: Template
    pattern: Pattern
    marks: tuple[RoleMark, ...]
    roles: Mapping[str, str]
    context: Mapping[str, object]
    features: Mapping[str, str]
    governs: bool


def make_mould(locale: Locale, pattern: Pattern, template: Template, speaker: str | None, setting: Setting) -> Mould:
    """Prepare a template for its frames, for one gender of the speaker."""

    def function_word(word: Word) -> Inflecting:
        return Inflecting(lambda features: select(word, {**features, **setting.features}).text, word.gram)

    context = {
        "speaker": Controller(_speaker_gram(locale, speaker)),
        "noun": {name: Controller(noun.gram, form=noun.form) for name, noun in locale.nouns.items()},
        **{name: function_word(word) for name, word in template.words.items()},
    }
    return Mould(
        template,
        pattern,
        tuple(RoleMark(role) for role in locale.roles),
        {role: f"{OPEN}{at}{CLOSE}" for at, role in enumerate(locale.roles)},
        context,
        setting.features,
        any(_governs(text, template.kind) for text in pattern.texts.values()),
    )


@lru_cache(maxsize=4096)
def _governs(text: str, word: str) -> bool:
    return any(isinstance(part, Agreement) and part.controller == word for part in parts_of(text))


def make_frame(mould: Mould, person_type: PersonType, gram: Mapping[str, str], word_gram: Mapping[str, str]) -> Frame:
    """Render a template once for a class of persons.

    Raises
    ------
    NoForm : a function word has no form for the class.
    RenderError : there is no text for this type of person.
    """
    template = mould.template
    text = mould.pattern.text(person_type)
    if text is None:
        raise RenderError(
            f"{template.place}: template {template.id} has no text for a {person_type}. Add text.{person_type}"
        )
    marks: list[RoleMark | WordMark] = list(mould.marks)
    context = {**mould.context, "person": Controller(gram, mould.roles)}
    if template.kind != "neutral":
        context[template.kind] = Inflecting(partial(_mark_word, marks, mould.features), word_gram)
    source = compiled(text)
    # As `render` does, without copying the globals, which no template may name.
    pieces = MARK.split("".join(source.root_render_func(source.new_context(context, shared=True))))
    return _split(template, [piece if at % 2 == 0 else marks[int(piece)] for at, piece in enumerate(pieces) if piece])


def _mark_word(marks: list[RoleMark | WordMark], fixed: Mapping[str, str], features: Mapping[str, str]) -> str:
    marks.append(WordMark({**features, **fixed}))
    return f"{OPEN}{len(marks) - 1}{CLOSE}"


def _split(template: Template, parts: list[str | RoleMark | WordMark]) -> Frame:
    sides: list[list[str | RoleMark]] = [[]]
    asks = []
    for part in parts:
        if isinstance(part, WordMark):
            asks.append(tuple(part.features.items()))
            sides.append([])
        else:
            sides[-1].append(part)
    if len(asks) > 1 or (template.kind != "neutral" and not asks):
        raise RenderError(
            f"{template.place}: template {template.id} shows its emotion word {len(asks)} times. Show it once"
        )
    return Frame(tuple(sides[0]), tuple(sides[1]) if asks else (), asks[0] if asks else None)


def _speaker_gram(locale: Locale, speaker: str | None) -> Mapping[str, str]:
    if speaker is None:
        return locale.speaker.gram
    return {**locale.speaker.gram, "gender": locale.speaker.genders[speaker]}


def word_form(word: Word, asks: Asks, setting: Setting) -> str:
    """The form of an emotion word that a frame asks for."""
    return setting.bare(select(word, dict(asks)).text)
