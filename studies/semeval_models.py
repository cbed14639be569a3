"""Train what Câmara et al. (2022) and Kiritchenko & Mohammad (2018) trained on SemEval-2018 Task 1.

The articles state the kind of model and the features, and no hyperparameters. Chosen here: support vector regression
as in LIBLINEAR (L2 loss, C = 1, ε = .1; the form of the task organisers' public baselines), unigrams as present or
not, tf-idf of words and pairs of words that occur twice, as in the script released with the article of 2022 (which, in
the version looked at, fits least squares and no support vector machine). Scores below 0 and above 1 become 0 and 1.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_datasets.errors import EecError
from studies.semeval_files import Tweets

Predict = Callable[[Sequence[str]], Any]
"""From texts to one raw score each."""


class StudyUnavailable(EecError):
    """A package of the study is not installed, or a model cannot be loaded."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A way to learn.

    Attributes
    ----------
    name
        As in the tables.
    about
        All that its scores depend on, besides the data.
    fit
        From the language and its tweets to what predicts.
    languages
        Those it is for.
    """

    name: str
    about: str
    fit: Callable[[str, Tweets], Predict]
    languages: tuple[str, ...] = ("en", "es", "ar")


def clean(text: str) -> str:
    """Return a tweet without @names, with plain characters for HTML's, and single spaces.

    Much as in the script released with the article of 2022.
    """
    return " ".join(re.sub(r"@\w+", " ", html.unescape(text)).split())


def machines() -> list[Learner]:
    """Return the two support vector machines.

    Raises
    ------
    StudyUnavailable
        scikit-learn is not installed.
    """
    try:
        from sklearn import __version__  # type: ignore[import-untyped]
        from sklearn.feature_extraction.text import (  # type: ignore[import-untyped]
            CountVectorizer,
            TfidfVectorizer,
        )
    except ImportError as error:
        raise StudyUnavailable(
            "scikit-learn, which trains the machines, is not installed: pip install 'eec-datasets[study]'"
        ) from error
    made = f"scikit-learn=={__version__} LinearSVR C=1 epsilon=.1 L2 loss"

    def unigrams(_: str, tweets: Tweets) -> Predict:
        return _machine(CountVectorizer(binary=True), tweets)

    def tfidf(_: str, tweets: Tweets) -> Predict:
        return _machine(TfidfVectorizer(ngram_range=(1, 2), min_df=2, max_features=200_000), tweets)

    return [
        Learner("SVM-unigrams", f"{made}; unigrams, present or not", unigrams),
        Learner("SVM-tfidf", f"{made}; tf-idf of 1- and 2-grams, min_df 2", tfidf),
    ]


def _machine(vectorizer: Any, tweets: Tweets) -> Predict:
    from sklearn.svm import LinearSVR  # type: ignore[import-untyped]

    try:
        features = vectorizer.fit_transform([clean(text) for text in tweets.texts])
    except ValueError as error:
        raise StudyUnavailable(f"{len(tweets.texts)} tweets hold no words to learn from: {error}") from error
    # The primal problem has one solution, found without random numbers.
    machine = LinearSVR(C=1.0, epsilon=0.1, loss="squared_epsilon_insensitive", dual=False, max_iter=10_000)
    machine.fit(features, np.array(tweets.scores))
    return lambda texts: machine.predict(vectorizer.transform([clean(text) for text in texts]))


def bounded(raw: Any) -> tuple[Any, int]:
    """Return scores within 0 and 1, and how many were not."""
    values = np.asarray(raw, dtype=float)
    if not np.isfinite(values).all():
        raise StudyUnavailable(
            f"{int((~np.isfinite(values)).sum())} of {values.size} scores are not finite; the training diverged. Try "
            "fewer --epochs."
        )
    return np.clip(values, 0.0, 1.0), int(((values < 0) | (values > 1)).sum())
