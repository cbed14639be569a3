"""Corpora of a few items, for runs in which every sentence is a call."""

from collections.abc import Callable
from typing import Any

from eec_datasets.systems import corpus as corpora


def smaller(open_corpus: Callable[..., corpora.Corpus], items: int = 8) -> Callable[..., corpora.Corpus]:
    """Open the first items of a corpus only."""

    def opened(*asked: Any) -> corpora.Corpus:
        whole = open_corpus(*asked)
        first = list(dict.fromkeys(whole.columns["item"]))[:items]
        return corpora.part_of(whole, [row for row, item in enumerate(whole.columns["item"]) if item in first])

    return opened
