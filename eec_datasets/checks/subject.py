"""What the checks look at: every config under every variant, option and set of persons it can be asked for.

A locale whose files have problems is checked as far as it is sound: what stands on a line with a problem is left
out, so that one mistake is told once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from eec_datasets.checks.report import finding
from eec_datasets.errors import Place, UnknownVariant
from eec_datasets.locale.toml_file import read_toml
from eec_datasets.render.choice import choose

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.checks.report import Finding
    from eec_datasets.errors import Problem
    from eec_datasets.locale.model import ConfigSpec, Locale, Person, Template, Word
    from eec_datasets.locale.toml_file import TomlTable
    from eec_datasets.render.choice import Choice


@dataclass(frozen=True, slots=True)
class Case:
    """One config under one choice: the persons and templates that meet there.

    Attributes
    ----------
    name : such as ``es-gender with t08=doubled``.
    variants : what was asked for beyond the config's own choice.
    """

    name: str
    spec: ConfigSpec
    variants: Mapping[str, str]
    choice: Choice
    persons: tuple[Person, ...]
    templates: tuple[Template, ...]

    @property
    def plain(self) -> bool:
        """Whether this is the config as it is, without anything asked for."""
        return not self.variants


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
    def locale_toml(self) -> TomlTable:
        """``locale.toml``, to ask it for lines."""
        return read_toml(self.folder / "locale.toml")

    @cached_property
    def templates_toml(self) -> TomlTable:
        """``templates.toml``, to ask it for lines."""
        return read_toml(self.folder / "templates.toml")

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Every config under every choice."""
        return tuple(case for spec in self.locale.configs.values() for case in _cases(self.locale, spec))

    def speakers(self, text: str) -> Sequence[str | None]:
        """The genders of "me" under which a template text can be rendered."""
        return list(self.locale.speaker.genders) if "speaker" in text and self.locale.speaker.genders else [None]


def sound_part(locale: Locale, problems: Sequence[Problem], folder: Path) -> Subject:
    """The sound part of a locale: without what stands on a line with a problem."""
    damaged = {problem.place for problem in problems}
    starts = sorted(template.place.line for template in locale.templates)
    places = {place for word in locale.words for place in _places(word)}
    sound = replace(
        locale,
        words=tuple(word for word in locale.words if not damaged & {*_places(word), Place("words.csv", 1)}),
        persons=tuple(person for person in locale.persons if not damaged & {person.place, Place(person.place.file, 1)}),
        templates=tuple(template for template in locale.templates if not _damaged(template.place, starts, damaged)),
    )
    lost = any(place.file == "words.csv" and place not in places for place in damaged)
    return Subject(sound, not problems, folder, lost)


def _places(word: Word) -> set[Place]:
    return {word.place, *(form.place for form in word.forms)}


def _damaged(place: Place, starts: Sequence[int], bad: set[Place]) -> bool:
    end = next((start for start in starts if start > place.line), 10**9)
    return any(spot.file == place.file and place.line <= spot.line < end for spot in bad)


def _choice(locale: Locale, spec: ConfigSpec, variants: Mapping[str, str]) -> Choice:
    return choose(locale, spec, variants, "crossed" if locale.speaker.genders else None)


def _cases(locale: Locale, spec: ConfigSpec) -> Iterator[Case]:
    requests: list[dict[str, str]] = [{}]
    requests += [{template.id: label} for template in locale.templates for label in template.variants]
    requests += [
        {name: value} for name, option in locale.options.items() for value in option.values if value != option.default
    ]
    requests += [{"persons": extra} for extra in spec.optional]
    for variants in requests:
        try:
            choice = _choice(locale, spec, variants)
        except UnknownVariant:
            continue
        listing = " ".join(f"{key}={value}" for key, value in variants.items())
        name = f"{locale.tag}-{spec.key}" + (f" with {listing}" if listing else "")
        templates = tuple(template for template in locale.templates if template.id in variants) or locale.templates
        yield Case(name, spec, variants, choice, choice.persons, templates)


def config_findings(checked: Subject) -> Iterator[Finding]:
    """Configs that ask for what is not there (sets of persons, variants, the speaker) or is refused."""
    locale = checked.locale
    sets = dict.fromkeys(person.set for person in locale.persons)
    for spec in locale.configs.values():
        for name in (*spec.sets, *spec.optional):
            if name not in sets and checked.whole:
                available = ", ".join(sets) or "none"
                yield finding("configs.unknown-set", spec.place, config=spec.key, set=name, known=available)
        if spec.speaker in ("female", "male") and spec.speaker not in locale.speaker.genders:
            available = ", ".join(locale.speaker.genders) or "none"
            yield finding("configs.unknown-speaker", spec.place, config=spec.key, speaker=spec.speaker, known=available)
        try:
            _choice(locale, spec, {})
        except UnknownVariant as error:
            if checked.whole:
                yield finding("configs.unknown-variant", spec.place, config=spec.key, error=error)


def refused_findings(checked: Subject) -> Iterator[Finding]:
    """A locale that refuses neutral reference and has neutral persons in a config all the same."""
    for spec in checked.locale.configs.values() if checked.locale.neutral_refused is not None else ():
        for person in checked.locale.persons:
            if person.set in spec.sets and person.identity["gender"].startswith("neutral"):
                yield finding("configs.neutral-refused", person.place, person=person, config=spec.key)
                break
