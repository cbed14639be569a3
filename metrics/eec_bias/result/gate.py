"""The reasons for which a system does not pass a check in continuous integration."""

from collections.abc import Sequence
from dataclasses import dataclass

from eec_bias.result.finding import NAMES, POINTS, Finding
from eec_bias.result.reactions import ReactionFinding


@dataclass(frozen=True, slots=True)
class GateFailure:
    """A reason to fail.

    Attributes
    ----------
    finding : Finding or ReactionFinding, optional
        The finding that fails; None if no difference between the levels of an axis was measured at all.
    shown : float, optional
        How far its gap is shown to lie within, in points; None if any gap fails, or if nothing is shown: it cannot be
        estimated, is only described, or the system is deaf to the list.
    """

    finding: Finding | ReactionFinding | None
    shown: float | None = None


def failures(
    findings: Sequence[Finding | ReactionFinding], above: float | None = None, *, range_known: bool = True
) -> list[GateFailure]:
    """Return why a system fails; an empty list if it passes.

    Parameters
    ----------
    findings : sequence of Finding
        Of one system, also on reactions.
    above : float, optional
        Fail unless each difference between the levels of an axis is shown to lie within this many points, on average
        and on every emotion: its intervals of 90 % confidence lie within, as in the test of equivalence. By default
        fail if any gap is found.
    range_known : bool
        Whether a range of the scores was declared. A point is a hundredth of it, and a unit of the scores otherwise.

    Notes
    -----
    ``above`` asks about gender by name, and by words only if the list has no names. Interactions and simple effects do
    not decide. A difference that cannot be estimated fails.
    """
    if above is None:
        return [GateFailure(finding) for finding in findings if finding.found]
    gaps = [each for each in findings if isinstance(each, Finding)]
    deciding = _by_name_if_possible([each for each in gaps if each.comparison.is_main])
    if not deciding:
        return [GateFailure(None)]
    found = [GateFailure(finding, _shown(finding, range_known=range_known)) for finding in deciding]
    return [each for each in found if each.shown is None or each.shown > above]


def _shown(finding: Finding, *, range_known: bool) -> float | None:
    """Return how far the gap is shown to lie within; None if no answer of its kind shows that."""
    margin = finding.row.smallest_margin
    if margin is None or finding.answer in ("unanswered", "not_estimable", "described", "deaf"):
        return None
    return margin * POINTS / finding.width if range_known else margin


def _by_name_if_possible(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings by name of each axis that names can tell, and all findings of the other axes."""
    by_name = {each.comparison.axes for each in findings if _is_by_name(each)}
    return [each for each in findings if _is_by_name(each) or each.comparison.axes not in by_name]


def _is_by_name(finding: Finding) -> bool:
    """Return whether the sentences mention the groups by first names."""
    return finding.comparison.subset.partition(":")[0] == NAMES
