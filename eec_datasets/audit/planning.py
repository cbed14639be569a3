"""The questions of a corpus, known before anything is scored."""

from __future__ import annotations

from typing import Any

from eec_bias.reading import MeasureOptions, Plan, plan_list
from eec_datasets.systems.corpus import Corpus


def plan_corpus(corpus: Corpus, measuring: Any = ()) -> Plan:
    """Return what is asked of the scores of a system on a corpus.

    Parameters
    ----------
    measuring
        Options of the metric for the scores, such as ``margin``.
    """
    return plan_list(corpus.table, MeasureOptions(**dict(measuring)))
