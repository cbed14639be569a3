"""``--fail-if`` and ``--junit``: what ``eec audit`` and ``eec measure`` share as gates of continuous integration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eec_datasets.cli.options import FILE, as_one_argument, as_usage_error, option, repeated
from eec_datasets.cli.output import say

if TYPE_CHECKING:
    from eec_bias import Result
    from eec_bias.reading import Condition

FAILED = 4
"""Exit code where a condition holds; 3 is an interrupted run."""

PLACE = "--fail-if: "
"""How an error of a condition begins."""


@dataclass(frozen=True, slots=True)
class GateOptions:
    """What was asked for.

    Attributes
    ----------
    conditions
        Under which the command fails; empty where nothing was asked.
    junit
        Where to write JUnit XML, or ``None``.
    """

    conditions: tuple[Condition, ...]
    junit: Path | None


def read(fail_if: Sequence[str], junit: Path | None) -> GateOptions:
    """Read conditions before anything is scored.

    Raises
    ------
    click.UsageError
        One cannot be read.
    """
    if not fail_if:
        return GateOptions((), None)
    from eec_bias.reading import parse_all

    with as_usage_error(PLACE):
        return GateOptions(parse_all(fail_if), junit)


OPTIONS = as_one_argument(
    "gate",
    read,
    repeated("--fail-if", "fail_if", "CONDITION",
             f"Exit with {FAILED} where this holds, e.g. 'race.ci outside ±0.02'; may be repeated. See above."),
    option("--junit", "FILE", "Also write the verdicts of --fail-if as JUnit XML.", type=FILE),
)  # fmt: skip
"""Adds ``--fail-if`` and ``--junit``, which reach the command as ``gate``."""


def check(gate: GateOptions, terms: Iterable[Mapping[str, Any]]) -> None:
    """Refuse conditions about rows that do not exist.

    Raises
    ------
    click.UsageError
        Naming what there is instead.
    """
    if not gate.conditions:
        return
    from eec_bias.reading import check_known

    with as_usage_error(PLACE):
        check_known(gate.conditions, list(terms))


def judge(
    gate: GateOptions, results: Mapping[str, Result], lacking: Sequence[str] = (), *, overwrite: bool, err: bool = False
) -> None:
    """Print every verdict, write the JUnit file, and end the command with `FAILED` where one does not pass.

    Parameters
    ----------
    gate
        What was asked for; nothing is done where that is nothing.
    results
        Results by what they are of.
    lacking
        What has no result, and so does not pass.
    overwrite
        Whether the JUnit file may take the place of one that we did not write.
    err
        Whether to print on stderr, as stdout is for a program to read.
    """
    if not gate.conditions:
        return
    from eec_bias import reading
    from eec_datasets.files import write

    checks = [check for place, result in results.items() for check in reading.check(result, gate.conditions, place)]
    reason = "cannot pass, as the scores are not measured"
    for place in lacking:
        checks += [reading.Check(condition.text, place, "", "undefined", None, reason) for condition in gate.conditions]
    verdicts = reading.Gate(tuple(checks))
    say(f"\nGate\n{verdicts}", err=err)
    if gate.junit is not None:
        say(f"Written: {write(gate.junit, reading.junit(checks), overwrite=overwrite)}", err=err)
    if not verdicts.passed:
        click.get_current_context().exit(FAILED)
