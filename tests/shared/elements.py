"""HTML taken apart, for tests of pages."""

import re
from html.parser import HTMLParser
from typing import Any


class Elements(HTMLParser):
    """Checks that elements close, and collects them and their text."""

    VOID = frozenset("meta link br img input hr path use rect line".split())  # noqa: SIM905

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


def every(pattern: str, html: str) -> list[Any]:
    """What a pattern finds in a page, over its lines."""
    return re.findall(pattern, html, re.DOTALL)
