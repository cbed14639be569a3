"""Checks that need the sentences only, in any language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from eec_datasets.imported.folding import MARKS
from eec_datasets.imported.hits import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.imported.reading import Row

DOUBLE = re.compile(r"(?<=\S)[ \u00a0]{2,}(?=\S)")
JOINERS = "\u200c\u200d"
NEED_JOINERS = ("DEVANAGARI", "BENGALI", "SINHALA")
LABELS = ("person", "gender", "race", "emotion", "word")


def check_text(rows: Sequence[Row]) -> Iterator[Hit]:
    """Everything that can be seen in the characters of the sentences."""
    marks = Counter(_final(row.sentence) for row in rows)
    del marks[""]
    usual_mark = marks.most_common(1)[0][0] if marks else ""
    scripts = sum((Counter(_scripts(row.sentence)) for row in rows), Counter[str]())
    main = scripts.most_common(1)[0][0] if scripts else ""
    voweled = sum(1 for row in rows if MARKS.search(row.person)) * 2 > len(rows)
    for at, row in enumerate(rows):
        yield from _spaces(at, row.sentence)
        yield from _edges(at, row.sentence, usual_mark)
        yield from _letters(at, row.sentence, main)
        if not voweled and MARKS.search(row.person):
            yield Hit("vowel-marks", at, row.person)


def _spaces(at: int, sentence: str) -> Iterator[Hit]:
    if DOUBLE.search(sentence):
        yield Hit("double-space", at)
    if sentence != sentence.strip():
        yield Hit("outer-space", at)


def _edges(at: int, sentence: str, usual: str) -> Iterator[Hit]:
    mark = _final(sentence)
    if not mark:
        yield Hit("no-final-mark", at)
    elif mark != usual:
        yield Hit("other-final-mark", at, f"'{mark}', most have '{usual}'")
    first = next((letter for letter in sentence if letter.isalpha()), "")
    if first.islower():
        yield Hit("lower-case-start", at, first)


def _final(sentence: str) -> str:
    last = sentence.rstrip()[-1:]
    return last if last and unicodedata.category(last).startswith("P") else ""


def _letters(at: int, sentence: str, main: str) -> Iterator[Hit]:
    strange = [letter for letter in dict.fromkeys(sentence) if _unseen(letter, main)]
    if strange:
        yield Hit("invisible", at, ", ".join(_named(letter) for letter in strange))
    others = [script for script in _scripts(sentence) if script != main]
    if others:
        yield Hit("mixed-script", at, ", ".join(script.capitalize() for script in others))
    if not unicodedata.is_normalized("NFC", sentence):
        yield Hit("not-nfc", at)


def _unseen(letter: str, main: str) -> bool:
    if letter in JOINERS and main in NEED_JOINERS:
        return False
    category = unicodedata.category(letter)
    return category in ("Cc", "Cf", "Co", "Cn", "Zl", "Zp") or (category == "Zs" and letter != " ")


def _named(letter: str) -> str:
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'CONTROL')}"


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "") if letter.isalpha() else ""
    return name.split()[0].removesuffix("-") if name and not name.startswith("MODIFIER") else ""


def _scripts(sentence: str) -> dict[str, int]:
    found = Counter(script for letter in sentence if (script := _script(letter)))
    return dict(found)


def check_duplicates(rows: Sequence[Row]) -> Iterator[Hit]:
    """Sentences that stand more than once: all but the first with the same labels, all of them with different ones."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        places[" ".join(row.sentence.split())].append(at)
    for found in places.values():
        if len(found) > 1:
            yield from _twice(rows, found)


def _twice(rows: Sequence[Row], found: Sequence[int]) -> Iterator[Hit]:
    labels = {at: tuple(getattr(rows[at], name) for name in LABELS) for at in found}
    first: dict[tuple[str, ...], int] = {}
    for at in found:
        if labels[at] in first:
            yield Hit("duplicate", at, f"as line {rows[first[labels[at]]].line}")
        first.setdefault(labels[at], at)
    if len(first) > 1:
        for at in found:
            other = next(other for other in found if labels[other] != labels[at])
            differ = [
                f"{name} {mine or '(none)'} / {theirs or '(none)'}"
                for name, mine, theirs in zip(LABELS, labels[at], labels[other], strict=True)
                if mine != theirs
            ]
            yield Hit("two-labels", at, f"line {rows[other].line}: {', '.join(differ)}")
