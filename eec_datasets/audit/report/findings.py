"""What few systems show, in whole sentences with sizes: what readers see first where systems stand side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eec_datasets.audit.report import sentences as page_reading
from eec_datasets.audit.report.language import Voice
from eec_datasets.audit.report.sentences import FOUND, MEAN, Verdict

SENTENCES: Final = 6
"""At most so many findings of one system are read out; the count that follows has all."""

COUNTED: Final[dict[str, str]] = {"difference": "found", "constant": "found", "none": "none", "zero": "zero"}


@dataclass(frozen=True, slots=True)
class Shown:
    """What one system shows on one term in one place.

    Attributes
    ----------
    place
        Corpus, stratum and output.
    row
        The row that speaks for the term: the only one, or the largest effect of several levels.
    levels
        How many levels it speaks for.
    found
        The verdict on the term.
    adjusted
        Whether p is adjusted.
    """

    place: tuple[str, ...]
    row: Mapping[str, Any]
    levels: int
    found: Verdict
    adjusted: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """What is said of one system: its name, the id of its section (both empty for all systems), and sentences."""

    title: str
    anchor: str
    sentences: list[str]


def sentences(voice: Voice, shown: Sequence[Shown]) -> list[str]:
    """Say what one system shows: differences first, then main terms without a detectable one, then the count of all.

    Corpora that show the same share a sentence, which then has the range of their sizes.
    """
    several = len({one.place for one in shown}) > 1
    groups: dict[tuple[Any, ...], list[Shown]] = {}
    for one in shown:
        if one.found in FOUND or (one.found == "none" and "+" not in one.row["axes"]):
            groups.setdefault(_kind(one), []).append(one)
    # Differences before others, main terms before interactions.
    ordered = sorted(groups.values(), key=lambda own: (own[0].found not in FOUND, "+" in own[0].row["axes"]))
    texts = [_said(voice, own, several) for own in ordered[:SENTENCES]]
    if not texts and shown and all(one.found == "zero" for one in shown):
        texts = [voice.say("reading.zero")]
    return [*texts, _tally(voice, shown)]


def _kind(one: Shown) -> tuple[Any, ...]:
    """Return what must be the same for a common sentence; many levels differ in which is the largest."""
    row = one.row
    sign = (row["effect"] or 0) > 0
    own = one.place if one.levels > 1 else ()
    return (row["term"], row["axes"], row["level"], row["reference"], row["subset"], one.found, sign, own)


def _said(voice: Voice, own: Sequence[Shown], several: bool) -> str:
    first = own[0]
    if len(own) == 1:
        text = page_reading.sentences(voice, first.row, adjusted=first.adjusted)
    else:
        text = page_reading.together(voice, [one.row for one in own], first.found, adjusted=first.adjusted)
    if first.levels > 1 and first.row["reference"] == MEAN:
        text = voice.say("findings.largest", count=voice.count(first.levels), text=text)
    if not several:
        return text
    places = ", ".join(voice.isolated(" · ".join(one.place)) for one in own)
    return f"{places}: {text}"


def _tally(voice: Voice, shown: Sequence[Shown]) -> str:
    counts = Counter(COUNTED.get(one.found, "other") for one in shown)
    parts = [
        voice.say(f"findings.of_{key}", count=voice.count(counts[key]))
        for key in ("found", "none", "zero", "other")
        if counts[key]
    ]
    return voice.say("findings.tally", count=voice.count(len(shown)), parts=", ".join(parts))
