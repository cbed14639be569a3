"""Serve a system by lines of JSON (docs/systems.md). An adapter imports this before it loads a package."""

import json
import os
import re
import sys
from importlib.metadata import version

sys.path.pop(0)  # adapters have the names of packages
SYSTEM, LANGUAGE = sys.argv[1:3]
_out = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # packages print


def serve(package, limits, score, many=False):
    """Say who this is, then score; ``many`` if ``score`` takes a list of texts."""
    _say(protocol="eec-system/1", name=SYSTEM, version=version(package), languages=[LANGUAGE],
         range=limits, high_means="positive")  # fmt: skip
    for line in sys.stdin.buffer:
        request = json.loads(line)
        texts = request["texts"]
        try:
            scores = score(texts) if many else [score(text) for text in texts]
            _say(n=request["n"], scores=[None if each is None else float(each) for each in scores])
        except Exception as error:
            _say(n=request["n"], error=f"{type(error).__name__}: {error}")


LETTER = r"(?:[^\W_]|[\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963])"
"""A letter or digit, or a vowel sign of Hindi, which Python does not count as part of a word."""

WORD = re.compile(rf"{LETTER}+(?:['’-]{LETTER}+)*")


def words(text):
    """Return the words of a text in small letters, without punctuation."""
    return WORD.findall(text.lower())


def mean_of(values):
    """Return a function that gives the mean of the values of the words of a text that have one; 0 without any."""

    def score(text):
        known = [values[word] for word in words(text) if word in values]
        return sum(known) / len(known) if known else 0.0

    return score


def _say(**answer):
    print(json.dumps(answer), file=_out, flush=True)
