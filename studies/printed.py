"""The numbers printed in Tables 2–5 of Câmara et al. (2022), typed from the article into published/camara2022.csv.

Its column ``reading`` says how sure a number is: ``clear``; ``damaged`` where the copy of the article at hand was hard
to read there (Table 5, joy and sadness in Arabic); ``lost`` where it was not readable, without a value. Table 2 calls
the English machine SVM, which is taken for SVM-tfidf, and has the same row for fastText in Spanish and in Arabic.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = "Câmara, Taneja, Azad, Allaway & Zemel (2022), Mapping the Multilingual Margins"
FILE = Path(__file__).parent / "published" / "camara2022.csv"

MARKS = {"clear": "", "damaged": " (?)"}
"""Reading of a number, clear or damaged → the mark written after the number."""

LINES = {"en": "English", "es": "Spanish", "ar": "Arabic"}
"""Language tag → its line in Table 2."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One number of a table.

    Attributes
    ----------
    table
        2 to 5.
    line
        Language and names, as in the table's first column.
    corpus
        Our config; empty in Table 2.
    model, emotion, term
        Row and column; the term of Table 2 is ``pearson``.
    value
        None where it could not be read.
    stars
        As printed: three for p ≤ .01, two for p ≤ .05, one for p ≤ .10.
    reading
        ``clear``, ``damaged`` or ``lost``.
    """

    table: int
    line: str
    corpus: str
    model: str
    emotion: str
    term: str
    value: float | None
    stars: str
    reading: str

    def shown(self) -> str:
        """Return the number as printed, marked where its reading is not sure."""
        if self.value is None:
            return "not readable"
        return f"{self.value:.3f}{self.stars}".replace("-", "−") + MARKS[self.reading]


@cache
def printed() -> tuple[Printed, ...]:
    """Return all numbers, in the order of the tables."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return tuple(_from_row(row) for row in csv.DictReader(stream))


def _from_row(row: dict[str, str]) -> Printed:
    value = None
    if row["value"]:
        value = float(row["value"])
    return Printed(
        table=int(row["table"]),
        line=row["line"],
        corpus=row["corpus"],
        model=row["model"],
        emotion=row["emotion"],
        term=row["term"],
        value=value,
        stars=row["stars"],
        reading=row["reading"],
    )


def lookup(corpus: str, model: str, emotion: str, term: str) -> Printed | None:
    """Return a coefficient of Tables 3–5; None where the article has none."""
    wanted = (corpus, model, emotion, term)
    for found in printed():
        if found.table > 2 and (found.corpus, found.model, found.emotion, found.term) == wanted:
            return found
    return None


def correlation(language: str, model: str, emotion: str) -> float | None:
    """Return a correlation of Table 2 by language tag; None where the article has none."""
    wanted = (LINES[language], model, emotion)
    for found in printed():
        if found.table == 2 and (found.line, found.model, found.emotion) == wanted:
            return found.value
    return None
