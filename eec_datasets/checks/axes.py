"""Identity axes and ``axes.toml``: what a corpus measures is named there, and why, before it is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.report import SeenKeys, finding
from eec_datasets.errors import Place
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.checks.report import Finding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.locale.toml_file import TomlTable

FILE = "axes.toml"
BESIDE_LOCALES = f"../{FILE}"
"""How a finding names the file, which stands beside the locales."""

DESCRIPTIONS = ("what", "chosen")
"""What the registry says of an axis in words, besides its levels."""


def axis_findings(checked: Subject) -> Iterator[Finding]:
    """Axes and levels that ``axes.toml`` does not have, levels lacking here, and entries of it that say too little.

    A folder of locales without the file is an error only where a locale has an axis of its own (``country.csv``).
    """
    path = checked.folder.parent / FILE
    registry = read_toml(path)
    if registry.problems and path.exists():
        for problem in registry.problems.found:
            yield finding("registry.unreadable", Place(BESIDE_LOCALES, problem.place.line), problem=problem)
        return
    reported = SeenKeys()
    for (axis, level), place in _levels_in_use(checked).items():
        if not registry.data and axis in ("gender", "race"):
            continue
        first = reported.is_new(axis)
        if axis not in registry:
            if first:
                absent = "" if registry.data else ", which is not there"
                yield finding("registry.unknown-axis", place, axis=axis, absent=absent)
            continue
        if first:
            yield from _entry(registry, axis)
        if level not in registry.table(axis, "levels"):
            key = level if level.replace("-", "").replace("_", "").isalnum() else f'"{level}"'
            yield finding("registry.unknown-level", place, level=level, axis=axis, key=key)
    if checked.whole:
        yield from _lacking(checked, registry)


def _levels_in_use(checked: Subject) -> dict[tuple[str, str], Place]:
    """Every level of every axis in this locale, with where it is first named."""
    axes = checked.locale.levels.items()
    levels = {(axis, level): form.place for axis, forms in axes for level, form in forms.items()}
    for person in checked.locale.persons:
        for axis, level in person.identity.items():
            if level != UNMARKED:
                levels.setdefault((axis, level), person.place)
    return levels


def _entry(registry: TomlTable, axis: str) -> Iterator[Finding]:
    """What the entry of one axis fails to say."""
    entry, levels = registry.table(axis), registry.table(axis, "levels")
    lacking = [key for key in DESCRIPTIONS if _empty(entry.get(key))] + ([] if levels.data else ["levels"])
    if lacking:
        place = Place(BESIDE_LOCALES, entry.place().line)
        yield finding("registry.entry-incomplete", place, axis=axis, lacking=", ".join(lacking))
    for level, source in levels.data.items():
        if _empty(source):
            place = Place(BESIDE_LOCALES, levels.place(level).line)
            yield finding("registry.no-source", place, level=level, axis=axis)


def _empty(value: object) -> bool:
    return not isinstance(value, str) or not value.strip()


def _lacking(checked: Subject, registry: TomlTable) -> Iterator[Finding]:
    """Levels of the registry that an axis file of this locale does not have: languages are compared.

    An axis that names carry is left to them: a language has the groups that its names stand for.
    """
    names = [person.identity for person in checked.locale.persons if person.type == "name"]
    for axis, words in checked.locale.levels.items():
        if any(identity.get(axis, UNMARKED) != UNMARKED for identity in names):
            continue
        lacking = [level for level in registry.table(axis, "levels").data if level not in words]
        if lacking and words:
            yield finding("registry.levels-lacking", Place(f"{axis}.csv", 1), lacking=", ".join(lacking))
