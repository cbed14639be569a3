"""Adjusted p-values against statsmodels, and their families."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from synthetic import corpus, scores

from eec_bias import measure
from eec_bias.stats.adjust import adjust_families, adjust_family

NAMES = {"holm": "holm", "bh": "fdr_bh", "by": "fdr_by"}


@pytest.mark.parametrize("method", NAMES)
@pytest.mark.parametrize("count", [1, 2, 25])
def test_adjusted_p_equals_statsmodels(method: str, count: int) -> None:
    p = np.random.default_rng(count).uniform(size=count) ** 3
    p[:2] = p[0]
    assert adjust_family(p, method) == pytest.approx(multipletests(p, method=NAMES[method])[1])


@pytest.mark.parametrize("method", [*NAMES, "none"])
def test_rows_without_a_test_do_not_count(method: str) -> None:
    found = adjust_family(np.array([0.01, np.nan, 0.04]), method)
    assert found[[0, 2]] == pytest.approx(adjust_family(np.array([0.01, 0.04]), method))
    assert np.isnan(found[1])
    assert np.isnan(adjust_family(np.array([np.nan]), method)).all()


def test_families_are_adjusted_apart() -> None:
    found = adjust_families(np.array([0.01, 0.02, 0.03, 0.04]), ["a", "b", "a", "b"])
    assert found.tolist() == pytest.approx([0.02, 0.04, 0.03, 0.04])


@pytest.mark.parametrize(("adjust", "across"), [("holm", False), ("bh", True)])
def test_holm_runs_over_one_system_and_benjamini_hochberg_over_all(adjust: str, across: bool) -> None:
    data = corpus()
    rows = measure(np.stack([scores(data, k) for k in range(3)]), data, adjust=adjust).terms
    for subset in ("names", "pairs"):
        for systems in [{"system0", "system1", "system2"}] if across else [{"system1"}, {"system2"}]:
            family = [row for row in rows if row["subset"] == subset and row["system"] in systems]
            expected = multipletests([row["p"] for row in family], method=NAMES[adjust])[1]
            assert [row["p_adjusted"] for row in family] == pytest.approx(expected)
