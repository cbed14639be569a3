"""Finding and hiding the key in what a server sends, in the forms in which servers and proxies repeat it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

SHORTEST_KEY: Final = 16
"""Letters from which on a key is told apart from ordinary text; a reply that holds one is not read."""

PIECE: Final = 12
"""Letters of a key from which on a piece of it is hidden: a server may cut it."""

HIDDEN: Final = "[key]"

ESCAPED: Final = re.compile(
    r"%(?:25)*([0-9a-f]{2})|\\+[ux]\{0*([0-9a-f]{2,6})\}|\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|"
    r"&#x0*([0-9a-f]{2,6});|(?P<decimal>&#0*\d{2,7};)",
    re.IGNORECASE,
)
"""A letter as addresses, JSON, JavaScript and HTML escape it."""

IGNORED: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]|\\+[nrt]")
"""Spaces, line ends and invisible marks, at which a key may be broken."""


def holds(content: object, key: str) -> bool:
    """Return whether some JSON holds a key, or nearly all of it; a short key is never found."""
    if len(key) < SHORTEST_KEY:
        return False
    pieces = _pieces(key, max(SHORTEST_KEY, 3 * len(key) // 4))
    return any(piece in text for text in map(_folded, _texts(content)) for piece in pieces)


def hide(text: str, key: str) -> str:
    """Return a text without a key and without pieces of it; a short key is hidden as a word, in its own case.

    Hide before cutting: the rest of a key that was cut may be too short to be found.
    """
    if len(key) < PIECE:
        return re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", HIDDEN, text) if key else text
    pieces, folded = _pieces(key, PIECE), _folded(text)
    if not any(piece in folded for piece in pieces):
        return text
    units = [(letter, match.span()) for match in _units(text) for letter in _folded(match.group())]
    letters = "".join(letter for letter, _ in units)
    hidden: set[int] = set()
    for start in range(len(letters) - PIECE + 1):
        if letters[start : start + PIECE] in pieces:
            hidden.update(range(units[start][1][0], units[start + PIECE - 1][1][1]))
    return re.sub("\0+", HIDDEN, "".join("\0" if at in hidden else letter for at, letter in enumerate(text)))


def _pieces(key: str, size: int) -> set[str]:
    folded = _folded(key)
    return {folded[start : start + size] for start in range(len(folded) - size + 1)} - {""}


def _folded(text: str) -> str:
    """Return a text without escapes, case, forms of letters, spaces and invisible marks."""
    plain = IGNORED.sub("", ESCAPED.sub(_letter, IGNORED.sub("", text)))
    return unicodedata.normalize("NFKC", plain).casefold()


def _units(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(f"{ESCAPED.pattern}|{IGNORED.pattern}|.", text, re.IGNORECASE | re.DOTALL)


def _letter(match: re.Match[str]) -> str:
    if decimal := match["decimal"]:
        code = int(decimal.strip("&#;"))
    else:
        code = int(next(filter(None, match.groups())), 16)
    return chr(code) if code < 0x110000 else match.group()


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping):
        for pair in content.items():
            yield from _texts(pair)
    elif isinstance(content, list | tuple):
        for part in content:
            yield from _texts(part)
