"""Text reduced to what a match may rest on: no case, marks, punctuation or alternative letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TypeAlias

from eec_datasets.checks.characters import script_of
from eec_datasets.checks.text import VOWEL_MARKS

LETTERS = str.maketrans({"ة": "ه", "ى": "ي", "ـ": None, "ؤ": "و", "ئ": "ي", "ٱ": "ا"})
"""Arabic letters that careless spelling confuses, and the tatweel."""

PART_OF_A_LETTER = 9
"""Combining class up to which a mark belongs to its letter (the Indic virama and nukta)."""

WITHOUT_SPACES = ("HAN", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts that put no spaces between words: each of their letters counts as one."""

PLACEHOLDER = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}")


Words: TypeAlias = tuple[str, ...]
"""A sentence, or a part of one, as its folded words."""


@lru_cache(maxsize=1 << 16)
def fold(text: str) -> str:
    """Return the text without case, accents, vowel marks and hamza carriers, and with single spaces.

    >>> fold("Sofía  se siente")
    'sofia se siente'
    """
    apart = unicodedata.normalize("NFKD", text.translate(LETTERS))
    bare = "".join(letter for letter in apart if unicodedata.combining(letter) <= PART_OF_A_LETTER)
    return " ".join(bare.casefold().split())


def words(text: str) -> list[str]:
    """Return the words of a text as they stand, without punctuation."""
    return _cut(VOWEL_MARKS.sub("", unicodedata.normalize("NFC", text)))


@lru_cache(maxsize=1 << 16)
def folded_words(text: str) -> Words:
    """Return the words of a text, folded."""
    return tuple(_cut(fold(text)))


def _cut(text: str) -> list[str]:
    return text.translate(_IN_WORDS).split()


class _InWords(dict[int, str]):
    """What stands for a character in a text that is cut into words: itself, with or without spaces, or a space."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        kept = " "
        if letter == "-" or unicodedata.category(letter)[0] in "LMN":
            kept = letter
        if script_of(letter) in WITHOUT_SPACES:
            kept = f" {kept} "
        self[code] = kept
        return kept


_IN_WORDS = _InWords()


ATTACHED = 3
"""Letters of a short word that may be written onto another (بالغضب), and the least that other must have."""


def find(sentence: Words, part: Words) -> int | None:
    """Return where `part` begins in `sentence`, also where a short word is written onto it; None where it does not."""
    start = _exact_place(sentence, part)
    if start is not None or not part or len(part[0]) < ATTACHED:
        return start
    for start in range(len(sentence) - len(part) + 1):
        first = sentence[start]
        onto = first.endswith(part[0]) and len(first) - len(part[0]) <= ATTACHED
        if onto and sentence[start + 1 : start + len(part)] == part[1:]:
            return start
    return None


def holds(sentence: Words, text: str) -> bool:
    """Whether a text stands in a sentence, word by word.

    >>> holds(("my", "aunt", "feels"), "My aunt")
    True
    """
    return _exact_place(sentence, folded_words(text)) is not None


def _exact_place(sentence: Words, part: Words) -> int | None:
    """Return where a part begins in a sentence, word by word; None where it does not stand there, or is empty."""
    if not part:
        return None
    for start in range(len(sentence) - len(part) + 1):
        if sentence[start : start + len(part)] == part:
            return start
    return None
