"""Every person's mean score by cell: the picture behind the test, which compares persons, not sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import stdtrit

from eec_bias.figures.labels import join, name_person
from eec_bias.figures.page import Page, page_of
from eec_bias.figures.parts import choose_detail, say_span, scale
from eec_bias.figures.style import Style, Theme, name_rows
from eec_bias.grouping import grouped
from eec_bias.options import Floats, Ints
from eec_bias.result.details import Detail
from eec_bias.result.numbers import count, rounded

NAMED = 16
"""Cells up to which the persons at their ends are named."""

ROOM = 0.42
"""Largest share of the axis for the names at one end."""

Cells = list[tuple[tuple[str, ...], Ints]]


def persons(result: Any, *, theme: Theme = "light", width: float = 7.0, **where: Any) -> Any:
    """Draw every person's mean score, one strip per cell, with the cell's mean and its 95 % interval.

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
    with page_of(result, theme, width) as page:
        detail, system, part = choose_detail(page.record, where, "persons")
        means, cells, paired = detail.person_means[system], _cells(detail), "base" in detail.persons
        ends_named = len(cells) <= NAMED
        names = _names(detail, 14 if page.narrow else 22) if ends_named else []
        page.crowded = _share(cells, names, page) > ROOM
        ax = page.axes(0.9 + ((0.5 if ends_named else 0.3) + 0.16 * page.narrow) * len(cells))
        if paired:
            _joined(ax, detail, means, cells, page.style)
        room = _limits(means, cells, names, page)
        ax.set_xlim(room)
        for y, (levels, members) in enumerate(cells):
            offsets = np.zeros(len(members)) if paired else _swarm(means[members], room)
            _strip(ax, y + offsets, y, means[members], _look(detail, levels, page.style), page.style)
            if ends_named:
                _ends(ax, y, means[members], [names[p] for p in members.tolist()])
        unit = scale(page.record, [detail.where.get("output")])
        _axes(ax, cells, unit, page)
        values = [f"{', '.join(levels)}: {_describe(means[members])}" for levels, members in cells]
        return page.finish("Mean score of every person by group", _caption(detail, part, cells, unit), values)


def _cells(detail: Detail) -> Cells:
    """Persons of each cell, in the order of the table."""
    labels = zip(*(detail.persons[axis] for axis in detail.axes), strict=True)
    by_levels = grouped((levels, p) for p, levels in enumerate(labels))
    return [(levels, np.array(members, dtype=np.intp)) for levels, members in by_levels.items()]


def _names(detail: Detail, limit: int) -> list[str]:
    """Each person as written in the corpus; as its id where no font of this machine can write it."""
    ids = detail.persons["person"]
    return [name_person(*each, limit) for each in zip(detail.persons.get("form", ids), ids, strict=True)]


def _look(detail: Detail, levels: tuple[str, ...], style: Style) -> dict[str, str]:
    """Colour by the first axis with few levels, marker by the second one; every strip has its own label anyway."""
    axis_levels = [list(dict.fromkeys(detail.persons[axis])) for axis in detail.axes]
    few = [(known, level) for known, level in zip(axis_levels, levels, strict=True) if len(known) <= len(style.colours)]
    first, second, *_ = [*(known.index(level) for known, level in few), 0, 0]
    return style.look(first, second)


def _limits(means: Floats, cells: Cells, names: Sequence[str], page: Page) -> tuple[float, float]:
    """Limits of the axis, with room for the intervals and for the names at both ends."""
    low, high = float(means.min()), float(means.max())
    whole = page.record.score_range[1] - page.record.score_range[0]
    spread = high - low if high - low > 1e-9 * whole else 0.01 * whole
    share = min(_share(cells, names, page), ROOM)
    reach = spread * share / (1 - 2 * share)
    intervals = [_interval(means[members]) for _, members in cells]
    ends = [(mean, part + 0.02 * spread) for mean, part in intervals if part is not None]
    least, most = [mean - part for mean, part in ends], [mean + part for mean, part in ends]
    return min([low - reach, *least]), max([high + reach, *most])


def _share(cells: Cells, names: Sequence[str], page: Page) -> float:
    """Share of the axis that the names at one end take."""
    left = 0.0 if page.narrow else max(map(len, _cell_labels(cells, page)))
    # Inches of a letter, about.
    inside = max(page.width - 0.3 - 0.072 * left, 1.5)
    return 0.03 + 0.078 * max(map(len, names), default=0) / inside


def _cell_labels(cells: Cells, page: Page) -> list[str]:
    """Levels and size of every cell; above the strips about 14 letters an inch are shown, beside them 30 a level."""
    room = int(14 * page.width) if page.narrow else 0
    limits = [min(30, max((room - 5) // len(levels) - 3, 8)) if room else 30 for levels, _ in cells]
    return [
        f"{join(levels, limit=limit)} ({len(members)})" for (levels, members), limit in zip(cells, limits, strict=True)
    ]


def _strip(ax: Any, heights: Floats, y: int, means: Floats, look: dict[str, str], style: Style) -> None:
    edge: dict[str, Any] = {"markeredgewidth": 0.4, "markeredgecolor": style.inside}
    ax.plot(means, heights - 0.08, **look, linestyle="", markersize=4.5, alpha=0.9, **edge)
    mean, reach = _interval(means)
    if reach is not None:
        ax.plot([mean - reach, mean + reach], [y + 0.3, y + 0.3], color=style.ink, linewidth=1.4)
    ax.plot([mean], [y + 0.3], marker="|", markersize=9, markeredgewidth=2, color=style.ink)


def _interval(means: Floats) -> tuple[float, float | None]:
    """Mean of persons and half its 95 % interval; None where there is one person."""
    m = len(means)
    if m < 2:
        return float(means.mean()), None
    return float(means.mean()), float(stdtrit(m - 1, 0.975) * means.std(ddof=1) / np.sqrt(m))


def _swarm(means: Floats, room: tuple[float, float]) -> Floats:
    """Put persons with like means beside each other instead of one on top of the other."""
    bins = np.floor((means - room[0]) / ((room[1] - room[0]) / 70)).astype(int)
    offsets = np.zeros(len(means))
    for one_bin in np.unique(bins):
        members = np.flatnonzero(bins == one_bin)
        offsets[members[np.argsort(means[members], kind="stable")]] = np.arange(len(members)) - (len(members) - 1) / 2
    return offsets * min(0.12, 0.24 / max(float(np.abs(offsets).max()), 1.0))


def _ends(ax: Any, y: int, means: Floats, names: Sequence[str]) -> None:
    low, high = int(means.argmin()), int(means.argmax())
    if low == high:
        return
    for which, x, side in ((low, -5, "right"), (high, 5, "left")):
        style: dict[str, Any] = {"xytext": (x, 0), "textcoords": "offset points", "ha": side, "va": "center"}
        ax.annotate(names[which], (means[which], y - 0.08), **style, fontsize=8)


def _joined(ax: Any, detail: Detail, means: Floats, cells: Cells, style: Style) -> None:
    """Join the persons of each base."""
    height_of = {int(p): y for y, (_, members) in enumerate(cells) for p in members}
    for members in grouped((base, p) for p, base in enumerate(detail.persons["base"])).values():
        members.sort(key=lambda p: height_of[p])
        heights = [height_of[p] - 0.08 for p in members]
        ax.plot(means[members], heights, color=style.ink, alpha=0.35, linewidth=0.8, label="base", zorder=1)


def _axes(ax: Any, cells: Cells, unit: str, page: Page) -> None:
    ax.set_ylim(len(cells) - 0.5, -0.75 if page.narrow else -0.5)
    ax.set_xlabel(f"mean score, {unit}")
    ax.locator_params(axis="x", nbins=5 if page.narrow else 8)
    for y in range(1, len(cells)):
        ax.axhline(y - 0.5, color=page.style.ink, linewidth=0.5, alpha=0.2)
    name_rows(ax, _cell_labels(cells, page), narrow=page.narrow, above=0.28)


def _describe(means: Floats) -> str:
    mean, reach = _interval(means)
    ends = "" if reach is None else f" [{rounded(mean - reach)}, {rounded(mean + reach)}]"
    return f"mean {rounded(mean)}{ends}, persons from {rounded(float(means.min()))} to {rounded(float(means.max()))}"


def _caption(detail: Detail, part_name: str, cells: Cells, unit: str) -> dict[str, Any]:
    sizes = [len(members) for _, members in cells]
    several = max(sizes) > 1
    return {
        f"Each point is the mean score of one person over {count(len(detail.items['item']), 'item')}, {unit}.": True,
        part_name: True,
        f"n: {count(sum(sizes), 'person')} in {count(len(cells), 'group')} of {say_span(sizes)}.": True,
        f"Upright bars: mean of the group{'; lines: its 95 % interval over persons' * several}.": True,
        "Thin lines join the persons of one pair.": "base" in detail.persons,
        "Named: the lowest and the highest of each group.": several and len(cells) <= NAMED,
    }
