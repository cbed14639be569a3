"""Typical pairs: of two sentences that differ only in the person, those whose gap is about the gap on average."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eec_bias.reading import Term, compares, is_interaction
from eec_bias.shared import grouped
from eec_datasets.locale.model import UNMARKED
from eec_datasets.systems.corpus import Corpus

NEAREST: Final = 20
"""Of this many pairs nearest to the average, the one with the shortest sentences is shown."""


@dataclass(frozen=True, slots=True)
class TypicalPair:
    """Two sentences of one item whose gap is about that of their groups on average.

    Attributes
    ----------
    term, level, reference, subset
        The comparison, as in the rows of the result.
    first, second
        The sentence about the first group, and about the second.
    first_score, second_score
        What they scored.
    pairs
        How many pairs there are.
    higher, lower
        In how many of them the sentence about the first group scores higher, and lower.
    """

    term: str
    level: str
    reference: str
    subset: str
    first: str
    second: str
    first_score: float
    second_score: float
    pairs: int
    higher: int
    lower: int


def typical_pairs(corpus: Corpus, scores: Sequence[float], terms: Sequence[Term]) -> list[TypicalPair]:
    """Return a typical pair of every comparison of two groups.

    Names are paired within an item in the order of the corpus, the first of one group with the first of the other;
    noun phrases and pronouns with their counterpart (*my mother*, *my father*).

    Parameters
    ----------
    corpus
        What was scored.
    scores
        One per row.
    terms
        The rows of the result.
    """
    found = []
    for row in terms:
        simple = row.axes in corpus.columns and compares(row) and not is_interaction(row)
        if not simple or row.effect is None or row.get("emotion") is not None:
            continue
        if row.reference in corpus.groups.get(str(row.axes), ()) and (pair := _typical(corpus, scores, row)):
            found.append(pair)
    return found


def _typical(corpus: Corpus, scores: Sequence[float], row: Term) -> TypicalPair | None:
    pairs = [pair for pair in _pairs(corpus, row) if not any(math.isnan(scores[at]) for at in pair)]
    if not pairs or row.effect is None:
        return None
    gaps = [scores[first] - scores[second] for first, second in pairs]
    effect, text = row.effect, corpus.columns["text"]
    nearest = sorted(range(len(pairs)), key=lambda i: abs(gaps[i] - effect))[:NEAREST]
    # A pair must not contradict what it stands for.
    alike = [i for i in nearest if gaps[i] * effect > 0] or nearest
    first, second = pairs[min(alike, key=lambda i: len(text[pairs[i][0]]) + len(text[pairs[i][1]]))]
    return TypicalPair(
        term=row.term,
        level=str(row.level),
        reference=str(row.reference),
        subset=str(row.subset),
        first=text[first],
        second=text[second],
        first_score=float(scores[first]),
        second_score=float(scores[second]),
        pairs=len(pairs),
        higher=sum(gap > 0 for gap in gaps),
        lower=sum(gap < 0 for gap in gaps),
    )


def _pairs(corpus: Corpus, row: Term) -> Iterator[tuple[int, int]]:
    """Give pairs of rows about the two groups of a comparison that differ in nothing else."""
    columns, axis = corpus.columns, str(row.axes)
    named = row.subset == "names"
    held = dict(part.split("=", 1) for part in row.term.partition("|")[2].split(",") if "=" in part)
    others = [other for other in corpus.groups if other != axis]
    rows_of: dict[tuple[str, ...], Mapping[str, list[int]]] = {}
    rows = []
    for at, (level, kind) in enumerate(zip(columns[axis], columns["person_type"], strict=True)):
        right_kind = (kind == "name") is named and kind != "mention"
        if not right_kind or level not in (row.level, row.reference):
            continue
        if any(columns[other][at] != label for other, label in held.items()):
            continue
        rest = tuple(columns[other][at] for other in others)
        if named and UNMARKED in rest:
            continue
        rows.append(((columns["pair"][at], *rest), (level, at)))
    for key, members in grouped(rows).items():
        rows_of[key] = grouped(members)
    for by_level in rows_of.values():
        yield from zip(by_level.get(str(row.level), ()), by_level.get(str(row.reference), ()), strict=False)
