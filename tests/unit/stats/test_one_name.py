"""When one name or pair is said to make the spread within groups."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.one_name import largest_shares
from eec_bias import measure
from eec_bias.stats.families import most_of_one
from eec_bias.stats.signals import SignalDesign

FEW = [(5,), (10,), (15,), (20,), (3, 3, 3, 3), (5, 5), (5, 50), (5, 5, 5, 5), (15, 5, 5, 15)]


def most(count: tuple[int, ...]) -> float:
    return most_of_one(np.ones(len(count)), np.array(count, dtype=float))


@pytest.mark.parametrize("count", FEW, ids=str)
def test_of_normal_names_one_in_twenty_draws_is_rough(count: tuple[int, ...]) -> None:
    assert (largest_shares(count, draws=4000) > most(count)).mean() < 0.065


@pytest.mark.parametrize("count", FEW[1:], ids=str)
def test_a_name_ten_sd_apart_makes_the_row_rough(count: tuple[int, ...]) -> None:
    assert (largest_shares(count, 10.0, draws=1000) > most(count)).mean() > 0.95


@pytest.mark.parametrize("count", [(20,), (10, 10), (10, 10, 10, 10), (400, 400)], ids=str)
def test_from_twenty_names_on_forty_percent_are_too_much(count: tuple[int, ...]) -> None:
    assert most(count) == 0.4


@pytest.mark.parametrize(("pairs", "grubbs"), [(5, 1.715), (10, 2.290), (15, 2.549)])
def test_of_few_pairs_one_stands_out_beyond_grubbs_critical_value(pairs: int, grubbs: float) -> None:
    assert most((pairs,)) == pytest.approx(grubbs**2 / (pairs - 1), abs=1e-3)


def test_of_two_pairs_none_makes_the_spread() -> None:
    assert most((2,)) == 1.0


def test_a_group_that_takes_no_part_changes_nothing() -> None:
    assert most_of_one(np.array([1.0, -1.0, 0.0]), np.array([5.0, 5.0, 50.0])) == most((5, 5))


def test_the_slopes_of_normal_names_are_rough_in_one_of_twenty_draws() -> None:
    rng = np.random.default_rng(3)
    design = SignalDesign(np.repeat([0, 1], 6), rng.beta(0.5, 0.1, 12), ())
    drawn = rng.standard_normal((4000, 12))
    squares = (design.residuals(drawn) * design.cluster_weights(np.arange(12))) ** 2
    assert (squares.max(axis=1) / squares.sum(axis=1) > design.most_of_one).mean() < 0.065


def rough_of_pairs(last: float) -> str:
    """Why the row of ten pairs is rough of which nine have gaps up to .01, and one has this gap."""
    rows = []
    for base, gap in enumerate([0.01, -0.01] * 4 + [0.0, last]):
        for item in range(12):
            for gender, side in (("female", gap), ("male", 0.0)):
                score = 0.5 + item / 100 + side
                labels = {"person": f"{gender}{base}", "item": f"i{item}", "gender": gender, "pair": f"i{item}/b{base}"}
                rows.append({**labels, "score": score})
    data = pd.DataFrame(rows)
    (row,) = measure(data.pop("score").to_numpy(), data, axes=("gender",)).overall
    return row.rough


def test_ten_pairs_with_forty_five_percent_in_one_are_not_rough() -> None:
    assert rough_of_pairs(0.03) == ""


def test_ten_pairs_with_eighty_percent_in_one_are_rough() -> None:
    assert rough_of_pairs(0.09) == "b9 alone makes 81 % of the spread within groups"
