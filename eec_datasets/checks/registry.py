"""Identity axes and ``axes.toml``: what a corpus measures is named there, and why, before it is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eec_datasets.checks.report import Finding
from eec_datasets.locale.model import UNMARKED, Place
from eec_datasets.locale.sources import Problems, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from eec_datasets.checks.trials import Subject
    from eec_datasets.locale.sources import TomlFile

FILE = "axes.toml"
OUTSIDE = f"../{FILE}"
"""How a finding names the file, which stands beside the locales."""

SAYS = ("what", "chosen")
"""What the registry says of an axis in words, besides its levels."""


def registry_findings(checked: Subject) -> Iterator[Finding]:
    """Axes and levels that ``axes.toml`` does not have, levels lacking here, and entries of it that say too little.

    A folder of locales without the file is an error only where a locale has an axis of its own (``country.csv``).
    """
    file, broken = _registry(checked)
    yield from broken
    if broken:
        return
    told: set[str] = set()
    for axis, level, place in _met(checked):
        if not file.data and axis in ("gender", "race"):
            continue
        if axis not in file.data:
            if axis not in told:
                told.add(axis)
                what = f"the axis '{axis}' is not in {FILE}{'' if file.data else ', which is not there'}"
                says = " and ".join(SAYS)
                mend = f"Add [{axis}] with {says}, and [{axis}.levels], to {FILE} beside the locales"
                yield Finding("error", "registry", place, what, mend)
            continue
        if axis not in told:
            told.add(axis)
            yield from _entry(file, axis)
        levels = _levels(file.data[axis])
        if level not in levels:
            what = f"the level '{level}' of the axis '{axis}' is not in {FILE}"
            mend = f"""Add it under [{axis}.levels] with why it was chosen: {_key(level)} = "…\""""
            yield Finding("error", "registry", place, what, mend)
    yield from _lacking(checked, file)


def _registry(checked: Subject) -> tuple[TomlFile, list[Finding]]:
    path = checked.folder.parent / FILE
    problems = Problems()
    file = read_toml(path, problems)
    if not path.exists():
        return file, []
    broken = [Finding("error", "registry", Place(OUTSIDE, p.place.line), p.what, p.mend) for p in problems.found]
    return file, broken


def _met(checked: Subject) -> Iterator[tuple[str, str, Place]]:
    """Every level of every axis in this locale, once, with where it is first named."""
    seen: set[tuple[str, str]] = set()
    for axis, words in checked.locale.levels.items():
        for level, word in words.items():
            seen.add((axis, level))
            yield axis, level, word.place
    for person in checked.locale.persons:
        for axis, level in person.identity.items():
            if level != UNMARKED and (axis, level) not in seen:
                seen.add((axis, level))
                yield axis, level, person.place


def _entry(file: TomlFile, axis: str) -> Iterator[Finding]:
    """What the entry of one axis fails to say."""
    entry = file.data[axis]
    table: Mapping[str, Any] = entry if isinstance(entry, dict) else {}
    lacking = [key for key in SAYS if not isinstance(table.get(key), str) or not table[key].strip()]
    if not _levels(entry):
        lacking.append("levels")
    if lacking:
        place = Place(OUTSIDE, file.place(axis).line)
        what = f"the axis '{axis}' does not say: {', '.join(lacking)}"
        yield Finding("error", "registry", place, what, "See [country] in the locales of this project")
    for level, why in _levels(entry).items():
        if not isinstance(why, str) or not why.strip():
            place = Place(OUTSIDE, file.place(axis, "levels", level).line)
            what = f"the level '{level}' of the axis '{axis}' has no source"
            yield Finding("error", "registry", place, what, "Say why it was chosen, or where it is from")


def _lacking(checked: Subject, file: TomlFile) -> Iterator[Finding]:
    """Levels of the registry that an axis file of this locale does not have: languages are compared."""
    if not checked.whole:
        return
    for axis, words in checked.locale.levels.items():
        lacking = [level for level in _levels(file.data.get(axis)) if level not in words]
        if lacking and words:
            what = f"of the levels that {FILE} lists, {', '.join(lacking)} cannot be found"
            mend = "Add what the language can say: corpora of an axis are compared between languages"
            yield Finding("warning", "registry", Place(f"{axis}.csv", 1), what, mend)


def _levels(entry: object) -> Mapping[str, Any]:
    levels = entry.get("levels") if isinstance(entry, dict) else None
    return levels if isinstance(levels, dict) else {}


def _key(level: str) -> str:
    return level if level.replace("-", "").replace("_", "").isalnum() else f'"{level}"'
