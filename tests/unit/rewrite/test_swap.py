"""Texts about men with women's words in their place, and the counts of what is kept of both."""

from collections import Counter

import pytest
from scipy.stats import binomtest

from benchmarks import natural, swap
from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.given_names import given_names, with_given
from eec_datasets.rewrite.load import load_anchors

NAMES = {"Adam": "male", "Peter": "male", "Emma": "female", "Sarah": "female"}


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("He told himself that HE’D win, and he's right.", "She told herself that SHE’D win, and she's right."),
        ("I gave him his book. The book is his.", "I gave her her book. The book is hers."),
        ("That book of his is good.", ""),
        ("The Adam I saw.", "The Emma I saw."),
        ("Mr. Smith's son, Peter Adam, left.", "Ms. Smith's son, Sarah Adam, left."),
        ("Sir Peter’s eyes", "Lady Sarah’s eyes"),
    ],
)
def test_mens_words_become_womens_or_give_no_text(text, swapped):
    anchors = load_anchors("en")
    assert swap.swapped(with_given(anchors, given_names(anchors, NAMES, locales_folder())), text) == swapped
    assert swap.swapped(anchors, "Adam said he left.") == "Adam said she left."


def test_texts_about_men_are_counted_by_role_and_by_the_way_they_are_kept():
    texts = "He left.|I saw him.|Give him money.|That book of his is good.|She left.|He saw him.|No."
    assert swap.pairs(load_anchors("en"), texts.split("|"), 50) == {
        ("subject", swap.BOTH): 1, ("object", swap.BOTH): 1, ("object", swap.HE): 1, ("subject", swap.NEITHER): 1,
        ("possessive", swap.UNSURE): 1,
        ("all", swap.BOTH): 2, ("all", swap.HE): 1, ("all", swap.NEITHER): 1, ("all", swap.UNSURE): 1,
    }  # fmt: skip


def test_the_interval_is_that_of_an_exact_test_of_equal_chances():
    counts = Counter({swap.BOTH: 189, swap.HE: 8, swap.SHE: 3, swap.NEITHER: 568})
    low, high = binomtest(3, 11).proportion_ci(method="exact")
    assert swap.discordant(counts) == f"0.38 [{low / (1 - low):.2f}, {high / (1 - high):.2f}]"
    assert swap.odds(counts) == f"{(192 / 576) / (197 / 571):.2f}"
    assert swap.discordant(Counter({swap.BOTH: 3})) == swap.odds(Counter({swap.NEITHER: 3})) == "–"


def test_the_table_adds_up_the_genres():
    row = {"tagger": "none", "replace": "none", "role": "object"} | dict.fromkeys(swap.OUTCOMES, "1")
    *_, line = natural.swap_lines([row, row])
    odds = swap.discordant({swap.HE: 2, swap.SHE: 2})
    assert line == f"| none | none | object | 2 | 2 | 2 | 2 | 2 | 1.00 | {odds} |"
