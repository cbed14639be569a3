"""The answers to the questions on reactions: do feelings move the scores as far about each group, and are all heard?

Like `finding`, it reads each answer off the numbers of a row and the level of the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scipy.special import stdtrit

from eec_bias.grouping import grouped
from eec_bias.notes import Note
from eec_bias.options import ANY, MEAN
from eec_bias.result.comparison import HEARD, REACTION, Comparison
from eec_bias.result.frame import Row
from eec_bias.result.plan import Plan
from eec_bias.result.record import Record
from eec_bias.result.term import EQUAL_SCORES, HARDLY_REACTS, Term
from eec_bias.stats.emotions import rows_that_count, sidak_level
from eec_bias.stats.reaction import ratio_from

ReactionAnswer = Literal[
    "no_reaction", "not_estimable", "described", "reaction_found", "words_found", "close", "none_detected"
]

FOUND_REACTIONS: tuple[ReactionAnswer, ...] = ("reaction_found", "words_found")

TWO_WORDS = "two_words_only"
"""Key of the note on a single pair, which is its own sample."""

ONE_SIGN = "heard_in_one_sign"
"""Key of the note on words that do not lean the same way in positive and negative emotions."""


@dataclass(frozen=True, slots=True)
class ReactionFinding:
    """The answer to one question on the reactions of one system.

    Attributes
    ----------
    comparison : Comparison
        What was asked: ``gender:reaction``, how far feelings move the score, or ``gender:heard``, which words do.
    system, task : str, optional
        Of which system, if several were measured.
    answer : str
        See `ReactionAnswer`.
    ratio, low, high : float, optional
        How far feelings move the score about the level, over how far they do about the reference, and its range at the
        level of the question. Without a ``high`` end there is no upper limit.
    found_from : float, optional
        The ratio below 1 that this test would catch 8 times in 10; None if it would catch none. Of words the number
        that must be heard about one group alone.
    p_adjusted : float, optional
        Probability of a difference this clear in any question of its family, were there none.
    row : Term
        The row of numbers behind it; of several levels that of the level with the clearest difference.
    agrees, same : Term, optional
        The rows on words that have a form for each group, and on the others.
    emotions : tuple of dict
        The mean scores of each emotion about either group, see `Record.heard`.
    words : tuple of dict
        The same of each word, where words are counted.
    reason : Note, optional
        Why there is no estimate, or what must be known.
    """

    comparison: Comparison
    system: str | None
    task: str | None
    answer: ReactionAnswer
    ratio: float | None
    low: float | None
    high: float | None
    found_from: float | None
    p_adjusted: float | None
    row: Term
    agrees: Term | None = None
    same: Term | None = None
    emotions: tuple[Row, ...] = ()
    words: tuple[Row, ...] = ()
    reason: Note | None = None

    @property
    def found(self) -> bool:
        """Return whether a difference was found."""
        return self.answer in FOUND_REACTIONS

    @property
    def asks(self) -> str:
        """``reaction`` or ``heard``."""
        return self.comparison.asks

    @property
    def verdict(self) -> str:
        """The answer, under the name that other findings have it."""
        return self.answer

    @property
    def turns(self) -> bool:
        """Return whether a group scores higher on positive and lower on negative emotions, which no scale removes."""
        return bool(self.row.turns)

    @property
    def weaker(self) -> str:
        """The group about which feelings move the score less, or fewer words are heard; empty if neither."""
        first, second = self.row.ratio, 1.0
        if self.asks == HEARD:
            first, second = float(self.row.only_level or 0), float(self.row.only_reference or 0)
        if first is None or first == second:
            return ""
        return str(self.row.level if first < second else self.row.reference)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types."""
        counts = ("only_level", "only_reference", "both", "neither", "words")
        return {
            "id": self.comparison.id,
            "system": self.system,
            "task": self.task,
            "answer": self.answer,
            "level": self.row.level,
            "reference": self.row.reference,
            "weaker": self.weaker or None,
            "ratio": self.ratio,
            "ratio_low": self.low,
            "ratio_high": self.high,
            "found_from": self.found_from,
            "p_adjusted": self.p_adjusted,
            "turns": self.row.turns,
            "ratio_agrees": None if self.agrees is None else self.agrees.ratio,
            "ratio_same": None if self.same is None else self.same.ratio,
            **{name: self.row[name] for name in counts},
            "words_level": self.row.to_dict()["words_level"],
            "words_reference": self.row.to_dict()["words_reference"],
            "reason": None if self.reason is None else self.reason.to_dict(),
        }


def find_reactions(record: Record) -> tuple[ReactionFinding, ...]:
    """Answer every question on reactions of the plan for every system."""
    if record.plan is None:
        return ()
    findings: list[ReactionFinding] = []
    scores = grouped(((row.get("system"), row.get("task"), _whole(row)), row) for row in record.heard)
    for (system, task), rows in grouped(((row.system, row.task), row) for row in record.by_reaction).items():
        by_question = grouped((_whole(row), row) for row in rows)
        for question in record.plan.second:
            levels = [each for each in by_question if _answers(each, question)]
            if not levels:
                continue
            finding = _of_levels(record.plan, record.alpha, [by_question[level] for level in levels])
            shown = scores.get((system, task, finding.row.comparison), [])
            emotions = tuple(row for row in shown if row["word"] is None)
            words = tuple(row for row in shown if row["word"] is not None)
            findings.append(replace(finding, comparison=question, emotions=emotions, words=words))
    return tuple(findings)


def _whole(row: Mapping[str, Any]) -> Comparison:
    """Return what a row compares, if it were about all emotions and items."""
    return replace(Comparison.of(row), emotion=None, agreement=None)


def _answers(row: Comparison, question: Comparison) -> bool:
    """Return whether a row is about a question, or about one of its levels."""
    if question.asks not in (REACTION, HEARD) or row.level == ANY:
        return False
    same = replace(row, level=question.level, reference=question.reference) == question
    return same and (question.level == ANY or row == question)


def _of_levels(plan: Plan, alpha: float, levels: Sequence[Sequence[Term]]) -> ReactionFinding:
    """Return the answer for the level with the clearest difference."""
    clearest = min(levels, key=lambda rows: 2.0 if rows[0].p is None else rows[0].p)
    row = next(each for each in clearest if each.agreement is None and each.emotion is None)
    if row.asks == HEARD:
        return _heard(plan, alpha, row)
    count = len(levels)
    level = sidak_level(plan.second_alpha, rows_that_count(count) if row.reference == MEAN else count)
    against_mean = row.reference == MEAN
    ratio, low, high = _ratio_range(row, level, against_mean=against_mean)
    agrees, same = (next((each for each in clearest if each.agreement == part), None) for part in ("agrees", "same"))
    return ReactionFinding(
        row.comparison,
        row.system,
        row.task,
        _answer(plan, alpha, row, against_mean=against_mean),
        ratio,
        low,
        high,
        row.mde_ratio,
        row.p_adjusted,
        row,
        agrees,
        same,
        reason=next(iter(row.notes), None),
    )


def _answer(plan: Plan, alpha: float, row: Term, *, against_mean: bool) -> ReactionAnswer:
    """Read the answer off a row on reaction."""
    if row.state == EQUAL_SCORES:
        return "no_reaction"
    always = row.se == 0
    if row.effect is None or row.state == HARDLY_REACTS or (row.p_adjusted is None and not always):
        return "not_estimable"
    if any(note.key == TWO_WORDS for note in row.notes):
        return "described"
    if (row.p_adjusted is not None and row.p_adjusted < alpha) or (always and row.effect != 0):
        return "reaction_found"
    margin = plan.reaction_margin
    if margin is None or row.smallest_margin is None:
        return "none_detected"
    limit = 1 - margin if against_mean else 2 * (1 - margin) / (1 + margin)
    return "close" if row.smallest_margin < limit else "none_detected"


def _ratio_range(row: Term, level: float, *, against_mean: bool) -> tuple[float | None, float | None, float | None]:
    """Return the ratio and its range at a level; None for an end that has no limit."""
    if row.ratio is None or row.effect is None:
        return None, None, None
    if row.se is None or row.df is None or row.p is None:
        return row.ratio, None, None
    reach = float(stdtrit(row.df, 1 - level / 2)) * row.se
    ends = (ratio_from(row.effect + step, against_mean=against_mean) for step in (-reach, reach))
    low, high = ends
    return row.ratio, low, high


def _heard(plan: Plan, alpha: float, row: Term) -> ReactionFinding:
    """Read the answer off a row that counts words."""
    one_way = not any(note.key == ONE_SIGN for note in row.notes)
    answer: ReactionAnswer = "none_detected"
    if row.n_persons is not None and row.n_persons > 1 and 2 * 0.5**row.n_persons > plan.second_alpha:
        answer = "not_estimable"
    elif row.p_adjusted is not None and row.p_adjusted < alpha and one_way:
        answer = "words_found"
    fewest = 1
    while 2 * 0.5**fewest > plan.second_alpha:
        fewest += 1
    reason = next(iter(row.notes), None)
    if answer == "not_estimable":
        reason = Note("too_few_pairs_to_count", {"count": row.n_persons})
    return ReactionFinding(
        row.comparison,
        row.system,
        row.task,
        answer,
        None,
        None,
        None,
        float(fewest),
        row.p_adjusted,
        row,
        reason=reason,
    )
