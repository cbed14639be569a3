"""Subject of the checks: every config under every variant, option and set of persons it can be asked for.

A locale whose files have problems is checked as far as it is sound: what stands on a line with a problem is left
out, so that one mistake is told once.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.checks.report import finding
from eec_datasets.errors import InputError, Place
from eec_datasets.locale.model import WORD_FILES
from eec_datasets.locale.toml_file import read_toml
from eec_datasets.render.choice import choose

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.errors import Problem
    from eec_datasets.locale.model import ConfigSpec, Locale, Person, Template, Word
    from eec_datasets.locale.toml_file import TomlTable
    from eec_datasets.render.choice import Choice

Combination: TypeAlias = tuple[str, str, str]
"""Template, type of person, gender."""


@dataclass(frozen=True, slots=True)
class Case:
    """One config under one choice: the persons and templates that meet there.

    Attributes
    ----------
    name : such as ``es-gender with t08=doubled``.
    variants : what was asked for beyond the config's own choice; empty for the config as it is.
    """

    name: str
    spec: ConfigSpec
    variants: Mapping[str, str]
    choice: Choice
    persons: tuple[Person, ...]
    templates: tuple[Template, ...]


@dataclass
class Subject:
    """A locale to be checked, and what one check has seen of it that a later one asks for.

    Attributes
    ----------
    locale : the sound part of it.
    whole : whether that is all of it.
    rows_lost : whether rows of emotion words could not be read, so that a form may only seem to be missing.
    broken : configs that ask for what is not there; that is told once, not for each of their rows in the key.
    sound : whether every word has one form, and every person every role, that is asked for.
    used : identities of the forms that some sentence shows.
    roles : roles that some template asks for, after the redirects of options.
    keyed : what the answer key has a sentence for; None where it could not be read.
    keyed_levels : axes and levels, besides those of names, that it has a sentence for.
    list_key : whether every sentence that it lacks is told, and not how many.
    key_open : findings of what is still to be written of it.
    """

    locale: Locale
    whole: bool
    folder: Path
    rows_lost: bool = False
    broken: set[str] = field(default_factory=set)
    sound: bool = True
    used: set[int] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    keyed: set[Combination] | None = None
    keyed_levels: set[tuple[str, str]] = field(default_factory=set)
    list_key: bool = False
    key_open: list[LocaleFinding] = field(default_factory=list)

    @cached_property
    def locale_toml(self) -> TomlTable:
        """``locale.toml``, for the lines of its keys."""
        return read_toml(self.folder / "locale.toml")

    @cached_property
    def templates_toml(self) -> TomlTable:
        """``templates.toml``, for the lines of its keys."""
        return read_toml(self.folder / "templates.toml")

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Every config under every choice."""
        return tuple(case for spec in self.locale.configs.values() for case in _cases(self.locale, spec))

    def speakers(self, text: str) -> Sequence[str | None]:
        """The genders of "me" under which a template text can be rendered."""
        return (list(self.locale.speaker.genders) if "speaker" in text else []) or [None]


def sound_part(locale: Locale, problems: Sequence[Problem], folder: Path, *, list_key: bool = False) -> Subject:
    """The sound part of a locale: without what stands on a line with a problem."""
    damaged = {problem.place for problem in problems}
    starts = [0, *sorted(template.place.line for template in locale.templates)]
    lost = {starts[bisect(starts, place.line) - 1] for place in damaged if place.file == "templates.toml"}
    places = {place for word in locale.words for place in _places(word)}
    sound = replace(
        locale,
        words=tuple(word for word in locale.words if not damaged & {*_places(word), Place(f"{word.file}.csv", 1)}),
        persons=tuple(person for person in locale.persons if not damaged & {person.place, Place(person.place.file, 1)}),
        templates=tuple(template for template in locale.templates if template.place.line not in lost),
    )
    rows_lost = any(place.file.removesuffix(".csv") in WORD_FILES and place not in places for place in damaged)
    return Subject(sound, not problems, folder, rows_lost, list_key=list_key)


def _places(word: Word) -> set[Place]:
    return {word.place, *(form.place for form in word.forms)}


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
        except InputError:
            continue
        listing = " ".join(f"{key}={value}" for key, value in variants.items())
        name = f"{locale.tag}-{spec.key}" + (f" with {listing}" if listing else "")
        templates = tuple(template for template in locale.templates if template.id in variants) or locale.templates
        yield Case(name, spec, variants, choice, choice.persons, templates)


def config_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Configs that ask for what is not there, or for neutral persons where the locale refuses them."""
    locale = checked.locale
    for spec in locale.configs.values():
        if absent := list(_absent(checked, spec)):
            checked.broken.add(f"{locale.tag}-{spec.key}")
            yield from absent
        members = (person for person in locale.persons if person.set in spec.sets)
        neutral = next((person for person in members if person.identity["gender"].startswith("neutral")), None)
        if neutral and locale.neutral_refused is not None:
            yield finding("configs.neutral-refused", neutral.place, person=neutral, config=spec.key)


def _absent(checked: Subject, spec: ConfigSpec) -> Iterator[LocaleFinding]:
    """Yield what a config asks for and the locale does not have: sets of persons, variants, the speaker."""
    locale = checked.locale
    sets, genders = dict.fromkeys(person.set for person in locale.persons), locale.speaker.genders
    if spec.speaker in ("female", "male") and spec.speaker not in genders:
        known = ", ".join(genders) or "none"
        yield finding("configs.unknown-speaker", spec.place, config=spec.key, speaker=spec.speaker, known=known)
    if not checked.whole:
        return
    for name in (*spec.sets, *spec.optional):
        if name not in sets:
            known = ", ".join(sets) or "none"
            yield finding("configs.unknown-set", spec.place, config=spec.key, set=name, known=known)
    try:
        _choice(locale, spec, {})
    except InputError as error:
        yield finding("configs.unknown-variant", spec.place, config=spec.key, error=error)
