"""The words of a language's corpora: what stands in its sentences beside the names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.locale.model import Locale

SLOT = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
WORD = re.compile(r"[^\W\d_]+(?:[\u064B-\u0652\u0670]|[^\W\d_])*")


def words_of_corpus(locale: Locale) -> set[str]:
    """Every word of the templates, emotion words, noun phrases and identity axes, as it is written and without al-."""
    words = {word for text in _texts(locale) for word in WORD.findall(SLOT.sub(" ", text))}
    return words | {word.removeprefix("ال") for word in words}


def _texts(locale: Locale) -> Iterator[str]:
    for template in locale.templates:
        yield from template.texts
        yield from (form.text for word in template.words.values() for form in word.forms)
    yield from (form.text for word in locale.words for form in word.forms)
    yield from (noun.form for noun in locale.nouns.values())
    yield from (form for person in locale.persons if person.type != "name" for form in person.roles.values())
    yield from (form.text for levels in locale.levels.values() for word in levels.values() for form in word.forms)
