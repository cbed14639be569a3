"""Rejection rate of the default test where nothing is to be found."""

import numpy as np
import pytest

from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.layout import Axis
from eec_bias.stats.sums import summarise
from eec_bias.stats.two_way import two_way

PERSONS, CELLS = 10, 4
REPLICATES, BATCH = 4000, 250


def rejection_rates(items: int, name_sd: float, slope_sd: float, seed: int) -> dict[str, float]:
    """Share of replicates with p < .05 per term, on a 2 × 2 design of 10 names per cell."""
    rng = np.random.default_rng(seed)
    cell = np.repeat(np.arange(CELLS), PERSONS)
    contrasts = build_contrasts([Axis("race", ("a", "b"), "a"), Axis("gender", ("f", "m"), "m")])
    weights = np.array([contrast.weights for contrast in contrasts])
    rejected = np.zeros(len(weights))
    for _ in range(REPLICATES // BATCH):
        person = rng.normal(0, name_sd, (BATCH, CELLS * PERSONS, 1))
        item = rng.normal(0, 0.1, (BATCH, 1, items))
        slope = rng.normal(0, slope_sd, (BATCH, 2, items))[:, cell // 2]
        values = 0.5 + person + item + slope + rng.normal(0, 0.05, (BATCH, len(cell), items))
        rejected += (two_way(summarise(values, cell, CELLS), weights).p < 0.05).sum(axis=0)
    return dict(zip((c.term for c in contrasts), rejected / REPLICATES, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "name_sd", "slope_sd"),
    [(36, 0.005, 0.0), (36, 0.05, 0.0), (35, 0.01, 0.02)],
    ids=["names alike", "names differ", "race effect varies over items"],
)
def test_the_default_test_holds_its_level(items: int, name_sd: float, slope_sd: float) -> None:
    for term, rate in rejection_rates(items, name_sd, slope_sd, seed=items + int(1000 * slope_sd)).items():
        assert 0.02 <= rate <= 0.065, f"{term}: {rate}"


@pytest.mark.slow
def test_the_paired_t_over_sentences_does_not_hold_it() -> None:
    rng = np.random.default_rng(5)
    person = rng.normal(0, 0.02, (500, 2, 10, 1))
    values = person + rng.normal(0, 0.05, (500, 2, 10, 36))
    difference = (values[:, 0] - values[:, 1]).mean(axis=1)
    t = difference.mean(axis=1) / (difference.std(axis=1, ddof=1) / 6)
    assert (np.abs(t) > 2.03).mean() > 0.15
