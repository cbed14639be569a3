"""The last steps of a sentence: joins (a el → al), sentence case, the final mark."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eec_datasets.locale.model import Finish


def finished(text: str, finish: Finish) -> str:
    """Joins, then sentence case, then the final mark."""
    text = joined(text, finish)
    if finish.sentence_case != "none" and text:
        text = finish.capitals.get(text[0], text[0].upper()) + text[1:]
    return text + finish.final


def joined(text: str, finish: Finish) -> str:
    """The text with the words that are written as one joined (a el → al)."""
    for join in finish.joins:
        if join.before[1:] in text:
            text = _join_pattern(join.before).sub(partial(_like, join.after), text)
    return text


@lru_cache(maxsize=64)
def _join_pattern(before: str) -> re.Pattern[str]:
    first, rest = before[0], before[1:]
    return re.compile(rf"(?<!\w)[{re.escape(first)}{re.escape(first.upper())}]{re.escape(rest)}(?!\w)")


def _like(after: str, found: re.Match[str]) -> str:
    return after[0].upper() + after[1:] if found[0][0].isupper() else after
