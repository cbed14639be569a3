"""The verdict beside a row of the analysts' tables: that of the finding that rests on it, else none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eec_bias.reading import Comparison, Finding, Judged, verdict
from eec_datasets.audit.report.answers import SystemAnswers, gather_answers
from eec_datasets.audit.report.document import Unit
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sentences import label

NONE = "–"
"""Beside a row that answers no question: of a term as a whole."""


class Readings:
    """Says which rows findings rest on.

    Parameters
    ----------
    translator
        The language.
    units
        All results of a report.
    """

    def __init__(self, translator: Translator, units: Iterable[Unit]) -> None:
        self._translator = translator
        self._answers: dict[tuple[str, str, str], SystemAnswers] = {}
        self._findings: dict[tuple[str, str, str, Comparison], Finding] = {}
        for each in gather_answers(units):
            place = each.system, each.task, each.language
            self._answers[place] = each
            self._findings |= {(*place, finding.comparison): finding for finding in each.findings}

    def answers_of(self, units: Iterable[Unit]) -> Sequence[SystemAnswers]:
        """Return the findings of a system, one for each language."""
        return [self._answers[place] for place in dict.fromkeys(map(_place, units))]

    def found(self, unit: Unit, judged: Judged) -> bool:
        """Whether a difference was found that rests on a row; of a published procedure, whether its row shows one."""
        if self._speaks_for_itself(unit, judged):
            return judged.verdict.found
        finding = self._asked(unit, judged)
        return finding is not None and finding.listed == unit.entry.config and finding.found

    def say(self, unit: Unit, judged: Judged) -> str:
        """Say the verdict on a row, or which list has it; a published procedure has that of its own rows."""
        if self._speaks_for_itself(unit, judged):
            return label(self._translator, judged)
        asked = self._asked(unit, judged)
        if asked is None:
            return NONE
        if asked.listed != unit.entry.config:
            return self._translator.say("verdict.elsewhere", list=self._translator.isolated(asked.listed))
        if asked.verdict == "not_estimable":
            # A number without a test is there, so that it was not estimated would be wrong.
            return label(self._translator, judged)
        margin = self._answers[_place(unit)].margin
        rough = f", {self._translator.say('verdict.rough')}" if judged.verdict.rough else ""
        return f"{self._translator.note(verdict(asked, margin))}{rough}"

    def _speaks_for_itself(self, unit: Unit, judged: Judged) -> bool:
        return not self._answers[_place(unit)].findings or judged.verdict.kind == "described"

    def _asked(self, unit: Unit, judged: Judged) -> Finding | None:
        """Return the answer to the question that a row is about."""
        return self._findings.get((*_place(unit), judged.row.comparison))


def _place(unit: Unit) -> tuple[str, str, str]:
    return unit.system, unit.task, unit.entry.language
