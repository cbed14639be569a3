"""Scores of which no range is known: everything but the beta regression, which needs the bounds."""

import pytest
from synthetic import corpus, scores

from eec_bias import measure

DATA = corpus()
Y = scores(DATA)
SAME = ("effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high", "mde")


def test_effects_and_tests_are_those_of_the_same_scores_with_a_range() -> None:
    known, unknown = measure(Y, DATA).overall, measure(Y, DATA, score_range=None).overall
    for row, other in zip(known, unknown, strict=True):
        assert [row[key] for key in SAME] == pytest.approx([other[key] for key in SAME], rel=1e-12)


def test_they_are_in_the_units_of_the_scores() -> None:
    known, unknown = measure(Y, DATA).overall, measure(1000 * Y - 7, DATA, score_range=None).overall
    assert [row["effect"] for row in unknown] == pytest.approx([1000 * row["effect"] for row in known])


def test_there_is_no_beta_regression_and_it_is_said() -> None:
    result = measure(Y, DATA, score_range=None)
    assert {row["beta"] for row in result.overall} == {None}
    assert all("no range of the scores was declared" in row["reason"] for row in result.fits)
    assert next(note.key for note in result.notes) == "no_range"


def test_the_signature_says_it() -> None:
    assert "|range:none" in str(measure(Y, DATA, score_range=None).signature)


def test_a_margin_is_stated_in_the_units_of_the_scores() -> None:
    rows = measure(100 * Y, DATA, score_range=None, margin=50).equivalence
    assert rows[0]["margin"] == 50
