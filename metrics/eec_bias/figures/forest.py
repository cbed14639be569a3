"""Effects with their intervals, what could not have been detected, and the margin that was stated."""

from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures.reading import View, count, detected, p_words, pick, scale, sentence, view
from eec_bias.figures.style import Style, Theme, finish, join, new_figure, styled
from eec_bias.result.frame import LEADING, Row
from eec_bias.result.numbers import signed
from eec_bias.stats.contrasts import ANY

SHOWN = 60
"""Rows that fit one picture; of more, those with the largest effects are drawn."""


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
    seen = view(result)
    rows, chosen = _rows(seen, term, where)
    margins = _margins(seen.equivalence)
    with styled(theme) as style:
        narrow = width < 5
        figure = new_figure(style, width, 1.1 + (0.48 if narrow else 0.28) * len(rows))
        ax = figure.add_subplot()
        for y, row in enumerate(rows):
            _line(ax, y, row, margins.get(_key(row)), style, 0.3 if narrow else 0.56)
        _axes(ax, rows, margins, seen.score_range, style, narrow=narrow)
        _legend(figure, rows, margins, style, narrow=narrow)
        return finish(figure, "Effects with their intervals", _caption(seen, rows, chosen, margins), _values(rows))


def _rows(seen: View, term: str | None, where: Mapping[str, Any]) -> tuple[list[Row], str]:
    """Rows to draw from top to bottom, and what was chosen of them."""
    rows = pick(seen.terms, where, "terms")
    if not rows:
        raise ResultError("the result has no terms, so there is nothing to draw")
    names = list(dict.fromkeys(row["term"] for row in rows))
    if term is not None and term not in names:
        raise OptionError(f"term={term!r} is not in the result; its terms are {', '.join(names)}")
    several = len({(row.get("system"), row.get("task")) for row in rows}) > 1
    said = ""
    if term is not None or several:
        term = term or names[0]
        rows = [row for row in rows if row["term"] == term]
    if len(rows) > SHOWN and where.get("subset") is None:
        subsets = list(dict.fromkeys(row["subset"] for row in rows))
        rows = [row for row in rows if row["subset"] == subsets[0]]
        said = f"Subset {subsets[0]}, the first of {len(subsets)}. " if len(subsets) > 1 else ""
    if len(rows) > SHOWN:
        kept = sorted(range(len(rows)), key=lambda i: -abs(rows[i]["effect"] or 0))[:SHOWN]
        said += f"The {SHOWN} of {len(rows)} rows with the largest effects, in the order of the result."
        rows = [rows[i] for i in sorted(kept)]
    return rows, said


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(key) for key in (*LEADING, "term", "level", "reference", "subset"))


def _margins(equivalence: Sequence[Row]) -> dict[tuple[Any, ...], Row]:
    return {_key(row): row for row in equivalence}


def _line(ax: Any, y: int, row: Row, margin: Row | None, style: Style, height: float) -> None:
    if row["effect"] is None:
        ax.text(0, y, f" {_instead(row)} ", va="center", ha="center", style="italic", color=style.ink)
        return
    found = detected(row)
    colour = style.finding if found else style.ink
    if row["mde"] is not None:
        ax.barh(y, 2 * row["mde"], left=-row["mde"], height=height, color=style.ink, alpha=0.16, linewidth=0)
    if row["ci_low"] is not None:
        ax.plot([row["ci_low"], row["ci_high"]], [y, y], color=colour, linewidth=1.4, solid_capstyle="butt")
    if margin is not None and margin["ci90_low"] is not None:
        ends = [margin["ci90_low"], margin["ci90_high"]]
        ax.plot(ends, [y, y], color=colour, linewidth=3.4, solid_capstyle="butt")
    # Open markers, so that the difference shows without colour as well.
    ax.plot(
        [row["effect"]], [y], marker="D" if row["p"] is None else "o", color=colour,
        markerfacecolor=colour if found else style.inside, markersize=5.5,
    )  # fmt: skip


def _instead(row: Row) -> str:
    """What stands where an effect would be drawn."""
    if row["level"] == ANY:
        return "not tested" if row["p"] is None else p_words(row)
    return "not estimated"


def _labels(rows: Sequence[Row]) -> tuple[list[str], str]:
    """What stands before each line, and what all lines share, which stands below the axis."""
    whats = [_what(row) for row in rows]
    abouts = [[row[key] for key in LEADING if row.get(key) is not None] for row in rows]
    if len(rows) > 1 and len(set(whats)) == 1 and all(abouts):
        return [join(about, limit=40) for about in abouts], f"{join([whats[0]], limit=60)}\n"
    return [join([*about, what], limit=60) for about, what in zip(abouts, whats, strict=True)], ""


def _what(row: Row) -> str:
    what = f"{row['term']}, any level" if row["level"] == ANY else f"{row['term']}: {_compared(row)}"
    return f"{what} ({row['subset']})"


def _compared(row: Row) -> str:
    return f"{row['level']} – {row['reference']}"


def _whole(row: Row) -> str:
    about = [str(row[key]) for key in LEADING if row.get(key) is not None]
    return ", ".join([*about, f"{row['term']} {_compared(row)} ({row['subset']})"])


def _axes(
    ax: Any, rows: Sequence[Row], margins: Mapping[Any, Row], score_range: tuple[float, float], style: Style, *,
    narrow: bool,
) -> None:  # fmt: skip
    ax.axvline(0, color=style.ink, linewidth=0.8, alpha=0.6, zorder=0)
    for margin in {row["margin"] for row in margins.values()}:
        for side in (-margin, margin):
            ax.axvline(side, color=style.ink, linewidth=0.9, linestyle="--", zorder=0)
    ax.set_ylim(len(rows) - 0.4, -0.8 if narrow else -0.6)
    least = 0.005 * (score_range[1] - score_range[0])
    reach = 1.04 * max([*(abs(x) for x in ax.dataLim.intervalx if abs(x) < float("inf")), least])
    ax.set_xlim(-reach, reach)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    labels, shared = _labels(rows)
    # About .07 inches a letter of the labels, .6 a number on the axis.
    inside = ax.figure.get_figwidth() - (0.3 if narrow else 0.07 * max(map(len, labels)))
    ax.locator_params(axis="x", nbins=max(3, min(8, int(inside / 0.6))))
    # Flush right: long labels leave a narrow axis, and a text centred below it would be cut off.
    unit = scale(score_range, (row.get("output") for row in rows))
    ax.set_xlabel(f"{shared}effect, {unit}", loc="right")
    if not narrow:
        ax.set_yticks(range(len(rows)), labels)
        return
    ax.set_yticks([])
    for y, text in enumerate(labels):
        ax.text(0, y - 0.22, text, transform=ax.get_yaxis_transform(), va="bottom", fontsize=7.5)


def _legend(figure: Any, rows: Sequence[Row], margins: Mapping[Any, Row], style: Style, *, narrow: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    drawn = [row for row in rows if row["effect"] is not None]
    kind = "adjusted p" if _known(drawn, "p_adjusted") else "p, not adjusted,"
    handles: list[Any] = []
    if any(detected(row) for row in drawn):
        handles.append(Line2D([], [], marker="o", color=style.finding, label=f"{kind} < .05"))
    if any(row["p"] is not None and not detected(row) for row in drawn):
        handles.append(Line2D([], [], marker="o", color=style.ink, markerfacecolor=style.inside, label=f"{kind} ≥ .05"))
    if any(row["p"] is None for row in drawn):
        handles.append(
            Line2D(
                [], [], marker="D", linestyle="", color=style.ink, markerfacecolor=style.inside, label="without a test"
            )
        )
    if _known(drawn, "mde"):
        handles.append(Patch(color=style.ink, alpha=0.16, linewidth=0, label="too small to be detected"))
    if margins:
        handles.append(Line2D([], [], color=style.ink, linestyle="--", linewidth=0.9, label="margin stated"))
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=1 if narrow else min(len(handles), 4))


def _caption(seen: View, rows: Sequence[Row], chosen: str, margins: Mapping[Any, Row]) -> str:
    drawn = [row for row in rows if row["effect"] is not None]
    margin = sorted({row["margin"] for row in margins.values()})
    left_out = [note for note in seen.notes if "left out" in note or "not estimated" in note]
    unit = scale(seen.score_range, (row.get("output") for row in rows))
    return sentence(
        [
            f"{count(len(drawn), 'effect')}, {unit}, with 95 % intervals.",
            chosen.strip(),
            _sizes(rows),
            "Filled: p below .05" + (", adjusted." if any(r["p_adjusted"] is not None for r in rows) else "."),
            "Bars: effects that would not be found with 80 % power."
            if any(r["mde"] is not None for r in drawn)
            else "",
            f"Dashed: the margin stated, ±{margin[0]:g}; thick lines: 90 % intervals." if margin else "",
            *(f"{note[:1].upper()}{note[1:]}." for note in left_out),
        ]
    )


def _known(rows: Sequence[Row], key: str) -> bool:
    return any(row[key] is not None for row in rows)


def _sizes(rows: Sequence[Row]) -> str:
    """Say n, per subset."""
    found = []
    for subset in dict.fromkeys(row["subset"] for row in rows):
        own = [row for row in rows if row["subset"] == subset]
        parts = [
            f"{_span([row[key] for row in own if row[key] is not None])} {what}"
            for key, what in (("n_persons", "persons" if subset == "names" else "rows"), ("n_items", "items"))
            if _known(own, key)
        ]
        if parts:
            found.append(f"{subset}: {' × '.join(parts)}")
    return f"n of {'; '.join(found)}." if found else ""


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _values(rows: Sequence[Row]) -> list[str]:
    found = []
    for row in rows:
        interval = "" if row["ci_low"] is None else f" [{signed(row['ci_low'])}, {signed(row['ci_high'])}]"
        shown = _instead(row) if row["effect"] is None else f"{signed(row['effect'])}{interval}"
        found.append(f"{_whole(row)} {shown}")
    return found
