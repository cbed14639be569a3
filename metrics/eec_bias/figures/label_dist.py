"""Figure 2 of Prabhakaran et al. (2019): LabelDist over thresholds."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from eec_bias.errors import ResultError
from eec_bias.figures.parts import join_sentences, scale
from eec_bias.figures.style import Style, Theme, finish, isolate, label, new_figure, styled
from eec_bias.result.frame import CONVENTION, DISTANCE, LEADING, Row
from eec_bias.result.numbers import count, plain
from eec_bias.result.parts import pick
from eec_bias.result.record import Record, record_of

APART = 8
"""So many systems have a line of their own kind; more are drawn alike, with their median."""


def label_dist(result: Any, *, theme: Theme = "light", width: float = 7.0, **where: Any) -> Any:
    """Draw LabelDist over thresholds, a line per system, with bands where there are intervals.

    Parameters
    ----------
    result : Result or dict
        Of the procedure ``perturbation``.
    theme, width
        As for `sensitivity`.
    **where
        ``system``, ``task``: which systems; by default all.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such system.
    ResultError
        If it holds no perturbation measures.
    """
    record = record_of(result)
    rows = pick(rows_of(record, DISTANCE, None), where, "label distances")
    lines: dict[str, list[Row]] = {}
    for row in rows:
        lines.setdefault(who(row), []).append(row)
    with styled(theme) as style:
        figure = new_figure(style, width, min(4.2, max(3.2, 0.6 * width)) + 0.2 * min(len(lines), APART))
        ax = figure.add_subplot()
        if len(lines) > APART:
            _many(ax, list(lines.values()), style)
        else:
            for i, (name, own) in enumerate(lines.items()):
                _line(ax, i, name, own, style)
        ax.set_ylim(bottom=0.0)
        ax.set_xlabel(f"threshold, {scale(record.score_range)}")
        ax.set_ylabel("LabelDist")
        if len(lines) > 1:
            figure.legend(*ax.get_legend_handles_labels(), loc="outside lower left", ncols=2 if width >= 5 else 1)
        values = [_spoken_distances(name, own) for name, own in lines.items()]
        with_bands = rows[0]["ci_low"] is not None and len(lines) <= APART
        caption = join_sentences(
            [
                "LabelDist: the Jaccard distance between the sentences whose original scores at or above the threshold "
                "and those that do so with a name, averaged over names: 0 where no name changes a label.",
                f"n: {count(len(lines), 'system')}, {count(rows[0]['n_persons'], 'name')}, "
                f"{count(rows[0]['n_items'], 'sentence')}, {count(len(next(iter(lines.values()))), 'threshold')}.",
                "Thin lines: systems; thick line: their median; named: the highest and the lowest."
                if len(lines) > APART
                else "",
                "Hollow: for some names no sentence reaches the threshold, which counts as distance 0."
                if len(lines) <= APART and any(CONVENTION in row["note"] for row in rows)
                else "",
                "Bands: 95 % interval over resampled sentences, names held fixed." if with_bands else "",
                "These names are described; nothing is tested.",
            ]
        )
        return finish(figure, "Label distance over thresholds", caption, values)


def rows_of(record: Record, term: str, axes: str | None) -> list[Row]:
    """Return the rows of one measure that have a value.

    Raises
    ------
    ResultError
        If there are none.
    """
    found = [row for row in record.terms if row["term"] == term and row["axes"] == axes and row["effect"] is not None]
    if not found:
        raise ResultError(
            f"the result has no rows of {term!r}; it is of the procedure {record.method!r}: measure the scores with "
            "'perturbation'"
        )
    return found


def who(row: Row) -> str:
    """Name the system, and whatever else a row is about."""
    return ", ".join(str(row[key]) for key in LEADING if row.get(key) is not None)


def _line(ax: Any, number: int, name: str, rows: Sequence[Row], style: Style) -> None:
    x, y = _points(rows)
    colour = style.colour(number)
    if rows[0]["ci_low"] is not None:
        low, high = ([row[key] for row in rows] for key in ("ci_low", "ci_high"))
        ax.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
        if len(rows) == 1:
            ax.plot([x[0], x[0]], [low[0], high[0]], color=colour)
    ax.plot(x, y, color=colour, linestyle=style.line(number), marker=style.marker(number), label=label(name))
    hollow = [i for i, row in enumerate(rows) if CONVENTION in row["note"]]
    ground = style.ground if style.ground != "none" else "white"
    ax.plot(
        [x[i] for i in hollow], [y[i] for i in hollow], linestyle="", marker=style.marker(number),
        color=colour, markerfacecolor=ground,
    )  # fmt: skip


def _many(ax: Any, lines: Sequence[Sequence[Row]], style: Style) -> None:
    """Many systems: alike and thin, their median thick, the two at the ends by name."""
    height = np.array([[row["effect"] for row in rows] for rows in lines])
    x, _ = _points(lines[0])
    order = np.argsort(height.mean(axis=1), kind="stable")
    for own in height:
        ax.plot(x, own, color=style.ink, linewidth=0.5, alpha=0.25)
    ax.plot(x, np.median(height, axis=0), color=style.ink, linewidth=2.4, label=f"median of {len(lines)} systems")
    for i, at in enumerate((order[-1], order[0])):
        what = ("highest", "lowest")[i]
        ax.plot(
            x, height[at], color=style.colour(i), linestyle=style.line(i + 1), marker=style.marker(i),
            label=f"{what}: {isolate(label(who(lines[at][0]), 30))}",
        )  # fmt: skip


def _points(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    return [float(row["level"]) for row in rows], [row["effect"] for row in rows]


def _spoken_distances(name: str, rows: Sequence[Row]) -> str:
    values = ", ".join(f"{plain(row['effect'])} at {row['level']}" for row in rows)
    return f"{name}: {values}" if name else values
