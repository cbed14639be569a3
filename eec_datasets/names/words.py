"""The words of a language's corpora: what stands in its sentences beside the names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eec_datasets.locale.model import Locale

SLOT = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
WORD = re.compile(r"[^\W\d_]+(?:[\u064B-\u0652\u0670]|[^\W\d_])*")


def words_of_corpus(locale: Locale) -> set[str]:
    """Every word of the templates, emotion words, noun phrases and identity axes, as it is written and without al-."""
    words = {word for text in locale.texts for word in WORD.findall(SLOT.sub(" ", text))}
    return words | {word.removeprefix("ال") for word in words}
