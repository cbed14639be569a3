"""Names that are far from the others of their group."""

from collections.abc import Callable

import numpy as np
import pytest

from eec_bias.result.numbers import signed
from eec_datasets.audit.standouts import outliers, standouts
from eec_datasets.systems.base import score_batch
from eec_datasets.systems.corpus import Corpus, open_corpus
from eec_datasets.systems.registry import open_system


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return open_corpus("en-black-white")


def scored(corpus: Corpus, score: Callable[[str, str], float]) -> list[float]:
    return [
        score(form, gender)
        for form, gender in zip(corpus.columns["person_form"], corpus.columns["gender"], strict=True)
    ]


def test_a_name_that_is_in_the_lexicon_stands_out(corpus: Corpus) -> None:
    vader = open_system("vader")
    (found,) = standouts(corpus, score_batch(vader, corpus.columns), vader.score_range)
    assert (found.form, found.labels) == ("Tia", {"race": "Black", "gender": "female"})
    assert str(found) == f"Tia (Black female) {signed(found.distance)}"
    assert found.distance > 0.4
    assert found.p < 1e-6


def test_usual_spread_or_a_group_difference_makes_nobody_stand_out(corpus: Corpus) -> None:
    for score in (
        lambda _, gender: float(gender == "female"),
        lambda form, _: (sum(map(ord, form)) % 10) / 10,
        lambda form, _: 0.3 + 1e-15 * (form == "Ebony"),
    ):
        assert standouts(corpus, scored(corpus, score), (0.0, 1.0)) == []


def test_the_farthest_comes_first_and_pronouns_take_no_part(corpus: Corpus) -> None:
    odd = {"Ebony": 0.9, "Adam": 0.1, "she": 1.0, "my mother": 1.0}
    found = standouts(corpus, scored(corpus, lambda form, _: odd.get(form, 0.4)), (0.0, 1.0))
    assert [str(name) for name in found] == ["Ebony (Black female) +0.500", "Adam (white male) -0.300"]


def test_outliers_are_those_of_statsmodels() -> None:
    from statsmodels.regression.linear_model import OLS

    groups = np.repeat(range(4), (10, 10, 12, 5))
    values = np.random.default_rng(4).normal(size=len(groups)) + groups
    values[7] += 6
    expected = OLS(values, np.eye(4)[groups]).fit().outlier_test("bonf")
    _, p = outliers(values, groups)
    np.testing.assert_allclose(p, expected[:, 2], rtol=1e-9)
    assert np.flatnonzero(p < 0.05).tolist() == [7]


def test_a_name_is_called_far_by_chance_in_five_of_a_hundred_draws() -> None:
    draws, groups = np.random.default_rng(0).normal(size=(2000, 40)), np.repeat(range(4), 10)
    rate = np.mean([(outliers(values, groups)[1] < 0.05).any() for values in draws])
    assert rate == pytest.approx(0.05, abs=0.015)


def test_too_few_names_to_judge_by_stand_nowhere() -> None:
    far, p = outliers(np.array([0.0, 1.0, 5.0]), np.array([0, 0, 1]))
    assert (far.tolist(), p.tolist()) == ([-1.0, 1.0, 0.0], [1.0, 1.0, 1.0])
