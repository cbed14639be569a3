"""Which part of a result a figure shows, and how captions name it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from eec_bias.errors import OptionError, ResultError
from eec_bias.options import ANY
from eec_bias.result.finding import Finding
from eec_bias.result.frame import AnyRow, Row, compares
from eec_bias.result.numbers import interval, p_is, signed
from eec_bias.result.parts import listed, pick, values_of
from eec_bias.result.record import Record
from eec_bias.result.tables import rows_as_shown
from eec_bias.result.term import LEADING, Term
from eec_bias.result.words import p_name

Part = TypeVar("Part", Term, Finding)


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
        raise ResultError(f"figure {figure!r} needs details, which this result does not contain; {remedy}")
    for detail in record.details:
        for s, system_keys in enumerate(detail.systems):
            yield {**system_keys, **detail.where, "subset": detail.subset, "at": (detail, s)}


def choose_term(rows: Sequence[Part], term: str | None) -> list[Part]:
    """Choose the rows, or the findings, of one term, by default the first."""
    names = values_of(rows, "term")
    known = {name.partition("|")[0]: name for name in reversed(names)} | {name: name for name in names}
    if term is not None and term not in known:
        raise OptionError(f"term {term!r} is not in the result; its terms are {listed(names) or 'none'}")
    return [each for each in rows if each.get("term") == known.get(term or names[0])]


def choose_effect(record: Record, term: str | None, level: str | None, where: Mapping[str, Any]) -> list[Term]:
    """Choose the rows of one effect, by default the first, one per system."""
    differences = [row for row in rows_as_shown(record) if row.level != ANY and compares(row)]
    rows = [row for row in pick(differences, where, "differences") if row.effect is not None]
    if not rows:
        raise ResultError("no effect could be estimated, so there is nothing to draw")
    of_term = choose_term(rows, term)
    first = next((row for row in of_term if level in (None, row.level)), None)
    if first is None:
        levels = values_of(of_term, "level")
        raise OptionError(f"level {level!r} is not in the result; {of_term[0].term} has {listed(levels)}")
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


def rejects(record: Record, row: Term) -> bool:
    """Tell if a published procedure rejects that there is no difference."""
    p = row.p if row.p_adjusted is None else row.p_adjusted
    return p is not None and p < record.alpha


def say_test(record: Record, row: Term) -> str:
    """Write the p by which a published procedure decides; that it tested nothing if there is none."""
    if row.p is None:
        return "not tested"
    adjusted = record.facts.adjusted and row.p_adjusted is not None
    return p_is(row.p_adjusted, p_name(record)) if adjusted else p_is(row.p)


def say_span(numbers: Iterable[int]) -> str:
    """The smallest and the largest of some numbers: ``12``, ``6 to 12``."""
    ordered = sorted(numbers)
    return f"{ordered[0]:,}" if ordered[0] == ordered[-1] else f"{ordered[0]:,} to {ordered[-1]:,}"
