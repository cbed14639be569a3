"""What names share: families of names that begin alike, and endings.

Systems score names that share letters alike, so a test of names has to know which do.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

NO_NAME = "none"
"""The family and the ending of what is no name."""


@dataclass(frozen=True, slots=True)
class NameFamilies:
    """How many letters at its beginning make the family of a name, and how many at its end its ending."""

    first: int = 3
    last: int = 2

    def family(self, name: str) -> str:
        """The first letters of a name, without case and diacritics: that of *Élodie* is ``elo``."""
        return plain(name)[: self.first]

    def ending(self, name: str) -> str:
        """The last letters of a name, without case and diacritics: that of *José* is ``se``."""
        return plain(name)[-self.last :]

    def of(self, form: str, person_type: str) -> tuple[str, str]:
        """Family and ending of a person, both ``none`` for what is no name."""
        if person_type != "name":
            return NO_NAME, NO_NAME
        return self.family(form), self.ending(form)


USUAL = NameFamilies()
"""The letters that names share in a language that says nothing of them."""


def plain(name: str) -> str:
    """A name in lower case without diacritics, one character for each letter."""
    decomposed = unicodedata.normalize("NFD", name.lower())
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", letters)
