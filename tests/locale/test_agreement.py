"""A word takes the one form its controller asks for; anything else is an error that says where."""

import pytest

from eec_datasets.errors import NoForm, Place
from eec_datasets.locale.agreement import select
from eec_datasets.locale.model import Form, Word

HERE = Place("words.csv", 7)


def word(*forms: tuple[str, dict[str, str]]) -> Word:
    return Word("sad", tuple(Form(text, needs, HERE) for text, needs in forms), HERE)


def test_a_form_is_chosen_by_the_features_of_the_controller():
    sad = word(("triste", {"number": "sg"}), ("tristes", {"number": "pl"}))
    assert select(sad, {"gender": "f", "number": "pl"}).text == "tristes"


def test_a_feature_that_no_form_asks_for_does_not_matter():
    sad = word(("triste", {}))
    assert select(sad, {"gender": "f", "number": "pl", "case": "dat"}).text == "triste"


def test_no_form_is_an_error_that_names_the_word_and_the_features():
    with pytest.raises(NoForm) as error:
        select(word(("enojada", {"gender": "f"})), {"gender": "e"})
    assert str(error.value) == "words.csv:7: 'sad' has no form for gender e. Add a row for it"


def test_two_fitting_forms_are_an_error_that_names_both():
    with pytest.raises(NoForm) as error:
        select(word(("triste", {}), ("tristona", {"gender": "f"})), {"gender": "f"})
    assert str(error.value) == (
        "words.csv:7: 'sad' has 2 forms for gender f: 'triste' (words.csv:7) and 'tristona' (words.csv:7). Leave one"
    )
