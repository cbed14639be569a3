"""What systems show: one row that speaks for each term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from eec_bias.reading import ANY, PAIRWISE, Judged
from eec_bias.shared import grouped
from eec_datasets.audit.report.document import Row, Unit, stratum_output
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sentences import contrast, term

TALLIED: Final = {"not_detectable": "not_detectable", "zero": "zero", "no_reaction": "zero"}

Place = tuple[str, ...]
"""Corpus, stratum and output, those that there are."""

Key = tuple[str, str, str]
"""Term, axes, subset."""


@dataclass(frozen=True, slots=True)
class TermFinding:
    """What one system, by the anchor of its section, shows on one term in one place.

    ``judged`` speaks for the term: its only row, or the largest of the ``levels`` that are estimated under the verdict
    on all; then ``label`` names its level, and ``largest`` says whether all others have smaller effects. ``subject`` is
    the row that sentences are about, with the verdict on it alone: that level, or the row of the term as a whole where
    no single level differs. ``mde`` is what could have been found of every level.
    """

    anchor: str
    unit: Unit
    key: Key
    place: Place
    judged: Judged
    label: str
    levels: int
    largest: bool
    subject: Judged
    mde: float | None

    @property
    def span(self) -> float:
        """Length of its scale."""
        return self.unit.span(self.judged.row)


def gather_findings(translator: Translator, anchor: str, units: Sequence[Unit]) -> list[TermFinding]:
    """Return what a system shows on every term, but for attested names that show no difference beside the whole set."""
    findings = []
    for unit in units:
        groups = grouped((_about(unit, judged.row), judged) for judged in unit.rows)
        findings += [_finding(translator, anchor, unit, *about, rows) for about, rows in groups.items()]
    verdicts = {(each.key, each.place): each.judged.verdict for each in findings}
    new = []
    for each in findings:
        entry, verdict = each.unit.entry, each.judged.verdict
        whole = verdicts.get((each.key, (entry.whole, *each.place[1:]))) if entry.attested_of else None
        if whole is None or (verdict.found and not (whole.found and whole.direction == verdict.direction)):
            new.append(each)
    return new


def _about(unit: Unit, row: Row) -> tuple[Key, Place]:
    place = filter(None, [unit.entry.config, *stratum_output(row)])
    return (row["term"], row["axes"] or "", row["subset"]), tuple(place)


def _finding(
    translator: Translator, anchor: str, unit: Unit, key: Key, place: Place, rows: Sequence[Judged]
) -> TermFinding:
    levels = [judged for judged in rows if judged.row["level"] != ANY]
    estimated = [judged for judged in levels if judged.row["effect"] is not None]
    speaking = [judged for judged in estimated if judged.verdict.found] or estimated
    subject = judged = max(speaking, key=lambda each: abs(each.row["effect"])) if speaking else (levels or rows)[0]
    if whole := next((judged for judged in rows if judged.row["level"] == ANY), None):
        # The term is judged as a whole; the direction is that of the level that is shown.
        judged = Judged(subject.row, replace(whole.verdict, direction=subject.verdict.direction))
        subject = subject if subject.verdict.found or not whole.verdict.found else whole
    label = ""
    if len(levels) > 1:
        pairwise = judged.row.get(PAIRWISE)
        label = contrast(translator, judged.row) if pairwise else translator.group(key[1], judged.row["level"] or "")
    detectable = [judged.row["mde"] for judged in levels]
    mde = max(detectable) if detectable and None not in detectable else None
    least = abs(judged.row["effect"] or 0) * (1 - 1e-9)
    largest = len(estimated) > 1 and sum(abs(each.row["effect"]) >= least for each in estimated) == 1
    return TermFinding(anchor, unit, key, place, judged, label, max(len(estimated), 1), largest, subject, mde)


def term_name(translator: Translator, findings: Sequence[TermFinding]) -> str:
    """Name the term of findings, and what it compares where this is the same for all."""
    name = term(translator, findings[0].judged.row)
    contrasts = {contrast(translator, finding.judged.row) for finding in findings}
    single = len(contrasts) == 1 and not any(finding.label for finding in findings)
    return ": ".join(filter(None, (name, *(contrasts if single else ()))))


def ordered_keys(findings: Sequence[TermFinding]) -> list[Key]:
    """Return the terms, main ones before interactions, each in the order of the results."""
    return sorted(dict.fromkeys(each.key for each in findings), key=lambda key: key[1].count("+"))


def tally_verdicts(findings: Sequence[TermFinding]) -> Counter[str]:
    """Count what is found: differences, none detectable, no reaction at all, not estimated."""
    verdicts = [finding.judged.verdict for finding in findings]
    return Counter("found" if verdict.found else TALLIED.get(verdict.kind, "other") for verdict in verdicts)
