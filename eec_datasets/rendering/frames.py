"""Templates, persons and words → sentences.

A template's text depends on few features, so it is rendered once per class of persons with marks in place of the
person and the emotion word (a `Frame`); a sentence is then a string join. What a join or a capital needs to see across
a mark's edge is handled by finishing the whole sentence instead (`Filled.text`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_datasets.errors import RenderError
from eec_datasets.locale.agreement import select
from eec_datasets.locale.finishing import capital, finished, joined, straddled
from eec_datasets.locale.templating import CLOSE, MARK, OPEN, Controller, Inflecting, compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.locale.model import Finish, Locale, Pattern, Person, PersonType, Template, Word


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
    asks: tuple[tuple[str, str], ...] | None


@dataclass(frozen=True, slots=True)
class Filled:
    """A frame with its person: what stands before and after the emotion word, finished."""

    before: str
    after: str
    plain: bool
    finish: Finish

    def text(self, form: str) -> str:
        """The sentence with this form of the emotion word."""
        if self.plain:
            return f"{self.before}{form}{self.after}"
        return finished(f"{self.before}{form}{self.after}", self.finish)


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


def make_frame(
    locale: Locale,
    pattern: Pattern,
    template: Template,
    person_type: PersonType,
    gram: Mapping[str, str],
    word_gram: Mapping[str, str],
    speaker: str | None,
    setting: Setting,
) -> Frame:
    """Render a template once for a class of persons.

    Raises
    ------
    NoForm : a function word has no form for the class.
    RenderError : there is no text for this type of person.
    """
    text = pattern.text(person_type)
    if text is None:
        raise RenderError(
            f"{template.place}: template {template.id} has no text for a {person_type}. Add text.{person_type}"
        )
    marks: list[RoleMark | WordMark] = []

    def mark(entry: RoleMark | WordMark) -> str:
        marks.append(entry)
        return f"{OPEN}{len(marks) - 1}{CLOSE}"

    def function_word(word: Word) -> Inflecting:
        return Inflecting(lambda features: select(word, {**features, **setting.features}).text, word.gram)

    roles = {role: mark(RoleMark(role)) for role in locale.roles}
    context = {
        "person": Controller(gram, roles),
        "speaker": Controller(_speaker_gram(locale, speaker)),
        "noun": {name: Controller(noun.gram, form=noun.form) for name, noun in locale.nouns.items()},
        **{name: function_word(word) for name, word in template.words.items()},
    }
    if template.kind != "neutral":
        context[template.kind] = Inflecting(
            lambda features: mark(WordMark({**features, **setting.features})), word_gram
        )
    rendered = compiled(text).render(context)
    pieces = MARK.split(rendered)
    return _split(template, [piece if at % 2 == 0 else marks[int(piece)] for at, piece in enumerate(pieces) if piece])


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


def fill(locale: Locale, frame: Frame, person: Person, setting: Setting) -> Filled:
    """Put a person into a frame and finish what can be finished without the emotion word."""
    before = _put(locale, frame.before, person, setting)
    after = _put(locale, frame.after, person, setting)
    finish = locale.finish
    if frame.asks is None:
        return Filled(finished(before, finish), "", True, finish)
    if not before or straddled(before, after, finish.joins):
        return Filled(before, after, False, finish)
    return Filled(capital(joined(before, finish), finish), joined(after, finish) + finish.final, True, finish)


def _put(locale: Locale, parts: tuple[str | RoleMark, ...], person: Person, setting: Setting) -> str:
    texts = [part if isinstance(part, str) else role_form(locale, person, part.role, setting) for part in parts]
    return setting.bare("".join(texts))


def word_form(word: Word, frame: Frame, setting: Setting) -> str:
    """The form of an emotion word that a frame asks for."""
    return setting.bare(select(word, dict(frame.asks or ())).text)
