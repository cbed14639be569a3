"""Characters that may be taken away from a sentence: a list of them, and no other regular expression."""

import pytest

from eec_datasets.locale.grammar import is_character_class


@pytest.mark.parametrize("text", [r"[\u064B-\u0652\u0670]", "[abc]", "[a-z\u0301]", "[ً-ْ]", "[.]", "[*+]"])
def test_characters_and_ranges_of_them_in_brackets_are_a_class(text: str) -> None:
    assert is_character_class(text)


@pytest.mark.parametrize(
    "text",
    [
        r"(\w+\s?)+\d",
        "[",
        "[]",
        "a",
        "[a]+",
        "[a]|[b]",
        "[^a]",
        r"[\w]",
        "[[a]]",
        "[z-a]",
        "[a]]",
        "(a+)+b",
        "[a-]",
        "",
    ],
)
def test_any_other_pattern_is_none(text: str) -> None:
    assert not is_character_class(text)
