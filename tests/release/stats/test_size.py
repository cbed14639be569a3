"""Rejection rates of the further tests where nothing is to be found; test_simulation has the default test's."""

from collections.abc import Sequence

import numpy as np
import pytest
from tables import PAIR, THREE, table

from eec_bias.options import Floats
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.default_test import run_test
from eec_bias.stats.equivalence import equivalence
from eec_bias.stats.facets import make_facets
from eec_bias.stats.layout import Axis
from eec_bias.stats.omnibus import any_p, correlate_alike
from eec_bias.stats.sign_flips import flip_p
from eec_bias.stats.sums import summarise
from eec_bias.stats.tested import Analysis
from eec_bias.stats.units import UnitScores

REPLICATES = 2000


def any_of(p: Floats, correlation: Floats) -> Floats:
    """p of a term as a whole, 1 where no row has p of 5 %: that of the whole is never below the smallest of a row."""
    found, small = np.ones(len(p)), p.min(axis=1) <= 0.05
    found[small] = any_p(p[small], correlation[small])
    return found


def assert_level(p: Floats, least: float = 0.02, what: str = "") -> None:
    """A test that holds its level of 5 %, and does not hold far less than that."""
    rate = (p <= 0.05).mean()
    assert least <= rate <= 0.065, f"{what}: {rate}"


def null(
    axes: Sequence[Axis], sizes: list[int], sds: list[float], shifts: list[float], *, skewed: bool = False
) -> Analysis:
    """Draw systems in which cells differ by ``shifts`` only, on 12 items."""
    rng = np.random.default_rng(len(sizes) * 100 + sum(sizes))
    names = table(axes, sizes, 12)
    shape = (REPLICATES, len(names.cell), 1)
    person = rng.gamma(2, 1 / np.sqrt(2), shape) - np.sqrt(2) if skewed else rng.normal(size=shape)
    values = 0.5 + np.array(sds)[names.cell][:, None] * person + np.array(shifts)[names.cell][:, None]
    values = values + rng.normal(0, 0.1, (REPLICATES, 1, 12)) + rng.normal(0, 0.02, (*shape[:2], 12))
    sums = summarise(values, names.cell)
    return analyse(names, build_contrasts(axes), sums, UnitScores(values))


@pytest.mark.parametrize(
    ("sizes", "sds"),
    [([8] * 6, [0.05] * 6), ([4] * 6, [0.05] * 6), ([12, 8, 5] * 2, [0.03, 0.05, 0.07] * 2)],
    ids=["eight names", "four names", "unequal"],
)
def test_the_test_of_any_level_holds_its_level(sizes: list[int], sds: list[float]) -> None:
    drawn = null(THREE, sizes, sds, [0.0, 0.2] * 3)
    assert [group.term for group in drawn.groups] == ["race", "race:gender"]
    for group in drawn.groups:
        rows = list(group.rows)
        assert_level(any_of(drawn.estimates.p[:, rows], drawn.correlation(rows)), what=group.term)


@pytest.mark.parametrize(("levels", "bases"), [(3, 6), (26, 6), (8, 10)])
def test_the_test_of_any_level_on_base_phrases_holds_its_level(levels: int, bases: int) -> None:
    rng = np.random.default_rng(levels)
    batch, items, p, flipped = 500, 8, [], []
    weights = np.eye(levels) - 1 / levels
    for _ in range(4):
        values = rng.normal(0, 0.05, (batch, bases, levels, 1)) + rng.normal(0, 0.05, (batch, bases, levels, items))
        units = np.einsum("rk,nukj->nruj", weights, values)
        one = [summarise(units[:, r], np.zeros(bases, dtype=int)) for r in range(levels)]
        tests = [run_test(each, np.ones((1, 1)), make_facets(items, {})) for each in one]
        p.append(any_of(np.concatenate([test.p for test in tests], axis=1), correlate_alike(weights, batch)))
        flipped.append(flip_p([each.person for each in one]))
    assert_level(np.concatenate(p))
    # With few bases there are few changes of sign, and the share cannot come near 5 %.
    assert_level(np.concatenate(flipped), 0.0)


def test_equivalence_at_the_margin_is_claimed_in_five_percent() -> None:
    drawn = null(PAIR, [10] * 4, [0.02] * 4, [0.0, 0.0, 0.05, 0.05])
    assert_level(equivalence(drawn.estimates, 0.05)["p_equivalence"][:, 0], 0.035)
    # The paired t over sentences does not hold it.
    rng = np.random.default_rng(5)
    values = rng.normal(0, 0.02, (500, 2, 10, 1)) + rng.normal(0, 0.05, (500, 2, 10, 36))
    difference = (values[:, 0] - values[:, 1]).mean(axis=1)
    t = difference.mean(axis=1) / (difference.std(axis=1, ddof=1) / 6)
    assert (np.abs(t) > 2.03).mean() > 0.15
