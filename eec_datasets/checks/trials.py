"""What the checks look at: every config under every variant, option and set of persons it can be asked for.

A locale whose files have problems is checked as far as it is sound: what stands on a line with a problem is left
out, so that one mistake is told once.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from eec_datasets.checks.report import Finding
from eec_datasets.errors import UnknownVariant
from eec_datasets.locale.sources import Problems, read_toml
from eec_datasets.render.items import choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.locale.model import ConfigSpec, Locale, Person, PersonType, Place, Problem, Template, Word
    from eec_datasets.locale.sources import TomlFile
    from eec_datasets.render.items import Choice


@dataclass(frozen=True, slots=True)
class Trial:
    """One config under one choice: the persons and templates that meet there.

    Attributes
    ----------
    name : such as ``es-gender with t08=doubled``.
    variants : what was asked for beyond the config's own choice.
    groups : the persons by set and type.
    """

    name: str
    spec: ConfigSpec
    variants: Mapping[str, str]
    choice: Choice
    persons: tuple[Person, ...]
    templates: tuple[Template, ...]
    groups: Mapping[tuple[str, PersonType], Sequence[Person]]

    @property
    def plain(self) -> bool:
        """Whether this is the config as it is, without anything asked for."""
        return not self.variants

    @property
    def adds_persons(self) -> bool:
        """Whether an optional set of persons was asked for."""
        return "persons" in self.variants


@dataclass(frozen=True)
class Subject:
    """A locale to be checked.

    Attributes
    ----------
    locale : the sound part of it.
    whole : whether that is all of it.
    rows_lost : whether ``words.csv`` has rows that could not be read, so that a form may only seem to be missing.
    """

    locale: Locale
    whole: bool
    folder: Path
    rows_lost: bool = False

    @cached_property
    def locale_toml(self) -> TomlFile:
        """``locale.toml``, to ask it for lines."""
        return read_toml(self.folder / "locale.toml", Problems())

    @cached_property
    def templates_toml(self) -> TomlFile:
        """``templates.toml``, to ask it for lines."""
        return read_toml(self.folder / "templates.toml", Problems())

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """Every config under every choice."""
        return tuple(trial for spec in self.locale.configs.values() for trial in _trials(self.locale, spec))

    def speakers(self, text: str) -> Sequence[str | None]:
        """The genders of "me" under which a template text can be rendered."""
        return list(self.locale.speaker.genders) if "speaker" in text and self.locale.speaker.genders else [None]


def subject(locale: Locale, problems: Sequence[Problem], folder: Path) -> Subject:
    """The sound part of a locale: without what stands on a line with a problem."""
    bad = {problem.place for problem in problems}
    heads = {place.file for place in bad if place.line == 1}
    starts = sorted(template.place.line for template in locale.templates)
    words = tuple(word for word in locale.words if not bad & _places(word))
    words = () if "words.csv" in heads else words
    known = {place for word in locale.words for place in _places(word)}
    lost = any(place.file == "words.csv" and place not in known for place in bad)
    persons = tuple(p for p in locale.persons if "persons.csv" not in heads and p.place not in bad)
    templates = tuple(template for template in locale.templates if not _damaged(template.place, starts, bad))
    sound = dataclasses.replace(locale, words=words, persons=persons, templates=templates)
    return Subject(sound, not problems, folder, lost)


def _places(word: Word) -> set[Place]:
    return {word.place, *(form.place for form in word.forms)}


def _damaged(place: Place, starts: Sequence[int], bad: set[Place]) -> bool:
    end = next((start for start in starts if start > place.line), 10**9)
    return any(spot.file == place.file and place.line <= spot.line < end for spot in bad)


def _trials(locale: Locale, spec: ConfigSpec) -> Iterator[Trial]:
    asked: list[dict[str, str]] = [{}]
    asked += [{template.id: label} for template in locale.templates for label in template.variants]
    asked += [
        {name: value} for name, option in locale.options.items() for value in option.values if value != option.default
    ]
    asked += [{"persons": extra} for extra in spec.optional]
    for variants in asked:
        trial = _trial(locale, spec, variants)
        if trial is not None:
            yield trial


def _trial(locale: Locale, spec: ConfigSpec, variants: Mapping[str, str]) -> Trial | None:
    try:
        choice = choose(locale, spec, variants, "crossed" if locale.speaker.genders else None)
    except UnknownVariant:
        return None
    persons = tuple(person for person in locale.persons if person.set in choice.sets)
    groups: dict[tuple[str, PersonType], list[Person]] = {}
    for person in persons:
        groups.setdefault((person.set, person.type), []).append(person)
    told = " ".join(f"{key}={value}" for key, value in variants.items())
    return Trial(
        name=f"{locale.tag}-{spec.key}" + (f" with {told}" if told else ""),
        spec=spec,
        variants=variants,
        choice=choice,
        persons=persons,
        templates=tuple(t for t in locale.templates if t.id in variants) or locale.templates,
        groups=groups,
    )


def config_findings(checked: Subject) -> Iterator[Finding]:
    """Configs that ask for what is not there: sets of persons, variants, the speaker."""
    locale = checked.locale
    sets = dict.fromkeys(person.set for person in locale.persons)
    for spec in locale.configs.values():
        for name in (*spec.sets, *spec.optional):
            if name not in sets and checked.whole:
                what = f"config '{spec.key}' asks for the set '{name}', which persons.csv does not have"
                yield Finding("error", "configs", spec.place, what, f"Sets: {', '.join(sets) or 'none'}")
        if spec.speaker in ("female", "male") and spec.speaker not in locale.speaker.genders:
            what = f"config '{spec.key}' has speaker '{spec.speaker}', which [speaker] genders does not list"
            known = ", ".join(locale.speaker.genders) or "none"
            yield Finding("error", "configs", spec.place, what, f"Genders of the speaker: {known}")
        try:
            choose(locale, spec, {}, "crossed" if locale.speaker.genders else None)
        except UnknownVariant as error:
            if checked.whole:
                what = f"config '{spec.key}' asks for what is not there: {error}"
                yield Finding("error", "configs", spec.place, what, "Mend its variants")
