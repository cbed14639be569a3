"""``--fail-if`` and ``--junit``: what ``eec audit`` and ``eec measure`` share as gates of continuous integration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from eec_bias import Result
    from eec_bias.result.conditions import Condition
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.audit.running import Outcome

Command = TypeVar("Command", bound=Callable[..., Any])

FAILED = 4
"""Exit code where a condition holds; 3 is an interrupted run."""


@dataclass(frozen=True, slots=True)
class Gate:
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


def options(command: Command) -> Command:
    """Add ``--fail-if`` and ``--junit``, which reach the command as ``fail_if`` and ``junit``."""
    for option in (
        click.option(
            "--junit",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="Also write the verdicts of --fail-if as JUnit XML.",
        ),
        click.option(
            "--fail-if",
            multiple=True,
            metavar="CONDITION",
            help=f"Exit with {FAILED} where this holds, e.g. 'race.ci outside ±0.02'; may be repeated. See below.",
        ),
    ):
        command = option(command)
    return command


def read(conditions: Sequence[str], junit: Path | None) -> Gate:
    """Read conditions before anything is scored.

    Raises
    ------
    click.UsageError
        One cannot be read, or there is none for ``--junit``.
    """
    if not conditions:
        if junit is not None:
            raise click.UsageError("--junit writes the verdicts of --fail-if; give at least one --fail-if CONDITION.")
        return Gate((), None)
    from eec_bias.errors import OptionError
    from eec_bias.result.conditions import parse_all
    from eec_datasets.audit import saving as writing
    from eec_datasets.errors import OutputUnwritable

    try:
        known = parse_all(conditions)
    except OptionError as error:
        raise click.UsageError(f"--fail-if: {error}.") from error
    if junit is not None:
        try:
            writing.check_folder(junit.parent)
        except OutputUnwritable as error:
            raise OutputUnwritable(str(error).replace("--out", "--junit")) from error
    return Gate(known, junit)


def check(gate: Gate, terms: Iterable[dict[str, Any]]) -> None:
    """Refuse conditions about rows that there are none of.

    Raises
    ------
    click.UsageError
        Naming what there is instead.
    """
    from eec_bias.errors import OptionError
    from eec_bias.result.conditions import check_known

    try:
        check_known(gate.conditions, list(terms))
    except OptionError as error:
        raise click.UsageError(f"--fail-if: {error}.") from error


def check_corpora(gate: Gate, corpora: Iterable[Corpus]) -> None:
    """Refuse conditions about rows that no corpus gives; which rows there are does not depend on the scores.

    Raises
    ------
    click.UsageError
        Naming what there is instead.
    """
    if not gate.conditions:
        return
    from eec_datasets.audit import running

    results = [running.measure("--fail-if", corpus, [0.5] * len(corpus.ids), (0.0, 1.0)) for corpus in corpora]
    if results:
        check(gate, (row for result in results for row in result.terms))


def judge_outcomes(gate: Gate, outcomes: Iterable[Outcome]) -> None:
    """Judge what an audit found, see `judge`."""
    judge(gate, [(f"{found.system} on {found.corpus.name}", found.result) for found in outcomes])


def judge(gate: Gate, results: Sequence[tuple[str, Result]], *, err: bool = False) -> None:
    """Print every verdict, write the JUnit file, and end the command with `FAILED` where one does not pass.

    Parameters
    ----------
    gate
        What was asked for; nothing is done where that is nothing.
    results
        What each result is of, and the result.
    err
        Whether to print on stderr, as stdout is for a program to read.
    """
    if not gate.conditions:
        return
    from eec_bias.result import gate as gating
    from eec_bias.result.junit import junit
    from eec_datasets.audit import saving as writing

    checks = tuple(check for place, result in results for check in gating.check(result, gate.conditions, place))
    found = gating.Gate(checks)
    click.echo(f"\nGate\n{found}", err=err)
    if gate.junit is not None:
        click.echo(f"Written: {writing.write(gate.junit, junit(checks))}", err=err)
    if not found.passed:
        click.get_current_context().exit(FAILED)
