"""Every person's mean score by cell: the picture behind the test, which compares persons, not sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import stdtrit

from eec_bias.figures.parts import join_sentences, part_of, say_span, scale
from eec_bias.figures.style import OUTSIDE, Style, Theme, finish, isolate, join, label, name_rows, new_figure, styled
from eec_bias.options import Floats, Ints
from eec_bias.result.details import Detail
from eec_bias.result.numbers import count, plain
from eec_bias.result.record import record_of

NAMED = 16
"""Cells up to which the persons at their ends are named."""

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
    record = record_of(result)
    detail, system, named = part_of(record, where, "persons")
    means = detail.person_means[system]
    cells = _cells(detail)
    names = _names(detail, 14 if width < 5 else 22)
    with styled(theme) as style:
        narrow = width < 5
        row = 0.5 if len(cells) <= NAMED else 0.3
        figure = new_figure(style, width, 0.9 + (row + 0.16 * narrow) * len(cells))
        ax = figure.add_subplot()
        if "base" in detail.persons:
            _joined(ax, detail, means, cells, style)
        room = _room(means, cells, names if len(cells) <= NAMED else [], width, record.score_range)
        ax.set_xlim(room)
        for y, (levels, own) in enumerate(cells):
            _strip(ax, y, means[own], *_look(detail, levels, style), style, room, apart="base" not in detail.persons)
            if len(cells) <= NAMED:
                _ends(ax, y, means[own], [names[p] for p in own.tolist()])
        unit = scale(record.score_range, [detail.where.get("output")])
        _axes(ax, cells, unit, style, narrow=narrow)
        values = [f"{', '.join(levels)}: {_described(means[own])}" for levels, own in cells]
        return finish(figure, "Mean score of every person by group", _caption(detail, named, cells, unit), values)


def _cells(detail: Detail) -> Cells:
    """Persons of each cell, in the order of the table."""
    found: dict[tuple[str, ...], list[int]] = {}
    for p, levels in enumerate(zip(*(detail.persons[axis] for axis in detail.axes), strict=True)):
        found.setdefault(levels, []).append(p)
    return [(levels, np.array(own, dtype=np.intp)) for levels, own in found.items()]


def _names(detail: Detail, limit: int) -> list[str]:
    """Each person as written in the corpus; as its id where no font of this machine can write it."""
    ids = detail.persons["person"]
    forms = [label(form, limit) for form in detail.persons.get("form", ids)]
    return [
        isolate(form) if form and OUTSIDE not in form else label(person, limit)
        for form, person in zip(forms, ids, strict=True)
    ]


def _look(detail: Detail, levels: tuple[str, ...], style: Style) -> tuple[str, str]:
    """Colour by the first axis with few levels, marker by the second one; every strip has its own label anyway."""
    known = [list(dict.fromkeys(detail.persons[axis])) for axis in detail.axes]
    at = [own.index(level) for own, level in zip(known, levels, strict=True) if len(own) <= len(style.colours)]
    return style.colour(at[0] if at else 0), style.marker(at[1] if len(at) > 1 else 0)


def _room(
    means: Floats, cells: Cells, names: Sequence[str], width: float, score_range: tuple[float, float]
) -> tuple[float, float]:
    """Limits of the axis, with room for the intervals and for the names at both ends."""
    low, high = float(means.min()), float(means.max())
    whole = score_range[1] - score_range[0]
    spread = high - low if high - low > 1e-9 * whole else 0.01 * whole
    left = 0.0 if width < 5 else max(len(_cell_label(levels, own)) for levels, own in cells)
    # Inches of a letter, about.
    inside = max(width - 0.3 - 0.072 * left, 1.5)
    share = min(0.03 + 0.078 * max(map(len, names), default=0) / inside, 0.42)
    reach = spread * share / (1 - 2 * share)
    found = [_interval(means[own]) for _, own in cells]
    ends = [(mean - part, mean + part) for mean, part in found if part is not None]
    margin = 0.02 * spread
    return (
        min([low - reach, *(end[0] - margin for end in ends)]),
        max([high + reach, *(end[1] + margin for end in ends)]),
    )


def _cell_label(levels: Sequence[str], own: Ints) -> str:
    return f"{join(levels, limit=30)} ({len(own)})"


def _strip(
    ax: Any, y: int, means: Floats, colour: str, marker: str, style: Style, room: tuple[float, float], *, apart: bool
) -> None:
    offsets = _swarm(means, room) if apart else np.zeros(len(means))
    ax.plot(
        means, y - 0.08 + offsets, linestyle="", marker=marker, markersize=4.5, color=colour, alpha=0.9,
        markeredgewidth=0.4, markeredgecolor=style.inside,
    )  # fmt: skip
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
    for each in np.unique(bins):
        own = np.flatnonzero(bins == each)
        offsets[own[np.argsort(means[own], kind="stable")]] = np.arange(len(own)) - (len(own) - 1) / 2
    return offsets * min(0.12, 0.24 / max(float(np.abs(offsets).max()), 1.0))


def _ends(ax: Any, y: int, means: Floats, names: Sequence[str]) -> None:
    low, high = int(means.argmin()), int(means.argmax())
    if low == high:
        return
    for which, x, side in ((low, -5, "right"), (high, 5, "left")):
        ax.annotate(
            names[which], (means[which], y - 0.08), xytext=(x, 0), textcoords="offset points", ha=side, va="center",
            fontsize=8,
        )  # fmt: skip


def _joined(ax: Any, detail: Detail, means: Floats, cells: Cells, style: Style) -> None:
    """Join the persons of each base."""
    at = {int(p): y for y, (_, own) in enumerate(cells) for p in own}
    bases: dict[str, list[int]] = {}
    for p, base in enumerate(detail.persons["base"]):
        bases.setdefault(base, []).append(p)
    for own in bases.values():
        own.sort(key=lambda p: at[p])
        ax.plot(
            means[own], [at[p] - 0.08 for p in own], color=style.ink, alpha=0.35, linewidth=0.8, label="base", zorder=1
        )


def _axes(ax: Any, cells: Cells, unit: str, style: Style, *, narrow: bool) -> None:
    ax.set_ylim(len(cells) - 0.5, -0.75 if narrow else -0.5)
    ax.set_xlabel(f"mean score, {unit}")
    ax.locator_params(axis="x", nbins=5 if narrow else 8)
    for y in range(1, len(cells)):
        ax.axhline(y - 0.5, color=style.ink, linewidth=0.5, alpha=0.2)
    name_rows(ax, [_cell_label(levels, own) for levels, own in cells], narrow=narrow, above=0.28)


def _described(means: Floats) -> str:
    mean, reach = _interval(means)
    ends = "" if reach is None else f" [{plain(mean - reach)}, {plain(mean + reach)}]"
    return f"mean {plain(mean)}{ends}, persons from {plain(float(means.min()))} to {plain(float(means.max()))}"


def _caption(detail: Detail, named: str, cells: Cells, unit: str) -> str:
    sizes = [len(own) for _, own in cells]
    return join_sentences(
        [
            f"Each point is the mean score of one person over {count(len(detail.items['item']), 'item')}, {unit}.",
            named,
            f"n: {count(sum(sizes), 'person')} in {count(len(cells), 'group')} of {say_span(sizes)}.",
            "Upright bars: mean of the group; lines: its 95 % interval over persons."
            if max(sizes) > 1
            else "Upright bars: mean of the group.",
            "Thin lines join the persons of one pair." if "base" in detail.persons else "",
            "Named: the lowest and the highest of each group." if max(sizes) > 1 and len(cells) <= NAMED else "",
        ]
    )
