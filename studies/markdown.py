"""Tables and numbers of the studies' pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eec_bias.notes import Note

Row = dict[str, Any]
"""One row of a table of results: column → value."""


def table(head: Sequence[str], lines: Sequence[Sequence[str]], right: int) -> str:
    """Return a Markdown table; columns from ``right`` on are set flush right."""
    rule = ["---"] * right + ["--:"] * (len(head) - right)
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, rule, *lines])


def number(value: float | None, digits: int = 3) -> str:
    """Return a number to some decimals with a true minus; a dash for none."""
    if value is None:
        return "–"
    if round(value, digits) == 0:
        return "0"
    return f"{value:.{digits}f}".replace("-", "−")


def percent(share: float) -> str:
    """Return a share in percent, to one decimal."""
    return f"{100 * share:.1f} %"


def interval(row: Row) -> str:
    """Return the interval of a row in brackets; a dash where it has none."""
    if row["ci_low"] is None:
        return "–"
    return f"[{number(row['ci_low'])}, {number(row['ci_high'])}]"


def p_value(value: float | None) -> str:
    """Return p with two significant digits, or that it is below .001; a dash for none."""
    if value is None:
        return "–"
    if value < 0.001:
        return "< .001"
    return f"{value:.2g}"


def escaped(text: str) -> str:
    """Return a text whose stars Markdown shows and does not obey."""
    return text.replace("*", "\\*")


def sentence(said: Note | str) -> str:
    """Return a text, or what a note says in English, with a capital in front and a full stop behind."""
    text = str(said)
    return f"{text[:1].upper()}{text[1:]}."
