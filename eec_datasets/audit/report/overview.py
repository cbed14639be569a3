"""Several systems side by side: a matrix of effects, and how many systems differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from eec_datasets.audit.report import findings as page_findings
from eec_datasets.audit.report import sentences as page_reading
from eec_datasets.audit.report.findings import Findings, Shown
from eec_datasets.audit.report.language import Voice
from eec_datasets.audit.report.sections import Section, is_adjusted
from eec_datasets.audit.report.sentences import ANY, Verdict
from eec_datasets.audit.report.units import Unit

MANY: Final = 8
"""More systems than this are counted; those with findings come first, and their sections are folded."""

SAID: Final = 6
"""At most so many terms are counted in sentences; the table has all."""

Place = tuple[str, ...]
Key = tuple[str, str, str]
"""Term, axes, subset."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one system shows on one term in one place.

    Attributes
    ----------
    effect, symbol, label
        The effect as text, the sign of its verdict, and its level where a term has several.
    found
        What the row shows.
    value
        The effect, to sort by; None where there is none.
    row
        The row.
    levels
        How many levels of the term it stands for.
    """

    effect: str
    symbol: str
    label: str
    found: Verdict
    value: float | None
    row: Mapping[str, Any]
    levels: int


Cells = dict[tuple[Key, Place, str], Cell]
"""By term, place, and anchor of the system's section."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One table of the overview: systems down, places or terms across; main terms come first."""

    caption: str
    columns: list[str]
    rows: list[tuple[Section, list[Cell | None]]]
    main: bool


@dataclass(frozen=True, slots=True)
class Count:
    """How many systems differ on one term: numbers by verdict, and the mean effect of those that do."""

    name: str
    task: str
    first: str
    second: str
    systems: int
    none: int
    up: int
    down: int
    other: int
    mean_up: float | None
    mean_down: float | None


@dataclass(frozen=True, slots=True)
class Overview:
    """All systems side by side.

    Attributes
    ----------
    findings
        The plain reading: of each system, or of how many systems differ where there are many.
    matrices
        Tables of effects.
    counts
        How many systems differ, where there are many.
    within
        Whether p is adjusted within systems only, so that many systems will show some false findings.
    """

    findings: list[Findings]
    matrices: list[Matrix]
    counts: list[Count]
    within: bool


def overview(voice: Voice, sections: Sequence[Section]) -> Overview:
    """Lay several systems out side by side.

    Parameters
    ----------
    voice
        Language of the report.
    sections
        One per system and task.
    """
    cells: Cells = {}
    for section in sections:
        for block in section.blocks:
            for key, place, rows in _groups(block.unit):
                cells.setdefault((key, place, section.anchor), _cell(voice, rows, is_adjusted(block.unit.measured)))
    # Main terms before interactions, each in the order of the results.
    keys = sorted(dict.fromkeys(key for key, _, _ in cells), key=lambda key: key[1].count("+"))
    places = list(dict.fromkeys(place for _, place, _ in cells))
    if len(places) == 1:
        matrices = [_by_term(voice, sections, cells, keys, places[0])] if keys else []
    else:
        matrices = [_by_place(voice, sections, cells, key, places) for key in keys]
    adjusted = {part for s in sections for b in s.blocks for part in b.unit.measured.signature.split("|")}
    within = len(sections) > MANY and "adj:holm" in adjusted
    if len(sections) <= MANY:
        return Overview([_said(voice, section, cells) for section in sections], matrices, [], within)
    tasks = {section.anchor: section.blocks[0].unit.task for section in sections}
    whole = _counts(voice, cells, keys, places, dict.fromkeys(tasks, ""))
    main = [count for count in whole if count.first] or whole
    findings = [_counted(voice, count) for count in (whole if len(whole) <= SAID else main)[:SAID]]
    counts = whole if len(set(tasks.values())) == 1 else _counts(voice, cells, keys, places, tasks)
    return Overview([Findings("", "", findings)], matrices, counts, within)


def _said(voice: Voice, section: Section, cells: Cells) -> Findings:
    """Say of one system what it shows."""
    adjusted = all(is_adjusted(block.unit.measured) for block in section.blocks)
    shown = [
        Shown(place, cell.row, cell.levels, cell.found, adjusted)
        for (_, place, anchor), cell in cells.items()
        if anchor == section.anchor and (page_reading.compares(cell.row) or cell.row["level"] == ANY)
    ]
    return Findings(section.title, section.anchor, page_findings.sentences(voice, shown))


def _counted(voice: Voice, count: Count) -> str:
    """Say in a sentence how many systems differ on a term."""
    numbers = {key: voice.count(getattr(count, key)) for key in ("up", "down", "none")}
    text = voice.say(
        "findings.counts" if count.first else "findings.counts_bare",
        name=count.name, count=voice.count(count.systems), first=count.first, second=count.second, **numbers,
    )  # fmt: skip
    return f"{text} {voice.say('findings.other', other=voice.count(count.other))}" if count.other else text


def _groups(unit: Unit) -> list[tuple[Key, Place, list[Mapping[str, Any]]]]:
    """Rows of one unit by term and place."""
    groups: dict[tuple[Key, Place], list[Mapping[str, Any]]] = {}
    for row in unit.terms:
        place = tuple(
            str(part) for part in (unit.measured.config, row.get("stratum"), row.get("output")) if part is not None
        )
        groups.setdefault(((row["term"], row["axes"], row["subset"]), place), []).append(row)
    return [(key, place, rows) for (key, place), rows in groups.items()]


def _cell(voice: Voice, rows: Sequence[Mapping[str, Any]], adjusted: bool) -> Cell:
    """Let one row speak for a term: the only one, or the largest effect under the verdict on all levels."""
    levels = [row for row in rows if row["level"] != ANY]
    whole = next((row for row in rows if row["level"] == ANY), None)
    known = [row for row in levels if row["effect"] is not None]
    shown = max(known, key=lambda row: abs(row["effect"])) if known else (levels or rows)[0]
    found = page_reading.verdict(whole or shown, adjusted=adjusted)
    sign = page_reading.symbol(shown, found)
    label = voice.group(shown["axes"], shown["level"]) if len(levels) > 1 else ""
    return Cell(
        voice.number(shown["effect"], signed=True), sign, label, found, shown["effect"], shown, max(len(levels), 1)
    )


def _by_term(voice: Voice, sections: Sequence[Section], cells: Cells, keys: Sequence[Key], place: Place) -> Matrix:
    rows = [(section, [cells.get((key, place, section.anchor)) for key in keys]) for section in sections]
    columns = [_name(voice, key, [cells_of[i] for _, cells_of in rows]) for i, key in enumerate(keys)]
    return Matrix(voice.say("caption.matrix_terms"), columns, rows, True)


def _by_place(voice: Voice, sections: Sequence[Section], cells: Cells, key: Key, places: Sequence[Place]) -> Matrix:
    used = [place for place in places if any((key, place, section.anchor) in cells for section in sections)]
    rows = [(section, [cells.get((key, place, section.anchor)) for place in used]) for section in sections]
    caption = voice.say("caption.matrix", term=_name(voice, key, [cell for _, line in rows for cell in line]))
    return Matrix(caption, [" · ".join(place) for place in used], rows, "+" not in key[1])


def _name(voice: Voice, key: Key, cells: Sequence[Cell | None]) -> str:
    """Name a term, and what it compares where this is the same for all."""
    term, _, subset = key
    name = voice.axis(term) if subset == "names" else f"{voice.axis(term)} ({voice.subset(subset)})"
    contrasts = {page_reading.contrast(voice, cell.row) for cell in cells if cell is not None}
    single = len(contrasts) == 1 and not any(cell.label for cell in cells if cell is not None)
    return ": ".join(part for part in (name, *(contrasts if single else ())) if part)


def _counts(
    voice: Voice, cells: Cells, keys: Sequence[Key], places: Sequence[Place], tasks: Mapping[str, str]
) -> list[Count]:
    """Count systems by term, place and task; ``tasks`` gives the task of a section's anchor."""
    found = []
    for key in keys:
        for place in places:
            for task in dict.fromkeys(tasks.values()):
                own = [
                    cell
                    for (at, where, anchor), cell in cells.items()
                    if (at, where) == (key, place) and tasks[anchor] == task
                ]
                # A term of many levels has no first and second group to count.
                if own and not any(cell.label for cell in own):
                    found.append(_count(voice, key, place if len(places) > 1 else (), task, own))
    return found


def _count(voice: Voice, key: Key, place: Place, task: str, cells: Sequence[Cell]) -> Count:
    up = [c.value for c in cells if c.found in page_reading.FOUND and c.value is not None and c.value > 0]
    down = [c.value for c in cells if c.found in page_reading.FOUND and c.value is not None and c.value < 0]
    none = sum(cell.found in ("none", "zero") for cell in cells)
    row = cells[0].row
    single = "+" not in row["axes"] and len({(cell.row["level"], cell.row["reference"]) for cell in cells}) == 1
    first = voice.sentences(row["axes"], row["level"], row["subset"]) if single else ""
    second = voice.sentences(row["axes"], row["reference"], row["subset"]) if single else ""
    return Count(
        name=" · ".join([_name(voice, key, cells), *place]), task=task, first=first, second=second,
        systems=len(cells), none=none, up=len(up), down=len(down), other=len(cells) - none - len(up) - len(down),
        mean_up=fmean(up) if up else None, mean_down=fmean(down) if down else None,
    )  # fmt: skip
