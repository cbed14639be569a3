"""An optional tagger: a spaCy model that says what a word is where the rules cannot read it, and what a name names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from eec_datasets.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from spacy.tokens import Doc
    from spacy.tokens import Token as TaggedWord

NOT_NEEDED: Final = ("parser", "lemmatizer", "senter")
"""Parts of a model that take time and say nothing of tags and names."""

ENTITIES: Final = "ner"
"""The part of a model that finds names; it is asked of a text only where a name stands in it."""

SMALL_MODELS: Final = {"en": "en_core_web_sm", "zh": "zh_core_web_sm"}
"""The small models of spaCy that are not called ``TAG_core_news_sm``."""

INSTALL: Final = 'pip install "eec-datasets[nlp]"'


@dataclass(frozen=True)
class Tagger:
    """A model that tags the text between two places.

    Attributes
    ----------
    name
        Name and version of the model.
    tags
        The tags of the words there.
    entities
        The kinds of names there (``ORG``, ``PERSON``); empty where it is in none, or the model knows no names.
    """

    name: str
    tags: Callable[[str, int, int], set[str]]
    entities: Callable[[str, int, int], set[str]] = lambda _text, _start, _end: set()


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
    Unavailable
        spaCy or the model is not installed, the model is of another language or has no tagger.
    """
    rules_alone = "Without a tagger, the rules work alone"
    try:
        import spacy
    except ImportError:
        raise Unavailable(f"The tagger '{model}' needs spaCy: {INSTALL}. {rules_alone}") from None
    try:
        nlp = spacy.load(model, exclude=list(NOT_NEEDED))
    except (OSError, ValueError) as error:
        raise Unavailable(
            f"The tagger '{model}' cannot be loaded: {str(error).splitlines()[0]} Install a model, such as: python -m "
            f"spacy download {SMALL_MODELS.get(language, f'{language}_core_news_sm')}; or name the folder of one. "
            f"{rules_alone}"
        ) from error
    if nlp.lang != language:
        raise Unavailable(f"The model '{model}' is for the language '{nlp.lang}', the texts are in '{language}'")
    names = nlp.get_pipe(ENTITIES) if ENTITIES in nlp.pipe_names else None

    def failed(text: str, error: Exception) -> Unavailable:
        return Unavailable(
            f"The model '{model}' failed on {text[:40]!r} ({type(error).__name__}: {error}). Choose another. "
            f"{rules_alone}"
        )

    @lru_cache(maxsize=1)
    def read(text: str) -> Doc:
        try:
            with nlp.select_pipes(disable=[ENTITIES] if names else []):
                document = nlp(text)
        except Exception as error:  # a model may hold anyone's code, and says by any error that it cannot read a text
            raise failed(text, error) from error
        if document.text != text:
            raise Unavailable(
                f"The model '{model}' changed a text: it read {document.text[:40]!r} for {text[:40]!r}. Choose one "
                "that only tags"
            )
        return document

    @lru_cache(maxsize=1)
    def read_names(text: str) -> Doc:
        document = read(text)
        try:
            return names(document) if names else document
        except Exception as error:  # as above
            raise failed(text, error) from error

    def words(text: str, start: int, end: int) -> list[TaggedWord]:
        """All words that share a character with the text between two places."""
        return [word for word in read(text) if word.idx < end and start < word.idx + len(word)]

    def tags(text: str, start: int, end: int) -> set[str]:
        return {word.tag_ for word in words(text, start, end) if word.tag_}

    def entities(text: str, start: int, end: int) -> set[str]:
        """The kinds of all names that share a character with the text between two places."""
        found = read_names(text).ents
        return {name.label_ for name in found if name.start_char < end and start < name.end_char}

    if not tags("a", 0, 1):
        components = ", ".join(nlp.pipe_names) or "nothing"
        raise Unavailable(f"The model '{model}' gives no tags; it has: {components}. Choose one with a tagger")
    return Tagger(f"{nlp.meta['lang']}_{nlp.meta['name']} {nlp.meta['version']}", tags, entities)
