"""The sentences that a confounded set is drawn from: some emotion words in the four templates, for every person."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.corpora import ALWAYS, columns_of, marked_axes, with_axes
from eec_datasets.design.sets import TEMPLATES, WORDS, expect, words_in
from eec_datasets.errors import InputError
from eec_datasets.locale.model import UNMARKED, WORD_FILES
from eec_datasets.render.choice import choose
from eec_datasets.render.items import items_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eec_datasets.corpora import Config
    from eec_datasets.locale.model import Locale, Person, Word

GENDERS = ("male", "female")
PHRASES = ("noun_phrase", "pronoun")
ANCHORS = ("white", "Anglo", "Spanish")
"""Groups that stand where the paper has European names."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The persons who can be drawn, and their rows.

    Attributes
    ----------
    phrases : noun phrases and pronouns by gender, the neutral reference (if any) last.
    names : names by (race, gender), the first race first.
    neutral : label of the neutral reference in the column ``gender``; None where there is none.
    no_neutral : why there is none, else an empty text.
    axes : further identity axes of the config.
    columns : the rows, column by column.
    places : where the row of a template, word and person stands, by ids.
    """

    phrases: Mapping[str, tuple[Person, ...]]
    names: Mapping[tuple[str, str], tuple[Person, ...]]
    neutral: str | None
    no_neutral: str
    axes: tuple[str, ...]
    columns: Mapping[str, Sequence[str]]
    places: Mapping[tuple[str, str, str], int]

    def row(self, template: str, word: str, person: str) -> dict[str, str]:
        """The row of a template, word and person, by ids."""
        place = self.places[template, word, person]
        return {name: values[place] for name, values in self.columns.items()}

    @property
    def races(self) -> tuple[str, ...]:
        """The groups that names stand for."""
        return tuple(dict.fromkeys(race for race, _ in self.names))


def pool_of(config: Config, neutral: str | None) -> Pool:
    """Render the pool of a config.

    Parameters
    ----------
    config : any config whose persons have a gender.
    neutral : label of the neutral reference, such as ``neutral-elle``; None takes the first of the locale,
        ``none`` leaves it out.

    Raises
    ------
    InputError : there is no such neutral reference, or the locale lacks a word or template.
    """
    locale = config.locale
    sets = set(config.spec.sets)
    marked = marked_axes([person for person in locale.persons if person.set in sets])
    axes = tuple(axis for axis in marked if axis not in ALWAYS)
    level, no_neutral = _neutral(locale, neutral, axes)
    pairs = {person.pair for person in locale.persons if person.set in sets and person.type in PHRASES}
    if level and neutral is None and pairs.isdisjoint(person.pair for person in _neutrals(locale)):
        level, no_neutral = None, "the neutral phrases are no third members of the config's pairs"
    sets |= {person.set for person in _neutrals(locale) if level}
    genders = {*GENDERS, level}
    meant = (person for person in locale.persons if person.set in sets and person.identity.get("gender") in genders)
    whole = (person for person in meant if not person.partial and not person.is_placebo)
    persons = with_axes(whole, (*ALWAYS, *axes))
    columns = _columns(config, persons, _words(locale))
    ids = zip(columns["template"], columns["word"], columns["person"], strict=True)
    places = {each: place for place, each in enumerate(ids)}
    count = len(TEMPLATES) * len(set(columns["word"]))
    counts = Counter(columns["person"])
    persons = [person for person in persons if counts[person.id] == count]
    phrases = {
        gender: tuple(p for p in persons if p.type in PHRASES and p.identity["gender"] == gender)
        for gender in (*GENDERS, *([level] if level else []))
    }
    return Pool(phrases, _names(persons), level, no_neutral, axes, columns, places)


def _neutral(locale: Locale, asked: str | None, axes: tuple[str, ...]) -> tuple[str | None, str]:
    """Label of the neutral reference, and why there is none."""
    levels = list(dict.fromkeys(person.identity["gender"] for person in _neutrals(locale)))
    if asked == "none":
        return None, "left out as asked"
    if asked is not None:
        expect("neutral", asked, [*levels, "none"])
    elif not levels:
        return None, locale.neutral_refused or f"the locale '{locale.tag}' has no neutral reference"
    elif axes:
        return None, f"the neutral phrases say nothing on {', '.join(axes)}, which the others do"
    return asked or levels[0], ""


def _neutrals(locale: Locale) -> list[Person]:
    """Persons of the neutral references that the locale has in its config of genders."""
    spec = locale.configs.get("gender")
    if spec is None or locale.neutral_refused:
        return []
    return [p for p in locale.persons if p.set in spec.sets and p.identity.get("gender", "").startswith("neutral")]


def _names(persons: Sequence[Person]) -> dict[tuple[str, str], tuple[Person, ...]]:
    named = [p for p in persons if p.type == "name" and p.identity["race"] != UNMARKED]
    names = grouped(((p.identity["race"], p.identity["gender"]), p) for p in named)
    races = sorted(dict.fromkeys(race for race, _ in names), key=lambda race: race not in ANCHORS)
    return {cell: tuple(names.get(cell, ())) for cell in product(races, GENDERS)}


def _words(locale: Locale) -> tuple[Word, ...]:
    """The emotion words needed, all as words for a state."""
    needed = dict.fromkeys(word for label in WORDS for word in words_in(label, locale.tag))
    by_id = {word.id: word for word in locale.words if word.file == WORD_FILES[0]}
    if missing := [word for word in needed if word not in by_id]:
        raise InputError(
            f"locale '{locale.tag}': words.csv has no {', '.join(missing)}, which confounded sets use. Add the words"
        )
    return tuple(dataclasses.replace(by_id[word], kind="state") for word in needed)


def _columns(config: Config, persons: Sequence[Person], words: tuple[Word, ...]) -> dict[str, list[str]]:
    templates = tuple(t for t in config.locale.templates if t.id in TEMPLATES and t.kind == "state")
    if len(templates) < len(TEMPLATES):
        raise InputError(f"locale '{config.language}': confounded sets use the templates {', '.join(TEMPLATES)}")
    default = config.locale.speaker.default
    speaker = config.spec.speaker or default
    choice = choose(config.locale, config.spec, {}, default if speaker == "crossed" else speaker)
    return columns_of(choice, list(items_of(choice, persons, [], grid=product(templates, words))), persons)
