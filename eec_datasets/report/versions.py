"""Two versions of a system: the gap before, the gap now, and the change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from eec_datasets.report.entries import PageFinding
from eec_datasets.report.measured import FindingLike, MeasurementLike

ChangeKey = Literal["cuts", "widens", "keeps", "turned", "closes", "opens", "moved", "no_change"]


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
            return "keeps" if before.found and after.found else "no_change"
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
        return self.key != "no_change"

    @property
    def rank(self) -> tuple[bool, float]:
        """By which the leading comparison is chosen: a change that was found, then the largest gap."""
        largest = max(abs(each.gap or 0.0) for each in (self.before, self.after, self.entry))
        return self.tells, largest


def change_of(entry: PageFinding, entry_of: Callable[[MeasurementLike, FindingLike], PageFinding]) -> VersionChange:
    """Return the gap in both versions of the comparison that an entry is about.

    Raises
    ------
    ValueError
        If a version lacks this comparison.
    """
    versions = entry.measurement.source.versions
    if versions is None:
        raise ValueError(f"{entry.system} has no two versions to compare")
    both = []
    for version in versions:
        for finding in version.result.findings:
            if finding.comparison.id == entry.finding.comparison.id:
                both.append(entry_of(version, finding))
                break
        else:
            raise ValueError(f"a version of {entry.system} has no comparison {entry.finding.comparison.id}")
    return VersionChange(entry, *both)
