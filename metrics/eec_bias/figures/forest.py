"""Gaps with the intervals of their findings, what could not have been found, and the margin that was stated."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from eec_bias.errors import ResultError
from eec_bias.figures.labels import join
from eec_bias.figures.page import WORDS, Page, opened
from eec_bias.figures.parts import choose_term, say_answer, say_effect, say_finding, say_span, scale, what_is_shown
from eec_bias.figures.style import Style, Theme, name_rows
from eec_bias.grouping import grouped
from eec_bias.result.brief import signed_points
from eec_bias.result.finding import Finding, find
from eec_bias.result.frame import AnyRow, leading
from eec_bias.result.numbers import counted, percent
from eec_bias.result.parts import pick, values_of
from eec_bias.result.plan import Plan
from eec_bias.result.record import Record
from eec_bias.result.telling import POINTS, answer, name
from eec_bias.result.told import by_plan, tell
from eec_bias.result.verdict import Judged, judge_terms
from eec_bias.result.words import interval_name, label, p_name, say_no_unit, short_label

SHOWN = 60
"""Rows that fit one picture; of more, those with the largest effects are drawn."""

LETTER = 0.07
"""Inches that a letter of a label is about wide."""

SMALL = 0.75
"""Size of the letters of an answer, in those of a label."""

ROOM = 1.8
"""Inches that are left for what is drawn."""

Mark = Literal["found", "not_found", "throughout", "none"]

MARKS: dict[Mark, list[str]] = WORDS["marks"]
"""Marker, and what the legend says; what was found is filled, the others are open."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the picture: a finding, or a row of a published procedure.

    Attributes
    ----------
    row : Term or dict
        The row behind it.
    name : str
        What stands before it.
    gap, low, high : float, optional
        What is drawn, in the units of the axis.
    band : float, optional
        Gaps within it would not have been found; None where one was found, or nothing is known.
    inner : (float, float), optional
        The interval of a test of equivalence, where that decided.
    margin : float, optional
        The margin that was stated.
    mark : str
        See `Mark`.
    answer : str
        What is written beside it.
    said : str
        What the text alternative says of it.
    """

    row: AnyRow
    name: str
    gap: float | None
    low: float | None
    high: float | None
    band: float | None
    inner: tuple[float, float] | None
    margin: float | None
    mark: Mark
    answer: str
    said: str


def forest(result: Any, *, term: str | None = None, theme: Theme = "light", width: float = 7.0, **where: Any) -> Any:
    """Draw the findings, one line each, with the interval that their verdict is read off; of several systems one term.

    Where nothing was found a bar shows the gaps that would not have been, dashed lines the margin of an equivalence
    test, a thick line its 90 % interval. Of a published procedure its rows are drawn, with intervals of their own.

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
        unit, of_axis = _unit(record, rows)
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
        return page.finish("forest", values, **said, intervals=_intervals(record), bars=_banded(lines))


def _choose(record: Record, term: str | None, where: Mapping[str, Any]) -> tuple[list[Line], str]:
    """Lines to draw from top to bottom, and what was chosen of them."""
    if record.plan is not None:
        findings = by_plan(pick(find(record), where, "terms"), record.plan)
        chosen, selection = _choose_findings(findings, term, record.plan)
        return [_of_finding(record.plan, finding) for finding in chosen], selection
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
    return [_of_row(record, each) for each in judged], selection.strip()


def _choose_findings(findings: Sequence[Finding], term: str | None, plan: Plan) -> tuple[list[Finding], str]:
    """Findings to draw, in the order of the result, and what was chosen of them."""
    if not findings:
        raise ResultError("the result has no findings, so there is nothing to draw")
    if term is not None or len({(finding.system, finding.task) for finding in findings}) > 1:
        findings = choose_term(findings, term)
    count = len(findings)
    if count <= SHOWN:
        return list(findings), ""
    said = tell(findings, SHOWN).said[:SHOWN]
    largest = "with the largest gaps, each relative to the smallest gap that would have been found"
    return by_plan(said, plan), f"The {SHOWN} of {count} comparisons {largest}."


def _of_finding(plan: Plan, finding: Finding) -> Line:
    between = finding.points_between or (None, None)
    to_points = POINTS / finding.width
    unfound = not finding.found and finding.found_from is not None
    inner = None
    mark: Mark = "found" if finding.found else "not_found"
    if finding.verdict == "same_throughout":
        mark = "throughout"
    elif finding.verdict in ("no_reaction", "not_estimable", "unanswered"):
        mark = "none"
    n = "" if finding.n_persons is None else f" · n {finding.n_persons:,}"
    spread = "" if None in between else f" [{signed_points(between[0])}, {signed_points(between[1])}]"
    return Line(
        row=finding.row,
        name=str(name(finding.comparison)),
        gap=finding.points,
        low=between[0],
        high=between[1],
        band=to_points * finding.found_from if unfound and finding.found_from else None,
        inner=inner,
        margin=plan.margin,
        mark=mark,
        answer=f"{answer(finding, plan.margin)}{n}",
        said=f"{signed_points(finding.points)}{spread}, {say_answer(finding, plan)}",
    )


def _of_row(record: Record, judged: Judged) -> Line:
    row, verdict = judged
    mark: Mark = "found" if verdict.found else "not_found"
    if row.effect is None or verdict.kind in ("described", "no_reaction", "not_estimable"):
        mark = "none"
    elif verdict.kind == "same_difference":
        mark = "throughout"
    said = say_finding(record, judged)
    return Line(
        row=row,
        name=f"{short_label(row)} ({row.subset})",
        gap=row.effect,
        low=row.ci_low,
        high=row.ci_high,
        band=row.mde,
        inner=None,
        margin=None,
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
    if line.band is not None:
        height = 0.3 if page.narrow else 0.56
        ax.barh(y, 2 * line.band, left=-line.band, height=height, color=page.style.ink, alpha=0.16, linewidth=0)
    mark = _mark(line.mark, page.style)
    for ends, thick in (((line.low, line.high), 1.4), (line.inner or (None, None), 3.4)):
        if None not in ends:
            ax.plot(ends, [y, y], color=mark["color"], linewidth=thick, solid_capstyle="butt")
    ax.plot([line.gap], [y], **mark)
    if line.answer and not page.narrow:
        beside = ax.get_yaxis_transform()
        ax.text(1.02, y, line.answer, transform=beside, va="center", ha="left", fontsize=7.5, color=mark["color"])


def _mark(mark: Mark, style: Style) -> dict[str, Any]:
    # Open markers, so that the difference shows without colour as well.
    found = mark in ("found", "throughout")
    colour = style.finding if found else style.ink
    face = colour if found else style.inside
    return {"marker": MARKS[mark][0], "color": colour, "markerfacecolor": face, "markersize": 5.5}


def _labels(lines: Sequence[Line], limit: int) -> tuple[list[str], str]:
    """What stands before each line, and what all lines share, which stands below the axis."""
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
    """Say what lies on either side of 0."""
    if not lines[0].answer:
        return []
    simple = [line for line in lines if "+" not in str(line.row["axes"])]
    sides = {(line.row["reference"], line.row["level"]) for line in simple}
    if len(sides) == 1 and len(simple) == len(lines):
        ((second, first),) = sides
        named = f"← {join([second], limit=24)} higher  |  {join([first], limit=24)} higher →"
        if len(named) <= wide:
            return [named]
    return ["← second higher  |  first higher →"]


def _unit(record: Record, rows: Sequence[AnyRow]) -> tuple[str, str]:
    """The unit of what is drawn, and what stands before it below the axis."""
    outputs = [row.get("output") for row in rows]
    if record.plan is None:
        return f"{scale(record, outputs)}{say_no_unit(rows)}", "effect, "
    return f"in points out of {POINTS} ({what_is_shown(record, outputs)})", "gap "


def _axes(ax: Any, page: Page, lines: Sequence[Line]) -> None:
    """Draw the lines of no effect and of the margin, and limit the axis to what is drawn."""
    low, high = page.record.score_range
    page.zero(ax)
    look = {"color": page.style.ink, "linewidth": 0.9, "linestyle": "--", "zorder": 0}
    margins = {line.margin for line in lines}
    for y, line in enumerate(lines):
        if line.margin is None:
            continue
        # Rates have another width than scores, and with it a margin of another size in points.
        span = [y - 0.5, y + 0.5] if len(margins) > 1 else [-0.5, len(lines) - 0.5]
        for end in (-line.margin, line.margin) if len(margins) > 1 or y == 0 else ():
            ax.plot([end, end], span, **look)
    widest = max((abs(x) for x in ax.dataLim.intervalx if abs(x) < float("inf")), default=0.0)
    whole = high - low if page.record.plan is None else POINTS
    # Any scale, but not rounding noise.
    reach = 1.04 * widest if widest > 1e-9 * whole else 0.005 * whole
    ax.set_xlim(-reach, reach)


def _banded(lines: Sequence[Line]) -> bool:
    return any(line.band is not None for line in lines)


def _intervals(record: Record) -> str:
    """Name the intervals that are drawn."""
    if record.plan is None:
        return f"{interval_name(record)}s"
    count = counted(len(record.plan.main), "comparison")
    return f"{percent(record.plan.confidence)} intervals that hold together over {count}"


def _legend(lines: Sequence[Line], page: Page) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    ink, plan = page.style.ink, page.record.plan
    present = {line.mark for line in lines if line.gap is not None}
    handles: list[Any] = []
    for mark in (each for each in MARKS if each in present):
        words = MARKS[mark][1 if plan is not None else 2].format(p=p_name(page.record))
        line = "-" if mark in ("found", "not_found") else ""
        handles.append(Line2D([], [], label=words, linestyle=line, **_mark(mark, page.style)))
    if _banded(lines):
        handles.append(Patch(color=ink, alpha=0.16, linewidth=0, label="gaps that would not be found with 80 % power"))
    if any(line.inner for line in lines):
        handles.append(Line2D([], [], color=ink, linewidth=3.4, label="90 % interval of the test of equivalence"))
    if plan is not None and plan.margin is not None:
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
