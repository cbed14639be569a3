"""Covariates of the names in a corpus that systems score: properties besides their group."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from eec_datasets import corpora
from eec_datasets.names.covariates import Saved, Tokens, covariates_of, signals_of
from eec_datasets.schema import SIGNAL
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus

if TYPE_CHECKING:
    import pyarrow as pa


@lru_cache(maxsize=CACHED_CORPORA)
def corpus_covariates(corpus: Corpus, tokens: Tokens | None = None) -> Saved | None:
    """Return what is known of the names, see `covariates_of`; None if it is no config."""
    config = corpora.look_up(corpus.name)
    return covariates_of(config, corpus.columns, list(corpus.groups), tokens) if config else None


@lru_cache(maxsize=CACHED_CORPORA)
def rows_to_measure(corpus: Corpus) -> pa.Table:
    """Return the rows with what a measurement further knows of the names.

    A column says how strongly each name signals its race, if the config knows that. If names are clustered by their
    first tokens, those are their families.
    """
    import pyarrow as pa

    rows = corpus.table
    if corpus.first_tokens:
        shared = zip(*(corpus.columns[name] for name in ("person_form", "person_type", "family")), strict=True)
        tokens = corpus.first_tokens
        families = [tokens.get(form, family) if kind == "name" else family for form, kind, family in shared]
        rows = rows.set_column(rows.column_names.index("family"), "family", pa.array(families, pa.string()))
    config = corpora.look_up(corpus.name)
    signals = signals_of(config, corpus.columns) if config else None
    if signals is not None:
        rows = rows.append_column(SIGNAL, pa.array(signals, pa.string()))
    return corpus.label.onto(rows)
