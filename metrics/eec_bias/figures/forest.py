"""Effects with their intervals, what could not have been detected, and the margin that was stated."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.errors import ResultError
from eec_bias.figures.labels import join
from eec_bias.figures.page import WORDS, Page, opened
from eec_bias.figures.parts import choose_term, say_effect, say_finding, say_span, scale
from eec_bias.figures.style import Style, Theme, name_rows
from eec_bias.grouping import grouped
from eec_bias.result.frame import AnyRow, Row, leading
from eec_bias.result.numbers import level
from eec_bias.result.parts import pick, values_of
from eec_bias.result.record import Record
from eec_bias.result.verdict import Judged, Kind, Verdict, judge_terms, key_of
from eec_bias.result.words import label, p_name, say_no_unit, short_label

SHOWN = 60
"""Rows that fit one picture; of more, those with the largest effects are drawn."""

MARKS: dict[Kind, list[str]] = WORDS["marks"]
"""Marker of a verdict, and what the legend says; differences are filled, the others open."""


def forest(result: Any, *, term: str | None = None, theme: Theme = "light", width: float = 7.0, **where: Any) -> Any:
    """Draw effects with their intervals, one line per row of terms; with several systems one per system.

    A bar shows the effects found with less than 80 % power, dashed lines the margin of an equivalence test, a thick
    line its 90 % interval. Rows without an effect of their own say why.

    Parameters
    ----------
    result : Result or dict
        What was measured.
    term : str, optional
        One term only; with several systems by default the first.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches; below 5 labels stand above their lines.
    **where
        ``system``, ``task``, ``stratum``, ``output``, ``subset``: a part of the result.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such term or part.
    ResultError
        If it has nothing to draw.
    """
    with opened(result, theme, width) as page:
        record = page.record
        judged, selection = _choose(record, term, where)
        rows = [row for row, _ in judged]
        labels, shared = _labels(rows, 60)
        # About how wide labels are; two inches are left for what is drawn, and rows are told apart.
        labelled = 0.07 * max(map(len, labels))
        page.crowded = labelled > page.width - 2 or len(set(labels)) < len(labels)
        if page.narrow:
            labelled, (labels, shared) = 0.3, _labels(rows, max(57, int(14 * page.width)))
        inside = page.width - labelled
        ax = page.axes(1.1 + (0.48 if page.narrow else 0.28) * len(judged))
        margins, values = {key_of(row): row for row in record.equivalence}, []
        for y, (row, verdict) in enumerate(judged):
            finding = say_finding(record, judged[y])
            subject = ", ".join([*map(str, leading(row).values()), label(row)])
            if row["effect"] is None:
                words = textwrap.fill(finding, int(inside / 0.058))
                ax.text(0, y, words, va="center", ha="center", style="italic", fontsize=7.5, linespacing=0.95)
                values.append(f"{subject} {finding}")
            else:
                _line(ax, y, row, margins.get(key_of(row)), _mark(verdict, page.style), page)
                values.append(f"{subject} {say_effect(row)}, {finding}")
        _axes(ax, page)
        unit = scale(record, (row.get("output") for row in rows)) + say_no_unit(rows)
        # Flush right: long labels leave a narrow axis, and a text centred below it would be cut off.
        below = [*textwrap.wrap(shared, int(page.width / 0.07)), f"effect, {unit}"]
        ax.set_xlabel("\n".join(below), loc="right")
        # About .6 inches a number on the axis.
        ax.locator_params(axis="x", nbins=max(3, min(8, int(inside / 0.6))))
        ax.set_ylim(len(rows) - 0.4, -0.8 if page.narrow else -0.6)
        name_rows(ax, labels, narrow=page.narrow, above=0.22)
        page.legend(_legend(judged, page))
        deciding = p_name(record) if any(verdict.adjusted for _, verdict in judged) else "p"
        said = {"rows": rows, "unit": unit, "selection": selection, "sizes": _sizes(rows), "p": deciding}
        return page.finish("forest", values, **said)


def _choose(record: Record, term: str | None, where: Mapping[str, Any]) -> tuple[list[Judged], str]:
    """Rows to draw from top to bottom, and what was chosen of them."""
    judged = pick(judge_terms(record), where, "terms")
    if not judged:
        raise ResultError("the result has no terms, so there is nothing to draw")
    if term is not None or len({(row.get("system"), row.get("task")) for row, _ in judged}) > 1:
        judged = choose_term(judged, term)
    selection = ""
    if len(judged) > SHOWN and where.get("subset") is None:
        subsets = values_of(judged, "subset")
        judged = [each for each in judged if each.row["subset"] == subsets[0]]
        selection = f"Subset {subsets[0]}, the first of {len(subsets)}. " if len(subsets) > 1 else ""
    if len(judged) > SHOWN:
        largest = sorted(range(len(judged)), key=lambda i: -abs(judged[i].row["effect"] or 0))[:SHOWN]
        selection += f"The {SHOWN} of {len(judged)} rows with the largest effects, in the order of the result."
        judged = [judged[i] for i in sorted(largest)]
    return judged, selection.strip()


def _line(ax: Any, y: int, row: AnyRow, margin: Row | None, mark: Mapping[str, Any], page: Page) -> None:
    if row["mde"] is not None:
        height = 0.3 if page.narrow else 0.56
        ax.barh(y, 2 * row["mde"], left=-row["mde"], height=height, color=page.style.ink, alpha=0.16, linewidth=0)
    for source, low, high, thick in ((row, "ci_low", "ci_high", 1.4), (margin, "ci90_low", "ci90_high", 3.4)):
        if source is not None and source[low] is not None:
            ax.plot([source[low], source[high]], [y, y], color=mark["color"], linewidth=thick, solid_capstyle="butt")
    ax.plot([row["effect"]], [y], **mark)


def _mark(verdict: Verdict, style: Style) -> dict[str, Any]:
    # Open markers, so that the difference shows without colour as well.
    colour = style.finding if verdict.found else style.ink
    face = colour if verdict.found else style.inside
    return {"marker": MARKS[verdict.kind][0], "color": colour, "markerfacecolor": face, "markersize": 5.5}


def _labels(rows: Sequence[AnyRow], limit: int) -> tuple[list[str], str]:
    """What stands before each line, and what all lines share, which stands below the axis."""
    names = [f"{short_label(row)} ({row['subset']})" for row in rows]
    places = [leading(row) for row in rows]
    if len(rows) > 1 and len(set(names)) == 1 and all(places):
        return [join(parts.values(), limit=40) for parts in places], join([names[0]], limit=limit)
    several = {key for parts in places for key in parts if parts[key] != places[0][key] or len(rows) == 1}
    common = [value for key, value in places[0].items() if key not in several]
    labels = []
    for parts, name in zip(places, names, strict=True):
        place = [join([part], limit=24) for key, part in parts.items() if key in several]
        room = max(limit - sum(len(part) + 3 for part in place), 24)
        labels.append(" · ".join([*place, join([name], limit=room)]))
    return labels, join(common, limit=40)


def _axes(ax: Any, page: Page) -> None:
    """Draw the lines of no effect and of the margin, and limit the axis to what is drawn."""
    low, high = page.record.score_range
    page.zero(ax)
    for margin in {row["margin"] for row in page.record.equivalence}:
        for side in (-margin, margin):
            ax.axvline(side, color=page.style.ink, linewidth=0.9, linestyle="--", zorder=0)
    widest = max((abs(x) for x in ax.dataLim.intervalx if abs(x) < float("inf")), default=0.0)
    # Any scale, but not rounding noise.
    reach = 1.04 * widest if widest > 1e-9 * (high - low) else 0.005 * (high - low)
    ax.set_xlim(-reach, reach)


def _legend(judged: Sequence[Judged], page: Page) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    ink = page.style.ink
    drawn = [(row, verdict) for row, verdict in judged if row["effect"] is not None]
    present = {verdict.kind: verdict for _, verdict in drawn}
    handles: list[Any] = []
    for kind in filter(present.get, MARKS):
        words = MARKS[kind][1].format(
            p=p_name(page.record) if present[kind].adjusted else "p", alpha=level(page.record.alpha)
        )
        line = "-" if kind in ("difference", "not_detectable") else ""
        handles.append(Line2D([], [], label=words, linestyle=line, **_mark(present[kind], page.style)))
    if any(row["mde"] is not None for row, _ in drawn):
        handles.append(Patch(color=ink, alpha=0.16, linewidth=0, label="found with less than 80 % power"))
    if page.record.equivalence:
        handles.append(Line2D([], [], color=ink, linestyle="--", linewidth=0.9, label="margin stated"))
    return handles


def _sizes(rows: Sequence[AnyRow]) -> list[str]:
    """Say n, per subset."""
    by_subset = []
    for subset, subset_rows in grouped((row["subset"], row) for row in rows).items():
        sizes = {"persons" if subset == "names" else "rows": "n_persons", "items": "n_items"}
        counts = {unit: [row[key] for row in subset_rows if row[key] is not None] for unit, key in sizes.items()}
        if factors := [f"{say_span(numbers)} {unit}" for unit, numbers in counts.items() if numbers]:
            by_subset.append(f"{subset}: {' × '.join(factors)}")
    return by_subset
