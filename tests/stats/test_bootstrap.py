"""Intervals from resampled persons."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import corpus, names, noun_phrases, row_of, scores

from eec_bias import measure
from eec_bias.stats.beta import fit_logs
from eec_bias.stats.bootstrap import bca_levels, bootstrap_beta, bootstrap_means, intervals, resamples
from eec_bias.stats.sums import summarise, take_logs

TERMS = ("race", "gender", "race:gender")


@pytest.mark.parametrize("sizes", [(12, 9), (11,)], ids=["a difference", "a mean over bases"])
def test_intervals_come_near_those_of_scipy(sizes: tuple[int, ...]) -> None:
    person, counts = np.random.default_rng(0).gamma(1.0, size=(1, sum(sizes))), resamples(sizes, 9999, 0)
    sums = summarise(person[:, :, None], np.repeat(np.arange(len(sizes)), sizes))
    found = bootstrap_means(sums, np.array([[1.0, -1.0][: len(sizes)]]), counts)
    samples, statistic = (person[0],), np.mean
    if len(sizes) > 1:
        samples, statistic = (person[0, :12], person[0, 12:]), lambda a, b, axis: a.mean(axis) - b.mean(axis)
    ends = {"percentile": (found.ci_low, found.ci_high), "BCa": (found.bca_low, found.bca_high)}
    for method, (low, high) in ends.items():
        expected = stats.bootstrap(samples, statistic, n_resamples=9999, method=method, rng=1).confidence_interval
        assert (low[0, 0], high[0, 0]) == pytest.approx(tuple(expected), abs=0.08 * found.se[0, 0])
    assert found.replicates.tolist() == [[9999]]


def test_bca_levels_are_those_of_the_formula() -> None:
    bias, z = stats.norm.ppf(0.55), stats.norm.ppf([0.025, 0.975])
    expected = stats.norm.cdf(bias + (bias + z) / (1 - 0.03 * (bias + z)))
    assert bca_levels(0.55, 0.03) == pytest.approx(expected)
    assert bca_levels(0.5, 0.0) == pytest.approx([0.025, 0.975])
    assert np.isnan(bca_levels(0.0, 0.0)).all()


def test_refits_equal_fits_to_the_resampled_rows() -> None:
    cell, lines, counts = np.repeat([0, 1], 4), np.array([[-1.0, 1.0]]), resamples((4, 4), 99, 0)
    y = np.random.default_rng(0).beta(4, 4, size=(1, 8, 6))
    found = bootstrap_beta(take_logs(y, "none"), cell, lines, np.zeros((1, 1)), counts, np.arange(8), cell)
    drawn = [np.repeat(np.arange(8), draw) for draw in counts.astype(int)]
    direct = [fit_logs(take_logs(y[:, rows], "none"), cell[rows], 6).eta[0] @ lines[0] for rows in drawn]
    assert found.se[0, 0] == pytest.approx(np.std(direct, ddof=1))
    assert found.ci_high[0, 0] == pytest.approx(np.quantile(direct, 0.975))


def test_rows_of_the_bootstrap_stand_beside_the_terms() -> None:
    data = corpus()
    result = measure(scores(data), data, bootstrap=199, refit=True, seed=5)
    names_of = [(term, "names", estimate) for estimate in ("effect", "beta") for term in TERMS]
    found = [(row["term"], row["subset"], row["estimate"]) for row in result.bootstrap]
    assert found == [*names_of, ("gender", "pairs", "effect"), ("gender", "pairs", "beta")]
    assert tuple(result.bootstrap[0])[5:] == (
        *("estimate", "value", "se", "ci_low", "ci_high", "bca_low", "bca_high", "replicates"),
    )
    for row in result.bootstrap:
        term = row_of(result, row["term"], subset=row["subset"])
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


def test_what_cannot_be_fitted_has_no_refits_and_what_does_not_differ_no_width() -> None:
    data = pd.DataFrame(noun_phrases())
    effect, beta = measure(np.round(scores(data)), data, bootstrap=99, refit=True).bootstrap
    assert effect["ci_low"] is not None
    assert (beta["value"], beta["ci_low"], beta["replicates"]) == (None, None, 0)
    data = pd.DataFrame(names())
    row = measure(0.4 + 0.1 * (data["gender"] == "female"), data, bootstrap=99).bootstrap[1]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.1, 0.1))
    still = intervals(np.zeros((1, 1)), np.zeros((1, 9, 1)), np.zeros((1, 1)))
    assert (still.bca_low, still.bca_high) == (0, 0)


def test_samples_that_repeat_the_data_are_ties_whatever_their_last_bit() -> None:
    data = pd.DataFrame(names(persons=7))
    for level in (0.1, 0.3, 0.7):
        for row in measure(np.full(len(data), level), data, bootstrap=99).bootstrap:
            assert [row[key] for key in ("value", "se", "ci_low", "ci_high", "bca_low", "bca_high")] == [0] * 6
    person, last = np.array([[0.1, 0.3, 0.2, 0.7]]), 1e-16 * np.array([1, 2, -1, 3])
    cell, weights, counts = np.array([0, 0, 1, 1]), np.array([[1.0, -1.0]]), resamples((2, 2), 199, 0)
    found, *others = (
        bootstrap_means(summarise((person + k * last)[:, :, None], cell), weights, counts) for k in (0, 1, -1)
    )
    for other in others:
        assert (other.bca_low, other.bca_high) == (pytest.approx(found.bca_low), pytest.approx(found.bca_high))
