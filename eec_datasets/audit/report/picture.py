"""The one picture of a report: what every system shows on every term in every place, each effect with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from eec_datasets.audit.report.findings import Finding, grid
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import Section

ROOM = 1.04
"""Share by which a scale goes beyond what is drawn on it."""


def picture(translator: Translator, sections: Sequence[Section], findings: Sequence[Finding]) -> dict[str, Any]:
    """Lay out what systems show, a row for each term in each place; without systems that do not react, if any does.

    Returns
    -------
    dict
        ``sections``: the systems across; ``lines``: term, over how many rows that stands (0: it stands above), place,
        and what each system shows; ``places``: whether there are several.
    """
    sections = [section for section in sections if not section.unmoved] or sections
    findings = [each for each in findings if each.section in sections]
    lines = [
        (name, 0 if i else len(rows), " · ".join(place), row)
        for _, name, rows in grid(translator, sections, findings)
        for i, (place, row) in enumerate(rows)
    ]
    return {"sections": sections, "lines": lines, "places": len({each.place for each in findings}) > 1}


def scales(sections: Sequence[Section], findings: Sequence[Finding]) -> dict[str, float]:
    """Return how far the scale of each system goes from 0, by its anchor.

    Systems with the same range of scores share a scale, to be compared; each that is built in has its own.
    """
    group_of = {each.anchor: each.anchor if each.demo else each.score_range for each in sections}
    reach_of = {group_of[each.anchor]: 0.005 * (each.score_range[1] - each.score_range[0]) for each in sections}
    for each in findings:
        ends = [each.judged.row[key] for key in ("effect", "ci_low", "ci_high", "mde")]
        group = group_of[each.section.anchor]
        reach_of[group] = max(reach_of[group], *(ROOM * abs(end) for end in ends if end is not None), 0.0)
    return {anchor: _round_up(reach_of[group]) for anchor, group in group_of.items()}


def _round_up(value: float) -> float:
    """Return the next of 1, 1.5, 2, 3, 4, 5, 6, 8 and 10 times a power of ten, so that the ends are short."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-9))


def mark(finding: Finding, reach: float) -> dict[str, Any] | None:
    """Place an effect on a scale from ``-reach`` to ``reach``, in per cent of its width; None where there is no effect.

    ``at`` is its place; ``interval`` and ``band`` are start and length of its interval, and of the effects that could
    not have been found, or None.
    """
    row = finding.judged.row
    if row["effect"] is None:
        return None

    def at(value: float) -> float:
        return 50 + 50 * value / reach

    def span(low: float | None, high: float | None) -> tuple[float, float] | None:
        return None if low is None or high is None else (at(low), at(high) - at(low))

    mde: float | None = row["mde"]
    interval = span(row["ci_low"], row["ci_high"])
    return {"at": at(row["effect"]), "interval": interval, "band": span(mde and -mde, mde)}


def dots(means: Mapping[str, float], low: float, high: float) -> list[tuple[str, float]]:
    """Return each name with the place of its mean between two ends, in per cent."""
    return [(name, 100 * (mean - low) / (high - low) if high > low else 50.0) for name, mean in means.items()]
