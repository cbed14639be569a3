"""Features that a template asks of its words for one class of persons: each slot hands some to its word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.locale.templating import Agreement, parts_of

if TYPE_CHECKING:
    from eec_datasets.locale.model import Person, Template, Word
    from eec_datasets.render.choice import Choice


PersonClass: TypeAlias = tuple[object, ...]
"""Features that persons share if words agree with them in the same way."""


@dataclass(frozen=True, slots=True)
class AgreementRequest:
    """One slot: each of `words` must have a form for `features`.

    Attributes
    ----------
    template, person : what asks, and for whom.
    slot : its name in the template; ``person`` for the person.
    words : the function word, or all emotion words; none where the slot is the person.
    role : the role of the person, where the slot is the person.
    controller : who the word agrees with, as the template names it.
    """

    template: Template
    person: Person
    slot: str
    words: Sequence[Word] = ()
    features: Mapping[str, str] = field(default_factory=dict)
    role: str | None = None
    controller: str | None = None


def requests(
    choice: Choice, template: Template, text: str, person: Person, speaker: str | None
) -> Iterator[AgreementRequest]:
    """Every slot of a template text for a person of this class, in order.

    A word that agrees with the emotion word is asked once for every kind of emotion word there is.
    """
    locale = choice.locale
    emotion_words = tuple(word for word in locale.words_of(template.kind) if word.file in choice.word_files)
    controllers: Mapping[str | None, Sequence[Mapping[str, str]]] = {
        None: [{}],
        "person": [person.gram],
        "speaker": [locale.speaker.features(speaker)],
        **{f"noun.{name}": [noun.gram] for name, noun in locale.nouns.items()},
        **{name: [word.gram] for name, word in template.words.items()},
    }
    for part in parts_of(text):
        if isinstance(part, Agreement):
            words = (template.words[part.word],) if part.word in template.words else emotion_words
            kinds = {tuple(word.gram.items()) for word in emotion_words} if part.controller == template.kind else ()
            for gram in controllers.get(part.controller) or map(dict, sorted(kinds)):
                features = {**gram, **part.fixed, **choice.features}
                yield AgreementRequest(template, person, part.word, words, features, controller=part.controller)
        elif isinstance(part, tuple) and part[0] == "person":
            yield AgreementRequest(template, person, "person", role=part[1])


def class_of(person: Person) -> PersonClass:
    """Persons of one class get the same sentence but for their own form."""
    return (person.type, tuple(person.gram.items()), person.partial)


def kind_of(person: Person) -> PersonClass:
    """Persons of one kind are of one class and gender."""
    return (class_of(person), person.identity["gender"])
