"""Two English sentiment systems from PyPI that carry their own lexicons: VADER and TextBlob."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import version

from eec_datasets.audit.errors import SystemUnavailable
from eec_datasets.systems.base import Batch, Options, System


def vader(options: Options) -> System:
    """Return VADER's compound score, declared as -1 to 1 (Hutto & Gilbert 2014).

    Raises
    ------
    SystemUnavailable
        The package ``vaderSentiment`` is not installed.
    """
    try:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
    except ImportError as error:
        raise SystemUnavailable(_missing("vader", "vaderSentiment")) from error
    analyzer = SentimentIntensityAnalyzer()

    def score(batch: Batch) -> list[float]:
        return [analyzer.polarity_scores(text)["compound"] for text in batch["text"]]

    return _system("vader", "vaderSentiment", score, options)


def textblob(options: Options, *, discrete: bool = False) -> System:
    """Return TextBlob's polarity from its default pattern lexicon, declared as -1 to 1.

    Parameters
    ----------
    discrete
        Whether only the sign is kept: -1 (negative), 0 (neutral), 1 (positive).

    Raises
    ------
    SystemUnavailable
        The package ``textblob`` is not installed.
    """
    try:
        from textblob import TextBlob
    except ImportError as error:
        raise SystemUnavailable(_missing("textblob", "textblob")) from error

    def score(batch: Batch) -> list[float]:
        found = [TextBlob(text).sentiment.polarity for text in batch["text"]]
        return [float((value > 0) - (value < 0)) for value in found] if discrete else found

    return _system("textblob:discrete" if discrete else "textblob", "textblob", score, options)


def _system(name: str, package: str, score: Callable[[Batch], list[float]], options: Options) -> System:
    return System(
        name=name,
        scorer=score,
        score_range=(-1.0, 1.0),
        fingerprint=f"{package}=={version(package)}",
        languages=("en",),
        batch_size=options.batch_size or 512,
    )


def _missing(name: str, package: str) -> str:
    return f"--system {name}: the package {package} is not installed. Install it with: pip install 'eec-datasets[demo]'"


SYSTEMS: dict[str, Callable[[Options], System]] = {
    "vader": vader,
    "textblob": textblob,
    "textblob:discrete": partial(textblob, discrete=True),
}
"""The systems by name."""
