"""What few systems show, in whole sentences with sizes: what readers see first where systems stand side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from eec_datasets.audit.report.document import JudgedRow
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import is_simple, unmoved
from eec_datasets.audit.report.sentences import MEAN, say_rows

SENTENCES: Final = 6
"""At most so many findings of one system are read out; the count that follows has all."""

TALLIED: Final = {"not_detectable": "not_detectable", "zero": "zero", "no_reaction": "zero"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one system shows on one term in one place (corpus, stratum and output).

    ``judged`` speaks for the term: its only row, or the largest effect of several ``levels`` under the verdict on all.
    """

    place: tuple[str, ...]
    judged: JudgedRow
    levels: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What is said of one system: its name, the id of its section (both empty for all systems), and sentences."""

    title: str
    anchor: str
    sentences: list[str]


def say_findings(translator: Translator, findings: Sequence[Finding]) -> list[str]:
    """Say what one system shows: differences first, then main terms without a detectable one, then the count of all.

    Corpora that show the same share a sentence, which then has the range of their sizes.
    """
    several = len({finding.place for finding in findings}) > 1
    groups: dict[tuple[Any, ...], list[Finding]] = {}
    for finding in findings:
        row, verdict = finding.judged.row, finding.judged.verdict
        if verdict.found or (verdict.kind == "not_detectable" and is_simple(row)):
            groups.setdefault(_comparison(finding), []).append(finding)
    # Differences before others, main terms before interactions.
    ordered = sorted(
        groups.values(), key=lambda own: (not own[0].judged.verdict.found, not is_simple(own[0].judged.row))
    )
    texts = [_read(translator, own, several) for own in ordered[:SENTENCES]]
    if unmoved([finding.judged for finding in findings]):
        texts = [translator.say("findings.no_reaction")]
    return [*texts, _tally(translator, findings)]


def _comparison(finding: Finding) -> tuple[Any, ...]:
    """Return what must be the same for a common sentence; many levels differ in which is the largest."""
    row, verdict = finding.judged.row, finding.judged.verdict
    named = (row[key] for key in ("term", "axes", "level", "reference", "subset"))
    return (*named, verdict.kind, verdict.direction, finding.place if finding.levels > 1 else ())


def _read(translator: Translator, own: Sequence[Finding], several: bool) -> str:
    first = own[0]
    text = say_rows(translator, [finding.judged for finding in own])
    if first.levels > 1 and first.judged.row["reference"] == MEAN:
        text = translator.say("findings.largest", count=translator.count(first.levels), text=text)
    if not several:
        return text
    places = translator.listed(translator.isolated(" · ".join(finding.place)) for finding in own)
    return f"{places}: {text}"


def _tally(translator: Translator, findings: Sequence[Finding]) -> str:
    verdicts = [finding.judged.verdict for finding in findings]
    counts = Counter("found" if verdict.found else TALLIED.get(verdict.kind, "other") for verdict in verdicts)
    parts = [
        translator.say(f"findings.of_{key}", count=translator.count(counts[key]))
        for key in ("found", "not_detectable", "zero", "other")
        if counts[key]
    ]
    return translator.say("findings.tally", count=translator.count(len(findings)), parts=translator.listed(parts))
