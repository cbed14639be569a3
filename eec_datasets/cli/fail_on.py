"""``--fail-on``: the check of ``eec audit`` and ``eec measure`` in continuous integration."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import click

from eec_datasets.cli.options import option
from eec_datasets.cli.output import say

if TYPE_CHECKING:
    from eec_bias import Measurement, Result
    from eec_bias.reading import Finding
    from eec_datasets.report.entries import PageFinding

FAILED: Final = 4
"""The exit code of a system that fails; 3 is an interrupted run."""

FOUND, ABOVE = "found", "above:"


@dataclass(frozen=True, slots=True)
class FailOn:
    """A reason to fail a system: any gap that is found, or a gap that may be larger than ``above`` points."""

    above: float | None = None

    def __str__(self) -> str:
        return FOUND if self.above is None else f"{ABOVE}{self.above:g}"


def _read(_context: click.Context, _option: click.Parameter, text: str | None) -> FailOn | None:
    """Read ``found`` or ``above:N``."""
    if text is None or text == FOUND:
        return FailOn() if text else None
    try:
        above = float(text.removeprefix(ABOVE)) if text.startswith(ABOVE) else math.nan
    except ValueError:
        above = math.nan
    if not 0 < above < math.inf:
        raise click.UsageError(f"--fail-on {text}: expected found, or above:N with a number of points, as in above:5.")
    return FailOn(above)


OPTION = option(
    "--fail-on",
    "found|above:N",
    f"Exit with {FAILED} if a gap is found, or (above:N) unless every gap is shown to be at most N points.",
    callback=_read,
    numbers=False,
)
"""Adds ``--fail-on``, which reaches the command as ``fail_on``; None if it was not given."""


def check_items(fail_on: FailOn | None, result: Result) -> None:
    """Refuse a number of points where an emotion has so few items that no gap could be shown to lie within it.

    Raises
    ------
    click.UsageError
        Naming the first such emotion.
    """
    if fail_on is None or fail_on.above is None:
        return
    from eec_bias.reading import ANY, FEWEST_ITEMS_FOR_MARGIN

    for row in result.by_emotion:
        if row.emotion != ANY and row.n_items is not None and row.n_items < FEWEST_ITEMS_FOR_MARGIN:
            raise click.UsageError(
                f"--fail-on {fail_on}: the emotion {row.emotion!r} has {row.n_items} items in the sentences of "
                f"{row.subset}. To show that a gap lies within {fail_on.above:g} on every emotion takes "
                f"{FEWEST_ITEMS_FOR_MARGIN} items of each. Score more sentences, or use --fail-on found."
            )


def judge(
    fail_on: FailOn | None, measurements: Sequence[Measurement], unmeasured: Sequence[str] = (), *, err: bool = False
) -> int:
    """Print one line per reason to fail, and return the exit code: `FAILED` if there is one, else 0.

    Parameters
    ----------
    fail_on
        What was asked for; None asks for nothing.
    measurements
        What was found.
    unmeasured
        Systems on lists without a measurement, so that no gap of theirs can be estimated.
    err
        Whether to print to stderr, as a program reads stdout.
    """
    if fail_on is None:
        return 0
    from eec_bias.shared import grouped
    from eec_datasets.report.entries import entries_of, one_per_question
    from eec_datasets.report.say import Say

    english, reasons = Say(), list[str]()
    asked = one_per_question(entries_of(measurements))
    by_system = grouped(((each.system, each.measurement.language, each.measurement.kind), each) for each in asked)
    for (system, language, kind), entries in by_system.items():
        about = [
            system,
            english.language_name(language) if language else "",
            "" if kind == "scores" else kind.replace("_", " "),
        ]
        # A deaf system fails for one reason, whatever is asked of it.
        said = dict.fromkeys([*_gaps(entries, fail_on.above), *_reactions(entries, fail_on.above)])
        reasons += [f"{', '.join(filter(None, about))}: {reason}" for reason in said]
    if fail_on.above is not None:
        reasons += [f"{place}: the scores are not measured" for place in unmeasured]
        if fail_on.above < 1 and any(each.result.facts.score_range for each in measurements):
            hundredfold = 100 * fail_on.above
            say(f"Note: a margin of {fail_on.above:g} points was given; did you mean {hundredfold:g}?", err=True)
    say(f"\n--fail-on {fail_on}: {'failed' if reasons else 'passed'}", err=err)
    for reason in reasons:
        say(f"  {reason}", err=err)
    return FAILED if reasons else 0


def _gaps(entries: Sequence[PageFinding], above: float | None) -> Iterator[str]:
    """Yield why the gaps of one system fail."""
    from eec_bias.reading import failures
    from eec_datasets.report.gate import say_gap_failure, say_nothing_compared

    first = entries[0].measurement
    range_known = first.kind != "scores" or first.result.facts.score_range is not None
    places = {id(each.finding): each.measurement for each in entries}
    gaps = [cast("Finding", each.finding) for each in entries]
    for failure in failures(gaps, above, range_known=range_known):
        if failure.finding is None:
            yield say_nothing_compared(above or 0.0)
        else:
            finding = cast("Finding", failure.finding)
            yield say_gap_failure(places[id(finding)], finding, failure.shown, above)


def _reactions(entries: Sequence[PageFinding], above: float | None) -> Iterator[str]:
    """Yield why the reactions of one system fail, each question once; a bound in points is about gaps alone."""
    from eec_datasets.report.gate import say_reaction_failure

    if above is not None:
        return
    system = entries[0].system
    measured = {id(each.measurement): each.measurement for each in entries}.values()
    found = {
        reaction.comparison.id: reaction
        for each in measured
        for reaction in each.result.reactions
        if reaction.found and (reaction.system or each.system) == system
    }
    yield from map(say_reaction_failure, found.values())
