"""The program that chooses names: the best choice that keeps every bound."""

from itertools import combinations, product

import numpy as np
import pytest

from eec_datasets.names import program
from eec_datasets.names.program import Candidates, Limits


def candidates(features, worth, families=(), endings=(), kept=()) -> Candidates:
    count = len(worth)
    return Candidates(
        np.array(features, dtype=float).reshape(count, -1),
        np.array(worth, dtype=float),
        np.isin(np.arange(count), list(kept)),
        families or [str(place) for place in range(count)],
        endings or [str(place) for place in range(count)],
    )


def best_by_trying(cells: list[Candidates], limits: Limits) -> float:
    """The greatest worth that any choice has which keeps every bound."""
    tried = product(*(combinations(range(len(cell.worth)), limits.size) for cell in cells))
    kept = (chosen for chosen in tried if program.kept_by(cells, [list(places) for places in chosen], limits))
    return max(
        sum(cell.worth[list(places)].sum() for cell, places in zip(cells, chosen, strict=True)) for chosen in kept
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_program_finds_the_best_choice_that_keeps_every_bound(seed):
    rng = np.random.default_rng(seed)
    cells = [
        candidates(rng.normal(shift, 1, size=(8, 2)), rng.random(8), [*"aaabbbcd"], [*rng.permutation([*"xxxxyyzz"])])
        for shift in (0, 0.4)
    ]
    limits = Limits(4, within=9, family_at_most=2, ending_at_most=2, families_at_least=2.5)
    found = program.best(cells, limits)
    assert program.kept_by(cells, found, limits)
    worth = sum(cell.worth[places].sum() for cell, places in zip(cells, found, strict=True))
    assert worth >= best_by_trying(cells, limits) * (1 - program.GAP)


def test_a_choice_that_keeps_every_bound_is_left_as_it_is():
    cells = [candidates([0, 0, 1, 1], [0, 0, 1, 1])] * 2
    assert program.best(cells, Limits(2, within=0.1), start=[[0, 1], [0, 1]]) == [[0, 1], [0, 1]]


def test_names_that_are_kept_are_in_whatever_they_are_worth():
    cells = [candidates([0, 0, 0, 0], [0, 1, 1, 1], kept=[0])]
    assert 0 in program.best(cells, Limits(2, within=1))[0]


def test_bounds_that_nobody_keeps_give_nothing():
    cells = [candidates([0, 0, 0], [1, 1, 1], families=[*"aaa"])]
    assert program.best(cells, Limits(2, within=1, family_at_most=1)) is None


@pytest.mark.parametrize(("labels", "count"), [("abcd", 4), ("aabb", 2), ("aaab", 1.6), ("", 0)])
def test_families_count_as_many_as_families_of_equal_size(labels, count):
    assert program.effective(labels) == pytest.approx(count)
