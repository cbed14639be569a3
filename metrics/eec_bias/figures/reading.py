"""What a figure takes from a result: one view of it, whether measured just now or read from a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eec_bias.errors import OptionError, ResultError
from eec_bias.result.details import Detail
from eec_bias.result.frame import LEADING, Row
from eec_bias.result.numbers import p_value
from eec_bias.result.saved import read_saved

WHERE = (*LEADING, "subset")
"""Keys by which a part of a result is chosen."""


@dataclass(frozen=True, slots=True)
class View:
    """The parts of a result that figures show.

    Attributes
    ----------
    terms, cells, equivalence : sequence of dict
        Rows of the result.
    notes : tuple of str
        Its notes.
    details : tuple of Detail
        What lies behind the rows; empty where the result holds none.
    study : mapping, optional
        What a published procedure knows beyond the rows.
    score_range : (float, float)
        Declared scale of the scores.
    method : str
        The procedure.
    """

    terms: Sequence[Row]
    cells: Sequence[Row]
    equivalence: Sequence[Row]
    notes: tuple[str, ...]
    details: tuple[Detail, ...]
    study: Mapping[str, Any] | None
    score_range: tuple[float, float]
    method: str


def view(result: Any) -> View:
    """Look at a result, or at the dict that `Result.to_dict` or ``compute`` gave.

    Raises
    ------
    ResultError
        If it is neither, or of another version and not readable.
    """
    if hasattr(result, "terms") and hasattr(result, "held"):
        saved = result.saved.get("study")
        study = saved if result.study is None else result.study.to_dict()
        terms = _adjusted(result.terms, str(result.signature))
        same = (result.cells, result.equivalence, result.notes, result.details)
        return View(terms, *same, study, result.score_range, result.method)
    found = read_saved(result)
    details = tuple(make() for make in found["held"])
    kept = {key: found[key] for key in ("cells", "equivalence", "notes", "score_range", "method")}
    terms = _adjusted(found["terms"], str(found["signature"]))
    return View(terms, **kept, details=details, study=found["saved"].get("study"))


def _adjusted(terms: Sequence[Row], signature: str) -> Sequence[Row]:
    """Drop p that stand for adjusted ones and are not."""
    return [{**row, "p_adjusted": None} for row in terms] if "adj:none" in signature.split("|") else terms


def pick(rows: Sequence[Row], where: Mapping[str, Any], what: str) -> list[Row]:
    """Choose rows by system, task, stratum, output and subset.

    Parameters
    ----------
    rows : sequence of dict
        Of the result.
    where : mapping
        Wanted values by key; None chooses nothing.
    what : str
        What the rows are, for messages.

    Raises
    ------
    OptionError
        If a key is not one of `WHERE`, or no row has the value wanted.
    """
    for key, wanted in where.items():
        if key not in WHERE:
            raise OptionError(f"{key}={wanted!r} chooses nothing; a part is chosen by {', '.join(WHERE)}")
        if wanted is None:
            continue
        found = [row for row in rows if row.get(key) == wanted]
        if not found:
            known = list(dict.fromkeys(str(row[key]) for row in rows if row.get(key) is not None))
            listed = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
            raise OptionError(f"{key}={wanted!r} has no {what} in the result; it has {listed or f'no {key}'}")
        rows = found
    return list(rows)


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
        """What rows of the result about this part have in their leading keys."""
        return {**self.detail.systems[self.system], **self.detail.where}


def part_of(seen: View, where: Mapping[str, Any], figure: str) -> Part:
    """Choose one system on one table; the first where several are left.

    Raises
    ------
    ResultError
        If the result has no details.
    OptionError
        If there is no such part.
    """
    if not seen.details:
        why = (
            "save it with to_dict(details=True), as `eec audit` does"
            if seen.method == "default"
            else f"method={seen.method!r} keeps none: measure the scores with the default method"
        )
        raise ResultError(f"figure {figure!r} needs details, which this result does not hold; {why}")
    parts: list[Row] = [
        {**who, **detail.where, "subset": detail.subset, "at": (detail, s)}
        for detail in seen.details
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
        if first.get(key) is None:
            continue
        values = {row.get(key) for row in chosen}
        words.append(f"{key} {first[key]}" + (f" (the first of {len(values)})" if len(values) > 1 else ""))
    words.append(f"subset {first['subset']}")
    text = ", ".join(words)
    return f"{text[:1].upper()}{text[1:]}."


def scale(score_range: tuple[float, float], outputs: Iterable[str | None] = ()) -> str:
    """Say what the units are; rates of a class, among the outputs shown, are shares and not scores."""
    kinds = {str(output).startswith("rate[") for output in outputs}
    if kinds == {True}:
        return "in shares of sentences"
    scores = f"in units of scores from {score_range[0]:g} to {score_range[1]:g}"
    return f"{scores}, rates in shares of sentences" if True in kinds else scores


def decisive(row: Mapping[str, Any]) -> float | None:
    """The p a reader goes by: the adjusted one where there is one."""
    p = row["p"] if row["p_adjusted"] is None else row["p_adjusted"]
    return None if p is None else float(p)


def detected(row: Mapping[str, Any], alpha: float = 0.05) -> bool:
    """Whether an effect was detected."""
    p = decisive(row)
    return p is not None and p < alpha


def p_words(row: Mapping[str, Any]) -> str:
    """Say a row's p in a few words."""
    kind = "p" if row["p_adjusted"] is None else "p adj."
    return f"{kind} {p_value(decisive(row))}"


def count(number: int, one: str, many: str | None = None) -> str:
    """Say a number of things: ``1 item``, ``144 items``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def sentence(parts: Iterable[str]) -> str:
    """Put sentences together, leaving out empty ones."""
    return " ".join(part for part in parts if part)
