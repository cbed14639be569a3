"""The words of the page: the same keys and places in every language, and which language a visitor gets."""

import re

import pytest

from eec_datasets.app.words import PageWords, choose_language, languages, texts

OTHERS = [tag for tag in languages() if tag != "en"]


def places(language):
    """The places of every text of a language, by table and key."""
    tables = {name: table for name, table in texts(language).items() if isinstance(table, dict)}
    return {
        (name, key): sorted(re.findall(r"\{\w*\}", text))
        for name, table in tables.items()
        for key, text in table.items()
    }


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_keys_and_places_of_english(language):
    assert places(language) == places("en")


def test_the_page_speaks_the_languages_of_reports_by_their_names():
    assert languages() == {"en": "English", "ar": "العربية", "es": "Español"}


@pytest.mark.parametrize(
    ("search", "accepted", "expected"),
    [
        ("", "", "en"),
        ("", "fr-FR,es-MX;q=0.8,en", "es"),
        ("?lang=ar", "es", "ar"),
        ("?lang=tlh", "es", "es"),
        ("?config=en-gender", "de,fr", "en"),
    ],
)
def test_a_link_has_the_first_word_on_the_language(search, accepted, expected):
    assert choose_language(search, accepted) == expected


def test_numbers_are_written_as_the_language_does():
    assert "8.640" in PageWords("es").say("facts.of_one_size", persons=8640, groups=4, size=10)
