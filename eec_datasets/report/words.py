"""The files of words, one per language."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eec_datasets.errors import InputError

FOLDER = Path(__file__).with_name("words")
NOTES = Path(__file__).with_name("notes")


def languages() -> list[str]:
    """Return the languages in which a page can be written."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@functools.cache
def notes_in(language: str) -> Mapping[str, str]:
    """Return the sentences of notes in a language by their keys; none in English, which notes speak by themselves."""
    path = NOTES / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@functools.cache
def words_of(language: str) -> Mapping[str, Any]:
    """Return the words of a language.

    Raises
    ------
    InputError
        If the language has no file of words.
    """
    path = FOLDER / f"{language}.toml"
    if language not in languages():
        raise InputError(
            f"no words for reports in {language!r}: expected one of {', '.join(languages())}. "
            f"To add a language, translate {FOLDER.name}/en.toml."
        )
    words: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return words
