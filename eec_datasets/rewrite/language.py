"""Check that texts are in the language they are said to be in: by the script, and by common words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from eec_datasets.checks.characters import main_script, script_of
from eec_datasets.errors import FileProblems, InputError
from eec_datasets.rewrite.lexicon import fold
from eec_datasets.rewrite.load import load_anchors, tags_with_anchors

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.rewrite.anchors import Anchors

WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
TEXTS_CHECKED: Final = 2000
"""Texts that are looked at, from the first on."""

CHARACTERS: Final = 2000
"""Of a text."""

LEAST_WORDS: Final = 30
"""Words without which nothing is said."""

LOW_SHARE: Final = 0.2
"""Share of common words below which other languages are considered: running text has 0.3 to 0.6."""


class LanguageCheck:
    """Counts words, and compares them with the common words of every language that has anchors."""

    def __init__(self, anchors: Anchors, root: Path) -> None:
        self.anchors, self.root = anchors, root
        self.texts = 0
        self.words: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Look at one more text."""
        if self.texts >= TEXTS_CHECKED:
            return
        self.texts += 1
        self.words.update(word.lower() for word in WORD.findall(text[:CHARACTERS]))
        if self.texts == TEXTS_CHECKED:
            self.check()

    def check(self) -> None:
        """Say whether it is another language.

        Raises
        ------
        InputError
            The script is another, or common words of another language are more frequent.
        """
        total, tag = self.words.total(), self.anchors.tag
        if total < LEAST_WORDS:
            return
        scripts: Counter[str] = Counter()
        for word, count in self.words.items():
            scripts[script_of(word[0]) or ""] += count
        script, most = scripts.most_common(1)[0]
        expected = main_script(self.anchors.language_words) or "no"
        if script != expected and most > total / 2:
            raise InputError(
                f"The texts are not in the language '{tag}': {most / total:.0%} of their words are in "
                f"{script.capitalize()} script, where {expected.capitalize()} was expected. Name the language they are "
                "in"
            )
        share = self._share(tag)
        if share >= LOW_SHARE:
            return
        others = ((self._share(other), other) for other in tags_with_anchors(self.root) if other != tag)
        best, other = max(others, default=(0.0, ""))
        if best > max(2 * share, LOW_SHARE):
            raise InputError(
                f"The texts do not seem to be in the language '{tag}': {share:.0%} of their words are common words of "
                f"it, {best:.0%} are common words of '{other}'. Name '{other}' as their language, or "
                "leave those texts out"
            )

    def _share(self, tag: str) -> float:
        """Share of common words of a language among all words."""
        try:
            other = load_anchors(tag, self.root)
        except FileProblems:
            return 0.0
        common = sum(n for word, n in self.words.items() if fold(word) in other.language_words)
        return common / self.words.total()
