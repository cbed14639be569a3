"""A template with its persons put in, the place of the emotion word left open.

A template's text depends on few features of the person, so Jinja2 renders it once per class of persons, with marks in
place of the person's forms; a sentence is then a string join.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.errors import NoForm, RenderError
from eec_datasets.locale.agreement import select
from eec_datasets.locale.finishing import in_sentence_case
from eec_datasets.locale.templating import Controller, TemplateWord, compiled, read_slots

if TYPE_CHECKING:
    from eec_datasets.locale.model import Person, Template, Word
    from eec_datasets.render.choice import Choice

OPEN, CLOSE = "\ue000", "\ue001"
MARK = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
"""Stands for the person in a role, or for the emotion word where it names none."""

Demand: TypeAlias = "tuple[tuple[str, str], ...]"
"""Features that the emotion word must have: pairs of feature and value."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The texts before (in sentence case) and after the emotion word, one per person; without one all is in `before`.

    Attributes
    ----------
    persons : who has a sentence; where nobody is lost, the very sequence that was put in.
    demands : the different demands on the emotion word.
    demand_of : the number of the one that each person makes.
    lost : persons that a word of the template has no form for, and why.
    final : the template's own final mark, if it has one.
    """

    persons: Sequence[Person]
    before: list[str]
    after: list[str]
    demands: dict[Demand, int]
    demand_of: list[int]
    lost: list[tuple[Person, NoForm]]
    final: str | None = None


@dataclass(frozen=True, slots=True)
class AgreementClass:
    """Persons of one class: their sentences differ in their own forms only.

    Attributes
    ----------
    positions : their places among all persons.
    forms : their forms by role, as far as a template asked for them.
    """

    persons: list[Person] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    forms: dict[str, list[str]] = field(default_factory=dict)


def classes_of(persons: Sequence[Person]) -> list[AgreementClass]:
    """The persons by class, in order of first appearance."""
    classes: dict[tuple[object, ...], AgreementClass] = {}
    for position, person in enumerate(persons):
        same_class = classes.setdefault((person.type, *person.gram.items()), AgreementClass())
        same_class.persons.append(person)
        same_class.positions.append(position)
    return list(classes.values())


def make_frame(
    choice: Choice, template: Template, speaker: str | None, gram: Mapping[str, str], persons: Sequence[Person],
    classes: Sequence[AgreementClass],
) -> Frame:  # fmt: skip
    """Put persons, of these classes, into a template.

    Parameters
    ----------
    speaker : gender of "me", where the sentence shows it.
    gram : grammar of the emotion word, where anything agrees with it.

    Raises
    ------
    RenderError : a person has no text or no form, or the template refuses them.
    """
    asks_of: dict[Demand, int] = {}
    lost: list[tuple[Person, NoForm]] = []
    rows: list[tuple[int, str, str, int]] = []
    meeting = (template.id, speaker, *gram.items())
    for members in classes:
        first = members.persons[0]
        key = (meeting, first.type, *first.gram.items())
        if key not in choice.texts:
            refused = template.refuses.get(first.type, {}) if template.id in choice.plain else {}
            if reasons := [reason for value, reason in refused.items() if value in first.gram.values()]:
                raise RenderError(f"{template.place}: template {template.id} refuses '{first.id}': {reasons[0]}")
            choice.texts[key] = _render(choice, template, speaker, gram, first)
        text = choice.texts[key]
        if isinstance(text, NoForm):
            lost += [(person, text) for person in members.persons]
            continue
        before, after, demand_text = text
        begins = in_sentence_case(_filled(before, choice, members), choice.locale.finish)
        ends, demand = _filled(after, choice, members), asks_of.setdefault(demand_text, len(asks_of))
        rows += zip(members.positions, begins, ends, repeat(demand), strict=False)
    rows.sort(key=itemgetter(0))
    return Frame(
        persons=[persons[row[0]] for row in rows] if lost else persons,
        before=[row[1] for row in rows],
        after=[row[2] for row in rows],
        demands=asks_of,
        demand_of=[row[3] for row in rows],
        lost=lost,
        final=template.final,
    )


def _filled(pieces: Sequence[str], choice: Choice, members: AgreementClass) -> list[str]:
    """Texts and roles in turn, the roles as the forms of each person."""
    texts = [pieces[0]] * len(members.persons)
    for role, after in zip(pieces[1::2], pieces[2::2], strict=True):
        if role not in members.forms:
            members.forms[role] = [choice.role_form(person, role) for person in members.persons]
        texts = [f"{text}{form}{after}" for text, form in zip(texts, members.forms[role], strict=True)]
    return list(map(choice.bare, texts)) if choice.strip else texts


def _render(
    choice: Choice, template: Template, speaker: str | None, gram: Mapping[str, str], person: Person
) -> tuple[list[str], list[str], Demand] | NoForm:
    """The pieces before and after the emotion word and what is asked of it, for persons of one class."""
    text = choice.patterns[template.id].text(person.type, person.gram.values())
    if text is None:
        raise RenderError(
            f"{template.place}: template {template.id} has no text for a {person.type}. Add text.{person.type}"
        )
    asks: list[Demand] = []

    def emotion_word(features: Mapping[str, str]) -> str:
        asks.append(tuple({**features, **choice.features}.items()))
        return OPEN + CLOSE

    def chosen(word: Word, features: Mapping[str, str]) -> str:
        return select(word, {**features, **choice.features}).text

    locale = choice.locale
    context = {
        "person": Controller(person.gram, {role: f"{OPEN}{role}{CLOSE}" for role in locale.roles}),
        "speaker": Controller(locale.speaker.features(speaker)),
        "noun": locale.nouns,
        **{name: TemplateWord(partial(chosen, word), word.gram) for name, word in template.words.items()},
        template.kind: TemplateWord(emotion_word, gram),
    }
    try:
        pieces = MARK.split(compiled(text).render(context))
    except NoForm as error:
        return error
    if not asks:
        return pieces, [""], ()
    split = 1 + 2 * pieces[1::2].index("")
    return pieces[:split], pieces[split + 1 :], asks[0]


def word_gram(choice: Choice, template: Template, word: Word) -> Mapping[str, str]:
    """The grammar of the emotion word where anything in the template agrees with it, else nothing."""
    if not word.gram:
        return {}
    slots = map(read_slots, choice.patterns[template.id].texts.values())
    governs = any(agreement.controller == template.kind for some in slots for agreement in some.agreements)
    return word.gram if governs else {}
