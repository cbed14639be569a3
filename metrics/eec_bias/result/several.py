"""The findings of an audit: several results of one system, of which one answers each question.

Which one is settled by the plan: the list with the most names or words, of these the one with the most sentences, of
these the first. What the others say stands beside its answer without a verdict. A list that holds the same sentences
for a question is no other list there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from eec_bias.result.comparison import Comparison
from eec_bias.result.finding import Finding, find, order
from eec_bias.result.plan import Plan, questions_of
from eec_bias.result.record import Record


@dataclass(frozen=True, slots=True)
class ListedResult:
    """One result of a system, and the list of names and words that it is of.

    Attributes
    ----------
    name : str
        Name of the list.
    record : Record
        The result; its rows are of one system and task.
    secondary : bool
        Whether it is a part of another list, so that it never answers what that list can.
    checksums : mapping of str to str
        A checksum of the sentences of each question, by its id, see `eec_bias.plan.sentence_checksums`; empty where
        they are not known.
    """

    name: str
    record: Record
    secondary: bool = False
    checksums: Mapping[str, str] = field(default_factory=dict)


RecordKind = TypeVar("RecordKind", bound=Record)


def under_plan(result: RecordKind, plan: Plan) -> RecordKind:
    """Return a result as a part of an audit, whose plan its findings follow.

    One that answers what the plan does not ask keeps its own: an axis may have lost levels with items left out.
    """
    if not set(questions_of(result.terms)) <= set(plan.questions):
        return result
    return replace(result, plan=plan, facts=replace(result.facts, plan=plan.short))


def plan_over(results: Sequence[ListedResult]) -> Plan:
    """Return the plan that several results share, else one of the questions of all of them.

    Results of one audit have its plan. Where results with plans of their own are put together, each question is asked
    once, with the widest margin that any of them states, and answered by the list that all plans name, or that is the
    largest.

    Parameters
    ----------
    results : sequence of ListedResult
        One at least, all of one confidence and with a plan.
    """
    plans = list(dict.fromkeys(each.record.plan for each in results if each.record.plan is not None))
    if len(plans) == 1:
        return plans[0]
    answered_by: dict[Comparison, set[str]] = {}
    for plan in plans:
        for question in plan.questions:
            answered_by.setdefault(question, set()).add(plan.list_of(question))
    margins = [plan.margin for plan in plans if plan.margin is not None]
    lists = tuple(next(iter(names)) if len(names) == 1 else "" for names in answered_by.values())
    emotions = dict.fromkeys(emotion for plan in plans for emotion in plan.emotions)
    confidence, margin = plans[0].confidence, max(margins, default=None)
    return Plan(tuple(answered_by), confidence, margin, lists if any(lists) else (), tuple(emotions))


def find_over(results: Sequence[ListedResult], *, unanswered: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Answer each question of several results of one system once.

    Parameters
    ----------
    results : sequence of ListedResult
        In the order in which they are preferred where their designs are alike.
    unanswered : iterable of str
        As for `find`.

    Returns
    -------
    tuple of Finding
        Differences first, each with the list that answers it and what the others say.
    """
    if not any(each.record.plan for each in results):
        return ()
    plan, silent = plan_over(results), tuple(unanswered)
    answers: dict[Comparison, list[tuple[ListedResult, Finding]]] = {}
    for each in results:
        for finding in find(each.record, unanswered=silent, plan=plan):
            listed = replace(finding, listed=each.name)
            answers.setdefault(finding.comparison, []).append((each, listed))
    return tuple(order([_answer(plan.list_of(question), candidates) for question, candidates in answers.items()]))


def _answer(planned: str, candidates: Sequence[tuple[ListedResult, Finding]]) -> Finding:
    """Return the finding of the list that was to answer, else of the largest, with the others."""

    def size(candidate: tuple[ListedResult, Finding]) -> tuple[bool, bool, int, int]:
        listed, finding = candidate
        return finding.listed == planned, not listed.secondary, finding.n_persons or 0, finding.n_sentences or 0

    answering = max(candidates, key=size)
    known = [answering]
    for candidate in candidates:
        if not any(_same_sentences(candidate, each) for each in known):
            known.append(candidate)
    return replace(answering[1], others=tuple(finding for _, finding in known[1:]))


def _same_sentences(one: tuple[ListedResult, Finding], other: tuple[ListedResult, Finding]) -> bool:
    """Whether two lists hold the same sentences for a question; where that is not known, whether all numbers agree."""
    checksums = [listed.checksums.get(replace(finding.comparison, output=None).id) for listed, finding in (one, other)]
    if None not in checksums:
        return checksums[0] == checksums[1]

    def numbers(finding: Finding) -> tuple[object, ...]:
        row = finding.row
        return row.n_persons, row.n_items, row.n_sentences, row.effect, row.se

    return numbers(one[1]) == numbers(other[1])
