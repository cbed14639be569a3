"""The answers to the questions of the plan: one finding per main question and system.

A finding carries the gap, the range in which the true gap may lie, and one answer that is read off these numbers by
`ANSWERS`. Pages, tables, pictures and gates all word findings; nothing else decides what a result shows.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scipy.special import stdtr, stdtrit

from eec_bias.grouping import grouped
from eec_bias.notes import Note
from eec_bias.options import AGREES, ANY
from eec_bias.result.adjusting import FEWEST_DF, POWER
from eec_bias.result.comparison import Comparison
from eec_bias.result.hearing import HeardFeelings, read_feelings
from eec_bias.result.plan import Plan
from eec_bias.result.record import Record
from eec_bias.result.term import DESCRIBED, EQUAL_SCORES, ZERO, Term

Answer = Literal[
    "unanswered", "no_reaction", "described", "turns", "not_estimable", "gap_found", "close", "inconclusive",
    "none_detected", "deaf",
]  # fmt: skip
"""In the order in which `ANSWERS` asks for them; `decide` gives the last."""

FOUND: tuple[Answer, ...] = ("turns", "gap_found")

UNHEARD: tuple[Answer, ...] = ("no_reaction", "close", "inconclusive", "none_detected")
"""The answers that say nothing if the system is deaf to the list."""

POINTS = 100
"""So many points has the declared range of the scores."""

NAMES = "names"
"""The subset of sentences that mention a group by first names."""

UNDECIDED = 10
"""A range that holds 0 and reaches further than this many points is inconclusive, unless a margin was stated."""


@dataclass(frozen=True, slots=True)
class EmotionGap:
    """The gap on the sentences of one emotion.

    Attributes
    ----------
    row : Term
        The row of numbers behind it.
    gap, low, high : float
        The gap in the units of the scores, and its range; the ranges of all emotions hold together.
    """

    row: Term
    gap: float
    low: float
    high: float

    @property
    def emotion(self) -> str:
        """The emotion."""
        return str(self.row.emotion)

    @property
    def found(self) -> bool:
        """Return whether its range is clear of 0."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """The numbers and facts that decide an answer.

    Attributes
    ----------
    effect, se, low, high : float, optional
        The gap, its standard error and its range at the level of the question.
    limit : float, optional
        A range that holds 0 and reaches further is inconclusive; None if no such size is known.
    close : bool
        Whether a margin was stated, and the gap is shown to lie within it, on average and on every emotion.
    equal_scores : bool
        Whether all raw scores compared are equal.
    emotions : tuple of EmotionGap
        The gap on each emotion; empty without emotions.
    emotions_differ : bool
        Whether the gap is found to be another one for some emotion.
    answered : bool
        Whether the system gave usable answers to the sentences compared.
    described : bool
        Whether one word or one pair stands for a group, and no others were scored.
    deaf : bool
        Whether the system hears hardly any word for a feeling.
    """

    effect: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    limit: float | None = None
    close: bool = False
    equal_scores: bool = False
    emotions: tuple[EmotionGap, ...] = ()
    emotions_differ: bool = False
    answered: bool = True
    described: bool = False
    deaf: bool = False

    @property
    def turns(self) -> bool:
        """Return whether the gap is found in opposite directions on two emotions."""
        above = any(each.low > 0 for each in self.emotions)
        below = any(each.high < 0 for each in self.emotions)
        return self.emotions_differ and above and below

    @property
    def estimated(self) -> bool:
        """Return whether there is a gap, and a range or no spread at all."""
        return self.effect is not None and (self.se == 0 or (self.low is not None and self.high is not None))

    @property
    def clear_of_zero(self) -> bool:
        """Return whether the range lies on one side of 0."""
        return (self.low is not None and self.low > 0) or (self.high is not None and self.high < 0)

    @property
    def reaches_beyond_limit(self) -> bool:
        """Return whether the range, or that of an emotion, reaches further than the size that was fixed beforehand."""
        if self.limit is None:
            return False
        ends = [self.low, self.high, *(each.low for each in self.emotions), *(each.high for each in self.emotions)]
        return any(end is not None and abs(end) > self.limit for end in ends)


ANSWERS: tuple[tuple[Answer, Callable[[Evidence], bool]], ...] = (
    ("unanswered", lambda evidence: not evidence.answered),
    ("no_reaction", lambda evidence: evidence.equal_scores),
    ("described", lambda evidence: evidence.described),
    ("turns", lambda evidence: evidence.turns),
    ("not_estimable", lambda evidence: not evidence.estimated),
    ("gap_found", lambda evidence: evidence.clear_of_zero or evidence.emotions_differ),
    ("close", lambda evidence: evidence.close),
    ("inconclusive", lambda evidence: evidence.reaches_beyond_limit),
    ("none_detected", lambda evidence: evidence.estimated),
)
"""The table of answers, for code, glossary and pages: the first that holds is the answer."""


def decide(evidence: Evidence) -> Answer:
    """Return the answer of the table; ``deaf`` in place of one that says nothing of a deaf system."""
    answer = next(answer for answer, holds in ANSWERS if holds(evidence))
    return "deaf" if evidence.deaf and answer in UNHEARD else answer


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one main question about one system.

    Attributes
    ----------
    comparison : Comparison
        What was asked.
    system, task : str, optional
        Of which system, if several were measured.
    answer : str
        See `Answer`.
    gap, low, high : float, optional
        The gap in the units of the scores, above 0 if the level scores higher, and its range at the level of the
        question.
    found_from : float, optional
        The smallest gap that this test would catch 8 times in 10; None below 8 degrees of freedom.
    p_adjusted : float, optional
        Probability of a gap this clear in any main question, were there none; where only emotions show the gap, that
        of such a difference between emotions in any question about them.
    width : float
        Width of the declared range of the scores of one system; 1 for rates.
    emotions : tuple of EmotionGap
        The gap on each emotion; empty without emotions.
    emotions_differ : bool
        Whether the gap is found to be another one for some emotion.
    within_margin : bool
        Whether a gap that was found lies within the stated margin, with its whole range.
    reason : Note, optional
        Why there is no estimate, or what makes the range rough.
    row : Term
        The row of numbers behind it.
    high_means : str
        What a high score means, such as ``positive``; empty if nobody said.
    notes : tuple of Note
        All that limits the answer, the reason among them.
    feelings : HeardFeelings, optional
        The words for feelings that the system hears; None if that is not known.
    listed : str
        The list of names or words that answers, if there are several.
    others : tuple of Finding
        The answers of other lists to the same question.
    """

    comparison: Comparison
    system: str | None
    task: str | None
    answer: Answer
    gap: float | None
    low: float | None
    high: float | None
    found_from: float | None
    p_adjusted: float | None
    width: float
    emotions: tuple[EmotionGap, ...]
    emotions_differ: bool
    within_margin: bool
    reason: Note | None
    row: Term
    high_means: str = ""
    notes: tuple[Note, ...] = ()
    feelings: HeardFeelings | None = None
    listed: str = ""
    others: tuple["Finding", ...] = ()

    @property
    def found(self) -> bool:
        """Return whether a gap was found."""
        return self.answer in FOUND

    @property
    def throughout(self) -> bool:
        """Return whether the gap is the same on every item."""
        return self.answer == "gap_found" and self.row.se == 0

    @property
    def on_average(self) -> bool:
        """Return whether the gap over all emotions was found, and not only that of some emotion."""
        return self.answer == "gap_found" and (self.throughout or bool((self.low or 0) > 0 or (self.high or 0) < 0))

    @property
    def found_emotions(self) -> tuple[EmotionGap, ...]:
        """The emotions whose own gap is found, the largest first."""
        return tuple(sorted((each for each in self.emotions if each.found), key=lambda each: -abs(each.gap)))

    @property
    def n_persons(self) -> int | None:
        """Return how many names, pairs or phrases it rests on."""
        return self.row.n_persons

    @property
    def n_items(self) -> int | None:
        """Return how many items it rests on."""
        return self.row.n_items

    @property
    def n_sentences(self) -> int | None:
        """Return how many sentences it rests on."""
        return self.row.n_sentences

    @property
    def higher(self) -> str:
        """The group that scores higher; empty if neither does."""
        if not self.gap:
            return ""
        return self.comparison.level if self.gap > 0 else self.comparison.reference

    @property
    def lower(self) -> str:
        """The group that scores lower; empty if neither does."""
        if not self.gap:
            return ""
        return self.comparison.reference if self.gap > 0 else self.comparison.level

    @property
    def points(self) -> float | None:
        """The gap in points, hundredths of the declared range."""
        return self.to_points(self.gap)

    @property
    def points_low(self) -> float | None:
        """The lower end of the range in points."""
        return self.to_points(self.low)

    @property
    def points_high(self) -> float | None:
        """The upper end of the range in points."""
        return self.to_points(self.high)

    def get(self, key: str) -> Any:
        """The value of a key of its row, so that findings are picked as rows are."""
        return self.row.get(key)

    def to_points(self, gap: float | None) -> float | None:
        """Return a gap in points."""
        return None if gap is None else POINTS * gap / self.width

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types: the answer, the comparison by its id, and the numbers in points."""
        return {
            "id": self.comparison.id,
            "system": self.system,
            "task": self.task,
            "answer": self.answer,
            "higher": self.higher or None,
            "lower": self.lower or None,
            "points": self.points,
            "points_low": self.points_low,
            "points_high": self.points_high,
            "points_found_from": self.to_points(self.found_from),
            "p_adjusted": self.p_adjusted,
            "within_margin": self.within_margin,
            "emotions_differ": self.emotions_differ,
            "emotions": [
                {
                    "emotion": each.emotion,
                    "points": self.to_points(each.gap),
                    "points_low": self.to_points(each.low),
                    "points_high": self.to_points(each.high),
                    "found": each.found,
                }
                for each in self.emotions
            ],
            "reason": None if self.reason is None else self.reason.to_dict(),
        }


def find(record: Record, *, unanswered: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Answer every main question of the plan for every system.

    Parameters
    ----------
    record : Record
        The result.
    unanswered : iterable of str
        Systems that gave no usable answer to too many sentences for an answer.

    Returns
    -------
    tuple of Finding
        System by system in the order of the plan. Empty for a published procedure, which has no plan.
    """
    if record.plan is None:
        return ()
    silent = frozenset(unanswered)
    by_system = grouped(((row.system, row.task), row) for row in record.terms)
    words = grouped(((row.get("system"), row.get("task")), row) for row in record.feelings)
    findings: list[Finding] = []
    for (system, task), rows in by_system.items():
        feelings = read_feelings(words[system, task]) if (system, task) in words else None
        overall = {row.comparison: row for row in rows if not row.asks}
        of_emotions = grouped((row.comparison.overall, row) for row in rows if row.is_of_emotion and row.emotion != ANY)
        for question in record.plan.main:
            if question in overall:
                # The emotion question is about all sentences, so where words agree with the person it counts there.
                whole = replace(question, agreement=None) if question.agreement == AGREES else question
                row, emotions = overall[question], tuple(of_emotions.get(whole, ()))
                answered = system not in silent
                findings.append(_finding(record, record.plan, row, emotions, feelings, answered=answered))
    return tuple(findings)


def _finding(
    record: Record,
    plan: Plan,
    row: Term,
    of_emotions: Sequence[Term],
    feelings: HeardFeelings | None,
    *,
    answered: bool,
) -> Finding:
    """Answer one question from its row, and the rows that say how the gap differs between emotions."""
    rate = str(row.output or "").startswith("rate[")
    low, high = record.facts.score_range or record.score_range
    width = 1.0 if rate else high - low
    point = width / POINTS if rate or record.facts.score_range is not None else 1.0
    # If all scores are equal, the effect may be what rounding leaves.
    gap = 0.0 if row.state == ZERO and row.effect is not None else row.effect
    tested = _widened(replace(row, effect=gap), record.alpha)
    range_low, range_high, found_from = range_of(tested, plan.main_alpha)
    emotions = tuple(gaps_by_emotion(of_emotions, plan.second_alpha))
    smallest, margin = row.smallest_margin, None if plan.margin is None else plan.margin * point
    evidence = Evidence(
        effect=gap,
        se=row.se,
        low=range_low,
        high=range_high,
        limit=margin if margin is not None else _usual_limit(record, row, width, rate=rate),
        close=margin is not None and smallest is not None and smallest <= margin,
        equal_scores=row.state == EQUAL_SCORES,
        emotions=emotions,
        emotions_differ=any(each.p_adjusted is not None and each.p_adjusted < record.alpha for each in of_emotions)
        or _differ_without_spread(of_emotions),
        answered=answered,
        described=row.state == DESCRIBED,
        deaf=feelings is not None and feelings.is_deaf,
    )
    answer = decide(evidence)
    p_adjusted = row.p_adjusted if tested.p == row.p or tested.p is None else min(1.0, plan.main_tests * tested.p)
    if answer in FOUND and evidence.emotions_differ and not evidence.clear_of_zero:
        p_adjusted = min((each.p_adjusted for each in of_emotions if each.p_adjusted is not None), default=None)
    ends = (range_low, range_high, *(end for each in emotions for end in (each.low, each.high)))
    inside = margin is not None and all(end is not None and abs(end) <= margin for end in ends)
    return Finding(
        comparison=row.comparison,
        system=row.system,
        task=row.task,
        answer=answer,
        gap=gap,
        low=range_low,
        high=range_high,
        found_from=found_from,
        p_adjusted=p_adjusted,
        width=width,
        emotions=emotions,
        emotions_differ=evidence.emotions_differ,
        within_margin=answer == "gap_found" and inside,
        reason=next(iter(row.notes), None),
        row=row,
        high_means=record.high_means,
        notes=(*row.notes, *_nouns_for(row, margin, evidence)),
        feelings=feelings,
    )


def _nouns_for(row: Term, margin: float | None, evidence: Evidence) -> Iterator[Note]:
    """Yield a note on how many pairs of nouns could settle a question, if these cannot.

    What chance alone adds to a gap falls with the root of their number. With a stated margin they show that the gap is
    within it. Without one they make the range clear of 0, or keep it within the usual limit.
    """
    gap, pairs = abs(row.effect or 0.0), row.n_persons
    by_nouns = not (row.subset or NAMES).startswith(NAMES) and row.se_words is None
    if not pairs or not by_nouns:
        return
    if margin is not None:
        shown = row.smallest_margin
        if shown is not None and gap < margin < shown:
            yield _nouns_needed(pairs, (shown - gap) / (margin - gap))
    elif evidence.limit is not None and evidence.low is not None and evidence.high is not None:
        undecided = not evidence.clear_of_zero and max(-evidence.low, evidence.high) > evidence.limit
        if undecided:
            yield _nouns_needed(pairs, (evidence.high - evidence.low) / 2 / max(gap, evidence.limit - gap))


def _nouns_needed(pairs: int, times: float) -> Note:
    """Return the note for a range that must be so many times shorter."""
    return Note("nouns_for_margin", {"needed": math.ceil(pairs * times**2), "count": pairs})


def range_of(row: Term, alpha: float) -> tuple[float | None, float | None, float | None]:
    """Return the range of a gap at a level, and the smallest gap that such a test would catch 8 times in 10."""
    if row.effect is None or row.se is None:
        return None, None, None
    if row.se == 0:
        return row.effect, row.effect, 0.0
    if row.df is None or row.p is None:
        return None, None, None
    reach = float(stdtrit(row.df, 1 - alpha / 2))
    found_from = row.se * (reach + float(stdtrit(row.df, POWER)))
    low, high = row.effect - reach * row.se, row.effect + reach * row.se
    if not all(map(math.isfinite, (low, high, found_from))):
        return None, None, None
    return low, high, found_from if row.df >= FEWEST_DF else None


def gaps_by_emotion(rows: Sequence[Term], alpha: float) -> Iterable[EmotionGap]:
    """Yield the gap on each emotion with a range; the ranges hold together at the level of an emotion question."""
    each_alpha = 1 - (1 - alpha) ** (1 / len(rows)) if rows else alpha
    for row in rows:
        gap, se, df = row.in_emotion, row.in_emotion_se, row.in_emotion_df
        if gap is None or se is None:
            continue
        if se == 0:
            yield EmotionGap(row, gap, gap, gap)
        elif df is not None:
            reach = float(stdtrit(df, 1 - each_alpha / 2)) * se
            if math.isfinite(reach):
                yield EmotionGap(row, gap, gap - reach, gap + reach)


def _differ_without_spread(rows: Sequence[Term]) -> bool:
    """Return whether a gap that has no spread is another one for some emotion: this needs no p."""
    return any(row.p is None and row.se == 0 and bool(row.effect) for row in rows)


def _usual_limit(record: Record, row: Term, width: float, *, rate: bool) -> float | None:
    """Return the size beyond which a range that holds 0 is inconclusive, if no margin was stated.

    It is ten points. Without a declared range it is half the distance between unhappy and joyful sentences, and without
    emotions there is none.
    """
    if rate or record.facts.score_range is not None:
        return width * UNDECIDED / POINTS
    distance = emotion_distance(record, row.system)
    return None if distance is None else abs(distance) / 2


def emotion_distance(record: Record, system: str | None) -> float | None:
    """Return the mean score of joyful sentences minus that of unhappy ones, each emotion counted once; None without."""
    means = emotion_means(record, system)
    unhappy = [means[emotion] for emotion in ("anger", "fear", "sadness") if emotion in means]
    if "joy" not in means or not unhappy:
        return None
    return means["joy"] - sum(unhappy) / len(unhappy)


def emotion_means(record: Record, system: str | None) -> Mapping[str, float]:
    """Return the mean score of the sentences of each emotion."""
    return {row["emotion"]: row["mean"] for row in record.emotions if row.get("system") == system}


def _widened(row: Term, alpha: float) -> Term:
    """Return a row with the standard error and p that its own interval implies, if that is wider than its test's.

    It is if several variants of a system must agree: the interval then reaches over those of all of them.
    """
    low, effect, high = row.ci_low, row.effect, row.ci_high
    if low is None or effect is None or high is None or row.df is None or row.p is None or not row.se:
        return row
    reach = float(stdtrit(row.df, 1 - alpha / 2))
    se = max(effect - low, high - effect) / reach
    if not math.isfinite(se) or se <= row.se * (1 + 1e-6):
        return row
    return replace(row, se=se, p=max(row.p, 2 * float(stdtr(row.df, -abs(effect) / se))))


def find_by_row(record: Record) -> dict[tuple[Any, ...], Finding]:
    """Return the findings of a result by the keys of their rows, see `Term.key`."""
    return {finding.row.key: finding for finding in find(record)}
