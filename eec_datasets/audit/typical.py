"""Typical pairs: of two sentences that differ only in the person, those whose gap is about the gap on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from eec_bias.reading import Term, compares, is_interaction
from eec_bias.shared import grouped
from eec_datasets.locale.model import UNMARKED
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus

NEAREST: Final = 20
"""Of this many pairs nearest to the average, the one with the shortest sentences is shown."""

CACHED_COMPARISONS: Final = 8 * CACHED_CORPORA
"""Comparisons whose pairs are kept, as systems score the same corpora one after the other."""


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
    found, known = [], np.asarray(scores, dtype=float)
    for row in terms:
        simple = row.axes in corpus.columns and compares(row) and not is_interaction(row)
        if not simple or row.effect is None or row.get("emotion") is not None:
            continue
        if row.reference in corpus.groups.get(str(row.axes), ()) and (pair := _typical(corpus, known, row)):
            found.append(pair)
    return found


def _typical(corpus: Corpus, scores: NDArray[np.float64], row: Term) -> TypicalPair | None:
    pairs = _pairs(corpus, row.term, str(row.axes), str(row.level), str(row.reference), row.subset == "names")
    pairs = pairs[~np.isnan(scores[pairs]).any(axis=1)]
    if not len(pairs) or row.effect is None:
        return None
    gaps, text = scores[pairs[:, 0]] - scores[pairs[:, 1]], corpus.columns["text"]
    nearest = np.argsort(np.abs(gaps - row.effect), kind="stable")[:NEAREST].tolist()
    # A pair must not contradict what it stands for.
    alike = [i for i in nearest if gaps[i] * row.effect > 0] or nearest
    first, second = min((pairs[i].tolist() for i in alike), key=lambda pair: sum(len(text[at]) for at in pair))
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
        higher=int((gaps > 0).sum()),
        lower=int((gaps < 0).sum()),
    )


@lru_cache(maxsize=CACHED_COMPARISONS)
def _pairs(corpus: Corpus, term: str, axis: str, level: str, reference: str, named: bool) -> NDArray[np.intp]:
    """Return pairs of rows (n, 2) about the two groups of a comparison that differ in nothing else.

    They are the same for every system that scores the corpus.
    """
    columns = corpus.columns
    held = dict(part.split("=", 1) for part in term.partition("|")[2].split(",") if "=" in part)
    others = [other for other in corpus.groups if other != axis]
    rows = []
    for at, (own, kind) in enumerate(zip(columns[axis], columns["person_type"], strict=True)):
        right_kind = (kind == "name") is named and kind != "mention"
        if not right_kind or own not in (level, reference):
            continue
        if any(columns[other][at] != label for other, label in held.items()):
            continue
        rest = tuple(columns[other][at] for other in others)
        if named and UNMARKED in rest:
            continue
        rows.append(((columns["pair"][at], *rest), (own, at)))
    pairs: list[tuple[int, int]] = []
    for members in grouped(rows).values():
        by_level = grouped(members)
        pairs += zip(by_level.get(level, ()), by_level.get(reference, ()), strict=False)
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)
