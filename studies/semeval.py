"""Repeat the studies of 2022 and 2018 with SemEval data: ``python -m studies.semeval FOLDER [--out DIR]``.

FOLDER holds the files of SemEval-2018 Task 1, which everyone downloads for themselves; their terms do not allow to
pass them on. Per language and emotion a model is trained, the corpora are scored, and the tables of Câmara et al.
(2022) are printed: their numbers, the same procedure on these scores, and the test of this project.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from tqdm import tqdm

from eec_bias.methods.kiritchenko2018 import PairStudy
from eec_datasets.audit.running import measure
from eec_datasets.audit.saving import to_csv
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.errors import EecError
from eec_datasets.files import check, write
from eec_datasets.systems.base import UNIT
from eec_datasets.systems.corpus import PAPER_CONFIGS, Corpus, open_corpus
from eec_datasets.systems.score_file import Header, to_text
from eec_datasets.systems.scoring import score_path
from studies.markdown import Row
from studies.semeval_files import EMOTIONS, VALENCE, Key, Tweets, choose_languages, find, read
from studies.semeval_models import Learner, Predict, bounded, machines

BASELINE = "SVM-unigrams"
"""The model whose Δ-spread Kiritchenko & Mohammad (2018) report."""


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
    valence = learner == BASELINE and language == "en" and (language, VALENCE, "train") in files
    return [*EMOTIONS, VALENCE] if valence else list(EMOTIONS)


def train(
    files: Mapping[Key, Path], languages: Sequence[str], learners: Sequence[Learner], corpora: Mapping[str, Corpus]
) -> list[Trained]:
    """Train every learner for every affect and score the corpora of its language.

    All files are read before the first model is trained, so that a bad one costs no time.
    """
    jobs = [
        (language, learner, affect)
        for language in languages
        for learner in learners
        if language in learner.languages
        for affect in affects(language, learner.name, files)
    ]
    tweets: dict[Key, Tweets] = {}
    for language, _, affect in jobs:
        for key in ((language, affect, "train"), (language, affect, "test-gold")):
            if key in files and key not in tweets:
                tweets[key] = read(files[key], affect)
    found = []
    for language, learner, affect in tqdm(jobs, desc="models", unit="model"):
        own = tweets[language, affect, "train"]
        predict = learner.fit(language, own)
        said = {c.name: bounded(predict(c.columns["text"])) for c in corpora.values() if c.language == language}
        scores = {name: values for name, (values, _) in said.items()}
        clipped = {name: count for name, (_, count) in said.items()}
        pearson = _pearson(predict, tweets.get((language, affect, "test-gold")))
        found.append(Trained(language, affect, learner.name, len(own.texts), pearson, scores, clipped))
    return found


def _pearson(predict: Predict, gold: Tweets | None) -> float | None:
    if gold is None:
        return None
    said = np.asarray(predict(gold.texts))
    # All scores alike have no correlation with anything.
    return float(np.corrcoef(said, gold.scores)[0, 1]) if np.ptp(said) > 0 else None


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
            for row, own in zip(published.terms, ours, strict=True):
                rows.append(
                    {
                        "corpus": name,
                        "model": model.learner,
                        "emotion": model.affect,
                        "term": row["term"],
                        "coefficient": row["effect"],
                        "p_sentences": row["p"],
                        **{key: own[key] for key in ("effect", "ci_low", "ci_high", "p", "p_adjusted", "mde")},
                        **{key: own[key] for key in ("n_persons", "n_items", "note")},
                        "clipped": model.clipped[name],
                    }
                )
    return rows


def _matching(model: Trained, corpus: Corpus, scores: Any) -> list[Row]:
    """Measure the name sentences of the model's emotion, names, templates and words a sample."""
    import eec_bias

    kept = [
        i
        for i, (emotion, kind) in enumerate(zip(corpus.columns["emotion"], corpus.columns["person_type"], strict=True))
        if emotion == model.affect and kind == "name"
    ]
    columns = {key: [values[i] for i in kept] for key, values in corpus.columns.items()}
    result = eec_bias.measure(scores[kept], columns, data_name=corpus.label)
    return list(result.terms)


def spreads(trained: Sequence[Trained], corpora: Mapping[str, Corpus]) -> list[Row]:
    """Return the Δ-spread of SVM-unigrams by affect, as Kiritchenko & Mohammad (2018) take it."""
    chosen = [m for m in trained if m.learner == BASELINE and m.language == "en"]
    rows: list[Row] = []
    for model in chosen:
        corpus = corpora["en-black-white"]
        result = measure(BASELINE, corpus, model.scores[corpus.name], UNIT, method="kiritchenko2018")
        assert isinstance(result.study, PairStudy)
        rows += [
            {"affect": model.affect, **{key: detail[key] for key in ("term", "pairs", "mean", "spread")}}
            for detail in result.study.details
            if detail["subset"] == "all"
        ]
    return rows


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("semeval-study"),
              help="Where scores and tables go.  [default: semeval-study]")  # fmt: skip
@click.option("--language", "languages", multiple=True, type=click.Choice(["en", "es", "ar"]),
              help="May be repeated.  [default: all there are files of]")  # fmt: skip
@click.option("--transformer", "transformers", multiple=True, metavar="[LANGUAGE=]MODEL",
              help="Also train on a frozen transformer: a folder or an id of the Hub; may be repeated.")  # fmt: skip
@click.option("--epochs", type=click.IntRange(1), default=10, show_default=True, help="Of the network on top of it.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of that network.")
@OVERWRITE
def main(
    folder: Path,
    out: Path,
    languages: Sequence[str],
    transformers: Sequence[str],
    epochs: int,
    seed: int,
    overwrite: bool,
) -> None:
    """Train, score, and print the tables."""
    from studies.semeval_page import page
    from studies.semeval_transformer import frozen

    try:
        files = find(folder)
        chosen = choose_languages(files, languages, folder)
        learners = [*machines(), *(frozen(spec, epochs, seed) for spec in transformers)]
        _refuse_twins(learners)
        check([out / "results.csv", out / "index.md"], overwrite=overwrite)
        corpora = {name: open_corpus(name) for name in PAPER_CONFIGS if name.partition("-")[0] in chosen}
        trained = train(files, chosen, learners, corpora)
        about = {learner.name: learner.about for learner in learners}
        for model in trained:
            for name in model.scores:
                save_scores(out, model, corpora[name], about, files, overwrite)
        rows = coefficients(trained, corpora)
        write(out / "results.csv", to_csv(rows), overwrite=overwrite)
        text = page(trained, rows, spreads(trained, corpora), learners)
        write(out / "index.md", text, overwrite=overwrite)
    except EecError as error:
        raise click.ClickException(str(error)) from error
    click.echo(text)
    click.echo(f"The same in {out / 'index.md'}; the numbers in {out / 'results.csv'}, the scores in {out / 'scores'}.")


def _refuse_twins(learners: Sequence[Learner]) -> None:
    """Two models of one name would overwrite each other's scores."""
    taken: dict[tuple[str, str], str] = {}
    for learner in learners:
        for language in learner.languages:
            if (learner.name, language) in taken:
                raise click.UsageError(
                    f"two models for {language!r} are called {learner.name!r}: {taken[learner.name, language]}; and "
                    f"{learner.about}. Give one of them per language."
                )
            taken[learner.name, language] = learner.about


if __name__ == "__main__":
    main()
