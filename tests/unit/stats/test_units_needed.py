"""How many names or words bring an interval within a limit: against the interval with that many."""

import math

import pytest
from scipy.special import stdtrit

from eec_bias.stats.equivalence import units_needed


@pytest.mark.parametrize(
    ("units", "se", "df", "limit"), [(10, 0.05, 9, 0.05), (13, 0.03, 5, 0.04), (40, 0.02, 38, 0.02)]
)
def test_so_many_are_enough_and_one_fewer_is_not(units, se, df, limit):
    needed = units_needed(units, se, df, 0.05, limit)

    def half(count):
        return stdtrit(df * count / units, 0.975) * se * math.sqrt(units / count)

    assert half(needed) <= limit < half(needed - 1)


def test_those_there_are_may_be_enough_and_no_number_may_be():
    assert units_needed(10, 0.01, 9, 0.05, 0.05) == 10
    assert units_needed(10, 5.0, 9, 0.05, 0.01) is None
