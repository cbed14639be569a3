"""Figure 1 of Prabhakaran et al. (2019): ScoreSens of every name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.figures.label_dist import rows_of, who
from eec_bias.figures.parts import join_sentences, say_span, scale
from eec_bias.figures.style import OUTSIDE, Style, Theme, finish, isolate, label, new_figure, styled
from eec_bias.result.frame import NAME, SENSITIVITY, Row
from eec_bias.result.numbers import count, interval, signed
from eec_bias.result.parts import pick
from eec_bias.result.record import record_of

LINES = 60
"""So many names have a line each."""

ENDS = 20
"""Of more names than `LINES`, so many are named at either end; the others stand in a band between."""

BAND = 6.0
"""Height of that band, in lines."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A name: its row, its place from above, its label and block, and its text where it is named."""

    row: Row
    y: float
    level: str
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
    record = record_of(result)
    rows, named = _one_system(rows_of(record, SENSITIVITY, NAME), where)
    study = {} if record.study is None else record.study.to_dict()
    group = group if group is not None else next(iter(study.get("labels", {})), None)
    levels = _labels(study, group, rows)
    marks = _place(rows, _labels(study, blocks, rows), levels, _texts(study, width), several=blocks is not None)
    known = sorted(set(levels.values())) if group is not None else []
    with styled(theme) as style:
        figure = new_figure(style, width, 1.1 + 0.165 * (marks[-1].y + 1) + 0.22 * -(-len(known) // 4))
        ax = figure.add_subplot()
        for mark in marks:
            _draw(ax, mark, known.index(mark.level) if known else 0, style)
        _axes(ax, marks, scale(record.score_range), several=blocks is not None)
        if known:
            _legend(figure, ax, known, list(levels.values()), style, width)
        values = [_spoken(mark.row, mark.level if known else "") for mark in sorted(marks, key=lambda m: m.y)]
        caption = join_sentences(
            [
                f"Each point is a name's ScoreSens: its mean over sentences of the score with the name minus that of "
                f"the original ({rows[0]['reference']}), {scale(record.score_range)}.",
                named,
                f"n: {count(len(rows), 'name')}, {_span(rows)}.",
                f"Colour and marker: {group}." if group is not None else "",
                f"Blocks: {blocks}." if blocks is not None else "",
                "Lines: 95 % interval over resampled sentences, names held fixed."
                if rows[0]["ci_low"] is not None
                else "No intervals were asked for.",
                f"{sum(mark.text is None for mark in marks):,} names between the highest and the lowest are not named."
                if any(mark.text is None for mark in marks)
                else "",
                "These names are described; nothing is tested.",
            ]
        )
        return finish(figure, "Score sensitivity by name", caption, values)


def _one_system(rows: Sequence[Row], where: Mapping[str, Any]) -> tuple[list[Row], str]:
    """Rows of the system wanted, and its name for the caption."""
    chosen = pick(rows, where, "sensitivities")
    keys = list(dict.fromkeys(who(row) for row in chosen))
    of = f" (the first of {len(keys)})" if len(keys) > 1 else ""
    return [row for row in chosen if who(row) == keys[0]], f"System {keys[0]}{of}." if keys[0] else ""


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


def _texts(study: Mapping[str, Any], width: float) -> dict[str, str]:
    """Each name as the corpus writes it; as its id where no font of this machine can."""
    limit = 26 if width >= 5 else 16
    texts = {}
    for name, form in zip(study.get("names", ()), study.get("forms", ()), strict=True):
        text = label(form, limit)
        texts[name] = isolate(text) if text and OUTSIDE not in text else label(name, limit)
    return texts


def _place(
    rows: Sequence[Row], block: Mapping[str, str], levels: Mapping[str, str], texts: Mapping[str, str], *, several: bool
) -> list[_Mark]:
    """Lay names out from above, block by block and highest first; squeeze the middle of many."""
    parts = [[row for row in rows if block[row["level"]] == own] for own in sorted(set(block.values()))]
    ends = len(rows) if len(rows) <= LINES else max(2, ENDS // len(parts))
    marks: list[_Mark] = []
    y = 0.0
    for part in parts:
        ordered = sorted(part, key=lambda row: (-row["effect"], row["level"]))
        middle = len(ordered) - 2 * ends
        for place, row in enumerate(ordered):
            inside = middle > 0 and ends <= place < len(ordered) - ends
            name = row["level"]
            text = None if inside else texts.get(name) or label(name, 26)
            marks.append(_Mark(row, y, levels[name], block[name], text))
            y += BAND / middle if inside else 1.0
        y += 1.5 if several else 0.0
    return marks


def _draw(ax: Any, mark: _Mark, number: int, style: Style) -> None:
    row, colour = mark.row, style.colour(number)
    small = mark.text is None
    if row["ci_low"] is not None:
        ax.plot(
            [row["ci_low"], row["ci_high"]], [mark.y, mark.y], color=colour, linewidth=0.4 if small else 1.1,
            alpha=0.25 if small else 0.7, solid_capstyle="butt",
        )  # fmt: skip
    ax.plot(
        [row["effect"]], [mark.y], linestyle="", marker=style.marker(number), color=colour,
        markersize=2.5 if small else 4.5, alpha=0.7 if small else 1.0,
    )  # fmt: skip


def _axes(ax: Any, marks: Sequence[_Mark], unit: str, *, several: bool) -> None:
    ax.axvline(0.0, color=ax.spines["bottom"].get_edgecolor(), linewidth=0.7, alpha=0.6, zorder=0)
    ax.set_ylim(marks[-1].y + 0.8, -0.8)
    ticks = [(mark.y, mark.text) for mark in marks if mark.text is not None]
    runs: list[list[float]] = []
    for before, mark in zip([None, *marks], marks, strict=False):
        if mark.text is None:
            if before is None or before.text is not None:
                runs.append([])
            runs[-1].append(mark.y)
    ticks += [((run[0] + run[-1]) / 2, f"… {len(run):,} between") for run in runs]
    ax.set_yticks([y for y, _ in ticks], [text for _, text in ticks], fontsize=7.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.margins(x=0.06)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel(f"ScoreSens, {unit}")
    edge = ax.spines["bottom"].get_edgecolor()
    for before, mark in pairwise(marks) if several else ():
        if before.block != mark.block:
            ax.axhline((before.y + mark.y) / 2, color=edge, linewidth=0.5, alpha=0.3)
    for own in dict.fromkeys(mark.block for mark in marks) if several else ():
        # Highest first, so the upper left of a block is free.
        top = next(mark.y for mark in marks if mark.block == own)
        ax.text(0.01, top, label(own, 24), transform=ax.get_yaxis_transform(), va="center", fontweight="bold")


def _legend(figure: Any, ax: Any, known: Sequence[str], levels: Sequence[str], style: Style, width: float) -> None:
    handles = [
        ax.plot([], [], linestyle="", marker=style.marker(i), color=style.colour(i))[0] for i, _ in enumerate(known)
    ]
    texts = [f"{isolate(label(level, 24))} ({levels.count(level)})" for level in known]
    figure.legend(handles, texts, loc="outside lower left", ncols=4 if width >= 5 else 2, handletextpad=0.3)


def _span(rows: Sequence[Row]) -> str:
    sizes = {row["n_items"] for row in rows}
    return count(min(sizes), "sentence") if len(sizes) == 1 else f"each in {say_span(sizes)} sentences"


def _spoken(row: Row, level: str) -> str:
    ends = "" if row["ci_low"] is None else f" {interval(row['ci_low'], row['ci_high'])}"
    return f"{row['level']}{f' ({level})' if level else ''} {signed(row['effect'])}{ends}"
