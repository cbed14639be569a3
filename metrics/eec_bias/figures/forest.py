"""Gaps with their ranges, each with the answer that the page gives, and the margin that was stated."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from eec_bias.errors import ResultError
from eec_bias.figures.labels import join
from eec_bias.figures.page import WORDS, Page, opened
from eec_bias.figures.parts import choose_term, rejects, say_effect, say_span, say_test, scale
from eec_bias.figures.style import Style, Theme, name_rows
from eec_bias.grouping import grouped
from eec_bias.result.finding import POINTS, Finding, find
from eec_bias.result.frame import AnyRow, compares, leading
from eec_bias.result.numbers import counted, percent
from eec_bias.result.parts import pick, values_of
from eec_bias.result.record import Record
from eec_bias.result.tables import rows_as_shown
from eec_bias.result.term import Term
from eec_bias.result.words import interval_name, label, p_name, say_no_unit, short_label
from eec_datasets.report.surfaces import FigureRow, figure_rows

SHOWN = 60
"""Rows that fit one picture; of more, those with the largest effects are drawn."""

LETTER = 0.07
"""Inches that a letter of a label is about wide."""

SMALL = 0.75
"""Size of the letters of an answer, in those of a label."""

ROOM = 1.8
"""Inches that are left for what is drawn."""

MARKS: dict[str, list[str]] = WORDS["marks"]
"""Marker, its line, and what the legend says of findings and of rows of a procedure; what was found is filled."""

Each = TypeVar("Each")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the picture: a finding, or a row of a published procedure.

    Attributes
    ----------
    row : Term
        The row behind it.
    name : str
        What stands before it.
    gap, low, high : float, optional
        What is drawn, in the units of the axis.
    mark : str
        One of `MARKS`.
    answer : str
        What is written next to it.
    said : str
        What the text alternative says of it.
    sides : (str, str)
        The groups that score higher on the left and on the right; empty of a procedure.
    """

    row: Term
    name: str
    gap: float | None
    low: float | None
    high: float | None
    mark: str
    answer: str
    said: str
    sides: tuple[str, str] = ("", "")


def forest(result: Any, *, term: str | None = None, theme: Theme = "light", width: float = 7.0, **where: Any) -> Any:
    """Draw the findings, one line each, with the range that their answer is read off; of several systems one term.

    Upright dashed lines are the margin that was stated. Of a published procedure the rows are drawn, with intervals of
    their own.

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
        lines, selection = _choose(record, term, where)
        rows = [line.row for line in lines]
        labels, shared = _labels(lines, 60)
        # About how wide labels and answers are; rows are told apart in any case.
        labelled = LETTER * (max(map(len, labels)) + SMALL * max(len(line.answer) for line in lines))
        page.crowded = labelled > page.width - ROOM or len(set(labels)) < len(labels)
        if page.narrow:
            labelled, (labels, shared) = 0.3, _labels(lines, max(57, int(14 * page.width)))
            labels = [_below(text, line.answer) for text, line in zip(labels, lines, strict=True)]
        inside = page.width - labelled
        ax = page.axes(1.3 + (0.6 if page.narrow else 0.28) * len(lines))
        values = []
        for y, line in enumerate(lines):
            _draw(ax, y, line, page, inside)
            subject = ", ".join([*map(str, leading(line.row).values()), label(line.row)])
            values.append(f"{subject} {line.said}")
        _axes(ax, page, lines)
        unit, of_axis = _unit(record, lines)
        # Flush right: long labels leave a narrow axis, and a text centred below it would be cut off.
        wide = int(page.width / (1.1 * LETTER))
        below = [*textwrap.wrap(shared, wide), *_direction(lines, wide), *textwrap.wrap(f"{of_axis}{unit}", wide)]
        ax.set_xlabel("\n".join(below), loc="right")
        # About .6 inches a number on the axis.
        ax.locator_params(axis="x", nbins=max(3, min(8, int(inside / 0.6))))
        ax.set_ylim(len(lines) - 0.4, -0.9 if page.narrow else -0.6)
        name_rows(ax, labels, narrow=page.narrow, above=0.2)
        page.legend(_legend(lines, page))
        said = {"rows": rows, "unit": unit, "selection": selection, "sizes": _sizes(rows)}
        return page.finish("forest", values, **said, intervals=_intervals(record))


def _choose(record: Record, term: str | None, where: Mapping[str, Any]) -> tuple[list[Line], str]:
    """Choose the lines to draw from top to bottom, and say what was chosen."""
    if record.plan is not None:
        chosen, selection = _choose_findings(pick(find(record), where, "terms"), term)
        return list(map(_of_finding, chosen, figure_rows(record, chosen))), selection
    rows = pick(rows_as_shown(record), where, "terms")
    if not rows:
        raise ResultError("the result has no terms, so there is nothing to draw")
    if term is not None or len({(row.system, row.task) for row in rows}) > 1:
        rows = choose_term(rows, term)
    selection = ""
    if len(rows) > SHOWN and where.get("subset") is None:
        subsets = values_of(rows, "subset")
        rows = [row for row in rows if row.subset == subsets[0]]
        selection = f"Subset {subsets[0]}, the first of {len(subsets)}. " if len(subsets) > 1 else ""
    if len(rows) > SHOWN:
        selection += (
            f"The figure shows the {SHOWN} of {len(rows)} rows with the largest effects, in the order of the result."
        )
        rows = _largest(rows, [abs(row.effect or 0) for row in rows])
    return [_of_row(record, row) for row in rows], selection.strip()


def _choose_findings(findings: Sequence[Finding], term: str | None) -> tuple[list[Finding], str]:
    """Choose the findings to draw, in the order of the result, and say what was chosen."""
    if not findings:
        raise ResultError("the result has no findings, so there is nothing to draw")
    if term is not None or len({(finding.system, finding.task) for finding in findings}) > 1:
        findings = choose_term(findings, term)
    if len(findings) <= SHOWN:
        return list(findings), ""
    sizes = [(finding.found, abs(finding.points or 0)) for finding in findings]
    return _largest(
        findings, sizes
    ), f"The figure shows the {SHOWN} of {len(findings)} comparisons with the largest gaps, with found gaps first."


def _largest(rows: Sequence[Each], sizes: Sequence[Any]) -> list[Each]:
    """Return the largest rows that fit one picture, in their order."""
    kept = sorted(range(len(rows)), key=lambda i: sizes[i], reverse=True)[:SHOWN]
    return [rows[i] for i in sorted(kept)]


def _of_finding(finding: Finding, told: FigureRow) -> Line:
    mark = "throughout" if finding.throughout else told.mark
    n = "" if finding.n_persons is None else f" · n {finding.n_persons:,}"
    return Line(
        row=finding.row,
        name=told.question,
        gap=told.gap,
        low=told.low,
        high=told.high,
        mark=mark,
        answer=f"{told.brief}{n}",
        said=told.answer,
        sides=told.sides,
    )


def _of_row(record: Record, row: Term) -> Line:
    mark = "found" if rejects(record, row) else "none"
    if row.effect is None or row.p is None or not compares(row):
        mark = "described"
    said = say_test(record, row)
    return Line(
        row=row,
        name=f"{short_label(row)} ({row.subset})",
        gap=row.effect,
        low=row.ci_low,
        high=row.ci_high,
        mark=mark,
        answer="",
        said=said if row.effect is None else f"{say_effect(row)}, {said}",
    )


def _draw(ax: Any, y: int, line: Line, page: Page, inside: float) -> None:
    """Draw one line, and write what was found beside it; narrow pictures have that below the name."""
    if line.gap is None:
        words = textwrap.fill(line.answer or line.said, max(int(inside / 0.058), 12))
        ax.text(0, y, words, va="center", ha="center", style="italic", fontsize=7.5, linespacing=0.95)
        return
    mark = _mark(line.mark, page.style)
    if line.low is not None and line.high is not None:
        look = {"color": mark["color"], "linewidth": 1.4, "linestyle": MARKS[line.mark][1] or "-"}
        ax.plot([line.low, line.high], [y, y], **look, solid_capstyle="butt")
    ax.plot([line.gap], [y], **mark)
    if line.answer and not page.narrow:
        place = ax.get_yaxis_transform()
        ax.text(1.02, y, line.answer, transform=place, va="center", ha="left", fontsize=7.5, color=mark["color"])


def _mark(mark: str, style: Style) -> dict[str, Any]:
    # Open markers, so that the difference shows without colour as well.
    found = mark in ("found", "throughout")
    colour = style.finding if found else style.ink
    face = colour if found else style.inside
    return {"marker": MARKS[mark][0], "color": colour, "markerfacecolor": face, "markersize": 5.5}


def _labels(lines: Sequence[Line], limit: int) -> tuple[list[str], str]:
    """Return what stands before each line, and what all lines share, which stands below the axis."""
    names = [line.name for line in lines]
    places = [leading(line.row) for line in lines]
    if len(lines) > 1 and len(set(names)) == 1 and all(places):
        return [join(parts.values(), limit=40) for parts in places], join([names[0]], limit=limit)
    several = {key for parts in places for key in parts if parts[key] != places[0][key] or len(lines) == 1}
    common = [value for key, value in places[0].items() if key not in several]
    labels = []
    for parts, line_name in zip(places, names, strict=True):
        place = [join([part], limit=24) for key, part in parts.items() if key in several]
        room = max(limit - sum(len(part) + 3 for part in place), 24)
        labels.append(" · ".join([*place, join([line_name], limit=room)]))
    return labels, join(common, limit=40)


def _below(text: str, answer: str) -> str:
    """Put the answer of a line below its name."""
    return f"{text}\n{answer}" if answer else text


def _direction(lines: Sequence[Line], wide: int) -> list[str]:
    """Say who scores higher on either side of 0."""
    sides = {line.sides for line in lines}
    if sides == {("", "")}:
        return []
    if len(sides) == 1:
        ((left, right),) = sides
        named = f"← {join([left], limit=24)} higher  |  {join([right], limit=24)} higher →"
        if len(named) <= wide:
            return [named]
    return ["← second group higher  |  first group higher →"]


def _unit(record: Record, lines: Sequence[Line]) -> tuple[str, str]:
    """Return the unit of what is drawn, and what stands before it below the axis."""
    outputs = [line.row.output for line in lines]
    if record.plan is None:
        return f"{scale(record, outputs)}{say_no_unit([line.row for line in lines])}", "effect, "
    if record.facts.score_range is None:
        return scale(record, outputs), "gap "
    low, high = record.facts.score_range
    scores = f"scores from {low:g} to {high:g}"
    shown = {"sentences" if str(output).startswith("rate[") else scores for output in outputs}
    return f"in points of 100 ({' and '.join(sorted(shown))})", "gap "


def _axes(ax: Any, page: Page, lines: Sequence[Line]) -> None:
    """Draw the lines of no gap and of the margin, and limit the axis to what is drawn."""
    low, high = page.record.score_range
    plan = page.record.plan
    page.zero(ax)
    if plan is not None and plan.margin is not None:
        for end in (-plan.margin, plan.margin):
            ax.plot([end, end], [-0.5, len(lines) - 0.5], color=page.style.ink, linewidth=0.9, linestyle="--", zorder=0)
    widest = max((abs(x) for x in ax.dataLim.intervalx if abs(x) < float("inf")), default=0.0)
    whole = high - low if plan is None else POINTS
    # Any scale, but not rounding noise.
    reach = 1.04 * widest if widest > 1e-9 * whole else 0.005 * whole
    ax.set_xlim(-reach, reach)


def _intervals(record: Record) -> str:
    """Name the intervals that are drawn."""
    if record.plan is None:
        return f"{interval_name(record)}s"
    count = counted(len(record.plan.main), "comparison")
    return f"{percent(record.plan.confidence)} ranges that allow for {count}"


def _legend(lines: Sequence[Line], page: Page) -> list[Any]:
    from matplotlib.lines import Line2D

    plan = page.record.plan
    present = {line.mark for line in lines if line.gap is not None}
    handles: list[Any] = []
    for mark in (each for each in MARKS if each in present):
        _, drawn, of_finding, of_row = MARKS[mark]
        words = of_row.format(p=p_name(page.record)) if plan is None else of_finding
        handles.append(Line2D([], [], label=words, linestyle=drawn, **_mark(mark, page.style)))
    if plan is not None and plan.margin is not None:
        handles.append(Line2D([], [], color=page.style.ink, linestyle="--", linewidth=0.9, label="margin stated"))
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
