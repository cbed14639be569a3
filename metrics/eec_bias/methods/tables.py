"""The tables of the papers as text, CSV and LaTeX."""

from collections.abc import Sequence
from itertools import groupby

from eec_bias.options import Layout, one_of
from eec_bias.result.frame import LEADING, Row
from eec_bias.result.tables import LAYOUTS, align, as_csv, as_latex, escape, terms_table

Head = Sequence[str] | Sequence[tuple[str, str]]


def lay_out(head: Head, lines: Sequence[Sequence[object]], layout: Layout, *, left: int = 1, note: str = "") -> str:
    """Lay out a table whose first columns are flush left; a head of pairs has two lines, the first spanning columns."""
    one_of("layout", layout, LAYOUTS)
    pairs = [one if isinstance(one, tuple) else ("", one) for one in head]
    if layout == "csv":
        note_column = [note] if note else []
        names = [" ".join(filter(None, pair)) for pair in pairs] + ["Note"] * len(note_column)
        return as_csv([names, *(["" if x is None else x for x in line] + note_column for line in lines)])
    grid = [[name for _, name in pairs], *(list(map(str, line)) for line in lines)]
    spans = [(top, len(list(own))) for top, own in groupby(top for top, _ in pairs)]
    if layout == "latex":
        return _latex(grid, spans, left, note)
    above = [[cell for top, width in spans for cell in (top, *[""] * (width - 1))]] if len(spans) > 1 else []
    return align([*above, *grid], left) + (f"\n\n{note}" if note else "")


def _latex(grid: list[list[str]], spans: Sequence[tuple[str, int]], left: int, note: str) -> str:
    text = as_latex(grid, left, note=note)
    if len(spans) == 1:
        return text
    cells, rules, at = [], [], 1
    for top, width in spans:
        cells += [rf"\multicolumn{{{width}}}{{c}}{{{escape(top)}}}"] if top else [""] * width
        rules += [rf"\cmidrule(lr){{{at}-{at + width - 1}}}"] if top else []
        at += width
    first, second, rest = text.split("\n", 2)
    return "\n".join([first, second, " & ".join(cells) + r" \\", " ".join(rules), rest])


def terms_of(terms: Sequence[Row], layout: Layout, *, note: str) -> str:
    """List the rows of terms."""
    return terms_table(terms, [key for key in LEADING if key in terms[0]], layout, note=note)
