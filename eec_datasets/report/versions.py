"""Two versions of a system: the gap before, the gap now, and the change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from eec_datasets.report.entries import PageFinding
from eec_datasets.report.measured import (
    ComparisonLike,
    EmotionGapLike,
    FindingLike,
    MeasurementLike,
    NoteLike,
)

ChangeKey = Literal["cuts", "widens", "keeps", "turned", "closes", "opens", "moved", "no_change", "unchanged"]


@dataclass(frozen=True, slots=True)
class VersionChange:
    """One comparison in two versions; `entry` is the change, whose gap is now minus before."""

    entry: PageFinding
    before: PageFinding
    after: PageFinding

    @property
    def key(self) -> ChangeKey:
        """Tell what happened to the gap; the change decides, then what each version has."""
        before, after = self.before, self.after
        if not self.entry.found:
            if before.found and after.found:
                return "keeps"
            return "unchanged" if self.is_exact else "no_change"
        if before.found and after.found:
            first, second = before.gap or 0.0, after.gap or 0.0
            if first * second < 0:
                return "turned"
            return "cuts" if abs(second) < abs(first) else "widens"
        if before.found:
            return "closes"
        return "opens" if after.found else "moved"

    @property
    def tells(self) -> bool:
        """Tell if there is a gap or a change to lead with."""
        return self.key not in ("no_change", "unchanged")

    @property
    def is_exact(self) -> bool:
        """Tell if the gap is the same in both versions on every item."""
        return not any((self.entry.gap, self.entry.low, self.entry.high))

    @property
    def rank(self) -> tuple[bool, float]:
        """By which the leading comparison is chosen: a change that was found, then the largest gap."""
        largest = max(abs(each.gap or 0.0) for each in (self.before, self.after, self.entry))
        return self.tells, largest


UNKNOWN = "unknown"
"""The answer of a version that was not saved beside the change."""


@dataclass(frozen=True, slots=True)
class UnknownVersion:
    """A comparison in a version that was not saved: only the question is known."""

    comparison: ComparisonLike
    system: str | None
    task: str | None
    width: float
    answer: str = UNKNOWN
    gap: float | None = None
    low: float | None = None
    high: float | None = None
    found_from: float | None = None
    p_adjusted: float | None = None
    emotions: Sequence[EmotionGapLike] = ()
    emotions_differ: bool = False
    within_margin: bool = False
    throughout: bool = False
    reason: NoteLike | None = None
    notes: Sequence[NoteLike] = ()
    feelings: None = None
    n_persons: int | None = None
    n_items: int | None = None
    n_sentences: int | None = None


def change_of(entry: PageFinding, entry_of: Callable[[MeasurementLike, FindingLike], PageFinding]) -> VersionChange:
    """Return the gap in both versions of the comparison that an entry is about, as far as they are known."""
    finding = entry.finding
    unknown = replace(entry, finding=UnknownVersion(finding.comparison, finding.system, finding.task, finding.width))
    if entry.measurement.source.versions is None:
        return VersionChange(entry, unknown, unknown)
    both = []
    for version in entry.measurement.source.versions:
        same = [each for each in version.result.gaps if each.comparison.id == finding.comparison.id]
        both.append(entry_of(version, same[0]) if same else unknown)
    return VersionChange(entry, *both)
