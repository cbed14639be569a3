"""The page as one offline HTML file, and its first screen for a notebook."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from eec_datasets.report.say import Say
from eec_datasets.report.text import Text, plain
from eec_datasets.report.view import Chart, Mark, PageView, Scale

FOLDER = Path(__file__).parent
LONGEST_END = 15
"""A longer name of a group takes two lines at the end of an axis."""

ROOMY = 10
"""A chart of so many rows has higher ones; rows of emotions are lower and count less."""

SHORT_LINE = 0.045
"""A line shorter than this share of the drawing is smaller than its dot; ticks show its ends."""


def render(page: PageView) -> str:
    """Return a page as one HTML file without scripts and without anything from elsewhere."""
    return _render("page.html.j2", page)


def render_notebook(page: PageView) -> str:
    """Return the first screen of a page for a notebook, in a frame of its own so that its style stays inside.

    The frame may not run scripts. It keeps the origin of the page around it, as Chromium loses clicks beside a frame of
    another origin; and it can be reached by Tab, so that it can be scrolled by keys.
    """
    return _render("notebook.html.j2", page, whole=_render("page.html.j2", page, first_screen=True))


def _render(template: str, page: PageView, **more: Any) -> str:
    values: dict[str, Any] = {"page": page, "first_screen": False, "say": Say(page.language).text} | more
    return _environment().get_template(template).render(values)


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "html": html,
        "accented": functools.partial(html, accent=True),
        "plain": plain,
        "place": place,
        "short": is_short,
        "grid": _grid,
        "ends": _end_width,
        "roomy": _is_roomy,
        "backwards": lambda mark: (mark.low or 0.0) > mark.at,
    }
    environment.globals["css"] = Markup((FOLDER / "page.css").read_text(encoding="utf-8"))
    return environment


def html(text: Text, *, accent: bool = False) -> Markup:
    """Write a text as HTML: strong words bold, quoted words slanted; a number and its unit do not part."""
    written = Markup()
    for span in text:
        said = Markup(str(escape(span.text)))
        if span.code:
            # A line may break between the words of a command, and not after the hyphens of an option.
            words = Markup(" ").join(Markup("<span>{}</span>").format(word) for word in span.text.split(" "))
            said = Markup("<code>{}</code>").format(words)
        if span.quoted:
            said = Markup("<em>{}</em>").format(said)
        if span.strong:
            bound = Markup(str(said).replace(" ", "\N{NO-BREAK SPACE}", 2)) if accent else said
            said = Markup("<b>{}</b>").format(bound)
        written += said
    return written


def place(value: float, axis: Scale) -> str:
    """Return where a value lies on an axis, in per cent from its start."""
    return f"{100 * (value + axis.half) / (2 * axis.half):.2f}"


def is_short(mark: Mark, axis: Scale) -> bool:
    """Tell if the line of a mark is too short to be seen beside its dot."""
    if mark.low is None or mark.high is None:
        return False
    return abs(mark.high - mark.low) / (2 * axis.half) < SHORT_LINE


def _grid(axis: Scale) -> list[float]:
    ticks = [tick for tick, _ in axis.ticks]
    return [-tick for tick in reversed(ticks)] + ticks


def _is_roomy(chart: Chart) -> bool:
    """Tell if the rows are so few that they can be higher and still fit the first screen."""
    small = sum(row.level == "emotion" for row in chart.rows)
    return len(chart.rows) - small / 3 <= ROOMY


def _end_width(chart: Chart) -> int:
    """Return the room in pixels for the group names at both ends; a long name takes two lines."""
    ends = [end for row in chart.rows for end in (row.left, row.right)]
    longest = max((len(end) if len(end) <= LONGEST_END else max(map(len, end.split())) for end in ends), default=0)
    return min(118, max(56, 12 + 7 * longest))
