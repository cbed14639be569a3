"""English, Spanish: every row of the keys comes out as it was written by hand, and what holds for all texts.

No native speaker has read the Spanish keys.
"""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.fillers import filler
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.rows import Batches
from eec_datasets.rewrite.slots import Filler, Rewrite, Slot

HERE = Path(__file__).parent
PERSONS = {"en": ("Maria", "Adam"), "es": ("María", "Juan")}
KEYS = {
    "en": ("key-en.csv", "key-en-unseen.csv", "key-en-natural.csv"),
    "es": ("key-es.csv", "key-es-second.csv", "key-es-natural.csv"),
}  # fmt: skip


@cache
def two(language: str, persons: tuple[str, ...]) -> list[Filler]:
    """A woman and a man by name."""
    anchors = load_anchors(language)
    return [
        filler(anchors, column, form, id=column, type="name", labels={}, roles={})
        for form, column in zip(persons, anchors.columns.values(), strict=True)
    ]


def said_of(language: str, text: str, persons: tuple[str, ...] = ()) -> tuple[str, ...] | str:
    """The text said of a woman and of a man, or the reason for which it is left out."""
    return all_said_of(language, [text], two(language, persons or PERSONS[language]))[0]


@cache
def resolved(language: str, text: str) -> Rewritable | LeftOut:
    """Find the mentions in a text once."""
    return resolve(load_anchors(language), text)


def all_said_of(language: str, texts: Sequence[str], fillers: list[Filler]) -> list[tuple[str, ...] | str]:
    """Each text said of each, as rows are made of it; or the reason for which it is left out."""
    found = [resolved(language, text) for text in texts]
    # The text itself is not given: it may name a person already.
    kept = [Rewrite("s", "", each.anchor, each.pieces) for each in found if isinstance(each, Rewritable)]
    batches = Batches(kept, fillers, language=language, fuse=load_anchors(language).fuse)
    rows = [text for batch in batches for text in batch["text"].to_pylist()]
    of_each = zip(*[iter(rows)] * (len(fillers) + 1), strict=True)
    return [each.reason if isinstance(each, LeftOut) else tuple(next(of_each)[1:]) for each in found]


@cache
def key_rows(name: str) -> list[dict[str, str]]:
    """The rows of a key in this folder: text, female, male, reason."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@cache
def rewritten(language: str) -> list[tuple[str, Rewritable]]:
    """The texts of all keys of a language that are rewritten, and what was found in them."""
    texts = [row["text"] for name in KEYS[language] for row in key_rows(name)]
    found = [(text, resolved(language, text)) for text in texts]
    return [(text, found) for text, found in found if isinstance(found, Rewritable)]


ALL = [(language, name) for language, names in KEYS.items() for name in names]


@pytest.mark.parametrize(("language", "name"), ALL)
def test_every_row_of_the_key_comes_out_as_it_was_written_by_hand(language, name):
    wrong, rows = [], key_rows(name)
    said = all_said_of(language, [row["text"] for row in rows], two(language, PERSONS[language]))
    for line, (row, got) in enumerate(zip(rows, said, strict=True), start=2):
        expected = row["reason"] or (row["female"], row["male"])
        if got != expected:
            wrong.append(f"{name}:{line}: {row['text']}\n  expected {expected}\n  got      {got}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("language", "rows", "each", "refused"), [("en", 150, 40, 50), ("es", 240, 60, 60)])
def test_the_keys_hold_both_genders_and_texts_that_must_be_left_out(language, rows, each, refused):
    texts = [row["text"] for name in KEYS[language] for row in key_rows(name)]
    found = Counter(one.anchor for _, one in rewritten(language))
    assert len(set(texts)) >= rows
    assert min(found["female"], found["male"]) >= each
    assert len(texts) - found.total() >= refused


def test_the_spanish_keys_hold_every_reason_of_the_language():
    reasons = {row["reason"] for name in KEYS["es"] for row in key_rows(name)}
    lacking = {"too-long", "control-characters", "no-name-slot", "several-names", "round-trip", "no-names", "check"}
    assert set(load_anchors("es").reasons) - reasons == lacking


def test_that_no_native_speaker_has_read_spanish_is_said():
    assert "No native speaker has read this file." in load_anchors("es").notes


PRONOUN = r"(?:s?he|him|hers?|his)(?:['’](?:ll|d|s)|s)?"
EXPANDED = re.compile(r"(?: will| had| would|['’]s)?")


def test_an_english_name_of_the_own_gender_changes_the_first_mention():
    for text, found in rewritten("en"):
        pattern = ""
        for piece in found.pieces["f" if found.anchor == "female" else "m"]:
            if isinstance(piece, Slot):
                pattern += PRONOUN
                continue
            expanded = EXPANDED.match(piece)[0] if pattern.endswith(PRONOUN) else ""
            pattern += (f"(?:{re.escape(expanded)})?" if expanded else "") + re.escape(piece[len(expanded) :])
        assert re.fullmatch(pattern, text, re.IGNORECASE), (pattern, text)


def test_a_spanish_text_said_of_her_or_him_again_is_the_text_itself():
    texts = [text for text, _ in rewritten("es")]
    for text, again in zip(texts, all_said_of("es", texts, two("es", ("ella", "él"))), strict=True):
        assert text.casefold() in [one.casefold() for one in again]  # ELLA in the middle comes back as Ella


SPACED = "So…  he   is\xa0late!!  \U0001f602 (again)"
"""All characters around a mention are kept."""


@pytest.mark.parametrize(
    ("language", "text", "persons", "female", "male"),
    [
        ("en", "His dog is old.", ("my sister", "this man"), "My sister's dog is old.", "This man's dog is old."),
        ("en", "he lied", ("my sister", "this man"), "my sister lied", "this man lied"),
        ("es", "A él le dije que no.", ("la presidenta", "el presidente"), "A la presidenta le dije que no.",
         "Al presidente le dije que no."),
        ("es", "Es culpa de ella.", ("la jefa", "el jefe"), "Es culpa de la jefa.", "Es culpa del jefe."),
        ("es", "Es culpa de ella.", ("Eva", "El Fary"), "Es culpa de Eva.", "Es culpa de El Fary."),
        ("es", "Hablé con él.", ("mi madre", "el rey"), "Hablé con mi madre.", "Hablé con el rey."),
        ("en", f"  \t{SPACED} ", (), f"  \t{SPACED.replace('he', 'Maria')} ", f"  \t{SPACED.replace('he', 'Adam')} "),
        ("es", "E\u0301l está cansado.", (), "María está cansada.", "Juan está cansado."),
    ],
)  # fmt: skip
def test_a_filler_is_written_with_what_stands_beside_it(language, text, persons, female, male):
    assert tuple(unicodedata.normalize("NFC", one) for one in said_of(language, text, persons)) == (female, male)


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "The doctor said he was busy.", {"reason": "antecedent", "anchor": "male", "word": "doctor"}),
        ("es", "Ella llegó toda patidifusa.", {"reason": "unknown-agreement", "anchor": "female", "word": "toda"}),
        ("es", "Mi madre dice que ella no viene.", {"role": "subject"}),
        ("es", "Casa nueva, no habites en ella.", {"role": "other"}),
        ("es", "Mi madre dice que a ella le gusta.", {"role": "object"}),
    ],
)
def test_a_text_that_is_left_out_says_why_by_word_and_role(language, text, told):
    left = resolved(language, text)
    assert isinstance(left, LeftOut)
    assert {key: getattr(left, key) for key in told} == told


with (locales_folder() / "es" / "anchor-words.csv").open(encoding="utf-8", newline="") as file:
    SPANISH = list(csv.DictReader(file, strict=True))


def test_every_spanish_word_stands_once_per_class_and_pairs_differ():
    entries = Counter((row["form"], row["f"], row["m"], name) for row in SPANISH for name in row["class"].split())
    assert [entry for entry, count in entries.items() if count > 1] == []
    assert [row for row in SPANISH if row["f"] and row["f"] == row["m"]] == []
    assert [row for row in SPANISH if not unicodedata.is_normalized("NFC", "".join(row.values()))] == []


LISTED = sorted({form for row in SPANISH for form in (row["form"], row["f"], row["m"]) if form})[::20]
FUNCTION_WORDS = ["la", "lo", "una", "el", "no", "y", ",", ".", "es", "está", "que", "a", "de", "se", "su"]
SOME = st.lists(st.sampled_from([*LISTED, *FUNCTION_WORDS]), max_size=8)


@settings(max_examples=200, deadline=None)
@given(SOME, SOME)
def test_said_of_the_same_gender_nothing_changes_but_the_first_pronoun(before, after):
    for pronoun, own in (("ella", 0), ("él", 1)):
        found = said_of("es", " ".join([*before, pronoun, *after]), ("Nadine", "Egon"))
        if not isinstance(found, str):
            assert found[own] == " ".join([*before, ("Nadine", "Egon")[own], *after])


def test_all_sentences_of_a_long_text_are_said_of_the_same_person():
    assert said_of("es", "Ella está cansada. " * 500)[1] == "Juan está cansado. " + "Él está cansado. " * 499
