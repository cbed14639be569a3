"""English: every row of the keys comes out as it was written down by hand."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from anchor_keys import key_rows, wrong_rows

from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import Found, LeftOut, resolve
from eec_datasets.rewrite.slots import Slot

PRONOUN = r"(?:s?he|him|hers?|his)(?:['’](?:ll|d|s)|s)?"
EXPANDED = re.compile(r"(?: will| had| would|['’]s)?")
Perturbed = Callable[[str, str, str, str], tuple[str, str] | str]


@pytest.mark.parametrize("key", ["key-en.csv", "key-en-unseen.csv"])
def test_every_row_of_the_key_comes_out_as_written(key):
    assert wrong_rows("en", key, "Maria", "Adam") == []


def test_the_key_is_large_and_says_both_what_is_rewritten_and_what_is_left_out():
    rows = key_rows("key-en.csv")
    assert len(rows) >= 150
    assert sum(bool(row["reason"]) for row in rows) >= 50
    assert sum(not row["reason"] for row in rows) >= 100
    assert all(bool(row["reason"]) == (row["female"] == row["male"] == "") for row in rows)


def test_a_filler_of_the_anchors_own_gender_changes_nothing_but_the_first_mention():
    rewritten = [row["text"] for row in key_rows("key-en.csv") if not row["reason"]]
    for text in rewritten:
        found = resolve(load_anchors("en"), text)
        assert isinstance(found, Found)
        pattern = ""
        for piece in found.pieces["f" if found.anchor == "female" else "m"]:
            if isinstance(piece, Slot):
                pattern += PRONOUN
                continue
            expanded = EXPANDED.match(piece)[0] if pattern.endswith(PRONOUN) else ""
            pattern += (f"(?:{re.escape(expanded)})?" if expanded else "") + re.escape(piece[len(expanded) :])
        assert re.fullmatch(pattern, text, re.IGNORECASE), (pattern, text)


def test_noun_phrases_are_put_in_with_their_possessive_and_a_capital(perturbed: Perturbed):
    assert perturbed("en", "His dog is old.", "my sister", "this man") == (
        "My sister's dog is old.",
        "This man's dog is old.",
    )
    assert perturbed("en", "he lied", "my sister", "this man") == ("my sister lied", "this man lied")


def test_every_text_keeps_all_characters_around_its_mentions(perturbed: Perturbed):
    text = "  \tSo…  he   is\xa0late!!  \U0001f602 (again) "
    assert perturbed("en", text, "Maria", "Adam") == (text.replace("he", "Maria", 1), text.replace("he", "Adam", 1))


def test_a_reason_says_on_which_word_it_hangs():
    found = resolve(load_anchors("en"), "The doctor said he was busy.")
    assert isinstance(found, LeftOut)
    assert (found.reason, found.anchor, found.word) == ("antecedent", "male", "doctor")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Tell her to wait.", "Tell Adam to wait."),
        ("Tell her story.", "her-ambiguous"),
        ("I lost her keys.", "I lost Adam's keys."),
        ("I lost her.", "I lost Adam."),
        ("She lost her keys and I found her.", "Adam lost his keys and I found him."),
        ("I gave her keys away.", "her-ambiguous"),
        ("They let her go.", "They let Adam go."),
        ("It makes her happy.", "It makes Adam happy."),
        ("It makes her happy place sad.", "her-ambiguous"),
        ("When I met her life was hard.", "her-ambiguous"),
        ("When I met her, life was hard.", "When I met Adam, life was hard."),
        ("I bought it from her last week.", "her-ambiguous"),
    ],
)
def test_object_and_possessive_her_are_told_apart_or_left_out(perturbed: Perturbed, text, kind):
    got = perturbed("en", text, "Maria", "Adam")
    assert (got if isinstance(got, str) else got[1]) == kind
