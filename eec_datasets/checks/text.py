"""What can be seen in sentences as they stand, in any language: characters, punctuation, repetition.

Sentences go in as plain texts, in step with their labels; what is found names the check of the table (family
``corpus``) and the number of the sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eec_bias.shared import grouped
from eec_datasets.checks.characters import HIDDEN, JOINERS, SPACES, char_name, main_script, script_of

DOUBLE_SPACE = re.compile(r"(?<=\S)[ \u00a0]{2,}(?=\S)")
LINE_BREAK = re.compile("[\t\n\r]")
VOWEL_MARKS = re.compile("[\u064b-\u0652\u0670]")
NEED_JOINERS = ("DEVANAGARI", "BENGALI", "SINHALA")
YEHS = "\u06cc\u064a"
"""The letter of Persian, Urdu and Kurdish, which are spelt with joiners, and that of Arabic, which is not."""


@dataclass(frozen=True, slots=True)
class RowDefect:
    """One defect of one sentence: `check` is its name in the table, `row` its number, `detail` what was seen there."""

    check: str
    row: int
    detail: str = ""


def check_characters(sentences: Sequence[str]) -> Iterator[RowDefect]:
    """Characters that cannot be seen, letters of another script than most, letters that are not composed."""
    main = main_script(sentences)
    yehs = [sum(text.count(letter) for text in sentences) for letter in YEHS] if main == "ARABIC" else [0, 0]
    expected = JOINERS if main in NEED_JOINERS or yehs[0] > yehs[1] else ""
    for row, text in enumerate(sentences):
        unseen = [match[0] for pattern in (HIDDEN, SPACES, LINE_BREAK) for match in pattern.finditer(text)]
        if strange := [letter for letter in dict.fromkeys(unseen) if letter not in expected]:
            yield RowDefect("invisible", row, ", ".join(map(char_name, strange)))
        scripts = dict.fromkeys(script for letter in text if (script := script_of(letter)))
        if others := [script.capitalize() for script in scripts if script != main]:
            yield RowDefect("mixed-script", row, ", ".join(others))
        if not unicodedata.is_normalized("NFC", text):
            yield RowDefect("not-nfc", row)


def check_punctuation(sentences: Sequence[str]) -> Iterator[RowDefect]:
    """Spaces too many, a final mark that is missing or unlike most, a sentence that begins small."""
    marks = Counter(mark for text in sentences if (mark := _final(text)))
    usual = next((mark for mark, count in marks.items() if 2 * count > marks.total()), "")
    for row, text in enumerate(sentences):
        if DOUBLE_SPACE.search(text):
            yield RowDefect("double-space", row)
        if text != text.strip():
            yield RowDefect("outer-space", row)
        mark = _final(text)
        if not mark:
            yield RowDefect("no-final-mark", row)
        elif usual and mark != usual:
            yield RowDefect("other-final-mark", row, f"'{mark}', most have '{usual}'")
        first = next((letter for letter in text if letter.isalpha()), "")
        if first.islower():
            yield RowDefect("lower-case-start", row, first)


def _final(text: str) -> str:
    last = text.rstrip()[-1:]
    return last if last and unicodedata.category(last).startswith("P") else ""


def check_vowel_marks(persons: Sequence[str]) -> Iterator[RowDefect]:
    """Persons written with vowel marks, where most are not."""
    marked = [row for row, person in enumerate(persons) if VOWEL_MARKS.search(person)]
    if 2 * len(marked) < len(persons):
        yield from (RowDefect("vowel-marks", row, persons[row]) for row in marked)


def check_duplicates(
    sentences: Sequence[str], labels: Sequence[Mapping[str, str]], lines: Sequence[int]
) -> Iterator[RowDefect]:
    """Sentences that stand more than once: all but the first with the same labels, all of them with different ones.

    Parameters
    ----------
    lines : the line of each sentence, to name the other by.
    """
    for rows in grouped((" ".join(text.split()), row) for row, text in enumerate(sentences)).values():
        first: dict[tuple[str, ...], int] = {}
        for row in rows:
            same = first.setdefault(tuple(labels[row].values()), row)
            if same != row:
                yield RowDefect("duplicate", row, f"as line {lines[same]}")
        for row in rows if len(first) > 1 else ():
            other = next(other for other in rows if labels[other] != labels[row])
            differ = [
                f"{name} {mine or '(none)'} / {labels[other][name] or '(none)'}"
                for name, mine in labels[row].items()
                if mine != labels[other][name]
            ]
            yield RowDefect("two-labels", row, f"line {lines[other]}: {', '.join(differ)}")
