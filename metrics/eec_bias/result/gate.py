"""The reasons for which a system does not pass a check in continuous integration."""

from collections.abc import Sequence

from eec_bias.result.comparison import HEARD
from eec_bias.result.finding import Finding
from eec_bias.result.reactions import ReactionFinding
from eec_bias.result.telling import POINTS, answer_with_unit, name

NAMES = "names"
"""The subset of sentences that mention a group by first names."""


def failures(
    findings: Sequence[Finding | ReactionFinding], above: float | None = None, *, range_known: bool = True
) -> list[str]:
    """Return why a system fails, one line per reason; an empty list if it passes.

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
        return [f"{name(each.comparison)}: {_answer(each)}" for each in findings if each.found]
    gaps = [each for each in findings if isinstance(each, Finding)]
    deciding = _by_name_if_possible([each for each in gaps if each.comparison.is_main])
    if not deciding:
        return [f"no difference between the levels of an axis was measured, so none is shown to lie within ±{above:g}"]
    reasons = []
    for finding in deciding:
        margin = finding.row.smallest_margin
        if margin is not None and range_known:
            margin *= POINTS / finding.width
        if margin is None or finding.verdict in ("unanswered", "not_estimable"):
            reasons.append(f"{name(finding.comparison)}: cannot be estimated")
        elif finding.answer == "described":
            reasons.append(f"{name(finding.comparison)}: described with these words; other words were not tested")
        elif margin > above:
            unit = "points" if range_known else "units of the scores"
            reasons.append(
                f"{name(finding.comparison)}: shown to lie within ±{margin:.3g} {unit}, not within ±{above:g}"
            )
    return reasons


def _answer(finding: Finding | ReactionFinding) -> str:
    """Return what was found."""
    if isinstance(finding, Finding):
        return answer_with_unit(finding)
    row = finding.row
    if finding.asks == HEARD:
        return (
            f"{row.only_level} words are heard about {row.level} only, {row.only_reference} about {row.reference} only"
        )
    if finding.ratio is None:
        return f"feelings move the score differently about {row.level} and {row.reference}"
    return f"feelings move the score about {row.level} {finding.ratio:.2f} times as far as about {row.reference}"


def _by_name_if_possible(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings by name of each axis that names can tell, and all findings of the other axes."""
    by_name = {each.comparison.axes for each in findings if _is_by_name(each)}
    return [each for each in findings if _is_by_name(each) or each.comparison.axes not in by_name]


def _is_by_name(finding: Finding) -> bool:
    """Return whether the sentences mention the groups by first names."""
    return finding.comparison.subset.partition(":")[0] == NAMES
