"""Words of the page, in the language of its reader."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

from eec_datasets.report.say import Say

FOLDER: Final = Path(__file__).with_name("texts")
FALLBACK: Final = "en"


def languages() -> dict[str, str]:
    """Return the languages of the page with their own names, English first."""
    tags = sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda tag: (tag != FALLBACK, tag))
    return {tag: str(texts(tag)["name"]) for tag in tags}


@cache
def texts(language: str) -> Mapping[str, Any]:
    """Return all that the page says in a language, by table and key."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


class PageWords:
    """Says what the page says in one language.

    Parameters
    ----------
    language
        One of `languages`; English where it is none of them.
    """

    def __init__(self, language: str = FALLBACK) -> None:
        self.language = known_language(language)
        self.report = Say(self.language, "app")

    @property
    def direction(self) -> str:
        """``ltr`` or ``rtl``."""
        return self.report.direction

    def html(self, key: str, **values: object) -> str:
        """Return a piece of HTML, ``table.key``, within an element that has its language."""
        said = self.plain(key, **values)
        return f'<div lang="{self.language}" dir="{self.direction}">{said}</div>'

    def plain(self, key: str, **values: object) -> str:
        """Return a text, ``table.key``, with its places filled as they are."""
        table, _, name = key.partition(".")
        text: str = texts(self.language)[table][name]
        return text.format(**values) if values else text

    def say(self, key: str, **values: object) -> str:
        """Return a text, ``table.key``; numbers are written as in its language, names kept apart from the text."""
        counts = {name: self.report.number(value) for name, value in values.items() if isinstance(value, int)}
        return self.plain(key, **{name: self._isolated(str(text)) for name, text in (values | counts).items()})

    def _isolated(self, text: str) -> str:
        """Keep a text from turning the sentence around it if one of them runs from right to left."""
        written = {unicodedata.bidirectional(letter) for letter in text}
        if self.direction == "ltr" and written.isdisjoint(("R", "AL")):
            return text
        return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def known_language(tag: str) -> str:
    """Return the language of the page with this tag, English where there is none."""
    return next((known for known in languages() if known == tag), FALLBACK)


def choose_language(search: str, accepted: str = "") -> str:
    """Return the language of a visitor: the one of the link, else the first that the browser asks for and we have.

    Parameters
    ----------
    search
        What follows the address of the page, ``?lang=es``.
    accepted
        BCP 47 tags in the order of preference, parted by commas, as a browser gives them.
    """
    asked = parse_qs(search.removeprefix("?")).get("lang", [])[-1:]
    wanted = [tag.partition(";")[0].strip().partition("-")[0].lower() for tag in [*asked, *accepted.split(",")]]
    return next((tag for tag in wanted if tag in languages()), FALLBACK)
