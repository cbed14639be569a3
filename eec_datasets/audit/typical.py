"""Typical pairs: of two sentences that differ only in the person, those whose gap is about the average one.

Of words such as *she* and *he* also one whose gap is among the largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from eec_bias.measurement import SentencePair
from eec_bias.reading import Term, compares, is_interaction
from eec_datasets.locale.model import UNMARKED
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus

NEAREST: Final = 20
"""Of this many pairs nearest to the average, those with the shortest sentences are kept."""

KEPT: Final = 3
"""So many pairs are kept of each emotion of a comparison."""

MOST_IN_BLOCK: Final = 1_000_000
"""More rows than this are never in one block."""

CACHED_COMPARISONS: Final = 8 * CACHED_CORPORA
"""Comparisons whose pairs are kept, as systems score the same corpora one after the other."""


def typical_pairs(corpus: Corpus, scores: Sequence[float], terms: Sequence[Term]) -> list[SentencePair]:
    """Return typical pairs of every comparison of two groups, a few for each emotion.

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
    found: list[SentencePair] = []
    known = np.asarray(scores, dtype=float)
    for row in terms:
        simple = row.axes in corpus.columns and compares(row) and not is_interaction(row)
        if not simple or row.effect is None or row.get("emotion") is not None:
            continue
        if row.reference in corpus.groups.get(str(row.axes), ()):
            found += _typical(corpus, known, row)
    return found


def _typical(corpus: Corpus, scores: NDArray[np.float64], row: Term) -> list[SentencePair]:
    """Return the pairs nearest to the mean gap of all and of their emotion, then those with the shortest sentences."""
    pairs = _pairs(corpus, row.term, str(row.axes), str(row.level), str(row.reference), row.subset == "names")
    pairs = pairs[~np.isnan(scores[pairs]).any(axis=1)]
    if not len(pairs) or row.effect is None:
        return []
    gaps, text = scores[pairs[:, 0]] - scores[pairs[:, 1]], corpus.columns["text"]
    labels, length = _labels(corpus, "emotion"), _lengths(corpus)[pairs].sum(axis=1)
    emotions = labels.codes[pairs[:, 0]]
    found = []
    for emotion in dict.fromkeys(emotions.tolist()):
        own = np.flatnonzero(emotions == emotion)
        kept: dict[int, None] = {}
        for gap in (row.effect, float(gaps[own].mean())):
            nearest = own[np.argsort(np.abs(gaps[own] - gap), kind="stable")[:NEAREST]]
            short = nearest[np.argsort(length[nearest], kind="stable")].tolist()
            kept |= dict.fromkeys([int(nearest[0]), *short[:KEPT]])
        if row.subset != "names":
            # Words that are heard about one group only: the average gap of lists that lose them is about 0.
            farthest = own[np.argsort(-np.abs(gaps[own]), kind="stable")[:NEAREST]]
            kept[int(farthest[length[farthest].argmin()])] = None
        for at in kept:
            first, second = pairs[at].tolist()
            found.append(
                SentencePair(
                    id=row.comparison.id,
                    emotion=labels.distinct[emotion],
                    texts=(text[first], text[second]),
                    scores=(float(scores[first]), float(scores[second])),
                    persons=(corpus.columns["person_form"][first], corpus.columns["person_form"][second]),
                )
            )
    return found


@lru_cache(maxsize=CACHED_COMPARISONS)
def _pairs(corpus: Corpus, term: str, axis: str, level: str, reference: str, named: bool) -> NDArray[np.intp]:
    """Return pairs of rows (n, 2) about the two groups of a comparison that differ in nothing else.

    They are the same for every system that scores the corpus.
    """
    kind, own = _labels(corpus, "person_type"), _labels(corpus, axis)
    chosen = (kind.isin("name") if named else ~kind.isin("name", "mention")) & own.isin(level, reference)
    held = dict(part.split("=", 1) for part in term.partition("|")[2].split(",") if "=" in part)
    block = _labels(corpus, "pair").codes
    for other in (each for each in corpus.groups if each != axis):
        labels = _labels(corpus, other)
        if other in held:
            chosen &= labels.isin(held[other])
        if named:
            chosen &= ~labels.isin(UNMARKED)
        block = block * len(labels.distinct) + labels.codes
    rows = np.flatnonzero(chosen)
    blocks = _numbered(block[rows]).codes
    (first, first_places), (second, second_places) = (
        _in_blocks(rows[group], blocks[group]) for group in (own.isin(level)[rows], own.isin(reference)[rows])
    )
    _, left, right = np.intersect1d(first_places, second_places, assume_unique=True, return_indices=True)
    return np.column_stack([first[left], second[right]])


def _in_blocks(rows: NDArray[np.intp], blocks: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows in the order of their blocks, and a number for the block and the place of each row in it."""
    order = np.argsort(blocks, kind="stable")
    rows, blocks = rows[order], blocks[order]
    return rows, blocks * MOST_IN_BLOCK + np.arange(len(blocks)) - np.searchsorted(blocks, blocks)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """Values by number: ``distinct[codes[i]]`` is the value of row ``i``; numbers count from the first that occurs."""

    distinct: list[Any]
    codes: NDArray[np.intp]

    def isin(self, *values: Any) -> NDArray[np.bool_]:
        """Return which rows have one of some values."""
        return np.array([value in values for value in self.distinct], dtype=bool)[self.codes]


def _numbered(values: Any) -> _Numbered:
    found = pa.array(values).dictionary_encode()
    return _Numbered(found.dictionary.to_pylist(), found.indices.to_numpy().astype(np.intp))


@lru_cache(maxsize=8 * CACHED_CORPORA)
def _labels(corpus: Corpus, column: str) -> _Numbered:
    """Return the labels of a column of a corpus."""
    return _numbered(corpus.columns[column])


@lru_cache(maxsize=CACHED_CORPORA)
def _lengths(corpus: Corpus) -> NDArray[np.intp]:
    """Return the length of every sentence in letters."""
    return np.array([len(text) for text in corpus.columns["text"]], dtype=np.intp)
