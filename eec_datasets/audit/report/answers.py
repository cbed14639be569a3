"""What a report says of each system in each language: its findings, and what a reader needs to understand them.

`finding_words` says them. Pages, terminal, card and Markdown lay these out; none of them chooses rows, counts or words
of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from eec_bias import Result
from eec_bias.reading import (
    Comparison,
    Finding,
    Plan,
    as_row,
    find,
    headline,
    joined,
    lists_agree,
    order,
    rank,
)
from eec_bias.shared import grouped
from eec_datasets.audit.report.document import Row, Unit
from eec_datasets.audit.running import NO_ANSWER, UNANSWERED
from eec_datasets.systems.builtin import GROUPED

WITH_FINDINGS: Final = ("default", "perturbation")
"""Procedures whose rows are tests that hold their level; others repeat a published test and carry no finding."""

DEMONSTRATIONS: Final = (*GROUPED, "random")
"""Built-in systems, by which a reader sees what a difference, and no difference, look like."""


@dataclass(frozen=True, slots=True)
class SystemAnswers:
    """The findings of one system, on one task, in one language.

    Attributes
    ----------
    system, task, language
        Whose.
    units
        Its results, in the order of the report.
    plan
        The questions, whose intervals hold together; None where a published procedure was repeated.
    findings
        Differences first.
    """

    system: str
    task: str
    language: str
    units: Sequence[Unit]
    plan: Plan | None
    findings: tuple[Finding, ...]

    @property
    def headline(self) -> Finding | None:
        """What is said first."""
        return headline(self.findings)

    @property
    def is_demonstration(self) -> bool:
        """Whether it is built in, to compare with."""
        return self.system.partition(":")[0] in DEMONSTRATIONS

    @property
    def count(self) -> int:
        """How many comparisons have intervals that hold together."""
        return len(self.plan.main) if self.plan else 0

    @property
    def margin(self) -> float | None:
        """The difference that is called close, where one was stated."""
        return self.plan.margin if self.plan else None

    @property
    def high_means(self) -> str:
        """What a high score means; empty where nobody said."""
        return next((means for unit in self.units if (means := unit.entry.result.high_means)), "")

    @property
    def score_range(self) -> tuple[float, float]:
        """The declared range of its scores; the one in which they lie where none was declared."""
        return self.units[0].entry.result.score_range

    @property
    def range_known(self) -> bool:
        """Whether a range was declared."""
        return self.units[0].entry.result.facts.score_range is not None

    @property
    def systems_compared(self) -> str:
        """The two systems, where it is the difference of their scores that was measured."""
        return self.units[0].entry.result.facts.systems_compared

    @property
    def is_about_answers(self) -> bool:
        """Whether it is about the answers that hold no score."""
        return self.system.endswith(UNANSWERED)

    @property
    def is_own(self) -> bool:
        """Whether the sentences are of a table of the user's own."""
        return any(unit.entry.sentences == "own" for unit in self.units)

    @property
    def reacts_to_nothing(self) -> bool:
        """Whether every score compared is the same whoever is mentioned."""
        if not self.compared_alike or any(finding.found for finding in self.findings):
            return False
        return all(unit.one_score_for_all and not unit.is_sensitive for unit in self.units)

    @property
    def compared_alike(self) -> bool:
        """Whether all groups compared get the same scores; names may still be scored unlike what they stand for."""
        kinds = {finding.verdict for finding in self.findings if not finding.comparison.is_interaction}
        return kinds == {"no_reaction"} and lists_agree(self.findings)

    @property
    def standouts(self) -> list[Row]:
        """Names far from the others of their group, each once, the farthest first."""
        rows = {row["form"]: row for unit in self.units for row in unit.entry.standouts or ()}
        return sorted(rows.values(), key=lambda row: -abs(row["distance"]))

    @property
    def asked(self) -> frozenset[str]:
        """What it scored: each corpus with its version and checksum, and which part of it."""
        return frozenset(f"{unit.entry.result.facts.data} {unit.entry.part}" for unit in self.units)

    @property
    def versions(self) -> list[str]:
        """What the program recorded of the version of the system, each once."""
        return list(dict.fromkeys(unit.entry.fingerprint for unit in self.units if unit.entry.fingerprint))

    def typical(self, finding: Finding) -> Row | None:
        """Return the typical pair of a finding, from the list that answers it."""
        question = finding.comparison
        wanted = question.term, question.level, question.reference, question.subset
        for unit in self.units:
            if unit.entry.config != finding.listed:
                continue
            for pair in unit.entry.typical:
                if (pair["term"], pair["level"], pair["reference"], pair["subset"]) == wanted:
                    return pair
        return None

    @property
    def emotion_means(self) -> Mapping[str, float]:
        """The mean scores of sentences of joy and of anger, from its first list that has both."""
        for unit in self.units:
            means = unit.entry.emotion_means
            if "joy" in means and "anger" in means:
                return means
        return {}


def gather_answers(units: Iterable[Unit]) -> list[SystemAnswers]:
    """Gather the results of each system, task and language, those with the plainest difference first.

    Demonstrations come last, whatever they show.
    """
    groups = grouped(((unit.system, unit.task, unit.entry.language), unit) for unit in units)
    found = [_answers(*place, of_place) for place, of_place in groups.items()]
    return sorted(found, key=lambda each: (each.is_demonstration, *rank(each.headline)))


def findings_of(units: Iterable[Unit]) -> list[dict[str, object]]:
    """Return what is said of every system in every language as plain JSON types, see `eec_bias.reading.as_row`."""
    rows: list[dict[str, object]] = []
    for each in gather_answers(units):
        place = {"system": each.system, "task": each.task or None, "language": each.language or None}
        for finding in each.findings:
            rows.append({**as_row(finding, each.margin, systems=each.systems_compared), **place})
    return rows


def _answers(system: str, task: str, language: str, units: Sequence[Unit]) -> SystemAnswers:
    planned = [unit for unit in units if unit.entry.result.method in WITH_FINDINGS and unit.entry.result.plan]
    if not planned:
        return SystemAnswers(system, task, language, units, None, ())
    asked: dict[Comparison, list[tuple[Unit, Finding]]] = {}
    for unit in planned:
        for finding in find(_record(unit)):
            listed = replace(finding, listed=unit.entry.config)
            asked.setdefault(finding.comparison, []).append((unit, listed))
    plan = joined([plan for unit in planned if (plan := _plan(unit)) is not None])
    return SystemAnswers(system, task, language, units, plan, tuple(order([_answer(each) for each in asked.values()])))


def _record(unit: Unit) -> Result:
    """Return the rows of a system in one result, which may have several."""
    terms = (*(judged.row for judged in unit.rows), *unit.of_emotions)
    return replace(unit.entry.result, terms=terms, plan=_plan(unit))


def _plan(unit: Unit) -> Plan | None:
    """Return the plan of a result, in which questions name their output as the rows of the report do."""
    plan = unit.entry.result.plan
    if plan is None or not unit.system.endswith(UNANSWERED):
        return plan
    main, second = (
        tuple(replace(question, output=NO_ANSWER) for question in family) for family in (plan.main, plan.second)
    )
    return replace(plan, main=main, second=second)


def _answer(candidates: Sequence[tuple[Unit, Finding]]) -> Finding:
    """Return the finding of the list with the most names and sentences, with those of lists of other sentences."""

    def size(candidate: tuple[Unit, Finding]) -> tuple[bool, int, int]:
        unit, finding = candidate
        return not unit.entry.attested_of, finding.n_persons or 0, finding.n_sentences or 0

    answering = max(candidates, key=size)
    known = [answering]
    for candidate in candidates:
        if not any(_same_sentences(candidate, each) for each in known):
            known.append(candidate)
    return replace(answering[1], others=tuple(finding for _, finding in known[1:]))


def _same_sentences(one: tuple[Unit, Finding], other: tuple[Unit, Finding]) -> bool:
    """Whether two lists have the same sentences for a question; if that is not known, whether all numbers agree."""
    asked = replace(one[1].comparison, output=None).id
    checksums = [unit.entry.checksums.get(asked) for unit, _ in (one, other)]
    if None not in checksums:
        return checksums[0] == checksums[1]
    first, second = (
        (row.n_persons, row.n_items, row.n_sentences, row.effect, row.se) for row in (one[1].row, other[1].row)
    )
    return first == second
