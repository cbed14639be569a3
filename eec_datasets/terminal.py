"""Texts and tables for the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.shared import width

DASH = "–"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys instead of showing (controls, directions of writing), and those no encoding has."""


LONGEST_LINE = 4000
"""Letters of the longest line of a message; a cell or a header of someone else's file may have millions."""


def visible(text: str) -> str:
    """Return a text in which controls are seen instead of obeyed: a name may hold what moves the cursor."""
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def all_visible(content: Any) -> Any:
    """Return what JSON gave with all texts `visible`, keys among them."""
    if isinstance(content, str):
        return visible(content)
    if isinstance(content, Mapping):
        return {visible(key): all_visible(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [all_visible(value) for value in content]
    return content


def readable(text: str) -> str:
    """Return a message as a person can read it: controls seen, and of a line of many letters its begin and end."""
    return "\n".join(map(_shortened, visible(text).split("\n")))


def _shortened(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    half = LONGEST_LINE // 2
    return f"{line[:half]} … ({len(line) - LONGEST_LINE:,} letters more) … {line[-half:]}"


def percent(part: float, whole: float = 1, digits: int = 0) -> str:
    """Return a share in percent, without the sign: 0 and 100 stand for nothing and all, and for nothing near them."""
    text, least = f"{100 * part / whole:.{digits}f}", 10**-digits
    if part > 0 and float(text) == 0:
        return f"<{least:g}"
    return f">{100 - least:g}" if part < whole and float(text) == 100 else text


def lay_out(headers: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Return a table of left-aligned columns, those in ``right`` right-aligned, under a ruled header."""
    widths = [max(width(row[i]) for row in [headers, *rows]) for i in range(len(headers))]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for i, cell in enumerate(cells):
            space = " " * (widths[i] - width(cell))
            padded.append(space + cell if i in right else cell + space)
        return "  ".join(padded).rstrip()

    return "\n".join([line(headers), line(["─" * size for size in widths]), *(line(row) for row in rows)])
