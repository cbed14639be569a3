"""A result in a notebook: a small table with its reading, as HTML and as Markdown."""

import re
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from eec_bias.result.frame import compares
from eec_bias.result.record import record_of
from eec_bias.result.row_words import RowWords
from eec_bias.result.tables import LEFT, shown_emotions, shown_terms
from eec_bias.result.text import EMOTIONS_EXPLAINED
from eec_bias.result.verdict import judge_terms
from eec_bias.result.words import caveat, place_of, units

MOST_ROWS = 40
"""Rows shown; a notebook with 219 systems stays usable."""

# A space that does not break stays one.
_BREAKS = re.compile(r"[^\S\xa0\u202f]+")
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
    return _filled("notebook.html.j2", result)


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
    return _filled("notebook.md.j2", result)


def _filled(source: str, result: Any) -> str:
    """Fill a template with a result: tables by system, task, stratum and output, and what is said of them."""
    record = record_of(result)
    total, shown = len(record.terms), judge_terms(record)[:MOST_ROWS]
    frames, readings, explained, words_of_rows = [], [], [], RowWords(record)
    for place, part in groupby(shown, lambda each: place_of(each.row)):
        frames.append((place, LEFT, shown_terms(record, list(part)).drop(columns="beta")))
    if len(frames) == 1:  # several parts are kept apart by their tables only
        readings = [words_of_rows.sentence(each) for each in shown if compares(each.row)]
    if by_emotion := record.by_emotion[: MOST_ROWS - len(shown)]:
        explained = [EMOTIONS_EXPLAINED]
    for place, rows in groupby(by_emotion, place_of):
        frames.append((", ".join(filter(None, [place, "by emotion"])), LEFT + 1, shown_emotions(record, list(rows))))
    tables = [(place, list(frame.columns), frame.to_numpy().tolist(), left) for place, left, frame in frames]
    rest = (
        [f"{total - MOST_ROWS} more rows are not shown here; to_frame() has all {total}."] if total > MOST_ROWS else []
    )
    scale = "; ".join(filter(None, [units(record), words_of_rows.basis]))
    remarks = [*explained, f"{scale}.", *(f"Note: {note}" for note in record.notes), caveat(record), *rest]
    return str(template(source).render(record=record, tables=tables, readings=readings, remarks=remarks))


@cache
def template(source: str) -> Any:
    """Read a template, once; in HTML every text is escaped, in Markdown by the filter ``md``."""
    from jinja2 import Environment, StrictUndefined

    html = ".md." not in source
    jinja = Environment(autoescape=html, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=not html)
    jinja.filters["md"] = marked
    return jinja.from_string(Path(__file__).with_name(source).read_text(encoding="utf-8"))


def marked(text: object) -> str:
    """Write a text so that Markdown shows it as it is, on one line."""
    return _MARKS.sub(r"\\\1", escape(_BREAKS.sub(" ", str(text)).strip(), quote=False))
