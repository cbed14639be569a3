"""Effect sizes over persons, worked by hand."""

import numpy as np
import pytest

from eec_bias.stats.effect_sizes import hedges_g, paired_superiority, superiority
from eec_bias.stats.layout import within_others
from eec_bias.stats.sums import summarise


def test_hedges_g_of_two_groups_of_two() -> None:
    means = summarise(np.array([0.2, 0.4, 0.6, 0.8]).reshape(1, 4, 1), np.array([0, 0, 1, 1]))
    # Pooled sd √0.02, difference 0.4, correction 1 − 3/(4·2 − 1).
    assert hedges_g(np.array([[0.4]]), means)[0, 0] == pytest.approx(0.4 / 0.02**0.5 * 4 / 7)


def test_hedges_g_pools_the_cells_by_their_degrees_of_freedom() -> None:
    values = np.array([0.1, 0.3, 0.5, 0.6, 0.7]).reshape(1, 5, 1)
    means = summarise(values, np.array([0, 0, 0, 1, 1]))
    # (2 · 0.04 + 1 · 0.005)/3 within cells, correction 1 − 3/11.
    assert hedges_g(np.array([[0.35]]), means)[0, 0] == pytest.approx(0.35 / (0.085 / 3) ** 0.5 * 8 / 11)


def test_superiority_counts_pairs_of_persons_and_halves_ties() -> None:
    person, cell = np.array([[0.5, 0.7, 0.9, 0.5, 0.8]]), np.array([0, 0, 0, 1, 1])
    # Above: .7 > .5, .9 > .5, .9 > .8; one tie; of six pairs.
    assert superiority(person, cell, np.array([1.0, -1.0]), np.array([[0, 1]]))[0] == pytest.approx(3.5 / 6)


def test_superiority_is_taken_within_the_cells_of_the_other_axes() -> None:
    # Women score higher in one race and lower in the other, which scores far higher: pooled it would be another share.
    person, cell = np.array([[0.2, 0.3, 0.1, 0.0, 0.6, 0.7, 0.8, 0.9]]), np.repeat(np.arange(4), 2)
    gender, cells = np.array([0.5, -0.5, 0.5, -0.5]), within_others((2, 2), (1,))
    assert superiority(person, cell, gender, cells)[0] == 0.5
    # A simple effect leaves the other race out.
    assert superiority(person, cell, np.array([0, 0, 1.0, -1.0]), cells)[0] == 0.0
    # Cells of other sizes count alike.
    person, cell = np.array([[0.5, 0.1, 0.3, 0.4, 0.2]]), np.array([0, 1, 2, 3, 3])
    assert superiority(person, cell, gender, cells)[0] == pytest.approx((1 + 0.5) / 2)


def test_superiority_within_pairs_counts_differences_above_zero() -> None:
    assert paired_superiority(np.array([[0.1, 0.0, -0.2, 0.3]]))[0] == pytest.approx(2.5 / 4)


def test_persons_that_do_not_differ_have_no_standardised_difference() -> None:
    means = summarise(np.array([0.2, 0.2, 0.6, 0.6]).reshape(1, 4, 1), np.array([0, 0, 1, 1]))
    assert np.isnan(hedges_g(np.array([[0.4]]), means)).all()
