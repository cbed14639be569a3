"""Which way persons and words go together in data group 4."""

import pytest

from eec_datasets import confounded
from eec_datasets.errors import InputError


def positive(shares: dict[str, int] | None, name: str) -> float:
    """Percentage of happy sentences of a class in set E3."""
    rows = confounded("en-black-white", 4, words="E3", shares=shares).to_pandas()
    return float(100 * (rows["word"][rows["rg"] == name] == "happy").mean())


def test_the_papers_direction_favours_men_of_the_first_race() -> None:
    assert (positive(None, "white male"), positive(None, "Black female")) == (90, 10)


def test_the_direction_can_be_turned() -> None:
    turned = {"Black female": 90, "white male": 10}
    assert (positive(turned, "white male"), positive(turned, "Black female")) == (10, 90)


def test_classes_that_are_not_named_have_as_many_of_either_kind() -> None:
    assert positive({"Black female": 30}, "white male") == 50


def test_the_description_says_which_way_was_asked_for() -> None:
    about = confounded("en-black-white", 4, words="E3", shares={"Black female": 90}).info.description
    assert about.endswith("Positive words in group 4: Black female 90 %, others 50 %.")


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"Black women": 90}, "expected one of white male"),
        ({"Black female": 95}, "a multiple of 10 from 10 to 90"),
        ({"Black female": 100}, "a multiple of 10 from 10 to 90"),
        ({"Black female": 50}, "confounds nothing"),
    ],
)
def test_shares_that_cannot_be_made_are_refused(shares: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        confounded("en-black-white", 4, shares=shares)


def test_shares_without_group_four_are_refused() -> None:
    with pytest.raises(InputError, match="group 4, which is not asked for"):
        confounded("en-black-white", 2, shares={"Black female": 90})
