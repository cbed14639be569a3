"""Identity axes and ``axes.toml``: what a corpus measures is named there, and why, before it is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.report import finding
from eec_datasets.errors import Place
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.locale.model import Locale
    from eec_datasets.locale.toml_file import TomlTable

FILE = "axes.toml"
BESIDE_LOCALES = f"../{FILE}"
"""Path of the file in findings: it is next to the folders of the locales."""

DESCRIPTIONS = ("what", "chosen")
"""Keys under which the registry describes an axis in words, besides its levels."""


def axis_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Axes and levels that ``axes.toml`` does not have, levels lacking here, and entries of it that say too little.

    A folder of locales without the file is an error only where a locale has an axis of its own (``country.csv``).
    """
    path = checked.folder.parent / FILE
    registry = read_toml(path)
    if registry.problems and path.exists():
        for problem in registry.problems.found:
            yield finding("registry.unreadable", Place(BESIDE_LOCALES, problem.place.line), problem=problem)
        return
    for axis, levels in _levels_in_use(checked.locale).items():
        if axis in registry:
            yield from _entry(registry.table(axis), axis, levels)
        elif levels and (registry.data or axis not in ("gender", "race")):
            absent = "" if registry.data else ", which is not there"
            yield finding("registry.unknown-axis", next(iter(levels.values())), axis=axis, absent=absent)
    if checked.whole:
        yield from _lacking(checked.locale, registry)
    yield from _placebo(checked)


def _placebo(checked: Subject) -> Iterator[LocaleFinding]:
    """Axes and kinds of neutral words that ``[placebo]`` of ``locale.toml`` names and that are not there."""
    locale = checked.locale
    for axis, kind in locale.placebo_kinds.items():
        place = checked.locale_toml.place("placebo", axis)
        if axis not in locale.levels:
            yield finding("placebo.unknown-axis", place, axis=axis, known=", ".join(locale.levels) or "none")
        if kind not in locale.placebo_words:
            yield finding("placebo.unknown-kind", place, kind=kind, known=", ".join(locale.placebo_words) or "none")


def _levels_in_use(locale: Locale) -> dict[str, dict[str, Place]]:
    """Every axis in a locale, with its levels and where each is first named."""
    used = {axis: {word.level: word.place for word in words.values()} for axis, words in locale.levels.items()}
    for person in locale.persons:
        for axis, level in person.identity.items():
            if level != UNMARKED:
                used.setdefault(axis, {}).setdefault(level, person.place)
    return used


def _entry(entry: TomlTable, axis: str, used: Mapping[str, Place]) -> Iterator[LocaleFinding]:
    """Yield what the entry of an axis fails to say, of itself, of its levels and of those that are used."""
    levels = entry.table("levels")
    lacking = [key for key in DESCRIPTIONS if _empty(entry.get(key))] + ([] if levels.data else ["levels"])
    if lacking and used:
        place = Place(BESIDE_LOCALES, entry.place().line)
        yield finding("registry.entry-incomplete", place, axis=axis, lacking=", ".join(lacking))
    for level, source in levels.data.items():
        if _empty(source):
            place = Place(BESIDE_LOCALES, levels.place(level).line)
            yield finding("registry.no-source", place, level=level, axis=axis)
    for level, place in used.items():
        if level not in levels:
            key = level if level.replace("-", "").replace("_", "").isalnum() else f'"{level}"'
            yield finding("registry.unknown-level", place, level=level, axis=axis, key=key)


def _empty(value: object) -> bool:
    return not isinstance(value, str) or not value.strip()


def _lacking(locale: Locale, registry: TomlTable) -> Iterator[LocaleFinding]:
    """Levels of the registry that an axis file of this locale does not have: languages are compared.

    An axis that names carry is left to them: a language has the groups that its names stand for.
    """
    names = [person.identity for person in locale.persons if person.type == "name"]
    used = _levels_in_use(locale)
    for axis, words in locale.levels.items():
        lacking = [level for level in registry.table(axis, "levels").data if level not in used[axis]]
        carried = any(identity.get(axis, UNMARKED) != UNMARKED for identity in names)
        if lacking and words and not carried:
            yield finding("registry.levels-lacking", Place(f"{axis}.csv", 1), lacking=", ".join(lacking))
