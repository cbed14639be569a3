"""Keys written by hand, and a text said of a woman and of a man."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from eec_datasets.rewrite.fillers import filler
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import Found, LeftOut, resolve
from eec_datasets.rewrite.rows import batches
from eec_datasets.rewrite.slots import Filler, Rewrite

HERE = Path(__file__).parent
PERSONS = {"en": ("Maria", "Adam"), "es": ("María", "Juan"), "ar": ("مريم", "أحمد")}
KEYS = {
    "en": ("key-en.csv", "key-en-unseen.csv", "key-en-natural.csv"),
    "es": ("key-es.csv", "key-es-second.csv", "key-es-natural.csv"),
    "ar": ("key-ar.csv", "key-ar-second.csv"),
}  # fmt: skip


def said_of(language: str, text: str, persons: tuple[str, ...] = ()) -> tuple[str, ...] | str:
    """The text said of a woman and of a man, or the reason for which it is left out."""
    anchors = load_anchors(language)
    made = [
        filler(anchors, column, form, id=column, type="name", labels={}, roles={})
        for form, column in zip(persons or PERSONS[language], anchors.columns.values(), strict=True)
    ]
    return said_of_fillers(language, text, made)


def said_of_fillers(language: str, text: str, fillers: list[Filler]) -> tuple[str, ...] | str:
    """The text said of each, as rows are made of it; or the reason for which it is left out."""
    anchors = load_anchors(language)
    found = resolve(anchors, text)
    if isinstance(found, LeftOut):
        return found.reason
    # The text itself is not given: it may name a person already.
    rows = batches([Rewrite("s", "", found.anchor, found.pieces)], fillers, language=language, fuse=anchors.fuse)
    return tuple(text for batch in rows for text in batch["text"].to_pylist()[1:])


@cache
def key_rows(name: str) -> list[dict[str, str]]:
    """The rows of a key in this folder: text, female, male, reason."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def rewritten(language: str) -> list[tuple[str, Found]]:
    """The texts of all keys of a language that are rewritten, and what was found in them."""
    texts = [row["text"] for name in KEYS[language] for row in key_rows(name)]
    found = [(text, resolve(load_anchors(language), text)) for text in texts]
    return [(text, found) for text, found in found if isinstance(found, Found)]
