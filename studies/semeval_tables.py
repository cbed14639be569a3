"""Train the models of the SemEval study, score the corpora with them, and make the rows of its tables."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from eec_bias.methods.kiritchenko2018 import PairStudy
from eec_bias.shared import write
from eec_datasets.audit.running import measure
from eec_datasets.systems.base import UNIT
from eec_datasets.systems.corpus import Corpus
from eec_datasets.systems.score_file import Header, to_text
from eec_datasets.systems.scoring import score_path
from studies.markdown import Row
from studies.semeval_files import EMOTIONS, VALENCE, Key, Tweets, read
from studies.semeval_models import Learner, Predict, bounded

BASELINE = "SVM-unigrams"
"""The model whose Δ-spread Kiritchenko & Mohammad (2018) report."""

OWN_COLUMNS = ("effect", "ci_low", "ci_high", "p", "p_adjusted", "mde", "n_persons", "n_items", "note")
"""Columns of results.csv that come from the test of this project."""

SPREAD_COLUMNS = ("term", "level", "reference", "pairs", "mean", "spread")
"""Columns of results.csv that come from the procedure of 2018."""


@dataclass(frozen=True, slots=True)
class Trained:
    """One model, trained for one affect in one language, and what it says.

    Attributes
    ----------
    language, affect, learner
        What it is.
    tweets
        How many it learned from.
    pearson
        Correlation with the gold scores of the test tweets; None without them.
    scores
        Of each corpus, by config: one score per row, 0 to 1.
    clipped
        By config, how many scores were beyond 0 or 1.
    """

    language: str
    affect: str
    learner: str
    tweets: int
    pearson: float | None
    scores: Mapping[str, Any]
    clipped: Mapping[str, int]


def affects(language: str, learner: str, files: Mapping[Key, Path]) -> list[str]:
    """Return what a learner is trained for: the emotions, and valence where the study of 2018 has it."""
    if learner == BASELINE and language == "en" and (language, VALENCE, "train") in files:
        return [*EMOTIONS, VALENCE]
    return list(EMOTIONS)


def train(
    files: Mapping[Key, Path], languages: Sequence[str], learners: Sequence[Learner], corpora: Mapping[str, Corpus]
) -> list[Trained]:
    """Train every learner for every affect and score the corpora of its language.

    All files are read before the first model is trained, so that a bad one costs no time.
    """
    jobs: list[tuple[str, Learner, str]] = []
    for language in languages:
        for learner in learners:
            if language in learner.languages:
                jobs += [(language, learner, affect) for affect in affects(language, learner.name, files)]
    tweets: dict[Key, Tweets] = {}
    for language, _, affect in jobs:
        for key in ((language, affect, "train"), (language, affect, "test-gold")):
            if key in files and key not in tweets:
                tweets[key] = read(files[key], affect)
    found = []
    for language, learner, affect in tqdm(jobs, desc="models", unit="model"):
        own = tweets[language, affect, "train"]
        predict = learner.fit(language, own)
        scores: dict[str, Any] = {}
        clipped: dict[str, int] = {}
        for corpus in corpora.values():
            if corpus.language == language:
                scores[corpus.name], clipped[corpus.name] = bounded(predict(corpus.columns["text"]))
        pearson = _pearson(predict, tweets.get((language, affect, "test-gold")))
        found.append(Trained(language, affect, learner.name, len(own.texts), pearson, scores, clipped))
    return found


def _pearson(predict: Predict, gold: Tweets | None) -> float | None:
    """Return the correlation with the gold scores; None without them, or where all scores are alike."""
    if gold is None:
        return None
    said = np.asarray(predict(gold.texts))
    if np.ptp(said) == 0:
        return None
    return float(np.corrcoef(said, gold.scores)[0, 1])


def save_scores(
    out: Path, trained: Trained, corpus: Corpus, about: Mapping[str, str], files: Mapping[Key, Path], overwrite: bool
) -> None:
    """Write the scores of one model on one corpus, as ``eec measure`` reads them."""
    source = files[trained.language, trained.affect, "train"]
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    system = f"{trained.learner}-{trained.affect}"
    header = Header(system, f"{about[trained.learner]}; {source.name} sha256:{digest}", corpus.name, corpus.data, *UNIT)
    path = score_path(out, system, corpus.name)
    write(path, to_text(header, corpus.ids, {"score": trained.scores[corpus.name]}), overwrite=overwrite)


def coefficients(trained: Sequence[Trained], corpora: Mapping[str, Corpus]) -> list[Row]:
    """Return one row per corpus, model, emotion and term: the procedure of 2022 and the test of this project."""
    rows: list[Row] = []
    for model in tqdm([m for m in trained if m.affect != VALENCE], desc="tables", unit="model"):
        for name, scores in model.scores.items():
            corpus = corpora[name]
            published = measure(model.learner, corpus, scores, UNIT, method="camara2022", tasks=model.affect)
            ours = _matching(model, corpus, scores)
            for row in published.to_dict()["terms"]:
                own = ours[row["term"]]
                found = {
                    "corpus": name,
                    "model": model.learner,
                    "emotion": model.affect,
                    "term": row["term"],
                    "coefficient": row["effect"],
                    "p_sentences": row["p"],
                }
                found |= {key: own[key] for key in OWN_COLUMNS}
                found["clipped"] = model.clipped[name]
                rows.append(found)
    return rows


def _matching(model: Trained, corpus: Corpus, scores: Any) -> dict[str, Row]:
    """Measure the name sentences of the model's emotion, names, templates and words a sample; return rows by term."""
    import eec_bias

    labels = zip(corpus.columns["emotion"], corpus.columns["person_type"], strict=True)
    kept = [row for row, label in enumerate(labels) if label == (model.affect, "name")]
    columns = {key: [values[row] for row in kept] for key, values in corpus.columns.items()}
    result = eec_bias.measure(scores[kept], columns)
    return {row["term"]: row for row in result.to_dict()["terms"]}


def spreads(trained: Sequence[Trained], corpora: Mapping[str, Corpus]) -> list[Row]:
    """Return the Δ-spread of SVM-unigrams by affect, as Kiritchenko & Mohammad (2018) take it.

    Of gender ``phrases`` is the mean Δ of noun phrases and pronouns, without names, of which the article speaks.
    """
    rows: list[Row] = []
    for model in trained:
        if (model.learner, model.language) != (BASELINE, "en"):
            continue
        corpus = corpora["en-black-white"]
        result = measure(BASELINE, corpus, model.scores[corpus.name], UNIT, method="kiritchenko2018")
        assert isinstance(result.study, PairStudy)
        for detail in result.study.details:
            if detail["subset"] == "all":
                row = {"affect": model.affect} | {key: detail[key] for key in SPREAD_COLUMNS}
                if row["term"] == "gender":
                    row["phrases"] = _mean_of_phrases(corpus, model.scores[corpus.name], row)
                rows.append(row)
    return rows


def _mean_of_phrases(corpus: Corpus, scores: Any, row: Row) -> float:
    """Return the mean difference between the genders without names; every pair counts once."""
    of_names = np.array(corpus.columns["person_type"]) == "name"
    gender = np.array(corpus.columns["gender"])
    means = [np.mean(np.asarray(scores)[~of_names & (gender == row[key])]) for key in ("level", "reference")]
    return float(means[0] - means[1])
