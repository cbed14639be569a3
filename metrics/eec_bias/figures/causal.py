"""The causal diagrams of Lakkaraju et al. (2022), Figures 1 and 2, with what was found of a system at their arrows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures.page import Page, opened
from eec_bias.figures.style import Theme
from eec_bias.result.frame import AnyRow

EMOTION, SENTIMENT = "emotion\nword", "sentiment"

AT = {
    EMOTION: (0.0, 0.0),
    SENTIMENT: (1.0, 0.0),
    "gender": (0.5, 1.0),
    "race": (0.5, 1.0),
    "race and\ngender": (0.5, 1.0),
}
"""Positions of the nodes; `_place` puts two protected attributes side by side."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow of a diagram: where it goes, how it is drawn, and what is written at it."""

    start: str
    end: str
    kind: str
    text: str = ""


DIAGRAMS = {"1": ("gender",), "2": ("gender",), "3": ("gender", "race"), "4": ("race and\ngender",)}
"""Data group → its protected attributes."""

CONFOUNDED = ("2", "4")
"""Data groups in which these go with emotion words by design."""

COLUMN = {("1", "gender"): "1", ("3", "gender"): "3_G", ("3", "race"): "3_R"}
"""Data group and attribute → the column of the ratings that tests the arrow from one to the sentiment."""


def causal(result: Any, *, system: str | None = None, theme: Theme = "light", width: float = 7.0) -> Any:
    """Draw the causal diagram of every data group, with the scores of a system at its arrows.

    Parameters
    ----------
    result : Result or dict
        Of the procedure ``rating``; a dict with details.
    system : str, optional
        Which; by default the first.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such system.
    ResultError
        If it is of no rating.
    """
    with opened(result, theme, width) as page:
        ratings = _ratings(page)
        names = list(dict.fromkeys(row["system"] for row in ratings))
        if system is not None and system not in names:
            raise OptionError(f"there is no system {system!r}; the systems rated are {', '.join(names)}")
        chosen = names[0] if system is None else system
        rows = {row["group"]: row for row in ratings if row["system"] == chosen}
        groups = [group for group in DIAGRAMS if any(column.startswith(group) for column in rows)]
        columns = 1 if page.narrow else 2
        lines = -(-len(groups) // columns)
        panels = page.start(2.3 * lines + 0.9).subplots(lines, columns, squeeze=False).ravel()
        values = []
        for ax, group in zip(panels, groups, strict=False):
            arrows = _arrows(group, rows)
            _draw(ax, group, arrows, page)
            values += [_tell(group, arrow) for arrow in arrows]
        for ax in panels[len(groups) :]:
            ax.set_axis_off()
        return page.finish("causal", values, system=chosen, rows=rows)


def _ratings(page: Page) -> list[AnyRow]:
    """Return the ratings of a result."""
    study = page.record.study
    content = {} if study is None else study.to_dict()
    if not content.get("ratings"):
        raise ResultError(
            "the result contains no rating of data groups; this figure is for the method rating, and a saved result "
            "needs "
            "its details"
        )
    return list(content["ratings"])


def _arrows(group: str, rows: Mapping[str, AnyRow]) -> list[Arrow]:
    """Return the arrows of the diagram of a data group."""
    die = _say(rows[group], "DIE") if group in CONFOUNDED else ""
    arrows = [Arrow(EMOTION, SENTIMENT, "wanted", die)]
    for attribute in DIAGRAMS[group]:
        if group in CONFOUNDED:
            arrows += [Arrow(attribute, EMOTION, "designed", "by design"), Arrow(attribute, SENTIMENT, "asked", "?")]
            continue
        row = rows[COLUMN[group, attribute]]
        arrows.append(Arrow(attribute, SENTIMENT, "found" if row["wrs"] else "asked", _say(row, "WRS")))
    return arrows


def _tell(group: str, arrow: Arrow) -> str:
    """An arrow in words."""
    words = f"group {group}: {arrow.start} to {arrow.end}"
    if arrow.text:
        words += f", {arrow.text}"
    return words.replace("\n", " ")


def _say(row: AnyRow, measure: str) -> str:
    """A WRS, or the largest DIE %, with its interval, as text."""
    value, unit = (row["wrs"], "") if measure == "WRS" else (row["die"], " %")
    ends = ["X" if row[end] is None else f"{row[end]:.4g}" for end in ("low", "high")]
    return f"{measure} {'X' if value is None else f'{value:.4g}{unit}'}\n[{ends[0]}, {ends[1]}]"


def _place(group: str, node: str) -> tuple[float, float]:
    """Return where a node stands; two protected attributes stand side by side."""
    if len(DIAGRAMS[group]) > 1 and node in DIAGRAMS[group]:
        return (0.2, 1.0) if node == DIAGRAMS[group][0] else (0.8, 1.0)
    return AT[node]


def _draw(ax: Any, group: str, arrows: list[Arrow], page: Page) -> None:
    style = page.style
    looks: dict[str, dict[str, Any]] = {
        "wanted": {"color": style.colours[2], "linestyle": "-"},
        "found": {"color": style.finding, "linestyle": "-"},
        "asked": {"color": style.finding, "linestyle": "--"},
        "designed": {"color": style.ink, "linestyle": ":"},
    }
    ax.set_axis_off()
    ax.set_xlim(-0.35, 1.35)
    ax.set_ylim(-0.35, 1.3)
    ax.set_title(f"Data group {group}", fontsize=9)
    for arrow in arrows:
        start, end = _place(group, arrow.start), _place(group, arrow.end)
        way = {"arrowstyle": "-|>", "shrinkA": 24, "shrinkB": 24, "linewidth": 1.4, **looks[arrow.kind]}
        ax.annotate("", xy=end, xytext=start, arrowprops=way)
        # The label of an upright arrow stands beside it, that of a level one below.
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        if start[1] == end[1]:
            ax.text(middle[0], middle[1] - 0.06, arrow.text, ha="center", va="top", fontsize=7)
        elif end[0] < start[0] or start[0] < 0.5:
            ax.text(middle[0] - 0.05, middle[1], arrow.text, ha="right", va="center", fontsize=7)
        else:
            ax.text(middle[0] + 0.05, middle[1], arrow.text, ha="left", va="center", fontsize=7)
    for node in (EMOTION, SENTIMENT, *DIAGRAMS[group]):
        box = {"boxstyle": "round,pad=0.35", "facecolor": style.inside, "edgecolor": style.ink, "linewidth": 0.8}
        ax.text(*_place(group, node), node, ha="center", va="center", fontsize=8, bbox=box)
