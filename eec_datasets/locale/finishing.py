"""The last steps of a sentence: joins (a el → al), sentence case, the final mark."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.locale.model import Finish, Join


def finished(texts: Sequence[str], finish: Finish) -> list[str]:
    """Each text with joins, then sentence case, then the final mark."""
    for join in finish.joins:
        inside = join.before[1:]
        texts = [_join(text, join) if inside in text else text for text in texts]
    firsts = {text[:1] for text in texts}
    if finish.sentence_case == "none":
        capitals = dict(zip(firsts, firsts, strict=True))
    else:
        capitals = {first: finish.capitals.get(first, first.upper()) for first in firsts}
    return [f"{capitals[text[:1]]}{text[1:]}{finish.final}" for text in texts]


def joined(text: str, finish: Finish) -> str:
    """The text with the words that are written as one joined (a el → al)."""
    for join in finish.joins:
        text = _join(text, join)
    return text


def _join(text: str, join: Join) -> str:
    return _join_pattern(join.before).sub(partial(_like, join.after), text)


@lru_cache(maxsize=64)
def _join_pattern(before: str) -> re.Pattern[str]:
    first, rest = before[0], before[1:]
    return re.compile(rf"(?<!\w)[{re.escape(first)}{re.escape(first.upper())}]{re.escape(rest)}(?!\w)")


def _like(after: str, found: re.Match[str]) -> str:
    return after[0].upper() + after[1:] if found[0][0].isupper() else after
