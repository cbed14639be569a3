"""The answer keys: every approved sentence comes out to the letter, the way a user gets it."""

from __future__ import annotations

import csv
import unicodedata
from functools import lru_cache

import pytest

from eec_datasets import corpora
from eec_datasets.checks import check
from eec_datasets.locale.reading import locales_folder, tags

TAGS = tags()
APPROVED = {"en": 200, "es": 200, "ar": 200}
DRAFTS = 44
"""Sentences per draft language that were fixed before its locale was written."""


def rows_of(tag):
    with (locales_folder() / tag / "expected.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@lru_cache(maxsize=4)
def sentences(config, variants, speaker):
    asked = dict(part.split("=") for part in variants.split())
    columns = corpora.render(config, variants=asked, speaker=speaker or None).columns
    return dict(zip(columns["id"], columns["text"], strict=True))


@pytest.mark.parametrize("tag", TAGS)
def test_every_approved_sentence_comes_out_to_the_letter(tag):
    rows = sorted(rows_of(tag), key=lambda row: (row["config"], row["variants"], row["speaker"]))
    wrong = []
    for row in rows:
        got = sentences(row["config"], row["variants"], row["speaker"]).get(row["id"])
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
    assert {row["id"].split("/")[0] for row in rows_of(tag)} == {f"t{number:02}" for number in range(1, 12)}
