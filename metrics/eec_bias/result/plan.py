"""The questions of a measurement, fixed by its design before any score is looked at.

Every main effect, simple effect and interaction that was asked for is a question, on each kind of sentences that can
answer it. They share one error rate: the interval of each is at 1 − α/m, with m their number, and what could have been
found is stated at the same level, so that the picture and the word cannot disagree (Bonferroni; STATISTICS, section 2).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eec_bias.options import ANY
from eec_bias.result.record import Record
from eec_bias.result.term import Term
from eec_bias.result.verdict import compares


@dataclass(frozen=True, slots=True)
class Question:
    """Do these two groups get the same score, on these sentences?

    Attributes
    ----------
    term, axes : str
        What is compared, as in the rows; ``race|gender=female`` is race among women.
    level, reference : str
        The groups; a difference above 0 means that the first scores higher.
    subset : str
        The kind of sentences: ``names``, ``pairs``, ``phrases``, ``mentions``.
    stratum, output : str, optional
        Part of the data and kind of output, where there are several.
    """

    term: str
    axes: str
    level: str
    reference: str
    subset: str
    stratum: str | None = None
    output: str | None = None

    @property
    def within(self) -> str:
        """The groups among which it is asked, ``gender=female``; empty where it is asked of all."""
        return self.term.partition("|")[2]

    @property
    def is_interaction(self) -> bool:
        """Whether it asks if a difference is the same in two groups."""
        return "+" in self.axes


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a measurement, the confidence that they share, and the margin stated beforehand, if any."""

    questions: tuple[Question, ...]
    confidence: float
    margin: float | None = None

    @property
    def alpha_each(self) -> float:
        """The level of one question, α/m."""
        return (1 - self.confidence) / max(len(self.questions), 1)


def plan_of(record: Record) -> Plan:
    """Return the plan of a result: its questions follow from the design and the options, whatever the scores were."""
    questions = dict.fromkeys(question_of(row) for row in record.terms if is_question(row))
    return Plan(tuple(questions), record.confidence, _margin(record))


def is_question(row: Term) -> bool:
    """Whether a row answers a question by itself: not that of a term as a whole, of one emotion, or of a measure."""
    return row.level != ANY and not row.is_of_emotion and compares(row)


def question_of(row: Mapping[str, Any]) -> Question:
    """Return the question that a row answers."""
    return Question(
        term=str(row["term"]),
        axes=str(row["axes"]),
        level=str(row["level"]),
        reference=str(row["reference"]),
        subset=str(row["subset"]),
        stratum=row.get("stratum"),
        output=row.get("output"),
    )


def _margin(record: Record) -> float | None:
    margins = {row["margin"] for row in record.equivalence}
    return max(margins) if margins else None
