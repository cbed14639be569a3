"""What a difference becomes without each name, each family of names and each template."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from eec_bias.errors import ResultError
from eec_bias.figures.labels import join
from eec_bias.figures.page import Page, opened
from eec_bias.figures.parts import choose_effect, scale
from eec_bias.figures.strips import name_ends, side_by_side
from eec_bias.figures.style import Theme, name_rows
from eec_bias.grouping import grouped
from eec_bias.result.frame import AnyRow, Row, leading
from eec_bias.result.numbers import counted, signed

ROOM = 0.3
"""Share of the axis for the names at one end."""

KINDS = {"name": "each name", "family": "each family", "template": "each template"}
"""What is left out, as a strip says it; other columns of families by their name."""


def left_out(
    result: Any,
    *,
    term: str | None = None,
    level: str | None = None,
    theme: Theme = "light",
    width: float = 7.0,
    **where: Any,
) -> Any:
    """Draw an effect without each name, each family of several names and each template, a strip for each of these.

    A line and a band show the effect and its interval with everything. Points are filled where the row by itself still
    has p below the level; the two that lie furthest are named.

    Parameters
    ----------
    result : Result or dict
        What was measured with ``leave_one_out``.
    term, level : str, optional
        Of which difference; by default the first.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches; below 5 labels stand above their strips.
    **where
        ``system``, ``task``, ``stratum``, ``output``, ``subset``: which part; by default the first.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such term, level or part.
    ResultError
        If it was measured without ``leave_one_out``, or has nothing to draw.
    """
    with opened(result, theme, width) as page:
        record = page.record
        if not record.left_out:
            raise ResultError(
                "figure 'left_out' needs the effects without single names, families and templates, which this result "
                "does not hold; measure with leave_one_out=True, or eec measure --leave-one-out"
            )
        chosen, part = choose_effect(record, term, level, where)
        row = chosen[0].row
        strips = _strips(record.left_out, row)
        if not strips:
            raise ResultError(f"nothing was left out of {row['term']} {row['level']}, so there is nothing to draw")
        ax = page.axes(1.0 + (0.62 + 0.16 * page.narrow) * len(strips))
        _whole(ax, row, page)
        every = [each for strip in strips.values() for each in strip]
        room = _limits(row, every)
        ax.set_xlim(room)
        labels, values = [], []
        for y, (kind, strip) in enumerate(strips.items()):
            labels.append(f"without {KINDS.get(kind, f'each {kind}')} ({len(strip)})")
            values.append(f"{labels[-1]}: {_strip(ax, y, strip, room, page)}")
        unit = scale(record, [row.get("output")])
        ax.set_ylim(len(strips) - 0.5, -0.75 if page.narrow else -0.5)
        ax.set_xlabel(f"effect, {unit}")
        ax.locator_params(axis="x", nbins=5 if page.narrow else 8)
        name_rows(ax, labels, narrow=page.narrow, above=0.3)
        tested = [each for each in every if each["p"] is not None]
        kept = sum(each["p"] < record.alpha for each in tested)
        turned = sum(each["effect"] * row["effect"] < 0 for each in every)
        said = {"row": row, "unit": unit, "part": part, "count": len(every), "tested": len(tested)}
        return page.finish("left_out", values, **said, kept=kept, turned=turned)


def _strips(rows: Sequence[Row], whole: AnyRow) -> dict[str, list[Row]]:
    """The effects of a row with something left out, by what that is."""
    keys = ("term", "level", "reference", "subset")
    own = [
        row
        for row in rows
        if row["effect"] is not None and all(row[key] == whole[key] for key in keys) and leading(row) == leading(whole)
    ]
    return grouped((row["kind"], row) for row in own)


def _whole(ax: Any, row: AnyRow, page: Page) -> None:
    """Draw the effect with everything, its interval, and where there is no difference."""
    page.zero(ax)
    ax.axvline(row["effect"], color=page.style.ink, linewidth=1.4)
    if row["ci_low"] is not None:
        ax.axvspan(row["ci_low"], row["ci_high"], color=page.style.ink, alpha=0.12, linewidth=0)


def _limits(row: AnyRow, rows: Sequence[Row]) -> tuple[float, float]:
    """Limits of the axis, with room for the interval and for names at both ends."""
    effects = [each["effect"] for each in rows] + [row["effect"], 0.0]
    ends = [end for end in (row["ci_low"], row["ci_high"]) if end is not None]
    spread = max(max(effects) - min(effects), 1e-12)
    reach = spread * ROOM / (1 - 2 * ROOM)
    low, high = min([min(effects) - reach, *ends]), max([max(effects) + reach, *ends])
    return low - 0.02 * (high - low), high + 0.02 * (high - low)


def _strip(ax: Any, y: int, rows: Sequence[Row], room: tuple[float, float], page: Page) -> str:
    """Draw the effects without each thing of one kind, and return them as text."""
    effects = np.array([row["effect"] for row in rows])
    heights = y + side_by_side(effects, room, most=0.36)
    found = np.array([row["p"] is not None and row["p"] < page.record.alpha for row in rows])
    for which, colour, face in (
        (found, page.style.finding, page.style.finding),
        (~found, page.style.ink, page.style.inside),
    ):
        look: dict[str, Any] = {"marker": "o", "markersize": 4.5, "color": colour, "markerfacecolor": face}
        ax.plot(effects[which], heights[which], linestyle="", **look)
    limit = 12 if page.narrow else 26
    name_ends(ax, effects, heights, [join([row["without"]], limit=limit) for row in rows])
    low, high = int(effects.argmin()), int(effects.argmax())
    ends = [f"{signed(rows[end]['effect'])} without {rows[end]['without']}" for end in (low, high)]
    return f"{counted(len(rows), 'effect')} from {ends[0]} to {ends[1]}"
