"""Texts whose class is known, and how well a system tells the two classes apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
from scipy.stats import rankdata

from eec_bias.shared import counted, grouped
from eec_datasets.errors import InputError
from eec_datasets.rewrite.texts import read_rows
from eec_datasets.systems.base import Accuracy
from eec_datasets.systems.corpus import Corpus, corpus_of
from eec_datasets.systems.scoring import mean_of_runs, score_corpus

if TYPE_CHECKING:
    from eec_datasets.systems.base import System
    from eec_datasets.systems.scoring import Progress
    from eec_datasets.systems.store import Store

FEWEST: Final = 50
"""Texts of each class from which on an interval says something."""

DRAWS: Final = 2000
"""Resamples of an interval."""

CLASSES: Final[Mapping[str, bool]] = {"1": True, "positive": True, "0": False, "negative": False}
"""Labels that a text may have; true stands for the meaning of a high score."""


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Texts of one language with their classes.

    Attributes
    ----------
    corpus
        The texts, as a system scores a list.
    positive
        Of each text, if it is of the class that a high score means.
    """

    corpus: Corpus
    positive: tuple[bool, ...]


def read_labelled_texts(path: Path, languages: Sequence[str]) -> dict[str, LabelledTexts]:
    """Read a file of texts with known classes, by language.

    Parameters
    ----------
    path
        CSV, TSV or JSON lines with the columns ``text`` and ``label``, and ``language`` if there are several.
    languages
        The languages that are audited; texts in others are left out.

    Raises
    ------
    InputError
        The file cannot be read, a column is missing, a label is none of `CLASSES`, or a class has fewer than `FEWEST`
        texts.
    """
    found: list[tuple[str, tuple[str, bool]]] = []
    for place, row in read_rows(path):
        text, label = row.get("text"), str(row.get("label", "")).strip().lower()
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{place}: no text; expected a column 'text' with one in every row.")
        if label not in CLASSES:
            raise InputError(
                f"{place}: the label is {row.get('label')!r}; expected in the column 'label' 1 or positive for what a "
                "high score means, else 0 or negative."
            )
        language = str(row.get("language") or "")
        if not language and len(languages) > 1:
            raise InputError(
                f"{place}: no language; the audit has {', '.join(languages)}, so a column 'language' must say of which "
                "one a text is."
            )
        found.append((language or languages[0], (text, CLASSES[label])))
    by_language = {tag: rows for tag, rows in grouped(found).items() if tag in languages}
    if not by_language:
        raise InputError(f"{path}: no text in {' or '.join(languages)}, the languages of the audit.")
    return {tag: _labelled(path, tag, rows) for tag, rows in by_language.items()}


def _labelled(path: Path, language: str, rows: Sequence[tuple[str, bool]]) -> LabelledTexts:
    labels = dict(rows)
    if odd := next((text for text, label in rows if labels[text] != label), None):
        raise InputError(f"{path}: the text {odd!r:.60} has both labels; expected one.")
    for positive in (True, False):
        count = sum(label == positive for label in labels.values())
        if count < FEWEST:
            kind = "positive" if positive else "negative"
            raise InputError(
                f"{path}: {counted(count, f'different {kind} text')} in {language}; expected {FEWEST} at least, as "
                "fewer say too little about how good a system is."
            )
    ids = [f"text-{number}" for number in range(1, len(labels) + 1)]
    table = pa.table({"id": ids, "text": list(labels)})
    corpus = corpus_of(table, path.name, "0", language, "Texts whose class is known.", "", axes=())
    return LabelledTexts(corpus, tuple(labels.values()))


def with_accuracy(
    system: System,
    texts: Mapping[str, LabelledTexts],
    store: Store,
    progress: Progress | None = None,
    *,
    fresh: bool = False,
) -> System:
    """Return a system that knows how good it is at its job, measured on texts of its languages.

    Parameters
    ----------
    system
        Its scores must follow from a text alone; a made-up one has no job.
    texts
        By language.
    store, progress, fresh
        As for `score_corpus`.
    """
    if not system.stored:
        return system
    known = dict(system.accuracy)
    for language, labelled in texts.items():
        runs = score_corpus(system, labelled.corpus, store, progress, fresh=fresh).answered
        known[language] = accuracy_on(language, labelled, mean_of_runs(runs), sum(system.score_range) / 2)
    return replace(system, accuracy=known)


def accuracy_on(language: str, labelled: LabelledTexts, scores: Sequence[float], middle: float) -> Accuracy:
    """Measure scores of texts against their classes; texts without a score are left out.

    Raises
    ------
    InputError
        So few texts of a class have a score that nothing can be said.
    """
    values, positive = np.array(scores, float), np.array(labelled.positive)
    scored = ~np.isnan(values)
    values, positive = values[scored], positive[scored]
    if min(positive.sum(), (~positive).sum()) < FEWEST:
        raise InputError(
            f"{labelled.corpus.name}: only {counted(int(scored.sum()), 'text')} of {len(scored)} got a score; expected "
            f"{FEWEST} of each class at least."
        )
    return measure_accuracy(language, labelled.corpus.name, values, positive, middle)


def measure_accuracy(language: str, texts: str, scores: Any, positive: Any, middle: float = 0.5) -> Accuracy:
    """Return how well scores tell positive texts from negative ones, with a bootstrap interval of 95 %.

    Parameters
    ----------
    language, texts
        The language of the texts, and what they are.
    scores : array of float
        One per text.
    positive : array of bool
        If a text is of the class that a high score means.
    middle
        Scores above it count as positive.

    Notes
    -----
    Positive and negative texts are drawn apart, 2,000 times (Efron & Tibshirani 1993, section 8).
    """
    generator, draws = np.random.default_rng(0), []
    kinds = [np.flatnonzero(positive), np.flatnonzero(~positive)]
    for _ in range(DRAWS):
        drawn = np.concatenate([generator.choice(kind, len(kind)) for kind in kinds])
        draws.append(area(scores[drawn], positive[drawn]))
    low, high = np.quantile(draws, [0.025, 0.975])
    right = float(((scores > middle) == positive).mean())
    whole = area(scores, positive)
    return Accuracy(language, texts, len(scores), *(round(float(each), 3) for each in (whole, low, high, right)))


def area(scores: Any, positive: Any) -> float:
    """Return the chance that a positive text scores higher than a negative one, ties counting half."""
    ranks, count = rankdata(scores), positive.sum()
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (~positive).sum()))
