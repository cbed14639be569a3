"""Corpora of a few items, for runs in which every sentence is a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eec_datasets.systems import corpus as corpora

ITEMS = 8


def smaller(open_corpus: Callable[..., corpora.Corpus]) -> Callable[..., corpora.Corpus]:
    """Open the first items of a corpus only."""

    def opened(*asked: Any) -> corpora.Corpus:
        whole = open_corpus(*asked)
        items = list(dict.fromkeys(whole.columns["item"]))[:ITEMS]
        return corpora.part_of(whole, [row for row, item in enumerate(whole.columns["item"]) if item in items])

    return opened
