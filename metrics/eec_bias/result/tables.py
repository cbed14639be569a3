"""Results as tables for papers: text, CSV, LaTeX."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eec_bias.options import Layout, one_of
from eec_bias.result.frame import FLIP_KEYS, TERM_KEYS
from eec_bias.result.numbers import p_value, plain, signed

LAYOUTS: tuple[str, ...] = ("text", "csv", "latex")

COLUMNS = ("term", "level", "reference", "subset", "effect", "ci_low", "ci_high", "p", "p_adjusted", "mde", "beta")
"""Columns of a table to be read; CSV has all."""

_SPECIAL = {
    "&": r"\&", "_": r"\_", "%": r"\%", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}", "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$", "<": "$<$", ">": "$>$",
    "|": r"$\vert$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "Δ": r"$\Delta$", "≤": r"$\leq$",
}  # fmt: skip

_NUMBER = re.compile(r"[+-]?\d*\.?\d+")


def terms_table(rows: Sequence[Mapping[str, Any]], leading: Sequence[str], layout: Layout, *, note: str = "") -> str:
    """Lay terms out; CSV with every column at full precision.

    Parameters
    ----------
    rows : sequence of dict
        Terms.
    leading : sequence of str
        Keys before `TERM_KEYS`.
    layout : {"text", "csv", "latex"}
        The form.
    note : str
        What is printed below the table; CSV has the notes of the rows.

    Raises
    ------
    OptionError
        If the layout is unknown.
    """
    one_of("layout", layout, LAYOUTS)
    if layout == "csv":
        return _csv(rows, (*leading, *TERM_KEYS))
    return _lay_out(rows, (*leading, *COLUMNS), layout, note)


def flip_table(rows: Sequence[Mapping[str, Any]], layout: Layout) -> str:
    """Lay out how often the predicted class changes with the person."""
    one_of("layout", layout, LAYOUTS)
    leading = [key for key in rows[0] if key not in FLIP_KEYS]
    if layout == "csv":
        return _csv(rows, (*leading, *FLIP_KEYS))
    return _lay_out(rows, (*leading, *FLIP_KEYS), layout)


def align(lines: Sequence[Sequence[str]], left: int = 2) -> str:
    """Lay lines of cells out as text, the first ``left`` columns flush left, the others flush right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    padded = (
        [cell.ljust(w) if i < left else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    )
    return "\n".join("  ".join(cells).rstrip() for cells in padded)


def as_csv(lines: Iterable[Sequence[Any]]) -> str:
    """Write lines of cells as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def as_latex(lines: Sequence[Sequence[str]], left: int = 2, *, note: str = "") -> str:
    """Write a head and lines of cells as a ``tabular`` with the rules of booktabs.

    Parameters
    ----------
    lines : sequence of sequences of str
        The head, then the lines.
    left : int
        So many first columns are flush left, the others flush right.
    note : str
        What is printed below the table.
    """
    width = len(lines[0])
    body = [" & ".join(map(_latex_cell, line)) + r" \\" for line in lines]
    below = [latex_note(note, width)] if note else []
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{'l' * left}{'r' * (width - left)}}}",
            r"\toprule",
            body[0],
            r"\midrule",
            *body[1:],
            r"\bottomrule",
            *below,
            r"\end{tabular}",
            "",
        ]
    )


def latex_note(text: str, width: int) -> str:
    """Write a note as a last line across all columns of a ``tabular``."""
    return rf"\multicolumn{{{width}}}{{p{{.9\linewidth}}}}{{\footnotesize {escape(text)}}} \\"


def _latex_cell(cell: str) -> str:
    """Set numbers as mathematics, so that a minus is one."""
    return f"${cell}$" if _NUMBER.fullmatch(cell) else escape(cell)


def escape(cell: str) -> str:
    """Write a text so that LaTeX prints it as it is."""
    return "".join(_SPECIAL.get(character, character) for character in cell)


def _csv(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> str:
    return as_csv([keys, *(["" if row[key] is None else row[key] for key in keys] for row in rows)])


def _lay_out(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], layout: Layout, note: str = "") -> str:
    lines = [list(keys), *([_cell(key, row[key]) for key in keys] for row in rows)]
    left = next(i for i, key in enumerate(keys) if key in ("effect", "flip_rate"))
    if layout == "latex":
        return as_latex(lines, left, note=note)
    return align(lines, left) + (f"\n\n{note}" if note else "")


def _cell(key: str, value: Any) -> str:
    if key in ("p", "p_adjusted"):
        return p_value(value)
    if isinstance(value, float) or value is None:
        return plain(value) if key in ("mde", "flip_rate", "within_rate") else signed(value)
    return str(value)
