"""The coverage of the interval of a ratio of rates, in simulations."""

import numpy as np
import pytest
from scipy.stats import norm
from tables import PAIR, table

from benchmarks.ratios import DESIGNS, cover
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.rates import ratio_of
from eec_bias.stats.simulation import draw_linear
from eec_bias.stats.sums import summarise
from eec_bias.stats.units import UnitScores


@pytest.mark.parametrize(("effect", "group_items"), [(0.0, 0.0), (0.4, 0.0), (0.4, 0.3)])
def test_the_interval_of_the_ratio_holds_the_true_one_as_often_as_it_says(effect: float, group_items: float) -> None:
    own = table(PAIR, [12] * 4, 24)
    parts = {"persons": 0.5, f"groups × {own.facets.cells.name}": group_items, "residual": 0.7}
    drawn, _ = draw_linear(own, parts, {"race": effect}, 600, 1, np.random.default_rng(7))
    above = (drawn > 0.4).astype(float)
    found = ratio_of(analyse(own, build_contrasts(own.axes), summarise(above, own.cell), UnitScores(above)), 0)
    spread = float(np.sqrt(sum(sd**2 for sd in parts.values())))
    ratio = norm.sf(0.4, effect / 2, spread) / norm.sf(0.4, -effect / 2, spread)
    assert 0.93 <= ((found["ratio_low"] <= ratio) & (ratio <= found["ratio_high"])).mean() <= 0.985


@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_of_ratios_cover_the_truth_as_the_page_says(name: str) -> None:
    """2,000 audits, as many as the page has; their shares have a standard error of .005."""
    found = cover(DESIGNS[name])
    assert found.ours >= 0.93
    assert found.binomial < found.ours
