"""A word takes the one form its controller asks for; anything else is an error that says where."""

import pytest

from eec_datasets.errors import NoForm, Place
from eec_datasets.locale.agreement import select
from eec_datasets.locale.model import Form, Word

HERE = Place("words.csv", 7)


def word(*forms: tuple[str, dict[str, str]]) -> Word:
    return Word("sad", tuple(Form(text, needs, HERE) for text, needs in forms), HERE)


@pytest.mark.parametrize(
    ("forms", "features", "told"),
    [
        ([("triste", {"number": "sg"}), ("tristes", {"number": "pl"})], {"gender": "f", "number": "pl"}, "tristes"),
        ([("triste", {})], {"gender": "f", "number": "pl", "case": "dat"}, "triste"),
        ([("enojada", {"gender": "f"})], {"gender": "e"},
         "words.csv:7: 'sad' has no form for gender e. Add a row for it"),
        ([("triste", {}), ("tristona", {"gender": "f"})], {"gender": "f"},
         "words.csv:7: 'sad' has 2 forms for gender f: 'triste' (words.csv:7) and 'tristona' (words.csv:7). Leave one"),
    ],
)  # fmt: skip
def test_the_one_form_that_fits_is_chosen_and_anything_else_is_told(forms, features, told):
    if len(told.split()) == 1:
        assert select(word(*forms), features).text == told
        return
    with pytest.raises(NoForm) as error:
        select(word(*forms), features)
    assert str(error.value) == told
