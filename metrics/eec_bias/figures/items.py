"""Differences item by item: whether an effect is the same on all sentences or made by a few."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures.parts import Part, join_sentences, part_of, say_finding, scale
from eec_bias.figures.style import Style, Theme, finish, join, label, new_figure, styled
from eec_bias.options import Floats
from eec_bias.result.frame import Row
from eec_bias.result.numbers import count, signed
from eec_bias.result.record import Record, record_of
from eec_bias.result.verdict import judge_terms
from eec_bias.result.words import short_label

By = Literal["size", "emotion", "template"]
NAMED = 5
"""Items named at each end."""

ENDS = 20
"""Items at each end that the text alternative names."""

AXIS_LABEL = 34


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
    part = part_of(record, where, "items")
    r = effect_of(part, term, level)
    values, contrast = part.detail.item_effects[part.system, r], part.detail.contrasts[r]
    if by not in ("size", "emotion", "template"):
        raise OptionError(f"by {by!r} is unknown; use one of 'size', 'emotion', 'template'")
    if by != "size" and by not in part.detail.items:
        raise ResultError(f"the data measured had no column {by!r}; draw the items by 'size'")
    with styled(theme) as style:
        ax = _sorted(part, values, style, width) if by == "size" else _strips(part, values, by, style, width)
        ax.axvline(0, color=style.ink, linewidth=0.8, alpha=0.6, zorder=0)
        ax.axvline(float(values.mean()), color=style.finding, linewidth=1.2, linestyle="--", zorder=0)
        ax.set_xlabel(f"{join([short_label(contrast)], limit=2 * AXIS_LABEL)}, on each item")
        ax.locator_params(axis="x", nbins=5 if width < 5 else 8)
        order = np.argsort(values, kind="stable")
        ends = order if len(order) <= 2 * ENDS else np.concatenate([order[:ENDS], order[-ENDS:]])
        told = [f"{part.detail.items['item'][j]} {signed(float(values[j]))}" for j in ends.tolist()]
        return finish(ax.figure, f"{contrast['term']} item by item", _caption(record, part, contrast, values), told)


def _caption(record: Record, part: Part, contrast: Row, values: Floats) -> str:
    same = {**part.key, **contrast}
    findings = [
        f"Mean of all items {signed(row['effect'])}: {say_finding(record, row, verdict)}."
        for row, verdict in judge_terms(record)
        if all(row.get(key) == value for key, value in same.items())
    ]
    return join_sentences(
        [
            f"{short_label(contrast)}, on each of {count(len(values), 'item')}, "
            f"{scale(record.score_range, [part.detail.where.get('output')])}.",
            part.named,
            f"n: {count(len(part.detail.persons['person']), 'person')} on every item.",
            "Dashed: mean of all items.",
            *findings[:1],
        ]
    )


def effect_of(part: Part, term: str | None, level: str | None) -> int:
    """Position of an effect among the contrasts of a part.

    Raises
    ------
    OptionError
        If there is no such effect.
    ResultError
        If the part has none at all.
    """
    contrasts = part.detail.contrasts
    if not contrasts:
        raise ResultError(f"{part.named} No effect could be estimated, so there is nothing to draw")
    for r, contrast in enumerate(contrasts):
        if term in (None, contrast["term"]) and level in (None, contrast["level"]):
            return r
    known = ", ".join(f"{contrast['term']} {contrast['level']}" for contrast in contrasts[:12])
    raise OptionError(f"term {term!r}, level {level!r} is not in this part of the result; it has {known}")


def _groups(part: Part, by: str) -> tuple[list[str], Any]:
    labels = part.detail.items.get(by, ("",) * len(part.detail.items["item"]))
    names = list(dict.fromkeys(labels))
    # Items without an emotion come last, as they do in the corpus.
    names.sort(key=lambda name: name == "none")
    return names, np.array([names.index(own) for own in labels])


def _sorted(part: Part, values: Floats, style: Style, width: float) -> Any:
    names, group = _groups(part, "emotion")
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
    _name_ends(ax, part, values, order, 17 if width < 5 else 30)
    ax.set_yticks([])
    ax.set_ylim(-1.5, count_of + 0.5)
    ax.spines["left"].set_visible(False)
    return ax


def _name_ends(ax: Any, part: Part, values: Floats, order: Any, longest: int) -> None:
    """Name the items at both ends, in a column each above the axes, where nothing is drawn."""
    shown = min(NAMED, len(order) // 2)
    if not shown:
        return
    texts = [
        [label(part.detail.items["item"][j], longest) + f" {signed(float(values[j]))}" for j in chosen]
        for chosen in (order[::-1][:shown].tolist(), order[:shown].tolist())
    ]
    same: dict[str, Any] = {"transform": ax.transAxes, "fontsize": 7.5}
    ax.text(0.0, 1.01, "\n".join(["lowest", *texts[1]]), va="bottom", ha="left", **same)
    ax.text(1.0, 1.01, "\n".join(["highest", *texts[0]]), va="bottom", ha="right", **same)


def _strips(part: Part, values: Floats, by: str, style: Style, width: float) -> Any:
    names, group = _groups(part, by)
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
