"""The coverage of the intervals of adjusted differences, in simulations."""

import numpy as np
import pytest
from confounding import by_names, confounded

from eec_bias.methods import deconfound


def test_the_interval_of_the_adjusted_difference_covers_the_truth() -> None:
    rng = np.random.default_rng(1)
    found = [deconfound(*confounded(rng), group="gender", given="word").differences[0] for _ in range(500)]
    assert np.mean([each.ci_low <= 0.05 <= each.ci_high for each in found]) >= 0.93


def test_the_interval_of_the_unadjusted_difference_misses_the_truth() -> None:
    rng = np.random.default_rng(1)
    found = [deconfound(*confounded(rng), group="gender", given="word").differences[0] for _ in range(100)]
    assert np.mean([each.unadjusted_low <= 0.05 <= each.unadjusted_high for each in found]) < 0.1


@pytest.mark.parametrize("names", [4, 10])
def test_names_with_effects_of_their_own_are_what_is_sampled(names: int) -> None:
    rng = np.random.default_rng(2)
    found = [deconfound(*by_names(rng, names), group="gender", given="word") for _ in range(300)]
    assert {each.unit for each in found} == {"person"}
    differences = [each.differences[0] for each in found]
    assert np.mean([each.ci_low <= 0.05 <= each.ci_high for each in differences]) >= 0.92
