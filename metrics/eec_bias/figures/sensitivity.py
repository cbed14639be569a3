"""Figure 1 of Prabhakaran et al. (2019): ScoreSens of every name."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from eec_bias.errors import OptionError
from eec_bias.figures.label_dist import name_of, rows_of
from eec_bias.figures.labels import isolate, label, name_person
from eec_bias.figures.page import opened
from eec_bias.figures.parts import say_effect, scale
from eec_bias.figures.style import Theme
from eec_bias.grouping import grouped
from eec_bias.result.frame import NAME, SENSITIVITY, AnyRow
from eec_bias.result.parts import pick

LINES = 60
"""So many names have a line each."""

ENDS = 20
"""Of more names than `LINES`, so many are named at either end; the others stand in a band between."""

BAND = 6.0
"""Height of that band, in lines."""


class _Mark(NamedTuple):
    """A name: its row, its place from above, its block, its label, and its text where it is named."""

    row: AnyRow
    y: float
    block: str
    level: str
    text: str | None


def sensitivity(
    result: Any,
    *,
    group: str | None = None,
    blocks: str | None = None,
    theme: Theme = "light",
    width: float = 7.0,
    **where: Any,
) -> Any:
    """Draw ScoreSens of every name with its interval, highest first.

    More than 60 names are summarised: the highest and the lowest are named, the others stand between them.

    Parameters
    ----------
    result : Result or dict
        Of the procedure ``perturbation``; a dict with details where names are to have colours or forms.
    group : str, optional
        Column of labels that gives names their colour and marker; by default the first there is.
    blocks : str, optional
        Column of labels whose names stand together, as women and men in the article.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches.
    **where
        ``system``, ``task``: which system; by default the first.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such system or column.
    ResultError
        If it holds no perturbation measures.
    """
    with opened(result, theme, width) as page:
        chosen = pick(rows_of(page.record, SENSITIVITY, NAME), where, "sensitivities")
        systems = grouped((name_of(row), row) for row in chosen)
        system, rows = next(iter(systems.items()))
        study = {} if page.record.study is None else page.record.study.to_dict()
        group = group if group is not None else next(iter(study.get("labels", {})), None)
        levels, block = (_labels(study, column, rows) for column in (group, blocks))
        forms = zip(study.get("names", ()), study.get("forms", ()), strict=True)
        texts = {name: name_person(form, name, 16 if page.narrow else 26) for name, form in forms}
        marks = _place(rows, levels, block, texts, gap=0.0 if blocks is None else 1.5)
        groups = Counter(sorted(levels.values())) if group is not None else {}
        looks = {level: page.style.look(number) for number, level in enumerate(groups or [""])}
        ax = page.axes(1.1 + 0.165 * (marks[-1].y + 1) + 0.22 * -(-len(groups) // 4))
        for mark in marks:
            _draw(ax, mark, looks[mark.level])
        _axes(ax, marks, f"ScoreSens, {scale(page.record)}")
        if blocks is not None:
            _part_blocks(ax, marks)
        if groups:
            handles = [ax.plot([], [], linestyle="", **looks[level])[0] for level in groups]
            labels = [f"{isolate(label(level, 24))} ({size})" for level, size in groups.items()]
            position = {"loc": "outside lower left", "ncols": 2 if page.narrow else 4}
            page.figure.legend(handles, labels, **position, handletextpad=0.3)
        values = [f"{each.row['level']}{each.level and f' ({each.level})'} {say_effect(each.row)}" for each in marks]
        words = {"rows": rows, "system": system, "systems": systems, "group": group, "blocks": blocks, "marks": marks}
        return page.finish("sensitivity", values, **words)


def _labels(study: Mapping[str, Any], column: str | None, rows: Sequence[AnyRow]) -> dict[str, str]:
    """Label of each name in a column; the same for all without one.

    Raises
    ------
    OptionError
        If the result does not hold the column.
    """
    if column is None:
        return {row["level"]: "" for row in rows}
    labels = study.get("labels", {})
    if column not in labels:
        has = f"the labels {', '.join(labels)}" if labels else "no labels of names; a dict needs its details"
        raise OptionError(f"{column!r} is no group of the names; the result has {has}")
    return dict(zip(study["names"], labels[column], strict=True))


def _place(
    rows: Sequence[AnyRow], levels: Mapping[str, str], block: Mapping[str, str], texts: Mapping[str, str], *, gap: float
) -> list[_Mark]:
    """Lay names out from above, block by block and highest first; squeeze the middle of many."""
    blocks = sorted(set(block.values()))
    ends = len(rows) if len(rows) <= LINES else max(2, ENDS // len(blocks))
    marks: list[_Mark] = []
    y = 0.0
    for current in blocks:
        part = [row for row in rows if block[row["level"]] == current]
        middle = len(part) - 2 * ends
        for rank, row in enumerate(sorted(part, key=lambda row: (-row["effect"], row["level"]))):
            name, inside = row["level"], middle > 0 and ends <= rank < len(part) - ends
            text = None if inside else texts.get(name) or label(name, 26)
            marks.append(_Mark(row, y, current, levels[name], text))
            y += BAND / middle if inside else 1.0
        y += gap
    return marks


def _draw(ax: Any, mark: _Mark, look: Mapping[str, str]) -> None:
    row, small = mark.row, mark.text is None
    if row["ci_low"] is not None:
        line: dict[str, Any] = {"linewidth": 0.4, "alpha": 0.25} if small else {"linewidth": 1.1, "alpha": 0.7}
        ends = [row["ci_low"], row["ci_high"]]
        ax.plot(ends, [mark.y, mark.y], color=look["color"], solid_capstyle="butt", **line)
    point: dict[str, Any] = {"markersize": 2.5, "alpha": 0.7} if small else {"markersize": 4.5}
    ax.plot([row["effect"]], [mark.y], linestyle="", **look, **point)


def _axes(ax: Any, marks: Sequence[_Mark], title: str) -> None:
    ax.axvline(0.0, color=ax.spines["bottom"].get_edgecolor(), linewidth=0.7, alpha=0.6, zorder=0)
    ax.set_ylim(marks[-1].y + 0.8, -0.8)
    ticks = [(mark.y, mark.text) for mark in marks if mark.text is not None]
    for heights in grouped((mark.block, mark.y) for mark in marks if mark.text is None).values():
        ticks.append(((heights[0] + heights[-1]) / 2, f"… {len(heights):,} between"))
    ax.set_yticks([y for y, _ in ticks], [text for _, text in ticks], fontsize=7.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.margins(x=0.06)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel(title)


def _part_blocks(ax: Any, marks: Sequence[_Mark]) -> None:
    """Name each block, with a line between two."""
    blocks = grouped((mark.block, mark.y) for mark in marks)
    for block, heights in blocks.items():
        # Highest first, so the upper left of a block is free.
        ax.text(0.01, heights[0], label(block, 24), transform=ax.get_yaxis_transform(), va="center", fontweight="bold")
    for above, below in pairwise(blocks.values()):
        edge = ax.spines["bottom"].get_edgecolor()
        ax.axhline((above[-1] + below[0]) / 2, color=edge, linewidth=0.5, alpha=0.3)
