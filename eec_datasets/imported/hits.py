"""What a check finds, and the kinds of defect there are."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = {
    "duplicate": "the same sentence twice, with the same labels",
    "two-labels": "the same sentence under different labels",
    "missing-row": "a sentence that others of its kind have is missing",
    "double-space": "two spaces or more in a row",
    "outer-space": "a space before or after the sentence",
    "no-final-mark": "nothing ends the sentence",
    "other-final-mark": "another final mark than most sentences have",
    "lower-case-start": "the sentence begins in lower case",
    "invisible": "an invisible or unusual space character",
    "mixed-script": "letters of another script than most of the file",
    "not-nfc": "letters that are not composed (Unicode NFC)",
    "vowel-marks": "a name with vowel marks, where most have none",
    "person-not-found": "the person of the label is not in the sentence",
    "word-not-found": "the emotion word of the label is not in the sentence",
    "frame": "other words around person and emotion word than most sentences of its template and kind of person have",
    "spelling": "a word that our word lists spell otherwise",
    "person-form": "the person in the wrong case (makes he)",
    "article": "a for an, or an for a",
    "agreement": "a word in a form that does not agree",
}
"""Kind of defect → what it means, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One defect of one row: `row` is its position in the file, `detail` what was seen there."""

    kind: str
    row: int
    detail: str = ""
