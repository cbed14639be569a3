"""Patterns over tokens: what stands beside a word. Plain data, compared in time linear in the length of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from eec_datasets.rewrite.lexicon import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.rewrite.tokens import Token

REPEATS: Final = {"?": (0, 1), "*": (0, 12), "+": (1, 12)}
ACTIONS: Final = ("inflect", "keep")
OPENING: Final = frozenset("“«„‘\"'([{¿¡")


class PatternError(ValueError):
    """A pattern cannot be read; the message says what of it."""


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a pattern: which tokens fit, how often; or an edge of the sentence (`edge`)."""

    words: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    readings: frozenset[str] = frozenset()
    anything: bool = False
    negated: bool = False
    least: int = 1
    most: int = 1
    edge: str = ""

    def fits(self, token: Token) -> bool:
        """Return whether a token is one of those meant."""
        matches = (
            self.anything
            or token.word in self.words
            or not self.labels.isdisjoint(token.labels)
            or token.reading in self.readings
        )
        return matches is not self.negated


Pattern: TypeAlias = tuple[Element, ...]
"""Elements in reading order, such as ``^ <adverb>* !not|<verb>``."""


ALTERNATIVE: Final = re.compile(r"<([^<>\s]+)>|@([\w-]+)|([^<].*)", re.DOTALL)
"""A class, a reading, or a word."""


def stands_beside(pattern: Pattern, token: Token, step: int) -> bool:
    """Return whether a pattern fits right after a token of its sentence (`step` 1), or right before it (-1).

    All ways are followed at once: `gaps` are those between tokens that the elements so far can lead to.
    """
    tokens, gaps = token.line, {token.number - token.line[0].number + (step > 0)}
    for part in pattern[::step]:
        if part.edge:
            gaps = {gap for gap in gaps if _at_edge(part.edge, tokens, gap)}
        else:
            current, gaps = gaps, gaps if part.least == 0 else set()
            for count in range(1, part.most + 1):
                inside = ((gap, gap if step > 0 else gap - 1) for gap in current)
                current = {gap + step for gap, index in inside if 0 <= index < len(tokens) and part.fits(tokens[index])}
                if not current:
                    break
                if count >= part.least:
                    gaps = gaps | current
        if not gaps:
            return False
    return True


def parse_element(source: str) -> Element:
    """Read one element of a pattern.

    Raises
    ------
    PatternError : it is empty, or a ``<`` is not closed.
    """
    if source in ("^", "$"):
        return Element(edge=source)
    body, least, most = source, 1, 1
    if body[-1:] in REPEATS and len(body) > 1 and body[-2] != "\\":
        least, most = REPEATS[body[-1]]
        body = body[:-1]
    negated = body.startswith("!") and len(body) > 1
    alternatives = re.split(r"(?<!\\)\|", body[negated:])
    matches = [ALTERNATIVE.fullmatch(alternative) for alternative in alternatives if alternative != "."]
    if not all(matches):
        wrong = next(each for each in alternatives if not ALTERNATIVE.fullmatch(each))
        raise PatternError(f"'{wrong}' in '{source}' is neither a word nor a class such as <noun>")
    labels, readings, words = (frozenset(each[kind] for each in matches if each and each[kind]) for kind in (1, 2, 3))
    words = frozenset(fold(re.sub(r"\\(.)", r"\1", word)) for word in words)
    return Element(words, labels, readings, "." in alternatives, negated, least, most)


def _at_edge(edge: str, tokens: Sequence[Token], gap: int) -> bool:
    before, behind = tokens[max(0, gap - 12) : gap], tokens[gap : gap + 12]
    if edge == "$":
        return not behind or behind[0].ends_sentence or all(token.kind in ("punct", "emoji") for token in behind)
    opens = bool(before) and before[-1].word in OPENING
    if opens and before[-1].word in "\"'":  # A straight quotation mark also closes.
        opens = bool(behind) and behind[0].start == before[-1].end
    return opens or not any(token.kind in ("word", "number", "hashtag") for token in before)
