"""Two English sentiment systems from PyPI that carry their own lexicons: VADER and TextBlob."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

from eec_datasets.packaged import DEMO, needed
from eec_datasets.systems.accuracy import accuracy_of
from eec_datasets.systems.base import Batch, System, SystemOptions


def vader(options: SystemOptions) -> System:
    """Return VADER's compound score, declared as -1 to 1 (Hutto & Gilbert 2014)."""
    analyzer = _library("vader", "vaderSentiment.vaderSentiment").SentimentIntensityAnalyzer()
    return _system("vader", "vaderSentiment", lambda text: analyzer.polarity_scores(text)["compound"], options)


def textblob(options: SystemOptions, *, discrete: bool = False) -> System:
    """Return TextBlob's polarity from its pattern lexicon, declared as -1 to 1, or its sign only: -1, 0, 1."""
    blob = _library("textblob", "textblob").TextBlob

    def score(text: str) -> float:
        value: float = blob(text).sentiment.polarity
        return float((value > 0) - (value < 0)) if discrete else value

    return _system("textblob:discrete" if discrete else "textblob", "textblob", score, options)


SYSTEMS: dict[str, Callable[[SystemOptions], System]] = {
    "vader": vader,
    "textblob": textblob,
    "textblob:discrete": partial(textblob, discrete=True),
}
"""The systems by name."""


def _library(name: str, module: str) -> Any:
    package = module.partition(".")[0]
    return needed(module, f"system {name}: the package {package} is not installed. Install it with: pip install {DEMO}")


def _system(name: str, package: str, score: Callable[[str], float], options: SystemOptions) -> System:
    def scorer(batch: Batch) -> list[float | None]:
        return [score(text) for text in batch["text"]]

    made_by = f"{package}=={version(package)}"
    return System(
        name,
        scorer,
        (-1.0, 1.0),
        made_by,
        languages=("en",),
        batch_size=options.batch_size or 512,
        high_means="positive",
        accuracy=accuracy_of(name),
    )
