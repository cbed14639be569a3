"""What systems show, term by term: one row that speaks for each term, and whole sentences where systems are few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from eec_bias.options import ANY
from eec_datasets.audit.report.document import JudgedRow, Unit
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import Section, is_simple, place, unmoved
from eec_datasets.audit.report.sentences import MEAN, say_rows

SENTENCES: Final = 6
"""At most so many findings of one system are read out; the count that follows has all."""

TALLIED: Final = {"not_detectable": "not_detectable", "zero": "zero", "no_reaction": "zero"}

Place = tuple[str, ...]
"""Corpus, stratum and output."""

Key = tuple[str, str, str]
"""Term, axes, subset."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one system shows on one term in one place.

    ``judged`` speaks for the term: its only row, or the largest effect of several ``levels`` under the verdict on all;
    then ``label`` names its level.
    """

    section: Section
    key: Key
    place: Place
    judged: JudgedRow
    label: str
    levels: int


def findings(translator: Translator, sections: Sequence[Section]) -> list[Finding]:
    """Return what every system shows on every term."""
    return [
        _speaks(translator, section, key, where, rows)
        for section in sections
        for block in section.blocks
        for key, where, rows in _terms(block.unit)
    ]


def _terms(unit: Unit) -> Iterator[tuple[Key, Place, list[JudgedRow]]]:
    groups: dict[tuple[Key, Place], list[JudgedRow]] = {}
    for judged in unit.rows:
        row = judged.row
        key = (row["term"], row["axes"] or "", row["subset"])
        groups.setdefault((key, (unit.entry.config, *place(row))), []).append(judged)
    return ((key, where, rows) for (key, where), rows in groups.items())


def _speaks(translator: Translator, section: Section, key: Key, where: Place, rows: Sequence[JudgedRow]) -> Finding:
    levels = [judged for judged in rows if judged.row["level"] != ANY]
    known = [judged for judged in levels if judged.row["effect"] is not None]
    shown = max(known, key=lambda judged: abs(judged.row["effect"])) if known else (levels or rows)[0]
    if whole := next((judged.verdict for judged in rows if judged.row["level"] == ANY), None):
        # The term is judged as a whole; the direction is that of the level that is shown.
        shown = replace(shown, verdict=replace(whole, direction=shown.verdict.direction))
    label = translator.group(key[1], shown.row["level"] or "") if len(levels) > 1 else ""
    return Finding(section, key, where, shown, label, max(len(levels), 1))


def say_findings(translator: Translator, own: Sequence[Finding]) -> list[str]:
    """Say what one system shows: differences first, then main terms without a detectable one, then the count of all.

    Corpora that show the same share a sentence, which then has the range of their sizes.
    """
    own = [finding for finding in own if finding.judged.verdict.kind != "described"]
    several = len({finding.place for finding in own}) > 1
    groups: dict[tuple[Any, ...], list[Finding]] = {}
    for finding in own:
        row, verdict = finding.judged.row, finding.judged.verdict
        if verdict.found or (verdict.kind == "not_detectable" and is_simple(row)):
            # Many levels differ in which is the largest.
            where = finding.place if finding.levels > 1 else ()
            group = (*finding.key, row["level"], row["reference"], verdict.kind, verdict.direction, where)
            groups.setdefault(group, []).append(finding)
    # Differences before others, main terms before interactions.
    ordered = sorted(
        groups.values(), key=lambda same: (not same[0].judged.verdict.found, not is_simple(same[0].judged.row))
    )
    texts = [_read(translator, same, several) for same in ordered[:SENTENCES]]
    if unmoved([finding.judged for finding in own]):
        texts = [translator.say("findings.no_reaction")]
    return [*texts, _tally(translator, own)]


def _read(translator: Translator, same: Sequence[Finding], several: bool) -> str:
    first = same[0]
    text = say_rows(translator, [finding.judged for finding in same])
    if first.levels > 1 and first.judged.row["reference"] == MEAN:
        text = translator.say("findings.largest", count=translator.count(first.levels), text=text)
    places = translator.listed(translator.isolated(" · ".join(finding.place)) for finding in same)
    return f"{places}: {text}" if several else text


def _tally(translator: Translator, own: Sequence[Finding]) -> str:
    verdicts = [finding.judged.verdict for finding in own]
    counts = Counter("found" if verdict.found else TALLIED.get(verdict.kind, "other") for verdict in verdicts)
    parts = [
        translator.say(f"findings.of_{key}", count=translator.count(counts[key]))
        for key in ("found", "not_detectable", "zero", "other")
        if counts[key]
    ]
    return translator.say("findings.tally", count=translator.count(len(own)), parts=translator.listed(parts))
