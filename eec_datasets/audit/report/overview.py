"""Several systems side by side: a matrix of effects, and how many systems differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from eec_bias.options import ANY
from eec_bias.result.words import adjustment
from eec_datasets.audit.report.document import JudgedRow, Unit
from eec_datasets.audit.report.findings import Finding, Findings, say_findings
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import Section, is_simple, place
from eec_datasets.audit.report.sentences import contrast, symbol

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
    judged
        The row that speaks for the term, under the verdict on the term.
    effect, symbol, label
        The effect as text, the sign of its verdict, and its level where a term has several.
    levels
        How many levels of the term it stands for.
    """

    judged: JudgedRow
    effect: str
    symbol: str
    label: str
    levels: int

    @property
    def value(self) -> float | None:
        """The effect, to sort by; None where there is none."""
        effect: float | None = self.judged.row["effect"]
        return effect


Cells = dict[tuple[Key, Place, str], Cell]
"""By term, place, and anchor of the system's section."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One table of the overview: systems down, places or terms across; main terms come first."""

    caption: str
    columns: list[str]
    rows: list[tuple[Section, list[Cell | None]]]
    main: bool

    @property
    def sorts(self) -> bool:
        """Whether it is long enough to be sorted by a column."""
        return len(self.rows) > MANY


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


def overview(translator: Translator, sections: Sequence[Section]) -> Overview:
    """Lay several systems out side by side, one per section."""
    cells: Cells = {}
    for section in sections:
        for block in section.blocks:
            for key, where, rows in _groups(block.unit):
                cells.setdefault((key, where, section.anchor), _cell(translator, rows))
    # Main terms before interactions, each in the order of the results.
    keys = sorted(dict.fromkeys(key for key, _, _ in cells), key=lambda key: key[1].count("+"))
    places = list(dict.fromkeys(where for _, where, _ in cells))
    if len(places) == 1:
        matrices = [_by_term(translator, sections, cells, keys, places[0])] if keys else []
    else:
        matrices = [_by_place(translator, sections, cells, key, places) for key in keys]
    if len(sections) <= MANY:
        return Overview([_said(translator, section, cells) for section in sections], matrices, [], within=False)
    tasks = {section.anchor: section.blocks[0].unit.task for section in sections}
    whole = list(_counts(translator, cells, keys, places, dict.fromkeys(tasks, "")))
    main = [count for count in whole if count.first] or whole
    said = [_counted(translator, count) for count in (whole if len(whole) <= SAID else main)[:SAID]]
    counts = whole if len(set(tasks.values())) == 1 else list(_counts(translator, cells, keys, places, tasks))
    within = any(adjustment(block.unit.entry.result) for section in sections for block in section.blocks)
    return Overview([Findings("", "", said)], matrices, counts, within)


def _said(translator: Translator, section: Section, cells: Cells) -> Findings:
    """Say of one system what it shows."""
    own = [
        Finding(where, cell.judged, cell.levels)
        for (_, where, anchor), cell in cells.items()
        if anchor == section.anchor and cell.judged.verdict.kind != "described"
    ]
    return Findings(section.title, section.anchor, say_findings(translator, own))


def _counted(translator: Translator, count: Count) -> str:
    """Say in a sentence how many systems differ on a term."""
    numbers = {key: translator.count(getattr(count, key)) for key in ("up", "down", "none")}
    text = translator.say(
        "findings.counts" if count.first else "findings.counts_bare",
        name=count.name, count=translator.count(count.systems), first=count.first, second=count.second, **numbers,
    )  # fmt: skip
    return f"{text} {translator.say('findings.other', other=translator.count(count.other))}" if count.other else text


def _groups(unit: Unit) -> Iterator[tuple[Key, Place, list[JudgedRow]]]:
    """Part the rows of one unit by term and place."""
    groups: dict[tuple[Key, Place], list[JudgedRow]] = {}
    for judged in unit.rows:
        row = judged.row
        key = (row["term"], row["axes"] or "", row["subset"])
        groups.setdefault((key, (unit.entry.config, *place(row))), []).append(judged)
    return ((key, where, rows) for (key, where), rows in groups.items())


def _cell(translator: Translator, rows: Sequence[JudgedRow]) -> Cell:
    """Let one row speak for a term: the only one, or the largest effect under the verdict on all levels."""
    levels = [judged for judged in rows if judged.row["level"] != ANY]
    known = [judged for judged in levels if judged.row["effect"] is not None]
    shown = max(known, key=lambda judged: abs(judged.row["effect"])) if known else (levels or rows)[0]
    row, sign = shown.row, symbol(shown.verdict)
    if whole := next((judged.verdict for judged in rows if judged.row["level"] == ANY), None):
        # The term is judged as a whole; the sign tells the direction of the level that is shown.
        sign = symbol(replace(whole, direction=shown.verdict.direction))
        shown = replace(shown, verdict=whole)
    label = translator.group(row["axes"] or "", row["level"] or "") if len(levels) > 1 else ""
    effect = translator.number(row["effect"], signed=True)
    return Cell(shown, effect, sign, label, max(len(levels), 1))


def _by_term(
    translator: Translator, sections: Sequence[Section], cells: Cells, keys: Sequence[Key], where: Place
) -> Matrix:
    rows = [(section, [cells.get((key, where, section.anchor)) for key in keys]) for section in sections]
    columns = [_name(translator, key, [cells_of[i] for _, cells_of in rows]) for i, key in enumerate(keys)]
    return Matrix(translator.say("caption.matrix_terms"), columns, rows, True)


def _by_place(
    translator: Translator, sections: Sequence[Section], cells: Cells, key: Key, places: Sequence[Place]
) -> Matrix:
    used = [where for where in places if any((key, where, section.anchor) in cells for section in sections)]
    rows = [(section, [cells.get((key, where, section.anchor)) for where in used]) for section in sections]
    caption = translator.say("caption.matrix", term=_name(translator, key, [cell for _, line in rows for cell in line]))
    return Matrix(caption, [" · ".join(where) for where in used], rows, "+" not in key[1])


def _name(translator: Translator, key: Key, cells: Sequence[Cell | None]) -> str:
    """Name a term, and what it compares where this is the same for all."""
    term, _, subset = key
    name = translator.axis(term) if subset == "names" else f"{translator.axis(term)} ({translator.subset(subset)})"
    contrasts = {contrast(translator, cell.judged.row) for cell in cells if cell is not None}
    single = len(contrasts) == 1 and not any(cell.label for cell in cells if cell is not None)
    return ": ".join(part for part in (name, *(contrasts if single else ())) if part)


def _counts(
    translator: Translator, cells: Cells, keys: Sequence[Key], places: Sequence[Place], tasks: Mapping[str, str]
) -> Iterator[Count]:
    """Count systems by term, place and task; ``tasks`` gives the task of a section's anchor."""
    groups: dict[tuple[Key, Place, str], list[Cell]] = {
        (key, where, task): [] for key in keys for where in places for task in tasks.values()
    }
    for (key, where, anchor), cell in cells.items():
        groups[key, where, tasks[anchor]].append(cell)
    for (key, where, task), own in groups.items():
        # A term of many levels has no first and second group to count.
        if own and not any(cell.label for cell in own):
            yield _count(translator, key, where if len(places) > 1 else (), task, own)


def _count(translator: Translator, key: Key, where: Place, task: str, cells: Sequence[Cell]) -> Count:
    found = [cell.value for cell in cells if cell.judged.verdict.found and cell.value is not None]
    up, down = [value for value in found if value > 0], [value for value in found if value < 0]
    none = sum(cell.judged.verdict.kind in ("not_detectable", "zero", "no_reaction") for cell in cells)
    row = cells[0].judged.row
    compared = {(cell.judged.row["level"], cell.judged.row["reference"]) for cell in cells}
    first = second = ""
    if is_simple(row) and len(compared) == 1:
        first, second = (translator.sentences(key[1], row[side] or "", key[2]) for side in ("level", "reference"))
    return Count(
        name=" · ".join([_name(translator, key, cells), *where]), task=task, first=first, second=second,
        systems=len(cells), none=none, up=len(up), down=len(down), other=len(cells) - none - len(up) - len(down),
        mean_up=fmean(up) if up else None, mean_down=fmean(down) if down else None,
    )  # fmt: skip
