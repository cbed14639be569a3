"""Adjusted p-values against statsmodels, and their families."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from synthetic import corpus, scores

from eec_bias import measure
from eec_bias.stats.adjust import adjust_family, adjust_rows

NAMES = {"holm": "holm", "bh": "fdr_bh", "by": "fdr_by"}


@pytest.mark.parametrize("method", NAMES)
def test_adjusted_p_equals_statsmodels(method: str) -> None:
    p = np.random.default_rng(0).uniform(size=25) ** 3
    assert adjust_family(p, method) == pytest.approx(multipletests(p, method=NAMES[method])[1])


def test_rows_without_a_test_do_not_count() -> None:
    assert adjust_family(np.array([0.01, np.nan, 0.04])).tolist() == pytest.approx([0.02, np.nan, 0.04], nan_ok=True)
    assert np.isnan(adjust_family(np.array([np.nan]))).all()


def test_families_are_adjusted_apart() -> None:
    p, family = np.array([0.01, 0.02, 0.03, 0.04]), np.array([1.0, 0.0, 1.0, 0.0])
    assert adjust_rows(p, family).tolist() == pytest.approx([0.02, 0.04, 0.03, 0.04])


def test_no_adjustment_leaves_p_alone() -> None:
    assert adjust_family(np.array([0.5, np.nan]), "none").tolist() == pytest.approx([0.5, np.nan], nan_ok=True)


def test_holm_runs_over_the_rows_of_one_system_and_subset() -> None:
    data = corpus()
    result = measure({"a": scores(data), "b": scores(data, 4)}, data)
    for system in "ab":
        names = [row for row in result.terms if row["system"] == system and row["subset"] == "names"]
        expected = multipletests([row["p"] for row in names], method="holm")[1]
        assert [row["p_adjusted"] for row in names] == pytest.approx(expected)
        (pairs,) = [row for row in result.terms if row["system"] == system and row["subset"] == "pairs"]
        assert pairs["p_adjusted"] == pairs["p"]


def test_benjamini_hochberg_screens_over_systems() -> None:
    data = corpus()
    result = measure(np.stack([scores(data, k) for k in range(6)]), data, adjust="bh")
    names = [row for row in result.terms if row["subset"] == "names"]
    expected = multipletests([row["p"] for row in names], method="fdr_bh")[1]
    assert len(names) == 18
    assert [row["p_adjusted"] for row in names] == pytest.approx(expected)
