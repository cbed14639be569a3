"""A template with its persons put in, the place of the emotion word left open.

A template's text depends on few features of the person, so its words are chosen once per class of persons; a sentence
is then a string join.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.errors import NoForm, RenderError
from eec_datasets.locale.agreement import select
from eec_datasets.locale.finishing import all_begun
from eec_datasets.locale.templating import Agreement, parts_of, read_slots

if TYPE_CHECKING:
    from eec_datasets.locale.model import Person, Template, Word
    from eec_datasets.render.choice import Choice

Asks: TypeAlias = "tuple[tuple[str, str], ...]"
"""Features that the emotion word must have: pairs of feature and value."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands before (in sentence case) and after the emotion word, one per person; where there is none, `before`.

    Attributes
    ----------
    persons : who has a sentence; where nobody is lost, the very sequence that was put in.
    asks : the different demands on the emotion word.
    asks_at : which of them each person makes.
    lost : persons that a word of the template has no form for, and why.
    final : the template's own final mark, if it has one.
    """

    persons: Sequence[Person]
    before: list[str]
    after: list[str]
    asks: dict[Asks, int]
    asks_at: list[int]
    lost: list[tuple[Person, NoForm]]
    final: str | None = None


@dataclass(frozen=True, slots=True)
class Alike:
    """Persons of one class: their sentences differ in their own forms only.

    Attributes
    ----------
    at : their places among all persons.
    forms : their forms by role, as far as a template asked for them.
    """

    persons: list[Person] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    forms: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cast:
    """Persons, the same by class in order of first appearance, and the frames that they have been put in so far."""

    persons: Sequence[Person]
    classes: Sequence[Alike]
    frames: dict[tuple[object, ...], Frame] = field(default_factory=dict)


def cast_of(persons: Sequence[Person]) -> Cast:
    """The persons with their classes."""
    classes: dict[tuple[object, ...], Alike] = {}
    for at, person in enumerate(persons):
        alike = classes.setdefault((person.type, *person.gram.items()), Alike())
        alike.persons.append(person)
        alike.at.append(at)
    return Cast(persons, list(classes.values()))


def frame_of(choice: Choice, template: Template, speaker: str | None, gram: Mapping[str, str], cast: Cast) -> Frame:
    """A template with persons put into it, made once.

    Parameters
    ----------
    speaker : gender of "me", where the sentence shows it.
    gram : grammar of the emotion word, where anything agrees with it.

    Raises
    ------
    RenderError : a person has no text or no form, or the template refuses them.
    """
    key = (template.id, speaker, *gram.items())
    if key not in cast.frames:
        cast.frames[key] = _frame(choice, template, speaker, gram, cast)
    return cast.frames[key]


def _frame(choice: Choice, template: Template, speaker: str | None, gram: Mapping[str, str], cast: Cast) -> Frame:
    asks_of: dict[Asks, int] = {}
    lost: list[tuple[Person, NoForm]] = []
    rows: list[tuple[int, str, str, int]] = []
    meeting = (template.id, speaker, *gram.items())
    for alike in cast.classes:
        first = alike.persons[0]
        key = (meeting, first.type, *first.gram.items())
        if key not in choice.texts:
            _refuse(choice, template, first)
            choice.texts[key] = _render(choice, template, speaker, gram, first)
        text = choice.texts[key]
        if isinstance(text, NoForm):
            lost += [(person, text) for person in alike.persons]
            continue
        before, after, asks = text
        begins = all_begun(_filled(before, choice, alike), choice.locale.finish)
        ends, asked = _filled(after, choice, alike), asks_of.setdefault(asks, len(asks_of))
        rows += zip(alike.at, begins, ends, repeat(asked), strict=False)
    rows.sort(key=itemgetter(0))
    return Frame(
        persons=[cast.persons[row[0]] for row in rows] if lost else cast.persons,
        before=[row[1] for row in rows],
        after=[row[2] for row in rows],
        asks=asks_of,
        asks_at=[row[3] for row in rows],
        lost=lost,
        final=template.final,
    )


def _filled(pieces: Sequence[str], choice: Choice, alike: Alike) -> list[str]:
    """Texts and roles in turn, the roles as the forms of each person."""
    texts = [pieces[0]] * len(alike.persons)
    for role, after in zip(pieces[1::2], pieces[2::2], strict=True):
        if role not in alike.forms:
            alike.forms[role] = [choice.role_form(person, role) for person in alike.persons]
        texts = [f"{text}{form}{after}" for text, form in zip(texts, alike.forms[role], strict=True)]
    return list(map(choice.bare, texts)) if choice.strip else texts


def _refuse(choice: Choice, template: Template, person: Person) -> None:
    reasons = template.refuses.get(person.type, {}) if template.id in choice.plain else {}
    for value, reason in reasons.items():
        if value in person.gram.values():
            raise RenderError(f"{template.place}: template {template.id} refuses '{person.id}': {reason}")


def _render(
    choice: Choice, template: Template, speaker: str | None, gram: Mapping[str, str], person: Person
) -> tuple[list[str], list[str], Asks] | NoForm:
    """The pieces before and after the emotion word and what is asked of it, for persons of one class."""
    text = choice.patterns[template.id].text(person.type, person.gram.values())
    if text is None:
        raise RenderError(
            f"{template.place}: template {template.id} has no text for a {person.type}. Add text.{person.type}"
        )
    before: list[str] | None = None
    pieces: list[str] = [""]
    asks: Asks = ()
    for part in parts_of(text):
        if isinstance(part, str):
            pieces[-1] += part
        elif not isinstance(part, Agreement):
            owner, name = part
            if owner == "noun":
                pieces[-1] += choice.locale.nouns[name].form
            else:
                pieces += [name, ""]
        else:
            governs = gram if part.controller == template.kind else gram_of(part, choice, template, person, speaker)
            features = {**governs, **part.fixed, **choice.features}
            if part.word not in template.words:
                before, pieces, asks = pieces, [""], tuple(features.items())
                continue
            try:
                pieces[-1] += select(template.words[part.word], features).text
            except NoForm as error:
                return error
    return (pieces, [""], ()) if before is None else (before, pieces, asks)


def gram_of(
    part: Agreement, choice: Choice, template: Template, person: Person, speaker: str | None
) -> Mapping[str, str]:
    """The features of whom a word of a template agrees with, unless that is the emotion word."""
    controller = part.controller
    if controller is None:
        return {}
    if controller == "person":
        return person.gram
    if controller == "speaker":
        return choice.locale.speaker.features(speaker)
    if controller.startswith("noun."):
        return choice.locale.nouns[controller[5:]].gram
    return template.words[controller].gram


def word_gram(choice: Choice, template: Template, word: Word) -> Mapping[str, str]:
    """The grammar of the emotion word where anything in the template agrees with it, else nothing."""
    if not word.gram:
        return {}
    slots = map(read_slots, choice.patterns[template.id].texts.values())
    governs = any(agreement.controller == template.kind for some in slots for agreement in some.agreements)
    return word.gram if governs else {}
