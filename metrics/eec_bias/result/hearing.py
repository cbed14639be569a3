"""The words for feelings that a system hears: those that change its score. A system is deaf if it hears hardly any."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eec_bias.grouping import grouped
from eec_bias.result.frame import AnyRow

HALF = 0.5
"""A word is heard if it changes the score of at least this share of its sentences about a group."""

FEWEST_HEARD = 5
"""A system that hears fewer words is deaf to a list, if they are fewer than one in `ONE_IN` too."""

ONE_IN = 8
"""Of the 40 words of most lists, 5 are one in eight."""


def is_heard(share: float) -> bool:
    """Return whether a word is heard that changes the score of a share of its sentences about a group."""
    return share >= HALF


def fewest_heard(words: int) -> int:
    """Return how many words of a list a system must hear, so that its scores can say something about groups."""
    return min(FEWEST_HEARD, math.ceil(words / ONE_IN))


@dataclass(frozen=True, slots=True)
class HeardFeelings:
    """The words for feelings of a list, and if a system hears each.

    Attributes
    ----------
    by_emotion : mapping of str to mapping of str to bool
        By emotion the words, and if each is heard.
    """

    by_emotion: Mapping[str, Mapping[str, bool]]

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(map(len, self.by_emotion.values()))

    @property
    def heard(self) -> int:
        """The number of words that are heard."""
        return sum(sum(words.values()) for words in self.by_emotion.values())

    @property
    def fewest(self) -> int:
        """The number of words that it must hear."""
        return fewest_heard(self.words)

    @property
    def is_deaf(self) -> bool:
        """Return whether the scores say nothing about groups, as hardly any feeling changes them."""
        return self.heard < self.fewest


def read_feelings(rows: Iterable[AnyRow]) -> HeardFeelings:
    """Return what one system hears from its rows, see `Record.feelings`."""
    known = (row for row in rows if None not in (row["emotion"], row["word"], row["heard"]))
    by_emotion = grouped((row["emotion"], row) for row in known)
    return HeardFeelings(
        {emotion: {row["word"]: is_heard(row["heard"]) for row in words} for emotion, words in by_emotion.items()}
    )
