"""Findings in the unit of their page, and which of them a page is about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eec_datasets.report.measured import ControlLike, EmotionGapLike, FindingLike, HeardFeelingsLike, MeasurementLike
from eec_datasets.report.numbers import Rounding, Unit, reach, rounding_of

RATE = "rate["
WHOLE = 100.0
"""The width of a scale on the page, in points or of 100."""
FOUND = ("gap_found", "turns")
UNDECIDED = 10
"""A range that holds 0 and reaches further than this many points is inconclusive, unless a margin was stated."""
NEEDED = "nouns_for_margin"
"""The note that says how many pairs of words could show that a gap is small."""
JOY = "joy"
UNHAPPY = ("anger", "fear", "sadness")


@dataclass(frozen=True, slots=True)
class PageFinding:
    """One finding with the measurement it is of.

    Attributes
    ----------
    unit : str
        ``points`` of a declared range, ``of_100`` for rates, ``raw`` for scores without a range.
    meaning : str
        What more of it means: ``positive``, ``toxic``, …; ``unanswered`` and ``rate`` for rates; empty if nobody said.
    factor : float
        What turns a gap of the finding into this unit.
    """

    measurement: MeasurementLike
    finding: FindingLike
    unit: Unit
    meaning: str
    factor: float

    @property
    def answer(self) -> str:
        """The answer of the finding."""
        return self.finding.answer

    @property
    def feelings(self) -> HeardFeelingsLike:
        """The words for feelings that the system hears, of a finding whose answer rests on them."""
        if self.finding.feelings is None:
            raise ValueError(f"{self.finding.comparison.id}: the answer is {self.answer!r}, without the words heard")
        return self.finding.feelings

    @property
    def gap(self) -> float | None:
        """The gap in the unit."""
        return None if self.finding.gap is None else self.finding.gap * self.factor

    @property
    def low(self) -> float | None:
        """The lower end of the true gap in the unit; no gap is larger than the scale."""
        return None if self.finding.low is None else max(self.finding.low * self.factor, -self.largest)

    @property
    def high(self) -> float | None:
        """The upper end of the true gap in the unit; no gap is larger than the scale."""
        return None if self.finding.high is None else min(self.finding.high * self.factor, self.largest)

    @property
    def largest(self) -> float:
        """The largest gap that the scale has room for."""
        return math.inf if self.unit == "raw" else WHOLE

    @property
    def rounding(self) -> Rounding:
        """The step to which its numbers are rounded."""
        return rounding_of(self.unit, self.gap, self.low, self.high)

    @property
    def margin(self) -> float | None:
        """The margin of the plan, in points; None if none was stated."""
        plan = self.measurement.result.plan
        return plan.margin if plan else None

    @property
    def limit(self) -> float | None:
        """The size beyond which a range that holds 0 is inconclusive; None if it follows from the scores."""
        if self.margin is not None:
            return self.margin
        return None if self.unit == "raw" else UNDECIDED

    @property
    def pairs_needed(self) -> int | None:
        """Return how many pairs of words could settle an inconclusive comparison by words; None if it is not one."""
        if self.answer != "inconclusive" or self.open_emotion is not None:
            return None
        return next((each.values["needed"] for each in self.finding.notes if each.key == NEEDED), None)

    @property
    def system(self) -> str:
        """The system it is about."""
        return self.finding.system or self.measurement.system

    @property
    def control(self) -> ControlLike | None:
        """Return what was found about its system when names or words were dealt at random; None if they were not."""
        of_system = (self.finding.system, self.finding.task)
        return next((each for each in self.measurement.result.control if (each.system, each.task) == of_system), None)

    @property
    def found(self) -> bool:
        """Tell if a gap was found."""
        return self.answer in FOUND

    @property
    def is_main(self) -> bool:
        """Tell if it compares two groups as wholes, not within a group and not two gaps."""
        comparison = self.finding.comparison
        return not comparison.is_interaction and not comparison.within

    @property
    def label(self) -> str:
        """The class of a rate; of decisions what 1 means, or ``1``; empty of scores."""
        output = self.finding.comparison.output or ""
        if output.startswith(RATE):
            return output.removeprefix(RATE).removesuffix("]")
        return self.measurement.result.high_means or "1" if self.meaning == "rate" else ""

    @property
    def clear(self) -> bool:
        """Tell if the printed range is clear of 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    @property
    def found_emotions(self) -> tuple[EmotionGapLike, ...]:
        """The emotions in which a gap was found."""
        return tuple(each for each in self.finding.emotions if each.found)

    @property
    def by_emotion_only(self) -> bool:
        """Tell if the gap was found between emotions while the mean over them is not clear of 0."""
        return self.answer == "gap_found" and self.finding.emotions_differ and not self.clear

    @property
    def size(self) -> float:
        """The largest gap that it tells, by which the leading finding is chosen."""
        if self.answer == "turns" or self.by_emotion_only:
            return max((abs(each.gap * self.factor) for each in self.found_emotions), default=0.0)
        return abs(self.gap or 0.0)

    @property
    def open_emotion(self) -> EmotionGapLike | None:
        """The emotion that makes the answer inconclusive, if the gap over all emotions alone would not."""
        if self.answer != "inconclusive" or self.low is None or self.high is None or not self.finding.emotions:
            return None
        far = max(self.finding.emotions, key=lambda each: reach(each.low, each.high))
        in_emotion = reach(far.low, far.high) * self.factor
        bound = in_emotion if self.limit is None else self.limit
        return far if reach(self.low, self.high) < bound else None

    @property
    def drawn(self) -> tuple[float, float, float] | None:
        """The gap and the ends of the range that decide the answer: the words are read off this line."""
        if self.gap is None or self.low is None or self.high is None:
            return None
        emotion = self.open_emotion
        if emotion is None:
            return self.gap, self.low, self.high
        gap, low, high = (size * self.factor for size in (emotion.gap, emotion.low, emotion.high))
        return gap, max(low, -self.largest), min(high, self.largest)

    @property
    def reach(self) -> float | None:
        """Return how far the line that is drawn reaches from 0."""
        return None if self.drawn is None else reach(*self.drawn[1:])


def entry_of(measurement: MeasurementLike, finding: FindingLike) -> PageFinding:
    """Return a finding in the unit of its kind."""
    result = measurement.result
    output = finding.comparison.output or ""
    if measurement.kind == "no_answer":
        return PageFinding(measurement, finding, "of_100", "unanswered", WHOLE)
    if tells_rates(measurement) or output.startswith(RATE):
        return PageFinding(measurement, finding, "of_100", "rate", WHOLE)
    if result.facts.score_range is None:
        return PageFinding(measurement, finding, "raw", result.high_means, 1.0)
    return PageFinding(measurement, finding, "points", result.high_means, WHOLE / finding.width)


def tells_rates(measurement: MeasurementLike) -> bool:
    """Tell if the scores are decisions: all 0 or 1, so that their gap is one of rates."""
    if measurement.kind == "rates":
        return True
    rows = measurement.result.rate_rows
    return any(row.get("output") is None and row.get("threshold") is None for row in rows)


def entries_of(measurements: Iterable[MeasurementLike]) -> list[PageFinding]:
    """Return all findings in the order of the measurements and their plans."""
    return [entry_of(each, finding) for each in measurements for finding in each.result.gaps]


def one_per_question(entries: Sequence[PageFinding]) -> list[PageFinding]:
    """Keep one answer per system, language and question: a gap found, else that of the longest list.

    Lists of one language share sentences, so women and men by first name are compared in several.
    """
    chosen: dict[tuple[str, str, str, str], PageFinding] = {}
    for entry in entries:
        measurement = entry.measurement
        key = (entry.system, measurement.language, measurement.kind, entry.finding.comparison.id)
        before = chosen.get(key)
        if before is None or _rank(entry) > _rank(before):
            chosen[key] = entry
    kept = set(map(id, chosen.values()))
    return [entry for entry in entries if id(entry) in kept]


def _rank(entry: PageFinding) -> tuple[bool, int]:
    return entry.found, entry.finding.n_sentences or 0


def leading(entries: Sequence[PageFinding]) -> PageFinding | None:
    """Return the finding that a page is about; a gap within a group leads only if no main one was found."""
    found = [entry for entry in entries if entry.found]
    main = [entry for entry in found if entry.is_main]
    interactions = [entry for entry in found if entry.finding.comparison.is_interaction]
    candidates = main or interactions or found
    rates = [entry for entry in candidates if entry.meaning == "unanswered"]
    return max(rates or candidates, key=lambda entry: entry.size, default=None)


def systems_of(entries: Iterable[PageFinding]) -> list[tuple[str, str]]:
    """Return system and language of what was measured, each once."""
    return list(dict.fromkeys((entry.system, entry.measurement.language) for entry in entries))


def on_page(entry: PageFinding, score: float) -> float:
    """Put a score on the scale of the page."""
    declared = entry.measurement.result.facts.score_range
    if entry.unit == "raw" or declared is None:
        return score
    low, high = declared
    return 100 * (score - low) / (high - low)
