"""The questions of a measurement, fixed by its design before any score is looked at, and saved with the result.

The error rate is split in two halves. The main questions share one: is there a gap between these groups? The emotion
and reaction questions share the other: is the gap another one for some emotion, do feelings move the score as far about
each group, are the same words heard? Each family divides its half by the number of its
questions (Bonferroni), so that the interval, the adjusted p and the answer of a question cannot disagree.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from eec_bias.errors import ResultError
from eec_bias.result.comparison import Comparison
from eec_bias.result.plain import check_list, check_object, check_text, is_number, short


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a measurement, the confidence that they share, and the margin stated beforehand, if any.

    Attributes
    ----------
    main : tuple of Comparison
        The main questions; their number is m₁.
    second : tuple of Comparison
        The emotion and reaction questions, one of each per axis and kind of sentences; their number is m₂.
    confidence : float
        That with which all intervals of a family hold together, after its share of the error rate.
    margin : float, optional
        The gap that is called close, in points: hundredths of the declared range, or units of the scores without one.
    reaction_margin : float, optional
        The ratio of reactions from which on they are called close.
    """

    main: tuple[Comparison, ...]
    second: tuple[Comparison, ...] = ()
    confidence: float = 0.95
    margin: float | None = None
    reaction_margin: float | None = None

    @property
    def main_tests(self) -> int:
        """The number by which p of a main question is multiplied: 2·m₁."""
        return 2 * max(len(self.main), 1)

    @property
    def second_tests(self) -> int:
        """The number by which p of an emotion or reaction question is multiplied: 2·m₂."""
        return 2 * max(len(self.second), 1)

    @property
    def main_alpha(self) -> float:
        """The level of one main question, α/(2·m₁)."""
        return (1 - self.confidence) / self.main_tests

    @property
    def second_alpha(self) -> float:
        """The level of one emotion or reaction question, α/(2·m₂)."""
        return (1 - self.confidence) / self.second_tests

    @property
    def short(self) -> str:
        """Number of the main questions and a checksum of the whole plan, as a signature has it: ``8q/1a2b3c4d``."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return f"{len(self.main)}q/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, each question with its id."""
        return {
            "confidence": float(self.confidence),
            "margin": None if self.margin is None else float(self.margin),
            "reaction_margin": None if self.reaction_margin is None else float(self.reaction_margin),
            "main": [{"id": question.id, **question.to_dict()} for question in self.main],
            "second": [{"id": question.id, **question.to_dict()} for question in self.second],
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
        close = saved.get("reaction_margin")
        if close is not None and (not is_number(close) or not 0 < close < 1):
            raise ResultError(f"{path}.reaction_margin is {short(close)}; expected a number between 0 and 1, or null")
        main, second = (_read_questions(saved.get(name), f"{path}.{name}") for name in ("main", "second"))
        return cls(main, second, float(confidence), margin, close)  # type: ignore[arg-type]


def _read_questions(saved: Any, path: str) -> tuple[Comparison, ...]:
    """Read the questions of one family."""
    entries = check_list(saved, path)
    questions = tuple(_read_question(entry, f"{path}[{number}]") for number, entry in enumerate(entries))
    if len(set(questions)) < len(questions):
        raise ResultError(f"{path} has a question twice; expected each once")
    return questions


def _read_question(saved: Any, path: str) -> Comparison:
    entry = check_object(saved, path)
    values: dict[str, Any] = {}
    for each in fields(Comparison):
        value = check_text(entry.get(each.name), f"{path}.{each.name}")
        if value is None and each.name not in ("emotion", "stratum", "output", "agreement"):
            raise ResultError(f"{path}.{each.name} is null; expected a text")
        values[each.name] = value
    question = Comparison(**values)
    if entry.get("id") != question.id:
        raise ResultError(f"{path}.id is {short(entry.get('id'))}; expected {question.id!r}, which its parts give")
    return question


def joined(plans: Sequence[Plan]) -> Plan | None:
    """Return one plan of the questions of several, which differ in their axes; None without any."""
    if not plans:
        return None
    main = dict.fromkeys(question for plan in plans for question in plan.main)
    second = dict.fromkeys(question for plan in plans for question in plan.second)
    return Plan(tuple(main), tuple(second), plans[0].confidence, plans[0].margin, plans[0].reaction_margin)
