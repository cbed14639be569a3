"""The answer keys: every approved sentence comes out to the letter, the way a user gets it."""

from __future__ import annotations

import csv
import unicodedata
from functools import lru_cache

import pytest

from eec_datasets import corpora
from eec_datasets.checks import check
from eec_datasets.locale.model import PERSON_TYPES
from eec_datasets.locale.reading import load_locale, locales_folder, tags

TAGS = tags()
APPROVED = {"en": 600, "es": 600, "ar": 600}
DRAFTS = 44
"""Sentences per draft language that were fixed before its locale was written."""


def rows_of(tag):
    with (locales_folder() / tag / "expected.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@lru_cache(maxsize=4)
def sentences(config, variants, speaker, items):
    asked = dict(part.split("=") for part in variants.split())
    columns = corpora.render(config, variants=asked, speaker=speaker or None, items=items).columns
    return dict(zip(columns["id"], columns["text"], strict=True))


def items_with(row):
    """The set of templates that a row is from, whatever the config takes by itself."""
    return "papers" if row["id"] < "t12" else "varied"


@pytest.mark.parametrize("tag", TAGS)
def test_every_approved_sentence_comes_out_to_the_letter(tag):
    rows = sorted(rows_of(tag), key=lambda row: (row["config"], row["variants"], row["speaker"], items_with(row)))
    wrong = []
    for row in rows:
        got = sentences(row["config"], row["variants"], row["speaker"], items_with(row)).get(row["id"])
        if got != unicodedata.normalize("NFC", row["sentence"]):
            wrong.append((row["config"], row["id"], row["variants"], row["speaker"], got, row["sentence"]))
    assert wrong == []


@pytest.mark.parametrize("tag", TAGS)
def test_a_key_has_sentences_enough(tag):
    assert len(rows_of(tag)) >= APPROVED.get(tag, DRAFTS)


@pytest.mark.parametrize("tag", TAGS)
def test_a_key_is_complete_and_the_locale_without_an_error(tag):
    report = check(locales_folder() / tag)
    assert [str(finding) for finding in (*report.of("error"), *report.of("warning"))] == []
    assert report.unchecked == ()


@pytest.mark.parametrize("tag", TAGS)
def test_a_key_uses_every_template(tag):
    assert {row["id"].split("/")[0] for row in rows_of(tag)} == {template.id for template in load_locale(tag).templates}


@pytest.mark.parametrize("tag", ["en", "es", "ar"])
def test_every_varied_template_is_approved_for_both_genders_of_every_type_of_person(tag):
    locale = load_locale(tag)
    people = {
        (f"{tag}-{key}", person.id): (person.type, person.identity["gender"])
        for key, spec in locale.configs.items()
        for person in locale.persons
        if person.set in spec.sets
    }
    found = {
        (row["id"].split("/")[0], *people.get((row["config"], row["id"].rpartition("/")[2]), ("", "")))
        for row in rows_of(tag)
    }
    varied = locale.item_sets.templates["varied"]
    assert len(varied) == 52
    assert {(t, k, g) for t in varied for k in PERSON_TYPES for g in ("female", "male")} <= found
