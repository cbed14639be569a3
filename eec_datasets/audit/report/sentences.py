"""What a row of terms says, in sentences of the report's language; what it shows is decided by the verdict alone."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from eec_bias.reading import ANY, CUE, MEAN, PAIRWISE, Judged, Verdict, by_each_cue, is_interaction
from eec_datasets.audit.report.document import UNKNOWN_PERSONS, Row, rated
from eec_datasets.audit.report.language import Translator

SIDES: Final[tuple[Literal["level", "reference"], ...]] = ("level", "reference")
DIRECTIONS: Final = {1: "▲", -1: "▼", 0: "≠"}
SYMBOLS: Final = {"not_detectable": "·", "zero": "=", "no_reaction": "○", "not_estimable": "–", "described": ""}


def symbol(verdict: Verdict) -> str:
    """Return a sign for a verdict, with the direction of a difference."""
    return DIRECTIONS[verdict.direction] if verdict.found else SYMBOLS[verdict.kind]


def label(translator: Translator, judged: Judged) -> str:
    """Say a verdict in a few words."""
    row, verdict = judged.row, judged.verdict
    key: str = "levels_differ" if row["level"] == ANY and verdict.found else verdict.kind
    key = "on_average" if verdict.averaged and verdict.found else key
    rough = f", {translator.say('verdict.rough')}" if verdict.rough else ""
    return f"{translator.say(f'verdict.{key}')}{rough}"


def term(translator: Translator, row: Row) -> str:
    """Name a row's term, and the sentences it was measured on where these are not the names."""
    name = translator.axis(row["term"])
    return name if row["subset"] == "names" else f"{name} ({translator.subset(row['subset'])})"


def contrast(translator: Translator, row: Row) -> str:
    """Write what a row compares: ``female − male``; of a difference of differences the cell that is looked at."""
    if row["level"] == ANY:
        return translator.say("head.any")
    if cues := _cues(translator, row):
        return f"{contrast(translator, by_each_cue(row)[0])} ({' − '.join(cues)})"
    level = translator.group(row["axes"] or "", row["level"] or "")
    if is_interaction(row):
        other = f" − {translator.group(row['axes'], row['reference'])}" if row.get(PAIRWISE) else ""
        return translator.say("head.interaction", cell=f"{level}{other}")
    if not row["reference"] or row["axes"] in (None, "", "person"):
        # No comparison: a number of a published procedure, such as a range or a rating.
        return " | ".join(part for part in (level, row["reference"]) if part)
    reference = row["reference"]
    other = translator.say("head.mean_of_all") if reference == MEAN else translator.group(row["axes"], reference)
    return f"{level} − {other}"


def _cues(translator: Translator, row: Row) -> list[str]:
    """Name the two cues whose effects a row compares; none of other rows."""
    compares_cues = (row["axes"] or "").endswith(f"+{CUE}")
    return [translator.group(CUE, row[side].rpartition(":")[2]) for side in SIDES] if compares_cues else []


def say_parts(translator: Translator, rows: Sequence[Judged]) -> list[str]:
    """Say in sentences what rows show, how sure one can be of it, and why that is rough.

    They make the same comparison in different places, in one direction, to the same verdict.
    """
    row, verdict = rows[0].row, rows[0].verdict
    aside = _aside(translator, row, verdict)
    if row["effect"] is None and row["level"] != ANY:
        first = contrast(translator, row)
        return [translator.say("reading.not_estimable", term=translator.axis(row["term"]), first=first) + aside]
    size = _range(translator, [abs(judged.row["effect"] or 0) for judged in rows])
    sure = _how_sure(translator, row, verdict) if len(rows) == 1 else _how_sure_each(translator, rows)
    value = _range(translator, [judged.row["effect"] or 0 for judged in rows], signed=True)
    # What it is said of stands beside it, as the first sentence may be all that is read or quoted.
    return [_what(translator, rows[0], size, value) + aside, sure, *say_rough(translator, rows)]


def say_rough(translator: Translator, rows: Sequence[Judged]) -> list[str]:
    """Say why intervals and smallest detectable effects of rows are rough; nothing where none is."""
    reasons = dict.fromkeys(note for judged in rows for note in judged.row.notes if note.is_rough)
    listed = f"{translator.say('page.semicolon')} ".join(map(translator.note, reasons))
    return [translator.say("reading.rough", reasons=listed)] if listed else []


def _aside(translator: Translator, row: Row, verdict: Verdict) -> str:
    """Name the sentences measured on where these are not the names, and what a simple effect is held at."""
    worded = not (verdict.compared or verdict.kind == "described" or rated(row) or row.get(UNKNOWN_PERSONS))
    in_sentence = worded and ":" not in row["subset"] and translator.phrase(row["axes"], row["level"], row["subset"])
    parts = [] if row["subset"] == "names" or in_sentence else [translator.subset(row["subset"])]
    condition = row["term"].partition("|")[2]
    if condition and not (_crossed(translator, row, "level") and _crossed(translator, row, "reference")):
        parts = [translator.condition(condition), *parts]
    return f" {translator.say('reading.subset', subset=' · '.join(parts))}" if parts else ""


def _crossed(translator: Translator, row: Row, side: Literal["level", "reference"]) -> str:
    """Complete “scores for sentences …” for one side of a simple effect, such as Latinas; empty without such words."""
    axis, _, level = row["term"].partition("|")[2].partition("=")
    if not axis or row.get(UNKNOWN_PERSONS):
        return ""
    orders = (zip(*pairs, strict=True) for pairs in itertools.permutations([(row["axes"], row[side]), (axis, level)]))
    phrases = (translator.phrase("+".join(axes), ":".join(levels), row["subset"]) for axes, levels in orders)
    return next(filter(None, phrases), "")


def of_group(translator: Translator, row: Row, axis: str, level: str) -> str:
    """Complete “scores for sentences …” for a group on one axis; by its label alone in sentences that are not ours."""
    if row.get(UNKNOWN_PERSONS):
        return translator.labelled(axis, level)
    return translator.sentences(axis, level, row["subset"])


def _what(translator: Translator, judged: Judged, size: str, value: str) -> str:
    """Say what differs from what, and by how much, without its sign or with it."""
    row, verdict = judged.row, judged.verdict
    if row["level"] == ANY:
        return translator.say("reading.any", term=translator.axis(row["term"]))
    comparison = " · ".join(part for part in (translator.axis(row["term"]), contrast(translator, row)) if part)
    cues = dict(zip(("first", "second"), _cues(translator, row), strict=False))
    said: Mapping[str, Mapping[str, str]] = {
        "value": {"value": value} if verdict.kind == "described" else {},
        "compared": {"value": value, "systems": verdict.compared} if verdict.compared else {},
        "cues": {"value": value, **cues} if cues else {},
        "rate": {"value": value, "output": rated(row)} if rated(row) else {},
    }
    if key := next(filter(said.get, said), ""):
        return translator.say(f"reading.{key}", what=comparison, **said[key])
    names, levels, references = (str(row[key] or "") for key in ("axes", "level", "reference"))
    axes = names.split("+")
    if len(axes) == 1:
        return _main(translator, row, verdict, size)
    if len(axes) > 2 or not is_interaction(row):
        # What a group has beyond its axes one by one holds what it has beyond them two by two.
        return translator.say("reading.value", what=comparison, value=value)
    if references != f"{MEAN}:{MEAN}":
        return _interaction(translator, row, verdict, size)
    key = ("reading.no_more", "reading.more", "reading.less")[verdict.direction]
    terms = translator.listed(translator.axis(name) for name in axes)
    return translator.say(key, first=translator.group(names, levels), size=size, term=terms)


def _main(translator: Translator, row: Row, verdict: Verdict, size: str) -> str:
    axis = row["axes"]
    first, second = _crossed(translator, row, "level"), _crossed(translator, row, "reference")
    if row["reference"] == MEAN:
        key = ("reading.at_mean", "reading.above", "reading.below")[verdict.direction]
        first = first or of_group(translator, row, axis, row["level"])
        return translator.say(key, first=first, size=size)
    if not (first and second):
        first, second = (of_group(translator, row, axis, row[side]) for side in ("level", "reference"))
    key = ("reading.equal", "reading.higher", "reading.lower")[verdict.direction]
    return translator.say(key, first=first, second=second, size=size)


def _interaction(translator: Translator, row: Row, verdict: Verdict, size: str) -> str:
    """Say that a difference on one axis depends on the other; the one measured from the mean comes second."""
    names, levels, references = row["axes"].split("+"), row["level"].split(":"), row["reference"].split(":")
    inner = 0 if references[1] == MEAN else 1
    outer = 1 - inner
    if references[outer] == MEAN:
        key = ("reading.as_wide_mean", "reading.wider_mean", "reading.narrower_mean")[verdict.direction]
    else:
        key = ("reading.as_wide", "reading.wider", "reading.narrower")[verdict.direction]
    return translator.say(
        key, size=size,
        a=translator.group(names[inner], levels[inner]), b=translator.group(names[inner], references[inner]),
        first=of_group(translator, row, names[outer], levels[outer]),
        second=of_group(translator, row, names[outer], references[outer]),
    )  # fmt: skip


def _how_sure(translator: Translator, row: Row, verdict: Verdict) -> str:
    if verdict.kind == "not_estimable":
        return translator.say("reading.untested")
    if verdict.averaged:
        zero = "" if verdict.found else f"{translator.say('reading.zero')} "
        return f"{zero}{translator.say('reading.averaged')}"
    if verdict.kind not in ("difference", "not_detectable"):
        return translator.say(f"reading.{verdict.kind}")
    if row["level"] == ANY and verdict.found and (verdict.p is None or verdict.p >= verdict.alpha):
        return translator.say("reading.levels_differ")
    p = translator.p_is(verdict.p, adjusted=verdict.adjusted)
    if row["ci_low"] is None or row["ci_high"] is None or (row["mde"] is None and not verdict.found):
        return translator.say("reading.found_bare" if verdict.found else "reading.not_found_bare", p=p)
    low, high = (translator.number(row[end], signed=True) for end in ("ci_low", "ci_high"))
    if verdict.adjusted:
        interval = translator.say("reading.interval_unadjusted", low=low, high=high)
    else:
        interval = translator.say("reading.interval", low=low, high=high)
    if verdict.found:
        key = "reading.found"
    else:
        key = "reading.not_found_adjusted" if verdict.adjusted else "reading.not_found"
    return translator.say(key, p=p, interval=interval, mde=translator.number(row["mde"]))


def _how_sure_each(translator: Translator, rows: Sequence[Judged]) -> str:
    """Say it of several rows at once, by the largest p and the smallest detectable differences."""
    row, verdict = rows[0].row, rows[0].verdict
    chances = [judged.verdict.p for judged in rows if judged.verdict.p is not None]
    detectable = [judged.row["mde"] for judged in rows if judged.row["mde"] is not None]
    if verdict.kind == "difference" and chances:
        return translator.say("findings.found_each", p=translator.p_is(max(chances), adjusted=verdict.adjusted))
    if verdict.kind == "not_detectable" and detectable:
        key = "findings.not_found_each_adjusted" if verdict.adjusted else "findings.not_found_each"
        return translator.say(key, mde=_range(translator, detectable))
    return _how_sure(translator, row, verdict)


def _range(translator: Translator, values: Sequence[float], *, signed: bool = False) -> str:
    low, high = (translator.number(end(values), signed=signed) for end in (min, max))
    return low if low == high else translator.say("findings.range", low=low, high=high)
