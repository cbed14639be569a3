"""Intervals from resampled persons."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import corpus, names, noun_phrases, scores

from eec_bias import measure
from eec_bias.stats.beta import fit_cells
from eec_bias.stats.bootstrap import bca_levels, bootstrap_bases, bootstrap_beta, bootstrap_cells
from eec_bias.stats.logsums import log_means
from eec_bias.stats.resampling import resamples


def skewed(sizes: tuple[int, ...], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    person = np.random.default_rng(seed).gamma(1.0, size=(1, sum(sizes)))
    return person, np.repeat(np.arange(len(sizes)), sizes)


def test_intervals_of_a_difference_come_near_those_of_scipy() -> None:
    person, cell = skewed((12, 9))
    found = bootstrap_cells(person, cell, np.array([[1.0, -1.0]]), resamples((12, 9), 20000, 0))
    samples = (person[0, :12], person[0, 12:])
    ends = {
        method: stats.bootstrap(
            samples, lambda a, b, axis: a.mean(axis) - b.mean(axis), n_resamples=20000, method=method, rng=1
        ).confidence_interval
        for method in ("percentile", "BCa")
    }
    close = {"abs": 0.08 * found.se[0, 0]}
    assert (found.low[0, 0], found.high[0, 0]) == pytest.approx(tuple(ends["percentile"]), **close)
    assert (found.bca_low[0, 0], found.bca_high[0, 0]) == pytest.approx(tuple(ends["BCa"]), **close)
    assert found.replicates.tolist() == [[20000]]


def test_intervals_of_a_mean_over_bases_come_near_those_of_scipy() -> None:
    unit, _ = skewed((11,))
    found = bootstrap_bases(unit, resamples((11,), 20000, 0))
    expected = stats.bootstrap((unit[0],), np.mean, n_resamples=20000, method="BCa", rng=1).confidence_interval
    assert (found.bca_low[0, 0], found.bca_high[0, 0]) == pytest.approx(tuple(expected), abs=0.08 * found.se[0, 0])


def test_bca_levels_are_those_of_the_formula() -> None:
    bias, z = stats.norm.ppf(0.55), stats.norm.ppf([0.025, 0.975])
    expected = stats.norm.cdf(bias + (bias + z) / (1 - 0.03 * (bias + z)))
    assert bca_levels(0.55, 0.03) == pytest.approx(expected)
    assert bca_levels(0.5, 0.0) == pytest.approx([0.025, 0.975])
    assert np.isnan(bca_levels(0.0, 0.0)).all()


def test_samples_keep_the_sizes_of_the_cells() -> None:
    counts = resamples((3, 5), 200, 1)
    assert (counts[:, :3].sum(axis=1) == 3).all()
    assert (counts[:, 3:].sum(axis=1) == 5).all()
    assert counts is resamples((3, 5), 200, 1)


def test_refits_equal_fits_to_the_resampled_rows() -> None:
    rng = np.random.default_rng(0)
    cell = np.repeat([0, 1], 4)
    y = rng.beta(4, 4, size=(1, 8, 6))
    sums = log_means(y.reshape(1, -1), np.repeat(np.arange(8), 6), 8)
    counts = resamples((4, 4), 99, 0)
    lines = np.array([[-1.0, 1.0]])
    found = bootstrap_beta(sums, cell, lines, np.zeros((1, 1)), counts, np.arange(8), cell)
    direct = []
    for draw in counts.astype(int):
        rows = np.repeat(np.arange(8), draw)
        means = log_means(y[:, rows].reshape(1, -1), np.repeat(cell[rows], 6), 2)
        direct.append(fit_cells(means.n, means.mean_log_y, means.mean_log_1my, np.eye(2)).coef[0] @ lines[0])
    assert found.se[0, 0] == pytest.approx(np.std(direct, ddof=1))
    assert found.high[0, 0] == pytest.approx(np.quantile(direct, 0.975))


def test_rows_of_the_bootstrap_stand_beside_the_terms() -> None:
    data = corpus()
    result = measure(scores(data), data, bootstrap=199, refit=True, seed=5)
    assert [(row["term"], row["subset"], row["estimate"]) for row in result.bootstrap] == [
        *[(term, "names", "effect") for term in ("race", "gender", "race:gender")],
        *[(term, "names", "beta") for term in ("race", "gender", "race:gender")],
        ("gender", "pairs", "effect"),
        ("gender", "pairs", "beta"),
    ]
    assert tuple(result.bootstrap[0]) == (
        *("term", "axes", "level", "reference", "subset", "estimate", "value", "se", "ci_low", "ci_high"),
        *("bca_low", "bca_high", "replicates"),
    )
    terms = {(row["term"], row["subset"]): row for row in result.terms}
    for row in result.bootstrap:
        term = terms[row["term"], row["subset"]]
        assert row["value"] == pytest.approx(term[row["estimate"]])
        assert row["ci_low"] < row["value"] < row["ci_high"]
        assert row["replicates"] == 199
    assert str(result.signature).endswith("|edge:none|boot:199@5+refit")
    assert measure(scores(data), data).bootstrap == ()


def test_the_spread_of_samples_is_the_standard_error_over_persons() -> None:
    data = pd.DataFrame(names(persons=40))
    result = measure(scores(data), data, bootstrap=2000)
    for row, term in zip(result.bootstrap, result.terms, strict=True):
        welch = abs(term["effect"] / stats.t.isf(term["p_names_only"] / 2, 140))
        assert row["se"] == pytest.approx(welch * np.sqrt(39 / 40), rel=0.1)


def test_the_bootstrap_is_reported_with_both_intervals() -> None:
    data = corpus()
    text = str(measure(scores(data), data, bootstrap=199, refit=True))
    assert "- race, Latino against Anglo (names): bootstrap over persons, effect -0.0467, 95 % interval [" in text
    assert "- gender, female against male (pairs): bootstrap over rows, beta -0.1662, 95 % interval [" in text
    assert text.count("(199 samples).") == 8


def test_a_system_that_cannot_be_fitted_has_no_refits() -> None:
    data = pd.DataFrame(noun_phrases())
    y = np.round(scores(data))
    effect, beta = measure(y, data, bootstrap=99, refit=True).bootstrap
    assert effect["ci_low"] is not None
    assert (beta["value"], beta["ci_low"], beta["replicates"]) == (None, None, 0)


def test_persons_that_do_not_differ_leave_an_interval_of_no_width() -> None:
    data = pd.DataFrame(names())
    y = 0.4 + 0.1 * (data["gender"] == "female")
    row = measure(y, data, bootstrap=99).bootstrap[1]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.1, 0.1))
