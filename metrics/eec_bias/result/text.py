"""A result as text for who checks numbers: its rows, what to know of them, and the signature."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from eec_bias.grouping import grouped
from eec_bias.result.frame import NAME, compares
from eec_bias.result.numbers import interval, percent, signed
from eec_bias.result.record import ATTRIBUTES, Record, record_of
from eec_bias.result.signals import note_no_slopes
from eec_bias.result.tables import (
    LEFT,
    by_pairs,
    flip_table,
    lay_out,
    rows_as_shown,
    shown_emotions,
    shown_equivalence,
    shown_rates,
    shown_terms,
)
from eec_bias.result.words import caveat, label, p_name, place_of, say_adjusted, units

EMOTIONS_EXPLAINED = (
    "Rows of emotions: “in it” is the effect on the sentences with this emotion. “against the mean” is this effect "
    "minus the mean over emotions. Intervals and p allow for all emotions of a row together (Šidák). The row “any” "
    "tests if the effect differs between emotions at all. The adjusted p of other rows do not count these rows."
)
"""Explanation of the table of emotions."""


def report(result: Any, *, emotions: bool = False) -> str:
    """Lay the numbers of a result out as text, a table per system, task, stratum and output; print it to read it.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    emotions : bool
        Whether to print the rows of every emotion too.

    Returns
    -------
    str
        Tables, notes, caveat, the tables of a published procedure, and the signature.
    """
    record = record_of(result)
    kinds = ("terms", "cells", "rates", "equivalence", "variances", "signals")
    rows_by_place = grouped((_heading(row), (kind, row)) for kind in kinds for row in record.beside(kind))
    blocks = []
    for heading, rows in rows_by_place.items():
        own = grouped(rows)
        parts: dict[str, Any] = {ATTRIBUTES.get(kind, kind): tuple(own.get(kind, ())) for kind in kinds}
        text = "\n\n".join(filter(None, _blocks(replace(record, **parts), emotions=emotions)))
        blocks.append(f"{heading}\n{text}" if heading and text else text)
    scale = [units(record), say_adjusted(record)]
    if _compared(record):
        scale += [
            f"detectable: the smallest effect that the test would catch 8 times in 10 at the level of {p_name(record)}"
        ]
        scale += ["beta: logit scale"]
    notes = [f"Note: {note}" for note in (*record.notes, *_fit_notes(record))]
    flips = flip_table(record.flips, "text") if record.flips else ""
    laid_out = {} if record.study is None else record.study.tables("text")
    # Some tables begin with their name.
    tables = [
        table if len(laid_out) == 1 or table.startswith(f"{name}\n") else f"{name}\n{table}"
        for name, table in laid_out.items()
    ]
    about = "\n".join([f"{'; '.join(filter(None, scale))}.", *notes, caveat(record)])
    return "\n\n".join(filter(None, [*blocks, about, flips, *tables, str(record.signature)]))


def _heading(row: Mapping[str, Any]) -> str:
    return f"System: {place_of(row)}" if row.get("system") is not None else place_of(row)


def _compared(record: Record) -> list[Any]:
    """Return the rows that compare groups; those of a rating are left to its tables."""
    return [] if record.method == "rating" else [row for row in rows_as_shown(record) if compares(row)]


def _blocks(record: Record, *, emotions: bool) -> Iterator[str]:
    """Yield the tables of one system, task, stratum and output, and what to know of their rows."""
    yield _measures(record)
    if rows := _compared(record):
        yield _ruled(shown_terms(record, rows), LEFT)
        yield "\n".join(_remarks(rows))
    if emotions:
        yield emotion_table(record)
    if record.rate_rows:
        yield _ruled(shown_rates(record, by_pairs(record, record.rate_rows)), LEFT)
    if record.equivalence:
        yield _ruled(shown_equivalence(by_pairs(record, record.equivalence)), LEFT)
    yield "\n".join(_spread(record.variances))
    yield "\n".join(f"{note}." for note in note_no_slopes(record.signals, record.alpha))


def _remarks(rows: Sequence[Any]) -> Iterator[str]:
    """Yield why numbers are rough, and what else is known of rows, each once with the rows that it is about."""
    by_remark: dict[str, list[str]] = {}
    for row in rows:
        for remark in (row["rough"] and f"Rough, {row['rough']}", row["note"]):
            if remark:
                by_remark.setdefault(f"{remark[:1].upper()}{remark[1:]}", []).append(label(row))
    for remark, labels in by_remark.items():
        yield f"{remark}: {'; '.join(labels)}."


def emotion_table(result: Any) -> str:
    """Lay out how each difference differs between emotions, and say how to read it; empty if there are no such rows.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    """
    rows = record_of(result).by_emotion
    return f"{_ruled(shown_emotions(record_of(result), rows), LEFT + 1)}\n\n{EMOTIONS_EXPLAINED}" if rows else ""


def _ruled(frame: Any, left: int) -> str:
    """Lay a table out with a rule below its head."""
    head, *lines = lay_out(frame, "text", left=left).split("\n")
    return "\n".join([head, "-" * max(map(len, [head, *lines])), *lines])


def _measures(record: Record) -> str:
    """The measures of one system that compare no groups, as a table; single names have one of their own."""
    import pandas as pd

    lines = []
    for row in record.overall if record.method != "rating" else ():
        if not compares(row) and row["axes"] != NAME:
            # The threshold of a measure, or the group that it is of.
            group = f"{row['axes']} {row['level']} – {row['reference']}" if row["axes"] else f"≥ {row['level']}"
            ends = interval(row["ci_low"], row["ci_high"])
            lines.append([row["term"], group if row["level"] else "", signed(row["effect"]), ends])
    if not lines:
        return ""
    columns = ["measure", "at", "value", f"{percent(record.confidence)} interval"]
    return _ruled(pd.DataFrame(lines, columns=columns), 2)


def _spread(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield where scores vary within groups, a line per subset; empty where nothing varies."""
    for subset, sources in grouped((row["subset"], row) for row in rows if row["share"] is not None).items():
        exact = [100 * row["share"] for row in sources]
        percents = [int(percent) for percent in exact]
        # Whole numbers that add up as the shares do: those with the largest remainders are rounded up.
        by_remainder = sorted(range(len(exact)), key=lambda i: percents[i] - exact[i])
        for i in by_remainder[: round(sum(exact)) - sum(percents)]:
            percents[i] += 1
        parts = ", ".join(f"{row['source']} {percent}%" for row, percent in zip(sources, percents, strict=True))
        yield f"Variance within groups ({subset}): {parts}."


def _fit_notes(record: Record) -> Iterator[str]:
    """Why beta is missing, and which scores were moved to fit it; once per reason."""
    low, high = record.score_range
    by_text: dict[str, list[str]] = {}
    for fit in record.fits:
        text = f"beta rests on scores changed by edge {fit['edge']}: {fit['touched']} at or beyond the edges"
        if fit["reason"]:
            at_ends = fit["touched"] and fit["edge"] == "none" and fit.get("output") in (None, "score")
            edge = f"; {fit['touched']} scores at {low:g} or {high:g}" if at_ends else ""
            text = f"beta is not given: {fit['reason']}{edge}"
        if fit["reason"] or fit["touched"]:
            by_text.setdefault(text, []).append(", ".join(filter(None, (place_of(fit), fit["subset"]))))
    for text, places in by_text.items():
        yield f"{text} ({'; '.join(places[:3])}{' …' if len(places) > 3 else ''})"
