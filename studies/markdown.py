"""Tables and numbers of the studies' pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]


def table(head: Sequence[str], lines: Sequence[Sequence[str]], right: int) -> str:
    """Return a Markdown table; columns from ``right`` on are set flush right."""
    rule = ["---" if i < right else "--:" for i in range(len(head))]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, rule, *lines])


def number(value: float | None, digits: int = 3) -> str:
    """Return a number to some decimals with a true minus; a dash for none."""
    if value is None:
        return "–"
    return f"{value:.{digits}f}".replace("-", "−") if round(value, digits) else "0"


def interval(row: Row) -> str:
    """Return the 95 % interval of a row."""
    return "–" if row["ci_low"] is None else f"[{number(row['ci_low'])}, {number(row['ci_high'])}]"


def p_value(value: float | None) -> str:
    """Return p with two digits that count, as small as .001."""
    return "–" if value is None else "< .001" if value < 0.001 else f"{value:.2g}"


def escaped(text: str) -> str:
    """Keep stars as they are."""
    return text.replace("*", "\\*")
