"""What a template asks of its words for one class of persons: the features that each slot hands to its word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from eec_datasets.locale.templating import Agreement, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from eec_datasets.locale.model import Locale, Person, Template, Word
    from eec_datasets.render.frames import Setting


@dataclass(frozen=True, slots=True)
class Asked:
    """One slot: `word` is the function word that must have a form for `features`, None for the emotion word.

    Attributes
    ----------
    slot : its name in the template; ``person`` for the person.
    at : its position among the parts of the text.
    role : the role of the person, where the slot is the person.
    controller : who the word agrees with, as the template names it.
    """

    slot: str
    at: int
    word: Word | None = None
    features: Mapping[str, str] | None = None
    role: str | None = None
    controller: str | None = None


@lru_cache(maxsize=1024)
def parts(text: str) -> tuple[str | tuple[str, str] | Agreement, ...]:
    """What a template text is made of (see `parts_of`), parsed once."""
    return parts_of(text)


def asked_of(
    locale: Locale, template: Template, text: str, gram: Mapping[str, str], speaker: str | None, setting: Setting
) -> Iterator[Asked]:
    """Every slot of a template text for a person of this class, in order.

    A word that agrees with the emotion word is asked once for every kind of emotion word there is.
    """
    for at, part in enumerate(parts(text)):
        if isinstance(part, Agreement):
            for features in _features(locale, template, part, gram, speaker):
                yield Asked(
                    part.word, at, template.words.get(part.word), {**features, **setting.features},
                    controller=part.controller,
                )  # fmt: skip
        elif isinstance(part, tuple) and part[0] == "person":
            yield Asked("person", at, role=part[1])


def _features(
    locale: Locale, template: Template, part: Agreement, gram: Mapping[str, str], speaker: str | None
) -> Iterator[Mapping[str, str]]:
    controller = part.controller
    if controller is None:
        yield part.fixed
    elif controller == "person":
        yield {**gram, **part.fixed}
    elif controller == "speaker":
        yield {**speaker_gram(locale, speaker), **part.fixed}
    elif controller.startswith("noun."):
        yield {**locale.nouns[controller[5:]].gram, **part.fixed}
    elif controller == template.kind:
        kinds = {tuple(word.gram.items()) for word in locale.words_of(template.kind)}
        yield from ({**dict(kind), **part.fixed} for kind in sorted(kinds))
    else:
        yield {**template.words[controller].gram, **part.fixed}


def speaker_gram(locale: Locale, speaker: str | None) -> Mapping[str, str]:
    """The features of "me"."""
    if speaker is None:
        return locale.speaker.gram
    return {**locale.speaker.gram, "gender": locale.speaker.genders[speaker]}


def class_of(person: Person) -> tuple[object, ...]:
    """Persons of one class get the same sentence but for their own form."""
    return (person.type, tuple(person.gram.items()), person.partial)
