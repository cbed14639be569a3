"""Rejection rates of relabelling, omnibus and adjusted tests where nothing is to be found."""

from dataclasses import dataclass

import numpy as np
import pytest

from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.equivalence import equivalence
from eec_bias.stats.layout import Axis
from eec_bias.stats.omnibus import any_p, correlate, correlate_alike, find_groups
from eec_bias.stats.permutation import joint_min_p, permute
from eec_bias.stats.sign_flip import choose_signs, flip_any
from eec_bias.stats.sums import Sums, summarise
from eec_bias.stats.two_way import Tested as TwoWay
from eec_bias.stats.two_way import two_way

REPLICATES, DRAWS = 3000, 199
PAIR = [Axis("race", ("a", "b"), "a"), Axis("gender", ("f", "m"), "m")]
THREE = [Axis("race", ("a", "b", "c"), None), Axis("gender", ("f", "m"), "m")]


@dataclass
class Null:
    """Scores of many systems, and what the tests need of them."""

    axes: list[Axis]
    cell: np.ndarray
    means: Means
    contrasts: list[Contrast]
    tested: TwoWay

    @property
    def weights(self) -> np.ndarray:
        return np.array([c.weights for c in self.contrasts])

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis.levels) for axis in self.axes)


def null(
    axes: list[Axis], sizes: list[int], sds: list[float], shifts: list[float], items: int = 12, skewed: bool = False
) -> Null:
    """Draw systems in which cells differ by ``shifts`` only."""
    rng = np.random.default_rng(len(sizes) * 100 + sum(sizes))
    cell = np.repeat(np.arange(len(sizes)), sizes)
    drawn = rng.gamma(2, 1 / np.sqrt(2), (REPLICATES, len(cell), 1)) if skewed else None
    person = rng.normal(size=(REPLICATES, len(cell), 1)) if drawn is None else drawn - np.sqrt(2)
    values = 0.5 + np.array(sds)[cell][:, None] * person + np.array(shifts)[cell][:, None]
    values = values + rng.normal(0, 0.1, (REPLICATES, 1, items)) + rng.normal(0, 0.02, (REPLICATES, len(cell), items))
    means = summarise(values, cell, len(sizes))
    contrasts = build_contrasts(axes)
    return Null(axes, cell, means, contrasts, two_way(means, np.array([c.weights for c in contrasts])))


def permuted(drawn: Null) -> tuple[np.ndarray, np.ndarray]:
    names = [axis.name for axis in drawn.axes]
    listed = [(tuple(names.index(a) for a in c.axes), c) for c in drawn.contrasts]
    groups = [group.rows for group in find_groups(drawn.contrasts)]
    return permute(drawn.means, drawn.cell, drawn.shape, listed, groups, drawn.tested, DRAWS, 0)


DESIGNS = {
    "ten names per cell": ([10] * 4, [0.05] * 4, False),
    "three names per cell": ([3] * 4, [0.05] * 4, False),
    "15 and 5 names, unequal variances": ([15, 5, 15, 5], [0.03, 0.09, 0.03, 0.09], False),
    "skewed names": ([8] * 4, [0.05] * 4, True),
}


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_permutation_of_names_holds_its_level_under_strong_other_effects(design: str) -> None:
    sizes, sds, skewed = DESIGNS[design]
    # Race and gender both matter; their interaction does not, nor does either once its own effect is left out.
    both = permuted(null(PAIR, sizes, sds, [0.0, 0.2, 0.3, 0.5], skewed=skewed))[0]
    race = permuted(null(PAIR, sizes, sds, [0.0, 0.3, 0.0, 0.3], skewed=skewed))[0]
    rates = {"race": (race[:, 0] <= 0.05).mean(), "race:gender": (both[:, 2] <= 0.05).mean()}
    for term, rate in rates.items():
        assert 0.035 <= rate <= 0.065, f"{term}: {rate}"
    assert (both[:, :2] <= 0.05).mean() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "sds"),
    [([8] * 6, [0.05] * 6), ([4] * 6, [0.05] * 6), ([12, 8, 5] * 2, [0.03, 0.05, 0.07] * 2)],
    ids=["eight names", "four names", "unequal"],
)
def test_the_test_of_any_level_holds_its_level(sizes: list[int], sds: list[float]) -> None:
    drawn = null(THREE, sizes, sds, [0.0, 0.2] * 3)
    groups = find_groups(drawn.contrasts)
    assert [group.term for group in groups] == ["race", "race:gender"]
    relabelled = permuted(drawn)[1]
    for g, group in enumerate(groups):
        rows = list(group.rows)
        p = any_p(drawn.tested.p[:, rows], correlate(drawn.means, drawn.weights[rows]))
        for name, values in {"correlation": p, "relabelling": relabelled[:, g]}.items():
            rate = (values <= 0.05).mean()
            assert 0.02 <= rate <= 0.065, f"{group.term} by {name}: {rate}"


@pytest.mark.slow
@pytest.mark.parametrize(("levels", "bases"), [(3, 6), (26, 6), (8, 10)])
def test_the_test_of_any_level_on_base_phrases_holds_its_level(levels: int, bases: int) -> None:
    rng = np.random.default_rng(levels)
    batch, items, p, flipped = 500, 8, [], []
    weights = np.eye(levels) - 1 / levels
    for _ in range(4):
        values = rng.normal(0, 0.05, (batch, bases, levels, 1)) + rng.normal(0, 0.05, (batch, bases, levels, items))
        units = np.einsum("rk,nukj->nruj", weights, values)
        one = [summarise(units[:, r], np.zeros(bases, dtype=int), 1) for r in range(levels)]
        tests = [two_way(each, np.ones((1, 1))) for each in one]
        p.append(any_p(np.concatenate([test.p for test in tests], axis=1), correlate_alike(weights, batch)))
        flipped.append(flip_any([each.person for each in one], choose_signs(bases, 0, 0)))
    assert 0.02 <= (np.concatenate(p) <= 0.05).mean() <= 0.065
    # With few bases there are few changes of sign, and the share cannot come near 5 %.
    assert (np.concatenate(flipped) <= 0.05).mean() <= 0.065


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[10] * 4, [5] * 4, [15, 5, 15, 5]], ids=str)
def test_maxt_makes_a_false_finding_in_five_percent_of_systems(sizes: list[int]) -> None:
    drawn = null(PAIR, sizes, [0.05] * 4, [0.0] * 4)
    adjusted = joint_min_p(drawn.means, drawn.cell, drawn.weights, drawn.tested.p, DRAWS, 0)
    assert 0.03 <= (adjusted.min(axis=1) <= 0.05).mean() <= 0.065


@pytest.mark.slow
def test_equivalence_is_claimed_in_five_percent_where_the_effect_is_the_margin() -> None:
    drawn = null(PAIR, [10] * 4, [0.02] * 4, [0.0, 0.0, 0.05, 0.05])
    found = equivalence(drawn.tested, 0.05)
    assert 0.035 <= (found.p[:, 0] <= 0.05).mean() <= 0.065
