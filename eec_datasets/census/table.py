"""The table of a census: a row per system and language."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

from eec_datasets.census.measuring import QUESTIONS, CensusGap, CensusRow

PARTS: Final = {"percent": "gap", "low": "low", "high": "high", "found_from": "found_from", "p": "p",
                "p_census": "p_census"}  # fmt: skip
"""Ends of the columns of a gap, and its fields."""

DIGITS: Final = 4


def as_record(row: CensusRow) -> dict[str, Any]:
    """Return a row as columns and their values; None where a value is not known."""
    hearing = row.hearing
    record: dict[str, Any] = {
        "system": row.system, "language": row.language, "program": row.program, "version": row.version,
        "kind": row.kind, "instrument": row.instrument, "licence": row.licence, "list_licence": row.list_licence,
        "failure": row.failure, "range_low": row.range_low, "range_high": row.range_high, "texts": row.texts,
        "unanswered": row.unanswered, "auc": row.auc, "auc_low": row.auc_low, "auc_high": row.auc_high,
        "labelled": row.labelled, "distance": row.distance, "deaf": row.deafness,
        "words": hearing and hearing.words, "words_heard": hearing and hearing.heard,
        "words_only_him": hearing and len(hearing.only_male), "words_only_her": hearing and len(hearing.only_female),
        "muted_forms": "; ".join(f"{word.his}/{word.hers}" for word in row.muted),
        "only_him": hearing and " ".join(hearing.only_male), "only_her": hearing and " ".join(hearing.only_female),
    }  # fmt: skip
    for question in QUESTIONS:
        gap = row.gaps.get(question, CensusGap(""))
        record[f"{question}_answer"] = gap.answer
        record |= {f"{question}_{end}": getattr(gap, field) for end, field in PARTS.items()}
    reaction = row.reaction
    record |= {
        "reaction": reaction and reaction.ratio,
        "reaction_low": reaction and reaction.low,
        "reaction_high": reaction and reaction.high,
        "heard_only_her": row.heard_only_female,
        "heard_only_him": row.heard_only_male,
    }
    return record


def to_csv(rows: Sequence[CensusRow]) -> str:
    """Return the table as CSV; numbers have four digits."""
    text = io.StringIO()
    records = [as_record(row) for row in rows]
    writer = csv.DictWriter(text, list(records[0]) if records else [], lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: _written(value) for name, value in record.items()})
    return text.getvalue()


def _written(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    return value
