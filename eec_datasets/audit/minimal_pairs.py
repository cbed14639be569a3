"""Minimal pairs: two sentences that differ only in the person, and that a system scored very differently."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from eec_bias.shared import grouped
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
    pairs: list[ScoredPair] = []
    for axis in corpus.groups:
        seen: set[object] = set()
        for high, low in _candidates(corpus, scores, axis):
            item = corpus.columns["item"][high]
            persons = frozenset(corpus.columns["person_form"][row] for row in (high, low))
            full = len(seen) == 2 * per_axis
            if not full and scores[high] - scores[low] > least and not seen & {item, persons}:
                seen |= {item, persons}
                pairs.append(ScoredPair(axis, item, _sentence(corpus, scores, high), _sentence(corpus, scores, low)))
    return pairs


def _candidates(corpus: Corpus, scores: Sequence[float], axis: str) -> list[tuple[int, int]]:
    """Return one pair of rows per block of comparable sentences, the farthest apart first."""
    columns = corpus.columns
    others = [columns[other] for other in axes_of(columns) if other != axis]
    keys = zip(columns["pair"], columns["person_type"], *others, strict=True)
    labelled = zip(keys, columns[axis], strict=True)
    blocks = grouped(
        (key, (level, row))
        for row, (key, level) in enumerate(labelled)
        if level != UNMARKED and not math.isnan(scores[row])
    )
    score, pairs = scores.__getitem__, []
    for block in blocks.values():
        ends = [(max(rows, key=score), min(rows, key=score)) for rows in grouped(block).values()]
        across = [(first[0], second[1]) for first, second in itertools.permutations(ends, 2)]
        pairs += [max(across, key=lambda pair: score(pair[0]) - score(pair[1]))] if across else []
    return sorted(pairs, key=lambda pair: (score(pair[1]) - score(pair[0]), pair))


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

    def kind(letter: str) -> str:
        if letter.isspace():
            return "space"
        return "mark" if unicodedata.category(letter).startswith("P") else "word"

    return ["".join(letters) for _, letters in itertools.groupby(text, key=kind)]
