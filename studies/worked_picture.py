"""The picture of the study: names of one system, ten and a hundred per group, above the effects of all systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from eec_bias.figures.style import Style, Theme, finish, new_figure, save, styled
from eec_bias.result.finding import FOUND
from studies.markdown import Row
from studies.worked_measures import Measured, whole_rows

WORDS = {"female": "women", "male": "men"}

TERMS = {"race": "Latino – Anglo", "gender": "women – men", "race:gender": "race × gender"}


def draw(
    few: Sequence[Measured], many: Sequence[Measured], path: Path, theme: Theme = "page", *, overwrite: bool = False
) -> str:
    """Draw the names of the first system above the effects of all, save it and return its caption.

    Parameters
    ----------
    few, many
        The same systems on a corpus with few and on one with many names per group.
    path
        Where the picture is saved, as SVG or PNG.
    theme
        Colours.
    overwrite
        Whether another file of this name may be replaced.
    """
    with styled(theme) as style:
        figure = new_figure(style, 8.4, 6.6)
        above, below = figure.subfigures(2, 1, height_ratios=[4, 3.6])
        left, right = above.subplots(1, 2, sharex=True)
        values = _names(left, few[0], style, labelled=True)
        values += _names(right, many[0], style, labelled=False)
        rows = [found for pair in zip(few, many, strict=True) for found in pair]
        for place, (ax, term) in enumerate(zip(below.subplots(1, len(TERMS)), TERMS, strict=True)):
            values += _effects(ax, rows, term, style, labelled=place == 0)
        _legend(figure, style)
        finish(figure, "Ten and a hundred names per group", _caption(few[0], many[0]), values)
        save(figure, path, overwrite=overwrite)
        return str(figure.eec_caption)


def _names(ax: Any, found: Measured, style: Style, *, labelled: bool) -> list[str]:
    """Draw the names of each cell as points; return what is drawn in words."""
    detail = _detail(found)
    means, forms = detail.person_means[0], detail.persons["form"]
    levels = list(zip(*(detail.persons[axis] for axis in detail.axes), strict=True))
    cells = list(dict.fromkeys(levels))
    values = []
    for y, cell in enumerate(cells):
        own = np.array([place for place, level in enumerate(levels) if level == cell])
        look = style.look(2, 1)
        if cell[-1] == "female":
            look = style.look(0)
        size = 8
        if len(own) < 50:
            size = 17
        ax.scatter(means[own], y + _spread(means[own]), s=size, linewidth=0, zorder=3, **look)
        ax.plot([means[own].mean()] * 2, [y - 0.4, y + 0.4], color=style.ink, linewidth=1.6, zorder=1)
        values.append(f"{found.system}, {found.corpus.name}, {_cell(cell)}: mean {means[own].mean():.3f}")
        _name_far(ax, y, means, own, forms)
    _frame(ax, [_cell(cell) for cell in cells], style, labelled=labelled)
    low, high = found.score_range
    ax.set_xlabel(f"mean score of a name, scale {low:g} to {high:g}".replace("-", "−"), fontsize=8)
    ax.set_title(f"{found.system}: {_per_group(found)} names per group", fontsize=10.5, fontweight="bold")
    ax.set_ylim(len(cells) - 0.45, -0.55)
    ax.margins(x=0.27)
    return values


def _spread(values: Any) -> Any:
    """Stack points that lie at nearly the same place, so that each name is seen."""
    offset = np.zeros(len(values))
    bins = np.floor(values / (0.022 * max(float(np.ptp(values)), 1e-9)))
    for own in (np.flatnonzero(bins == each) for each in np.unique(bins)):
        offset[own] = (np.arange(len(own)) - (len(own) - 1) / 2) * min(0.075, 0.8 / len(own))
    return offset


def _name_far(ax: Any, y: int, means: Any, own: Any, forms: Sequence[str]) -> None:
    """Name the lowest and the highest of a cell; where all but one are the same, only that one."""
    middle = np.median(means[own])
    apart = own[~np.isclose(means[own], middle, atol=1e-9)]
    if len(apart) == 1:
        _write(ax, forms[apart[0]], (means[apart[0]], y), "right", weight="bold")
    elif len(apart):
        _write(ax, forms[own[np.argmin(means[own])]], (means[own].min(), y), "right")
        _write(ax, forms[own[np.argmax(means[own])]], (means[own].max(), y), "left")


def _write(ax: Any, text: str, place: tuple[float, float], side: str, weight: str = "normal") -> None:
    """Write a name beside its point."""
    shift = {"right": (-5, 0), "left": (5, 0)}[side]
    offset = {"xytext": shift, "textcoords": "offset points"}
    ax.annotate(text, place, **offset, ha=side, va="center", fontsize=8, fontweight=weight)


def _effects(ax: Any, rows: Sequence[Measured], term: str, style: Style, *, labelled: bool) -> list[str]:
    """Draw one effect on names of every system and corpus with its interval; return them in words."""
    values = []
    for y, found in enumerate(rows):
        row = _row_of_names(found, term)
        colour = style.ink
        face = style.inside
        if row["answer"] in FOUND:
            colour = face = style.finding
        said = f"{found.system}, {found.corpus.name}, {row['term']}: {row['effect']:+.3f}"
        if row["ci_low"] is not None:
            ax.barh(y, 2 * row["mde"], left=-row["mde"], height=0.7, color=style.ink, alpha=0.16, linewidth=0)
            ax.plot([row["ci_low"], row["ci_high"]], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
            said += f" [{row['ci_low']:+.3f}, {row['ci_high']:+.3f}]"
        ax.plot([row["effect"]], [y], marker="o", color=colour, markerfacecolor=face, markersize=5)
        values.append(said)
    ax.axvline(0, color=style.ink, linewidth=0.8, alpha=0.6, zorder=0)
    reach = 1.1 * max(abs(x) for x in ax.dataLim.intervalx)
    ax.set_xlim(-reach, reach)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    _frame(ax, [f"{found.system}, {_per_group(found)} names" for found in rows], style, labelled=labelled, every=2)
    ax.set_title(TERMS[term], fontsize=9.5)
    return values


def _row_of_names(found: Measured, term: str) -> Row:
    """Return the row of a term on names."""
    for row in whole_rows(found.result):
        if (row["term"], row["subset"]) == (term, "names"):
            return row
    raise LookupError(f"{found.system} on {found.corpus.name} has no row of {term!r} on names")


def _frame(ax: Any, labels: Sequence[str], style: Style, *, labelled: bool, every: int = 1) -> None:
    """Label the rows, with a line after every so many."""
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0, labelleft=labelled, labelsize=8.5)
    ax.tick_params(axis="x", labelsize=8)
    ax.set_yticks(range(len(labels)), labels)
    for y in range(every, len(labels), every):
        ax.axhline(y - 0.5, color=style.ink, linewidth=0.5, alpha=0.15)
    ax.locator_params(axis="x", nbins=5)


def _detail(found: Measured) -> Any:
    return next(detail for detail in found.result.details if detail.subset == "names")


def _per_group(found: Measured) -> int:
    """Count the names of a group, such as Latino women; all have as many."""
    detail = _detail(found)
    cells = set(zip(*(detail.persons[axis] for axis in detail.axes), strict=True))
    return len(detail.persons["person"]) // len(cells)


def _cell(levels: Sequence[str]) -> str:
    return " ".join(WORDS.get(level, level) for level in levels)


def _legend(figure: Any, style: Style) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = [
        Line2D([], [], marker="o", color=style.finding, label="difference (adjusted p < .05)"),
        Line2D([], [], marker="o", color=style.ink, markerfacecolor=style.inside, label="no detectable difference"),
        Patch(color=style.ink, alpha=0.16, linewidth=0, label="smaller than detectable"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8)


def _caption(few: Measured, many: Measured) -> str:
    left, right = _detail(few), _detail(many)
    return (
        "Upper half: each point is the mean score of one name. Vertical bars are the means of the groups. On the left "
        f"are {len(left.persons['person'])} names in {len(left.items['item'])} sentences each ({few.corpus.name}). On "
        f"the right are {len(right.persons['person'])} names in {len(right.items['item'])} sentences each "
        f"({many.corpus.name}). Lower half: gaps between the groups with 95 % intervals. If a point has no interval, "
        "the system gives all names the same score."
    )
