"""Figure 2 of Prabhakaran et al. (2019): LabelDist over thresholds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eec_bias.errors import ResultError
from eec_bias.figures.labels import isolate, label
from eec_bias.figures.page import opened
from eec_bias.figures.parts import scale
from eec_bias.figures.style import Style, Theme
from eec_bias.grouping import grouped
from eec_bias.result.frame import DISTANCE, AnyRow, leading
from eec_bias.result.numbers import rounded
from eec_bias.result.parts import pick
from eec_bias.result.record import Record

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
    with opened(result, theme, width) as page:
        rows = pick(rows_of(page.record, DISTANCE, None), where, "label distances")
        lines = grouped((name_of(row), row) for row in rows)
        many = len(lines) > APART
        ax = page.axes(min(4.2, max(3.2, 0.6 * page.width)) + 0.2 * min(len(lines), APART))
        if many:
            _many(ax, lines, page.style)
        else:
            for i, (name, system_rows) in enumerate(lines.items()):
                _line(ax, i, name, system_rows, page.style)
        ax.set_ylim(bottom=0.0)
        ax.set_xlabel(f"threshold, {scale(page.record)}")
        ax.set_ylabel("LabelDist")
        if len(lines) > 1:
            position = {"loc": "outside lower left", "ncols": 1 if page.narrow else 2}
            page.figure.legend(*ax.get_legend_handles_labels(), **position)
        values = []
        for name, system_rows in lines.items():
            distances = ", ".join(f"{rounded(row['effect'])} at {row['level']}" for row in system_rows)
            values.append(f"{name}: {distances}" if name else distances)
        hollow = any(_by_convention(row) for row in rows)
        return page.finish("label_dist", values, rows=rows, lines=lines, many=many, hollow=hollow)


def rows_of(record: Record, term: str, axes: str | None) -> Sequence[AnyRow]:
    """Return the rows of one measure that have a value.

    Raises
    ------
    ResultError
        If there are none.
    """
    rows = [row for row in record.terms if row["term"] == term and row["axes"] == axes and row["effect"] is not None]
    if not rows:
        raise ResultError(
            f"the result has no rows of {term!r}; it is of the procedure {record.method!r}: measure the scores with "
            "'perturbation'"
        )
    return rows


def name_of(row: AnyRow) -> str:
    """Name the system, and whatever else a row is about."""
    return ", ".join(map(str, leading(row).values()))


def _line(ax: Any, number: int, name: str, rows: Sequence[AnyRow], style: Style) -> None:
    x, y = _points(rows)
    look = style.look(number)
    if rows[0]["ci_low"] is not None:
        low, high = ([row[key] for row in rows] for key in ("ci_low", "ci_high"))
        ax.fill_between(x, low, high, color=look["color"], alpha=0.18, linewidth=0)
        if len(rows) == 1:
            ax.plot([x[0], x[0]], [low[0], high[0]], color=look["color"])
    ax.plot(x, y, **look, linestyle=style.line(number), label=label(name))
    hollow = _points([row for row in rows if _by_convention(row)])
    ax.plot(*hollow, **look, linestyle="", markerfacecolor=style.inside)


def _many(ax: Any, lines: Mapping[str, Sequence[AnyRow]], style: Style) -> None:
    """Many systems: alike and thin, their median thick, the two at the ends by name."""
    names, height = list(lines), np.array([[row["effect"] for row in rows] for rows in lines.values()])
    x, _ = _points(lines[names[0]])
    order = np.argsort(height.mean(axis=1), kind="stable")
    for curve in height:
        ax.plot(x, curve, color=style.ink, linewidth=0.5, alpha=0.25)
    ax.plot(x, np.median(height, axis=0), color=style.ink, linewidth=2.4, label=f"median of {len(lines)} systems")
    for i, (extreme, system) in enumerate({"highest": order[-1], "lowest": order[0]}.items()):
        text = f"{extreme}: {isolate(label(names[system], 30))}"
        ax.plot(x, height[system], **style.look(i), linestyle=style.line(i + 1), label=text)


def _points(rows: Sequence[AnyRow]) -> tuple[list[float], list[float]]:
    return [float(row["level"]) for row in rows], [row["effect"] for row in rows]


NO_SENTENCE = ("no_sentence_of_any_name", "no_sentence_of_names")
"""Keys of the notes that say that a distance is 0 by convention."""


def _by_convention(row: AnyRow) -> bool:
    """Return whether no sentence of some name reaches the threshold, nor its original."""
    return any(note.key in NO_SENTENCE for note in row["notes"])
