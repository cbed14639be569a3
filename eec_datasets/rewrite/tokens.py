"""Text → tokens with their sentence, kind and quotation; linear in the length of the text."""

from __future__ import annotations

import re
import unicodedata
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

MARKS: Final = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670"
"""Marks above and below letters."""

TOKEN: Final = re.compile(
    r"(?P<url>https?://[^\s<>\"]+|www\.[^\s<>\"]+)"
    r"|(?P<mention>@\w+)"
    r"|(?P<hashtag>#\w+)"
    r"|(?P<number>\d[\d.,:%/]*\d%?|\d%?)(?!\w)"
    rf"|(?P<word>\w[\w{MARKS}]*(?:['’ʼ‘`\-‐‑]\w[\w{MARKS}]*)*)"
    r"|(?P<newline>[\n\r\u2028\u2029]+)"
    r"|(?P<end>[.!?…؟。]+)"
    r"|(?P<punct>[^\w\s])"
)
"""One token. Its parts do not overlap, so that the time goes with the length of the text."""

ENDS: Final = frozenset(".!?…؟。")
OPENING: Final = {"“": "”", "«": "»", "„": "”“", "‘": "’"}
STRAIGHT: Final = '"'
UNCLOSED: Final = -1
"""The quotation of a token behind a mark that is never closed."""


class Token(NamedTuple):
    """A word, number or sign.

    Attributes
    ----------
    text
        As it stands there.
    start
        Its place in the text, in characters.
    kind
        ``word``, ``number``, ``mention``, ``hashtag``, ``url``, ``emoji`` or ``punct``.
    sentence
        Number of its sentence within the text.
    quotation
        Number of the quotation it stands in; 0 outside, `UNCLOSED` where it is not known.
    """

    text: str
    start: int
    kind: str
    sentence: int
    quotation: int

    @property
    def end(self) -> int:
        """Where the text goes on."""
        return self.start + len(self.text)

    @property
    def ends_sentence(self) -> bool:
        """Whether it is the mark at the end of a sentence."""
        return self.kind == "punct" and self.text[0] in ENDS


def tokenize(
    text: str,
    abbreviations: Collection[str] = (),
    elided: Collection[str] = (),
    placeholders: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Token, ...]:
    """Cut a text into tokens; white space is none.

    Parameters
    ----------
    abbreviations
        Lower-case words after which a full stop ends no sentence.
    elided
        Lower-case words before which an apostrophe opens no quotation (``'cause``).
    placeholders
        Words, as they stand there, that have another kind (``USER`` is a mention).
    """
    tokens: list[Token] = []
    sentence = 0
    quotations = _Quotations(elided)
    for match in TOKEN.finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        if kind == "newline":
            sentence += 1
            quotations.end_line(tokens)
            continue
        quotation = quotations.of(text, match)
        kind = placeholders.get(piece) or _kind(kind, piece)
        tokens.append(Token(piece, match.start(), kind, sentence, quotation))
        if match.lastgroup == "end" and _ends(text, match, tokens, abbreviations):
            sentence += 1
    quotations.end_line(tokens)
    return tuple(tokens)


def _kind(kind: str, piece: str) -> str:
    if kind == "end":
        return "punct"
    if kind == "punct" and unicodedata.category(piece[0]) in ("So", "Sk", "Cf", "Mn", "Cn"):
        return "emoji"
    return kind


def _ends(text: str, match: re.Match[str], tokens: Sequence[Token], abbreviations: Collection[str]) -> bool:
    after = text[match.end() : match.end() + 1]
    if after and not (after.isspace() or after in "\"'”’»)"):
        return match[0] != "."
    before = tokens[-2] if len(tokens) > 1 else None
    if match[0] != "." or before is None or before.end != match.start():
        return True
    initial = len(before.text) == 1 and before.text.isupper() and before.text != "I"
    return not (initial or before.text.lower() in abbreviations)


class _Quotations:
    """Numbers the quotations; a line ends them."""

    def __init__(self, elided: Collection[str]) -> None:
        self.count, self.open, self.line = 0, "", 0
        self.elided = elided

    def of(self, text: str, match: re.Match[str]) -> int:
        sign = match[0]
        if self.open and sign in self.open:
            if sign != "’" or not _word_at(text, match.end()):
                self.open = ""
                return self.count
        elif not self.open and (sign in OPENING or sign == STRAIGHT or self._opens(text, match)):
            self.open = OPENING.get(sign, sign)
            self.count += 1
        return self.count if self.open else 0

    def end_line(self, tokens: list[Token]) -> None:
        """Mark what stands behind a mark that this line does not close; an apostrophe may be just that."""
        if self.open:
            quotation = 0 if self.open == "'" else UNCLOSED
            for index in range(len(tokens) - 1, self.line - 1, -1):
                if tokens[index].quotation != self.count:
                    break
                tokens[index] = tokens[index]._replace(quotation=quotation)
            self.open = ""
        self.line = len(tokens)

    def _opens(self, text: str, match: re.Match[str]) -> bool:
        """Whether a straight single mark can begin a quotation: behind a space, before a word that is not cut."""
        before, after = match.start(), match.end()
        if match[0] != "'" or (before and not text[before - 1].isspace()) or not _word_at(text, after):
            return False
        word = re.compile(r"\w{1,9}").match(text, after)
        return word is None or word[0].lower() not in self.elided


def _word_at(text: str, position: int) -> bool:
    return position < len(text) and text[position].isalnum()
