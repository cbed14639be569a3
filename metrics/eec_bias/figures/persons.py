"""Every person's mean score by cell: the picture behind the test, which compares persons, not sentences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from eec_bias.figures.labels import join, name_person
from eec_bias.figures.page import Page, opened
from eec_bias.figures.parts import name_part, parts_of, scale
from eec_bias.figures.strips import name_ends, side_by_side
from eec_bias.figures.style import Style, Theme, name_rows
from eec_bias.grouping import grouped
from eec_bias.options import Floats, Ints
from eec_bias.result.details import Detail
from eec_bias.result.numbers import rounded
from eec_bias.result.parts import pick

NAMED = 16
"""Cells up to which the persons at their ends are named."""

ROOM = 0.42
"""Largest share of the axis for the names at one end."""


class _Cell(NamedTuple):
    """A cell: its levels, which persons it has, their mean scores, the mean of these, and half its interval."""

    levels: tuple[str, ...]
    members: Ints
    means: Floats
    mean: float
    reach: float | None


def persons(result: Any, *, theme: Theme = "light", width: float = 7.0, **where: Any) -> Any:
    """Draw every person's mean score, one strip per cell, with the cell's mean and its interval.

    The lowest and the highest of each cell are named, right-to-left names in their own direction. On pairs, lines
    join the persons of one row of the corpus.

    Parameters
    ----------
    result : Result or dict
        What was measured, with details.
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
        If the result has no such part.
    ResultError
        If it was saved without details.
    """
    with opened(result, theme, width) as page:
        chosen = pick(list(parts_of(page.record, "persons")), where, "details")
        (detail, system), part = chosen[0]["at"], name_part(chosen)
        cells = _cells(detail, system, page.record.confidence)
        means, paired = detail.person_means[system], "base" in detail.persons
        # Each person as written in the corpus; as its id where no font of this machine can write it.
        ids, letters = detail.persons["person"], 14 if page.narrow else 22
        forms = zip(detail.persons.get("form", ids), ids, strict=True) if len(cells) <= NAMED else ()
        names = [name_person(*each, letters) for each in forms]
        page.crowded = _share(cells, names, page) > ROOM
        ax = page.axes(0.9 + ((0.5 if names else 0.3) + 0.16 * page.narrow) * len(cells))
        if paired:
            _joined(ax, detail, means, cells, page.style)
        room = _limits(means, cells, names, page)
        ax.set_xlim(room)
        values = []
        for y, cell in enumerate(cells):
            heights = y - 0.08 + (np.zeros(len(cell.means)) if paired else side_by_side(cell.means, room, most=0.24))
            values.append(_strip(ax, y, heights, cell, _look(detail, cell.levels, page.style), page.style))
            if names:
                name_ends(ax, cell.means, np.full(len(cell.means), y - 0.08), [names[p] for p in cell.members])
        unit = scale(page.record, [detail.where.get("output")])
        ax.set_ylim(len(cells) - 0.5, -0.75 if page.narrow else -0.5)
        ax.set_xlabel(f"mean score, {unit}")
        ax.locator_params(axis="x", nbins=5 if page.narrow else 8)
        for y in range(1, len(cells)):
            ax.axhline(y - 0.5, color=page.style.ink, linewidth=0.5, alpha=0.2)
        name_rows(ax, _cell_labels(cells, page), narrow=page.narrow, above=0.28)
        sizes = [len(cell.members) for cell in cells]
        return page.finish("persons", values, detail=detail, unit=unit, part=part, sizes=sizes, names=names)


def _cells(detail: Detail, system: int, confidence: float) -> list[_Cell]:
    """Cells in the order of the table; a cell of one person has no interval."""
    labels = zip(*(detail.persons[axis] for axis in detail.axes), strict=True)
    cells = []
    for levels, members in grouped((levels, p) for p, levels in enumerate(labels)).items():
        means, m = detail.person_means[system][members], len(members)
        reach = float(stdtrit(m - 1, 1 - (1 - confidence) / 2) * means.std(ddof=1) / np.sqrt(m)) if m > 1 else None
        cells.append(_Cell(levels, np.array(members, dtype=np.intp), means, float(means.mean()), reach))
    return cells


def _look(detail: Detail, levels: tuple[str, ...], style: Style) -> dict[str, str]:
    """Colour by the first axis with few levels, marker by the second one; every strip has its own label anyway."""
    axis_levels = [list(dict.fromkeys(detail.persons[axis])) for axis in detail.axes]
    few = [(known, level) for known, level in zip(axis_levels, levels, strict=True) if len(known) <= len(style.colours)]
    first, second, *_ = [*(known.index(level) for known, level in few), 0, 0]
    return style.look(first, second)


def _limits(means: Floats, cells: Sequence[_Cell], names: Sequence[str], page: Page) -> tuple[float, float]:
    """Limits of the axis, with room for the intervals and for the names at both ends."""
    low, high = float(means.min()), float(means.max())
    whole = page.record.score_range[1] - page.record.score_range[0]
    spread = high - low if high - low > 1e-9 * whole else 0.01 * whole
    share = min(_share(cells, names, page), ROOM)
    reach = spread * share / (1 - 2 * share)
    ends = [(cell.mean, cell.reach + 0.02 * spread) for cell in cells if cell.reach is not None]
    least, most = [mean - part for mean, part in ends], [mean + part for mean, part in ends]
    return min([low - reach, *least]), max([high + reach, *most])


def _share(cells: Sequence[_Cell], names: Sequence[str], page: Page) -> float:
    """Share of the axis that the names at one end take."""
    left = 0.0 if page.narrow else max(map(len, _cell_labels(cells, page)))
    # Inches of a letter, about.
    inside = max(page.width - 0.3 - 0.072 * left, 1.5)
    return 0.03 + 0.078 * max(map(len, names), default=0) / inside


def _cell_labels(cells: Sequence[_Cell], page: Page) -> list[str]:
    """Levels and size of every cell; above the strips about 14 letters an inch are shown, beside them 30 a level."""
    axes = len(cells[0].levels)
    limit = min(30, max((int(14 * page.width) - 5) // axes - 3, 8)) if page.narrow else 30
    return [f"{join(cell.levels, limit=limit)} ({len(cell.members)})" for cell in cells]


def _strip(ax: Any, y: int, heights: Floats, cell: _Cell, look: dict[str, str], style: Style) -> str:
    """Draw a cell, and return its values as text."""
    means, mean, ends = cell.means, cell.mean, ""
    edge: dict[str, Any] = {"markeredgewidth": 0.4, "markeredgecolor": style.inside}
    ax.plot(means, heights, **look, linestyle="", markersize=4.5, alpha=0.9, **edge)
    if cell.reach is not None:
        low, high = mean - cell.reach, mean + cell.reach
        ax.plot([low, high], [y + 0.3, y + 0.3], color=style.ink, linewidth=1.4)
        ends = f" [{rounded(low)}, {rounded(high)}]"
    ax.plot([mean], [y + 0.3], marker="|", markersize=9, markeredgewidth=2, color=style.ink)
    said = f"mean {rounded(mean)}{ends}, persons from {rounded(float(means.min()))} to {rounded(float(means.max()))}"
    return f"{', '.join(cell.levels)}: {said}"


def _joined(ax: Any, detail: Detail, means: Floats, cells: Sequence[_Cell], style: Style) -> None:
    """Join the persons of each base."""
    height_of = {int(p): y for y, cell in enumerate(cells) for p in cell.members}
    for members in grouped((base, p) for p, base in enumerate(detail.persons["base"])).values():
        members.sort(key=lambda p: height_of[p])
        heights = [height_of[p] - 0.08 for p in members]
        ax.plot(means[members], heights, color=style.ink, alpha=0.35, linewidth=0.8, label="base", zorder=1)
