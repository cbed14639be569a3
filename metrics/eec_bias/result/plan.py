"""The questions of a measurement, fixed by its design before any score is looked at, and saved with the result.

Every main effect, simple effect and interaction that was asked for is a question, on each kind of sentences that can
answer it. They share one error rate: the interval of each is at 1 − α/m, with m their number, and what could have been
found is stated at the same level, so that the picture and the word cannot disagree (Bonferroni; STATISTICS, section 2).
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from eec_bias.errors import ResultError
from eec_bias.options import ANY
from eec_bias.result.comparison import Comparison
from eec_bias.result.frame import compares
from eec_bias.result.plain import check_list, check_object, check_text, check_texts, is_number, short
from eec_bias.result.term import Term


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a measurement, the confidence that they share, and the margin stated beforehand, if any.

    Attributes
    ----------
    questions : tuple of Comparison
        All of them; their number is the m of every interval.
    confidence : float
        That with which all intervals hold together.
    margin : float, optional
        The difference that is called close, in the units of the scores.
    lists : tuple of str
        For each question the list of names or words that answers it; empty where one list answers all.
    emotions : tuple of str
        The emotions between which each difference is compared beside its question; these are not counted in m.
    """

    questions: tuple[Comparison, ...]
    confidence: float
    margin: float | None = None
    lists: tuple[str, ...] = ()
    emotions: tuple[str, ...] = ()

    @property
    def alpha_each(self) -> float:
        """The level of one question, α/m."""
        return (1 - self.confidence) / max(len(self.questions), 1)

    @property
    def short(self) -> str:
        """Number of the questions and a checksum of the whole plan, as a signature has it: ``7q/1a2b3c4d``."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return f"{len(self.questions)}q/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"

    @property
    def of_terms(self) -> "Plan":
        """The same questions without those of simple effects, and without a margin."""
        kept = [i for i, question in enumerate(self.questions) if not question.is_simple_effect]
        lists = tuple(self.lists[i] for i in kept) if self.lists else ()
        return Plan(tuple(self.questions[i] for i in kept), self.confidence, None, lists, self.emotions)

    def list_of(self, question: Comparison) -> str:
        """Return the list that answers a question; empty where that is not said."""
        if not self.lists or question not in self.questions:
            return ""
        return self.lists[self.questions.index(question)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, each question with its id and the list that answers it."""
        questions = []
        for number, question in enumerate(self.questions):
            answered_by = self.lists[number] if self.lists else None
            questions.append({"id": question.id, **asdict(question), "list": answered_by})
        return {
            "m": len(self.questions),
            "confidence": float(self.confidence),
            "margin": None if self.margin is None else float(self.margin),
            "emotions": list(self.emotions),
            "questions": questions,
        }

    @classmethod
    def from_dict(cls, content: Any, path: str = "plan") -> Self:
        """Read what `to_dict` gave.

        Raises
        ------
        ResultError
            If it is no plan, or its parts contradict each other.
        """
        saved = check_object(content, path)
        confidence, margin = saved.get("confidence"), saved.get("margin")
        if not is_number(confidence) or not 0 < confidence < 1:  # type: ignore[operator]
            raise ResultError(f"{path}.confidence is {short(confidence)}; expected a number between 0 and 1")
        if margin is not None and (not is_number(margin) or margin <= 0):
            raise ResultError(f"{path}.margin is {short(margin)}; expected a number above 0, or null")
        entries = check_list(saved.get("questions"), f"{path}.questions")
        read = [_read_question(entry, f"{path}.questions[{i}]") for i, entry in enumerate(entries)]
        questions = tuple(question for question, _ in read)
        if len(set(questions)) < len(questions):
            raise ResultError(f"{path}.questions holds a question twice; expected each once")
        if saved.get("m") != len(questions):
            raise ResultError(f"{path}.m is {short(saved.get('m'))}, and there are {len(questions)} questions")
        lists = tuple(listed for _, listed in read if listed is not None)
        if lists and len(lists) < len(questions):
            raise ResultError(f"{path}.questions names the list that answers of some questions only; expected of all")
        emotions = tuple(check_texts(saved.get("emotions"), f"{path}.emotions"))
        return cls(questions, float(confidence), margin, lists, emotions)  # type: ignore[arg-type]


def _read_question(saved: Any, path: str) -> tuple[Comparison, str | None]:
    """Read a question, and the list that answers it."""
    entry = check_object(saved, path)
    values: dict[str, Any] = {}
    for each in fields(Comparison):
        value = check_text(entry.get(each.name), f"{path}.{each.name}")
        if value is None and each.name not in ("emotion", "stratum", "output"):
            raise ResultError(f"{path}.{each.name} is null; expected a text")
        values[each.name] = value
    question = Comparison(**values)
    if entry.get("id") != question.id:
        raise ResultError(f"{path}.id is {short(entry.get('id'))}; expected {question.id!r}, which its parts give")
    return question, check_text(entry.get("list"), f"{path}.list")


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question of a design, and how many persons (pairs, bases) and sentences it rests on if all are answered."""

    question: Comparison
    n_persons: int
    n_sentences: int


@dataclass(frozen=True, slots=True)
class PlannedList:
    """What one list of names and words asks.

    Attributes
    ----------
    name : str
        Of the list.
    questions : sequence of PlannedQuestion
        Those that it can answer.
    emotions : tuple of str
        Those between which differences are compared.
    secondary : bool
        Whether it is a part of another list, so that it never answers what that list can.
    """

    name: str
    questions: Sequence[PlannedQuestion]
    emotions: tuple[str, ...] = ()
    secondary: bool = False


def plan_lists(lists: Sequence[PlannedList], confidence: float, margin: float | None = None) -> Plan:
    """Plan several lists together: each question once, answered by the list that has the most persons.

    Of lists with as many persons that with the most sentences answers, of these the first. More persons and sentences
    make what can be found smaller, whatever the scores are.

    Parameters
    ----------
    lists : sequence of PlannedList
        In the order in which they are preferred where their designs are alike.
    confidence : float
        That with which all intervals are to hold together.
    margin : float, optional
        The difference that is to be called close.
    """
    chosen: dict[Comparison, tuple[tuple[bool, int, int], str]] = {}
    for each in lists:
        for planned in each.questions:
            size = not each.secondary, planned.n_persons, planned.n_sentences
            known = chosen.get(planned.question)
            if known is None or size > known[0]:
                # A question keeps its place in the order in which it was first asked.
                chosen[planned.question] = size, each.name
    emotions = dict.fromkeys(emotion for each in lists for emotion in each.emotions)
    answered_by = tuple(name for _, name in chosen.values())
    return Plan(tuple(chosen), confidence, margin, answered_by, tuple(emotions))


def questions_of(rows: Iterable[Term]) -> tuple[Comparison, ...]:
    """Return the questions that rows answer, each once."""
    return tuple(dict.fromkeys(row.comparison for row in rows if is_question(row)))


def is_question(row: Term) -> bool:
    """Whether a row answers a question by itself: not that of a term as a whole, of one emotion, or of a measure."""
    return row.level != ANY and not row.is_of_emotion and compares(row)
