"""Scores from what a model said: a number among words, or the probabilities of labels."""

from __future__ import annotations

import json
import math
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import Answer, Range
from eec_datasets.systems.prompts import Prompt

INVISIBLE: Final = re.compile("[\u00ad\u061c\u200b-\u200f\u2060\u2066-\u2069\ufeff]")
"""Marks without width and of direction; one that turns the order of letters makes an answer unreadable."""

FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x066B: ".", 0x2019: "'", 0x2212: "-"}

EMPHASIS: Final = re.compile(r"(?<![^\W_])[*_`$]+|[*_`$]+(?![^\W_])|\\boxed\b")
"""Markdown and TeX around a number; between digits it is something else."""

SEPARATOR: Final = re.compile(r"(?<=[^\W\d_])\s+[\u2013\u2014]\s+")
"""A long dash between spaces, behind a word: "Mood – 0.5"."""

DASH: Final = re.compile("[\u2010-\u2015\u207b\u208b\u2796\ufe58\ufe63]")
"""Characters for a minus, besides the sign itself: some models write a hyphen that does not break."""

NUMBER: Final = re.compile(r"(?<![\w.,+-])[-+]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][-+]?\d+)?(?!\w|[.,]\d)")
THOUSANDS: Final = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}")
"""Numbers whose mark may be that of thousands, where the range goes so far."""

ACCOUNTED: Final = re.compile(r"\(\s*[\d.,]+\s*\)")
"""Accountants write -0.5 as (0.5)."""

WORDS: Final = tomllib.loads(Path(__file__).with_name("harmless.toml").read_text(encoding="utf-8"))


def _one_of(key: str) -> str:
    listed = {word for language in WORDS.values() for word in language[key]}
    return "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))


MINUS: Final = re.compile(rf"(?<!\w)(?:{_one_of('minus')})\s+(?=[\d.,])", re.IGNORECASE)
HARMLESS: Final = re.compile(
    rf"(?<!\w)(?:{_one_of('words')})(?!\w)|(?<=[^\W\d_])!(?=\s|\Z)|[\s.,:;=\"'()\[\]{{}}«»‹›“”„‘،؛。、।]", re.IGNORECASE
)
"""Words and marks that leave a number what it is."""

THOUGHT: Final = re.compile(r"\A.*</think>|<think>.*", re.DOTALL)
"""Thoughts of a model before it answers; the rest of its reply if they do not end."""

CUT: Final = "…"
"""Stands behind an answer that was cut off where the tokens allowed to it ended."""

LAST_NUMBER: Final = re.compile(r"(?<![-+\d.,\u066b])[-+\d.,\u066b]++\Z")

LONGEST: Final = 10_000
"""Letters of an answer, apart from thoughts and spaces, from which on it is no number among a few words."""

LEAST_BEGINNING: Final = 0.02
"""Probability from which the beginning of a label is taken as that."""

LEAST_MASS: Final = 0.1
"""Probability that must lie on the labels; below it the model said something else."""


def reader(prompt: Prompt, score_range: Range, *, whole: bool = False) -> Callable[[Answer], Answer]:
    """Return what reads the score of one prompt from an answer.

    Parameters
    ----------
    prompt, score_range
        What was asked; the range of the scores.
    whole
        Whether the probabilities are those of whole labels, and not of likely first tokens; they must hold as much.
    """

    def numbered(answer: Answer) -> Answer:
        value = number(answer.said, prompt.limits)
        if value is None:
            return answer._replace(score=None, state="unreadable")
        (low, high), (lowest, highest) = prompt.limits, score_range
        return answer._replace(score=lowest + (highest - lowest) * (value - low) / (high - low))

    def labelled(answer: Answer) -> Answer:
        top: list[tuple[str, float]] = [(str(token), float(logprob)) for token, logprob in json.loads(answer.said)]
        if not whole and (split := _split(top, prompt.labels)):
            label, token = split
            raise SystemFailed(
                f"prompt {prompt.name!r}: the label {label!r} is several tokens for this model (the first is "
                f"{token!r}), and only a first token has a probability. Choose labels of one token, such as letters or "
                "digits, and say in the prompt what they mean."
            )
        score, mass = expectation(top, prompt.labels)
        if math.isnan(score) or mass < LEAST_MASS:
            return answer._replace(score=None, state="unreadable", mass=mass)
        return answer._replace(score=score, mass=mass)

    return labelled if prompt.labels else numbered


def number(answer: str, limits: Range) -> float | None:
    """Return the one number of an answer if all else in it is known to be harmless, and it lies within the limits.

    Digits may be of any script, the decimal sign a point or a comma. Words and marks are known for eleven languages
    (``harmless.toml``); "minus" makes a number negative, and ``4/5`` on a scale from 1 to 5 is 4. All else makes an
    answer unreadable: a negation, a comparison, a percentage, a unit, a second number, a mark of markup. Thoughts
    before an answer are left out, as are digits at which it was cut off.
    """
    text = " ".join(_uncut(THOUGHT.sub("", answer), limits).split())
    return None if len(text) > LONGEST else _lone_number(text, limits)


@lru_cache(4096)
def _lone_number(answer: str, limits: Range) -> float | None:
    """Return the number of an answer without thoughts; models repeat a few answers many times."""
    text, (low, high) = _plain(answer), limits
    if low >= 0:
        text = re.sub(rf"(?<=\d)\s*(?:/|out of)\s*{high:g}(?:[.,]0+)?(?![\w/]|[.,]\d)", " ", text)
    elif ACCOUNTED.search(text):
        return None
    found = NUMBER.findall(text)
    if not found or HARMLESS.sub("", NUMBER.sub(" ", text)):
        return None
    if high >= 1000 and any(map(THOUSANDS.fullmatch, found)):
        return None
    values = {float(each.replace(",", ".")) for each in found}
    value = values.pop()
    return value if not values and low <= value <= high else None


def _plain(answer: str) -> str:
    """Return an answer with plain digits, points and minus signs, without emphasis and marks that are not seen."""
    text = INVISIBLE.sub("", unicodedata.normalize("NFC", answer)).translate(FULL_WIDTH)
    text = SEPARATOR.sub(": ", EMPHASIS.sub("", text))
    return MINUS.sub("-", DASH.sub("-", text))


def _uncut(answer: str, limits: Range) -> str:
    """Return an answer without the mark of a cut, and without the digits before it, to which more might belong."""
    if not answer.endswith(CUT):
        return answer
    whole = answer.removesuffix(CUT).lstrip()
    last = LAST_NUMBER.search(whole)
    # One digit may be all that was allowed; on a scale to 1 it is the beginning of a fraction.
    if last and (last.start() or whole[-1] in ".,\u066b" or limits[1] <= 1):
        return whole[: last.start()]
    return whole


def _split(top: Sequence[tuple[str, float]], labels: Mapping[str, float]) -> tuple[str, str] | None:
    """Return a label of which only a beginning is among the likely tokens, and this beginning."""
    tokens = {token.strip().casefold(): token for token, logprob in top if math.exp(logprob) >= LEAST_BEGINNING}
    seen = {token.strip().casefold() for token, _ in top}
    for label in labels:
        whole = label.strip().casefold()
        for beginning, token in tokens.items():
            if beginning and beginning != whole and whole.startswith(beginning) and whole not in seen:
                return label, token
    return None


def expectation(top: Sequence[tuple[str, float]], labels: Mapping[str, float]) -> tuple[float, float]:
    """Return the mean value of the labels under their probabilities, and the share of all probability they have.

    Parameters
    ----------
    top
        The likeliest first tokens, or the labels, with the natural logarithms of their probabilities. Spaces around a
        token and its case make no difference; probabilities of tokens that stand for one label add up.
    labels
        Values by label.
    """
    values = {label.strip().casefold(): value for label, value in labels.items()}
    labelled = [(logprob, values[label]) for token, logprob in top if (label := token.strip().casefold()) in values]
    if not labelled or max(labelled)[0] == -math.inf:
        return math.nan, 0.0
    # Probabilities of long labels are smaller than any float; their ratios are not.
    best = max(logprob for logprob, _ in labelled)
    shares = [(math.exp(logprob - best), value) for logprob, value in labelled]
    total = math.fsum(share for share, _ in shares)
    mean = math.fsum(share * value for share, value in shares) / total
    return mean, min(total * math.exp(min(best, 0.0)), 1.0)
