"""The lines of ``--fail-on``: why a system does not pass."""

from __future__ import annotations

from eec_datasets.report.answers import answer
from eec_datasets.report.entries import entry_of
from eec_datasets.report.measured import FindingLike, MeasurementLike, ReactionLike
from eec_datasets.report.numbers import rounding_of
from eec_datasets.report.say import Say
from eec_datasets.report.text import Text, joined, plain


def say_gap_failure(
    measurement: MeasurementLike, finding: FindingLike, shown: float | None, above: float | None
) -> str:
    """Return why a gap fails, in English; of a deaf system the same sentence for every gap.

    Parameters
    ----------
    measurement, finding
        The finding that fails, and the measurement it is of.
    shown
        How far its gap is shown to lie within, in points; None if nothing is shown.
    above
        The largest gap that passes; None if any gap fails.
    """
    say, entry = Say("en"), entry_of(measurement, finding)
    if finding.answer == "deaf":
        heard, words = entry.feelings.heard, entry.feelings.words
        return f"it reacts to {heard} of {words} words for feelings, so equal scores show nothing"
    if above is None or finding.answer == "described":
        said = answer(say, entry).whole
    elif shown is None:
        said = say("gate.unknown")
    else:
        rounding = rounding_of(entry.unit, shown)
        n = say.number(rounding.up(shown), rounding.decimals)
        said = say("gate.above", n=n, limit=f"{above:g}")
    return _line(say.question(finding.comparison), said)


def say_reaction_failure(finding: ReactionLike) -> str:
    """Return why a reaction fails, in English."""
    say, row = Say("en"), finding.row
    first, second = say.groups(finding.comparison)
    if row.only_level is not None and row.only_reference is not None:
        counts = {"n": say.number(row.only_level), "m": say.number(row.only_reference)}
        said = say("gate.heard", a=first.about, b=second.about, **counts)
    elif finding.ratio is None:
        said = say("gate.reaction_differs", a=first.about, b=second.about)
    else:
        said = say("gate.reaction", a=first.about, b=second.about, times=say.number(finding.ratio, 2))
    return _line(say.question(finding.comparison), said)


def say_nothing_compared(above: float) -> str:
    """Return that no groups were compared as wholes, in English."""
    return Say("en").text("gate.nothing", limit=f"{above:g}")


def _line(question: Text, said: Text) -> str:
    return plain(joined([question, said], ": "))
