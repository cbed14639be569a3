"""The one picture of a report: what every system shows on every term in every place, each effect with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eec_datasets.audit.report.findings import Key, Place, TermFinding, ordered_keys, term_name
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import Section

ROOM = 1.04
"""Share by which a scale goes beyond what is drawn on it."""


Row = list[TermFinding | None]
"""What systems show on one term in one place, one after another."""


def grid(translator: Translator, sections: Sequence[Section]) -> Iterator[tuple[Key, str, list[tuple[Place, Row]]]]:
    """Give each term, main ones first: its key, its name, and what systems show where one of them shows something."""
    by_section = [{(each.key, each.place): each for each in section.findings} for section in sections]
    findings = [each for section in sections for each in section.findings]
    places = dict.fromkeys(each.place for each in findings)
    for key in ordered_keys(findings):
        rows = [(place, [cells.get((key, place)) for cells in by_section]) for place in places]
        name = term_name(translator, [each for each in findings if each.key == key])
        yield key, name, [(place, row) for place, row in rows if any(row)]


def picture(translator: Translator, sections: Sequence[Section]) -> dict[str, Any]:
    """Lay out what systems show, a row for each term in each place; without systems that do not react, if any does.

    Returns
    -------
    dict
        ``sections``: the systems across; ``lines``: term, over how many rows that stands (0: it stands above), place,
        and what each system shows; ``places``: whether there are several.
    """
    sections = [section for section in sections if not section.unmoved] or sections
    lines = [
        (name, 0 if i else len(rows), " · ".join(place), row)
        for _, name, rows in grid(translator, sections)
        for i, (place, row) in enumerate(rows)
    ]
    places = {each.place for section in sections for each in section.findings}
    return {"sections": sections, "lines": lines, "places": len(places) > 1}


def scales(sections: Sequence[Section]) -> dict[str, float]:
    """Return how far the scale of each system goes from 0, by its anchor.

    Systems with the same range of scores share a scale, to be compared; each that is built in has its own.
    """
    group_of = {each.anchor: each.anchor if each.demo else each.score_range for each in sections}
    reach_of: dict[Any, float] = {}
    for section in sections:
        rows = [each.judged.row for each in section.findings]
        ends = [row[key] for row in rows for key in ("effect", "ci_low", "ci_high", "mde") if row[key] is not None]
        least, group = 0.005 * (section.score_range[1] - section.score_range[0]), group_of[section.anchor]
        reach_of[group] = max(reach_of.get(group, least), *(ROOM * abs(end) for end in ends), least)
    return {anchor: _round_up(reach_of[group]) for anchor, group in group_of.items()}


def _round_up(value: float) -> float:
    """Return the next of 1, 1.5, 2, 3, 4, 5, 6, 8 and 10 times a power of ten, so that the ends are short."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-9))


def mark(finding: TermFinding, reach: float) -> dict[str, Any] | None:
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
