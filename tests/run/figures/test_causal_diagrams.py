"""Causal diagrams of a rating."""

import numpy as np
import pytest

import eec_datasets
from eec_bias import OptionError, Result, ResultError, measure
from eec_bias.figures.style import STYLES, Theme
from eec_bias.methods import rating

pytest.importorskip("matplotlib", reason="needs the extra plot")


@pytest.fixture(scope="module")
def rated() -> Result:
    rows = eec_datasets.confounded("en-black-white").to_pandas()
    scores = {"biased": np.where(rows["gender"] == "female", 1.0, -1.0), "blind": np.full(len(rows), 0.5)}
    return rating(scores, rows, score_range=(-1, 1))


def test_every_data_group_has_a_diagram(rated: Result) -> None:
    titles = [ax.get_title(loc="left") or ax.get_title() for ax in rated.plot("causal").axes]
    assert titles == ["Data group 1", "Data group 2", "Data group 3", "Data group 4"]


def test_the_arrow_that_is_tested_has_the_score_and_its_interval(rated: Result) -> None:
    assert "group 1: gender to sentiment, WRS 24 [24, 24]" in rated.plot("causal").eec_alt


def test_persons_and_words_are_joined_where_they_are_confounded(rated: Result) -> None:
    alt = rated.plot("causal").eec_alt
    assert "group 2: gender to emotion word, by design" in alt
    assert "group 1: gender to emotion word" not in alt


def test_another_system_can_be_drawn(rated: Result) -> None:
    assert "group 1: gender to sentiment, WRS 0 [0, 0]" in rated.plot("causal", system="blind").eec_alt


def test_a_saved_rating_with_its_details_can_be_drawn(rated: Result) -> None:
    saved = Result.from_dict(rated.to_dict(details=True))
    assert saved.plot("causal").eec_alt == rated.plot("causal").eec_alt


@pytest.mark.parametrize("theme", STYLES)
def test_the_diagrams_have_every_theme(rated: Result, theme: Theme) -> None:
    assert rated.plot("causal", theme=theme, width=3.4).eec_alt.startswith("Causal diagrams of biased. ")


def test_a_single_data_group_has_a_single_diagram() -> None:
    rows = eec_datasets.confounded("en-black-white", 3).to_pandas()
    result = rating(np.random.default_rng(0).random(len(rows)), rows)
    assert [ax.axison for ax in result.plot("causal").axes] == [False, False]
    assert "group 3: race to sentiment" in result.plot("causal").eec_alt


def test_a_system_that_was_not_rated_is_refused(rated: Result) -> None:
    with pytest.raises(OptionError, match="the systems rated are biased, blind"):
        rated.plot("causal", system="c")


def test_a_result_of_another_procedure_is_refused() -> None:
    data = eec_datasets.load("en-sample")
    with pytest.raises(ResultError, match="contains no rating of data groups"):
        measure(np.random.default_rng(0).random(len(data)), data).plot("causal")
