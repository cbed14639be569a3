"""The plan of an audit: the questions of each language, fixed by its corpora before anything is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from eec_bias.reading import MeasureOptions, Plan, PlannedList, plan_list, plan_lists, sentence_checksums
from eec_bias.shared import grouped
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus, attested


def plan_audit(corpora: Sequence[Corpus], measuring: Any = ()) -> dict[str, Plan]:
    """Plan what one system is asked: for each language its questions, and the corpus that answers each.

    Parameters
    ----------
    corpora
        Those that the system scores.
    measuring
        Options of the metric for the scores, such as ``margin``.

    Returns
    -------
    dict
        A plan by language.
    """
    options = asked_of_scores(measuring)
    by_language = grouped((corpus.language, corpus) for corpus in corpora)
    return {language: _plan(some, options) for language, some in by_language.items()}


def asked_of_scores(measuring: Any) -> dict[str, Any]:
    """Return the options of the metric with what an audit asks in any case.

    Women and men within each group, and the groups among each, are questions of the page.
    """
    return {"simple": True, **dict(measuring)}


@lru_cache(maxsize=CACHED_CORPORA)
def compared_sentences(corpus: Corpus) -> Mapping[str, str]:
    """Return a checksum of the sentences of each question of a corpus, by which lists that repeat them are known."""
    return sentence_checksums(corpus.table, MeasureOptions(**asked_of_scores(())))


def _plan(corpora: Sequence[Corpus], options: Mapping[str, Any]) -> Plan:
    settings = MeasureOptions(**options)
    lists: list[PlannedList] = []
    for corpus in corpora:
        lists.append(plan_list(corpus.name, corpus.table, settings))
        if part := attested(corpus):
            lists.append(plan_list(part[0].name, part[0].table, settings, secondary=True))
    return plan_lists(lists, float(settings.confidence), settings.margin)
