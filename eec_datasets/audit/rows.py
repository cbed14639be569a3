"""The rows of terms.csv: the numbers of all measurements, unrounded, and the answer to each question in points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from eec_bias.measurement import Measurement

ANSWER: Final = ("answer", "points", "points_low", "points_high")


def rows_of(measurements: Sequence[Measurement]) -> list[dict[str, Any]]:
    """Return one row per row of terms, with the list it is of; the answer stands in the rows that answer a question.

    Parameters
    ----------
    measurements
        What was measured.
    """
    rows: list[dict[str, Any]] = []
    for each in measurements:
        by_row = {(finding.system, finding.comparison): finding for finding in each.result.findings}
        for row in each.result.terms:
            finding = by_row.get((row.system, row.comparison))
            answer = {key: getattr(finding, key, None) for key in ANSWER}  # an answer on reactions has no points
            about = {"list": each.list, "language": each.language, "kind": each.kind}
            about["system"] = row.system or each.system
            rows.append(about | answer | {key: value for key, value in row.items() if key != "system"})
    columns = dict.fromkeys(key for row in rows for key in row)
    return [{key: row.get(key) for key in columns} for row in rows]
