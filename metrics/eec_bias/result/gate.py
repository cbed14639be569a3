"""A gate for continuous integration: conditions under which a result is not accepted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from eec_bias.result.conditions import INTERVAL, Condition, check_known, parse_all
from eec_bias.result.frame import LEADING, Row
from eec_bias.result.numbers import plain
from eec_bias.result.signature import adjusted

Status = Literal["passed", "failed", "undefined", "absent"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one condition says of one row.

    Attributes
    ----------
    condition : str
        As it was written.
    place : str
        System, corpus, task and so on; empty where there is one only.
    row : str
        Term, level and subset.
    status : {"passed", "failed", "undefined", "absent"}
        ``undefined``: the number does not exist, which does not pass; ``absent``: this result has no such row, while
        another one that is judged with it has.
    value : float or (float, float), optional
        The number, or the interval.
    said : str
        The number and what follows from it.
    """

    condition: str
    place: str
    row: str
    status: Status
    value: float | tuple[float, float] | None
    said: str

    @property
    def passed(self) -> bool:
        """Whether this row lets the gate open."""
        return self.status in ("passed", "absent")

    def __str__(self) -> str:
        mark = {"passed": "ok  ", "absent": "–   "}.get(self.status, "FAIL")
        place = f"{self.place}: " if self.place else ""
        row = f"{self.row} " if self.row else ""
        return f"{mark}  {place}{self.condition}: {row}{self.said}"


@dataclass(frozen=True, slots=True)
class Gate:
    """All verdicts; printed, one line each."""

    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> bool:
        """Whether no condition holds and every number asked for exists."""
        return all(verdict.passed for verdict in self.verdicts)

    def __str__(self) -> str:
        failed = sum(not verdict.passed for verdict in self.verdicts)
        checks = sum(verdict.status != "absent" for verdict in self.verdicts)
        said = f"{failed} of {checks} checks failed." if failed else f"{checks} of {checks} checks passed."
        return "\n".join([*map(str, self.verdicts), said])


def gate(result: Any, conditions: str | Iterable[str]) -> Gate:
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
        ``passed`` and one verdict per condition and row.

    Raises
    ------
    OptionError
        If a condition cannot be read, or is about rows that there are none of.

    Notes
    -----
    ``race.ci outside ±0.02`` fails where any part of the 95 % interval lies outside. So a result fails that is too
    imprecise to exclude a difference of .02: passing means that the data exclude it, for names and sentences of this
    kind. ``race.p_adjusted < .05`` is the opposite: it passes where the corpus is too small to find anything.
    """
    content = result if isinstance(result, Mapping) else result.to_dict()
    known = parse_all(conditions)
    check_known(known, content["terms"])
    return Gate(judge(content, known))


def judge(content: Mapping[str, Any], conditions: Sequence[Condition], place: str = "") -> tuple[Verdict, ...]:
    """Apply conditions to one result, in the order of systems, conditions and rows.

    Parameters
    ----------
    content : dict
        A result.
    conditions : sequence of Condition
        Read, and known to be about some row of this result or of others judged with it.
    place : str
        What the result is of.
    """
    unadjusted = not adjusted(content["signature"])
    by_place: dict[str, list[Row]] = {}
    for row in content["terms"]:
        by_place.setdefault(_place(row, place), []).append(row)
    found = []
    for where, rows in by_place.items():
        for condition in conditions:
            own = [row for row in rows if condition.names(row)]
            found += [_verdict(condition, where, row, unadjusted) for row in own]
            if not own:
                found.append(Verdict(condition.text, where, "", "absent", None, "there is no such row here"))
    return tuple(found)


def _place(row: Row, before: str) -> str:
    parts = [f"{key} {row[key]}" for key in LEADING if row.get(key) is not None]
    return ", ".join([before, *parts] if before else parts)


def _verdict(condition: Condition, place: str, row: Row, unadjusted: bool) -> Verdict:
    level = f"[{row['level']}]" if row["level"] else ""
    what = f"{row['term']}{level} ({row['subset']})"
    ends = _ends(condition.field, row, unadjusted)
    if ends is None:
        said = f"has no {condition.field}, so it cannot pass{_why(condition.field, row, unadjusted)}"
        return Verdict(condition.text, place, what, "undefined", None, said)
    status: Status = "failed" if condition.holds(*ends) else "passed"
    if condition.field == INTERVAL:
        return Verdict(condition.text, place, what, status, ends, _of_interval(condition, row, ends, status))
    value = ends[0]
    said = f"abs({condition.field}) is {abs(value):.4g}" if condition.absolute else f"{condition.field} is {value:.4g}"
    return Verdict(condition.text, place, what, status, value, said)


def _ends(field: str, row: Row, unadjusted: bool) -> tuple[float, float] | None:
    """The interval, or a number twice; None where there is none."""
    if field == "p_adjusted" and unadjusted:
        return None
    if field != INTERVAL:
        value = row[field]
        return None if value is None else (float(value), float(value))
    if row["ci_low"] is not None and row["ci_high"] is not None:
        return float(row["ci_low"]), float(row["ci_high"])
    # The same difference throughout has no interval, and needs none: it is that difference.
    if row["se"] == 0 and row["effect"] is not None:
        return float(row["effect"]), float(row["effect"])
    return None


def _why(field: str, row: Row, unadjusted: bool) -> str:
    if field == "p_adjusted" and unadjusted:
        return ": p was not adjusted (adjust='none')"
    return f": {row['note']}" if row["note"] else ""


def _of_interval(condition: Condition, row: Row, ends: tuple[float, float], status: Status) -> str:
    low, high = ends
    if row["ci_low"] is None:
        return f"the effect is {low:+.4g} throughout, so the interval is this number"
    text = f"95 % interval [{low:+.4g}, {high:+.4g}]"
    if status == "passed":
        return f"{text} lies within"
    if low > condition.high or high < condition.low:
        return f"{text} lies outside"
    detectable = f" (smallest detectable: {plain(row['mde'])})" if row["mde"] is not None else ""
    return f"{text} reaches outside: cannot exclude a difference beyond the bounds at this sample size{detectable}"
