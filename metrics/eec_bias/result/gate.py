"""A gate for continuous integration: conditions under which a result is not accepted."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from eec_bias.grouping import grouped
from eec_bias.options import ANY
from eec_bias.result.conditions import INTERVAL, Condition, check_known, parse_all
from eec_bias.result.finding import find_by_row
from eec_bias.result.frame import NO_UNIT, PAIRWISE, AnyRow, leading
from eec_bias.result.numbers import interval, percent, rounded, signed
from eec_bias.result.parts import listed
from eec_bias.result.record import Record, record_of
from eec_bias.result.row_words import RowWords
from eec_bias.result.signature import adjusted
from eec_bias.result.telling import answer_with_unit
from eec_bias.result.term import Term
from eec_bias.result.verdict import Judged, judge_terms, key_of, overall_key, terms_by_pairs

Status = Literal["passed", "failed", "undefined", "absent"]


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one condition for one row.

    Attributes
    ----------
    condition : str
        As it was written.
    place : str
        System, corpus, task and so on; empty where there is one only.
    row : str
        Term, level and subset.
    status : {"passed", "failed", "undefined", "absent"}
        ``undefined``: the number does not exist, or none could fail, which does not pass; ``absent``: this result has
        no such row, while another one that is judged with it has.
    value : float or (float, float), optional
        The number, or the interval.
    said : str
        The number, what follows from it, and what was found.
    """

    condition: str
    place: str
    row: str
    status: Status
    value: float | tuple[float, float] | None
    said: str

    @property
    def passed(self) -> bool:
        """Whether this row passes the gate."""
        return self.status in ("passed", "absent")

    def __str__(self) -> str:
        mark = {"passed": "ok  ", "absent": "–   "}.get(self.status, "FAIL")
        place = f"{self.place}: " if self.place else ""
        row = f"{self.row} " if self.row else ""
        return f"{mark}  {place}{self.condition}: {row}{self.said}"


@dataclass(frozen=True, slots=True)
class Gate:
    """All checks; printed, one line each."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no condition holds and every number asked for exists."""
        return all(check.passed for check in self.checks)

    def __str__(self) -> str:
        failed = sum(not check.passed for check in self.checks)
        checks = sum(check.status != "absent" for check in self.checks)
        summary = f"{failed} of {checks} checks failed." if failed else f"{checks} of {checks} checks passed."
        return "\n".join([*map(str, self.checks), summary])


def gate(result: Any, conditions: str | Collection[str]) -> Gate:
    """Check a result against conditions under which it fails.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    conditions : str or sequence of str
        Each is ``TERM[.SUBSET][[LEVEL]].FIELD RELATION``. Without subset or level it is about every row of the term.
        ``FIELD`` is ``ci`` or a number of the rows (``effect``, ``p_adjusted``, ``mde`` …), also ``abs(…)`` of one.
        ``RELATION`` is ``outside ±X``, ``outside [LOW, HIGH]``, ``> X``, ``>= X``, ``< X`` or ``<= X``.

    Returns
    -------
    Gate
        ``passed`` and one check per condition and row.

    Raises
    ------
    OptionError
        If a condition cannot be read, or is about rows that there are none of.

    Notes
    -----
    A condition on a term is one on the sentences of each emotion, too, where emotions are known: a difference that
    turns with the emotion may be none on average.

    ``race.ci outside ±0.02`` fails where any part of the 95 % interval lies outside. So a result fails that is too
    imprecise to exclude a difference of .02: passing means that the data exclude it, for names and sentences of this
    kind. ``race.p_adjusted < .05`` is the opposite: it passes where the corpus is too small to find anything.
    """
    record = record_of(result)
    parsed = parse_all(conditions)
    check_known(parsed, record.terms)
    return Gate(check(record, parsed))


def check(result: Any, conditions: Sequence[Condition], place: str = "") -> tuple[Check, ...]:
    """Apply conditions to one result, in the order of systems, conditions and rows.

    Parameters
    ----------
    result : Result or dict
        A result.
    conditions : sequence of Condition
        Read, and known to be about some row of this result or of others judged with it.
    place : str
        What the result is of.
    """
    record = record_of(result)
    # Conditions know rows by the names that the result gives them.
    rows = terms_by_pairs(record)
    named = [each._replace(row=row) for row, each in zip(rows, judge_terms(record), strict=True)]
    told = _said(record)
    lead = [place] if place else []
    parts = grouped((", ".join([*lead, *(f"{k} {v}" for k, v in leading(each.row).items())]), each) for each in named)
    checks = []
    for where, judged in parts.items():
        for condition in conditions:
            concerned = [each for each in judged if condition.concerns(each.row)]
            part_checks = [_check(record, condition, where, each, told) for each in concerned]
            keys = {overall_key(each.row) for each in judged}
            of_part = [row for row in record.by_emotion if overall_key(row) in keys or row.level == ANY]
            part_checks += _check_emotion_rows(condition, where, of_part)
            checks += part_checks or [Check(condition.text, where, "", "absent", None, "there is no such row here")]
    return tuple(checks)


def _check(
    record: Record, condition: Condition, place: str, judged: Judged, said: Mapping[tuple[Any, ...], str]
) -> Check:
    row, field = judged.row, condition.field
    unadjusted = field == "p_adjusted" and not adjusted(record.signature)
    ends = None if unadjusted else _ends(field, judged)
    out_of_reach = _out_of_reach(record, condition, judged)
    status: Status = "failed"
    if ends is None:
        status, reason = "undefined", "p was not adjusted" if unadjusted else row["note"]
        statement = f"has no {field}, so it cannot pass{f': {reason}' if reason else ''}"
    elif not (holds := condition.holds(*ends)) and out_of_reach:
        status, statement = "undefined", f"{out_of_reach}, so no effect could lie outside; write it in their units"
    else:
        status = "failed" if holds else "passed"
        size = f"abs({field}) is {abs(ends[0]):.4g}" if condition.absolute else f"{field} is {ends[0]:.4g}"
        statement = _on_interval(condition, row, ends, status, record.confidence) if field == INTERVAL else size
    if status in ("passed", "failed"):
        failing, unknown = _judge_emotions(record, condition, judged)
        if failing:
            status, statement = "failed", f"{statement}, and on the sentences of {listed(failing, 6)}"
        elif unknown and status == "passed":
            status = "undefined"
            statement += f", and has no interval on the sentences of {listed(unknown, 6)}, so it cannot pass"
    level = f"[{row['level']}]" if row["level"] else ""
    against = f" against {row['reference']}" if row.get(PAIRWISE) else ""
    value = ends if ends is None or field == INTERVAL else ends[0]
    row_name = f"{row['term']}{level}{against} ({row['subset']})"
    reason = "; ".join(filter(None, [statement, said[key_of(row)]]))
    return Check(condition.text, place, row_name, status, value, reason)


def _said(record: Record) -> dict[tuple[Any, ...], str]:
    """Return what is said of every row: the answer of its finding; empty of a row that answers no question."""
    findings, margin = find_by_row(record), record.plan.margin if record.plan else None
    words_of_rows = RowWords(record)
    said = {}
    # A published procedure may be told by other names than those of its rows.
    for row, judged in zip(terms_by_pairs(record), judge_terms(record), strict=True):
        finding = findings.get(key_of(row))
        if finding is None:
            said[key_of(row)] = words_of_rows.verdict(judged)
        else:
            rough = ", rough" if judged.verdict.rough else ""
            said[key_of(row)] = f"{answer_with_unit(finding, margin)}{rough}"
    return said


def _judge_emotions(record: Record, condition: Condition, judged: Judged) -> tuple[list[str], list[str]]:
    """Say of which emotions a condition holds, and of which it asks for an interval that there is none of.

    What holds on average may hold of no emotion.
    """
    failing, unknown = [], []
    for row in record.by_emotion:
        if overall_key(row) != overall_key(judged.row) or row.emotion == ANY:
            continue
        ends = _ends_of_emotion(condition.field, row)
        if ends is None:
            if condition.field == INTERVAL:
                unknown.append(str(row.emotion))
        elif condition.holds(*ends):
            number = interval(*ends) if condition.field == INTERVAL else f"{ends[0]:.4g}"
            failing.append(f"{row.emotion} {number}")
    return failing, unknown


def _check_emotion_rows(condition: Condition, place: str, rows: Sequence[Term]) -> list[Check]:
    """Apply a condition that names the rows of emotions, such as ``race:emotion.p_adjusted < .05``."""
    checks = []
    for row in rows:
        if not condition.concerns(row):
            continue
        if condition.field == INTERVAL:
            ends = (row.joint_low, row.joint_high)
        else:
            ends = (row[condition.field], row[condition.field])
        name = f"{row.term}[{row.emotion}] ({row.subset})"
        if ends[0] is None or ends[1] is None:
            said = f"has no {condition.field}, so it cannot pass"
            checks.append(Check(condition.text, place, name, "undefined", None, said))
            continue
        low, high = float(ends[0]), float(ends[1])
        status: Status = "failed" if condition.holds(low, high) else "passed"
        if condition.field == INTERVAL:
            checks.append(Check(condition.text, place, name, status, (low, high), f"interval {interval(low, high)}"))
        else:
            checks.append(Check(condition.text, place, name, status, low, f"{condition.field} is {low:.4g}"))
    return checks


def _ends_of_emotion(field: str, row: Term) -> tuple[float, float] | None:
    """The interval, or a number twice, on the sentences of one emotion; None where the field has no such number."""
    fields = {
        INTERVAL: (row.in_emotion_low, row.in_emotion_high),
        "effect": (row.in_emotion, row.in_emotion),
        "ci_low": (row.in_emotion_low, row.in_emotion_low),
        "ci_high": (row.in_emotion_high, row.in_emotion_high),
        "p": (row.p_adjusted, row.p_adjusted),
        "p_adjusted": (row.p_adjusted, row.p_adjusted),
    }
    if field in (INTERVAL, "ci_low", "ci_high") and row.in_emotion_low is None and row.se == 0:
        # The same difference on every item of the emotion has no interval, and needs none.
        low, high = row.in_emotion, row.in_emotion
    else:
        low, high = fields.get(field, (None, None))
    return None if low is None or high is None else (float(low), float(high))


def _out_of_reach(record: Record, condition: Condition, judged: Judged) -> str:
    """A hint at the scale of a row, where no possible effect lies outside the limits, as where units differ."""
    row = judged.row
    low, high, values = *record.score_range, "differences of scores" if judged.verdict.compared else "scores"
    if row["term"] in NO_UNIT:
        low, high, values = -1.0, 1.0, "values"
    elif str(row.get("output", "")).startswith("rate["):
        low, high, values = 0.0, 1.0, "shares"
    largest = 1.0 if row["term"] in NO_UNIT else (high - low) * 2 ** row["term"].count(":")
    within = condition.low <= (0.0 if condition.absolute else -largest) and condition.high >= largest
    effects = (INTERVAL, "effect", "ci_low", "ci_high")
    return f"{values} lie from {low:g} to {high:g}" if within and condition.field in effects else ""


def _ends(field: str, judged: Judged) -> tuple[float, float] | None:
    """The interval, or a number twice; None where there is none."""
    row, verdict = judged
    if field != INTERVAL:
        value = row[field]
        return None if value is None else (float(value), float(value))
    if row["ci_low"] is not None and row["ci_high"] is not None:
        return float(row["ci_low"]), float(row["ci_high"])
    # The same difference throughout has no interval, and needs none: it is that difference. A mean of several is not.
    if row["se"] == 0 and verdict.kind != "not_estimable":
        return float(row["effect"]), float(row["effect"])
    return None


def _on_interval(
    condition: Condition, row: AnyRow, ends: tuple[float, float], status: Status, confidence: float
) -> str:
    low, high = ends
    if row["ci_low"] is None:
        return f"the effect is {signed(low)} on every item, so the interval is this number"
    text = f"{percent(confidence)} interval {interval(low, high)}"
    if status == "passed":
        return f"{text} lies within"
    if low > condition.high or high < condition.low:
        return f"{text} lies outside"
    detectable = f" (smallest detectable: {rounded(row['mde'])})" if row["mde"] is not None else ""
    return f"{text} reaches outside: cannot exclude a difference beyond the bounds at this sample size{detectable}"
