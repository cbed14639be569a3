"""The level of the test whether cues agree, in simulations."""

from collections.abc import Mapping

import numpy as np
import pytest
from tables import of_cells

from eec_bias.options import Floats
from eec_bias.stats.cues import join
from eec_bias.stats.default_test import run_test
from eec_bias.stats.facets import make_facets

NULLS: Mapping[str, Mapping[str, float]] = {
    "names and wordings vary": {"names": 0.03, "bases": 0.03},
    "templates react to each cue": {"names": 0.03, "bases": 0.03, "react": 0.03},
    "wordings alone vary": {"bases": 0.06},
}


DESIGNS = {"100 names, 24 items, 10 wordings": (100, 24, 10), "10 names, 16 items, 10 wordings": (10, 16, 10),
           "36 names, 24 items, 5 wordings": (36, 24, 5)}  # fmt: skip


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("null", NULLS)
def test_cues_that_agree_are_found_to_differ_in_five_of_a_hundred_systems(design: str, null: str) -> None:
    p = np.concatenate([_null(np.random.default_rng(seed), DESIGNS[design], **NULLS[null]) for seed in range(20)])
    assert 0.02 <= (p < 0.05).mean() <= 0.07


def _null(
    rng: np.random.Generator, design: tuple[int, int, int], names: float = 0.0, bases: float = 0.0, react: float = 0.0
) -> Floats:
    """p of 100 systems with the same effect, .03, by both cues; what reacts is shared in part."""
    persons, items, wordings = design
    shared, by_name, by_base = rng.normal(0, 1, (3, 100, 1, items)) * react
    half = np.repeat([-0.5, 0.5], persons)[None, :, None]
    named = half * (0.03 + shared + by_name) + rng.normal(0, names, (100, 2 * persons, 1))
    said = 0.03 + shared + by_base + rng.normal(0, bases, (100, wordings, 1))
    named = named + rng.normal(0, 0.02, (*named.shape[:2], items))
    said = said + rng.normal(0, 0.03, (*said.shape[:2], items))
    each = [str(k) for k in range(items)]
    facets = make_facets(items, {"template": each, "word": each, "emotion": [str(k % 5) for k in range(items)]})
    both = join(of_cells(named, persons, persons), of_cells(said, wordings))
    return run_test(both, np.array([[-1.0, 1.0, -1.0]]), facets).p[:, 0]
