"""The findings of an audit: several results of one system, of which one answers each question.

Which one is settled by the plan: the list with the most names or words, of these the one with the most sentences, of
these the first. What the others say stands beside its answer without a verdict, and a list whose rows are the same, as
its sentences are the same, is no other list.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from eec_bias.result.finding import Finding, find, order
from eec_bias.result.plan import Plan, Question, questions_of
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
    """

    name: str
    record: Record
    secondary: bool = False


RecordKind = TypeVar("RecordKind", bound=Record)


def under_plan(result: RecordKind, plan: Plan) -> RecordKind:
    """Return a result as a part of an audit, whose plan its findings follow and its signature names.

    One that answers what the plan does not ask keeps its own: an axis may have lost levels with items left out.
    """
    if not set(questions_of(result.terms)) <= set(plan.questions):
        return result
    return replace(result, plan=plan, signature=result.signature.with_part("plan", plan.short))


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
    answered_by: dict[Question, set[str]] = {}
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
    answers: dict[Question, list[tuple[bool, Finding]]] = {}
    for each in results:
        for finding in find(each.record, unanswered=silent, plan=plan):
            listed = replace(finding, listed=each.name)
            answers.setdefault(finding.question, []).append((each.secondary, listed))
    return tuple(order([_answer(plan.list_of(question), candidates) for question, candidates in answers.items()]))


def _answer(planned: str, candidates: Sequence[tuple[bool, Finding]]) -> Finding:
    """Return the finding of the list that was to answer, else of the largest, with the others."""

    def size(candidate: tuple[bool, Finding]) -> tuple[bool, bool, int, int]:
        secondary, finding = candidate
        return finding.listed == planned, not secondary, finding.n_persons or 0, finding.n_sentences or 0

    _, chosen = max(candidates, key=size)
    others: list[Finding] = []
    for _, finding in candidates:
        if not any(_same_sentences(finding, known) for known in (chosen, *others)):
            others.append(finding)
    return replace(chosen, others=tuple(others))


def _same_sentences(one: Finding, other: Finding) -> bool:
    """Whether two lists hold the same sentences for a question: then all their numbers are the same."""

    def numbers(finding: Finding) -> tuple[object, ...]:
        row = finding.row
        return row.n_persons, row.n_items, row.n_sentences, row.effect, row.se

    return numbers(one) == numbers(other)
