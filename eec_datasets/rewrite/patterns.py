"""Patterns over tokens: what stands beside a word. Plain data, compared in time linear in the length of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from eec_datasets.rewrite.lexicon import Entry
    from eec_datasets.rewrite.tokens import Token

REPEATS: Final = {"?": (0, 1), "*": (0, 12), "+": (1, 12)}
ACTIONS: Final = ("inflect", "keep")
OPENING: Final = frozenset("“«„‘\"'([{¿¡")


class PatternError(ValueError):
    """A pattern cannot be read; the message says what of it."""


@dataclass(slots=True, eq=False)
class AnnotatedToken:
    """A token with what is known of it: what the lists say, and what the rules have said so far.

    Attributes
    ----------
    word
        As it is looked up: folded.
    entry
        What the lists say of it; nothing for what is not looked up.
    labels
        Classes, and ``class:column`` where it stands in a column of forms.
    number, sentence_tokens, position
        Its place in the text, the tokens of its sentence, and its place among them.
    reading
        Name of the reading it was given, or ``inflect`` or ``keep``; empty before.
    """

    token: Token
    word: str
    entry: Entry
    labels: frozenset[str]
    number: int
    sentence_tokens: list[AnnotatedToken] = field(repr=False)
    position: int
    reading: str = ""


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

    def fits(self, annotated: AnnotatedToken) -> bool:
        """Whether a token is one of those meant."""
        matches = (
            self.anything
            or annotated.word in self.words
            or not self.labels.isdisjoint(annotated.labels)
            or annotated.reading in self.readings
        )
        return matches is not self.negated


Pattern: TypeAlias = tuple[Element, ...]
"""Elements in reading order, such as ``^ <adverb>* !not|<verb>``."""


def stands_beside(pattern: Pattern, annotated: AnnotatedToken, step: int) -> bool:
    """Whether a pattern fits and begins right after a token of its sentence (`step` 1), or ends right before it (-1).

    All ways are followed at once: `places` are the gaps between tokens that the elements so far can lead to.
    """
    tokens, gaps = annotated.sentence_tokens, {annotated.position + (step > 0)}
    for part in pattern[::step]:
        if part.edge:
            gaps = {gap for gap in gaps if _at_edge(part.edge, tokens, gap)}
        else:
            gaps = _onward(part, tokens, gaps, step)
        if not gaps:
            return False
    return True


def parse_element(source: str, fold: Callable[[str], str]) -> Element:
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
    alternatives = re.split(r"(?<!\\)\|", body[1:] if negated else body)
    words, labels, readings = [], [], []
    for alternative in alternatives:
        if not alternative:
            raise PatternError(f"'{source}' has an empty alternative")
        if alternative.startswith("<"):
            if not re.fullmatch(r"<[^<>\s]+>", alternative):
                raise PatternError(f"'{alternative}' in '{source}' is no class such as <noun>")
            labels.append(alternative[1:-1])
        elif re.fullmatch(r"@[\w-]+", alternative):
            readings.append(alternative[1:])
        elif alternative != ".":
            words.append(fold(re.sub(r"\\(.)", r"\1", alternative)))
    return Element(
        frozenset(words), frozenset(labels), frozenset(readings), "." in alternatives, negated, least, most
    )  # fmt: skip


def _onward(part: Element, tokens: Sequence[AnnotatedToken], gaps: set[int], step: int) -> set[int]:
    reached = set(gaps) if part.least == 0 else set()
    current = gaps
    for count in range(1, part.most + 1):
        inside = ((gap, gap if step > 0 else gap - 1) for gap in current)
        current = {gap + step for gap, index in inside if 0 <= index < len(tokens) and part.fits(tokens[index])}
        if not current:
            break
        if count >= part.least:
            reached |= current
    return reached


def _at_edge(edge: str, tokens: Sequence[AnnotatedToken], gap: int) -> bool:
    if edge == "^":
        return (gap > 0 and tokens[gap - 1].token.text in OPENING and _opens(tokens, gap - 1)) or not any(
            annotated.token.kind in ("word", "number", "hashtag") for annotated in tokens[max(0, gap - 12) : gap]
        )
    rest = tokens[gap : gap + 12]
    return not rest or rest[0].token.ends_sentence or all(token.token.kind in ("punct", "emoji") for token in rest)


def _opens(tokens: Sequence[AnnotatedToken], index: int) -> bool:
    """Whether a sign opens: a straight quotation mark also closes."""
    sign = tokens[index].token
    return sign.text not in "\"'" or (index + 1 < len(tokens) and tokens[index + 1].token.start == sign.end)
