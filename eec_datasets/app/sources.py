"""Sources of the page's corpora: rendered here, or a build or release that the environment names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from eec_datasets import __version__, corpora
from eec_datasets.errors import EecError, Unavailable
from eec_datasets.hub import guards
from eec_datasets.release.card import language_name
from eec_datasets.systems.corpus import Corpus, corpus_of, open_corpus

CACHED_CORPORA: Final = 4
"""Corpora kept in memory: one has up to 60,000 rows, and a Space little memory."""


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """Corpora to choose from; it can be sent to another process, which keeps corpora of its own.

    Attributes
    ----------
    origin
        Where they are from: the key of a sentence of the page, and what stands in its places.
    choices
        Label and name of each.
    open
        Opens one by its name.
    """

    origin: tuple[str, Mapping[str, str]]
    choices: Sequence[tuple[str, str]]
    open: Callable[[str], Corpus]


def rendered() -> CorpusSource:
    """Offer the corpora as this package renders them."""
    choices = [(_label(config.name, config.language), config.name) for config in corpora.usable()[0]]
    return CorpusSource(("around.rendered", {"version": __version__}), choices, _rendered)


def released(dataset: str, revision: str | None = None) -> CorpusSource:
    """Offer the corpora of a folder made by ``eec build``, or of ``ORG/NAME`` on the Hub at a revision."""
    release = guards.describe(dataset, revision=revision)
    values = {"release": release.version, "dataset": dataset}
    origin = ("around.released_at", values | {"revision": revision}) if revision else ("around.released", values)
    choices = [(_label(entry.name, entry.language), entry.name) for entry in release.configs]
    return CorpusSource(origin, choices, partial(_released, dataset, revision))


@lru_cache(CACHED_CORPORA)
def _rendered(name: str) -> Corpus:
    return open_corpus(name)


@lru_cache(CACHED_CORPORA)
def _released(dataset: str, revision: str | None, name: str) -> Corpus:
    release = guards.describe(dataset, revision=revision)
    entry = release.config(name)
    try:
        rows = guards.load(dataset, name, revision=revision)
    except EecError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise Unavailable(f"{name} cannot be loaded from {dataset} ({reason}). Try again later.") from error
    table = rows.with_format("arrow")[:]
    return corpus_of(table, name, release.version, entry.language, entry.about, entry.review_sentence)


def from_environment(environment: Mapping[str, str] = os.environ) -> CorpusSource:
    """Offer the release that ``EEC_DATASET`` and ``EEC_REVISION`` name, else the corpora rendered here."""
    dataset = environment.get("EEC_DATASET")
    return released(dataset, environment.get("EEC_REVISION") or None) if dataset else rendered()


def _label(name: str, language: str) -> str:
    return f"{name} ({language_name(language)})"
