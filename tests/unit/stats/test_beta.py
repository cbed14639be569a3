"""Beta regression agrees with R betareg, and refuses what has no maximum.

The oracles of additive designs (additive.json) retired: production fits one mean per cell, and nothing else.
"""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from places import ORACLES
from scipy.special import digamma, expit, gammaln, polygamma
from statsmodels.othermod.betareg import BetaModel

from eec_bias.stats import beta
from eec_bias.stats.beta import Fit, clustered_se, fit_cells, fit_logs, fractional_logit, remainders
from eec_bias.stats.sums import summarise, take_logs

TREATMENT = np.linalg.inv([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]])
"""The coefficients of a regression of two crossed factors as sums of the cells' logits."""


def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores and cells (race + 2·gender) of a reference input."""
    rows = np.genfromtxt(ORACLES / f"{name}.csv", delimiter=",", names=True)
    return rows["y"], (rows["race"] + 2 * rows["gender"]).astype(int)


def fit(y: np.ndarray, cell: np.ndarray, edge: str = "none") -> Fit:
    """Fit rows of any order and cells of any size, as each were a person with one item."""
    order = np.argsort(cell, kind="stable")
    return fit_logs(take_logs(np.atleast_2d(y)[:, order, None], edge), cell[order], 1)


@pytest.mark.parametrize("name", ["syn1_tiny", "syn3_phi5", "syn5_unbalanced", "syn7_constcell"])
def test_fits_agree_with_betareg(name: str) -> None:
    got, want = fit(*read(name)), json.loads((ORACLES / f"{name}.json").read_text(encoding="utf-8"))["fit"]
    assert got.reason == (None,)
    assert_allclose(TREATMENT @ got.eta[0], list(want["coefficients"].values()), rtol=1e-8)
    assert_allclose(got.loglik[0], want["loglik"], rtol=1e-8)
    assert_allclose(got.phi[0], want["phi"], rtol=1e-7)
    assert_allclose(got.se(TREATMENT)[0], list(want["se"].values()), rtol=1e-6)
    assert_allclose(got.phi[0] / got.corner[0] ** 0.5, want["se_phi"], rtol=1e-6)


def test_clusters_that_cross_cells_are_summed_before_squaring() -> None:
    rng = np.random.default_rng(5)
    y, cell = rng.beta(4, 6, size=(1, 20, 20)), np.repeat(np.arange(4), 5)
    whole, single = take_logs(y, "none"), take_logs(y.reshape(1, 400, 1), "none")
    got = fit_logs(whole, cell, 20)
    by_person = clustered_se(got, TREATMENT, whole, cell, np.arange(20), 20)
    merged = clustered_se(got, TREATMENT, single, np.repeat(cell, 20), np.repeat(np.arange(20), 20), 1)
    assert_allclose(merged, by_person, rtol=1e-10)
    by_item = clustered_se(got, TREATMENT, single, np.repeat(cell, 20), np.tile(np.arange(20), 20), 1)
    assert not np.allclose(merged, by_item, rtol=0.1)
    assert np.isnan(clustered_se(got, TREATMENT, whole, cell, np.zeros(20, dtype=int), 20)).all()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), cells=st.integers(2, 6), precision=st.floats(1.0, 300.0))
def test_statsmodels_newton_agrees_on_random_designs(seed: int, cells: int, precision: float) -> None:
    rng = np.random.default_rng(seed)
    cell = np.repeat(np.arange(cells), rng.integers(15, 60, size=cells))
    mean = rng.uniform(0.15, 0.85, size=cells)[cell]
    y = np.clip(rng.beta(mean * precision, (1 - mean) * precision), 1e-6, 1 - 1e-6)
    got = fit(y, cell)
    start = np.append(got.eta[0] + 0.01, np.log(got.phi[0]) - 0.01)
    other = BetaModel(y, np.eye(cells)[cell]).fit(start_params=start, method="newton", disp=0, maxiter=100, tol=1e-10)
    assert got.reason == (None,)
    assert_allclose([*got.eta[0], np.log(got.phi[0])], other.params, rtol=1e-7, atol=1e-8)
    assert_allclose(got.loglik[0], other.llf, rtol=1e-10)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), log_phi=st.floats(-3.0, 21.0))
def test_a_fit_is_finite_or_refused_and_never_nan_called_converged(seed: int, log_phi: float) -> None:
    rng = np.random.default_rng(seed)
    cell, precision = np.repeat(np.arange(4), 25), np.exp(log_phi)
    mean = rng.uniform(0.01, 0.99, size=4)[cell]
    y = np.clip(rng.beta(mean * precision, (1 - mean) * precision, size=(3, 100)), 1e-12, 1 - 1e-12)
    got = fit(y, cell)
    numbers = np.column_stack([got.eta, got.se(TREATMENT), got.phi, got.phi / np.sqrt(got.corner), got.loglik])
    for s in range(3):
        assert np.isfinite(numbers[s]).all() == (got.reason[s] is None)
        assert np.isnan(numbers[s]).all() == (got.reason[s] is not None)


@pytest.mark.parametrize("precision", [0.3, 1.0, 1e2, 1e5, 1e8])
def test_precision_is_recovered_over_nine_orders_of_magnitude(precision: float) -> None:
    cell = np.repeat(np.arange(4), 200)
    mean = np.array([0.2, 0.4, 0.6, 0.9])[cell]
    y = np.random.default_rng(0).beta(mean * precision, (1 - mean) * precision)
    got = fit(np.clip(y, 1e-300, 1 - 2**-53), cell)
    assert got.reason == (None,)
    assert abs(np.log(got.phi[0] / precision)) < 0.2


@pytest.mark.parametrize("shapes", [((0.02, 3.0), (2.0, 3.0)), ((0.02, 0.03), (5.0, 0.01)), ((0.3, 1e8), (2.0, 2.0))])
def test_scores_that_almost_touch_an_edge_in_one_cell_are_fitted(shapes: tuple[tuple[float, float], ...]) -> None:
    rng = np.random.default_rng(2)
    y = np.concatenate([rng.beta(a, b, size=60) for a, b in shapes]).clip(1e-300, 1 - 2**-53)
    cell = np.repeat(np.arange(len(shapes)), 60)
    got = fit(y, cell)
    assert got.reason == (None,)
    # At the maximum expected logarithms are those observed.
    mu, nu, phi = expit(got.eta[0]), expit(-got.eta[0]), got.phi[0]
    log_y, log_1my = (np.bincount(cell, log) / 60 for log in (np.log(y), np.log1p(-y)))
    assert_allclose(digamma(mu * phi) - digamma(nu * phi), log_y - log_1my, rtol=1e-7)
    gain = digamma(phi) + mu * (log_y - digamma(mu * phi)) + nu * (log_1my - digamma(nu * phi))
    assert_allclose(gain.sum() * phi, 0, atol=1e-6)


def test_one_refused_system_leaves_the_others_alone() -> None:
    y, cell = read("syn3_phi5")
    edge = y.copy()
    edge[7] = 1.0
    got = fit(np.stack([np.full_like(y, 0.5), y, edge, np.full_like(y, np.nan), 1 - y]), cell)
    assert got.reason == (beta.ALL_EQUAL, None, beta.AT_EDGE, beta.AT_EDGE, None)
    assert_allclose(got.eta[1], fit(y, cell).eta[0], rtol=1e-12)
    assert_allclose(got.eta[4], -got.eta[1], rtol=1e-12)
    assert fit(*read("deg1_allconst")).reason == (beta.NO_SPREAD,)
    assert fit(*read("deg2_oneconst")).reason == (beta.ALL_EQUAL,)
    # So is a sample without rows in a cell.
    logs = take_logs(np.random.default_rng(1).beta(3, 3, size=(2, 4, 20)), "none")
    got = fit_cells(np.array([[20.0] * 4, [20.0, 20.0, 20.0, 0.0]]), logs.log_y, logs.log_1my)
    assert got.reason == (None, beta.RANK)


def test_mean_logarithms_are_those_of_the_scores_on_the_unit_scale() -> None:
    for items in (1, 15, 16, 37):
        y = np.random.default_rng(items).beta(0.2, 0.2, size=(2, 3, items)).clip(1e-17, 1 - 1e-15)
        logs = summarise(4 * y - 2, np.array([0, 0, 1]), edge="none", score_range=(-2, 2)).logs
        assert logs is not None
        assert_allclose(logs.log_y, np.log((4 * y - 2 + 2) / 4).mean(axis=2), rtol=1e-12)
        assert_allclose(logs.log_1my, np.log1p(-(4 * y - 2 + 2) / 4).mean(axis=2), rtol=1e-12)
    # Edge treatments do what they say, and count what they touch.
    y = np.array([[[0.0, 0.25], [1.0, 0.005]]])
    squeezed, clipped, raw = (take_logs(y, edge) for edge in ("squeeze", "clip:0.01", "none"))
    assert_allclose(squeezed.log_y, np.log((y * 3 + 0.5) / 4).mean(axis=2))
    assert_allclose(clipped.log_1my, np.log1p(-np.clip(y, 0.01, 0.99)).mean(axis=2))
    assert np.isneginf(raw.log_y).tolist() == [[True, False]]
    assert np.isneginf(raw.log_1my).tolist() == [[False, True]]
    assert [logs.touched.tolist() for logs in (squeezed, clipped, raw)] == [[2], [3], [2]]
    # A few scores at an edge decide the coefficient, and the fractional logit shows it.
    rng = np.random.default_rng(8)
    cell, y = np.repeat(np.arange(4), 350), rng.beta(40, 10, size=1400)
    y[rng.choice(np.flatnonzero(cell == 2), 20, replace=False)] = 1.0
    line = TREATMENT[[2]]
    low, high = (
        (got.eta @ line.T / got.se(line))[0, 0] for got in (fit(y, cell, e) for e in ("clip:1e-12", "clip:0.01"))
    )
    assert abs(low - high) > 4
    assert abs(fractional_logit(y.reshape(1, 4, 350).mean(axis=2), line)[0, 0]) < 0.15


def test_the_fractional_logit_is_read_from_the_logits_of_cell_means() -> None:
    means = np.array([[0.2, 0.5, 0.6, 0.9], [0.2, 0.5, 0.6, 1.0]])
    found = fractional_logit(means, TREATMENT)
    assert_allclose(1 / (1 + np.exp(-np.linalg.inv(TREATMENT) @ found[0])), means[0])
    assert_allclose(found[1, :3], found[0, :3])
    assert np.isnan(found[1, 3])
    # A mean that lacks 1 by rounding has none.
    found = fractional_logit(np.array([[0.5, 0.25, 1 - 1e-15, 0.75]]), np.array([[1.0, -1, 0, 0], [0, 0, 1, -1]]))
    assert np.isnan(found[0]).tolist() == [False, True]


def test_remainders_of_stirling_keep_their_digits() -> None:
    x = np.concatenate([np.geomspace(1e-3, 19.99, 40), np.geomspace(20, 200, 40)])
    log_gamma, psi, psi1 = remainders(x)
    assert_allclose(log_gamma + (x - 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi), gammaln(x), rtol=1e-13, atol=1e-13)
    assert_allclose(psi + np.log(x), digamma(x), rtol=1e-13, atol=1e-13)
    assert_allclose(psi1 + 1 / x, polygamma(1, x), rtol=1e-13)
    assert_allclose(np.concatenate(remainders(np.array([1e9]))), [1 / 12e9, -0.5e-9, 0.5e-18], rtol=1e-8)
