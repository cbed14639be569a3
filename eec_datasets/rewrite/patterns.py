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
class Seen:
    """A token with what is known of it: what the lists say, and what the rules have said so far.

    Attributes
    ----------
    word
        As it is looked up: folded.
    entry
        What the lists say of it; None for what is not looked up.
    labels
        Classes, and ``class:column`` where it stands in a column of forms.
    number, line, at
        Its place in the text, the tokens of its sentence, and its place among them.
    reading
        Name of the reading it was given, or ``inflect`` or ``keep``; empty before.
    """

    token: Token
    word: str
    entry: Entry | None
    labels: frozenset[str]
    number: int
    line: list[Seen] = field(repr=False)
    at: int
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

    def fits(self, seen: Seen) -> bool:
        """Whether a token is one of those meant."""
        found = (
            self.anything
            or seen.word in self.words
            or not self.labels.isdisjoint(seen.labels)
            or seen.reading in self.readings
        )
        return found is not self.negated


Pattern: TypeAlias = tuple[Element, ...]
"""Elements in reading order, such as ``^ <adverb>* !not|<verb>``."""


def stands_beside(pattern: Pattern, seen: Seen, step: int) -> bool:
    """Whether a pattern fits and begins right after a token of its sentence (`step` 1), or ends right before it (-1).

    All ways are followed at once: `places` are the gaps between tokens that the elements so far can lead to.
    """
    line, places = seen.line, {seen.at + (step > 0)}
    for one in pattern[::step]:
        if one.edge:
            places = {place for place in places if _at_edge(one.edge, line, place)}
        else:
            places = _onward(one, line, places, step)
        if not places:
            return False
    return True


def element(source: str, fold: Callable[[str], str]) -> Element:
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
    for one in alternatives:
        if not one:
            raise PatternError(f"'{source}' has an empty alternative")
        if one.startswith("<"):
            if not re.fullmatch(r"<[^<>\s]+>", one):
                raise PatternError(f"'{one}' in '{source}' is no class such as <noun>")
            labels.append(one[1:-1])
        elif re.fullmatch(r"@[\w-]+", one):
            readings.append(one[1:])
        elif one != ".":
            words.append(fold(re.sub(r"\\(.)", r"\1", one)))
    return Element(
        frozenset(words), frozenset(labels), frozenset(readings), "." in alternatives, negated, least, most
    )  # fmt: skip


def _onward(one: Element, line: Sequence[Seen], places: set[int], step: int) -> set[int]:
    found = set(places) if one.least == 0 else set()
    now = places
    for count in range(1, one.most + 1):
        inside = ((place, place if step > 0 else place - 1) for place in now)
        now = {place + step for place, at in inside if 0 <= at < len(line) and one.fits(line[at])}
        if not now:
            break
        if count >= one.least:
            found |= now
    return found


def _at_edge(edge: str, line: Sequence[Seen], place: int) -> bool:
    if edge == "^":
        return (place > 0 and line[place - 1].token.text in OPENING and _opens(line, place - 1)) or not any(
            seen.token.kind in ("word", "number", "hashtag") for seen in line[max(0, place - 12) : place]
        )
    rest = line[place : place + 12]
    return not rest or rest[0].token.ends_sentence or all(seen.token.kind in ("punct", "emoji") for seen in rest)


def _opens(line: Sequence[Seen], at: int) -> bool:
    """Whether a sign opens: a straight quotation mark also closes."""
    sign = line[at].token
    return sign.text not in "\"'" or (at + 1 < len(line) and line[at + 1].token.start == sign.end)
