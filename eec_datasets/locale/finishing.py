"""The last steps of a sentence: joins (a el → al), sentence case, the final mark."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.locale.model import Finish


OPENING = "¿¡«“„‘\"'(["
"""Marks that may stand before the first letter of a sentence."""


def finished(texts: Sequence[str], finish: Finish, final: str | None = None) -> list[str]:
    """Each text with joins, then sentence case, then the final mark, that of the language unless another is given."""
    for before, after in finish.joins.items():
        if _may_join("\n".join(texts), before):
            texts = [_join(text, before, after) for text in texts]
    mark = finish.final if final is None else final
    return [text + mark for text in in_sentence_case(texts, finish)]


def in_sentence_case(texts: Sequence[str], finish: Finish) -> Sequence[str]:
    """The texts in sentence case."""
    if all(first not in OPENING and with_capital(first, finish) == first for first in {text[:1] for text in texts}):
        return texts
    return [with_capital(text, finish) for text in texts]


def with_capital(text: str, finish: Finish) -> str:
    """The text in sentence case."""
    if finish.sentence_case == "none":
        return text
    start = len(text) - len(text.lstrip(OPENING))
    first = text[start : start + 1]
    return text[:start] + finish.capitals.get(first, first.upper()) + text[start + 1 :]


def joined(text: str, finish: Finish) -> str:
    """The text with the words that are written as one joined (a el → al)."""
    for before, after in finish.joins.items():
        text = _join(text, before, after)
    return text


def _join(text: str, before: str, after: str) -> str:
    if not _may_join(text, before):
        return text
    return _join_pattern(before).sub(
        lambda match: after[0].upper() + after[1:] if match[0][0].isupper() else after, text
    )


def _may_join(text: str, before: str) -> bool:
    """Return whether the words stand in a text, be they whole words or parts of others."""
    return before in text or before[0].upper() + before[1:] in text


@lru_cache(maxsize=64)
def _join_pattern(before: str) -> re.Pattern[str]:
    first, rest = before[0], before[1:]
    return re.compile(rf"(?<!\w)[{re.escape(first)}{re.escape(first.upper())}]{re.escape(rest)}(?!\w)")
