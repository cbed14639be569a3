"""Quotations are not about their speaker: *he said* cannot mean a person in the quoted words."""

import itertools
import re

import pytest

from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.anchors import FORM, SAME, Anchors
from eec_datasets.rewrite.given_names import given_names, with_given
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.slots import Slot

EN = load_anchors("en", question=SAME)
SWAPS = load_anchors("en")
NAMED = with_given(EN, given_names(EN, {"Peter": "male", "Emma": "female"}, locales_folder()))
NAMES = {"f": "Zora", "m": "Egon"}
PRONOUNS = {"f": "she", "m": "he"}

SAID = (
    "the captain is late",
    "we saw the doctor and her nurse",
    "Qantas must pay",
    "the Taliban is gone",
    "everyone in the Royal Navy knows that",
    "I met somebody else",
    "that is the blorp of the Governor-General",
    "no child is safe",
)
FRAMES = ('"{said}," {she} said.', '"{said}!" {she} added, and left.', '"{said}," said {she}.', '{She} said: "{said}."')


def variant(anchors: Anchors, found: Rewritable, column: str) -> str:
    """The text with a name of a gender in it."""
    pieces = found.pieces[column]
    return "".join(
        anchors.roles[piece.role].replace(FORM, NAMES[column]) if isinstance(piece, Slot) else piece for piece in pieces
    )


def sentences(column: str) -> list[str]:
    """Quotations with a speaker of a gender."""
    she = PRONOUNS[column]
    return [
        frame.format(said=said[0].upper() + said[1:], she=she, She=she.capitalize())
        for frame, said in itertools.product(FRAMES, SAID)
        if " her " not in said or column == "f"
    ]


@pytest.mark.parametrize("column", ["f", "m"])
def test_a_word_that_the_person_says_is_not_the_person(column):
    for text in sentences(column):
        if " her " in text:
            continue
        found = resolve(EN, text)
        assert isinstance(found, Rewritable), text
        assert variant(EN, found, column) == re.sub(
            rf"\b{PRONOUNS[column]}\b", NAMES[column], text, flags=re.IGNORECASE
        )


@pytest.mark.parametrize("column", ["f", "m"])
def test_a_variant_of_the_other_gender_leads_back_to_the_text(column):
    other = "fm".replace(column, "")
    for text in sentences(column):
        found = resolve(SWAPS, text)
        if isinstance(found, LeftOut):
            continue
        said = variant(SWAPS, found, other)
        pronoun = PRONOUNS[other].capitalize() if said.startswith(NAMES[other]) else PRONOUNS[other]
        again = resolve(SWAPS, said.replace(NAMES[other], pronoun))
        assert isinstance(again, Rewritable), said
        assert variant(SWAPS, again, column) == variant(SWAPS, found, column)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('The minister was late. "The train broke down," he said.', "antecedent"),
        ('The captain "was late," he said.', "antecedent"),
        ('"The captain is late," he thought, and the doctor knew it.', ""),
        ('"he said the captain is late"', ""),
        ('He said "the captain" was late.', ""),
        ('"The captain said he is late," he said.', "quoted"),
        ('"We saw the doctor and her son," she said.', "quoted"),
        ('"The captain lost his head," I said.', "antecedent"),
    ],
)
def test_who_is_named_elsewhere_may_still_be_meant(text, reason):
    found = resolve(EN, text)
    assert (found.reason if isinstance(found, LeftOut) else "") == reason


@pytest.mark.parametrize(
    "text", ['"Peter is late," he said.', '"Emma must go," said she.', '"I saw Emma go!" she added.']
)
def test_a_listed_name_and_its_speaker_stay_two_people(text):
    found = resolve(NAMED, text)
    if isinstance(found, Rewritable):
        (pieces,) = found.pieces.values()
        assert sum(isinstance(piece, Slot) for piece in pieces) == 1
        assert re.search("Peter|Emma", str(pieces[0]))


def test_a_word_of_one_gender_that_the_person_says_is_not_swapped():
    text = '"My husband is late," she said.'
    assert isinstance(resolve(EN, text), Rewritable)
    assert resolve(SWAPS, text).reason == "gendered-noun"
