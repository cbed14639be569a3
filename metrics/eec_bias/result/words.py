"""Verdicts in English: the sentence on one row, its label, and its verdict in a few words."""

from collections.abc import Iterable, Mapping
from typing import Any

from eec_bias.options import ACROSS_SYSTEMS, ANY, CUE
from eec_bias.result.frame import NO_UNIT, PAIRWISE, Row, leading
from eec_bias.result.numbers import NONE, interval, p_is, rounded, signed
from eec_bias.result.record import Record
from eec_bias.result.signature import adjusted, part_of
from eec_bias.result.verdict import ALPHA, Kind, Verdict

FACETS = {"names": "names", "templates": "templates", "words": "words", "items": "sentences", "runs": "runs"}
"""What a test takes as a sample, as the signature names it and as it is said."""

CUES = {"names": "names", "pairs": "noun phrases and pronouns", "mentions": "explicit mentions"}
"""What a group is known by, as a subset names it and as it is said."""

_ADJUSTMENTS = {
    "holm": "Holm", "bh": "Benjamini–Hochberg", "by": "Benjamini–Yekutieli", "maxt": "max-T",
    "bonferroni": "Bonferroni",
}  # fmt: skip

_SHORT: dict[Kind, str] = {
    "difference": "difference",
    "same_difference": "same difference throughout",
    "wording": "wording effect",
    "not_detectable": "no detectable difference",
    "zero": "effect 0",
    "no_reaction": "no reaction",
    "not_estimable": "not estimated",
    "described": "described, not tested",
}


def say_verdict(row: Mapping[str, Any], verdict: Verdict) -> str:
    """Say a verdict in a few words, as in a table."""
    if row["level"] == ANY:
        words = {"difference": "levels differ", "not_estimable": "not tested"}.get(verdict.kind, _SHORT[verdict.kind])
    elif is_interaction(row) and verdict.kind == "difference":
        words = "difference of differences"
    elif verdict.kind == "not_estimable" and row["effect"] is not None:
        words = "not tested"
    elif verdict.averaged and verdict.found:
        words = "difference on average"
    else:
        words = _SHORT[verdict.kind]
    return f"{words}, rough" if verdict.rough else words


def adjustment(record: Record) -> str:
    """Name how p is adjusted: ``Holm``; empty where it is not."""
    how = (part_of(record.signature, "adj") or "").partition("/")[0]
    return _ADJUSTMENTS.get(how, how) if adjusted(record.signature) else ""


def adjusts_across(record: Record) -> bool:
    """Whether p is adjusted over the rows of all systems together."""
    return (part_of(record.signature, "adj") or "").partition("/")[0] in (*ACROSS_SYSTEMS, "bonferroni")


def say_adjusted(record: Record) -> str:
    """Say what p is adjusted for; empty where it is not."""
    if not adjusted(record.signature):
        return ""
    how, _, tests = (part_of(record.signature, "adj") or "").partition("/")
    if how == "bonferroni":
        return f"p adj. is p times {tests}, at most 1"
    of_task = "system, task and subset" if any("task" in row for row in record.terms) else "system and subset"
    family = "subset, of all systems" if adjusts_across(record) else of_task
    apart = ", rows 'any' apart" if how != "maxt" and any(row["level"] == ANY for row in record.terms) else ""
    return f"p adj. is for all rows of one {family}{apart}"


def p_name(record: Record) -> str:
    """Name the p that decides: ``p adj. (Holm)``, or ``p``."""
    how = adjustment(record)
    return f"p adj. ({how})" if how else "p"


def interval_name(record: Record) -> str:
    """Name the interval, which is that of one term by itself."""
    return "95 % interval, not adjusted" if adjusted(record.signature) else "95 % interval"


def say_p(record: Record, verdict: Verdict) -> str:
    """Say the p that decides, and whether it is adjusted: ``p adj. (Holm) = .012``."""
    return p_is(verdict.p, p_name(record) if verdict.adjusted else "p")


def units(record: Record) -> str:
    """Say what effects are in."""
    low, high = record.score_range
    declared = "whose differences lie in" if part_of(record.signature, "compare") else "declared as"
    rates = any(str(row.get("output") or "").startswith("rate[") for row in record.terms)
    others = (", those on rates in shares of sentences" if rates else "") + say_no_unit(record.terms)
    return f"Effects are in the units of the scores, {declared} [{low:.12g}, {high:.12g}]{others}"


def say_no_unit(rows: Iterable[Mapping[str, Any]]) -> str:
    """Name the terms among some rows whose effects have no unit, as the end of a sentence on units; else nothing."""
    terms = sorted({row["term"] for row in rows} & {*NO_UNIT})
    return f", those under {' and '.join(terms)} without a unit" if terms else ""


def sampled_facets(*records: Record) -> list[str]:
    """Return the facets, of `FACETS`, that the tests of some results take as samples; published ones take sentences."""
    parts = [part for record in records for part in (part_of(record.signature, "test") or "").split("+")]
    untold = ["names", "items"] if any(record.method == "default" for record in records) else ["items"]
    return [name for name in FACETS if name in parts] or untold


def caveat(*records: Record) -> str:
    """Say what p-values are about, and what no result shows."""
    *first, last = [FACETS[name] for name in sampled_facets(*records)]
    sampled = f"{', '.join(first)} and {last}" if first else last
    return (
        "A deterministic system on a fixed corpus has no sampling error. The p-values and intervals refer to "
        f"populations of {sampled} of which these are a sample, and not a random one. No finding here shows that a "
        "system is free of bias: other names, sentences, languages and groups were not measured."
    )


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
    return CUES.get(first, first), CUES.get(second, second)


def by_each_cue(row: Mapping[str, Any]) -> list[Row]:
    """Return the keys of the two rows whose effects a row of cues compares."""
    term, bar, condition = row["term"].partition("|")
    keys = {"term": term.removesuffix(f":{CUE}") + bar + condition, "axes": row["axes"].removesuffix(f"+{CUE}")}
    same = {side: row[side].rpartition(":")[0] for side in ("level", "reference")}
    return [{**row, **keys, **same, "subset": subset} for subset in row["subset"].split("-")]


def label(row: Mapping[str, Any]) -> str:
    """Name what a row compares; an interaction as the difference of differences that it is."""
    term, condition = _named(row)
    subset = ", ".join([*condition, row["subset"]])
    if row["level"] == ANY:
        return f"{term}, any level ({subset})"
    if is_interaction(row):
        other = f" against {row['reference']}" if row.get(PAIRWISE) else ""
        return f"difference of differences, {term}: {row['level']}{other} ({subset})"
    level = f", {row['level']}" if row["level"] else ""
    against = f" against {row['reference']}" if row["reference"] else ""
    return f"{term}{level}{against} ({subset})"


def short_label(row: Mapping[str, Any]) -> str:
    """Name what a row compares on the axis of a figure: ``gender: female – male``."""
    term, condition = _named(row)
    term = ", ".join([term, *condition])
    if row["level"] == ANY:
        return f"{term}, any level"
    if is_interaction(row):
        other = f" – {row['reference']}" if row.get(PAIRWISE) else ""
        return f"{term}: {row['level']}{other}, diff. of differences"
    compared = " – ".join(part for part in (row["level"], row["reference"]) if part)
    return f"{term}: {compared}" if compared else term


def _named(row: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The term, axes crossed in it with ×, and what a simple effect is taken within."""
    term, _, condition = row["term"].partition("|")
    return term.replace(":", " × "), [condition] if condition else []


def sentence(record: Record, row: Row, verdict: Verdict) -> str:
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
    said = _on_any(record, verdict) if row["level"] == ANY else _on_level(record, row, verdict)
    rough = f" Rough: {row['rough']}." if verdict.rough else ""
    note = f" {row['note'][:1].upper()}{row['note'][1:]}." if row["note"] else ""
    return f"{label(row)}: {said}.{rough}{note}"


def say_rates(row: Mapping[str, Any]) -> str:
    """Say how often scores lie above a threshold, and how two groups compare; no rule for ratios is applied."""
    shares = f"in a share of {rounded(row['rate'])}, against {rounded(row['rate_reference'])}"
    ends = interval(row["ci_low"], row["ci_high"])
    difference = f"difference {signed(row['effect'])}, 95 % interval {ends}"
    ratio = "no ratio, a rate is 0"
    if row["ratio"] is not None:
        bounded = row["ratio_low"] is not None
        bounds = f"[{rounded(row['ratio_low'])}, {rounded(row['ratio_high'])}]" if bounded else NONE
        ratio = f"ratio {rounded(row['ratio'])}, 95 % interval {bounds}"
    rough = f" Rough: {row['rough']}." if row["rough"] else ""
    text = f"{label(row)}: scores lie above {row['threshold']:g} {shares}; {difference}; {ratio}; not adjusted."
    return text + rough


def say_equivalence(record: Record, row: Mapping[str, Any]) -> str:
    """Say whether an effect, or the difference of two systems' effects, lies within the margin the user stated."""
    margin, pair = rounded(row["margin"]), part_of(record.signature, "compare")
    if row["p_equivalence"] is None:
        return f"{label(row)}: equivalence within ±{margin} has no test, as the effect has no interval."
    within = f"90 % interval {interval(row['ci90_low'], row['ci90_high'])}, {p_is(row['p_equivalence'], 'TOST p')}"
    finding = "equivalent" if row["p_equivalence"] < ALPHA else "not shown to be equivalent"
    finding = f"the effects of the two systems ({pair}) are {finding}" if pair else finding
    return f"{label(row)}: {finding} within ±{margin}, the margin stated ({within}, not adjusted)."


def _on_any(record: Record, verdict: Verdict) -> str:
    p = say_p(record, verdict)
    if verdict.kind == "difference":
        by_levels = f"levels differ, as their own rows say (all together: {p})"
        some = f"{_two(verdict)} differ on some level" if verdict.compared else "some levels differ"
        return f"{some} ({p})" if verdict.tested else by_levels
    if verdict.kind == "not_detectable":
        return f"no detectable difference between {_two(verdict) or 'levels'} at this sample size ({p})"
    return f"{_nothing(verdict)} on every item" if verdict.kind == "zero" else "without a test"


def _on_level(record: Record, row: Row, verdict: Verdict) -> str:
    if row["effect"] is None:
        return "not estimated"
    difference, effect = _difference(row, verdict), signed(row["effect"])
    ends, alone = interval(row["ci_low"], row["ci_high"]), ", not adjusted" if verdict.adjusted else ""
    p_text = say_p(record, verdict) + (f"; 95 % interval {ends}{alone}" if row["ci_low"] is not None else "")
    detectable = f"; smallest detectable: {rounded(row['mde'])}{alone}" if row["mde"] is not None else ""
    two, nothing = _two(verdict), _nothing(verdict)
    between = f" between {two}" if two else ""
    mean = f"{two} are the same on average" if two else "the mean effect is 0"
    average = ", on average over the levels of another axis, which differ in it" if verdict.averaged else ""
    texts: dict[Kind, str] = {
        "difference": f"{difference} ({p_text})",
        "same_difference": f"{difference} on every item{average}" if average else f"{difference}, the same throughout",
        "wording": (
            f"wording effect: {difference}, but all persons of the same groups get the same mean score, and the "
            "sentences differ in more than the person"
        ),
        "not_detectable": (
            f"no detectable difference{between} at this sample size (effect {effect}; {p_text}{detectable})"
        ),
        "zero": f"{nothing} on every item{average}",
        "no_reaction": "no reaction: all scores compared are equal",
        "not_estimable": f"{difference if row['effect'] else mean}, without a test",
        "described": f"{effect}, described and not tested",
    }
    return texts[verdict.kind]


def _two(verdict: Verdict) -> str:
    """Name what is compared where it is two systems and not groups; empty elsewhere."""
    return f"the effects of the two systems ({verdict.compared})" if verdict.compared else ""


def _nothing(verdict: Verdict) -> str:
    """Say that an effect, or the difference of two systems' effects, is 0."""
    two = _two(verdict)
    return f"{two} are the same" if two else "the effect is 0"


def _difference(row: Row, verdict: Verdict) -> str:
    """Say the direction and the size of an effect, for a difference of two systems' scores in their words."""
    size = rounded(abs(row["effect"]))
    if verdict.compared:
        return f"{_two(verdict)} differ by {signed(row['effect'])}"
    if cues := cues_of(row):
        return f"the effects by {cues[0]} and by {cues[1]} differ by {signed(row['effect'])}"
    if is_interaction(row):
        return f"the effects depend on each other, by {signed(row['effect'])}"
    compared = "scores" if row.get("output") in (None, "score") else "rates"
    return f"{compared} are {'higher' if row['effect'] > 0 else 'lower'} by {size}"
