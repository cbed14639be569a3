"""What is said of rows without a standard error: persons not told apart, scores that are all equal."""

from dataclasses import replace

import numpy as np
import pytest
from tables import PAIR, paired, table

from eec_bias.stats.analysis import Analysis, analyse
from eec_bias.stats.layout import Axis
from eec_bias.stats.sums import summarise

CELLS = table(PAIR, [3] * 4, items=5)
ITEM = np.linspace(0.1, 0.5, 5)
RACE, GENDER = (np.array(levels)[CELLS.cell][:, None] for levels in ((0, 0, 1, 1), (1, 0, 1, 0)))


def analysed(*systems: np.ndarray) -> Analysis:
    values = np.stack([np.broadcast_to(values, (12, 5)) for values in systems])
    return analyse(CELLS, summarise(values, CELLS.cell, edge="none"))


def test_scores_that_differ_between_items_alone_are_unmoved_up_to_rounding() -> None:
    noise = np.random.default_rng(0).choice([0, 1.1e-16, -1.1e-16], (12, 5))
    found = analysed(ITEM, ITEM + noise, ITEM + 1e-6 * noise / 1.1e-16)
    assert found.unmoved.tolist() == [[True] * 3, [True] * 3, [False] * 3]
    assert found.still.tolist() == [True, True, False]


def test_a_race_effect_of_zero_between_cells_that_differ_is_no_equality() -> None:
    # Women of one race score .2 more, women of the other .2 less.
    found = analysed(0.3 + 0.2 * GENDER * (2 * RACE - 1) - 0.1 * (2 * RACE - 1), 0.4 + 0.2 * GENDER)
    assert found.tested.effect[0, 0] == found.tested.effect[0, 1] == found.tested.effect[1, 0] == 0
    assert found.still.all()
    assert not found.unmoved.any()


def test_persons_whose_differences_cancel_over_items_are_not_unmoved() -> None:
    swing = np.zeros((12, 5))
    swing[0, :2] = 0.1, -0.1
    found = analysed(ITEM + swing)
    assert found.still[0]
    assert not found.unmoved.any()


def test_simple_effects_look_at_their_own_cells_alone() -> None:
    values = (ITEM + 0.2 * RACE * GENDER)[None]
    found = analyse(CELLS, summarise(values, CELLS.cell, edge="none"), simple=True)
    unmoved = {c.term for c, equal in zip(found.contrasts, found.unmoved[0], strict=True) if equal}
    assert unmoved == {"race|gender=m", "gender|race=a"}


@pytest.mark.parametrize("reference", ["x", None])
def test_pairs_are_unmoved_where_the_sides_of_every_base_are_equal(reference: str | None) -> None:
    pairs = paired(Axis("country", ("x", "y", "z"), reference), 4, items=3)
    base = np.arange(4)[pairs.base][:, None] / 10 + np.arange(3) / 20
    other = base + 0.1 * (pairs.cell == 2)[:, None]
    values = np.stack([base, other])
    found = analyse(pairs, summarise(values, pairs.cell, edge="none"), values=values)
    level = [c.level for c in found.contrasts].index("y")
    assert found.unmoved[0].all()
    # Against the mean of all, y is compared with z too.
    assert found.unmoved[1, level] == (reference == "x")
    assert not found.unmoved[1, -1]


def test_the_facts_need_sums_alone() -> None:
    values = np.stack([np.broadcast_to(ITEM, (12, 5)), ITEM + 0.1 * RACE])
    sums = summarise(values, CELLS.cell, edge="none")
    without = replace(CELLS, rows=np.full((12, 5), -1))
    assert analyse(without, sums).unmoved.tolist() == [[True] * 3, [False] * 3]
