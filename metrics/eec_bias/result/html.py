"""A result in a notebook: a small table with its reading, as HTML and as Markdown."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from eec_bias.result.frame import Row
from eec_bias.result.shown import COLUMNS, cells_of, compares, content_of, place_of, shown_terms
from eec_bias.result.text import CAVEAT, reading

MOST_ROWS = 40
"""Rows shown; a notebook with 219 systems stays usable."""

# Colours are those around it, so that light and dark themes both read, also those that set no colour scheme.
_STYLE = """
.eec-bias {font-size: .9em; max-width: 75em; color: inherit}
.eec-bias div {overflow-x: auto}
.eec-bias table {border-collapse: collapse; margin: .5em 0; color: inherit; font-size: 1em}
.eec-bias caption {text-align: left; font-weight: bold}
.eec-bias th, .eec-bias td {padding: .2em .6em; text-align: right; font-variant-numeric: tabular-nums;
  border-bottom: 1px solid rgba(128, 128, 128, .4); background: transparent; color: inherit}
.eec-bias .w {text-align: left}
.eec-bias code {overflow-wrap: anywhere; background: transparent; color: inherit}
"""

_MARKS = re.compile(r"([\\`*_\[\]|~#$])")


def as_html(result: Any) -> str:
    """Lay a result out as HTML for a notebook: table, reading, notes, caveat, signature.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.

    Returns
    -------
    str
        One ``div`` with a style of its own; every text of the result is escaped. At most `MOST_ROWS` rows.
    """
    content = content_of(result)
    rows = shown_terms(content)
    blocks = [_html_table(place, part) for place, part in _blocks(rows)]
    rest = _rest(rows)
    lines = [*_said(content), *([rest] if rest else [])]
    readings = "".join(f"<li>{escape(text)}</li>" for text in _readings(rows))
    return (
        f'<div class="eec-bias"><style>{_STYLE}</style>{"".join(blocks)}'
        + (f"<ul>{readings}</ul>" if readings else "")
        + "".join(f"<p>{escape(line)}</p>" for line in lines)
        + f"<p><code>{escape(str(content['signature']))}</code></p></div>"
    )


def as_markdown(result: Any, *, most: int = MOST_ROWS) -> str:
    """Lay a result out as Markdown: reading, table, notes, caveat, signature.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    most : int
        Rows shown.

    Returns
    -------
    str
        Every text of the result is escaped.
    """
    content = content_of(result)
    rows = shown_terms(content)
    head = ["| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * 4 + " ---: |" * (len(COLUMNS) - 4)]
    blocks = []
    for place, part in _blocks(rows, most):
        lines = ["| " + " | ".join(map(marked, cells_of(row))) + " |" for row in part]
        blocks.append("\n".join([*([f"**{marked(place)}**", ""] if place else []), *head, *lines]))
    rest = _rest(rows, most)
    readings = "\n".join(f"- {marked(text)}" for text in _readings(rows, most))
    # A code span ends at its own number of backticks; a signature has none of its own making.
    signature = str(content["signature"]).replace("`", "'").replace("\n", " ")
    parts = [readings, *blocks, *map(marked, _said(content)), marked(rest), f"`{signature}`"]
    return "\n\n".join(part for part in parts if part) + "\n"


def marked(text: str) -> str:
    """Write a text so that Markdown shows it as it is, on one line."""
    return _MARKS.sub(r"\\\1", escape(" ".join(text.split()), quote=False))


def _blocks(rows: Sequence[Row], most: int = MOST_ROWS) -> list[tuple[str, list[Row]]]:
    return [(place, list(part)) for place, part in groupby(rows[:most], place_of)]


def _rest(rows: Sequence[Row], most: int = MOST_ROWS) -> str:
    return (
        f"{len(rows) - most} more rows are not shown here; to_frame() has all {len(rows)}." if len(rows) > most else ""
    )


def _readings(rows: Sequence[Row], most: int = MOST_ROWS) -> list[str]:
    """Sentences on the rows that were tested; none where there are several parts, which the tables keep apart."""
    shown = rows[:most]
    if len({place_of(row) for row in shown}) > 1:
        return []
    return [reading(row) for row in shown if compares(row)]


def _said(content: Mapping[str, Any]) -> list[str]:
    low, high = content["score_range"]
    units = f"Effects are in the units of the scores, declared as [{low:g}, {high:g}]."
    return [units, *(f"Note: {note}" for note in content.get("notes", ())), CAVEAT]


def _html_table(place: str, rows: Sequence[Row]) -> str:
    head = "".join(f'<th scope="col"{_side(i)}>{name}</th>' for i, name in enumerate(COLUMNS))
    lines = []
    for row in rows:
        first, *others = cells_of(row)
        cells = "".join(f"<td{_side(i)}>{escape(cell)}</td>" for i, cell in enumerate(others, 1))
        lines.append(f'<tr><th scope="row"{_side(0)}>{escape(first)}</th>{cells}</tr>')
    caption = f"<caption>{escape(place)}</caption>" if place else ""
    return f"<div><table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"


def _side(column: int) -> str:
    return ' class="w"' if column < 4 else ""
