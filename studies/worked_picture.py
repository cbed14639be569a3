"""The picture of the study: every name's mean score by group, above the effects that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from eec_bias.figures.style import Style, Theme, finish, new_figure, save, styled
from studies.worked import Measured

TITLES = {
    "vader": "A real system: VADER",
    "noisy:female": "Built in: women score .05 higher, by rule",
}

WORDS = {"female": "women", "male": "men"}

TERMS = {"race": "Black – white", "gender": "women – men", "race:gender": "race × gender"}

REASONS = {"Tia": "Tia (“tia” is a positive word\nin VADER's lexicon)"}
"""Why a name stands alone, where that is known."""


def draw(measured: Sequence[Measured], path: Path, theme: Theme = "page", *, overwrite: bool = False) -> str:
    """Draw one column per system, save it and return its caption.

    Parameters
    ----------
    measured
        Systems on one corpus with names.
    path
        Where the picture is saved, as SVG or PNG.
    theme
        Colours.
    overwrite
        Whether another file of this name may be replaced.
    """
    with styled(theme) as style:
        figure = new_figure(style, 8.4, 4.6)
        axes = figure.subplots(2, len(measured), height_ratios=[4, 2.5])
        values: list[str] = []
        for column, found in enumerate(measured):
            values += _names(axes[0][column], found, style, labelled=column == 0)
            values += _effects(axes[1][column], found, style, labelled=column == 0)
        _legend(figure, style)
        finish(figure, "Names and effects of a real and of a built-in system", _caption(measured), values)
        save(figure, path, overwrite=overwrite)
        return str(figure.eec_caption)


def _names(ax: Any, found: Measured, style: Style, *, labelled: bool) -> list[str]:
    """Draw the names of each cell as points; return what is drawn in words."""
    detail = next(detail for detail in found.result.details if detail.subset == "names")
    means, forms = detail.person_means[0], detail.persons["form"]
    levels = list(zip(*(detail.persons[axis] for axis in detail.axes), strict=True))
    cells = list(dict.fromkeys(levels))
    values = []
    for y, cell in enumerate(cells):
        own = np.array([p for p, level in enumerate(levels) if level == cell])
        female = cell[-1] == "female"
        colour, marker = style.colour(0 if female else 2), style.marker(0 if female else 1)
        ax.scatter(means[own], y + _spread(means[own]), s=17, color=colour, marker=marker, linewidth=0, zorder=3)
        ax.plot([means[own].mean()] * 2, [y - 0.4, y + 0.4], color=style.ink, linewidth=1.6, zorder=1)
        values.append(f"{found.system}, {_cell(cell)}: mean {means[own].mean():.3f}")
        _name_far(ax, y, means, own, forms)
    _frame(ax, [_cell(cell) for cell in cells], style, labelled=labelled)
    low, high = found.score_range
    ax.set_xlabel(f"mean score of a name, scale {low:g} to {high:g}".replace("-", "−"), fontsize=8)
    ax.set_title(TITLES.get(found.system, found.system), fontsize=10.5, fontweight="bold")
    ax.set_ylim(len(cells) - 0.45, -0.55)
    ax.margins(x=0.05 if np.ptp(means) > 0.3 else 0.2)
    return values


def _spread(values: Any) -> Any:
    """Stack points that lie at the same place, so that each name is seen."""
    offset = np.zeros(len(values))
    order = np.argsort(values, kind="stable")
    near = 0.012 * max(float(np.ptp(values)), 1e-9)
    groups = np.split(order, np.flatnonzero(np.diff(values[order]) > near) + 1)
    for group in groups:
        offset[group] = (np.arange(len(group)) - (len(group) - 1) / 2) * 0.075
    return offset


def _name_far(ax: Any, y: int, means: Any, own: Any, forms: Sequence[str]) -> None:
    """Name the lowest and the highest of a cell; where all but one are the same, only that one."""
    middle = np.median(means[own])
    apart = own[~np.isclose(means[own], middle, atol=1e-9)]
    if len(apart) == 1:
        text = REASONS.get(forms[apart[0]], forms[apart[0]])
        _write(ax, text, (means[apart[0]], y), "right", weight="bold")
    elif len(apart):
        _write(ax, forms[own[np.argmin(means[own])]], (means[own].min(), y), "right")
        _write(ax, forms[own[np.argmax(means[own])]], (means[own].max(), y), "left")


def _write(ax: Any, text: str, place: tuple[float, float], side: str, weight: str = "normal") -> None:
    """Write a name beside its point."""
    shift = -5 if side == "right" else 5
    ax.annotate(
        text, place, xytext=(shift, 0), textcoords="offset points", ha=side, va="center", fontsize=8, fontweight=weight,
    )  # fmt: skip


def _effects(ax: Any, found: Measured, style: Style, *, labelled: bool) -> list[str]:
    """Draw the effects on names with intervals; return them in words."""
    judged = zip(found.result.terms, found.result.verdicts, strict=True)
    terms = [(row, verdict) for row, verdict in judged if row["subset"] == "names"]
    values = []
    for y, (row, verdict) in enumerate(terms):
        colour = style.finding if verdict.found else style.ink
        ax.barh(y, 2 * row["mde"], left=-row["mde"], height=0.62, color=style.ink, alpha=0.16, linewidth=0)
        ax.plot([row["ci_low"], row["ci_high"]], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
        face = colour if verdict.found else style.inside
        ax.plot([row["effect"]], [y], marker="o", color=colour, markerfacecolor=face, markersize=6)
        interval = f"[{row['ci_low']:+.3f}, {row['ci_high']:+.3f}]"
        values.append(f"{found.system}, {row['term']}: {row['effect']:+.3f} {interval}")
    ax.axvline(0, color=style.ink, linewidth=0.8, alpha=0.6, zorder=0)
    reach = 1.1 * max(abs(x) for x in ax.dataLim.intervalx)
    ax.set_xlim(-reach, reach)
    ax.set_ylim(len(terms) - 0.4, -0.6)
    _frame(ax, [TERMS[row["term"]] for row, _ in terms], style, labelled=labelled)
    ax.set_xlabel("difference between groups, with 95 % interval", fontsize=8)
    return values


def _frame(ax: Any, labels: Sequence[str], style: Style, *, labelled: bool) -> None:
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0, labelleft=labelled)
    ax.tick_params(axis="x", labelsize=8)
    ax.set_yticks(range(len(labels)), labels)
    for y in range(1, len(labels)):
        ax.axhline(y - 0.5, color=style.ink, linewidth=0.5, alpha=0.15)
    ax.locator_params(axis="x", nbins=6)


def _cell(levels: Sequence[str]) -> str:
    return " ".join(WORDS.get(level, level) for level in levels)


def _legend(figure: Any, style: Style) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = [
        Line2D([], [], marker="o", color=style.finding, label="difference (adjusted p < .05)"),
        Line2D([], [], marker="o", color=style.ink, markerfacecolor=style.inside, label="no detectable difference"),
        Patch(color=style.ink, alpha=0.16, linewidth=0, label="too small to be detected"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8)


def _caption(measured: Sequence[Measured]) -> str:
    detail = next(detail for detail in measured[0].result.details if detail.subset == "names")
    persons, items = len(detail.persons["person"]), len(detail.items["item"])
    return (
        f"Each point in the upper half is the mean score of one name over {items} sentences. There are {persons} names "
        f"in four groups of {persons // 4} (corpus {measured[0].corpus.name}), and upright bars are the means of the "
        "groups. The lower half shows the differences between the groups with 95 % intervals."
    )
