"""Results as tables for papers: text, CSV, LaTeX."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from .camara import EMOTIONS, LABEL, camara_table
from .class_flips import FLIP_KEYS
from .kiritchenko import PairStudy
from .kiritchenko_tables import summary_table
from .options import Layout, one_of
from .published import align
from .report import p_value, plain, signed
from .result import TERM_KEYS

LAYOUTS: tuple[str, ...] = ("text", "csv", "latex")

COLUMNS = ("term", "level", "reference", "subset", "effect", "ci_low", "ci_high", "p", "p_adjusted", "mde", "beta")
"""Columns of a table to be read; CSV has all."""

_SPECIAL = {"&": r"\&", "_": r"\_", "%": r"\%", "#": r"\#", "–": "--", "<": "$<$", "|": r"$\vert$"}


def terms_table(rows: Sequence[Mapping[str, Any]], leading: Sequence[str], layout: Layout) -> str:
    """Lay terms out; CSV with every column at full precision.

    Parameters
    ----------
    rows : sequence of dict
        Terms.
    leading : sequence of str
        Keys before `TERM_KEYS`.
    layout : {"text", "csv", "latex"}
        The form.

    Raises
    ------
    OptionError
        If the layout is unknown.
    """
    one_of("layout", layout, LAYOUTS)
    if layout == "csv":
        return _csv(rows, (*leading, *TERM_KEYS))
    return _lay_out(rows, (*leading, *COLUMNS), layout)


def flip_table(rows: Sequence[Mapping[str, Any]], layout: Layout) -> str:
    """Lay out how often the predicted class changes with the person."""
    one_of("layout", layout, LAYOUTS)
    leading = [key for key in rows[0] if key not in FLIP_KEYS]
    if layout == "csv":
        return _csv(rows, (*leading, *FLIP_KEYS))
    return _lay_out(rows, (*leading, *FLIP_KEYS), layout)


def published_tables(result: Any, study: PairStudy | None, layout: Layout) -> dict[str, str]:
    """Lay a published procedure out as its paper does.

    Parameters
    ----------
    result : Result
        Of ``camara2022``, or
    study : PairStudy
        of ``kiritchenko2018``.
    layout : {"text", "csv", "latex"}
        The form.
    """
    one_of("layout", layout, LAYOUTS)
    if study is None:
        if all(row.get("task") in EMOTIONS for row in result.terms):
            label = result.signature.data.partition("#")[0]
            return {"coefficients": camara_table({label: {"terms": result.terms}}, layout)}
        # The article's layout has a column per emotion; without tasks there are none.
        text = terms_table(result.terms, [key for key in ("system", "task") if key in result.terms[0]], layout)
        return {"coefficients": {"text": f"{text}\n\n{LABEL}", "latex": f"{text}% {LABEL}\n"}.get(layout, text)}
    pairs = dict.fromkeys((detail["term"], detail["subset"]) for detail in study.details)
    return {f"{term}, {subset}": summary_table(study, term, subset, layout) for term, subset in pairs}


def _csv(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(keys)
    writer.writerows(["" if row[key] is None else row[key] for key in keys] for row in rows)
    return text.getvalue()


def _lay_out(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], layout: Layout) -> str:
    lines = [list(keys), *([_cell(key, row[key]) for key in keys] for row in rows)]
    left = next(i for i, key in enumerate(keys) if key in ("effect", "flip_rate"))
    if layout == "text":
        return align(lines, left=left)
    body = [" & ".join("".join(_SPECIAL.get(c, c) for c in cell) for cell in line) + r" \\" for line in lines]
    columns = "l" * left + "r" * (len(keys) - left)
    return (
        "\n".join(
            [
                rf"\begin{{tabular}}{{{columns}}}",
                r"\toprule",
                body[0],
                r"\midrule",
                *body[1:],
                r"\bottomrule",
                r"\end{tabular}",
            ]
        )
        + "\n"
    )


def _cell(key: str, value: Any) -> str:
    if key in ("p", "p_adjusted"):
        return p_value(value)
    if isinstance(value, float) or value is None:
        return plain(value) if key in ("mde", "flip_rate", "within_rate") else signed(value)
    return str(value)
