"""Text with marks: the words of a sentence, of which some are strong, quoted words or code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from string import Formatter
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text in one style."""

    text: str
    strong: bool = False
    quoted: bool = False
    code: bool = False

    @property
    def style(self) -> tuple[bool, bool, bool]:
        """Return how it looks."""
        return self.strong, self.quoted, self.code


Text: TypeAlias = tuple[Span, ...]
"""A sentence or more; a renderer decides how strong, quoted and code look."""

_MARKS = re.compile(r"(\*\*|\*|`)")


def fill(template: str, **values: str | Text) -> Text:
    """Return a template's text with its fields filled in.

    Marks are read in the template only, so a star in the name of a system stays a star.

    Parameters
    ----------
    template : str
        Words with ``**strong**``, ``*quoted*``, `` `code` `` and fields in braces.
    values : str or Text
        The fields; a field of a style takes the style of its place and keeps its own.
    """
    spans: list[Span] = []
    style = Span("")
    for piece in _MARKS.split(template):
        if piece == "**":
            style = replace(style, strong=not style.strong)
        elif piece == "*":
            style = replace(style, quoted=not style.quoted)
        elif piece == "`":
            style = replace(style, code=not style.code)
        else:
            spans += _filled(piece, style, values)
    return merged(spans)


def merged(spans: Iterable[Span]) -> Text:
    """Return spans of which neighbours in the same style are one, without empty ones."""
    kept: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        if kept and kept[-1].style == span.style:
            kept[-1] = Span(kept[-1].text + span.text, *span.style)
        else:
            kept.append(span)
    return tuple(kept)


def _filled(piece: str, style: Span, values: dict[str, str | Text]) -> list[Span]:
    spans: list[Span] = []
    for literal, name, _, _ in Formatter().parse(piece):
        spans.append(Span(literal, *style.style))
        if name is None:
            continue
        value = values[name]
        if isinstance(value, str):
            spans.append(Span(value, *style.style))
            continue
        for part in value:
            spans.append(
                Span(part.text, part.strong or style.strong, part.quoted or style.quoted, part.code or style.code)
            )
    return spans


def marked(words: str) -> Text:
    """Return words whose marks are meant, without fields."""
    return fill(words.replace("{", "{{").replace("}", "}}"))


def plain(text: Text) -> str:
    """Return the words alone."""
    return "".join(span.text for span in text)


def of(words: str) -> Text:
    """Return plain words as a text."""
    return (Span(words),) if words else ()


def joined(parts: Iterable[Text], separator: str = " ") -> Text:
    """Join texts that say something."""
    spans: list[Span] = []
    for part in parts:
        if not part:
            continue
        if spans:
            spans.append(Span(separator))
        spans += part
    return merged(spans)


def capital(text: Text) -> Text:
    """Return the text with a capital first letter, unless it begins with a quoted word."""
    if not text or text[0].quoted:
        return text
    first = text[0]
    return (replace(first, text=first.text[:1].upper() + first.text[1:]), *text[1:])
