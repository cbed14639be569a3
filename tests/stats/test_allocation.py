"""Names and items for a budget: the numbers of a simulation that was made elsewhere."""

import math

import pytest

from eec_bias.allocation import ENCODER, Allocation, Spread, allocate, precision, spread_of


def test_detectable_effects_and_power_are_those_simulated_for_an_encoder() -> None:
    for names, race, interaction in ((10, 0.056, 0.111), (25, 0.035, 0.069), (50, 0.025, 0.049), (100, 0.018, 0.035)):
        found = [precision(Allocation(4, names, 36), ENCODER, order).detectable for order in (1, 2)]
        assert found == pytest.approx([race, interaction], rel=0.06)
    for names, items, power in ((54, 40, 0.60), (90, 24, 0.83), (100, 21, 0.87), (100, 16, 0.86)):
        assert precision(Allocation(4, names, items), ENCODER, 1).power(0.02) == pytest.approx(power, abs=0.05)


def test_a_hundred_names_and_sixteen_items_are_taken_for_6400_sentences() -> None:
    plan = allocate(6400, ENCODER, cells=4, names=100, items=48)
    assert (plan.names, plan.items, plan.sentences) == (100, 16, 6400)
    assert precision(plan, ENCODER, 1).power(0.02) >= 0.80
    assert precision(plan, ENCODER, 2).power(0.04) >= 0.80


def test_where_groups_react_to_items_more_items_are_taken_near_the_optimum_of_the_formula() -> None:
    spread = Spread(names=0.02, group_items=0.015, residual=0.0)
    plan = allocate(8000, spread, cells=4, names=1000, items=200)
    assert plan.items == pytest.approx(0.015 / 0.02 * math.sqrt(8000 / 4), abs=3)


def test_power_at_no_effect_is_the_level_and_at_the_detectable_effect_is_eighty_percent() -> None:
    found = precision(Allocation(4, 50, 24), ENCODER, 1)
    assert found.power(0.0) == pytest.approx(0.05)
    assert found.power(found.detectable) == pytest.approx(0.80, abs=0.005)
    assert found.power(1e9) == 1
    powers = [found.power(shift * found.se) for shift in range(60)]
    assert powers == pytest.approx(sorted(powers))


def test_what_groups_do_on_templates_words_and_items_adds_up_and_runs_do_not() -> None:
    known = {"persons": 0.1, "groups × templates": 0.03, "groups × words": 0.04, "groups × runs": 1.0, "residual": 0.2}
    found = spread_of(known)
    assert (found.names, found.residual) == (0.1, 0.2)
    assert found.group_items == pytest.approx(0.05)
