"""Figure 1 of Prabhakaran et al. (2019): ScoreSens of every name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.figures.label_dist import name_of, rows_of
from eec_bias.figures.labels import isolate, label, name_person
from eec_bias.figures.page import Page, page_of
from eec_bias.figures.parts import say_effect, say_span, scale
from eec_bias.figures.style import Theme
from eec_bias.result.frame import NAME, SENSITIVITY, Row
from eec_bias.result.numbers import count
from eec_bias.result.parts import pick

LINES = 60
"""So many names have a line each."""

ENDS = 20
"""Of more names than `LINES`, so many are named at either end; the others stand in a band between."""

BAND = 6.0
"""Height of that band, in lines."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A name: its row, its place from above, its block, and its text where it is named."""

    row: Row
    y: float
    block: str
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
    with page_of(result, theme, width) as page:
        rows, system_name = _one_system(rows_of(page.record, SENSITIVITY, NAME), where)
        study = {} if page.record.study is None else page.record.study.to_dict()
        group = group if group is not None else next(iter(study.get("labels", {})), None)
        levels, block = (_labels(study, column, rows) for column in (group, blocks))
        marks = _place(rows, block, _texts(study, page), gap=0.0 if blocks is None else 1.5)
        group_levels = sorted(set(levels.values())) if group is not None else []
        ax = page.axes(1.1 + 0.165 * (marks[-1].y + 1) + 0.22 * -(-len(group_levels) // 4))
        for mark in marks:
            _draw(ax, mark, page.style.look(group_levels.index(levels[mark.row["level"]]) if group_levels else 0))
        _axes(ax, marks, f"ScoreSens, {scale(page.record)}")
        if blocks is not None:
            _part_blocks(ax, marks)
        if group_levels:
            _legend(ax, group_levels, list(levels.values()), page)
        values = [_spoken(mark.row, levels[mark.row["level"]]) for mark in marks]
        remarks = {f"Colour and marker: {group}.": group is not None, f"Blocks: {blocks}.": blocks is not None}
        return page.finish("Score sensitivity by name", _caption(page, rows, system_name, remarks, marks), values)


def _caption(
    page: Page, rows: Sequence[Row], system_name: str, remarks: Mapping[str, bool], marks: Sequence[_Mark]
) -> dict[str, Any]:
    sizes = {row["n_items"] for row in rows}
    sentences = count(min(sizes), "sentence") if len(sizes) == 1 else f"each in {say_span(sizes)} sentences"
    between, resampled = sum(mark.text is None for mark in marks), rows[0]["ci_low"] is not None
    return {
        f"Each point is a name's ScoreSens: its mean over sentences of the score with the name minus that of "
        f"the original ({rows[0]['reference']}), {scale(page.record)}.": True,
        system_name: True,
        f"n: {count(len(rows), 'name')}, {sentences}.": True,
        **remarks,
        "Lines: 95 % interval over resampled sentences, names held fixed.": resampled,
        "No intervals were asked for.": not resampled,
        f"{between:,} names between the highest and the lowest are not named.": between,
        "These names are described; nothing is tested.": True,
    }


def _one_system(rows: Sequence[Row], where: Mapping[str, Any]) -> tuple[list[Row], str]:
    """Rows of the system wanted, and its name for the caption."""
    chosen = pick(rows, where, "sensitivities")
    keys = list(dict.fromkeys(name_of(row) for row in chosen))
    of = f" (the first of {len(keys)})" if len(keys) > 1 else ""
    return [row for row in chosen if name_of(row) == keys[0]], f"System {keys[0]}{of}." if keys[0] else ""


def _labels(study: Mapping[str, Any], column: str | None, rows: Sequence[Row]) -> dict[str, str]:
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


def _texts(study: Mapping[str, Any], page: Page) -> dict[str, str]:
    """Each name as it is written, by its id."""
    forms = zip(study.get("names", ()), study.get("forms", ()), strict=True)
    return {name: name_person(form, name, 16 if page.narrow else 26) for name, form in forms}


def _place(rows: Sequence[Row], block: Mapping[str, str], texts: Mapping[str, str], *, gap: float) -> list[_Mark]:
    """Lay names out from above, block by block and highest first; squeeze the middle of many."""
    blocks = sorted(set(block.values()))
    ends = len(rows) if len(rows) <= LINES else max(2, ENDS // len(blocks))
    marks: list[_Mark] = []
    y = 0.0
    for current in blocks:
        part = [row for row in rows if block[row["level"]] == current]
        middle = len(part) - 2 * ends
        for rank, row in enumerate(sorted(part, key=lambda row: (-row["effect"], row["level"]))):
            inside = middle > 0 and ends <= rank < len(part) - ends
            text = None if inside else texts.get(row["level"]) or label(row["level"], 26)
            marks.append(_Mark(row, y, current, text))
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
    for _, run in groupby((mark for mark in marks if mark.text is None), lambda mark: mark.block):
        heights = [mark.y for mark in run]
        ticks.append(((heights[0] + heights[-1]) / 2, f"… {len(heights):,} between"))
    ax.set_yticks([y for y, _ in ticks], [text for _, text in ticks], fontsize=7.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.margins(x=0.06)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel(title)


def _part_blocks(ax: Any, marks: Sequence[_Mark]) -> None:
    """Name each block, with a line between two."""
    edge = ax.spines["bottom"].get_edgecolor()
    last = None
    for block, block_marks in groupby(marks, lambda mark: mark.block):
        first, *others = block_marks
        if last is not None:
            ax.axhline((last.y + first.y) / 2, color=edge, linewidth=0.5, alpha=0.3)
        # Highest first, so the upper left of a block is free.
        ax.text(0.01, first.y, label(block, 24), transform=ax.get_yaxis_transform(), va="center", fontweight="bold")
        last = others[-1] if others else first


def _legend(ax: Any, group_levels: Sequence[str], levels: Sequence[str], page: Page) -> None:
    handles = [ax.plot([], [], linestyle="", **page.style.look(i))[0] for i, _ in enumerate(group_levels)]
    texts = [f"{isolate(label(level, 24))} ({levels.count(level)})" for level in group_levels]
    position = {"loc": "outside lower left", "ncols": 2 if page.narrow else 4}
    page.figure.legend(handles, texts, **position, handletextpad=0.3)


def _spoken(row: Row, level: str) -> str:
    return f"{row['level']}{f' ({level})' if level else ''} {say_effect(row)}"
