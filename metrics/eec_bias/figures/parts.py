"""Which part of a result a figure shows, and how captions name it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eec_bias.errors import ResultError
from eec_bias.result.details import Detail
from eec_bias.result.frame import LEADING, Row
from eec_bias.result.parts import pick
from eec_bias.result.record import Record
from eec_bias.result.verdict import Verdict
from eec_bias.result.words import say_p, say_verdict


@dataclass(frozen=True, slots=True)
class Part:
    """One system on one table.

    Attributes
    ----------
    detail : Detail
        The table.
    system : int
        Position of the system.
    named : str
        Which part this is, for captions; where the result has several and none was chosen, of how many.
    """

    detail: Detail
    system: int
    named: str

    @property
    def key(self) -> Row:
        """What rows of the result about this part have in their leading keys and as subset."""
        return {**self.detail.systems[self.system], **self.detail.where, "subset": self.detail.subset}


def part_of(record: Record, where: Mapping[str, Any], figure: str) -> Part:
    """Choose one system on one table; the first where several are left.

    Raises
    ------
    ResultError
        If the result has no details.
    OptionError
        If there is no such part.
    """
    if not record.details:
        why = (
            "save it with its details, as `eec audit` does"
            if record.method == "default"
            else f"{record.method} keeps none: measure the scores with the default test"
        )
        raise ResultError(f"figure {figure!r} needs details, which this result does not hold; {why}")
    parts: list[Row] = [
        {**who, **detail.where, "subset": detail.subset, "at": (detail, s)}
        for detail in record.details
        for s, who in enumerate(detail.systems)
    ]
    chosen = pick(parts, where, "details")
    detail, system = chosen[0]["at"]
    return Part(detail, system, name_part(chosen))


def name_part(chosen: Sequence[Row]) -> str:
    """Name the first of the parts that a choice leaves, and say of how many it is."""
    first = chosen[0]
    words = []
    for key in LEADING:
        if first.get(key) is not None:
            several = len({row.get(key) for row in chosen})
            words.append(f"{key} {first[key]}" + (f" (the first of {several})" if several > 1 else ""))
    text = ", ".join([*words, f"subset {first['subset']}"])
    return f"{text[:1].upper()}{text[1:]}."


def scale(score_range: tuple[float, float], outputs: Iterable[str | None] = ()) -> str:
    """Say what the units are; rates of a class, among the outputs shown, are shares and not scores."""
    kinds = {str(output).startswith("rate[") for output in outputs}
    if kinds == {True}:
        return "in shares of sentences"
    scores = f"in units of scores from {score_range[0]:g} to {score_range[1]:g}"
    return f"{scores}, rates in shares of sentences" if True in kinds else scores


def say_finding(record: Record, row: Row, verdict: Verdict) -> str:
    """Say a verdict with its p, where it has one: ``no detectable difference, p adj. (Holm) = .31``."""
    return f"{say_verdict(row, verdict)}{f', {say_p(record, verdict)}' if verdict.tested else ''}"


def join_sentences(parts: Iterable[str]) -> str:
    """Put sentences together, leaving out empty ones."""
    return " ".join(part for part in parts if part)


def say_span(numbers: Iterable[int]) -> str:
    """Say the least and the largest of some numbers: ``12``, ``6 to 12``."""
    known = sorted(numbers)
    return f"{known[0]:,}" if known[0] == known[-1] else f"{known[0]:,} to {known[-1]:,}"
