"""An optional tagger: a spaCy model that says what a word is where the rules cannot read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from collections.abc import Callable

NOT_NEEDED: Final = ("parser", "ner", "lemmatizer", "senter")
"""Parts of a model that take time and say nothing of tags."""

INSTALL: Final = 'pip install "eec-datasets[nlp]"'


class TaggerError(EecError):
    """The tagger cannot be used; the message says how to install it."""


@dataclass(frozen=True)
class Tagger:
    """A model by its name and version, and what finds the tags of the text between two places."""

    name: str
    tags: Callable[[str, int, int], set[str]]


def load_tagger(model: str, language: str) -> Tagger:
    """Load a spaCy model.

    Parameters
    ----------
    model
        Name of an installed model, or its folder.
    language
        Tag of the texts' language.

    Raises
    ------
    TaggerError
        spaCy or the model is not installed, the model is of another language or has no tagger.
    """
    rules_alone = "Leave the tagger out to use the rules alone"
    try:
        import spacy
    except ImportError:
        raise TaggerError(f"The tagger '{model}' needs spaCy: {INSTALL}. {rules_alone}") from None
    try:
        nlp = spacy.load(model, exclude=list(NOT_NEEDED))
    except (OSError, ValueError) as error:
        raise TaggerError(
            f"The tagger '{model}' cannot be loaded: {str(error).splitlines()[0]} Install a model, such as: python -m "
            f"spacy download {language}_core_web_sm; or name the folder of one. {rules_alone}"
        ) from error
    if nlp.lang != language:
        raise TaggerError(f"The model '{model}' is for the language '{nlp.lang}', the texts are in '{language}'")
    read = lru_cache(maxsize=1)(nlp)

    def tags(text: str, start: int, end: int) -> set[str]:
        """The tags of all words that share a character with the text between two places."""
        return {word.tag_ for word in read(text) if word.idx < end and start < word.idx + len(word) and word.tag_}

    if not tags("a", 0, 1):
        components = ", ".join(nlp.pipe_names) or "nothing"
        raise TaggerError(f"The model '{model}' gives no tags; it has: {components}. Choose one with a tagger")
    return Tagger(f"{nlp.meta['lang']}_{nlp.meta['name']} {nlp.meta['version']}", tags)
