"""Tables in text, CSV and LaTeX, laid out by pandas."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from eec_bias.errors import OptionError
from eec_bias.options import ANY, MEAN, MEDIAN, Layout, one_of
from eec_bias.result.finding import find_by_row
from eec_bias.result.frame import FLIP_KEYS, PAIRWISE, WORDS, AnyRow, Row, leading
from eec_bias.result.numbers import NONE, interval, p_value, percent, rounded, signed
from eec_bias.result.record import Record
from eec_bias.result.term import COUNTS, LEADING, TERM_KEYS, Term
from eec_bias.result.words import interval_name, is_interaction, p_name

if TYPE_CHECKING:
    import pandas as pd

LEFT = 4
"""So many columns of a table of terms hold words."""

SUPERSCRIPTS = "¹²³⁴⁵⁶⁷⁸⁹"
_NUMBER = re.compile(r"[+-]?\d*\.?\d+|\[[-+.\d]+, [-+.\d]+\]")
# LaTeX has these as mathematics only.
_SIGNS = str.maketrans(
    {"–": "--", "−": "$-$", "×": r"$\times$", "<": "$<$", ">": "$>$", "≤": r"$\leq$", "≥": r"$\geq$", "Δ": r"$\Delta$",
     "↑": r"$\uparrow$", "↓": r"$\downarrow$", "|": r"$\vert$"}
    | {mark: f"$^{{{number}}}$" for number, mark in enumerate(SUPERSCRIPTS, start=1)}
)  # fmt: skip


def lay_out(frame: "pd.DataFrame", layout: Layout, *, left: int = 1, note: str = "") -> str:
    """Lay a table out.

    Parameters
    ----------
    frame : DataFrame
        Cells are texts, numbers, or None; columns of two levels have a line above that spans them.
    layout : {"text", "csv", "latex"}
        The form. CSV has numbers at full precision, the others three significant digits.
    left : int
        So many first columns are flush left, the others flush right.
    note : str
        What is printed below the table; CSV has none.

    Raises
    ------
    OptionError
        If the layout is unknown.
    """
    one_of("layout", layout, get_args(Layout))
    if layout == "csv":
        flat = [" ".join(filter(None, name)) if isinstance(name, tuple) else name for name in frame.columns]
        return str(frame.set_axis(flat, axis="columns").to_csv(index=False, lineterminator="\n"))
    if layout == "latex":
        return _latex(frame.astype(object).map(_cell), left, note)
    return _text(frame, left) + (f"\n\n{note}" if note else "")


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NONE
    return rounded(value) if isinstance(value, float) else str(value)


def _text(frame: "pd.DataFrame", left: int) -> str:
    heads = [list(names) for names in zip(*(n if isinstance(n, tuple) else (n,) for n in frame.columns), strict=True)]
    for head in heads[:-1]:
        # A head that spans columns stands above the first of them.
        head[:] = ["" if i and name == head[i - 1] else name for i, name in enumerate(head)]
    lines = [*heads, *([_cell(value) for value in line] for line in frame.astype(object).to_numpy().tolist())]
    # Columns of words stand further apart.
    widths = [max(map(len, column)) + (i < left - 1) for i, column in enumerate(zip(*lines, strict=True))]
    sides = [str.ljust] * left + [str.rjust] * (len(widths) - left)
    texts = [" ".join(pad(cell, width) for pad, cell, width in zip(sides, line, widths, strict=True)) for line in lines]
    return "\n".join(map(str.rstrip, texts))


def _latex(shown: "pd.DataFrame", left: int, note: str) -> str:
    import pandas as pd

    width = shown.shape[1]
    # The head, escaped like the cells, is one line of them or two.
    styler = shown.style.hide(axis="index").format_index(escape="latex", axis="columns")
    styler = styler.format(_number, escape="latex")
    text = styler.to_latex(hrules=True, column_format="l" * left + "r" * (width - left), multicol_align="c")
    if note:
        alone = pd.DataFrame([[note]]).style.hide(axis="index").hide(axis="columns").format(escape="latex").to_latex()
        escaped = alone.split("\n")[1].removesuffix(r" \\")
        below = rf"\multicolumn{{{width}}}{{p{{.9\linewidth}}}}{{\footnotesize {escaped}}} \\"
        text = text.replace(r"\end{tabular}", f"{below}\n\\end{{tabular}}")
    return str(text).translate(_SIGNS)


def _number(cell: Any) -> str:
    """Numbers and intervals in mathematics mode, so that a minus is set as one."""
    return f"${cell}$" if _NUMBER.fullmatch(cell) else str(cell)


WORDS_OF_ROWS = ("term", "level", "against", "subset")
"""Heads of the columns that say what a row compares."""


def rows_as_shown(record: Record) -> Sequence[Term]:
    """Return the rows about all sentences, under the names by which tables and figures show them."""
    if record.method == "camara2022":
        return at_references(record.overall)
    if not compares_pairs(record):
        return record.overall
    return [row if row.level == ANY else replace(row, pairwise=True) for row in record.overall]


def at_references(terms: Sequence[Term]) -> list[Term]:
    """Name coefficients in treatment coding as the simple effects that they are, at the references of other axes."""
    references = {row["axes"]: row["reference"] for row in terms if row["term"] == row["axes"]}
    named = []
    for row in terms:
        others = [axis for axis in references if axis not in row["axes"].split("+") and references[axis] != MEAN]
        condition = ",".join(f"{axis}={references[axis]}" for axis in others)
        named.append(replace(row, term=f"{row.term}|{condition}") if condition else row)
    return named


def compares_pairs(record: Record) -> bool:
    """Return whether levels are compared pair by pair, so that several rows have the same level."""
    return record.method == "rating"


def by_pairs(record: Record, rows: Sequence[AnyRow]) -> Sequence[AnyRow]:
    """Mark rows beside the terms if their levels are compared pair by pair."""
    if not compares_pairs(record):
        return rows
    return [{**row, PAIRWISE: True} if row["level"] != ANY else row for row in rows]


def shown_terms(record: Record, rows: Sequence[Term], leading: Sequence[str] = ()) -> "pd.DataFrame":
    """Return rows of terms as texts under heads to be read, the last of them the answer that rests on the row.

    Parameters
    ----------
    record : Record
        The result. That of a published procedure has no answers.
    rows : sequence of Term
        Its rows of terms to show.
    leading : sequence of str
        Keys of `LEADING` to show before them.
    """
    import pandas as pd

    by_family = record.facts.adjusted
    chances = ["p", p_name(record)] if by_family else ["p"]
    last = ["effect", interval_name(record), *chances, "detectable", "beta"]
    findings = find_by_row(record)
    lines = []
    for row in rows:
        words = [row[key] for key in leading] + _words_of(row)
        ends = interval(row["ci_low"], row["ci_high"])
        tests = [row["p"], row["p_adjusted"]] if by_family else [row["p"]]
        numbers = [signed(row["effect"]), ends, *map(p_value, tests), rounded(row["mde"]), signed(row["beta"])]
        finding = findings.get(row.key)
        answer = finding.answer.replace("_", " ") if finding else ""
        lines.append(["" if word is None else str(word) for word in words] + [*numbers, answer])
    frame = pd.DataFrame(lines, columns=[*leading, *WORDS_OF_ROWS, *last, "answer"])
    return frame if findings else frame.drop(columns="answer")


def _words_of(row: AnyRow) -> list[Any]:
    """Return the cells that say what a row compares."""
    against = row["reference"]
    if is_interaction(row):
        against = f"{against}, difference of differences" if row.get(PAIRWISE) else "difference of differences"
    return [row["term"], row["level"], against, row["subset"]]


def shown_rates(record: Record, rows: Sequence[AnyRow]) -> "pd.DataFrame":
    """Return rows of rates as texts under heads to be read: both rates, their difference and their ratio."""
    import pandas as pd

    lines = []
    for row in rows:
        bound = row["threshold"]
        if bound == MEDIAN:
            bound = "median of its item"
        elif bound is not None:
            bound = f"{bound:g}"
        difference = [signed(row["effect"]), interval(row["ci_low"], row["ci_high"])]
        low, high = (rounded(row[key]) for key in ("ratio_low", "ratio_high"))
        ratio = [rounded(row["ratio"]), NONE if row["ratio_low"] is None else f"[{low}, {high}]"]
        numbers = [bound, rounded(row["rate"]), rounded(row["rate_reference"]), *difference, *ratio]
        lines.append([*_words_of(row), *numbers])
    level = f"{percent(record.confidence)} interval"
    heads = ["score above", "rate", "rate against", "difference", level, "ratio", level]
    frame = pd.DataFrame(lines, columns=[*WORDS_OF_ROWS, *heads], dtype=object)
    return frame if any(row["threshold"] is not None for row in rows) else frame.drop(columns="score above")


def shown_equivalence(rows: Sequence[AnyRow]) -> "pd.DataFrame":
    """Return rows of the tests of equivalence as texts under heads to be read; the worst emotion decides."""
    import pandas as pd

    lines = []
    for row in rows:
        ends = interval(row["ci90_low"], row["ci90_high"])
        tests = [p_value(row["p_equivalence"]), row["worst_emotion"], p_value(row["p_worst"])]
        lines.append([*_words_of(row), rounded(row["margin"]), ends, *tests])
    heads = ["margin", "90 % interval", "TOST p", "worst emotion", "TOST p in it"]
    frame = pd.DataFrame(lines, columns=[*WORDS_OF_ROWS, *heads], dtype=object)
    return frame if any(row["worst_emotion"] for row in rows) else frame.drop(columns=heads[-2:])


def shown_emotions(record: Record, rows: Sequence[Term]) -> "pd.DataFrame":
    """Return rows of emotions as texts under heads to be read."""
    import pandas as pd

    lines = []
    for row in rows:
        words = (row.term, row.emotion, row.level, row.reference, row.subset)
        ends = interval(row.joint_low, row.joint_high)
        numbers = [signed(row.in_emotion), signed(row.effect), ends, p_value(row.p), p_value(row.p_adjusted)]
        lines.append(["" if word is None else str(word) for word in words] + numbers)
    columns = ["in it", "against the mean", f"joint {percent(record.confidence)} interval", "p", "p adj. (Šidák)"]
    return pd.DataFrame(lines, columns=["term", "emotion", "level", "against", "subset", *columns])


def terms_table(record: Record, layout: Layout) -> str:
    """Lay the terms out; CSV with every column at full precision."""
    if layout == "csv":
        return lay_out(frame_of(record.terms), "csv")
    leading = [key for key in LEADING if key in record.terms[0]]
    return lay_out(shown_terms(record, rows_as_shown(record), leading), layout, left=len(leading) + LEFT)


def flip_table(rows: Sequence[AnyRow], layout: Layout) -> str:
    """Lay out how often the predicted class changes with the person."""
    import pandas as pd

    keys = [*(key for key in rows[0] if key not in FLIP_KEYS), *FLIP_KEYS]
    frame = pd.DataFrame(list(rows), columns=keys, dtype=object)
    if layout != "csv":
        frame.columns = pd.Index([key.removeprefix("n_").replace("_", " ") for key in keys])
    return lay_out(frame, layout, left=keys.index("flip_rate"))


def frame_of(terms: Sequence[AnyRow], library: str = "pandas") -> Any:
    """Return terms as a frame; in polars columns have their types also where no row has a number.

    Raises
    ------
    OptionError
        If the library is unknown, or not installed.
    """
    one_of("library", library, ("pandas", "polars"))
    columns = [*(key for row in terms[:1] for key in row if key not in TERM_KEYS), *TERM_KEYS]
    try:
        if library == "pandas":
            import pandas as pd

            return pd.DataFrame([dict(row) for row in terms], columns=columns)
        import polars as pl
    except ImportError as error:
        raise OptionError(f"to_frame({library!r}) needs {library}: pip install {library}") from error
    kinds = dict.fromkeys(TERM_KEYS, pl.Float64) | dict.fromkeys(COUNTS, pl.Int64) | dict.fromkeys(WORDS, pl.String)
    kinds = {name: kind for name, kind in kinds.items() if name in columns}
    return pl.DataFrame({name: [row[name] for row in terms] for name in columns}, schema_overrides=kinds, strict=False)


RATE_COLUMNS = {
    "n": "n", "rate": "rate", "effect": "difference", "ci_low": "difference_low", "ci_high": "difference_high",
    "ratio": "ratio", "ratio_low": "ratio_low", "ratio_high": "ratio_high", "rough": "rough",
}  # fmt: skip
"""Columns of a frame of rates, by the keys of their rows."""


def rates_frame(rows: Sequence[Row]) -> Any:
    """Return rows of rates as a frame of pandas, a row per group; the reference of several groups is there once."""
    import pandas as pd

    found: list[Row] = []
    for row in rows:
        place = leading(row) | {
            "subset": row["subset"],
            "axes": row["axes"],
            "within": row["term"].partition("|")[2],
        }
        numbers = {name: row[key] for key, name in RATE_COLUMNS.items()}
        found.append(place | {"group": row["level"], "reference": row["reference"]} | numbers)
        if row["n_reference"] is not None:
            of_reference = dict.fromkeys(numbers) | {"n": row["n_reference"], "rate": row["rate_reference"]}
            alone = place | {"group": row["reference"], "reference": None} | of_reference
            if alone not in found:
                found.append(alone)
    columns = ["subset", "axes", "within", "group", "reference", *RATE_COLUMNS.values()]
    return pd.DataFrame(found, columns=[*(key for key in LEADING if any(key in row for row in found)), *columns])
