"""The plot of one system: every term on every config, with its interval."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from eec_datasets.audit.errors import SystemUnavailable
from eec_datasets.audit.table import contrast, term

DIFFERENCE, OTHER, FRAME = "#d0453a", "#3f7cb8", "#77838f"
"""Colours that read on light and on dark ground."""


def check_library() -> None:
    """Refuse to start an audit that could not draw its report.

    Raises
    ------
    SystemUnavailable
        matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise SystemUnavailable(
            "The report needs matplotlib, which is not installed. Install it with: pip install 'eec-datasets[plot]', "
            "or leave the report out with --no-report."
        ) from error


def forest(
    rows: Sequence[Mapping[str, Any]], score_range: tuple[float, float], title: str, *, part: str | None = None
) -> str:
    """Draw one line per row of terms: effect, 95 % interval, and the span that could not have been detected.

    Parameters
    ----------
    rows
        Rows of terms with ``config``, from top to bottom.
    score_range
        Declared range of the scores, for the axis label.
    title
        Text alternative of the picture.
    part
        Given where the picture becomes part of a page: put before its ids, so that pictures do not share any,
        and its text then takes the page's colour.

    Returns
    -------
    str
        An ``<svg>`` element, the same bytes for the same rows.
    """
    # Figure, not pyplot: no global state, no window system.
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    style: dict[str, Any] = {
        "svg.hashsalt": "eec",
        "svg.fonttype": "path",
        "text.color": FRAME,
        "axes.labelcolor": FRAME,
    }
    style |= {"xtick.color": FRAME, "ytick.color": FRAME, "axes.edgecolor": FRAME, "font.size": 9}
    with rc_context(style):
        figure = Figure(figsize=(8, 1.0 + 0.27 * len(rows)), layout="constrained")
        _draw(figure.add_subplot(), rows, score_range)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Title": title})
    svg = stream.getvalue()
    if part is not None:
        svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{part}", svg.replace(FRAME, "currentColor"))
    return svg[svg.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{_plain(title)}"', 1)


def _draw(ax: Any, rows: Sequence[Mapping[str, Any]], score_range: tuple[float, float]) -> None:
    for y, row in enumerate(rows):
        found = row["p_adjusted"] is not None and row["p_adjusted"] < 0.05
        found = found or (row["p_adjusted"] is None and bool(row["effect"]))
        colour = DIFFERENCE if found else OTHER
        if row["mde"] is not None:
            ax.barh(y, 2 * row["mde"], left=-row["mde"], height=0.62, color=FRAME, alpha=0.22, linewidth=0)
        if row["ci_low"] is not None:
            ax.plot([row["ci_low"], row["ci_high"]], [y, y], color=colour, linewidth=1.8)
        if row["effect"] is not None:
            ax.plot([row["effect"]], [y], marker="o" if row["se"] else "D", markersize=4.5, color=colour)
    ax.axvline(0, color=FRAME, linewidth=0.8, zorder=0)
    ax.set_yticks(range(len(rows)), [f"{row['config']}   {term(row)}   {contrast(row)}" for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    reach = max([abs(x) for x in ax.get_xlim()] + [0.005 * (score_range[1] - score_range[0])])
    ax.set_xlim(-reach, reach)
    ax.set_xlabel(f"effect, in units of scores from {score_range[0]:g} to {score_range[1]:g}")
    ax.tick_params(length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
