"""Differences of many systems as boxes, best system first: Figures 1 and 2 of Kiritchenko & Mohammad (2018)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, ResultError, expect
from eec_bias.figures.labels import LABEL, join, label
from eec_bias.figures.page import Page, opened
from eec_bias.figures.parts import choose_effect, rejects, say_test
from eec_bias.figures.style import Theme
from eec_bias.grouping import grouped
from eec_bias.options import is_number
from eec_bias.result.frame import AnyRow, Row
from eec_bias.result.numbers import counted, signed
from eec_bias.result.record import Record
from eec_bias.result.term import Term
from eec_bias.result.words import short_label

PAIRS = "kiritchenko2018"
"""The procedure that describes Δ of sentence pairs."""

PER_ROW = 60
"""Systems side by side; more go on in the next panel."""

MARKS = {"up": ("^", 1), "down": ("v", 0), "none": ("o", 2)}
"""Marker of what was found of a system, and the number of its colour."""

NUMBERS = ("minimum", "whisker_low", "q1", "median", "q3", "whisker_high", "maximum", "mean")


def systems(
    result: Any,
    *,
    term: str | None = None,
    level: str | None = None,
    accuracy: Mapping[str, float] | None = None,
    theme: Theme = "light",
    width: float = 7.0,
    **where: Any,
) -> Any:
    """Draw the score differences Δ of each system: quartiles, whiskers to 1.5 interquartile ranges, and the ends.

    It is a figure of the procedure ``kiritchenko2018``, which takes Δ on every sentence pair. Triangles mark systems
    that differ, upwards if the level scores higher. Each task has panels of its own.

    Parameters
    ----------
    result : Result or dict
        What was measured, with details.
    term, level : str, optional
        Which difference; by default the first.
    accuracy : mapping of system to float, optional
        Quality of each system on its task, by which they are ordered, the best first; by default the order of the
        result.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches.
    **where
        ``task``, ``stratum``, ``output``, ``subset``: which part.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such difference or part, or a system's accuracy is missing.
    ResultError
        If it is the result of another procedure, or was saved without details.
    """
    with opened(result, theme, width) as page:
        if page.record.method != PAIRS:
            raise ResultError(
                f"figure 'systems' belongs to the procedure {PAIRS}; this result comes from {page.record.method}"
            )
        boxes = [_box(page.record, each) for each in choose_effect(page.record, term, level, where)]
        panels = _panels(boxes, accuracy, 24 if page.narrow else PER_ROW)
        longest = max(len(label(_name(box), 24)) for box in boxes)
        height = 0.7 + (1.9 + 0.062 * longest) * len(panels)
        figure = page.start(height)
        axes = figure.subplots(len(panels), squeeze=False, sharey=True)[:, 0]
        for ax, (title, panel_boxes, slots) in zip(axes, panels, strict=True):
            _draw_boxes(ax, panel_boxes, page, slots)
            ax.set_title(title)
        page.legend(_legend(boxes, page))
        # About 14 letters an inch.
        figure.supylabel(f"Δ: {join([short_label(boxes[0])], limit=min(LABEL, int(14 * height) - 3))}", fontsize=9)
        values = [f"{_name(box)} median {signed(box['median'])}, {box['said']}" for box in boxes]
        return page.finish("systems", values, boxes=boxes, accuracy=accuracy)


def _box(record: Record, row: Term) -> Row:
    """Describe a row as a box, by its sentence pairs."""
    if not rejects(record, row):
        group, direction = "none", ""
    elif (row.effect or 0) > 0:
        group, direction = "up", "higher, "
    else:
        group, direction = "down", "lower, "
    said = {**row, "group": group, "said": f"{direction}{say_test(record, row)}"}
    study = {} if record.study is None else record.study.to_dict()
    for box in study.get("details", ()):
        if all(box.get(key) == row.get(key) for key in ("system", "task", "term", "subset")):
            return said | {key: box[key] for key in ("pairs", *NUMBERS)}
    raise ResultError(
        "figure 'systems' needs the details of the procedure, which this result does not contain; save it with its "
        "details"
    )


def _name(row: Mapping[str, Any]) -> str:
    return str(row.get("system", "scores"))


def _panels(
    boxes: Sequence[AnyRow], accuracy: Mapping[str, float] | None, most: int
) -> list[tuple[str, list[AnyRow], int]]:
    """Title, boxes and number of places of each panel: tasks apart, the best systems first, and no panel too full."""
    panels = []
    for task, ordered in grouped((box.get("task"), box) for box in boxes).items():
        if accuracy is not None:
            names = list(map(_name, ordered))
            if lost := [name for name in names if name not in accuracy]:
                raise OptionError(
                    f"accuracy has no value for the system {lost[0]!r} ({counted(len(lost), 'such system')} of "
                    f"{len(names)}); give one number per system"
                )
            for name in names:
                expect(is_number(accuracy[name]), f"accuracy of {name!r}", accuracy[name], "a finite number")
            ordered.sort(key=lambda box: -accuracy[_name(box)])
        size = -(-len(ordered) // -(-len(ordered) // most))
        for start in range(0, len(ordered), size):
            shown = ordered[start : start + size]
            which = f"systems {start + 1} to {start + len(shown)} of {len(ordered)}" if len(ordered) > size else ""
            title = ", ".join(filter(None, ["" if task is None else label(task, 30), which]))
            panels.append((title, shown, size))
    return panels


def _draw_boxes(ax: Any, boxes: Sequence[AnyRow], page: Page, slots: int) -> None:
    """Draw one box per system on so many places side by side, so that panels of a figure have boxes of one width."""
    places, ink, small = np.arange(len(boxes)), page.style.ink, len(boxes) > 30
    columns = {key: np.array([box[key] for box in boxes], dtype=float) for key in NUMBERS}
    ax.axhline(0, color=ink, linewidth=0.7, alpha=0.6, zorder=0)
    for low, high in (("whisker_low", "q1"), ("q3", "whisker_high")):
        ax.vlines(places, columns[low], columns[high], color=ink, linewidth=0.7)
    ax.bar(places, columns["q3"] - columns["q1"], 0.66, bottom=columns["q1"], color=ink, alpha=0.22, linewidth=0)
    ax.hlines(columns["median"], places - 0.33, places + 0.33, color=ink, linewidth=1.1)
    for group in dict.fromkeys(box["group"] for box in boxes):
        members = np.array([box["group"] == group for box in boxes])
        for key in ("minimum", "mean", "maximum"):
            ax.plot(places[members], columns[key][members], **_mark(group, page), markersize=2.8 if small else 4.2)
    # Else bars would end the axis, and marks be cut in half.
    ax.use_sticky_edges = False
    ax.margins(y=0.08)
    ax.set_xlim(-0.7, slots - 0.3)
    names = [join([_name(box)], limit=24) for box in boxes]
    short = len(boxes) <= 8 and max(map(len, names)) <= 40 // len(boxes)
    ax.set_xticks(places, names, rotation=0 if short else 90, fontsize=5.6 if small else 8)
    ax.tick_params(axis="x", length=0)
    ax.locator_params(axis="y", nbins=5)


def _mark(group: str, page: Page) -> dict[str, Any]:
    marker, colour = MARKS[group]
    return {"linestyle": "", "marker": marker, "color": page.style.colours[colour]}


def _legend(boxes: Sequence[AnyRow], page: Page) -> list[Any]:
    from matplotlib.lines import Line2D

    level = label(boxes[0]["level"], 20)
    words = {"up": f"{level} higher", "down": f"{level} lower", "none": "no difference found"}
    present = {box["group"] for box in boxes}
    return [Line2D([], [], **_mark(group, page), label=words[group]) for group in MARKS if group in present]
