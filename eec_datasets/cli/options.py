"""What several commands ask for in the same words."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def check_range(
    _context: click.Context, _option: click.Parameter, limits: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Refuse a ``--score-range`` that is none, before any time is spent on scoring."""
    if limits is not None and not (limits[0] < limits[1] and all(map(math.isfinite, limits))):
        raise click.UsageError(
            f"--score-range {limits[0]:g} {limits[1]:g}: expected two finite numbers, the first below the second."
        )
    return limits


def score_range(what: str) -> Callable[[Command], Command]:
    """Add ``--score-range``, which reaches the command as ``score_range``; ``what`` says of which scores."""
    return click.option(
        "--score-range", type=float, nargs=2, callback=check_range, metavar="LO HI", help=f"{what}  [default: 0 1]"
    )


def scoring(*, out: str, holds: str, ranges: str) -> Callable[[Command], Command]:
    """Add what every command asks for that scores systems.

    Parameters
    ----------
    out
        Default of ``--out``.
    holds
        What this folder holds, for its help.
    ranges
        Whose scores have the ``--score-range``, for its help.
    """
    folder = click.Path(path_type=Path, file_okay=False)
    options = (
        click.option("--out", type=folder, default=Path(out), show_default=True, help=holds),
        score_range(ranges),
        click.option("--hf-class", metavar="LABEL", help="Class whose probability is the score of an hf: model."),
        click.option("--batch-size", type=click.IntRange(min=1), help="Sentences per call of a system."),
        click.option("--device", default="cpu", show_default=True, help="Where an hf: model runs."),
        click.option("--fresh", is_flag=True, help="Discard saved scores and score anew."),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add
