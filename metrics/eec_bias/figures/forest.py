"""Effects with their intervals, what could not have been detected, and the margin that was stated."""

from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.errors import ResultError
from eec_bias.figures.parts import choose_term, join_sentences, say_finding, say_span, scale
from eec_bias.figures.style import Style, Theme, finish, join, name_rows, new_figure, styled
from eec_bias.result.frame import LEADING, Row
from eec_bias.result.numbers import count, interval, signed
from eec_bias.result.parts import pick
from eec_bias.result.record import Record, record_of
from eec_bias.result.verdict import Judged, Kind, Verdict, judge_terms
from eec_bias.result.words import interval_name, label, p_name, short_label

SHOWN = 60
"""Rows that fit one picture; of more, those with the largest effects are drawn."""

MARKS: dict[Kind, tuple[str, str]] = {
    "difference": ("o", "{p} < .05"),
    "not_detectable": ("o", "{p} ≥ .05"),
    "same_difference": ("D", "same difference throughout, no test"),
    "wording": ("s", "wording effect"),
    "zero": ("D", "effect 0"),
    "no_reaction": ("v", "no reaction"),
    "not_estimable": ("X", "without a test"),
    "described": ("P", "described, not tested"),
}
"""Marker of a verdict, and what the legend says; differences are filled, the others open."""

Margins = Mapping[tuple[Any, ...], Row]


def forest(result: Any, *, term: str | None = None, theme: Theme = "light", width: float = 7.0, **where: Any) -> Any:
    """Draw effects with their 95 % intervals, one line per row of terms; with several systems one per system.

    A bar shows the effects too small to be detected, dashed lines the margin of an equivalence test, a thick line
    its 90 % interval. Rows without an effect of their own say why.

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
    record = record_of(result)
    judged, chosen = _choose(record, term, where)
    margins = {_key(row): row for row in record.equivalence}
    with styled(theme) as style:
        narrow = width < 5
        figure = new_figure(style, width, 1.1 + (0.48 if narrow else 0.28) * len(judged))
        ax = figure.add_subplot()
        for y, each in enumerate(judged):
            if each.row["effect"] is None:
                ax.text(0, y, say_finding(record, each), va="center", ha="center", style="italic", fontsize=7.5)
            else:
                _line(ax, y, each, margins.get(_key(each.row)), style, 0.3 if narrow else 0.56)
        _axes(ax, record, judged, margins, style, narrow=narrow)
        _legend(figure, record, judged, margins, style, narrow=narrow)
        values = [f"{_whole(each.row)} {_told(record, each)}" for each in judged]
        return finish(figure, "Effects with their intervals", _caption(record, judged, chosen, margins), values)


def _choose(record: Record, term: str | None, where: Mapping[str, Any]) -> tuple[list[Judged], str]:
    """Rows to draw from top to bottom, and what was chosen of them."""
    judged = pick(judge_terms(record), where, "terms")
    if not judged:
        raise ResultError("the result has no terms, so there is nothing to draw")
    if term is not None or len({(row.get("system"), row.get("task")) for row, _ in judged}) > 1:
        judged = choose_term(judged, term)
    said = ""
    if len(judged) > SHOWN and where.get("subset") is None:
        subsets = list(dict.fromkeys(row["subset"] for row, _ in judged))
        judged = [each for each in judged if each.row["subset"] == subsets[0]]
        said = f"Subset {subsets[0]}, the first of {len(subsets)}. " if len(subsets) > 1 else ""
    if len(judged) > SHOWN:
        kept = sorted(range(len(judged)), key=lambda i: -abs(judged[i].row["effect"] or 0))[:SHOWN]
        said += f"The {SHOWN} of {len(judged)} rows with the largest effects, in the order of the result."
        judged = [judged[i] for i in sorted(kept)]
    return judged, said.strip()


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(key) for key in (*LEADING, "term", "level", "reference", "subset"))


def _line(ax: Any, y: int, judged: Judged, margin: Row | None, style: Style, height: float) -> None:
    row, verdict = judged
    colour = style.finding if verdict.found else style.ink
    if row["mde"] is not None:
        ax.barh(y, 2 * row["mde"], left=-row["mde"], height=height, color=style.ink, alpha=0.16, linewidth=0)
    if row["ci_low"] is not None:
        ax.plot([row["ci_low"], row["ci_high"]], [y, y], color=colour, linewidth=1.4, solid_capstyle="butt")
    if margin is not None and margin["ci90_low"] is not None:
        ends = [margin["ci90_low"], margin["ci90_high"]]
        ax.plot(ends, [y, y], color=colour, linewidth=3.4, solid_capstyle="butt")
    ax.plot([row["effect"]], [y], **_mark(verdict, style))


def _mark(verdict: Verdict, style: Style) -> dict[str, Any]:
    # Open markers, so that the difference shows without colour as well.
    colour = style.finding if verdict.found else style.ink
    face = colour if verdict.found else style.inside
    return {"marker": MARKS[verdict.kind][0], "color": colour, "markerfacecolor": face, "markersize": 5.5}


def _told(record: Record, judged: Judged) -> str:
    row = judged.row
    ends = "" if row["ci_low"] is None else f" {interval(row['ci_low'], row['ci_high'])}"
    effect = "" if row["effect"] is None else f"{signed(row['effect'])}{ends}, "
    return f"{effect}{say_finding(record, judged)}"


def _labels(rows: Sequence[Row], limit: int) -> tuple[list[str], str]:
    """What stands before each line, and what all lines share, which stands below the axis."""
    whats = [f"{short_label(row)} ({row['subset']})" for row in rows]
    abouts = [[row[key] for key in LEADING if row.get(key) is not None] for row in rows]
    if len(rows) > 1 and len(set(whats)) == 1 and all(abouts):
        return [join(about, limit=40) for about in abouts], f"{join([whats[0]], limit=limit)}\n"
    return [join([*about, what], limit=limit) for about, what in zip(abouts, whats, strict=True)], ""


def _whole(row: Row) -> str:
    return ", ".join([*(str(row[key]) for key in LEADING if row.get(key) is not None), label(row)])


def _axes(ax: Any, record: Record, judged: Sequence[Judged], margins: Margins, style: Style, *, narrow: bool) -> None:
    rows = [row for row, _ in judged]
    drawn = any(row["effect"] is not None for row in rows)
    ax.axvline(0, color=style.ink, linewidth=0.8, alpha=0.6, zorder=0)
    for margin in {row["margin"] for row in margins.values()}:
        for side in (-margin, margin):
            ax.axvline(side, color=style.ink, linewidth=0.9, linestyle="--", zorder=0)
    ax.set_ylim(len(rows) - 0.4, -0.8 if narrow else -0.6)
    span = record.score_range[1] - record.score_range[0]
    shown = max(abs(x) for x in ax.dataLim.intervalx if abs(x) < float("inf")) if drawn else 0.0
    # Any scale, but not rounding noise.
    reach = 1.04 * shown if shown > 1e-9 * span else 0.005 * span
    ax.set_xlim(-reach, reach)
    labels, shared = _labels(rows, 57 if narrow else 60)
    # About .07 inches a letter of the labels, .6 a number on the axis.
    inside = ax.figure.get_figwidth() - (0.3 if narrow else 0.07 * max(map(len, labels)))
    ax.locator_params(axis="x", nbins=max(3, min(8, int(inside / 0.6))))
    # Flush right: long labels leave a narrow axis, and a text centred below it would be cut off.
    unit = scale(record.score_range, (row.get("output") for row in rows))
    ax.set_xlabel(f"{shared}effect, {unit}", loc="right")
    name_rows(ax, labels, narrow=narrow, above=0.22)


def _legend(
    figure: Any, record: Record, judged: Sequence[Judged], margins: Margins, style: Style, *, narrow: bool
) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    drawn = [(row, verdict) for row, verdict in judged if row["effect"] is not None]
    present = {verdict.kind: verdict for _, verdict in drawn}
    handles: list[Any] = []
    for kind, (_, words) in MARKS.items():
        if kind in present:
            line = "-" if kind in ("difference", "not_detectable") else ""
            p = p_name(record) if present[kind].adjusted else "p"
            handles.append(Line2D([], [], label=words.format(p=p), linestyle=line, **_mark(present[kind], style)))
    if any(row["mde"] is not None for row, _ in drawn):
        handles.append(Patch(color=style.ink, alpha=0.16, linewidth=0, label="too small to be detected"))
    if margins:
        handles.append(Line2D([], [], color=style.ink, linestyle="--", linewidth=0.9, label="margin stated"))
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=1 if narrow else 3)


def _caption(record: Record, judged: Sequence[Judged], chosen: str, margins: Margins) -> str:
    rows = [row for row, _ in judged]
    drawn = [row for row in rows if row["effect"] is not None]
    margin = sorted({row["margin"] for row in margins.values()})
    left_out = [note for note in record.notes if "left out" in note or "not estimated" in note]
    unit = scale(record.score_range, (row.get("output") for row in rows))
    deciding = p_name(record) if any(verdict.adjusted for _, verdict in judged) else "p"
    return join_sentences(
        [
            f"{count(len(drawn), 'effect')}, {unit}, with {interval_name(record).replace('interval', 'intervals')}.",
            chosen,
            _sizes(rows),
            f"Filled: a difference, {deciding} < .05 where there is a test.",
            "Bars: effects that would not be found with 80 % power."
            if any(row["mde"] is not None for row in drawn)
            else "",
            f"Dashed: the margin stated, ±{margin[0]:g}; thick lines: 90 % intervals." if margin else "",
            *(f"{note[:1].upper()}{note[1:]}." for note in left_out),
        ]
    )


def _sizes(rows: Sequence[Row]) -> str:
    """Say n, per subset."""
    found = []
    for subset in dict.fromkeys(row["subset"] for row in rows):
        parts = []
        for key, what in (("n_persons", "persons" if subset == "names" else "rows"), ("n_items", "items")):
            if known := [row[key] for row in rows if row["subset"] == subset and row[key] is not None]:
                parts.append(f"{say_span(known)} {what}")
        found += [f"{subset}: {' × '.join(parts)}"] if parts else []
    return f"n of {'; '.join(found)}." if found else ""
