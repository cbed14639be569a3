"""Verdicts in English: the sentence on one row, its label, and its verdict in a few words."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eec_bias.options import ANY, CUE, MEDIAN
from eec_bias.result.frame import NO_UNIT, PAIRWISE, AnyRow, Row, leading
from eec_bias.result.numbers import NONE, interval, p_is, percent, rounded, signed
from eec_bias.result.record import Record
from eec_bias.result.verdict import EQUIVALENCE_LEVEL, Verdict

WORDS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
"""The words themselves."""


def say_verdict(row: Mapping[str, Any], verdict: Verdict) -> str:
    """Say a verdict in a few words, as in a table."""
    whole, kind = row["level"] == ANY, str(verdict.kind)
    if kind == "difference" and whole:
        kind = "levels_differ"
    elif kind == "difference" and is_interaction(row):
        kind = "difference_of_differences"
    elif kind == "not_estimable" and (whole or row["effect"] is not None):
        kind = "not_tested"
    elif verdict.averaged and verdict.found:
        kind = "on_average"
    return f"{WORDS['short'][kind]}, rough" if verdict.rough else WORDS["short"][kind]


def adjustment(record: Record) -> str:
    """Name how p is adjusted: ``plan``, or as a published procedure does it; empty if it is not."""
    how = record.facts.adjust.partition("/")[0]
    return "plan" if record.plan else WORDS["adjustments"].get(how, how)


def adjusts_across(record: Record) -> bool:
    """Whether p is adjusted over the rows of all systems together."""
    return record.facts.adjust.startswith("bonferroni")


def say_adjusted(record: Record) -> str:
    """Say for what p is adjusted; empty if it is not."""
    if record.plan is None:
        tests = record.facts.adjust.partition("/")[2]
        return f"p adj. is p times {tests}, at most 1" if tests else ""
    main, second = len(record.plan.main), len(record.plan.second)
    said = f"p adj. is p times 2 × {main}, the number of main questions"
    return f"{said}, and for emotions times 2 × {second}" if second else said


def p_name(record: Record) -> str:
    """Name the p that decides: ``p adj. (Holm)``, or ``p``."""
    how = adjustment(record)
    return f"p adj. ({how})" if how else "p"


def interval_name(record: Record) -> str:
    """Name the interval, which is that of one term by itself."""
    name = f"{percent(record.confidence)} interval"
    return f"{name}, not adjusted" if record.facts.adjusted else name


def say_p(record: Record, verdict: Verdict) -> str:
    """The p that decides, and whether it is adjusted: ``p adj. (Holm) = .012``."""
    return p_is(verdict.p, p_name(record) if verdict.adjusted else "p")


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


def sampled_facets(*records: Record) -> list[str]:
    """The facets that the tests of some results take as samples; published procedures take sentences."""
    parts = [sample for record in records for sample in record.facts.samples]
    untold = ["names", "items"] if any(record.method == "default" for record in records) else ["items"]
    return [name for name in WORDS["facets"] if name in parts] or untold


def caveat(*records: Record) -> str:
    """The caveat: what p-values are about, and what no result shows."""
    *first, last = [WORDS["facets"][name] for name in sampled_facets(*records)]
    return WORDS["beside"]["caveat"].format(sampled=f"{', '.join(first)} and {last}" if first else last)


def place_of(row: Mapping[str, Any]) -> str:
    """Return system, task, stratum and output of a row in words; empty where there is one of each."""
    return ", ".join(
        str(value) if key in ("system", "output") else f"{key} {value}" for key, value in leading(row).items()
    )


def is_interaction(row: Mapping[str, Any]) -> bool:
    """Whether a row is of an interaction, a difference of differences."""
    return ":" in row["term"].partition("|")[0]


def cues_of(row: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the two cues whose effects a row compares, in words; None of other rows."""
    if str(row["axes"]).rpartition("+")[2] != CUE:
        return None
    first, second = (subset.partition(":")[0] for subset in row["subset"].split("-"))
    return WORDS["cues"].get(first, first), WORDS["cues"].get(second, second)


def by_each_cue(row: Mapping[str, Any]) -> list[Row]:
    """Return the keys of the two rows whose effects a row of cues compares."""
    term, bar, condition = row["term"].partition("|")
    keys = {"term": term.removesuffix(f":{CUE}") + bar + condition, "axes": row["axes"].removesuffix(f"+{CUE}")}
    same = {side: row[side].rpartition(":")[0] for side in ("level", "reference")}
    return [{**row, **keys, **same, "subset": subset} for subset in row["subset"].split("-")]


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


def sentence(record: Record, row: AnyRow, verdict: Verdict) -> str:
    """Say in a sentence what one row shows.

    Parameters
    ----------
    record : Record
        The result that the row is of; says how p was adjusted, and whether two systems were compared.
    row : dict
        A row of terms.
    verdict : Verdict
        Of this row.
    """
    whole, kind = row["level"] == ANY, str(verdict.kind)
    if whole and kind == "difference" and not verdict.tested:
        kind = "difference_by_levels"
    elif not whole and row["effect"] is None:
        kind = "not_estimable"
    elif not whole and kind == "not_estimable":
        kind = "not_tested"
    elif not whole and kind == "same_difference" and verdict.averaged:
        kind = "same_difference_on_average"
    elif kind == "by_emotion" and verdict.p is None:
        kind = "by_emotion_untested"
    said = WORDS["any" if whole else "effect"][kind].format_map(_parts(record, row, verdict))
    if verdict.emotions and verdict.kind != "by_emotion":
        said = f"{said}; it differs by emotion: {_parts(record, row, verdict)['emotions']}"
    return f"{label(row)}: {said}.{remarks(row, verdict)}"


def remarks(row: AnyRow, verdict: Verdict) -> str:
    """Say why the numbers of a row are rough, and what else is to be known of it, to go after a sentence."""
    rough = f" Rough: {row['rough']}." if verdict.rough else ""
    note = f" {row['note'][:1].upper()}{row['note'][1:]}." if row["note"] else ""
    return f"{rough}{note}"


def _parts(record: Record, row: AnyRow, verdict: Verdict) -> dict[str, str]:
    """The values that fill the sentences about a row."""
    alone, effect = ", not adjusted" if verdict.adjusted else "", row["effect"]
    ends = interval(row["ci_low"], row["ci_high"])
    parts = {
        "effect": signed(effect), "size": rounded(effect and abs(effect)), "p": say_p(record, verdict),
        "direction": "higher" if (effect or 0) > 0 else "lower",
        "interval": f"; {percent(record.confidence)} interval {ends}{alone}" if row["ci_low"] is not None else "",
        "detectable": _detectable(row, adjusted=verdict.adjusted),
        "emotions": ", ".join(f"{each.emotion} {signed(each.in_emotion)}" for each in verdict.emotions),
        "unit": "scores" if row.get("output") in (None, "score") else "rates",
        "two": f"the effects of the two systems ({verdict.compared})",
        "on_average": ", on average over the levels of another axis, which differ in it" if verdict.averaged else "",
    }  # fmt: skip
    cues = cues_of(row)
    parts |= dict(zip(("first", "second"), cues or (), strict=False))
    if not effect:
        how = "none"
    elif cues:
        how = "cues"
    else:
        how = "interaction" if is_interaction(row) else "scores"
    words = WORDS["two"] if verdict.compared else WORDS["one"]
    parts["difference"] = words[how if how in words else "scores"].format_map(parts)
    named = ("nothing", "between", "turns", "compared", "differ")
    return parts | {name: words[name].format_map(parts) for name in named}


def _detectable(row: AnyRow, *, adjusted: bool) -> str:
    """Say what could have been found: at the level of the verdict and, where that is another one, by the row alone."""
    if row["mde"] is None:
        return ""
    said = f"; smallest detectable: {rounded(row['mde'])}"
    alone = row.get("mde_alone")
    if not adjusted or alone is None or rounded(alone) == rounded(row["mde"]):
        return said
    return f"{said}, or {rounded(alone)} if this were the only row"


def say_rates(record: Record, row: Mapping[str, Any]) -> str:
    """Say how often two groups are selected, or score above a threshold, and how the rates compare."""
    bounds = f"[{rounded(row['ratio_low'])}, {rounded(row['ratio_high'])}]" if row["ratio_low"] is not None else NONE
    level = percent(record.confidence)
    ratio = WORDS["beside"]["no_ratio" if row["ratio"] is None else "ratio"]
    threshold, key = row["threshold"], "rates" if row["threshold"] is None else "rates_above"
    if threshold is not None:
        threshold = "the median of their item" if threshold == MEDIAN else f"{threshold:g}"
    return WORDS["beside"][key].format(
        label=label(row), threshold=threshold, rate=rounded(row["rate"]), effect=signed(row["effect"]),
        rate_reference=rounded(row["rate_reference"]), ends=interval(row["ci_low"], row["ci_high"]),
        ratio=ratio.format(ratio=rounded(row["ratio"]), bounds=bounds, level=level), level=level,
        rough=f" Rough: {row['rough']}." if row["rough"] else "",
    )  # fmt: skip


def say_equivalence(record: Record, row: Mapping[str, Any]) -> str:
    """Say whether an effect, or the difference of two systems' effects, lies within the margin the user stated."""
    pair, on_average, worst = record.facts.systems_compared, row["p_equivalence"], row["p_worst"]
    if worst is not None and worst < EQUIVALENCE_LEVEL:
        finding = "equivalent"
    elif on_average is not None and on_average < EQUIVALENCE_LEVEL:
        finding = "equivalent on average only"
    else:
        finding = "not shown to be equivalent"
    if on_average is None:
        key = "no_equivalence"
    elif row["worst_emotion"] is None:
        key = "equivalence"
    else:
        key = "equivalence_by_emotion"
    return WORDS["beside"][key].format(
        label=label(row), margin=rounded(row["margin"]), ends=interval(row["ci90_low"], row["ci90_high"]),
        finding=f"the effects of the two systems ({pair}) are {finding}" if pair else finding,
        p=p_is(on_average, "TOST p"), worst="no test" if worst is None else p_is(worst, "p"),
        emotion=row["worst_emotion"],
    )  # fmt: skip
