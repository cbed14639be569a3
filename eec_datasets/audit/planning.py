"""The questions of a corpus, known before anything is scored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from eec_bias.reading import MeasureOptions, Plan, plan_list, sentence_checksums
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus


def plan_corpus(corpus: Corpus, measuring: Any = ()) -> Plan:
    """Return what is asked of the scores of a system on a corpus.

    Parameters
    ----------
    measuring
        Options of the metric for the scores, such as ``margin``.
    """
    return plan_list(corpus.table, MeasureOptions(**dict(measuring)))


@lru_cache(maxsize=CACHED_CORPORA)
def compared_sentences(corpus: Corpus) -> Mapping[str, str]:
    """Return a checksum of the sentences of each question of a corpus, by which lists that repeat them are known."""
    return sentence_checksums(corpus.table)
