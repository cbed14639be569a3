"""Two English sentiment systems from PyPI that carry their own lexicons: VADER and TextBlob."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from eec_datasets.errors import Unavailable
from eec_datasets.packaged import DEMO, needed
from eec_datasets.systems.accuracy import accuracy_of
from eec_datasets.systems.base import Batch, System, SystemOptions

Score = Callable[[str], float]


def vader(options: SystemOptions) -> System:
    """Return VADER's compound score, declared as -1 to 1 (Hutto & Gilbert 2014)."""

    def score_with(library: Any) -> Score:
        analyzer = library.SentimentIntensityAnalyzer()
        return lambda text: float(analyzer.polarity_scores(text)["compound"])

    return _system("vader", "vaderSentiment.vaderSentiment", score_with, options)


def textblob(options: SystemOptions, *, discrete: bool = False) -> System:
    """Return TextBlob's polarity from its pattern lexicon, declared as -1 to 1, or its sign only: -1, 0, 1."""

    def score_with(library: Any) -> Score:
        def score(text: str) -> float:
            value = float(library.TextBlob(text).sentiment.polarity)
            return float((value > 0) - (value < 0)) if discrete else value

        return score

    return _system("textblob:discrete" if discrete else "textblob", "textblob", score_with, options)


SYSTEMS: dict[str, Callable[[SystemOptions], System]] = {
    "vader": vader,
    "textblob": textblob,
    "textblob:discrete": partial(textblob, discrete=True),
}
"""The systems by name."""


def _system(name: str, module: str, score_with: Callable[[Any], Score], options: SystemOptions) -> System:
    """Return a system that imports its library when it scores: this takes a second, and stored answers need none.

    Raises
    ------
    Unavailable
        The package is not installed.
    """
    package = module.partition(".")[0]
    missing = f"system {name}: the package {package} is not installed. Install it with: pip install {DEMO}"
    if find_spec(package) is None:
        raise Unavailable(missing)
    loaded = cache(lambda: score_with(needed(module, missing)))

    def scorer(batch: Batch) -> list[float | None]:
        return [loaded()(text) for text in batch["text"]]

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
