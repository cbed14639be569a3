"""Joins, sentence case and the final mark are applied at word boundaries only, wherever the emotion word stands."""

import pytest

from eec_datasets.locale.finishing import finished, straddled
from eec_datasets.locale.model import Finish, Join
from eec_datasets.render.filling import Sides

SPANISH = Finish("upper_first", ".", (Join("a el", "al"), Join("de el", "del")))


@pytest.mark.parametrize(
    ("filled", "sentence"),
    [
        ("hablé de el Reino Unido", "Hablé del Reino Unido."),
        ("a el mercado", "Al mercado."),
        ("Vi a él en el mercado", "Vi a él en el mercado."),
        ("para el mercado", "Para el mercado."),
        ("una carta a elle", "Una carta a elle."),
        ("Vi a El Salvador", "Vi a El Salvador."),
        ("él se siente triste", "Él se siente triste."),
    ],
)
def test_contractions_join_the_article_and_nothing_else(filled, sentence):
    assert finished(filled, SPANISH) == sentence


def test_a_script_without_case_is_left_alone():
    assert finished("هي تشعر", Finish("none", ".")) == "هي تشعر."


def test_a_language_may_name_its_own_capitals():
    assert finished("iyi", Finish("upper_first", ".", capitals={"i": "İ"})) == "İyi."


def test_a_join_that_reaches_across_the_emotion_word_is_still_made():
    assert straddled("habla de", " país", SPANISH.joins)
    sides = Sides(["habla de ", "hablo de "], [" país", " país"], plain=False)
    assert sides.texts(["el buen", "mi"], SPANISH) == ["Habla del buen país.", "Hablo de mi país."]


def test_a_join_away_from_the_emotion_word_needs_no_second_look():
    assert not straddled("una ", " situación", SPANISH.joins)
