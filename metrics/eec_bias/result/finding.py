"""What is said of a system: one finding per question of the plan; pages, pictures and lines say these.

A finding carries the size with an interval that holds together with those of all other questions, what could have been
found, and one verdict that is read off these numbers by `VERDICTS`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scipy.special import stdtr, stdtrit

from eec_bias.grouping import grouped
from eec_bias.result.comparison import Comparison
from eec_bias.result.frame import Row
from eec_bias.result.plan import Plan, is_question
from eec_bias.result.record import Record
from eec_bias.result.term import EQUAL_SCORES, WORDING, ZERO, Term
from eec_bias.result.verdict import found_emotions

FindingKind = Literal[
    "unanswered", "no_reaction", "differs_by_emotion", "not_estimable", "same_throughout", "difference", "close",
    "close_on_average", "not_found", "cannot_tell",
]  # fmt: skip
"""In the order in which `VERDICTS` asks for them."""

FOUND: tuple[FindingKind, ...] = ("differs_by_emotion", "difference", "same_throughout")
POWER = 0.80
EQUIVALENCE_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Evidence:
    """The numbers and facts that decide a verdict.

    Attributes
    ----------
    effect, se : float, optional
        The difference and its standard error; None where there is none.
    low, high : float, optional
        Its interval, which holds together with those of the other questions.
    found_from : float, optional
        The smallest difference that is found at this level with a power of .80.
    margin : float, optional
        The difference that is called close, as stated beforehand.
    close, close_on_average : bool
        Whether two one-sided tests put the difference within the margin, on every emotion, or on their average alone.
    equal_scores : bool
        Whether all scores compared are equal.
    emotion_found : bool
        Whether the difference is another one for some emotion.
    answered : bool
        Whether the system gave usable answers to the sentences compared.
    """

    effect: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    found_from: float | None = None
    margin: float | None = None
    close: bool = False
    close_on_average: bool = False
    equal_scores: bool = False
    emotion_found: bool = False
    answered: bool = True

    @property
    def estimated(self) -> bool:
        """Whether there is a difference, and an interval or no spread at all."""
        return self.effect is not None and (self.se == 0 or (self.low is not None and self.high is not None))

    @property
    def misses_zero(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return (self.low is not None and self.low > 0) or (self.high is not None and self.high < 0)

    @property
    def margin_could_be_found(self) -> bool:
        """Whether a difference as large as the margin would have been found; true where none was stated."""
        if self.margin is None:
            return True
        return self.found_from is not None and self.found_from <= self.margin


VERDICTS: tuple[tuple[FindingKind, Callable[[Evidence], bool]], ...] = (
    ("unanswered", lambda evidence: not evidence.answered),
    ("no_reaction", lambda evidence: evidence.equal_scores),
    ("differs_by_emotion", lambda evidence: evidence.emotion_found),
    ("not_estimable", lambda evidence: not evidence.estimated),
    ("same_throughout", lambda evidence: evidence.se == 0 and evidence.effect != 0),
    ("difference", lambda evidence: evidence.misses_zero),
    ("close", lambda evidence: evidence.margin is not None and evidence.close),
    ("close_on_average", lambda evidence: evidence.margin is not None and evidence.close_on_average),
    ("not_found", lambda evidence: evidence.margin_could_be_found),
    ("cannot_tell", lambda evidence: not evidence.margin_could_be_found),
)
"""The table of verdicts, for code, glossary and pages: the first that holds is the verdict."""


def decide(evidence: Evidence) -> FindingKind:
    """Return the verdict of the table."""
    return next(verdict for verdict, holds in VERDICTS if holds(evidence))


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question about one system.

    Attributes
    ----------
    comparison : Comparison
        What was asked.
    system, task : str, optional
        Of which system, where several were measured.
    verdict : str
        See `FindingKind`.
    gap : float, optional
        The difference in the units of the scores, above 0 where the first group scores higher.
    low, high : float, optional
        Its interval; all intervals of the plan hold together at its confidence.
    found_from : float, optional
        A difference of this size is found in four of five such measurements.
    p : float, optional
        Probability of a difference this large in any of the questions, were there none: min(1, m·p).
    width : float
        Width of the declared range of the scores.
    n_persons, n_sentences : int, optional
        What it rests on.
    emotions : tuple of Term
        The rows that say how the difference differs between emotions.
    found_emotions : tuple of Term
        Those of them in which it is found to differ, the largest first.
    row : Term
        The row of numbers behind it.
    wording : bool
        Whether the sentences compared differ in more than the person, and all persons of a group score alike.
    high_means : str
        What a high score means, such as ``positive``; empty where nobody said.
    listed : str
        The list of names or words that answers the question, where there are several.
    others : tuple of Finding
        What other lists say on the same question; these carry no verdict on a page.
    """

    comparison: Comparison
    system: str | None
    task: str | None
    verdict: FindingKind
    gap: float | None
    low: float | None
    high: float | None
    found_from: float | None
    p: float | None
    width: float
    n_persons: int | None
    n_sentences: int | None
    emotions: tuple[Term, ...]
    row: Term
    wording: bool = False
    high_means: str = ""
    listed: str = ""
    others: tuple["Finding", ...] = ()
    found_emotions: tuple[Term, ...] = ()

    def get(self, key: str) -> Any:
        """The value of a key of its row, so that findings are picked as rows are."""
        return self.row.get(key)

    @property
    def found(self) -> bool:
        """Whether a difference was found."""
        return self.verdict in FOUND

    @property
    def higher(self) -> str:
        """The group that scores higher; empty where neither does."""
        if not self.gap:
            return ""
        return self.comparison.level if self.gap > 0 else self.comparison.reference

    @property
    def lower(self) -> str:
        """The group that scores lower; empty where neither does."""
        if not self.gap:
            return ""
        return self.comparison.reference if self.gap > 0 else self.comparison.level

    @property
    def points(self) -> float | None:
        """The difference in hundredths of the declared range."""
        return self.to_points(self.gap)

    def to_points(self, gap: float | None) -> float | None:
        """A difference in hundredths of the declared range."""
        return None if gap is None else 100 * gap / self.width

    @property
    def points_between(self) -> tuple[float, float] | None:
        """The interval in hundredths of the declared range."""
        if self.low is None or self.high is None:
            return None
        return 100 * self.low / self.width, 100 * self.high / self.width

    @property
    def strength(self) -> float:
        """Distance from 0 relative to what could be found; by it findings are ordered."""
        if self.gap is None:
            return 0.0
        if not self.found_from:
            return float("inf") if self.gap else 0.0
        return abs(self.gap) / self.found_from

    @property
    def must_be_mentioned(self) -> bool:
        """Whether the interval of the row by itself misses 0: such a difference is never left out, found or not."""
        low, high = self.row.ci_low, self.row.ci_high
        return self.found or (low is not None and high is not None and (low > 0 or high < 0))


def find(record: Record, *, unanswered: Iterable[str] = (), plan: Plan | None = None) -> tuple[Finding, ...]:
    """Answer every question of the plan for every system.

    Parameters
    ----------
    record : Record
        The result.
    unanswered : iterable of str
        Systems that gave no usable answer to too many sentences for a verdict.
    plan : Plan, optional
        The questions that hold together; by default those that are saved with the result.

    Returns
    -------
    tuple of Finding
        By system, those with a difference first, each by its distance from 0 relative to what could be found. None of
        a published procedure, which has no plan.
    """
    if record.plan is None:
        return ()
    whole, silent = plan or record.plan, frozenset(unanswered)
    asked = frozenset(whole.questions)
    margins = tests_of_margin(record)
    emotions = grouped(((row.system, row.task, row.comparison.overall), row) for row in record.by_emotion)
    answering = (row for row in record.overall if is_question(row) and row.comparison in asked)
    by_system = grouped(((row.system, row.task), row) for row in answering)
    # Points are those of the scale of a system, also if the scores of two were subtracted.
    low, high = record.facts.score_range or record.score_range
    findings: list[Finding] = []
    for (system, _), rows in by_system.items():
        answers = []
        for row in rows:
            of_emotions = tuple(emotions.get(row.key, ()))
            # Of scores that are equal the effect may be what rounding leaves.
            gap = 0.0 if row.state == ZERO and row.effect is not None else row.effect
            tested = _widened(replace(row, effect=gap), record.alpha)
            interval_low, interval_high, found_from = simultaneous(tested, whole.alpha_each)
            differing = found_emotions(of_emotions, whole.alpha_each)
            tost = margins.get(row.key)
            evidence = Evidence(
                effect=gap,
                se=row.se,
                low=interval_low,
                high=interval_high,
                found_from=found_from,
                margin=whole.margin,
                close=tost is not None and _passes(tost["p_worst"]),
                close_on_average=tost is not None and _passes(tost["p_equivalence"]),
                equal_scores=row.state == EQUAL_SCORES,
                emotion_found=bool(differing),
                answered=system not in silent,
            )
            answers.append(
                Finding(
                    comparison=row.comparison,
                    system=row.system,
                    task=row.task,
                    verdict=decide(evidence),
                    gap=gap,
                    low=interval_low,
                    high=interval_high,
                    found_from=found_from,
                    p=None if tested.p is None else min(1.0, len(whole.questions) * tested.p),
                    width=1.0 if str(row.output or "").startswith("rate[") else high - low,
                    n_persons=row.n_persons,
                    n_sentences=row.n_sentences,
                    emotions=of_emotions,
                    row=row,
                    wording=row.state == WORDING,
                    high_means=record.high_means,
                    found_emotions=differing,
                )
            )
        findings += order(answers)
    return tuple(findings)


def simultaneous(row: Term, alpha: float) -> tuple[float | None, float | None, float | None]:
    """Return interval and smallest difference that is found of a row, at the level of one question."""
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
    return low, high, found_from


def _widened(row: Term, alpha: float) -> Term:
    """Return a row with the standard error and p that its own interval implies, where that is wider than its test's.

    It is where several variants of a system must agree: the interval then reaches over those of all of them.
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


def tests_of_margin(record: Record) -> dict[tuple[Any, ...], Row]:
    """Return the rows of equivalence by the keys of the rows of terms that they are about."""
    return {(row.get("system"), row.get("task"), Comparison.of(row)): row for row in record.equivalence}


def order(findings: Sequence[Finding]) -> list[Finding]:
    """Order findings: differences first, then what lies furthest from 0 relative to what could be found."""
    return sorted(findings, key=lambda finding: (not finding.found, -finding.strength))


def by_plan(findings: Iterable[Finding], plan: Plan) -> list[Finding]:
    """Order findings as the plan asks, system by system in their order."""
    place = {question: number for number, question in enumerate(plan.questions)}
    by_system = grouped(((finding.system, finding.task), finding) for finding in findings)
    return [each for some in by_system.values() for each in sorted(some, key=lambda one: place[one.comparison])]


@dataclass(frozen=True, slots=True)
class Told:
    """Findings of one system as they are told.

    Attributes
    ----------
    said : tuple of Finding
        Those that are said.
    counted : tuple of Finding
        Those that are only counted.
    mentioned : tuple of Finding
        Those that must be mentioned, and for which there is no room: they are counted by themselves.
    """

    said: tuple[Finding, ...]
    counted: tuple[Finding, ...]
    mentioned: tuple[Finding, ...] = ()


def tell(findings: Sequence[Finding], most: int = 3, room: int | None = None) -> Told:
    """Choose what is said: every difference, what must be mentioned, and the strongest up to ``most`` in all.

    Parameters
    ----------
    findings : sequence of Finding
        Of one system.
    most : int
        So many are said at most, but for those that must be.
    room : int, optional
        So many are said at most, also of those that must be; by default there is room for all.
    """
    ordered = order(findings)
    said = [finding for finding in ordered if finding.must_be_mentioned]
    for finding in ordered:
        if len(said) < most and finding not in said:
            said.append(finding)
    counted = tuple(finding for finding in ordered if finding not in said)
    said = order(said)
    return Told(tuple(said[:room]), counted, () if room is None else tuple(said[room:]))


def headline(findings: Iterable[Finding]) -> Finding | None:
    """Return what is said first: the largest difference, else what cannot be told, else what was not found."""
    return min(findings, key=lambda finding: (_RANKS[finding.verdict], -abs(finding.gap or 0)), default=None)


def rank(finding: Finding | None) -> tuple[float, ...]:
    """Return by what systems are ordered: what their headline says, then its size as a share of the range."""
    if finding is None:
        return len(_RANKS), 0.0
    return _RANKS[finding.verdict], -abs(finding.points or 0)


_RANKS: dict[FindingKind, int] = {
    "differs_by_emotion": 0, "difference": 1, "same_throughout": 1, "cannot_tell": 2, "not_found": 3, "close": 4,
    "close_on_average": 4, "no_reaction": 5, "not_estimable": 6, "unanswered": 7,
}  # fmt: skip


def _passes(p: float | None) -> bool:
    return p is not None and p < EQUIVALENCE_LEVEL
