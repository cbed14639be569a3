"""What several commands ask for in the same words."""

from __future__ import annotations

import math

import click


def check_range(
    _context: click.Context, _option: click.Parameter, limits: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Refuse a ``--score-range`` that is none, before any time is spent on scoring."""
    if limits is not None and not (limits[0] < limits[1] and all(map(math.isfinite, limits))):
        raise click.UsageError(
            f"--score-range {limits[0]:g} {limits[1]:g}: expected two finite numbers, the first below the second."
        )
    return limits
