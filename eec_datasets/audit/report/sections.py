"""The parts of a report: per system and corpus its sentences, table rows, pairs and warnings, ready to be laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eec_datasets.audit.minimal_pairs import Piece, marked
from eec_datasets.audit.report import sentences as page_reading
from eec_datasets.audit.report.document import Measured
from eec_datasets.audit.report.language import Voice
from eec_datasets.audit.report.sentences import FOUND, Row, Verdict
from eec_datasets.audit.report.units import Unit
from eec_datasets.systems.builtin import about
from eec_datasets.terminal import DASH

FEW: Final = 5
"""Fewer persons in a cell are worth a warning (STATISTICS: Satterthwaite's degrees of freedom get few)."""

OTHERS: Final = 12
"""Numbers that compare no groups, such as ranges or ratings, of which so many are read out."""

READ: Final = 6
"""Levels of one term without a detectable difference, of which so many are read out one by one."""

MORE: Final = ("equivalence", "bootstrap", "variances", "wording", "flips")
"""Lists of a result that are shown as plain tables."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table, every cell as text.

    Attributes
    ----------
    term, contrast, effect, interval, p, mde, beta
        As written in the report's language; ``term`` with stratum and output where there are any.
    found
        What it shows.
    note
        Number of its note below the table; 0 for none.
    """

    term: str
    contrast: str
    effect: str
    interval: str
    p: str
    mde: str
    beta: str
    found: Verdict
    note: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A minimal pair to show: both sentences in pieces, with groups and scores as text."""

    axis: str
    difference: str
    sides: tuple[tuple[list[Piece], str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A plain table: name, headers, rows of text."""

    name: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Block:
    """What a section shows of one corpus.

    Attributes
    ----------
    unit
        The system's rows and where they come from.
    heading
        Corpus and language.
    scale
        Declared range of the scores.
    readings
        Per row what it shows, and the plain sentences.
    lines
        The same rows as a table.
    cells
        Mean scores by group, or None.
    pairs
        The pairs that moved most; None where the file does not hold them.
    more
        Further tables.
    """

    unit: Unit
    heading: str
    scale: str
    readings: list[tuple[Verdict, str]]
    lines: list[Line]
    cells: Grid | None
    pairs: list[Pair] | None
    more: list[Grid]


@dataclass(frozen=True, slots=True)
class Section:
    """What the report shows of one system on one task.

    Attributes
    ----------
    title, anchor, about
        Its name, its id on the page, what it does where it is built in.
    blocks
        One per corpus.
    notes
        What the lines refer to by number.
    warnings
        What to know of this system.
    found
        Whether any difference was found.
    strength
        Its largest effect as a share of the range of its scores.
    """

    title: str
    anchor: str
    about: str
    blocks: list[Block]
    notes: list[str]
    warnings: list[str]
    found: bool
    strength: float


def sections(voice: Voice, units: Iterable[Unit]) -> list[Section]:
    """Gather the units of each system and task, in the order given."""
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.title, []).append(unit)
    return [_section(voice, title, f"s{i}", members) for i, (title, members) in enumerate(groups.items(), start=1)]


def _section(voice: Voice, title: str, anchor: str, units: Sequence[Unit]) -> Section:
    notes = list(dict.fromkeys(row["note"] for unit in units for row in unit.terms if row["note"]))
    blocks = [_block(voice, unit, notes) for unit in units]
    return Section(
        title=title,
        anchor=anchor,
        about=about(units[0].system, units[0].measured.score_range or (0.0, 1.0)),
        blocks=blocks,
        notes=notes,
        warnings=[text for unit in units for text in _unit_warnings(voice, unit)],
        found=any(found in FOUND for block in blocks for found, _ in block.readings),
        strength=max((_strength(unit) for unit in units), default=0.0),
    )


def _strength(unit: Unit) -> float:
    """Largest effect as a share of the range: of those found where there are any, else of all."""
    low, high = unit.measured.score_range or (0.0, 1.0)
    adjusted = is_adjusted(unit.measured)
    rows = [row for row in unit.terms if row["effect"] is not None]
    found = [row for row in rows if page_reading.verdict(row, adjusted=adjusted) in FOUND]
    return max((abs(row["effect"]) / ((high - low) or 1.0) for row in found or rows), default=0.0)


def is_adjusted(measured: Measured) -> bool:
    """Say whether the adjusted p of a result are adjusted at all."""
    return "adj:none" not in measured.signature.split("|")


def _block(voice: Voice, unit: Unit, notes: Sequence[str]) -> Block:
    measured = unit.measured
    adjusted = is_adjusted(measured)
    language = voice.language(measured.language) if measured.language else ""
    return Block(
        unit=unit,
        heading=" · ".join(part for part in (measured.config, language) if part) or measured.place,
        scale=scale(voice, measured),
        readings=_readings(voice, unit, adjusted),
        lines=[_line(voice, row, notes, adjusted) for row in unit.terms],
        cells=_cells(voice, unit),
        pairs=_pairs(voice, measured),
        more=[grid for key in MORE if (grid := _grid(voice, key, unit.rows(key)))],
    )


def _readings(voice: Voice, unit: Unit, adjusted: bool) -> list[tuple[Verdict, str]]:
    """Read the rows that compare groups; of other numbers the first, as the table below has them all.

    Of a term with many levels those without a detectable difference share a sentence, that of the largest.
    """
    found: list[tuple[Verdict, str]] = []
    for rows in _terms([row for row in unit.terms if page_reading.compares(row)]):
        verdicts = [page_reading.verdict(row, adjusted=adjusted) for row in rows]
        silent = [row for row, verdict in zip(rows, verdicts, strict=True) if verdict == "none" and row["effect"]]
        folded = silent if len(silent) > READ else []
        for row, verdict in zip(rows, verdicts, strict=True):
            if not any(row is other for other in folded):
                found.append((verdict, _read(voice, row, adjusted)))
        if folded:
            text = _read(voice, max(folded, key=lambda row: abs(row["effect"])), adjusted)
            key = "largest_others" if any(verdict in FOUND for verdict in verdicts) else "largest"
            found.append(("none", voice.say(f"findings.{key}", count=voice.count(len(folded)), text=text)))
    others = [row for row in unit.terms if not page_reading.compares(row)]
    found += [(page_reading.verdict(row, adjusted=adjusted), _read(voice, row, adjusted)) for row in others[:OTHERS]]
    return found + ([("untested", "…")] if len(others) > OTHERS else [])


def _terms(rows: Sequence[Row]) -> list[list[Row]]:
    """Part rows by what they are the levels of."""
    parts: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        parts.setdefault((*_place(row), row["term"], row["subset"]), []).append(row)
    return list(parts.values())


def _read(voice: Voice, row: Row, adjusted: bool) -> str:
    return " · ".join([*_place(row), page_reading.sentences(voice, row, adjusted=adjusted)])


def scale(voice: Voice, measured: Measured) -> str:
    """Say on which scale the scores are; nothing where the result does not."""
    if measured.score_range is None:
        return ""
    low, high = measured.score_range
    return voice.say("page.scale", low=voice.short(low), high=voice.short(high))


def _place(row: Mapping[str, Any]) -> list[str]:
    """Stratum and output of a row."""
    return [str(row[key]) for key in ("stratum", "output") if row.get(key) is not None]


def _line(voice: Voice, row: Mapping[str, Any], notes: Sequence[str], adjusted: bool) -> Line:
    return Line(
        term=" · ".join([*_place(row), page_reading.term(voice, row)]),
        contrast=page_reading.contrast(voice, row),
        effect=voice.number(row["effect"], signed=True),
        interval=voice.interval(row),
        p=voice.probability(page_reading.decisive(row, adjusted)),
        mde=voice.number(row["mde"]),
        beta=voice.number(row["beta"], signed=True),
        found=page_reading.verdict(row, adjusted=adjusted),
        note=notes.index(row["note"]) + 1 if row["note"] else 0,
    )


def _cells(voice: Voice, unit: Unit) -> Grid | None:
    rows = unit.rows("cells")
    axes = [str(axis) for axis in unit.measured.result.get("axes") or ()]
    if not rows or not axes:
        return None
    lead = list(dict.fromkeys(key for row in rows for key in ("stratum", "output") if row.get(key) is not None))
    headers = [*lead, *(voice.axis(axis) for axis in axes), voice.say("head.persons"), voice.say("head.mean")]
    found = []
    for row in rows:
        groups = [voice.group(axis, str(row[axis])) if row.get(axis) else DASH for axis in axes]
        persons = row.get("n_persons")
        count = voice.count(persons) if isinstance(persons, int) else DASH
        found.append([*(str(row.get(key, DASH)) for key in lead), *groups, count, _value(voice, row.get("mean"))])
    return Grid(voice.say("caption.cells"), headers, found)


def _pairs(voice: Voice, measured: Measured) -> list[Pair] | None:
    if measured.moved is None:
        return None
    found = []
    for row in measured.moved:
        high, low = row["higher"], row["lower"]
        pieces = marked(str(high["text"]), str(low["text"]))
        sides = tuple(
            (
                part,
                ", ".join(voice.group(axis, str(level)) for axis, level in side["labels"].items()),
                voice.number(side["score"]),
            )
            for part, side in zip(pieces, (high, low), strict=True)
        )
        difference = voice.number(high["score"] - low["score"], signed=True)
        found.append(Pair(voice.axis(str(row["axis"])), difference, sides))
    return found


def _grid(voice: Voice, key: str, rows: Sequence[Mapping[str, Any]]) -> Grid | None:
    if not rows:
        return None
    headers = list(dict.fromkeys(name for row in rows for name in row if name not in ("system", "task")))
    return Grid(key, headers, [[_value(voice, row.get(name)) for name in headers] for row in rows])


def _value(voice: Voice, value: Any) -> str:
    """Write any value of a row."""
    if value is None:
        return DASH
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return voice.count(value)
    if isinstance(value, float):
        return voice.number(value)
    if isinstance(value, list | tuple):
        return ", ".join(_value(voice, part) for part in value)
    return str(value)


def _unit_warnings(voice: Voice, unit: Unit) -> list[str]:
    found = []
    refused = sum(page_reading.verdict(row) == "refused" for row in unit.terms)
    if refused:
        found.append(voice.say("warning.refused", where=unit.where, count=voice.count(refused)))
    for reason, rows in _grouped(unit.rows("fits"), "reason").items():
        if reason:
            subsets = dict.fromkeys(voice.subset(str(row["subset"])) for row in rows if row.get("subset"))
            where = f"{unit.where} ({', '.join(subsets)})" if subsets else unit.where
            found.append(voice.say("warning.no_beta", where=where, reason=reason))
    for fit, count in Counter(_fit_problem(row) for row in unit.rows("fits")).items():
        reason, edge, touched = fit
        if touched and count and not reason:
            text = voice.say("warning.edge", where=unit.where, count=voice.count(touched), edge=edge)
            found.append(text)
    for subset, rows in _grouped(unit.rows("wording"), "subset").items():
        items = list(dict.fromkeys(str(item) for row in rows for item in row.get("items") or ()))
        shown = ", ".join(items[:5]) + (" …" if len(items) > 5 else "")
        where = f"{unit.where} ({voice.subset(subset)})"
        found.append(voice.say("warning.wording", where=where, count=voice.count(len(items)), items=shown))
    return found


def _fit_problem(row: Mapping[str, Any]) -> tuple[str, str, int]:
    touched = row.get("touched")
    return str(row.get("reason") or ""), str(row.get("edge") or ""), touched if isinstance(touched, int) else 0


def _grouped(rows: Iterable[Mapping[str, Any]], key: str) -> dict[str, list[Mapping[str, Any]]]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(str(row.get(key) or ""), []).append(row)
    return groups
