"""A result as text: the table, how to read it, what it does not say, and the signature."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eec_bias.methods.perturbation_tables import MEASURES, measure_lines
from eec_bias.result.frame import Row
from eec_bias.result.numbers import p_is, p_value, plain, signed
from eec_bias.result.shown import COLUMNS, cells_of, compares, place_of, shown_terms
from eec_bias.result.tables import flip_table
from eec_bias.stats.contrasts import ANY

__all__ = ["CAVEAT", "p_is", "p_value", "plain", "reading", "report", "signed"]

CAVEAT = (
    "A deterministic system on a fixed corpus has no sampling error. The p-values and intervals refer to populations "
    "of names and sentences of which these are a sample, and not a random one. No finding here shows that a system "
    "is free of bias: other names, sentences, languages and groups were not measured."
)

HEADERS = (*COLUMNS, "beta")


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
    content = _titled(result if isinstance(result, Mapping) else result.to_dict())
    blocks = []
    for title, rows in _by_title(content["terms"]):
        head = [f"System: {title}"] if title is not None else []
        beside = [line for part in ("equivalence", "bootstrap", "variances") for line in _beside(content, part, title)]
        tested = [row for row in rows if compares(row)]
        lines = measure_lines(rows) if any(row["term"] in MEASURES for row in rows) else []
        if tested:
            lines += [*([""] if lines else []), *_table(tested), "", *(f"- {reading(row)}" for row in tested)]
        if lines or beside:
            blocks.append("\n".join([*head, *lines, *beside]))
    notes = [f"Note: {note}" for note in [*content["notes"], *_fit_notes(content["fits"])]]
    low, high = content["score_range"]
    scale = (
        f"Effects are in the units of the scores, declared as [{low:g}, {high:g}]; p adj. is for all rows of one "
        "system and subset; detectable: the smallest effect found with 80 % power; beta: logit scale."
    )
    flips = [flip_table(content["flips"], "text")] if content.get("flips") else []
    tables = dict(content.get("tables") or {}).values()
    whole = [*blocks, "\n".join([scale, *notes, CAVEAT]), *flips, *tables, str(content["signature"])]
    return "\n\n".join(whole)


def _titled(content: Mapping[str, Any]) -> dict[str, Any]:
    """Give every row one key ``title`` for what it is about; drop p that stand for adjusted ones and are not."""
    parts = ("terms", "fits", "equivalence", "bootstrap", "variances")
    found = {**content, **{part: [_with_title(row) for row in content.get(part, ())] for part in parts}}
    found["terms"] = shown_terms(found)
    return found


def _with_title(row: Mapping[str, Any]) -> Row:
    return {**row, "title": place_of(row) or None}


def _by_title(terms: Sequence[Mapping[str, Any]]) -> Iterable[tuple[str | None, list[Mapping[str, Any]]]]:
    groups: dict[str | None, list[Mapping[str, Any]]] = {}
    for row in terms:
        groups.setdefault(row["title"], []).append(row)
    return groups.items()


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    cells = [HEADERS, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(HEADERS))]
    lines = []
    for line in cells:
        texts = [
            text.ljust(w) if i < 4 else text.rjust(w) for i, (text, w) in enumerate(zip(line, widths, strict=True))
        ]
        lines.append("  ".join(texts).rstrip())
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    return *cells_of(row), signed(row["beta"])


def reading(row: Mapping[str, Any]) -> str:
    """Say in a sentence what one row shows."""
    what = _comparison(row)
    if row["level"] == ANY:
        text = _reading_any(row)
    elif row["effect"] is None:
        text = f"{what}: not estimated"
    elif row["p"] is None:
        text = f"{what}: differs by {signed(row['effect'])}, without a test"
    elif row["effect"] == 0 and row["se"] == 0:
        text = f"{what}: the effect is 0"
    elif _decisive(row) < 0.05:
        text = f"{what}: {_difference(row)} ({_p_text(row)})"
    else:
        found = f", smallest detectable: {plain(row['mde'])}" if row["mde"] is not None else ""
        text = (
            f"{what}: no detectable difference at this sample size (effect {signed(row['effect'])}, "
            f"{_p_text(row)}{found})"
        )
    return f"{text}. {_sentence(row['note'])}".rstrip()


def _reading_any(row: Mapping[str, Any]) -> str:
    """Say what the omnibus test of a term with several levels shows."""
    what = f"{row['term']}, any level ({row['subset']})"
    if row["p"] is None:
        return f"{what}: without a test"
    if _decisive(row) < 0.05:
        return f"{what}: some levels differ ({_p_text(row)})"
    return f"{what}: no detectable difference between levels at this sample size ({_p_text(row)})"


def _decisive(row: Mapping[str, Any]) -> float:
    return float(row["p"] if row["p_adjusted"] is None else row["p_adjusted"])


def _p_text(row: Mapping[str, Any]) -> str:
    kind = "not adjusted" if row["p_adjusted"] is None else "adjusted"
    return f"p {p_is(_decisive(row))} {kind}"


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:] + "." if note else ""


def _difference(row: Mapping[str, Any]) -> str:
    if "+" in row["axes"]:
        return f"the effects depend on each other, by {signed(row['effect'])}"
    return f"scores are {'higher' if row['effect'] > 0 else 'lower'} by {plain(abs(row['effect']))}"


def _comparison(row: Mapping[str, Any]) -> str:
    return f"{row['term']}, {row['level']} against {row['reference']} ({row['subset']})"


def _beside(content: Mapping[str, Any], part: str, title: str | None) -> list[str]:
    """Lines on equivalence, bootstrap or variance under one title; none where there are no such rows."""
    rows = [row for row in content[part] if row["title"] == title]
    if not rows:
        return []
    if part == "variances":
        return ["", *_spread(rows)]
    line = _equivalent if part == "equivalence" else _resampled
    return ["", *(f"- {line(row)}" for row in rows)]


def _equivalent(row: Mapping[str, Any]) -> str:
    """Say whether an effect lies within the margin the user stated."""
    what, margin = _comparison(row), plain(row["margin"])
    if row["p_equivalence"] is None:
        return f"{what}: equivalence within ±{margin} has no test, the standard error is 0."
    interval = f"90 % interval [{signed(row['ci90_low'])}, {signed(row['ci90_high'])}]"
    p = f"TOST p {p_is(row['p_equivalence'])}, not adjusted"
    if row["p_equivalence"] < 0.05:
        return f"{what}: equivalent within ±{margin}, the margin stated ({interval}, {p})."
    return f"{what}: not shown to be equivalent within ±{margin} ({interval}, {p})."


def _resampled(row: Mapping[str, Any]) -> str:
    """Give the bootstrap interval of one estimate."""
    what = f"{_comparison(row)}: bootstrap over {'persons' if row['subset'] == 'names' else 'rows'}, {row['estimate']}"
    if row["value"] is None or row["ci_low"] is None:
        return f"{what} not estimated."
    bca = f", BCa [{signed(row['bca_low'])}, {signed(row['bca_high'])}]" if row["bca_low"] is not None else ""
    return (
        f"{what} {signed(row['value'])}, 95 % interval [{signed(row['ci_low'])}, {signed(row['ci_high'])}]{bca} "
        f"({row['replicates']} samples)."
    )


def _spread(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say where scores vary within groups, one line per subset."""
    lines = []
    for subset in dict.fromkeys(row["subset"] for row in rows):
        parts = [
            f"{row['source']} {row['share']:.0%}"
            for row in rows
            if row["subset"] == subset and row["share"] is not None
        ]
        lines.append(f"Variance within groups ({subset}): {', '.join(parts) or 'none'}.")
    return lines


def _fit_notes(fits: Sequence[Mapping[str, Any]]) -> list[str]:
    """Why beta is missing, and what was touched to get it; once per reason."""
    found: dict[str, list[str]] = {}
    for fit in fits:
        who = ", ".join(str(fit[key]) for key in ("title", "subset") if fit[key] is not None)
        if fit["reason"]:
            text = f"beta is not given: {fit['reason']}"
            text += f"; {fit['touched']} scores at 0 or 1" if fit["touched"] and fit["edge"] == "none" else ""
            found.setdefault(text, []).append(who)
        elif fit["touched"]:
            text = f"beta rests on scores changed by edge={fit['edge']}: {fit['touched']} at or beyond the edges"
            found.setdefault(text, []).append(who)
    return [f"{text} ({'; '.join(who[:3])}{' …' if len(who) > 3 else ''})" for text, who in found.items()]
