"""Differences item by item: whether an effect is the same on all sentences or made by a few."""

from typing import Any, Literal, get_args

import numpy as np

from eec_bias.errors import ResultError
from eec_bias.figures.labels import join, label
from eec_bias.figures.page import Page, opened
from eec_bias.figures.parts import choose_effect, find_contrast, say_finding
from eec_bias.figures.style import Theme
from eec_bias.options import Floats, Ints, one_of
from eec_bias.result.details import Detail
from eec_bias.result.numbers import counted, signed
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
    with opened(result, theme, width) as page:
        (judged, *_), part_name = choose_effect(page.record, term, level, where)
        detail, values = find_contrast(page.record, judged.row, "items")
        one_of("by", by, get_args(By))
        if by != "size" and by not in detail.items:
            raise ResultError(f"the data measured had no column {by!r}; draw the items by 'size'")
        order = np.argsort(values, kind="stable")
        ax = _sorted(detail, values, order, page) if by == "size" else _strips(detail, by, values, page)
        page.zero(ax)
        ax.axvline(float(values.mean()), color=page.style.finding, linewidth=1.2, linestyle="--", zorder=0)
        letters = int(12 * page.width)
        name = join([short_label(judged.row)], limit=min(68, letters))
        between = " " if len(name) + 14 <= letters else "\n"
        ax.set_xlabel(f"{name},{between}on each item")
        ax.locator_params(axis="x", nbins=5 if page.narrow else 8)
        ax.spines["left"].set_visible(False)
        ends = order if len(order) <= 2 * ENDS else np.concatenate([order[:ENDS], order[-ENDS:]])
        told = [f"{detail.items['item'][j]} {signed(float(values[j]))}" for j in ends.tolist()]
        finding = say_finding(page.record, judged)
        persons = judged.row["n_persons"] or len(detail.persons["person"])
        page.verdict(f"{finding} · {counted(persons, 'person')}, {counted(len(values), 'item')}")
        return page.finish("items", told, row=judged.row, detail=detail, part=part_name, finding=finding)


def _groups(detail: Detail, by: str) -> tuple[list[str], Any]:
    labels = detail.items.get(by, ("",) * len(detail.items["item"]))
    # Items without an emotion come last, as they do in the corpus.
    names = sorted(dict.fromkeys(labels), key=lambda name: name == "none")
    return names, np.array([names.index(item_label) for item_label in labels])


def _sorted(detail: Detail, values: Floats, order: Ints, page: Page) -> Any:
    """Draw items by size; those at both ends are named in a column each above the axes, where nothing is drawn."""
    names, group = _groups(detail, "emotion")
    ax = page.axes(min(2.9 + 0.022 * len(values), 9))
    rank = np.argsort(order)
    for g, name in enumerate(names):
        members = group == g
        text = label(name, 20) or "items"
        ax.plot(values[members], rank[members], **page.style.look(g), linestyle="", markersize=3.6, label=text)
    if len(names) > 1:
        page.figure.legend(loc="outside lower center", ncols=3 if page.narrow else 6)
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    # Equal differences still have an axis around them.
    room = 0.04 * (high - low) or 0.01
    ax.set_xlim(low - room, high + room)
    ax.set_ylim(-1.5, len(values) + 0.5)
    ax.set_yticks([])
    named, longest = min(NAMED, len(order) // 2), 17 if page.narrow else 30
    for x, side, heading, ordered in ((0.0, "left", "lowest", order), (1.0, "right", "highest", order[::-1])):
        texts = [f"{label(detail.items['item'][j], longest)} {signed(float(values[j]))}" for j in ordered[:named]]
        if texts:
            text = "\n".join([heading, *texts])
            ax.text(x, 1.01, text, va="bottom", ha=side, transform=ax.transAxes, fontsize=7.5)
    return ax


def _strips(detail: Detail, by: str, values: Floats, page: Page) -> Any:
    names, group = _groups(detail, by)
    ax = page.axes(1.1 + 0.42 * len(names))
    texts = []
    for g, name in enumerate(names):
        strip_values = np.sort(values[group == g])
        # Stacked in a fixed pattern: the same figure each time.
        offsets = np.resize([0.0, 0.11, -0.11, 0.2, -0.2], len(strip_values))
        ax.plot(strip_values, g + offsets, **page.style.look(g), linestyle="", markersize=4, alpha=0.75)
        ax.plot([strip_values.mean()], [g], marker="|", markersize=16, markeredgewidth=2, color=page.style.ink)
        texts.append(f"{join([name or 'no label'], limit=24)} ({len(strip_values)})")
    ax.set_yticks(range(len(names)), texts)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    return ax
