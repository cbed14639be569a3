"""The cards of a page: one system in one language, its findings placed on a scale, and its typical pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eec_bias.reading import Finding
from eec_bias.shared import grouped
from eec_datasets.audit.minimal_pairs import Piece, mark_changes
from eec_datasets.audit.report.answers import SystemAnswers, gather_answers
from eec_datasets.audit.report.document import Unit
from eec_datasets.audit.report.finding_words import FindingLine, FindingWords
from eec_datasets.audit.report.language import Translator

MANY: Final = 8
"""More systems than this stand in one table, each with a card to unfold."""

ALONE: Final = 8
"""So many comparisons of one system by itself are drawn at most, but for those that must be."""

BESIDE_OTHERS: Final = 5
"""The same of a system beside others."""

OF_NOTHING: Final = 0
"""The same where no difference was found."""

PAIRS: Final = 3
"""Typical pairs shown of one system."""

ROOM: Final = 1.04
"""Share by which a scale goes beyond what is drawn on it."""


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A typical pair of sentences, the one that scores higher first where a difference was found."""

    finding: str
    sides: Sequence[tuple[Sequence[Piece], str]]
    gap: str
    language: str


@dataclass(frozen=True, slots=True)
class StripPlace:
    """Where a finding lies on a scale, in per cent of its width; None for what it does not have.

    Attributes
    ----------
    at
        The gap.
    interval
        Start and length of its interval.
    """

    at: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class SystemCard:
    """What a page shows of one system in one language.

    Attributes
    ----------
    answers, words
        Its findings, and how they are said.
    anchor
        Its id on the page.
    lines, counted
        The comparisons that are drawn, and how many others there are.
    every
        All comparisons.
    reach
        How far its scale goes from 0, in points.
    """

    answers: SystemAnswers
    words: FindingWords
    anchor: str
    lines: Sequence[FindingLine]
    counted: int
    every: Sequence[FindingLine]
    reach: float

    @property
    def first(self) -> Finding | None:
        """What is said first."""
        return self.answers.headline

    @property
    def title(self) -> str:
        """The system, with its language where the page has several."""
        return self.words.title

    @property
    def found(self) -> bool:
        """Whether a difference was found."""
        return self.first is not None and self.first.found

    def place(self, line: FindingLine) -> StripPlace | None:
        """The place of a finding on the scale; None where there is no number."""
        finding = line.finding
        if finding.points is None:
            return None
        low, high = finding.points_between or (None, None)
        interval = None
        if low is not None and high is not None and finding.found_from:
            interval = self._span(low, high)
        return StripPlace(self._at(finding.points), interval)

    @property
    def kinds(self) -> list[tuple[str, list[FindingLine]]]:
        """The lines that are drawn, by how persons are mentioned; what is said first is in the first."""
        by_subset = grouped((line.finding.comparison.subset, line) for line in self.lines)
        return [(self.words.heading(lines), lines) for lines in by_subset.values()]

    @property
    def marks(self) -> frozenset[str]:
        """Which marks are drawn and which words stand beside them."""
        return marks_of(self.lines)

    def _at(self, points: float) -> float:
        return min(max(50 + 50 * points / self.reach, 0.0), 100.0)

    def _span(self, low: float, high: float) -> tuple[float, float]:
        start = self._at(low)
        return start, self._at(high) - start

    def pairs(self) -> list[ShownPair]:
        """Return typical pairs of the differences that were found, else of what is said first."""
        found = [line.finding for line in self.every if line.finding.found]
        chosen = found[:PAIRS] or ([self.first] if self.first else [])
        return [pair for finding in chosen if (pair := self.pair(finding))]

    @property
    def example(self) -> ShownPair | None:
        """A typical pair of what is said first, or of the first comparison that has one; None where none is known."""
        chosen = [self.first, *(line.finding for line in self.every)]
        return next((pair for finding in chosen if finding and (pair := self.pair(finding))), None)

    def pair(self, finding: Finding) -> ShownPair | None:
        """Return the typical pair of a finding; None where it is not known."""
        saved = self.answers.typical(finding)
        if saved is None:
            return None
        low, high = self.answers.score_range
        scores = saved["first_score"], saved["second_score"]
        points = [100 * (score - low) / (high - low) for score in scores]
        digits = 0 if abs(points[0] - points[1]) >= 2 else 2
        whole = [self.words.translator.short(round(value, digits)) for value in points]
        pieces = mark_changes(saved["first"], saved["second"])
        sides = list(zip(pieces, whole, strict=True))
        if points[1] > points[0]:
            sides.reverse()
        gap = self.words.points(abs(points[0] - points[1])).lstrip("+")
        return ShownPair(self.words.line(finding).name, sides, gap, self.answers.language)

    def emotions(self) -> list[tuple[str, dict[str, tuple[str, bool]]]]:
        """Return the gap of each comparison in each emotion, and whether it was found to lie apart from their mean."""
        rows = []
        for line in self.every:
            cells: dict[str, tuple[str, bool]] = {}
            for row in (each.row for each in line.finding.emotions):
                emotion, gap = str(row["emotion"]), row.in_emotion
                if gap is None or emotion == "any":
                    continue
                found = any(row is each.row for each in line.finding.found_emotions)
                cells[emotion] = self.words.points(100 * gap / line.finding.width), found
            if cells and not line.finding.comparison.is_interaction:
                rows.append((line.name, cells))
        return rows


def gather_cards(translator: Translator, units: Iterable[Unit]) -> list[SystemCard]:
    """Gather the cards of a page, systems with the plainest difference first, demonstrations last.

    All systems share one scale, so that they can be compared; each demonstration has its own.
    """
    gathered = gather_answers(units)
    real = [each for each in gathered if not each.is_demonstration]
    shown = real or gathered
    words = {id(each): FindingWords(translator, each) for each in gathered}
    drawn = {id(each): _lines(words[id(each)], alone=len(shown) == 1) for each in gathered}
    shared = _reach(line.finding for each in shown for line in drawn[id(each)][0])
    cards = []
    for number, each in enumerate(gathered, start=1):
        lines, counted = drawn[id(each)]
        reach = shared if each in shown else _reach(line.finding for line in lines)
        every = [words[id(each)].line(finding) for finding in each.findings]
        cards.append(SystemCard(each, words[id(each)], f"s{number}", lines, counted, every, reach))
    return cards


def _lines(words: FindingWords, *, alone: bool) -> tuple[list[FindingLine], int]:
    if alone:
        return words.told(ALONE)
    if words.answers.reacts_to_nothing:
        return [], len(words.answers.findings)
    first = words.answers.headline
    return words.told(BESIDE_OTHERS if first is not None and first.found else OF_NOTHING)


def _reach(findings: Iterable[Finding]) -> float:
    """Return how far a scale goes: to the ends of the intervals."""
    ends = [0.5]
    for finding in findings:
        ends += [abs(end) for end in finding.points_between or ()]
        ends.append(abs(finding.points or 0.0))
    return _round_up(ROOM * max(ends))


def _round_up(value: float) -> float:
    """Return the next of 1, 1.5, 2, 3, 4, 5, 6, 8 and 10 times a power of ten, so that the ends are short."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-9))


def marks_of(lines: Iterable[FindingLine]) -> frozenset[str]:
    """Return which marks and words a picture of these comparisons has, so that each is explained and no other."""
    marks = set()
    for line in lines:
        finding, question = line.finding, line.finding.comparison
        if finding.found:
            marks.add("found")
        elif finding.verdict == "cannot_tell":
            marks.add("open")
        else:
            marks.add("none")
        if finding.verdict == "no_reaction":
            marks.add("still")
        if not finding.found and finding.found_from:
            marks.add("from")
        if question.is_interaction:
            marks.add("gap")
        marks.add(question.subset)
    if {"names", "pairs"} <= marks:
        marks.add("kinds")
    return frozenset(marks)


def dots(means: Mapping[str, float], low: float, high: float) -> list[tuple[str, float]]:
    """Return each name with the place of its mean between two ends, in per cent."""
    return [(name, 100 * (mean - low) / (high - low) if high > low else 50.0) for name, mean in means.items()]


def emotions_of(cards: Sequence[SystemCard]) -> list[str]:
    """Return the emotions that any comparison has rows of, in their order."""
    names: dict[str, Any] = {}
    for card in cards:
        for _, cells in card.emotions():
            names |= dict.fromkeys(cells)
    return list(names)
