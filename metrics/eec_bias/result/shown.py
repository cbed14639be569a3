"""What badges, model cards and notebooks take from a result: its rows, as they may be shown."""

from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.errors import OptionError, ResultError
from eec_bias.methods.perturbation_tables import MEASURES
from eec_bias.methods.rating_rows import of_rating
from eec_bias.result.frame import LEADING, Row
from eec_bias.result.numbers import p_value, plain, signed
from eec_bias.result.signature import adjusted
from eec_bias.stats.contrasts import ANY

COLUMNS = ("term", "level", "against", "subset", "effect", "95 % interval", "p", "p adj.", "detectable")
"""Head of a table to be read."""


def content_of(result: Any) -> Mapping[str, Any]:
    """Return a result as a dict.

    Raises
    ------
    ResultError
        If it is no result.
    """
    content = result if isinstance(result, Mapping) else getattr(result, "to_dict", dict)()
    if not {"terms", "signature", "score_range"} <= set(content):
        raise ResultError(f"a result was expected, or its dict; this is a {type(result).__name__}")
    return content


def shown_terms(content: Mapping[str, Any]) -> list[Row]:
    """Return the rows of terms; p that stand for adjusted ones and are not are dropped."""
    if not adjusted(content["signature"]):
        return [{**row, "p_adjusted": None} for row in content["terms"]]
    return [dict(row) for row in content["terms"]]


def of_one(rows: Sequence[Row], **where: str | None) -> list[Row]:
    """Choose the rows of one system, task, stratum and output.

    Parameters
    ----------
    rows : sequence of dict
        Of a result.
    **where
        Wanted values by key of `LEADING`; None where there is nothing to choose from.

    Raises
    ------
    OptionError
        If there are none, or several are left.
    """
    for key, wanted in where.items():
        if wanted is None:
            continue
        there = list(dict.fromkeys(str(row[key]) for row in rows if row.get(key) is not None))
        if wanted not in there:
            raise OptionError(f"{key}={wanted!r}: the result has {', '.join(there) or f'no {key}'}")
        rows = [row for row in rows if str(row.get(key)) == wanted]
    for key in LEADING:
        found = list(dict.fromkeys(str(row[key]) for row in rows if row.get(key) is not None))
        if len(found) > 1:
            more = f" and {len(found) - 6} more" if len(found) > 6 else ""
            raise OptionError(
                f"the result is of several: {key} is {', '.join(found[:6])}{more}; choose one with {key}="
            )
    return list(rows)


def compares(row: Mapping[str, Any]) -> bool:
    """Whether a row compares groups, and is no measure with a table of its own."""
    return row["term"] not in MEASURES and not of_rating(row)


def tested(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that compare two groups: no measures, no ratings, no test over all levels."""
    return [row for row in rows if compares(row) and row["level"] != ANY]


def detected(row: Row) -> bool | None:
    """Whether a difference was found at 5 %, adjusted where p was; None where there is no test."""
    if row["effect"] is None:
        return None
    if row["se"] == 0:
        return bool(row["effect"] != 0)
    p = row["p"] if row["p_adjusted"] is None else row["p_adjusted"]
    return None if p is None else bool(p < 0.05)


def place_of(row: Mapping[str, Any]) -> str:
    """Return system, task, stratum and output of a row in words; empty where there is one of each."""
    return ", ".join(
        str(row[key]) if key in ("system", "output") else f"{key} {row[key]}"
        for key in LEADING
        if row.get(key) is not None
    )


def cells_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of a row below `COLUMNS`."""
    interval = "–" if row["ci_low"] is None else f"[{signed(row['ci_low'])}, {signed(row['ci_high'])}]"
    words = ("" if row[key] is None else str(row[key]) for key in ("term", "level", "reference", "subset"))
    numbers = (p_value(row["p"]), p_value(row["p_adjusted"]), plain(row["mde"]))
    return *words, signed(row["effect"]), interval, *numbers
