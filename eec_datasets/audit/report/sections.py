"""The parts of a report: per system and corpus its sentences, table rows, pairs and warnings, ready to be laid out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eec_bias.options import ANY
from eec_bias.result.words import adjustment
from eec_datasets.audit.minimal_pairs import marked
from eec_datasets.audit.report.document import JudgedRow, Row, Unit
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sentences import contrast, label, say_row, term
from eec_datasets.systems.builtin import about
from eec_datasets.terminal import DASH

OTHERS: Final = 12
"""Numbers that compare no groups, such as ranges or ratings, of which so many are read out."""

READ: Final = 6
"""Levels of one term without a detectable difference, of which so many are read out one by one."""

COLUMNS: Final = ("compares", "effect", "interval", "p", "mde", "beta", "reading")
"""Of the table of effects, after the term."""


@dataclass(frozen=True, slots=True)
class Said:
    """What is read out, or the cells of one row of a table by column; and whether a difference is there."""

    text: Any
    found: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """What a section shows of one corpus.

    Attributes
    ----------
    unit
        The system's rows and where they come from.
    heading, scale
        Corpus and language; declared range of the scores.
    readings, lines
        The plain sentences, and the rows as a table.
    cells
        Mean scores by group.
    pairs
        The pairs that moved most, each with its axis, difference and sides.
    """

    unit: Unit
    heading: str
    scale: str
    readings: list[Said]
    lines: list[Said]
    cells: list[Row]
    pairs: list[Row]


@dataclass(frozen=True, slots=True)
class Section:
    """What the report shows of one system on one task.

    Attributes
    ----------
    title, anchor, about
        Its name, its id on the page, what it does where it is built in.
    heads
        Headers of its table.
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
    heads: Mapping[str, str]
    blocks: list[Block]
    notes: list[str]
    warnings: list[str]
    found: bool
    strength: float


def sections(translator: Translator, units: Iterable[Unit]) -> list[Section]:
    """Gather the units of each system and task, in the order given."""
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.title, []).append(unit)
    return [_section(translator, title, f"s{i}", members) for i, (title, members) in enumerate(groups.items(), start=1)]


def _section(translator: Translator, title: str, anchor: str, units: Sequence[Unit]) -> Section:
    notes = list(dict.fromkeys(judged.row["note"] for unit in units for judged in unit.rows if judged.row["note"]))
    return Section(
        title=title,
        anchor=anchor,
        about=about(units[0].system, units[0].entry.result.score_range),
        heads=_heads(translator, units),
        blocks=[_block(translator, unit, notes) for unit in units],
        notes=notes,
        warnings=[text for unit in units for text in _warnings(translator, unit)],
        found=any(judged.verdict.found for unit in units for judged in unit.rows),
        strength=max((_strength(unit) for unit in units), default=0.0),
    )


def _heads(translator: Translator, units: Sequence[Unit]) -> dict[str, str]:
    """Name the columns; where p is adjusted and the interval is not, both say so."""
    heads: dict[str, str] = {key: translator.say(f"head.{key}") for key in ("term", *COLUMNS)}
    if any(judged.verdict.adjusted for unit in units for judged in unit.rows):
        methods = dict.fromkeys(adjustment(unit.entry.result) for unit in units)
        heads["p"] = translator.say("head.p_adjusted", method=", ".join(method for method in methods if method))
        heads["interval"] = translator.say("head.interval_unadjusted")
    return heads


def _strength(unit: Unit) -> float:
    """Largest effect as a share of the range: of those found where there are any, else of all."""
    low, high = unit.entry.result.score_range
    rows = [judged for judged in unit.rows if judged.row["effect"] is not None]
    strongest = [judged for judged in rows if judged.verdict.found] or rows
    return max((abs(judged.row["effect"]) / ((high - low) or 1.0) for judged in strongest), default=0.0)


def _block(translator: Translator, unit: Unit, notes: Sequence[str]) -> Block:
    entry = unit.entry
    language = translator.language(entry.language) if entry.language else ""
    low, high = (translator.short(end) for end in entry.result.score_range)
    return Block(
        unit=unit,
        heading=" · ".join(part for part in (entry.config, language) if part) or entry.place,
        scale=translator.say("page.scale", low=low, high=high),
        readings=list(_readings(translator, unit)),
        lines=[_line(translator, judged, notes) for judged in unit.rows],
        cells=_cells(translator, unit),
        pairs=[_pair(translator, row) for row in entry.moved or ()],
    )


def _readings(translator: Translator, unit: Unit) -> Iterator[Said]:
    """Read the rows that compare groups; of other numbers the first, as the table below has them all.

    Of a term with many levels those without a detectable difference share a sentence, that of the largest.
    """
    compared = [judged for judged in unit.rows if judged.verdict.kind != "described"]
    if unmoved(compared):
        yield Said(translator.say("findings.no_reaction"))
    for rows in _terms(compared):
        silent = [judged for judged in rows if judged.verdict.kind == "not_detectable" and judged.row["effect"]]
        folded = silent if len(silent) > READ else []
        for judged in rows:
            if not any(judged is other for other in folded):
                yield Said(_read(translator, judged), judged.verdict.found)
        if folded:
            text = _read(translator, max(folded, key=lambda judged: abs(judged.row["effect"])))
            key = "largest_others" if any(judged.verdict.found for judged in rows) else "largest"
            yield Said(translator.say(f"findings.{key}", count=translator.count(len(folded)), text=text))
    others = [judged for judged in unit.rows if judged.verdict.kind == "described"]
    yield from (Said(_read(translator, judged)) for judged in others[:OTHERS])
    if len(others) > OTHERS:
        yield Said("…")


def unmoved(rows: Sequence[JudgedRow]) -> bool:
    """Whether a system gave all the scores compared alike: every main effect, and so all that is made of them."""
    simple = {own.verdict.kind for own in rows if is_simple(own.row) and own.row["level"] != ANY}
    return simple == {"no_reaction"} and {own.verdict.kind for own in rows} <= {"no_reaction", "zero"}


def is_simple(row: Row) -> bool:
    """Whether a row compares groups of one axis."""
    return "+" not in (row["axes"] or "")


def _terms(rows: Sequence[JudgedRow]) -> list[list[JudgedRow]]:
    """Part rows by what they are the levels of."""
    parts: dict[tuple[Any, ...], list[JudgedRow]] = {}
    for judged in rows:
        parts.setdefault((*place(judged.row), judged.row["term"], judged.row["subset"]), []).append(judged)
    return list(parts.values())


def _read(translator: Translator, judged: JudgedRow) -> str:
    return " · ".join([*place(judged.row), say_row(translator, judged)])


def place(row: Row) -> list[str]:
    """Stratum and output of a row."""
    return [str(row[key]) for key in ("stratum", "output") if row.get(key) is not None]


def _line(translator: Translator, judged: JudgedRow, notes: Sequence[str]) -> Said:
    row, verdict = judged.row, judged.verdict
    note = notes.index(row["note"]) + 1 if row["note"] else 0
    cells = {
        "term": " · ".join([*place(row), term(translator, row)]),
        "compares": contrast(translator, row),
        "effect": translator.number(row["effect"], signed=True),
        "interval": translator.interval(row),
        "p": translator.probability(verdict.p),
        "mde": translator.number(row["mde"]),
        "beta": translator.number(row["beta"], signed=True),
        "reading": label(translator, judged) + (f" [{translator.count(note)}]" if note else ""),
    }
    return Said(cells, verdict.found)


def _cells(translator: Translator, unit: Unit) -> list[Row]:
    axes = unit.entry.result.axes
    return [
        {key: row[key] for key in ("stratum", "output") if row.get(key) is not None}
        | {translator.axis(axis): translator.group(axis, str(row[axis])) if row.get(axis) else DASH for axis in axes}
        | {translator.say("head.persons"): row["n_persons"], translator.say("head.mean"): row["mean"]}
        for row in (unit.others("cells") if axes else ())
    ]


def _pair(translator: Translator, row: Row) -> Row:
    high, low = row["higher"], row["lower"]
    sides = [
        (
            pieces,
            translator.listed(translator.group(*label) for label in side["labels"].items()),
            translator.number(side["score"]),
        )
        for pieces, side in zip(marked(high["text"], low["text"]), (high, low), strict=True)
    ]
    difference = translator.number(high["score"] - low["score"], signed=True)
    return {"axis": translator.axis(row["axis"]), "difference": difference, "sides": sides}


def _warnings(translator: Translator, unit: Unit) -> Iterator[str]:
    """Say what to know of one system on one corpus."""
    refused = sum(judged.verdict.kind == "not_estimable" for judged in unit.rows)
    if refused:
        yield translator.say("warning.not_estimable", where=unit.where, count=translator.count(refused))
    fits = unit.others("fits")
    for reason, rows in _grouped(fits, "reason").items():
        if reason:
            subsets = dict.fromkeys(translator.subset(row["subset"]) for row in rows if row["subset"])
            where = f"{unit.where} ({', '.join(subsets)})" if subsets else unit.where
            yield translator.say("warning.no_beta", where=where, reason=reason)
    for edge, touched in dict.fromkeys((row["edge"], row["touched"]) for row in fits if not row["reason"]):
        if touched:
            yield translator.say("warning.edge", where=unit.where, count=translator.count(touched), edge=edge)
    reworded = [row for row in unit.others("no_spread") if row["verdict"] == "wording"]
    for subset, rows in _grouped(reworded, "subset").items():
        items = list(dict.fromkeys(str(item) for row in rows for item in row["items"] or ()))
        shown = ", ".join(items[:5]) + (" …" if len(items) > 5 else "")
        where = f"{unit.where} ({translator.subset(subset)})"
        yield translator.say("warning.wording", where=where, count=translator.count(len(items)), items=shown)


def _grouped(rows: Iterable[Row], key: str) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(str(row[key] or ""), []).append(row)
    return groups
