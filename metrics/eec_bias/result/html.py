"""A result in a notebook: a small table with its reading, as HTML and as Markdown."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any

from eec_bias.result.record import Record, record_of
from eec_bias.result.tables import LEFT, shown_terms
from eec_bias.result.verdict import Judged, compares, judge_terms
from eec_bias.result.words import caveat, place_of, sentence, units

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

Lines = list[list[str]]


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
    record = record_of(result)
    shown = judge_terms(record)[:MOST_ROWS]
    tables = "".join(_html_table(*table) for table in _tables(record, shown))
    readings = "".join(f"<li>{escape(text)}</li>" for text in _readings(record, shown))
    return (
        f'<div class="eec-bias"><style>{_STYLE}</style>{tables}'
        + (f"<ul>{readings}</ul>" if readings else "")
        + "".join(f"<p>{escape(line)}</p>" for line in _said(record, len(shown)))
        + f"<p><code>{escape(str(record.signature))}</code></p></div>"
    )


def as_markdown(result: Any) -> str:
    """Lay a result out as Markdown: reading, table, notes, caveat, signature.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.

    Returns
    -------
    str
        Every text of the result is escaped. At most `MOST_ROWS` rows.
    """
    record = record_of(result)
    shown = judge_terms(record)[:MOST_ROWS]
    tables = []
    for place, head, lines in _tables(record, shown):
        rule = "|" + " --- |" * LEFT + " ---: |" * (len(head) - LEFT)
        rows = ["| " + " | ".join(map(marked, line)) + " |" for line in (head, *lines)]
        tables.append("\n".join([*([f"**{marked(place)}**", ""] if place else []), rows[0], rule, *rows[1:]]))
    readings = "\n".join(f"- {marked(text)}" for text in _readings(record, shown))
    # A code span ends at its own number of backticks; a signature has none of its own making.
    signature = str(record.signature).replace("`", "'").replace("\n", " ")
    parts = [readings, *tables, *map(marked, _said(record, len(shown))), f"`{signature}`"]
    return "\n\n".join(part for part in parts if part) + "\n"


def marked(text: str) -> str:
    """Write a text so that Markdown shows it as it is, on one line."""
    return _MARKS.sub(r"\\\1", escape(" ".join(text.split()), quote=False))


def _tables(record: Record, shown: Sequence[Judged]) -> Iterator[tuple[str, list[str], Lines]]:
    """Place, head and lines of the table of each system, task, stratum and output."""
    for place, part in groupby(shown, lambda each: place_of(each.row)):
        frame = shown_terms(record, list(part)).drop(columns="beta")
        yield place, list(frame.columns), frame.to_numpy().tolist()


def _readings(record: Record, shown: Sequence[Judged]) -> list[str]:
    """Sentences on the rows that compare groups; none where there are several parts, which the tables keep apart."""
    if len({place_of(row) for row, _ in shown}) > 1:
        return []
    return [sentence(record, *each) for each in shown if compares(each.row)]


def _said(record: Record, shown: int) -> list[str]:
    every = len(record.terms)
    rest = [f"{every - shown} more rows are not shown here; to_frame() has all {every}."] if every > shown else []
    return [f"{units(record)}.", *(f"Note: {note}" for note in record.notes), caveat(record), *rest]


def _html_table(place: str, head: Sequence[str], lines: Lines) -> str:
    top = "".join(f'<th scope="col"{_side(i)}>{escape(name)}</th>' for i, name in enumerate(head))
    body = []
    for first, *others in lines:
        cells = "".join(f"<td{_side(i)}>{escape(cell)}</td>" for i, cell in enumerate(others, 1))
        body.append(f'<tr><th scope="row"{_side(0)}>{escape(first)}</th>{cells}</tr>')
    caption = f"<caption>{escape(place)}</caption>" if place else ""
    return f"<div><table>{caption}<thead><tr>{top}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"


def _side(column: int) -> str:
    return ' class="w"' if column < LEFT else ""
