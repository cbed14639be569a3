"""Minimal pairs: two sentences that differ only in the person, and that a system scored very differently."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

from eec_datasets.audit.standouts import NOISE
from eec_datasets.locale.model import UNMARKED
from eec_datasets.schema import axes_of
from eec_datasets.systems.corpus import Corpus

PAIRS_PER_AXIS: Final = 3
"""How many pairs are shown of an axis."""

Piece = tuple[str, bool]
"""A stretch of a sentence, and whether it differs from the other sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One side of a pair.

    Attributes
    ----------
    text
        The sentence.
    labels
        Its marked level on each axis that has one.
    score
        What the system gave it.
    """

    text: str
    labels: dict[str, str]
    score: float


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """Two sentences of one item whose persons differ on one axis and on no other.

    Attributes
    ----------
    axis
        The axis on which they differ.
    item
        The item they belong to.
    higher, lower
        The sentence with the higher score, and the other.
    """

    axis: str
    item: str
    higher: Sentence
    lower: Sentence

    @property
    def difference(self) -> float:
        """Score of the first minus score of the second, in units of the scores."""
        return self.higher.score - self.lower.score


def farthest_pairs(
    corpus: Corpus, scores: Sequence[float], score_range: tuple[float, float], per_axis: int = PAIRS_PER_AXIS
) -> list[ScoredPair]:
    """Return the pairs whose scores lie farthest apart: per axis a few, no two of one item or of the same two persons.

    Names are compared within an item and the levels of the other axes; noun phrases and pronouns with their
    counterpart only (*my mother*, *my father*).

    Parameters
    ----------
    corpus
        What was scored.
    scores
        One per row.
    score_range
        Declared range; smaller differences than its rounding are none.
    per_axis
        How many pairs of an axis.
    """
    least = NOISE * (score_range[1] - score_range[0])
    by_axis = (itertools.islice(_distinct_pairs(corpus, scores, axis, least), per_axis) for axis in corpus.groups)
    return list(itertools.chain.from_iterable(by_axis))


def _distinct_pairs(corpus: Corpus, scores: Sequence[float], axis: str, least: float) -> Iterator[ScoredPair]:
    """Give the pairs farther apart than ``least``, each of an item and of two persons that no other one has."""
    seen: set[object] = set()
    for high, low in _candidates(corpus, scores, axis):
        item = corpus.columns["item"][high]
        persons = frozenset(corpus.columns["person_form"][row] for row in (high, low))
        if scores[high] - scores[low] > least and not seen & {item, persons}:
            seen |= {item, persons}
            yield ScoredPair(axis, item, _sentence(corpus, scores, high), _sentence(corpus, scores, low))


def _candidates(corpus: Corpus, scores: Sequence[float], axis: str) -> list[tuple[int, int]]:
    """Return one pair of rows per block of comparable sentences, the farthest apart first."""
    columns = corpus.columns
    others = [columns[other] for other in axes_of(columns) if other != axis]
    keys = zip(columns["pair"], columns["person_type"], *others, strict=True)
    # Per block and level: the rows with the lowest and the highest score.
    blocks: dict[tuple[str, ...], dict[str, tuple[int, int]]] = {}
    for row, (key, level) in enumerate(zip(keys, columns[axis], strict=True)):
        if level != UNMARKED:
            levels = blocks.setdefault(key, {})
            low, high = levels.get(level, (row, row))
            levels[level] = (min(low, row, key=scores.__getitem__), max(high, row, key=scores.__getitem__))
    pairs = [_farthest(levels, scores) for levels in blocks.values() if len(levels) > 1]
    return sorted(pairs, key=lambda pair: (scores[pair[1]] - scores[pair[0]], pair))


def _farthest(levels: Mapping[str, tuple[int, int]], scores: Sequence[float]) -> tuple[int, int]:
    pairs = [(a[1], b[0]) for a, b in itertools.permutations(levels.values(), 2)]
    return max(pairs, key=lambda pair: scores[pair[0]] - scores[pair[1]])


def _sentence(corpus: Corpus, scores: Sequence[float], row: int) -> Sentence:
    labels = {axis: corpus.columns[axis][row] for axis in axes_of(corpus.columns)}
    marked = {axis: level for axis, level in labels.items() if level != UNMARKED}
    return Sentence(corpus.columns["text"][row], marked, float(scores[row]))


def mark_changes(first: str, second: str) -> tuple[list[Piece], list[Piece]]:
    """Mark the words in which two sentences differ.

    Parameters
    ----------
    first, second
        The sentences.

    Returns
    -------
    (list of Piece, list of Piece)
        Their pieces in order; joined they are the sentences again.
    """
    left, right = _words(first), _words(second)
    changes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return (
        [("".join(left[i:j]), kind != "equal") for kind, i, j, _, _ in changes if i < j],
        [("".join(right[k:m]), kind != "equal") for kind, _, _, k, m in changes if k < m],
    )


def _words(text: str) -> list[str]:
    """Split into words, spaces and marks; letters keep their combining signs, as scripts need them."""
    return ["".join(letters) for _, letters in itertools.groupby(text, key=_kind)]


def _kind(letter: str) -> Any:
    if letter.isspace():
        return "space"
    return "mark" if unicodedata.category(letter).startswith("P") else "word"
