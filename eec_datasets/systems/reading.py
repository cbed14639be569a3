"""Scores from what a model said: a number among words, or the probabilities of labels."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import Answer, Range
from eec_datasets.systems.prompts import Prompt

PERCENT: Final = r"\s*(?:[%٪‰؉]|(?i:per\s?cent|por\s?cien)|بالم|في الم)"
NUMBER: Final = re.compile(rf"(?<![\w.,])[-+]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?!\w|[.,]\d|{PERCENT})")
DIGITS: Final = re.compile(r"\d+")
MINUS: Final = re.compile(r"[\u2010-\u2013\u2212]|\bminus\s+(?=[\d.,])", re.IGNORECASE)
"""What stands for a minus: the sign itself, hyphens (some models write one that does not break), short dashes."""

RAISED: Final = re.compile("[\u00b2\u00b3\u00b9\u2070-\u209f]")
"""Digits of powers and footnotes; a number before one is unclear."""

THOUGHT: Final = re.compile(r"\A.*</think>|<think>.*", re.DOTALL)
"""What a model thinks before it answers; all that it said where it came to no answer."""

CUT: Final = "…"
"""Stands behind an answer that was cut off where the tokens allowed to it ended."""

LAST_NUMBER: Final = re.compile(r"[-+\d.,\u066b]+\Z")

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
    """Return the one number of an answer; ``None`` where there is none, several, or one outside the limits.

    Digits may be those of any script, the decimal sign a point or a comma; what a model thought first is left out, and
    ``4/5`` on a scale to 5 is 4. Number words are not read, nor percentages, nor digits at which an answer was cut off.
    A comma before three digits is no decimal sign where the number could be a thousand.
    """
    whole = THOUGHT.sub("", answer)
    if whole.endswith(CUT):
        whole = whole.removesuffix(CUT).lstrip()
        last = LAST_NUMBER.search(whole)
        # Digits that are all of an answer may be all that was allowed.
        if last and (last.start() or whole[-1] in ".,\u066b"):
            whole = whole[: last.start()]
    plain = unicodedata.normalize("NFKC", RAISED.sub("_", whole))
    text = MINUS.sub("-", plain).replace("\u066b", ".")
    low, high = limits
    text = re.sub(rf"\s*/\s*{high:g}(?:\.0+)?(?![\w.,]*\d)", " ", text)
    numbers = {
        float(each.replace(",", "."))
        for each in NUMBER.findall(text)
        if high < 1000 or not re.fullmatch(r"[-+]?[1-9]\d{0,2},\d{3}", each)
    }
    # Digits that are part of no number found, such as 80% or 1.2.3, make the answer unclear.
    if len(numbers) != 1 or DIGITS.search(NUMBER.sub("", text)):
        return None
    (value,) = numbers
    return value if low <= value <= high else None


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
