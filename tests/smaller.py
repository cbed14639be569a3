"""Corpora of a few items, for runs in which every sentence is a call."""

from __future__ import annotations

from collections.abc import Callable

from eec_datasets.systems import corpus as corpora

ITEMS = 8


def smaller(open_corpus: Callable[[str], corpora.Corpus]) -> Callable[[str], corpora.Corpus]:
    """Open the first items of a corpus only."""

    def opened(name: str) -> corpora.Corpus:
        whole = open_corpus(name)
        items = list(dict.fromkeys(whole.columns["item"]))[:ITEMS]
        return corpora.part_of(whole, [row for row, item in enumerate(whole.columns["item"]) if item in items])

    return opened


def main() -> None:
    """Run ``eec`` on such corpora."""
    from eec_datasets.cli import main as eec

    setattr(corpora, "open_corpus", smaller(corpora.open_corpus))  # noqa: B010
    eec()


if __name__ == "__main__":
    main()
