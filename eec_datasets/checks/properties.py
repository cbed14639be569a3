"""Properties of spelling that a system may react to, whoever is meant: accents, capitals, marks, length."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ARABIC_OR_HEBREW_MARKS = ("\u0591", "\u05c7"), ("\u064b", "\u065f"), ("\u0670", "\u0670")
HAMZA_OR_MADDA = "آأإؤئءٱ"
HYPHENS = "-‐‑–"
APOSTROPHES = "'’ʼʻ`´"


ORDER = (
    "an accent or a letter beyond a–z",
    "a vowel sign or other diacritic",
    "a hamza or madda",
    "a small first letter",
    "a capital inside a word",
    "a hyphen",
    "an apostrophe",
    "another punctuation mark or a digit",
    "more than one word",
)


@lru_cache(maxsize=65536)
def properties(form: str) -> tuple[str, ...]:
    """The properties of a form that are yes or no, by the name under which reports tell them.

    >>> properties("María José")
    ('an accent or a letter beyond a–z', 'more than one word')
    """
    words = form.split()
    present = {name for letter in set(form) if (name := _of_letter(letter)) is not None}
    if form[:1].islower():
        present.add(ORDER[3])
    if any(word[1:] != word[1:].lower() for word in words):
        present.add(ORDER[4])
    if len(words) > 1:
        present.add(ORDER[8])
    return tuple(name for name in ORDER if name in present)


@lru_cache(maxsize=4096)
def _of_letter(letter: str) -> str | None:
    for letters, name in ((HYPHENS, ORDER[5]), (APOSTROPHES, ORDER[6]), (HAMZA_OR_MADDA, ORDER[2])):
        if letter in letters:
            return name
    if any(first <= letter <= last for first, last in ARABIC_OR_HEBREW_MARKS):
        return ORDER[1]
    if not letter.isascii() and letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN"):
        return ORDER[0]
    if letter.isdigit() or unicodedata.category(letter)[0] in "PS":
        return ORDER[7]
    return None
