"""Letters that names share: families of names that begin alike, and endings.

Systems give similar scores to names that share letters, so a test of names has to know which do.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

NO_NAME = "none"
"""The family and the ending of whatever is not a name."""

JOINED = ("'", "’", "-", " ")
"""Endings of an article that is written onto the name (*l'Anna*); others are words of their own (*la Maria*)."""


@dataclass(frozen=True, slots=True)
class NameFamilies:
    """A language's rules for separating a name from the words before it, and for the letters that names share.

    Attributes
    ----------
    first, last : how many letters at its beginning make the family of a name, and how many at its end its ending.
    articles : articles, clitics and titles before a name that are not part of it.
    kept : names that begin as an article does, and are not preceded by one: *La Toya*.
    """

    first: int = 3
    last: int = 2
    articles: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    def name_in(self, form: str) -> str:
        """Return the name itself in the form that sentences show: *Maria* in *la Maria*."""
        if form in self.kept:
            return form
        article = next((article for article in map(_as_written, self.articles) if form.startswith(article)), None)
        return form if article is None else self.name_in(form.removeprefix(article))

    def article_in(self, name: str) -> str | None:
        """Return the article that a name itself still begins with in another case, such as *La* of *La Maria*."""
        if name in self.kept:
            return None
        beginnings = (name[: len(article)] for article in map(_as_written, self.articles))
        written = zip(beginnings, map(_as_written, self.articles), strict=True)
        return next((start.rstrip() for start, article in written if start.casefold() == article.casefold()), None)

    def family(self, form: str) -> str:
        """Return the first letters of a name, without case and diacritics: that of *Élodie* is ``elo``."""
        return plain(self.name_in(form))[: self.first]

    def ending(self, form: str) -> str:
        """Return the last letters of a name, without case and diacritics: that of *José* is ``se``."""
        return plain(self.name_in(form))[-self.last :]

    def of(self, form: str, person_type: str) -> tuple[str, str]:
        """Return family and ending of a person, both ``none`` for whatever is not a name."""
        if person_type != "name":
            return NO_NAME, NO_NAME
        return self.family(form), self.ending(form)


USUAL = NameFamilies()
"""The rule of a language that declares none."""


def plain(name: str) -> str:
    """Return a name in lower case without diacritics, one character for each letter."""
    decomposed = unicodedata.normalize("NFD", name.lower())
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", letters)


def _as_written(article: str) -> str:
    """Return an article as it is written before a name, with the space after it if it is a word of its own."""
    return article if article.endswith(JOINED) else f"{article} "
