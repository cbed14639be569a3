"""The sentence of a finding, as a note: English by `str`, other languages by its key and values."""

import math

from eec_bias.notes import Note
from eec_bias.result.finding import Finding
from eec_bias.result.plan import EMOTION

POINTS = 100
"""Points in the declared range of the scores."""


def say(finding: Finding, margin: float | None = None) -> Note:
    """Return the sentence of a finding; it names who scores higher, and never calls a system unbiased.

    Parameters
    ----------
    finding : Finding
        The answer to one question.
    margin : float, optional
        The difference that is called close, in the units of the scores, where one was stated.
    """
    question = finding.question
    nearest, farthest = sorted((abs(finding.low or 0.0), abs(finding.high or 0.0)))
    values = {
        "level": question.level, "reference": question.reference, "where": _where(finding), "axes": question.axes,
        "higher": finding.higher, "lower": finding.lower, "points": points_of(finding.gap or 0.0, finding),
        "low": points_of(nearest, finding), "high": points_of(farthest, finding),
        "found_from": _up(finding.found_from or 0.0, finding), "margin": _up(margin or 0.0, finding),
        "emotions": _emotions(finding),
    }  # fmt: skip
    if finding.verdict == "difference" and question.is_interaction:
        return Note("finding_difference_of_differences", values)
    return Note(_KEYS[finding.verdict], values)


def points_of(size: float, finding: Finding) -> str:
    """Write a size in points of 100: whole, one decimal below 10."""
    points = POINTS * abs(size) / finding.width
    return f"{points:.0f}" if points >= 10 else f"{points:.1f}".removesuffix(".0")


def _up(size: float, finding: Finding) -> str:
    """Write a size in points of 100, rounded up, as it is said of "under" and "or more"."""
    points = POINTS * size / finding.width
    rounded = math.ceil(points - 1e-9) if points >= 10 else math.ceil(10 * points - 1e-9) / 10
    return f"{rounded:g}"


def _where(finding: Finding) -> Note:
    """Say on which sentences, and among whom."""
    question = finding.question
    if question.within:
        return Note("finding_where_within", {"subset": question.subset, "within": question.within})
    return Note("finding_where", {"subset": question.subset})


def _emotions(finding: Finding) -> str:
    """List the differences per emotion from their mean, signed, in points."""
    listed = []
    for row in finding.emotions:
        if row.effect is not None:
            sign = "+" if row.effect > 0 else "−"
            listed.append(f"{row[EMOTION]} {sign}{points_of(row.effect, finding)}")
    return ", ".join(listed)


_KEYS = {
    "unanswered": "finding_unanswered",
    "no_reaction": "finding_no_reaction",
    "differs_by_emotion": "finding_differs_by_emotion",
    "difference": "finding_difference",
    "same_throughout": "finding_same_throughout",
    "close": "finding_close",
    "close_on_average": "finding_close_on_average",
    "not_found": "finding_not_found",
    "cannot_tell": "finding_cannot_tell",
    "not_estimable": "finding_not_estimable",
}
