"""Plots of a result; matplotlib is imported when one is drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from .errors import OptionError

DETECTED, OTHER = "#b2182b", "#4d4d4d"


def forest(result: Mapping[str, Any], *, term: str | None = None, ax: Any = None) -> Any:
    """Draw effects with their 95 % intervals: one line per term, or per system for one term.

    Rows without an effect of their own (the omnibus rows of terms with many levels) are not drawn.

    Parameters
    ----------
    result : dict
        What ``to_dict`` or ``compute`` returned.
    term : str, optional
        With many systems, the term on which to compare them; by default the first.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure of fitting height.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    OptionError
        If the result has no such term.
    """
    rows = _rows(result, term)
    if ax is None:
        # Not pyplot: it would keep every figure alive and choose a window system.
        from matplotlib.figure import Figure

        ax = Figure(figsize=(7, 1.2 + 0.32 * len(rows)), layout="constrained").add_subplot()
    for y, row in enumerate(rows):
        detected = row["p_adjusted"] is not None and row["p_adjusted"] < 0.05
        colour = DETECTED if detected else OTHER
        if row["ci_low"] is not None:
            ax.plot([row["ci_low"], row["ci_high"]], [y, y], color=colour, linewidth=1.5)
        marker = "o" if row["p"] is not None else "D"
        # Open markers, so that the difference shows without colour as well.
        ax.plot([row["effect"]], [y], marker=marker, color=colour, markerfacecolor=colour if detected else "white")
    ax.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    ax.set_yticks(range(len(rows)), [_label(row) for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.locator_params(axis="x", nbins=6)
    low, high = result["score_range"]
    # Flush right: long labels leave a narrow axis, and a text centred below it would be cut off.
    ax.set_xlabel(
        f"effect with 95 % interval, scores in [{low:g}, {high:g}]\nred and filled: adjusted p < .05", loc="right"
    )
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def _rows(result: Mapping[str, Any], term: str | None) -> Sequence[Mapping[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = [row for row in result["terms"] if row["effect"] is not None]
    terms = list(dict.fromkeys(row["term"] for row in rows))
    several = len({(row.get("system"), row.get("task")) for row in rows}) > 1
    if term is None and not several:
        return rows
    chosen = [row for row in rows if row["term"] == (term or terms[0])]
    if not chosen:
        raise OptionError(f"term={term!r} is not in the result; its terms are {', '.join(terms)}")
    return chosen


def _label(row: Mapping[str, Any]) -> str:
    what = f"{row['term']}: {row['level']} – {row['reference']} ({row['subset']})"
    about = [str(row[key]) for key in ("system", "task", "stratum", "output") if row.get(key) is not None]
    return " · ".join([*about, what])
