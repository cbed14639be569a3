"""Texts by the columns that they take where every letter has the same width."""

import textwrap
import unicodedata
from collections.abc import Sequence

LEAST = 40
"""Columns that the first and the last cell of a row need together to stand side by side."""


def width(text: str) -> int:
    """Return the columns a text takes in a terminal: marks take none, wide letters two."""
    return sum(
        0
        if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf"
        else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Fill a text up with spaces: after it, or before it where it stands at the right."""
    space = " " * (columns - width(text))
    return space + text if right else text + space


def wrapped(text: str, columns: int, indent: str = "", hanging: str | None = None) -> str:
    """Break a text into lines of at most so many columns; a word that is longer stands alone.

    Parameters
    ----------
    text : str
        Its line breaks become spaces.
    columns : int
        Of a line, with what it is indented by.
    indent, hanging : str
        What the first line begins with, and the others; by default as the first.
    """
    return textwrap.fill(
        text,
        max(columns, 10),
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def fitted(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int], columns: int) -> str:
    """Lay a table out in so many columns; where it does not fit, each row as its first cell with the others below it.

    Parameters
    ----------
    heads : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        The cells.
    right : sequence of int
        The numbers of the columns that are flush right.
    columns : int
        Of a line. Cells of the first column and of the last are broken into lines where that is enough.
    """
    table = [heads, *rows]
    widths = [max(width(row[i]) for row in table) for i in range(len(heads))]
    room = columns - sum(widths[1:-1]) - 2 * (len(widths) - 1)
    if room < LEAST:
        stacked = [wrapped(heads[0], columns)]
        for row in rows:
            numbers = ", ".join(f"{heads[i]} {row[i]}" for i in right if row[i])
            words = [cell for i, cell in enumerate(row[1:], start=1) if i not in right]
            stacked.append(wrapped(row[0], columns))
            stacked.append(wrapped(": ".join(filter(None, [numbers, *words])), columns, "    "))
        return "\n".join(stacked)
    widths[-1] = min(widths[-1], max(room // 3, room - widths[0]))
    widths[0] = min(widths[0], room - widths[-1])
    return "\n".join(_line(row, widths, right) for row in table)


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> str:
    """Lay out one row; its first cell and its last may go on below."""
    broken = [wrapped(cell, widths[i]).splitlines() or [""] for i, cell in enumerate(row)]
    lines = []
    for at in range(max(map(len, broken))):
        cells = [cell[at] if at < len(cell) else "" for cell in broken]
        lines.append("  ".join(padded(cell, widths[i], right=i in right) for i, cell in enumerate(cells)).rstrip())
    return "\n".join(lines)
