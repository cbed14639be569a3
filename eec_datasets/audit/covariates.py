"""What the names of a corpus that systems score carry beside their group."""

from __future__ import annotations

from functools import lru_cache

from eec_datasets import corpora
from eec_datasets.names.covariates import Saved, Tokens, covariates_of
from eec_datasets.systems.corpus import CACHED_CORPORA, Corpus


@lru_cache(maxsize=CACHED_CORPORA)
def corpus_covariates(corpus: Corpus, tokens: Tokens | None = None) -> Saved | None:
    """Return what is known of the names, see `covariates_of`; None where it is no config.

    Names that are the ``attested`` ones of a set were chosen by that, and by no rule.
    """
    config = corpora.look_up(corpus.attested_of or corpus.name)
    saved = covariates_of(config, corpus.columns, list(corpus.groups), tokens) if config else None
    return saved and (saved | {"how": "attested"} if corpus.attested_of else saved)
