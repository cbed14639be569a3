"""Differences of many systems as boxes, best system first: Figures 1 and 2 of Kiritchenko & Mohammad (2018)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures.reading import WHERE, View, count, detected, pick, scale, sentence, view
from eec_bias.figures.style import Style, Theme, finish, join, label, new_figure, styled
from eec_bias.methods.published import plain
from eec_bias.options import Floats
from eec_bias.result.frame import Row
from eec_bias.result.numbers import signed

PER_ROW = 60
"""Systems side by side; more go on in the next panel."""

GROUPS = ("up", "down", "none")
MARKS = {"up": "^", "down": "v", "none": "o"}
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

    With ``method="kiritchenko2018"`` Δ is taken on every sentence pair, otherwise it is the difference of the
    groups' means on each item. Triangles mark systems whose difference was detected, upwards where the level
    scores higher. Each task has panels of its own.

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
        If it was saved without details.
    """
    seen = view(result)
    boxes = _published(seen, term, where) if seen.method == "kiritchenko2018" else _boxes(seen, term, level, where)
    panels = _panels(boxes, accuracy, PER_ROW if width >= 5 else 24)
    with styled(theme) as style:
        longest = max(len(label(_name(box), 24)) for box in boxes)
        figure = new_figure(style, width, 0.7 + (1.9 + 0.062 * longest) * len(panels))
        for ax, (title, own, slots) in zip(
            figure.subplots(len(panels), squeeze=False, sharey=True)[:, 0], panels, strict=True
        ):
            draw_boxes(ax, own, style, slots)
            ax.set_title(title)
        _legend(figure, boxes, style, narrow=width < 5)
        figure.supylabel(f"Δ: {join([boxes[0]['level'], boxes[0]['reference']], ' – ', 20)}", fontsize=9)
        values = [f"{_name(box)} median {signed(box['median'])}, {_told(box)}" for box in boxes]
        title = f"Differences on {boxes[0]['term']} by system"
        return finish(figure, title, _caption(seen, boxes, accuracy), values)


def _published(seen: View, term: str | None, where: Mapping[str, Any]) -> list[Row]:
    """Boxes that the procedure of the 2018 paper described."""
    if seen.study is None:
        raise ResultError(
            "figure 'systems' needs the study of the procedure, which this result does not hold; save it with "
            "to_dict(details=True)"
        )
    rows = pick([dict(row) for row in seen.study["details"]], where, "differences")
    named = _term(rows, term)
    subset = where.get("subset") or named[0]["subset"]
    return [row for row in named if row["subset"] == subset]


def _term(rows: Sequence[Row], term: str | None) -> list[Row]:
    chosen = [row for row in rows if row["term"] == (term or rows[0]["term"])]
    if not chosen:
        raise OptionError(
            f"term={term!r} is not in the result; its terms are {', '.join(dict.fromkeys(row['term'] for row in rows))}"
        )
    return chosen


def _boxes(seen: View, term: str | None, level: str | None, where: Mapping[str, Any]) -> list[Row]:
    """One box per system of a result of the default method."""
    if not seen.details:
        raise ResultError(
            "figure 'systems' needs details, which this result does not hold; save it with to_dict(details=True), or "
            "measure the scores with the default method or method='kiritchenko2018'"
        )
    # Rows of terms are the index of what there is: they carry part, term, level and p.
    rows = [row for row in pick(seen.terms, where, "differences") if row["effect"] is not None]
    if not rows:
        raise ResultError("no effect could be estimated, so there is nothing to draw")
    rows = _term(rows, term)
    first = next((row for row in rows if level in (None, row["level"])), None)
    if first is None:
        known = ", ".join(dict.fromkeys(row["level"] for row in rows))
        raise OptionError(f"level={level!r} is not in the result; {rows[0]['term']} has {known}")
    keys = ("level", "reference", "subset", "stratum", "output")
    rows = [row for row in rows if all(row.get(key) == first.get(key) for key in keys)]
    return [_box(seen, row) for row in rows]


def _box(seen: View, row: Row) -> Row:
    for detail in seen.details:
        if detail.subset != row["subset"] or any(row.get(key) != value for key, value in detail.where.items()):
            continue
        for s, who in enumerate(detail.systems):
            if any(row.get(key) != value for key, value in who.items()):
                continue
            for r, contrast in enumerate(detail.contrasts):
                if all(row[key] == value for key, value in contrast.items()):
                    group = "none" if not detected(row) else "up" if row["effect"] > 0 else "down"
                    kept = {key: row[key] for key in (*WHERE, "term", "level", "reference") if key in row}
                    return {**kept, "group": group, **_quartiles(detail.item_effects[s, r])}
    raise ResultError(f"the details of the result do not hold {row['term']} {row['level']} of {_name(row)}")


def _quartiles(delta: Floats) -> Row:
    q1, median, q3 = np.quantile(delta, [0.25, 0.5, 0.75])
    inside = delta[(delta >= q1 - 1.5 * (q3 - q1)) & (delta <= q3 + 1.5 * (q3 - q1))]
    numbers = (delta.min(), inside.min(), q1, median, q3, inside.max(), delta.max(), delta.mean())
    return {"pairs": delta.size} | {key: plain(value) for key, value in zip(NUMBERS, numbers, strict=True)}


def _name(row: Mapping[str, Any]) -> str:
    return str(row.get("system", "scores"))


def _ordered(boxes: Sequence[Row], accuracy: Mapping[str, float] | None) -> list[Row]:
    if accuracy is None:
        return list(boxes)
    lost = [_name(box) for box in boxes if _name(box) not in accuracy]
    if lost:
        raise OptionError(
            f"accuracy has no value for the system {lost[0]!r} ({count(len(lost), 'such system')} of {len(boxes)}); "
            "give one number per system"
        )
    return sorted(boxes, key=lambda box: -accuracy[_name(box)])


def _panels(boxes: Sequence[Row], accuracy: Mapping[str, float] | None, most: int) -> list[tuple[str, list[Row], int]]:
    """Title, boxes and number of places of each panel: tasks apart, and no panel too full."""
    tasks: dict[Any, list[Row]] = {}
    for box in boxes:
        tasks.setdefault(box.get("task"), []).append(box)
    found = []
    for task, given in tasks.items():
        own = _ordered(given, accuracy)
        pieces = -(-len(own) // most)
        size = -(-len(own) // pieces)
        for start in range(0, len(own), size):
            named = "" if task is None else label(task, 30)
            if pieces > 1:
                named += f"{', ' if named else ''}systems {start + 1} to {min(start + size, len(own))} of {len(own)}"
            found.append((named, own[start : start + size], size))
    return found


def draw_boxes(ax: Any, boxes: Sequence[Row], style: Style, slots: int | None = None) -> None:
    """Draw one box per row of numbers.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    boxes : sequence of dict
        With `NUMBERS`, ``group`` and ``system``.
    style : Style
        Of the theme.
    slots : int, optional
        Places side by side, so that panels of one figure have boxes of one width.
    """
    places = np.arange(len(boxes))
    columns = {key: np.array([box[key] for box in boxes], dtype=float) for key in NUMBERS}
    ax.axhline(0, color=style.ink, linewidth=0.7, alpha=0.6, zorder=0)
    ax.vlines(places, columns["whisker_low"], columns["q1"], color=style.ink, linewidth=0.7)
    ax.vlines(places, columns["q3"], columns["whisker_high"], color=style.ink, linewidth=0.7)
    ax.bar(places, columns["q3"] - columns["q1"], 0.66, bottom=columns["q1"], color=style.ink, alpha=0.22, linewidth=0)
    ax.hlines(columns["median"], places - 0.33, places + 0.33, color=style.ink, linewidth=1.1)
    size = 4.2 if len(boxes) <= 30 else 2.8
    for group, colour in _colours(style).items():
        own = np.array([box["group"] == group for box in boxes])
        if own.any():
            for key in ("minimum", "mean", "maximum"):
                ax.plot(
                    places[own], columns[key][own], linestyle="", marker=MARKS[group], markersize=size, color=colour
                )
    # Else bars would end the axis, and marks be cut in half.
    ax.use_sticky_edges = False
    ax.margins(y=0.08)
    ax.set_xlim(-0.7, (slots or len(boxes)) - 0.3)
    names = [join([_name(box)], limit=24) for box in boxes]
    small = len(boxes) > 30
    short = len(boxes) <= 8 and max(map(len, names)) <= 40 // len(boxes)
    ax.set_xticks(places, names, rotation=0 if short else 90, fontsize=5.6 if small else 8)
    ax.tick_params(axis="x", length=0)
    ax.locator_params(axis="y", nbins=5)


def _colours(style: Style) -> dict[str, str]:
    return {"up": style.colours[1], "down": style.colours[0], "none": style.colours[2]}


def _told(box: Mapping[str, Any]) -> str:
    return {"up": "higher", "down": "lower", "none": "no detectable difference"}[box["group"]]


def _legend(figure: Any, boxes: Sequence[Row], style: Style, *, narrow: bool) -> None:
    from matplotlib.lines import Line2D

    level = label(boxes[0]["level"], 20)
    words = {"up": f"{level} higher", "down": f"{level} lower", "none": "no detectable difference"}
    present = {box["group"] for box in boxes}
    handles = [
        Line2D([], [], linestyle="", marker=MARKS[group], color=colour, label=words[group])
        for group, colour in _colours(style).items()
        if group in present
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=1 if narrow else 3)


def _caption(seen: View, boxes: Sequence[Row], accuracy: Mapping[str, float] | None) -> str:
    first, pairs = boxes[0], sorted({box["pairs"] for box in boxes})
    each = f"{pairs[0]:,}" if len(pairs) == 1 else f"{pairs[0]:,} to {pairs[-1]:,}"
    published = seen.method == "kiritchenko2018"
    groups = {group: sum(box["group"] == group for box in boxes) for group in GROUPS}
    part = ", ".join(f"{key} {first[key]}" for key in ("stratum", "output", "subset") if first.get(key) is not None)
    unit = scale(seen.score_range, [first.get("output")])
    return sentence(
        [
            f"Δ of {first['term']}, {first['level']} minus {first['reference']}, of {count(len(boxes), 'system')} on "
            f"{each} {'sentence pairs' if published else 'items'} each ({part}), {unit}.",
            "Boxes: quartiles and median; whiskers: to the last within 1.5 interquartile ranges; marks: lowest, mean "
            "and highest Δ.",
            f"{groups['up']} higher, {groups['down']} lower, {groups['none']} without detectable difference (p "
            + ("of the paired t-test times the number of assessments, a test that is not size-controlled)."
               if published else "below .05, adjusted within each system)."),
            "Systems in the order of their accuracy, the best first."
            if accuracy is not None
            else "Systems in the order of the result.",
        ]
    )  # fmt: skip
