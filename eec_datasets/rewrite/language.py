"""Whether texts are in the language they are said to be in: by the script, and by common words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from eec_datasets.errors import EecError, LocaleError
from eec_datasets.rewrite.load import load_anchors, tags_with_anchors

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.rewrite.anchors import Anchors

WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
LOOKED_AT: Final = 2000
"""Texts that are looked at, from the first on."""

CHARACTERS: Final = 2000
"""Of a text."""

ENOUGH: Final = 30
"""Words without which nothing is said."""

LOW: Final = 0.2
"""Share of common words below which other languages are considered: running text has 0.3 to 0.6."""


class LanguageError(EecError):
    """The texts are in another language than said."""


class LanguageCheck:
    """Counts the common words of every language that has anchors."""

    def __init__(self, anchors: Anchors, root: Path) -> None:
        self.tag, self.fold, self.common = anchors.tag, anchors.lexicon.fold, anchors.language_words
        self.root = root
        self.script = script(" ".join(sorted(anchors.language_words)))
        self.texts = self.count = self.own = 0
        self.scripts: Counter[str] = Counter()
        self.words: Counter[str] = Counter()

    def look(self, text: str) -> None:
        """Look at one more text."""
        if self.texts >= LOOKED_AT:
            return
        self.texts += 1
        for word in WORD.findall(text[:CHARACTERS]):
            self.count += 1
            self.own += self.fold(word) in self.common
            self.words[word.lower()] += 1
            self.scripts[script(word[:1])] += 1
        if self.texts == LOOKED_AT:
            self.end()

    def end(self) -> None:
        """Say whether it is another language.

        Raises
        ------
        LanguageError
            The script is another, or common words of another language are more frequent.
        """
        if self.count < ENOUGH:
            return
        seen, most = self.scripts.most_common(1)[0]
        if seen != self.script and most > self.count / 2:
            raise LanguageError(
                f"The texts are not in the language '{self.tag}': {most / self.count:.0%} of their words are in "
                f"{seen.capitalize()} script, where {self.script.capitalize()} was expected. Name the "
                "language they are in"
            )
        own = self.own / self.count
        if own >= LOW:
            return
        shares = {tag: self._share(tag) for tag in tags_with_anchors(self.root) if tag != self.tag}
        best = max(shares, key=lambda tag: shares[tag], default="")
        if best and shares[best] > max(2 * own, LOW):
            raise LanguageError(
                f"The texts do not seem to be in the language '{self.tag}': {own:.0%} of their words are common words "
                f"of it, {shares[best]:.0%} are common words of '{best}'. Say --locale {best}, or leave those texts out"
            )

    def _share(self, tag: str) -> float:
        try:
            other = load_anchors(tag, self.root)
        except LocaleError:
            return 0.0
        known = sum(n for word, n in self.words.items() if other.lexicon.fold(word) in other.language_words)
        return known / self.count


@lru_cache(maxsize=4096)
def _script_of(sign: str) -> str:
    return unicodedata.name(sign, "?").split()[0]


def script(text: str) -> str:
    """The script of most letters of a text, as Unicode names it (``LATIN``); empty without letters."""
    found = Counter(_script_of(sign) for sign in text if sign.isalpha())
    return found.most_common(1)[0][0] if found else ""
