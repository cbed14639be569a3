"""What we know of a language, made ready to recognise other people's sentences by."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from eec_datasets.corpora import find, render
from eec_datasets.errors import UnknownVariant
from eec_datasets.imported.folding import PLACEHOLDER, fold, folded_words, words
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.reading import load_locale
from eec_datasets.locale.templating import Agreement, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from eec_datasets.imported.presets import Preset
    from eec_datasets.locale.model import Locale, Person, Template, Word

T = TypeVar("T")

Ids = tuple[str, str, str]
"""Template, word or none, and person of a sentence, by our ids."""

Wording = tuple[frozenset[str], ...]
"""A template as places of words; each place lists the forms that may stand there."""


@dataclass(frozen=True)
class Reference:
    """A locale, seen from somebody else's file.

    Attributes
    ----------
    persons : those the file may mention, in the order of our lists.
    templates, words : ours by id.
    english : folded English sentence → what it says.
    """

    locale: Locale
    persons: tuple[Person, ...]
    templates: Mapping[str, Template]
    words: Mapping[str, Word]
    wordings: Mapping[str, tuple[Wording, ...]]
    english: Mapping[str, Ids]

    @cached_property
    def persons_by_name(self) -> Mapping[str, tuple[Person, ...]]:
        """Persons by every folded spelling: id, English, and each form."""
        return _by_spelling(
            (name, person) for person in self.persons for name in (person.id, person.english, *person.roles.values())
        )

    @cached_property
    def words_by_form(self) -> Mapping[str, tuple[Word, ...]]:
        """Emotion words by every folded form, and by their English id."""
        return _by_spelling(
            (text, word) for word in self.locale.words for text in (word.id, *(form.text for form in word.forms))
        )

    @cached_property
    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        """Folded word → the spellings that we know of it: in lower case, and as we write them."""
        spellings: dict[str, dict[str, str]] = defaultdict(dict)
        locale = self.locale
        inflected = [*locale.words, *(word for template in locale.templates for word in template.words.values())]
        texts = chain(
            (text for person in locale.persons for role, text in person.roles.items() if role not in locale.stand_ins),
            (form.text for word in inflected for form in word.forms),
            (noun.form for noun in locale.nouns.values()),
            locale.finish.joins.values(),
            (PLACEHOLDER.sub(" ", text) for template in locale.templates for text in template.texts),
        )
        for word in chain.from_iterable(map(words, texts)):
            spellings[fold(word)].setdefault(word.lower(), word)
        return spellings


def _by_spelling(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    by_spelling: dict[str, dict[int, T]] = defaultdict(dict)
    for name, thing in pairs:
        if name:
            by_spelling[fold(name)][id(thing)] = thing
    return {name: tuple(things.values()) for name, things in by_spelling.items()}


def check_template_names(preset: Preset, chosen: Mapping[str, str], root: Path | None = None) -> None:
    """Refuse wordings for templates that the language does not have, and a language that is none of ours.

    Raises
    ------
    UnknownConfig : there is no such locale.
    UnknownVariant : there is no such template.
    """
    if not preset.language and chosen:
        raise UnknownVariant(
            "templates can be named only for a file in a language that has a locale; name the language"
        )
    if not preset.language:
        return
    ids = [template.id for template in load_locale(preset.language, root).templates]
    for name in chosen:
        if name not in ids:
            raise UnknownVariant(f"no template '{name}'; there are: {', '.join(ids)}")


def reference_for(preset: Preset, root: Path | None = None) -> Reference | None:
    """What we know of the language of a file; None where no locale of ours is named, or there is none."""
    if not preset.language:
        return None
    locale = load_locale(preset.language, root)
    persons = tuple(person for person in locale.persons if not _of_further_axis(person))
    if preset.config:
        sets = find(preset.config, root=root).spec.sets
        persons = tuple(person for person in locale.persons if person.set in sets)
    wordings = {}
    for template in locale.templates:
        known = [_wording(locale, template, text) for text in dict.fromkeys(template.texts)]
        for text in preset.templates.get(template.id, ()):
            known.append(tuple(frozenset((word,)) for word in folded_words(PLACEHOLDER.sub(" ", text))))
        wordings[template.id] = tuple(known)
    english: dict[str, Ids] = {}
    if preset.english:
        english = _english(preset.english, root)
    templates = {template.id: template for template in locale.templates}
    return Reference(locale, persons, templates, {word.id: word for word in locale.words}, wordings, english)


def _of_further_axis(person: Person) -> bool:
    """Whether a person stands for a group of another axis, and is written like one who does not (*this woman*)."""
    further = {value for axis, value in person.identity.items() if axis not in ("race", "gender")}
    return bool(further - {"", UNMARKED})


def _wording(locale: Locale, template: Template, text: str) -> Wording:
    places: list[frozenset[str]] = []
    for part in parts_of(text):
        if isinstance(part, Agreement) and part.word in template.words:
            places.append(frozenset(fold(form.text) for form in template.words[part.word].forms))
        elif isinstance(part, tuple) and part[0] == "noun":
            places.append(frozenset((fold(locale.nouns[part[1]].form),)))
        elif isinstance(part, str):
            places += [frozenset((word,)) for word in folded_words(part)]
    return tuple(places)


def _english(config: str, root: Path | None) -> dict[str, Ids]:
    """Our English sentences, and those in which a pronoun has the wrong case, as published in 2022."""
    ids_of: dict[str, Ids] = {}
    columns = render(config, root=root).columns
    wrong_cases = {"she": ("her", "she"), "he": ("him", "he")}
    for text, template, word, person in zip(
        *(columns[name] for name in ("text", "template", "word", "person")), strict=True
    ):
        sentence = folded_words(text)
        ids_of[" ".join(sentence)] = (template, word, person)
        if person in wrong_cases:
            right, other = wrong_cases[person]
            ids_of[" ".join(other if part == right else part for part in sentence)] = (template, word, person)
    return ids_of
