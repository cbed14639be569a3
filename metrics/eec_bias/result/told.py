"""The choice and the order of findings in the texts that leave with the new page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eec_bias.grouping import grouped
from eec_bias.result.finding import Finding
from eec_bias.result.plan import Plan


def strength(finding: Finding) -> float:
    """Return the distance of a gap from 0, relative to what could be found."""
    if finding.gap is None:
        return 0.0
    if not finding.found_from:
        return float("inf") if finding.gap else 0.0
    return abs(finding.gap) / finding.found_from


def must_be_mentioned(finding: Finding) -> bool:
    """Whether the interval of the row by itself is clear of 0: such a gap is never left out, found or not."""
    low, high = finding.row.ci_low, finding.row.ci_high
    return finding.found or (low is not None and high is not None and (low > 0 or high < 0))


def order(findings: Sequence[Finding]) -> list[Finding]:
    """Order findings: differences first, then what lies furthest from 0 relative to what could be found."""
    return sorted(findings, key=lambda finding: (not finding.found, -strength(finding)))


def by_plan(findings: Iterable[Finding], plan: Plan) -> list[Finding]:
    """Order findings as the plan asks, system by system in their order."""
    place = {question: number for number, question in enumerate(plan.main)}
    by_system = grouped(((finding.system, finding.task), finding) for finding in findings)
    return [each for some in by_system.values() for each in sorted(some, key=lambda one: place[one.comparison])]


@dataclass(frozen=True, slots=True)
class Told:
    """Findings of one system as they are told.

    Attributes
    ----------
    said : tuple of Finding
        Those that are said.
    counted : tuple of Finding
        Those that are only counted.
    mentioned : tuple of Finding
        Those that must be mentioned, and for which there is no room: they are counted by themselves.
    """

    said: tuple[Finding, ...]
    counted: tuple[Finding, ...]
    mentioned: tuple[Finding, ...] = ()


def tell(findings: Sequence[Finding], most: int = 3, room: int | None = None) -> Told:
    """Choose what is said: every difference, what must be mentioned, and the strongest up to ``most`` in all.

    Parameters
    ----------
    findings : sequence of Finding
        Of one system.
    most : int
        So many are said at most, but for those that must be.
    room : int, optional
        So many are said at most, also of those that must be; by default there is room for all.
    """
    ordered = order(findings)
    said = [finding for finding in ordered if must_be_mentioned(finding)]
    for finding in ordered:
        if len(said) < most and finding not in said:
            said.append(finding)
    counted = tuple(finding for finding in ordered if finding not in said)
    said = order(said)
    return Told(tuple(said[:room]), counted, () if room is None else tuple(said[room:]))


def headline(findings: Iterable[Finding]) -> Finding | None:
    """Return what is said first: the largest difference, else what cannot be told, else what was not found."""
    return min(findings, key=lambda finding: (_RANKS[finding.verdict], -abs(finding.gap or 0)), default=None)


def rank(finding: Finding | None) -> tuple[float, ...]:
    """Return by what systems are ordered: what their headline says, then its size as a share of the range."""
    if finding is None:
        return len(_RANKS), 0.0
    return _RANKS[finding.verdict], -abs(finding.points or 0)


_RANKS: dict[str, int] = {
    "differs_by_emotion": 0, "difference": 1, "same_throughout": 1, "cannot_tell": 2, "not_found": 3, "close": 4,
    "close_on_average": 4, "no_reaction": 5, "not_estimable": 6, "described": 6, "unanswered": 7,
}  # fmt: skip
