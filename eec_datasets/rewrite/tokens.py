"""Text → tokens with their sentence, kind and quotation; linear in the length of the text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.lexicon import NOTHING, LexiconEntry, unescaped

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

MARKS: Final = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670"
"""Marks above and below letters."""

TOKEN: Final = re.compile(
    r"(?P<url>https?://[^\s<>\"]+|www\.[^\s<>\"]+)"
    r"|(?P<escaped>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});)"
    r"|(?P<mention>@\w+)"
    r"|(?P<hashtag>#\w+)"
    r"|(?P<number>\d[\d.,:%/]*\d%?|\d%?)(?!\w)"
    rf"|(?P<word>\w[\w{MARKS}]*(?:['’ʼ‘`\-‐‑]\w[\w{MARKS}]*)*)"
    r"|(?P<newline>[\n\r\u2028\u2029]+)"
    r"|(?P<end>[.!?…؟。]+)"
    r"|(?P<punct>[^\w\s])"
)
"""One token; signs may be written as of a web page (``&amp;``, ``&#8220;``).

Its parts do not overlap, so that the time goes with the length of the text.
"""

ENDS: Final = frozenset(".!?…؟。")
OPENING: Final = {"“": "”", "«": "»", "„": "”“", "‘": "’", '"': '"'}
OPENING_APOSTROPHE: Final = re.compile(r"(?<!\S)'(?=([^\W_]\w{0,8}))")
"""A straight single mark that can begin a quotation: behind a space, before a word; the word, which may be cut."""

CLOSING: Final = re.compile(r"(?<=[.,!?…])[\"”](?=\s|$)")
"""A mark that can only close a quotation: behind a mark of the sentence, before a space."""

UNCLOSED: Final = -1
"""The quotation of a token behind a mark that is never closed."""


@dataclass(slots=True, eq=False)
class Token:
    """A word, number or sign, with what the lists say of it and what the rules have said so far.

    Attributes
    ----------
    text
        As it stands there.
    start
        Its place in the text, in characters.
    kind
        ``word``, ``number``, ``mention``, ``hashtag``, ``url``, ``emoji`` or ``punct``.
    sentence, line
        Number of its sentence within the text, and the tokens of it.
    number
        Its place among the tokens of the text.
    quotation
        Number of the quotation it stands in; 0 outside, `UNCLOSED` where it is not known.
    word
        As it is looked up: folded.
    entry
        What the lists say of it; nothing for what is not looked up.
    labels
        Classes, and ``class:column`` where it stands in a column of forms.
    reading
        Name of the reading it was given, or ``inflect`` or ``keep``; empty before.
    """

    text: str
    start: int
    kind: str
    sentence: int
    line: list[Token] = field(repr=False)
    number: int
    quotation: int
    word: str = ""
    entry: LexiconEntry = NOTHING
    labels: frozenset[str] = frozenset()
    reading: str = ""

    @property
    def end(self) -> int:
        """Return where the text goes on."""
        return self.start + len(self.text)

    @property
    def ends_sentence(self) -> bool:
        """Return whether it is the mark at the end of a sentence."""
        return self.kind == "punct" and self.text[0] in ENDS


def tokenize(
    text: str,
    abbreviations: Collection[str] = (),
    elided: Collection[str] = (),
    placeholders: Mapping[str, str] = MappingProxyType({}),
) -> list[Token]:
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
    sentence, line = 0, list[Token]()
    quotations = _Quotations(elided)
    for match in TOKEN.finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        if kind == "newline":
            quotations.end_line(tokens)
        else:
            sign = unescaped(piece)
            if kind == "escaped":
                kind = "punct"
            if kind == "punct" and unicodedata.category(sign[0]) in ("So", "Sk", "Cf", "Mn", "Cn"):
                kind = "emoji"
            shown = placeholders.get(piece) or ("punct" if kind == "end" else kind)
            quotation = quotations.of(text, match, tokens)
            line.append(Token(piece, match.start(), shown, sentence, line, len(tokens), quotation))
            tokens.append(line[-1])
        if kind == "newline" or (kind == "end" and _ends(text, match, tokens, abbreviations)):
            sentence, line = sentence + 1, []
    quotations.end_line(tokens)
    return tokens


def _ends(text: str, match: re.Match[str], tokens: Sequence[Token], abbreviations: Collection[str]) -> bool:
    after = text[match.end() : match.end() + 1]
    if match[0] != ".":
        return True
    if after and not (after.isspace() or after in "\"'”’»)"):
        return False
    before = tokens[-2] if len(tokens) > 1 else None
    if before is None or before.end != match.start():
        return True
    initial = len(before.text) == 1 and before.text.isupper() and before.text != "I"
    return not (initial or before.text.lower() in abbreviations)


class _Quotations:
    """Numbers the quotations; a line ends them."""

    def __init__(self, elided: Collection[str]) -> None:
        self.count, self.open, self.line, self.elided = 0, "", 0, elided

    def of(self, text: str, match: re.Match[str], tokens: list[Token]) -> int:
        sign = unescaped(match[0])
        if self.open and sign in self.open:
            if sign != "’" or not text[match.end() : match.end() + 1].isalnum():
                self.open = ""
                return self.count
        elif not self.open:
            apostrophe = OPENING_APOSTROPHE.match(text, match.start()) if sign == "'" else None
            if CLOSING.match(text, match.start()):
                # It closes what began before the line.
                self.count += 1
                for token in tokens[self.line :]:
                    token.quotation = token.quotation or self.count
                return self.count
            if sign in OPENING or (apostrophe and apostrophe[1].lower() not in self.elided):
                self.open = OPENING.get(sign, sign)
                self.count += 1
        return self.count if self.open else 0

    def end_line(self, tokens: list[Token]) -> None:
        """Mark what stands behind a mark that this line does not close; an apostrophe may be just that.

        Where the mark begins the line, all of it is within the quotation.
        """
        line = tokens[self.line :]
        whole = bool(line) and line[0].quotation == self.count
        for token in line if self.open else ():
            if token.quotation == self.count and (self.open == "'" or not whole):
                token.quotation = 0 if self.open == "'" else UNCLOSED
        self.line, self.open = len(tokens), ""
