"""Tables of the papers: text, CSV, LaTeX."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

_SPECIAL = {
    "&": r"\&", "_": r"\_", "%": r"\%", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}", "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$", "<": "$<$", ">": "$>$",
    "|": r"$\vert$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "Δ": r"$\Delta$", "≤": r"$\leq$",
}  # fmt: skip

_NUMBER = re.compile(r"[+-]?\d*\.?\d+")


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
