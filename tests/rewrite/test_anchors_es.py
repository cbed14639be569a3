"""Spanish: who él and ella stand for, and which words agree with them."""

from __future__ import annotations

import csv
import unicodedata
from collections import Counter

import pytest
from anchor_keys import key_rows, said_of, wrong_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import Found, LeftOut, resolve

WORDS = locales_folder() / "es" / "anchor-words.csv"
KEYS = ("key-es.csv", "key-es-second.csv")
ANCHORS = load_anchors("es")


def said(text: str, female: str = "María", male: str = "Juan") -> tuple[str, str] | str:
    return said_of("es", text, female, male)


@pytest.mark.parametrize("name", KEYS)
def test_every_row_of_the_key_comes_out_as_it_was_written_by_hand(name: str) -> None:
    assert wrong_rows("es", name, "María", "Juan") == []


def test_the_keys_are_long_enough_and_hold_both_genders_and_every_reason_of_the_language() -> None:
    all_rows = [row for name in KEYS for row in key_rows(name)]
    assert len(all_rows) >= 240
    assert len({row["text"] for row in all_rows}) == len(all_rows)
    resolved = [resolve(ANCHORS, row["text"]) for row in all_rows]
    found = Counter(one.anchor for one in resolved if isinstance(one, Found))
    assert found["female"] >= 60
    assert found["male"] >= 60
    built_in = {"too-long", "control-characters", "no-name-slot"}
    assert set(ANCHORS.reasons) - {row["reason"] for row in all_rows} == built_in


@pytest.mark.parametrize("name", KEYS)
def test_a_text_said_of_her_or_him_again_is_the_text_itself(name: str) -> None:
    for row in key_rows(name):
        if row["female"]:
            again = said(row["text"], "ella", "él")
            assert row["text"].casefold() in [
                text.casefold() for text in again
            ]  # ELLA in the middle comes back as Ella


def test_the_accent_of_el_may_be_a_sign_of_its_own() -> None:
    text = unicodedata.normalize("NFD", "Él está cansado.")
    found = tuple(unicodedata.normalize("NFC", one) for one in said(text))
    assert found == ("María está cansada.", "Juan está cansado.")


def test_the_article_of_a_filler_fuses_with_the_word_before_it_and_a_name_with_el_does_not() -> None:
    assert said("A él le dije que no.", "la presidenta", "el presidente") == (
        "A la presidenta le dije que no.",
        "Al presidente le dije que no.",
    )
    assert said("Es culpa de ella.", "la jefa", "el jefe")[1] == "Es culpa del jefe."
    assert said("Es culpa de ella.", "Eva", "El Fary")[1] == "Es culpa de El Fary."
    assert said("Hablé con él.", "mi madre", "el rey")[1] == "Hablé con el rey."


def test_letter_case_of_what_agrees_is_kept() -> None:
    assert said("ELLA está Cansada y Tan LOCA como siempre") == (
        "María está Cansada y Tan LOCA como siempre",
        "Juan está Cansado y Tan LOCO como siempre",
    )


def test_the_word_a_text_was_left_out_for_is_said() -> None:
    found = resolve(ANCHORS, "Ella llegó toda patidifusa.")
    assert isinstance(found, LeftOut)
    assert (found.reason, found.anchor, found.word) == ("unknown-agreement", "female", "toda")


def test_every_word_stands_once_per_class_and_pairs_differ() -> None:
    with WORDS.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file, strict=True))
    entries = Counter((row["form"], row["f"], row["m"], name) for row in table for name in row["class"].split())
    assert [entry for entry, count in entries.items() if count > 1] == []
    assert [row for row in table if row["f"] and row["f"] == row["m"]] == []
    assert [row for row in table if unicodedata.normalize("NFC", "".join(row.values())) != "".join(row.values())] == []


def some_words() -> list[str]:
    with WORDS.open(encoding="utf-8", newline="") as file:
        listed = sorted({form for row in csv.DictReader(file) for form in (row["form"], row["f"], row["m"]) if form})
    return [*listed[::20], "la", "lo", "una", "el", "no", "y", ",", ".", "es", "está", "que", "a", "de", "se", "su"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(some_words()), max_size=8), st.lists(st.sampled_from(some_words()), max_size=8))
def test_said_of_the_same_gender_nothing_changes_but_the_first_pronoun(before: list[str], after: list[str]) -> None:
    for pronoun, own in (("ella", 0), ("él", 1)):
        text = " ".join([*before, pronoun, *after])
        found = said(text, "Nadine", "Egon")
        if not isinstance(found, str):
            assert found[own] == " ".join([*before, ("Nadine", "Egon")[own], *after])


def test_all_sentences_of_a_long_text_are_said_of_the_same_person() -> None:
    text = "Ella está cansada. " * 500
    found = said(text)
    assert found[1].startswith("Juan está cansado. Él está cansado. Él")
    assert "cansada" not in found[1]


def test_the_file_says_that_no_native_speaker_has_read_it() -> None:
    assert "No native speaker has read this file." in ANCHORS.notes
