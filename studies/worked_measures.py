"""What the worked study measures: its systems, its corpora, and the rows of results.csv."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import eec_datasets
from eec_datasets.audit.running import measure
from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import System, score_batch
from eec_datasets.systems.corpus import PAPER_CONFIGS, PAPER_SIZED, STRONG_CONFIGS, WHOLE, Corpus, Part, open_corpus
from eec_datasets.systems.registry import open_system
from studies.markdown import Row

REAL = ("wordllama", "vader", "textblob")
"""Systems from PyPI that carry their own embeddings or lexicons, English only."""

BUILT_IN = ("biased:female", "noisy:female", "random:1")
"""Systems whose answer is known: 1 for women and 0 for others; .05 more for women; numbers that know no name."""

ENGLISH = (*(name for name in PAPER_CONFIGS if name.startswith("en-")), *STRONG_CONFIGS)

FEW, MANY = "en-anglo-latino", "en-anglo-latino-100"
PICTURED = ("wordllama", "noisy:female", "vader", "textblob")
"""Corpora and systems of the picture; of the first system the names are drawn too."""

THREE = ("en-black-white", "vader")
"""Corpus and system that three procedures measure."""

KEYS = (
    "system",
    "config",
    "language",
    "term",
    "level",
    "reference",
    "subset",
    "effect",
    "ci_low",
    "ci_high",
    "se",
    "df",
    "p",
    "p_adjusted",
    "mde",
    "n_persons",
    "n_items",
    "note",
)
"""Columns of results.csv."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one system did on one corpus.

    Attributes
    ----------
    system
        Its name.
    corpus
        What it scored.
    scores
        One per row.
    score_range
        As declared.
    result
        ``Result`` of the default procedure.
    """

    system: str
    corpus: Corpus
    scores: Sequence[float]
    score_range: tuple[float, float]
    result: Any


def plan() -> list[tuple[str, str]]:
    """Return every config and system of the study: the real systems on English, the built-in ones on all configs."""
    found = []
    for config in eec_datasets.configs():
        if config.name in ENGLISH:
            found += [(config.name, system) for system in REAL]
        found += [(config.name, system) for system in BUILT_IN]
    return found


def run(chosen: Sequence[tuple[str, str]]) -> Iterator[Measured]:
    """Score and measure; each corpus is rendered once where its systems follow each other."""
    corpus: Corpus | None = None
    for name, spec in chosen:
        if corpus is None or corpus.name != name:
            corpus = open_corpus(name, _part(name))
        system = open_system(spec)
        scores = _scores(system, corpus)
        yield Measured(spec, corpus, scores, system.score_range, measure(spec, corpus, scores, system.score_range))


def _part(config: str) -> Part:
    """Return what is taken of a corpus: no more sentences than a corpus of the papers has."""
    if "-100" in config:
        return PAPER_SIZED
    return WHOLE


def _scores(system: System, corpus: Corpus) -> list[float]:
    """Return the score of every row.

    Raises
    ------
    SystemFailed
        The system gave no answer to a sentence; those of the study answer all of them.
    """
    scores = []
    for place, score in zip(corpus.ids, score_batch(system, corpus.columns), strict=True):
        if score is None:
            raise SystemFailed(
                f"{system.name} gave no answer to {place} of {corpus.name}; the study needs a score of every sentence."
            )
        scores.append(float(score))
    return scores


def rows(measured: Measured) -> list[Row]:
    """Return the rows of results.csv for one system on one corpus, rounded to what every machine agrees on."""
    corpus = measured.corpus
    named = {"system": measured.system, "config": corpus.name, "language": corpus.language}
    found = []
    for term in measured.result.to_dict()["terms"]:
        values = named | term
        found.append({key: rounded(key, values[key]) for key in KEYS})
    return found


def rounded(key: str, value: Any) -> Any:
    """Round a number: p to three digits that count, others to eight decimals; zeros lose their sign."""
    if not isinstance(value, float):
        return value
    if key.startswith("p"):
        return float(f"{value:.3g}")
    return round(value, 8) + 0.0
