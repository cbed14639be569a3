"""Differences item by item: whether an effect is the same on all sentences or made by a few."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures.parts import choose_effect, find_contrast, join_sentences, say_finding, scale
from eec_bias.figures.style import Style, Theme, finish, join, label, new_figure, styled
from eec_bias.options import Floats
from eec_bias.result.details import Detail
from eec_bias.result.numbers import count, signed
from eec_bias.result.record import Record, record_of
from eec_bias.result.verdict import Judged
from eec_bias.result.words import short_label

By = Literal["size", "emotion", "template"]
NAMED = 5
"""Items named at each end."""

ENDS = 20
"""Items at each end that the text alternative names."""


def items(
    result: Any,
    *,
    term: str | None = None,
    level: str | None = None,
    by: By = "size",
    theme: Theme = "light",
    width: float = 7.0,
    **where: Any,
) -> Any:
    """Draw one effect on every item.

    Parameters
    ----------
    result : Result or dict
        What was measured, with details.
    term, level : str, optional
        Which effect; by default the first.
    by : {"size", "emotion", "template"}
        Items sorted by their difference, with those at both ends named; or one strip per emotion or template,
        with its mean.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches.
    **where
        ``system``, ``task``, ``stratum``, ``output``, ``subset``: which part; by default the first.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such effect or part.
    ResultError
        If it was saved without details, or its data had no such column.
    """
    record = record_of(result)
    judged, named = choose_effect(record, term, level, where)
    detail, values = find_contrast(record, judged[0].row, "items")
    if by not in ("size", "emotion", "template"):
        raise OptionError(f"by {by!r} is unknown; use one of 'size', 'emotion', 'template'")
    if by != "size" and by not in detail.items:
        raise ResultError(f"the data measured had no column {by!r}; draw the items by 'size'")
    with styled(theme) as style:
        draw = partial(_sorted, detail) if by == "size" else partial(_strips, detail, by)
        ax = draw(values, style, width)
        ax.axvline(0, color=style.ink, linewidth=0.8, alpha=0.6, zorder=0)
        ax.axvline(float(values.mean()), color=style.finding, linewidth=1.2, linestyle="--", zorder=0)
        ax.set_xlabel(f"{join([short_label(judged[0].row)], limit=68)}, on each item")
        ax.locator_params(axis="x", nbins=5 if width < 5 else 8)
        order = np.argsort(values, kind="stable")
        ends = order if len(order) <= 2 * ENDS else np.concatenate([order[:ENDS], order[-ENDS:]])
        told = [f"{detail.items['item'][j]} {signed(float(values[j]))}" for j in ends.tolist()]
        title = f"{judged[0].row['term']} item by item"
        return finish(ax.figure, title, _caption(record, judged[0], detail, named), told)


def _caption(record: Record, judged: Judged, detail: Detail, named: str) -> str:
    return join_sentences(
        [
            f"{short_label(judged.row)}, on each of {count(len(detail.items['item']), 'item')}, "
            f"{scale(record.score_range, [judged.get('output')])}.",
            named,
            f"n: {count(len(detail.persons['person']), 'person')} on every item.",
            "Dashed: mean of all items.",
            f"Mean of all items {signed(judged.row['effect'])}: {say_finding(record, judged)}.",
        ]
    )


def _groups(detail: Detail, by: str) -> tuple[list[str], Any]:
    labels = detail.items.get(by, ("",) * len(detail.items["item"]))
    names = list(dict.fromkeys(labels))
    # Items without an emotion come last, as they do in the corpus.
    names.sort(key=lambda name: name == "none")
    return names, np.array([names.index(own) for own in labels])


def _sorted(detail: Detail, values: Floats, style: Style, width: float) -> Any:
    names, group = _groups(detail, "emotion")
    count_of = len(values)
    figure = new_figure(style, width, min(2.9 + 0.022 * count_of, 9))
    ax = figure.add_subplot()
    order = np.argsort(values, kind="stable")
    place = np.empty(count_of)
    place[order] = np.arange(count_of)
    for g, name in enumerate(names):
        own = group == g
        ax.plot(
            values[own], place[own], linestyle="", marker=style.marker(g), markersize=3.6, color=style.colour(g),
            label=label(name, 20) or "items",
        )  # fmt: skip
    if len(names) > 1:
        figure.legend(loc="outside lower center", ncols=3 if width < 5 else 6)
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    # Equal differences still have an axis around them.
    room = 0.04 * (high - low) or 0.01
    ax.set_xlim(low - room, high + room)
    _name_ends(ax, detail, values, order, 17 if width < 5 else 30)
    ax.set_yticks([])
    ax.set_ylim(-1.5, count_of + 0.5)
    ax.spines["left"].set_visible(False)
    return ax


def _name_ends(ax: Any, detail: Detail, values: Floats, order: Any, longest: int) -> None:
    """Name the items at both ends, in a column each above the axes, where nothing is drawn."""
    shown = min(NAMED, len(order) // 2)
    if not shown:
        return
    texts = [
        [label(detail.items["item"][j], longest) + f" {signed(float(values[j]))}" for j in chosen]
        for chosen in (order[::-1][:shown].tolist(), order[:shown].tolist())
    ]
    same: dict[str, Any] = {"transform": ax.transAxes, "fontsize": 7.5}
    ax.text(0.0, 1.01, "\n".join(["lowest", *texts[1]]), va="bottom", ha="left", **same)
    ax.text(1.0, 1.01, "\n".join(["highest", *texts[0]]), va="bottom", ha="right", **same)


def _strips(detail: Detail, by: str, values: Floats, style: Style, width: float) -> Any:
    names, group = _groups(detail, by)
    figure = new_figure(style, width, 1.1 + 0.42 * len(names))
    ax = figure.add_subplot()
    for g in range(len(names)):
        own = np.sort(values[group == g])
        # Stacked in a fixed pattern: the same figure each time.
        offsets = np.resize([0.0, 0.11, -0.11, 0.2, -0.2], len(own))
        ax.plot(own, g + offsets, linestyle="", marker=style.marker(g), markersize=4, alpha=0.75, color=style.colour(g))
        ax.plot([own.mean()], [g], marker="|", markersize=16, markeredgewidth=2, color=style.ink)
    ax.set_yticks(range(len(names)), _counted(names, group))
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    return ax


def _counted(names: Sequence[str], group: Any) -> list[str]:
    return [f"{join([name or 'no label'], limit=24)} ({int((group == g).sum())})" for g, name in enumerate(names)]
