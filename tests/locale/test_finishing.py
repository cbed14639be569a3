"""Joins, sentence case and the final mark are applied at word boundaries only, wherever the emotion word stands."""

import pytest

from eec_datasets.locale.finishing import finished
from eec_datasets.locale.model import Finish, Join

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
        ("habla de el buen país", "Habla del buen país."),
        ('"¡él se fue!", dijo', '"¡Él se fue!", dijo.'),
    ],
)
def test_contractions_join_the_article_and_nothing_else(filled, sentence):
    assert finished([filled], SPANISH) == [sentence]


def test_a_script_without_case_is_left_alone():
    assert finished(["هي تشعر"], Finish("none", ".")) == ["هي تشعر."]


def test_a_template_may_have_a_final_mark_of_its_own():
    assert finished(["¿él viene"], SPANISH, "?") == ["¿Él viene?"]
    assert finished(["él viene…"], SPANISH, "") == ["Él viene…"]


def test_a_language_may_name_its_own_capitals():
    assert finished(["iyi"], Finish("upper_first", ".", capitals={"i": "İ"})) == ["İyi."]
