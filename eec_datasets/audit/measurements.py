"""Measurements of audited or saved results: each result with where it comes from, for the pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from eec_bias import Result
from eec_bias.measurement import JobAccuracy, Measurement, Origin, SentencePair
from eec_datasets.audit.report.document import Document, Entry
from eec_datasets.audit.running import UNANSWERED, Outcome

MADE_UP: Final = ("biased:", "noisy:", "random:")
"""Beginnings of the names of built-in systems, which are demonstrations."""

JOB: Final = ("accuracy_known", "accuracy_not_known")
"""Keys of the notes that say how good a system is at its job; a page has a block for it."""


def measurements_of(document: Document) -> list[Measurement]:
    """Return the measurements of a document, in its order."""
    return [_measurement(entry, document.distinct) for entry in document.entries]


def entries_of(outcomes: Sequence[Outcome]) -> list[Entry]:
    """Return what was measured, as a document has it, without what pages show."""
    return [
        Entry(
            outcome.corpus.name,
            outcome.result,
            outcome.system,
            outcome.corpus.name,
            outcome.corpus.language,
            attested_of=outcome.corpus.attested_of,
            checksums=outcome.checksums,
        )
        for outcome in outcomes
    ]


def _measurement(entry: Entry, distinct: Mapping[str, Mapping[str, int]]) -> Measurement:
    unanswered = entry.system.endswith(UNANSWERED)
    system = entry.system.removesuffix(UNANSWERED)
    result = entry.result
    notes = [note for note in result.notes if note.subject.key not in JOB]
    known = [note for note in result.notes if note.subject.key == "accuracy_known"]
    accuracy = None
    if known:
        values = known[0].subject.values
        auc, low, high = (float(str(values[key]).rstrip("%")) / 100 for key in ("auc", "auc_low", "auc_high"))
        accuracy = JobAccuracy(auc, low, high, int(values["n"]), str(values["language"]))
    source = Origin(
        version=entry.fingerprint if len(entry.fingerprint) <= SHORT else "",
        accuracy=accuracy,
        unanswered=dict(entry.unanswered),
        part=entry.part,
        sentences=distinct.get(entry.system, {}).get(entry.language, 0) or _sentences(result),
        pairs=tuple(_pairs(entry.typical)),
        emotion_means=dict(entry.emotion_means),
        demonstration=system.startswith(MADE_UP),
        versions=_versions(entry),
    )
    return Measurement(
        result=replace(result, notes=tuple(notes)),
        kind="no_answer" if unanswered else "scores",
        list=entry.config,
        language=entry.language,
        system="" if any(row.system for row in result.terms) else system,
        source=source,
    )


SHORT: Final = 20
"""A longer version of a system is a hash, which says nothing to readers."""


def _sentences(result: Result) -> int:
    """Count the sentences of all groups, of one system and output."""
    cells = [
        cell for cell in result.cells if all(cell.get(key) == result.cells[0].get(key) for key in ("system", "output"))
    ]
    return sum(int(cell["n_sentences"]) for cell in cells)


def _pairs(typical: Sequence[Mapping[str, Any]]) -> list[SentencePair]:
    return [
        SentencePair(
            f"{pair['term']}[{pair['level']}-{pair['reference']}].{pair['subset']}",
            pair.get("emotion") or "none",
            (pair["first"], pair["second"]),
            (pair["first_score"], pair["second_score"]),
            (pair["first_person"], pair["second_person"]),
        )
        for pair in typical
    ]


def _versions(entry: Entry) -> tuple[Measurement, Measurement] | None:
    """Return both versions of a comparison, if they were measured alone too."""
    if not entry.versions:
        return None
    before, after = (_version(entry, result) for result in entry.versions)
    return before, after


def _version(entry: Entry, result: Result) -> Measurement:
    source = Origin(sentences=_sentences(result))
    return Measurement("scores", entry.config, entry.language, "", result, source)
