"""Which part of a result a figure shows, and how captions name it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from eec_bias.errors import OptionError, ResultError
from eec_bias.options import ANY
from eec_bias.result.finding import Finding, find_by_row
from eec_bias.result.frame import AnyRow, Row, compares
from eec_bias.result.numbers import counted, interval, p_is, signed
from eec_bias.result.parts import listed, pick, values_of
from eec_bias.result.plan import Plan
from eec_bias.result.record import Record
from eec_bias.result.telling import answer_with_unit
from eec_bias.result.term import LEADING
from eec_bias.result.verdict import Judged, judge_terms
from eec_bias.result.words import say_p, say_verdict

Told = TypeVar("Told", Judged, Finding)


def parts_of(record: Record, figure: str) -> Iterator[Row]:
    """Name every system on every table, with the table and the place of the system in it.

    Raises
    ------
    ResultError
        If the result has no details.
    """
    if not record.details:
        remedy = (
            "save it with its details, as `eec audit` does"
            if record.method == "default"
            else f"{record.method} keeps none: measure the scores with the default test"
        )
        raise ResultError(f"figure {figure!r} needs details, which this result does not hold; {remedy}")
    for detail in record.details:
        for s, system_keys in enumerate(detail.systems):
            yield {**system_keys, **detail.where, "subset": detail.subset, "at": (detail, s)}


def choose_term(judged: Sequence[Told], term: str | None) -> list[Told]:
    """Choose the rows, or the findings, of one term, by default the first."""
    names = values_of(judged, "term")
    known = {name.partition("|")[0]: name for name in reversed(names)} | {name: name for name in names}
    if term is not None and term not in known:
        raise OptionError(f"term {term!r} is not in the result; its terms are {listed(names) or 'none'}")
    return [each for each in judged if each.get("term") == known.get(term or names[0])]


def choose_effect(record: Record, term: str | None, level: str | None, where: Mapping[str, Any]) -> list[Judged]:
    """Choose the rows of one effect, by default the first, one per system."""
    differences = [each for each in judge_terms(record) if each.row["level"] != ANY and compares(each.row)]
    judged = [each for each in pick(differences, where, "differences") if each.row["effect"] is not None]
    if not judged:
        raise ResultError("no effect could be estimated, so there is nothing to draw")
    of_term = choose_term(judged, term)
    first = next((row for row, _ in of_term if level in (None, row["level"])), None)
    if first is None:
        levels = values_of(of_term, "level")
        raise OptionError(f"level {level!r} is not in the result; {of_term[0].row['term']} has {listed(levels)}")
    keys = ("level", "reference", "subset", "stratum", "output")
    return [each for each in of_term if all(each.get(key) == first.get(key) for key in keys)]


def name_part(chosen: Sequence[AnyRow]) -> str:
    """Name the first of the parts that were chosen, and say how many there are."""
    first = chosen[0]
    words = []
    for key in LEADING:
        if first.get(key) is not None:
            several = len({row.get(key) for row in chosen})
            words.append(f"{key} {first[key]}" + (f" (the first of {several})" if several > 1 else ""))
    text = ", ".join([*words, f"subset {first['subset']}"])
    return f"{text[:1].upper()}{text[1:]}."


def scale(record: Record, outputs: Iterable[str | None] = ()) -> str:
    """The units of what is shown: scores, or shares where an output is the rate of a class."""
    shown = what_is_shown(record, outputs)
    return f"in units of {shown}" if shown.startswith("scores") else f"in {shown}"


def what_is_shown(record: Record, outputs: Iterable[str | None] = ()) -> str:
    """Scores with their range, differences of scores, or shares of sentences."""
    kinds = {str(output).startswith("rate[") for output in outputs}
    if kinds == {True}:
        return "shares of sentences"
    pair, (low, high) = record.facts.systems_compared, record.score_range
    kind = f"differences of scores ({pair})" if pair else "scores"
    scores = f"{kind} from {low:g} to {high:g}"
    return f"{scores}, rates in shares of sentences" if True in kinds else scores


def say_effect(row: AnyRow) -> str:
    """An effect, with its interval where it has one, as text."""
    ends = "" if row["ci_low"] is None else f" {interval(row['ci_low'], row['ci_high'])}"
    return f"{signed(row['effect'])}{ends}"


def say_finding(record: Record, judged: Judged) -> str:
    """The answer of a row's finding; of a row that answers no question of a plan its verdict, with p.

    ``difference: female 8 points out of 100 higher, p over 4 comparisons = .031``; ``levels differ, p = .02``.
    """
    finding = find_by_row(record).get(judged.row.key)
    if finding is not None and record.plan is not None:
        return say_answer(finding, record.plan)
    p_text = f", {say_p(record, judged.verdict)}" if judged.verdict.tested else ""
    return f"{say_verdict(*judged)}{p_text}"


def say_answer(finding: Finding, plan: Plan) -> str:
    """The answer of a finding with its p, over how many comparisons that is, and on what scale sizes are."""
    said = answer_with_unit(finding, plan.margin)
    if finding.p is None or finding.verdict == "differs_by_emotion":
        return said
    over = counted(len(plan.main), "comparison")
    return f"{said}, {p_is(finding.p, f'p over {over}')}"


def say_span(numbers: Iterable[int]) -> str:
    """The smallest and the largest of some numbers: ``12``, ``6 to 12``."""
    ordered = sorted(numbers)
    return f"{ordered[0]:,}" if ordered[0] == ordered[-1] else f"{ordered[0]:,} to {ordered[-1]:,}"
