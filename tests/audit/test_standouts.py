"""Names that are far from the others of their group."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eec_bias.result.numbers import signed
from eec_datasets.audit.standouts import standouts
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
    assert (found.form, found.group) == ("Tia", "Black female")
    assert str(found) == f"Tia (Black female) {signed(found.distance)}"
    assert found.distance > 0.4


@pytest.mark.parametrize(
    "score",
    [
        lambda _, gender: float(gender == "female"),
        lambda form, _: (sum(map(ord, form)) % 10) / 10,
        lambda form, _: 0.3 + 1e-15 * (form == "Ebony"),
    ],
    ids=["a difference between groups", "the usual spread", "rounding"],
)
def test_nobody_stands_out_by(corpus: Corpus, score: Callable[[str, str], float]) -> None:
    assert standouts(corpus, scored(corpus, score), (0.0, 1.0)) == []


def test_the_farthest_comes_first_and_pronouns_take_no_part(corpus: Corpus) -> None:
    odd = {"Ebony": 0.9, "Adam": 0.1, "she": 1.0, "my mother": 1.0}
    found = standouts(corpus, scored(corpus, lambda form, _: odd.get(form, 0.4)), (0.0, 1.0))
    assert [str(name) for name in found] == ["Ebony (Black female) +0.500", "Adam (white male) -0.300"]
