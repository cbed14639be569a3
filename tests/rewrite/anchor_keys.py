"""What the tests of several languages share: a text said of a woman and of a man, and keys written by hand."""

from __future__ import annotations

import csv
from pathlib import Path

from eec_datasets.rewrite.fillers import filled, filler
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, resolve

HERE = Path(__file__).parent


def said_of(language: str, text: str, female: str, male: str) -> tuple[str, str] | str:
    """The text said of a woman and of a man, or the reason for which it is left out."""
    anchors = load_anchors(language)
    found = resolve(anchors, text)
    if isinstance(found, LeftOut):
        return found.reason
    persons = [filler(anchors, form, gender) for form, gender in ((female, "female"), (male, "male"))]
    one, other = (filled(anchors, person, found.pieces[person.agreement]) for person in persons)
    return one, other


def key_rows(name: str) -> list[dict[str, str]]:
    """The rows of a key in this folder: text, female, male, reason."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def wrong_rows(language: str, name: str, female: str, male: str) -> list[str]:
    """The rows of a key that do not come out as they should: line, text, expected, got."""
    wrong = []
    for line, row in enumerate(key_rows(name), start=2):
        expected = row["reason"] or (row["female"], row["male"])
        got = said_of(language, row["text"], female, male)
        if got != expected:
            wrong.append(f"{name}:{line}: {row['text']}\n  expected {expected}\n  got      {got}")
    return wrong
