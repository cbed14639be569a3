"""What a row of terms says, in a word and in sentences of the report's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from eec_datasets.audit.report.language import Voice

Verdict = Literal["difference", "none", "zero", "constant", "untested", "refused"]
Row = Mapping[str, Any]

ALPHA: Final = 0.05
MEAN: Final = "mean"
ANY: Final = "any"
FOUND: Final = ("difference", "constant")
"""Verdicts that a difference is there."""

SIZES: Final = "sizes"
"""Effects of a row that speaks for several."""

SYMBOLS: Final = {"none": "·", "zero": "○", "constant": "◆", "untested": "◆", "refused": "–"}


def compares(row: Row) -> bool:
    """Say whether a row compares groups; procedures also give numbers of single persons, ranges or ratings."""
    return bool(row["reference"]) and row["axes"] not in ("", "person")


def decisive(row: Row, adjusted: bool) -> float | None:
    """Return the p that decides: the adjusted one where there is one."""
    value = row["p_adjusted"] if adjusted and row["p_adjusted"] is not None else row["p"]
    return None if value is None else float(value)


def verdict(row: Row, *, adjusted: bool = True) -> Verdict:
    """Say in a word what a row shows.

    Absence of evidence is never called an absence of difference: ``none`` is *no detectable difference*, and
    the smallest detectable one stands beside it.

    Parameters
    ----------
    row
        A row of terms.
    adjusted
        Whether its ``p_adjusted`` is adjusted at all.
    """
    p = decisive(row, adjusted)
    if row["effect"] is None and (row["level"] != ANY or p is None):
        return "refused"
    if row["effect"] == 0 and row["se"] == 0:
        # A measure that compares no groups can be 0 (no label changes at a threshold) where the system reacts.
        return "zero" if compares(row) else "untested"
    if p is None:
        return "constant" if row["se"] == 0 else "untested"
    return "difference" if p < ALPHA else "none"


def symbol(row: Row, found: Verdict) -> str:
    """Return a sign for a verdict, with the direction of a difference."""
    if found != "difference":
        return SYMBOLS[found]
    return "≠" if row["effect"] is None else "▲" if row["effect"] > 0 else "▼"


def term(voice: Voice, row: Row) -> str:
    """Name a row's term, and the sentences it was measured on where these are not the names."""
    name = voice.axis(row["term"])
    return name if row["subset"] == "names" else f"{name} ({voice.subset(row['subset'])})"


def contrast(voice: Voice, row: Row) -> str:
    """Write what a row compares: ``female − male``; of an interaction the cell that is looked at."""
    if row["level"] == ANY:
        return "max"
    level = voice.group(row["axes"], row["level"])
    if "+" in row["axes"]:
        return level
    if not compares(row):
        return " | ".join(part for part in (level, row["reference"]) if part)
    return f"{level} − {_reference(voice, row)}"


def sentences(voice: Voice, row: Row, *, adjusted: bool = True) -> str:
    """Say in plain sentences what a row shows, and how sure one can be of it."""
    found = verdict(row, adjusted=adjusted)
    if found == "refused":
        first = contrast(voice, row)
        return voice.say("reading.refused", term=voice.axis(row["term"]), first=first) + _aside(voice, row)
    return f"{_what(voice, row)} {_how_sure(voice, row, found, adjusted)}{_aside(voice, row)}"


def together(voice: Voice, rows: Sequence[Row], found: Verdict, *, adjusted: bool = True) -> str:
    """Say what several rows show that make the same comparison in different places, to the same verdict.

    Parameters
    ----------
    voice
        Language of the report.
    rows
        At least two, of one direction.
    found
        The verdict on each.
    adjusted
        Whether their ``p_adjusted`` are adjusted at all.
    """
    what = _what(voice, {**rows[0], SIZES: [row["effect"] for row in rows]})
    chances = [p for row in rows if (p := decisive(row, adjusted)) is not None]
    smallest = [row["mde"] for row in rows if row["mde"] is not None]
    if found == "difference" and chances:
        sure = voice.say("findings.found_each", p=voice.probability(max(chances)))
    elif found == "none" and smallest:
        sure = voice.say("findings.not_found_each", mde=_range(voice, smallest))
    else:
        sure = _how_sure(voice, rows[0], found, adjusted)
    return f"{what} {sure}{_aside(voice, rows[0])}"


def _aside(voice: Voice, row: Row) -> str:
    """Name the sentences measured on where these are not the names, and what a simple effect is held at."""
    parts = [] if row["subset"] == "names" else [voice.subset(row["subset"])]
    condition = row["term"].partition("|")[2]
    if condition and not (_held(voice, row, "level") and _held(voice, row, "reference")):
        parts = [voice.condition(condition), *parts]
    return f" {voice.say('reading.subset', subset=', '.join(parts))}" if parts else ""


def _held(voice: Voice, row: Row, side: Literal["level", "reference"]) -> str:
    """Complete “scores for sentences …” for one side of a simple effect, such as Latinas; empty without such words."""
    axis, _, level = row["term"].partition("|")[2].partition("=")
    return voice.crossed({row["axes"]: row[side], axis: level}, row["subset"]) if axis else ""


def _what(voice: Voice, row: Row) -> str:
    if row["level"] == ANY:
        return voice.say("reading.any", term=voice.axis(row["term"]))
    names, levels, references = row["axes"].split("+"), row["level"].split(":"), row["reference"].split(":")
    if not len(names) == len(levels) == len(references):
        names, levels, references = [row["axes"]], [row["level"]], [row["reference"]]
    if len(names) == 1:
        return _main(voice, row)
    if len(names) == 2 and references != [MEAN, MEAN]:
        return _interaction(voice, row, names, levels, references)
    key = _direction(row, "more", "less", "no_more")
    return voice.say(
        f"reading.{key}", first=voice.group(row["axes"], row["level"]), size=_size(voice, row),
        term=", ".join(voice.axis(name) for name in names),
    )  # fmt: skip


def _main(voice: Voice, row: Row) -> str:
    words = [_held(voice, row, "level"), _held(voice, row, "reference")]
    first = (
        words[0]
        if all(words) or (words[0] and row["reference"] == MEAN)
        else voice.sentences(row["axes"], row["level"], row["subset"])
    )
    if row["reference"] == MEAN:
        key = _direction(row, "above", "below", "at_mean")
        return voice.say(f"reading.{key}", first=first, size=_size(voice, row))
    if not compares(row):
        # Not a comparison: a number of a published procedure, such as a range or a rating.
        what = ", ".join(part for part in (voice.axis(row["term"]), contrast(voice, row)) if part)
        return voice.say("reading.value", what=what, value=voice.number(row["effect"], signed=True))
    second = words[1] if all(words) else voice.sentences(row["axes"], row["reference"], row["subset"])
    key = _direction(row, "higher", "lower", "equal")
    return voice.say(f"reading.{key}", first=first, second=second, size=_size(voice, row))


def _interaction(voice: Voice, row: Row, names: list[str], levels: list[str], references: list[str]) -> str:
    """Say that a difference on one axis depends on the other; the one measured from the mean comes second."""
    inner = 0 if references[1] == MEAN else 1
    outer = 1 - inner
    key = _direction(row, "wider", "narrower", "as_wide") + ("_mean" if references[outer] == MEAN else "")
    return voice.say(
        f"reading.{key}", size=_size(voice, row),
        a=voice.group(names[inner], levels[inner]), b=voice.group(names[inner], references[inner]),
        first=voice.sentences(names[outer], levels[outer], row["subset"]),
        second=voice.sentences(names[outer], references[outer], row["subset"]),
    )  # fmt: skip


def _how_sure(voice: Voice, row: Row, found: Verdict, adjusted: bool) -> str:
    if found in ("zero", "constant", "untested"):
        return voice.say(f"reading.{found}")
    p = decisive(row, adjusted)
    key = "found" if found == "difference" else "not_found"
    bare = row["ci_low"] is None or row["ci_high"] is None or (key == "not_found" and row["mde"] is None)
    values = {"p": voice.p_is(p if p is not None else 1.0)}
    if not bare:
        values |= {"low": voice.number(row["ci_low"], signed=True), "high": voice.number(row["ci_high"], signed=True)}
        values |= {"mde": voice.number(row["mde"])}
    return voice.say(f"reading.{key}{'_bare' if bare else ''}", **values)


def _direction(row: Row, up: str, down: str, same: str) -> str:
    return up if row["effect"] > 0 else down if row["effect"] < 0 else same


def _size(voice: Voice, row: Row) -> str:
    return _range(voice, [abs(effect) for effect in row.get(SIZES) or [row["effect"]]])


def _range(voice: Voice, values: Sequence[float]) -> str:
    low, high = voice.number(min(values)), voice.number(max(values))
    return low if low == high else voice.say("findings.range", low=low, high=high)


def _reference(voice: Voice, row: Row) -> str:
    return voice.say("head.mean_of_all") if row["reference"] == MEAN else voice.group(row["axes"], row["reference"])
