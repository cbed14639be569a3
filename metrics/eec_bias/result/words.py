"""Names of the numbers of a result: its rows, its p, its intervals, its units."""

from collections.abc import Iterable, Mapping
from typing import Any

from eec_bias.options import ANY
from eec_bias.result.frame import NO_UNIT, PAIRWISE, leading
from eec_bias.result.numbers import percent
from eec_bias.result.record import Record

FACETS = {"names": "names", "templates": "templates", "words": "words", "items": "sentences", "runs": "runs"}
"""Words for the samples of a test, by their names in the facts of a result."""


def adjusts_across(record: Record) -> bool:
    """Return whether p is adjusted over the rows of all systems together."""
    return record.facts.adjust.startswith("bonferroni")


def say_adjusted(record: Record) -> str:
    """Say for what p is adjusted; empty if it is not."""
    if record.plan is None:
        tests = record.facts.adjust.partition("/")[2]
        return f"p adj. is p multiplied by {tests}, and at most 1" if tests else ""
    main, second = len(record.plan.main), len(record.plan.second)
    said = f"p adj. is p multiplied by 2 × {main} (twice the number of main questions)"
    return f"{said}, and for emotions by 2 × {second}" if second else said


def p_name(record: Record) -> str:
    """Name the p that decides: ``p adj. (plan)``, ``p adj. (Bonferroni)``, or ``p``."""
    if record.plan:
        return "p adj. (plan)"
    return "p adj. (Bonferroni)" if adjusts_across(record) else "p"


def interval_name(record: Record) -> str:
    """Name the interval, which is that of one term by itself."""
    name = f"{percent(record.confidence)} interval"
    return f"{name}, not adjusted" if record.facts.adjusted else name


def units(record: Record) -> str:
    """The units of the effects, in words."""
    low, high = record.score_range
    declared = "declared as"
    if record.facts.compared:
        declared = "whose differences lie in"
    elif record.facts.score_range is None:
        declared = "whose range is not known, here"
    rates = any(str(row.get("output") or "").startswith("rate[") for row in record.terms)
    others = (", those on rates in shares of sentences" if rates else "") + say_no_unit(record.terms)
    return f"Effects are in the units of the scores, {declared} [{low:.12g}, {high:.12g}]{others}"


def say_no_unit(rows: Iterable[Mapping[str, Any]]) -> str:
    """The terms whose effects have no unit, as the end of a sentence on units; empty where there are none."""
    terms = sorted({row["term"] for row in rows} & {*NO_UNIT})
    return f", those under {' and '.join(terms)} without a unit" if terms else ""


def caveat(*records: Record) -> str:
    """Say what the p-values of some results are about, and what no result shows."""
    parts = [sample for record in records for sample in record.facts.samples]
    untold = ["names", "items"] if any(record.method == "default" for record in records) else ["items"]
    sampled = [name for name in FACETS if name in parts] or untold
    *first, last = [FACETS[name] for name in sampled]
    listed = f"{', '.join(first)} and {last}" if first else last
    return (
        "A deterministic system gives the same scores in every run. So the p-values and intervals allow for other "
        f"{listed} of the same kind. The corpus has a sample of these, but not a random sample. No finding here "
        "shows that a system is free of bias: other names, sentences, languages and groups were not measured."
    )


def place_of(row: Mapping[str, Any]) -> str:
    """Return system, task, stratum and output of a row in words; empty where there is one of each."""
    return ", ".join(
        str(value) if key in ("system", "output") else f"{key} {value}" for key, value in leading(row).items()
    )


def is_interaction(row: Mapping[str, Any]) -> bool:
    """Return whether a row is of an interaction, a difference of differences."""
    return ":" in row["term"].partition("|")[0]


def label(row: Mapping[str, Any]) -> str:
    """Name what a row compares; an interaction as the difference of differences that it is."""
    term, condition, level, reference = _named(row)
    subset = ", ".join([*condition, row["subset"]])
    if level == ANY:
        return f"{term}, any level ({subset})"
    against = f" against {reference}" if reference else ""
    if is_interaction(row):
        return f"difference of differences, {term}: {level}{against} ({subset})"
    return f"{term}{f', {level}' if level else ''}{against} ({subset})"


def short_label(row: Mapping[str, Any]) -> str:
    """Name what a row compares on the axis of a figure: ``gender: female – male``."""
    term, condition, level, reference = _named(row)
    term = ", ".join([term, *condition])
    if level == ANY:
        return f"{term}, any level"
    compared = " – ".join(filter(None, (level, reference)))
    interaction = ", diff. of differences" if is_interaction(row) else ""
    return f"{term}{f': {compared}' if compared else ''}{interaction}"


def _named(row: Mapping[str, Any]) -> tuple[str, list[str], str | None, str | None]:
    """The term, axes crossed in it with ×, what a simple effect is taken within, the level, and what it is against."""
    term, _, condition = row["term"].partition("|")
    reference = row["reference"] if not is_interaction(row) or row.get(PAIRWISE) else None
    return term.replace(":", " × "), [condition] if condition else [], row["level"], reference
