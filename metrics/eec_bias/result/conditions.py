"""Conditions on a result, such as ``race.ci outside ±0.02``: how they are written and what they ask for."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from eec_bias.errors import OptionError, expect
from eec_bias.options import ANY
from eec_bias.result.frame import WORDS, AnyRow
from eec_bias.result.parts import listed, values_of
from eec_bias.result.term import TERM_KEYS

INTERVAL = "ci"
"""The field that is an interval, from ``ci_low`` to ``ci_high``."""

FIELDS = (INTERVAL, *(key for key in TERM_KEYS if key not in WORDS))
"""What a condition can be about."""

GRAMMAR = (
    "TERM[.SUBSET][[LEVEL]].FIELD, or abs(of that), then outside ±X, outside [LOW, HIGH], > X, >= X, < X or <= X; for "
    "example race.ci outside ±0.02, gender.pairs.p_adjusted < .05, abs(race[Latino].effect) > 0.01"
)

_LEFT = re.compile(
    r"(?P<term>[^.\[\]()]+)(?:\.(?P<subset>[^.\[\]()]+))?(?:\[(?P<level>[^\[\]]+)\])?\.(?P<field>[^.\[\]()]+)"
)
_ABSOLUTE = re.compile(r"abs\s*\((?P<inner>.*)\)")
_WHOLE = re.compile(r"(?P<left>.*?)\s*(?:\boutside\b\s*(?P<zone>.*)|(?P<sign>[<>]=?)\s*(?P<bound>.*))", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition under which a gate fails.

    Attributes
    ----------
    text : str
        As it was written.
    term, field : str
        What it is about.
    subset, level : str, optional
        Which rows of the term; all of them where None.
    absolute : bool
        Whether the size of the number counts, not its sign.
    low, high : float
        Where the number may lie: beyond these, which may be infinite, the gate fails.
    """

    text: str
    term: str
    subset: str | None
    level: str | None
    field: str
    absolute: bool
    low: float
    high: float

    def concerns(self, row: Mapping[str, Any]) -> bool:
        """Whether the condition is about a row of terms.

        The row ``any`` of a term with several levels has a p and no effect; conditions on effects pass over it.
        """
        if row["term"] != self.term or self.subset not in (None, row["subset"]):
            return False
        if self.level is not None:
            return self.level in (str(row["level"]), row.get("emotion"))
        return ANY not in (row["level"], row.get("emotion")) or self.field in ("p", "p_adjusted", "p_permutation", "t")

    def holds(self, low: float, high: float) -> bool:
        """Whether the gate fails for a number (``low`` is ``high``) or an interval."""
        if self.absolute:
            low = high = abs(low)
        return low < self.low or high > self.high


def parse(text: str) -> Condition:
    """Read a condition.

    Parameters
    ----------
    text : str
        See `GRAMMAR`. ``+-`` may stand for ``±``.

    Raises
    ------
    OptionError
        If it cannot be read, or names a field that rows of terms do not have.
    """

    def refuse(what: str) -> NoReturn:
        raise OptionError(f"condition {text!r}: {what}")

    def number(given: str) -> float:
        digits = given.strip().replace("−", "-")
        if not _NUMBER.fullmatch(digits) or not math.isfinite(float(digits)):
            refuse(f"{given.strip()!r} is no number")
        return float(digits)

    whole = _WHOLE.fullmatch(text.strip()) or refuse(f"there is no comparison; expected {GRAMMAR}")
    absolute = _ABSOLUTE.fullmatch(whole["left"].strip())
    subject = (absolute["inner"] if absolute else whole["left"]).strip()
    parts = _LEFT.fullmatch(subject) or refuse(f"{subject!r} is no TERM.FIELD; expected {GRAMMAR}")
    term, subset, level, field = (part and part.strip() for part in parts.groups())
    if field not in FIELDS:
        refuse(f"there is no field {field!r}; the fields are {', '.join(FIELDS)}")
    sign, zone = whole["sign"], (whole["zone"] or "").strip()
    if field == INTERVAL and (absolute or sign):
        refuse(
            "the interval ci is compared by outside ±X or outside [LOW, HIGH], without abs(); its ends are ci_low and "
            "ci_high"
        )
    low, high = -math.inf, math.inf
    if sign:
        # A bound that is not allowed itself is the next number.
        bound, beyond = number(whole["bound"]), high if sign[0] == "<" else low
        bound = math.nextafter(bound, beyond) if sign[1:] else bound
        low, high = (bound, high) if sign[0] == "<" else (low, bound)
    elif mark := re.match(r"±|\+/?[-−]", zone):
        high = number(zone[mark.end() :])
        low = -high
    elif zone.startswith("[") and zone.endswith("]") and zone.count(",") == 1:
        low, high = map(number, zone[1:-1].split(","))
    else:
        refuse(f"{zone!r} is no zone; expected ±X or [LOW, HIGH]")
    if low > high:
        refuse(f"{zone} is no zone, as {low:g} is above {high:g}; the lower bound comes first")
    return Condition(text.strip(), term, subset, level, field, absolute is not None, low, high)


def parse_all(conditions: str | Condition | Collection[str | Condition]) -> tuple[Condition, ...]:
    """Read one condition or several, each once.

    Raises
    ------
    OptionError
        If there is none, or one cannot be read.
    """
    several = [conditions] if isinstance(conditions, str | Condition) else conditions
    are_conditions = isinstance(several, Collection) and all(isinstance(each, str | Condition) for each in several)
    expect(are_conditions, "conditions", conditions, "a condition as text, or several")
    if not several:
        raise OptionError(f"a gate needs at least one condition: {GRAMMAR}")
    return tuple(dict.fromkeys(each if isinstance(each, Condition) else parse(each) for each in several))


def check_known(conditions: Sequence[Condition], terms: Sequence[AnyRow]) -> None:
    """Refuse conditions about rows that do not exist.

    Parameters
    ----------
    conditions : sequence of Condition
        What is asked.
    terms : sequence of dict
        Rows of terms, of all results together.

    Raises
    ------
    OptionError
        Naming what there is instead.
    """
    for condition in conditions:
        rows = terms
        for key, holder in (("term", "the result"), ("subset", condition.term), ("level", condition.term)):
            value = getattr(condition, key)
            matching = [
                row for row in rows if value in (None, str(row[key]), row.get("emotion") if key == "level" else None)
            ]
            if not matching:
                available = listed(values_of(rows, key), 20) or "none"
                raise OptionError(f"condition {condition.text!r}: {holder} has no {key} {value!r}; it has {available}")
            rows = matching
