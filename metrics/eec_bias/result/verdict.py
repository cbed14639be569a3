"""What a row of terms shows by itself; a published procedure, which has no findings, says it.

Where a plan asks, what is said of a row is its finding, see `eec_bias.result.row_words`.

No verdict claims that there is no difference: ``not_detectable`` says what could not be found at this sample size,
``zero`` and ``no_reaction`` what holds of the very scores that were given.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

from eec_bias.grouping import grouped
from eec_bias.options import ANY, MEAN
from eec_bias.result.frame import PAIRWISE, AnyRow, compares, part_key
from eec_bias.result.record import Record
from eec_bias.result.term import BETWEEN_EMOTIONS, DESCRIBED, EQUAL_SCORES, SAME_GAP, WORDING, ZERO, Term

Kind = Literal[
    "difference",
    "same_difference",
    "wording",
    "by_emotion",
    "not_detectable",
    "zero",
    "no_reaction",
    "not_estimable",
    "described",
]
"""``difference``: p < α, which is 1 minus the confidence. ``same_difference``: no spread, an effect other than 0.
``wording``: p < α or no spread, an effect other than 0, persons within groups not told apart, and texts that differ in
more than the person. ``by_emotion``: none of these on average, and another difference for some emotion than for the
others. ``not_detectable``: p ≥ α. ``zero``: no spread, effect 0. ``no_reaction``: all scores compared are
equal. ``not_estimable``: no number, or none that a test could be made of. ``described``: a number that compares no
groups, or groups that one word says."""

EQUIVALENCE_LEVEL = 0.05
"""Of the test of equivalence, whatever the confidence of the intervals is."""

_OF_STATES: dict[str, Kind] = {
    EQUAL_SCORES: "no_reaction", ZERO: "zero", SAME_GAP: "same_difference", BETWEEN_EMOTIONS: "not_estimable",
    WORDING: "wording", DESCRIBED: "described",
}  # fmt: skip
_FOUND = ("difference", "same_difference", "wording", "by_emotion")
_UNMOVED = ("zero", "no_reaction")
_SIDES = (("axes", "+"), ("level", ":"), ("reference", ":"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one row says.

    Attributes
    ----------
    kind : str
        See `Kind`.
    direction : {-1, 0, 1}
        Sign of the effect; 0 where there is none, as in the row of a term as a whole.
    p : float, optional
        The p that decides: the adjusted one where there is one.
    adjusted : bool
        Whether it is adjusted.
    rough : bool
        Whether interval and smallest detectable effect are rough; the column of this name says why.
    compared : str
        The two systems of which the effects are compared; empty where there is one.
    averaged : bool
        Whether an effect without spread is a mean over the levels of another axis, at which it is not the same.
    alpha : float
        The level below which p tells a difference.
    emotions : tuple of Term
        The rows of emotions for which the difference is another one than for the others, the largest first.
    """

    kind: Kind
    direction: int
    p: float | None
    adjusted: bool
    rough: bool = False
    compared: str = ""
    averaged: bool = False
    alpha: float = 0.05
    emotions: tuple[Term, ...] = ()

    @property
    def found(self) -> bool:
        """Whether a difference is there."""
        return self.kind in _FOUND

    @property
    def tested(self) -> bool:
        """Whether p decided; a term as a whole can differ because a level does."""
        return self.p is not None and self.kind == ("difference" if self.p < self.alpha else "not_detectable")


class Judged(NamedTuple):
    """A row of terms and its verdict; `get` is that of the row, so that parts are picked as of rows."""

    row: Term
    verdict: Verdict

    def get(self, key: str) -> Any:
        """The value of a key of the row."""
        return self.row.get(key)


def judge_terms(record: Record) -> list[Judged]:
    """Return every row of terms that is about all sentences, under the name by which it is told, with its verdict.

    Rows that compare emotions belong to the finding of their term, see `finding.find`.
    """
    alpha = record.alpha
    p_is_adjusted, compared = record.facts.adjusted, record.facts.systems_compared
    by_term = grouped(((row.system, row.task, row.comparison.overall), row) for row in record.by_emotion)
    named = at_references(record.overall) if record.method == "camara2022" else terms_by_pairs(record)
    judged = []
    for row, name in zip(record.overall, named, strict=True):
        by = p_is_adjusted and row["p_adjusted"] is not None
        p, effect = row["p_adjusted"] if by else row["p"], row["effect"] or 0
        kind, direction = _kind(row, p, alpha), (effect > 0) - (effect < 0)
        of_emotions = _found_emotions(by_term.get(row.key, ()), alpha)
        if of_emotions and kind in ("not_detectable", "zero", "not_estimable"):
            kind = "by_emotion"
        rough = bool(row.rough)
        judged.append(Judged(name, Verdict(kind, direction, p, by, rough, compared, alpha=alpha, emotions=of_emotions)))
    levels = grouped(((*part_key(row), row["term"]), verdict) for row, verdict in judged if row["level"] != ANY)
    changing = {
        (part_key(row), *side)
        for row, verdict in judged
        if "+" in str(row["axes"]) and row["level"] != ANY and verdict.kind not in _UNMOVED
        for side in _made_of(row)
    }
    for at, (row, verdict) in enumerate(judged):
        if row["level"] == ANY:
            judged[at] = Judged(row, _of_whole_term(verdict, levels.get((*part_key(row), row["term"]), [])))
        elif _is_average(row, verdict, changing):
            judged[at] = Judged(row, replace(verdict, averaged=True))
    return judged


def _found_emotions(rows: Iterable[Term], alpha: float) -> tuple[Term, ...]:
    """Return the rows of emotions that differ from the others, the largest difference first.

    A difference without any spread has no p, and needs none.
    """
    found = [row for row in rows if row.emotion != ANY and _emotion_found(row, alpha)]
    return tuple(sorted(found, key=lambda row: -abs(row.effect or 0.0)))


def _emotion_found(row: Term, alpha: float) -> bool:
    if row.p_adjusted is None:
        return row.se == 0 and bool(row.effect)
    return row.p_adjusted < alpha


def compares_pairs(record: Record) -> bool:
    """Whether levels are compared pair by pair: several rows have the same level."""
    return record.method == "rating"


def by_pairs(record: Record, rows: Sequence[AnyRow]) -> Sequence[AnyRow]:
    """Mark rows beside the terms whose levels are compared pair by pair."""
    if not compares_pairs(record):
        return rows
    return [{**row, PAIRWISE: True} if row["level"] != ANY else row for row in rows]


def terms_by_pairs(record: Record) -> Sequence[Term]:
    """Return the rows of terms that are about all sentences, marked where levels are compared pair by pair."""
    if not compares_pairs(record):
        return record.overall
    return [row if row.level == ANY else replace(row, pairwise=True) for row in record.overall]


def at_references(terms: Sequence[Term]) -> list[Term]:
    """Name coefficients in treatment coding as the simple effects that they are, at the references of other axes."""
    references = {row["axes"]: row["reference"] for row in terms if row["term"] == row["axes"]}
    named = []
    for row in terms:
        others = [axis for axis in references if axis not in row["axes"].split("+") and references[axis] != MEAN]
        condition = ",".join(f"{axis}={references[axis]}" for axis in others)
        named.append(replace(row, term=f"{row.term}|{condition}") if condition else row)
    return named


def judge_comparisons(record: Record) -> list[Judged]:
    """Return the rows that compare groups with their verdicts; those of a rating are left to its tables."""
    return [] if record.method == "rating" else [each for each in judge_terms(record) if compares(each.row)]


def _kind(row: Term, p: float | None, alpha: float) -> Kind:
    special = _OF_STATES.get(row.state)
    if row.level != ANY:
        if not compares(row):
            return "described"
        if row.effect is None:
            return "not_estimable"
        # Where words differ in what their endings do, p decides whether such words differ at all.
        if special is not None and (row.state != WORDING or row.se == 0):
            return special
        if row.se == 0:
            return "same_difference" if row.effect else "zero"
    if p is None:
        return "not_estimable"
    return (special or "difference") if p < alpha else "not_detectable"


def _made_of(row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Axes, levels and references of the simpler effects that, by an interaction, are not the same everywhere."""
    parts = list(zip(*(str(row[key]).split(between) for key, between in _SIDES), strict=False))
    for size in range(1, len(parts)):
        for some in combinations(parts, size):
            axes, levels, references = zip(*some, strict=True)
            yield "+".join(axes), ":".join(levels), ":".join(references)


def _is_average(row: Mapping[str, Any], verdict: Verdict, changing: Container[tuple[Any, ...]]) -> bool:
    """Whether an effect without spread is a mean of different ones; a simple effect is that of one level."""
    key = (part_key(row), *(row[key] for key, _ in _SIDES))
    return verdict.kind in ("zero", "same_difference") and "|" not in row["term"] and key in changing


def _of_whole_term(verdict: Verdict, levels: Sequence[Verdict]) -> Verdict:
    """The verdict on a term as a whole, which never contradicts its levels."""
    if any(level.found for level in levels):
        return replace(verdict, kind="difference")
    if levels and all(level.kind in _UNMOVED for level in levels):
        return replace(verdict, kind="zero")
    return verdict
