"""Typical pairs: of two sentences that differ only in the person, those whose gap is about the average one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from eec_bias.measurement import SentencePair
from eec_bias.reading import Term, compares, is_interaction
from eec_bias.shared import grouped
from eec_datasets.locale.model import UNMARKED
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus

NEAREST: Final = 20
"""Of this many pairs nearest to the average, those with the shortest sentences are kept."""

KEPT: Final = 3
"""So many pairs are kept of each emotion of a comparison."""

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
    emotions = np.asarray([corpus.columns["emotion"][at] for at in pairs[:, 0]])
    length = np.asarray([len(text[first]) + len(text[second]) for first, second in pairs])
    found = []
    for emotion in dict.fromkeys(emotions.tolist()):
        own = np.flatnonzero(emotions == emotion)
        kept: dict[int, None] = {}
        for gap in (row.effect, float(gaps[own].mean())):
            nearest = own[np.argsort(np.abs(gaps[own] - gap), kind="stable")[:NEAREST]]
            short = nearest[np.argsort(length[nearest], kind="stable")].tolist()
            kept |= dict.fromkeys([int(nearest[0]), *short[:KEPT]])
        for at in kept:
            first, second = pairs[at].tolist()
            found.append(
                SentencePair(
                    id=row.comparison.id,
                    emotion=emotion,
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
