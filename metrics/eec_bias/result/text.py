"""A result as text: the table, how to read it, what it does not say, and the signature."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from eec_bias.grouping import grouped
from eec_bias.result.frame import NAME
from eec_bias.result.numbers import count, interval, signed
from eec_bias.result.record import Record, record_of
from eec_bias.result.signature import adjusted
from eec_bias.result.tables import LEFT, flip_table, lay_out, shown_terms
from eec_bias.result.verdict import by_pairs, compares, judge_comparisons
from eec_bias.result.words import caveat, label, place_of, say_adjusted, say_equivalence, say_rates, sentence, units
from eec_bias.stats.layout import units_of


def report(result: Any) -> str:
    """Lay a result out as text: per system, task, stratum and output a table and its reading, then what to know.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.

    Returns
    -------
    str
        Tables, readings, notes, caveat, the tables of a published procedure, and the signature.
    """
    record = record_of(result)
    blocks = [_block(part, heading) for heading, part in _parts(record)]
    alone = " where it is tested alone" if adjusted(record.signature) else ""
    columns = [f"detectable: the smallest effect found with 80 % power{alone}", "beta: logit scale"]
    explained = columns if judge_comparisons(record) else []
    scale = f"{'; '.join(filter(None, [units(record), say_adjusted(record), *explained]))}."
    notes = [f"Note: {note}" for note in (*record.notes, *_fit_notes(record))]
    flips = [flip_table(record.flips, "text")] if record.flips else []
    laid_out = {} if record.study is None else record.study.tables("text")
    # Some tables begin with their name.
    tables = [
        table if len(laid_out) == 1 or table.startswith(f"{name}\n") else f"{name}\n{table}"
        for name, table in laid_out.items()
    ]
    filled = [block for block in blocks if block]
    return "\n\n".join([*filled, "\n".join([scale, *notes, caveat(record)]), *flips, *tables, str(record.signature)])


def _parts(record: Record) -> Iterator[tuple[str, Record]]:
    """The result of each system, task, stratum and output by itself."""
    kinds = ("terms", "cells", "no_spread", "rates", "equivalence", "bootstrap", "variances")
    rows_by_place = grouped((_heading(row), (kind, row)) for kind in kinds for row in getattr(record, kind))
    for heading, rows in rows_by_place.items():
        rows_by_kind = grouped(rows)
        parts: dict[str, Any] = {kind: tuple(rows_by_kind.get(kind, ())) for kind in kinds}
        yield heading, replace(record, **parts)


def _heading(row: Mapping[str, Any]) -> str:
    place = place_of(row)
    return f"System: {place}" if row.get("system") is not None else place


def _block(record: Record, heading: str) -> str:
    """What is said of one system, task, stratum and output."""
    parts, judged = [_measures(record)], judge_comparisons(record)
    if judged:
        readings = [f"- {sentence(record, *each)}" for each in judged]
        parts += [_ruled(shown_terms(record, judged), LEFT), "\n".join(readings)]
    equivalence = partial(say_equivalence, record)
    beside = ((record.rates, say_rates), (record.equivalence, equivalence), (record.bootstrap, _resampled))
    for rows, line in beside:
        parts.append("\n".join(f"- {line(row)}" for row in by_pairs(record, rows)))
    parts.append("\n".join(_spread(record.variances)))
    text = "\n\n".join(part for part in parts if part)
    return f"{heading}\n{text}" if heading and text else text


def _ruled(frame: Any, left: int) -> str:
    """Lay a table out with a rule below its head."""
    head, *lines = lay_out(frame, "text", left=left).split("\n")
    return "\n".join([head, "-" * max(map(len, [head, *lines])), *lines])


def _measures(record: Record) -> str:
    """Lay one system's measures out that compare no groups, those of single names left to their table."""
    import pandas as pd

    rows = [row for row in record.terms if not compares(row) and row["axes"] != NAME]
    if not rows or record.method == "rating":
        return ""
    lines = [[row["term"], _group(row), signed(row["effect"]), interval(row["ci_low"], row["ci_high"])] for row in rows]
    return _ruled(pd.DataFrame(lines, columns=["measure", "at", "value", "95 % interval"]), 2)


def _group(row: Mapping[str, Any]) -> str:
    """The threshold of a measure, or the group that it is of."""
    if row["level"] is None:
        return ""
    return f"≥ {row['level']}" if row["axes"] is None else f"{row['axes']} {row['level']} – {row['reference']}"


def _resampled(row: Mapping[str, Any]) -> str:
    """Give the bootstrap interval of one estimate."""
    subject = f"{label(row)}: bootstrap over {units_of(row['subset'])}, {row['estimate']}"
    if row["value"] is None or row["ci_low"] is None:
        return f"{subject} not estimated."
    bca = "" if row["bca_low"] is None else f", BCa {interval(row['bca_low'], row['bca_high'])}"
    ends = interval(row["ci_low"], row["ci_high"])
    return f"{subject} {signed(row['value'])}, 95 % interval {ends}{bca} ({count(row['replicates'], 'sample')})."


def _spread(rows: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """Say where scores vary within groups, one line per subset; nothing where nothing varies."""
    for subset, sources in grouped((row["subset"], row) for row in rows if row["share"] is not None).items():
        percents = _percents([row["share"] for row in sources])
        parts = ", ".join(f"{row['source']} {percent}%" for row, percent in zip(sources, percents, strict=True))
        yield f"Variance within groups ({subset}): {parts}."


def _percents(shares: Sequence[float]) -> list[int]:
    """Whole numbers of percent that add up as the shares do: those with the largest remainders are rounded up."""
    exact = [100 * share for share in shares]
    whole = [int(percent) for percent in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    up = by_remainder[: round(sum(exact)) - sum(whole)]
    return [percent + (i in up) for i, percent in enumerate(whole)]


def _fit_notes(record: Record) -> list[str]:
    """Why beta is missing, and what was touched to get it; once per reason."""
    placed = (
        (_fit_note(fit, *record.score_range), ", ".join(filter(None, (place_of(fit), fit["subset"]))))
        for fit in record.fits
    )
    by_text = grouped((text, places) for text, places in placed if text)
    return [f"{text} ({'; '.join(places[:3])}{' …' if len(places) > 3 else ''})" for text, places in by_text.items()]


def _fit_note(fit: Mapping[str, Any], low: float, high: float) -> str:
    if fit["reason"]:
        at_ends = fit["touched"] and fit["edge"] == "none" and fit.get("output") in (None, "score")
        edge = f"; {fit['touched']} scores at {low:g} or {high:g}" if at_ends else ""
        return f"beta is not given: {fit['reason']}{edge}"
    touched = f"beta rests on scores changed by edge {fit['edge']}: {fit['touched']} at or beyond the edges"
    return touched if fit["touched"] else ""
