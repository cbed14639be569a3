"""Beta regression agrees with R betareg, and refuses what has no maximum."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import digamma, gammaln, polygamma
from statsmodels.othermod import betareg as statsmodels_betareg
from statsmodels.othermod.betareg import BetaModel

from eec_bias.stats import beta_newton
from eec_bias.stats.beta import BetaDesignError, fit, fit_cells
from eec_bias.stats.beta_effects import clustered_se, fractional_logit, marginal_slopes, response_effects
from eec_bias.stats.logsums import EdgeError, log_means, pool
from eec_bias.stats.stirling import remainders

ORACLES = Path(__file__).parent.parent / "oracles"
TREATMENT = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]], dtype=float)
SYNTHETIC = ["syn1_tiny", "syn3_phi5", "syn5_unbalanced", "syn7_constcell"]
CROSSED = ["syn_crossed_balanced", "syn_crossed_slope", "syn_crossed_unbalanced"]


def read(name):
    """Return a reference input: scores, cell codes (race + 2·gender), all columns."""
    table = np.genfromtxt(ORACLES / f"{name}.csv", delimiter=",", names=True)
    return table["y"], (table["race"] + 2 * table["gender"]).astype(int), table


def expected(name):
    return json.loads((ORACLES / f"{name}.json").read_text(encoding="utf-8"))


def fit_reference(name, design=TREATMENT):
    y, cell, _ = read(name)
    m = log_means(y, cell, 4)
    return fit_cells(m.n, m.mean_log_y, m.mean_log_1my, design)


def crossed(name):
    """Return the fit of a persons × items input, its person statistics and the cell of each person."""
    y, cell, table = read(name)
    person = table["person"].astype(int)
    cell_of = np.zeros(person.max() + 1, dtype=int)
    cell_of[person] = cell
    by_person = log_means(y, person, cell_of.size)
    m = pool(by_person, cell_of, 4)
    return fit_cells(m.n, m.mean_log_y, m.mean_log_1my, TREATMENT), by_person, cell_of


def values(mapping):
    return np.array(list(mapping.values()))


@pytest.mark.parametrize("name", SYNTHETIC)
def test_saturated_fits_agree_with_betareg(name):
    got, want = fit_reference(name), expected(name)["fit"]
    assert got.reason == (None,)
    assert_allclose(got.coef[0], values(want["coefficients"]), rtol=1e-8)
    assert_allclose(got.loglik[0], want["loglik"], rtol=1e-8)
    assert_allclose(got.phi[0], want["phi"], rtol=1e-7)
    assert_allclose(got.se[0], values(want["se"]), rtol=1e-6)
    assert_allclose(got.phi_se[0], want["se_phi"], rtol=1e-6)
    assert_allclose(got.vcov[0], want["vcov"], rtol=1e-6)


@pytest.mark.parametrize("name", ["syn3_phi5", "syn5_unbalanced", "syn7_constcell"])
def test_additive_fits_agree_with_betareg(name):
    got, want = fit_reference(name, TREATMENT[:, :3]), expected("additive")[name]
    assert_allclose(got.coef[0], want["coef"], rtol=1e-8)
    assert_allclose(got.phi[0], want["phi"], rtol=1e-7)
    assert_allclose(got.se[0], want["se_expected"], rtol=1e-6)
    assert_allclose(got.loglik[0], want["loglik"], rtol=1e-8)


@pytest.mark.parametrize("name", SYNTHETIC)
def test_marginal_effects_and_their_delta_errors_agree_with_betareg(name):
    want = expected(name)["response_scale"]
    _, cell, _ = read(name)
    share = np.bincount(cell, minlength=4) / cell.size
    male, white = share[0] + share[1], share[0] + share[2]
    weights = np.vstack(
        [
            np.eye(4),
            [-male, male, male - 1, 1 - male],
            [-white, white - 1, white, 1 - white],
            [1, -1, -1, 1],
            [-1, 1, 0, 0],
            [0, 0, -1, 1],
        ]
    )
    got = response_effects(fit_reference(name), TREATMENT, weights)
    assert_allclose(got.estimate[0], values(want["estimate"]), rtol=1e-8, atol=1e-14)
    assert_allclose(got.se[0], values(want["se"]), rtol=1e-6)


@pytest.mark.parametrize("name", CROSSED)
@pytest.mark.parametrize(("correct", "key"), [(True, "se_CR1_person"), (False, "se_CR0_person")])
def test_errors_clustered_by_person_agree_with_sandwich(name, correct, key):
    got, by_person, cell_of = crossed(name)
    want = expected(name)["beta"]
    robust = clustered_se(got, TREATMENT, by_person, cell_of, correct=correct)
    assert_allclose(np.append(got.coef[0], got.phi[0]), values(want["coefficients"]), rtol=1e-8)
    assert_allclose(np.append(robust.se[0], robust.phi_se[0]), values(want[key]), rtol=1e-6)


def test_clusters_that_cross_cells_are_summed_before_squaring():
    rng = np.random.default_rng(5)
    person, item = np.divmod(np.arange(400), 20)
    y, cell = rng.beta(4, 6, size=400), person // 5
    by_row = log_means(y, np.arange(400), 400)
    m = log_means(y, cell, 4)
    f = fit_cells(m.n, m.mean_log_y, m.mean_log_1my, TREATMENT)
    merged = clustered_se(f, TREATMENT, by_row, cell, person)
    by_person = log_means(y, person, 20)
    assert_allclose(merged.se, clustered_se(f, TREATMENT, by_person, np.arange(20) // 5).se, rtol=1e-10)
    assert not np.allclose(merged.se, clustered_se(f, TREATMENT, by_row, cell, item).se, rtol=0.1)


def test_sum_and_treatment_coding_agree_with_betareg_on_three_by_two_groups():
    y, _, table = read("syn_crossed_3x2")
    want = expected("syn_crossed_3x2")
    m = log_means(y, (2 * table["race"] + table["gender"]).astype(int), 6)
    dummies, effects = np.array([[0, 0], [1, 0], [0, 1]]), np.array([[1, 0], [0, 1], [-1, -1]])
    codings = {
        "treatment_coded": [[1, *dummies[r], g, *(dummies[r] * g)] for r in range(3) for g in (0, 1)],
        "sum_coded": [[1, *effects[r], g, *(effects[r] * g)] for r in range(3) for g in (1, -1)],
    }
    for key, design in codings.items():
        got = fit_cells(m.n, m.mean_log_y, m.mean_log_1my, design)
        assert_allclose(np.append(got.coef, got.phi), values(want[key]["coefficients"]), rtol=1e-7)
        assert_allclose(np.append(got.se, got.phi_se), values(want[key]["se_model"]), rtol=1e-6)
        assert_allclose(got.loglik[0], want["loglik"], rtol=1e-8)


def test_food_expenditure_agrees_with_the_figures_of_the_betareg_article():
    folder = Path(statsmodels_betareg.__file__).parent / "tests" / "results"
    if not (folder / "foodexpenditure.csv").exists():
        pytest.skip("this statsmodels was installed without its tests")
    table = np.genfromtxt(folder / "foodexpenditure.csv", delimiter=",", names=True)
    X = np.column_stack([np.ones(table.size), table["income"], table["persons"]])
    y = table["food"] / table["income"]
    got = fit(X, y)
    # Cribari-Neto & Zeileis (2010), Journal of Statistical Software 34(2), as printed by betareg.
    assert_allclose(got.coef[0], [-0.62254806, -0.01229884, 0.11846210], rtol=1e-6)
    assert_allclose(got.se[0], [0.223853539, 0.003035585, 0.035340667], rtol=1e-6)
    assert_allclose(got.phi[0], 35.60975033, rtol=1e-7)
    assert_allclose(got.phi_se[0], 8.079598, rtol=1e-6)
    other = BetaModel(y, X).fit(method="newton", disp=0)
    assert_allclose(got.coef[0], other.params[:-1], rtol=1e-8)
    slopes = marginal_slopes(got, X)
    mean = 1 / (1 + np.exp(-X @ got.coef[0]))
    assert_allclose(slopes.estimate[0], (mean * (1 - mean)).mean() * got.coef[0], rtol=1e-12)


def test_delta_errors_of_marginal_slopes_equal_those_by_differences():
    rng = np.random.default_rng(2)
    X = np.column_stack([np.ones(60), rng.normal(size=60)])
    got = fit(X, rng.beta(3, 5, size=60))

    def slopes(coef):
        mean = 1 / (1 + np.exp(-X @ coef))
        return (mean * (1 - mean)).mean() * coef

    h = 1e-6
    jacobian = np.column_stack(
        [(slopes(got.coef[0] + h * e) - slopes(got.coef[0] - h * e)) / (2 * h) for e in np.eye(2)]
    )
    want = np.sqrt(np.diag(jacobian @ got.vcov[0, :2, :2] @ jacobian.T))
    assert_allclose(marginal_slopes(got, X).se[0], want, rtol=1e-6)


def test_rows_and_cells_give_the_same_fit():
    y, cell, _ = read("syn5_unbalanced")
    rows, cells = fit(TREATMENT[cell], y), fit_cells(*stats(y, cell), TREATMENT)
    assert_allclose(rows.coef, cells.coef, rtol=1e-10)
    assert_allclose(rows.vcov, cells.vcov, rtol=1e-9)
    assert_allclose(rows.loglik, cells.loglik, rtol=1e-12)


def stats(y, cell, edge="none", n_cells=4):
    m = log_means(y, cell, n_cells, edge)
    return m.n, m.mean_log_y, m.mean_log_1my


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    cells=st.integers(2, 6),
    precision=st.floats(1.0, 300.0),
)
def test_statsmodels_newton_agrees_on_random_designs(seed, cells, precision):
    rng = np.random.default_rng(seed)
    cell = np.repeat(np.arange(cells), rng.integers(15, 60, size=cells))
    mean = rng.uniform(0.15, 0.85, size=cells)[cell]
    y = np.clip(rng.beta(mean * precision, (1 - mean) * precision), 1e-6, 1 - 1e-6)
    design = np.column_stack([np.ones(cells), np.eye(cells)[:, 1:]])
    got = fit_cells(*stats(y, cell, n_cells=cells), design)
    start = np.append(got.coef[0] + 0.01, np.log(got.phi[0]) - 0.01)
    other = BetaModel(y, design[cell]).fit(start_params=start, method="newton", disp=0, maxiter=100, tol=1e-10)
    assert got.converged.all()
    assert_allclose(got.coef[0], other.params[:-1], rtol=1e-7, atol=1e-9)
    assert_allclose(np.log(got.phi[0]), other.params[-1], rtol=1e-7, atol=1e-8)
    assert_allclose(got.loglik[0], other.llf, rtol=1e-10)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), log_phi=st.floats(-3.0, 21.0))
def test_a_fit_is_finite_or_refused_and_never_nan_called_converged(seed, log_phi):
    rng = np.random.default_rng(seed)
    cell, precision = np.repeat(np.arange(4), 25), np.exp(log_phi)
    mean = rng.uniform(0.01, 0.99, size=4)[cell]
    y = np.clip(rng.beta(mean * precision, (1 - mean) * precision, size=(3, 100)), 1e-12, 1 - 1e-12)
    got = fit_cells(*stats(y, cell), TREATMENT)
    numbers = np.column_stack([got.coef, got.se, got.phi, got.phi_se, got.loglik])
    for s in range(3):
        assert got.converged[s] == (got.reason[s] is None)
        assert np.isfinite(numbers[s]).all() == got.converged[s]
        assert np.isnan(numbers[s]).all() != got.converged[s]


@pytest.mark.parametrize("precision", [0.3, 1.0, 1e2, 1e5, 1e8])
def test_precision_is_recovered_over_nine_orders_of_magnitude(precision):
    rng = np.random.default_rng(0)
    cell = np.repeat(np.arange(4), 200)
    mean = np.array([0.2, 0.4, 0.6, 0.9])[cell]
    y = np.clip(rng.beta(mean * precision, (1 - mean) * precision), 1e-300, 1 - 2**-53)
    got = fit_cells(*stats(y, cell), TREATMENT)
    assert got.reason == (None,)
    assert got.steps[0] <= 10
    assert abs(np.log(got.phi[0] / precision)) < 0.2


def test_inputs_without_a_maximum_are_refused_with_their_reason():
    assert fit_reference("deg1_allconst").reason == (
        "the predictions do not vary around the values the model fits (precision above 1e10): "
        "the likelihood of the beta regression grows without bound, there is no fit",
    )
    assert fit_reference("deg2_oneconst").reason == (
        "all predictions are equal: the likelihood of the beta regression grows without bound, there is no fit",
    )
    assert not fit_reference("deg1_allconst").converged.any()


def test_one_refused_system_leaves_the_others_alone():
    y, cell, _ = read("syn3_phi5")
    alone = fit_cells(*stats(y, cell), TREATMENT)
    edge = y.copy()
    edge[7] = 1.0
    batch = np.stack([np.full_like(y, 0.5), y, edge, np.full_like(y, np.nan), 1 - y])
    got = fit_cells(*stats(batch, cell), TREATMENT)
    assert got.converged.tolist() == [False, True, False, False, True]
    assert got.reason == (beta_newton.ALL_EQUAL, None, beta_newton.AT_EDGE, beta_newton.AT_EDGE, None)
    assert_allclose(got.coef[1], alone.coef[0], rtol=1e-13)
    assert_allclose(got.coef[4], -alone.coef[0], rtol=1e-12)


def test_a_system_with_too_few_filled_cells_is_refused_and_the_others_are_fitted():
    rng = np.random.default_rng(1)
    y = rng.beta(3, 3, size=(2, 80))
    n, log_y, log_1my = stats(y, np.repeat(np.arange(4), 20))
    counts = np.stack([n, n * [1, 1, 1, 0]])
    got = fit_cells(counts, log_y, log_1my, TREATMENT)
    assert got.reason == (None, beta_newton.RANK)
    assert fit_cells(n, log_y, log_1my, TREATMENT).coef[0] == pytest.approx(got.coef[0])


def test_empty_cells_take_no_part():
    y, cell, _ = read("syn3_phi5")
    full, m = fit_cells(*stats(y, cell), TREATMENT), log_means(y, cell, 5)
    wider = fit_cells(m.n, m.mean_log_y, m.mean_log_1my, np.vstack([TREATMENT, [1, 9, 9, 9]]))
    assert_allclose(wider.coef, full.coef, rtol=1e-13)


def test_dependent_columns_are_refused():
    y, cell, _ = read("syn3_phi5")
    with pytest.raises(BetaDesignError) as error:
        fit_cells(*stats(y, cell), TREATMENT[:, [0, 1, 1]])
    assert str(error.value) == (
        "the 3 columns of the design are linearly dependent on the 4 rows or cells that have data (rank 2): "
        "leave out a column, or the cells that are empty."
    )


def test_shapes_that_disagree_are_refused():
    y, cell, _ = read("syn3_phi5")
    with pytest.raises(BetaDesignError) as error:
        fit_cells(*stats(y, cell), TREATMENT[:3])
    assert str(error.value) == (
        "design has shape (3, 4), counts (4,), means (1, 4) and (1, 4): "
        "expected (cells, columns), (cells,) or (systems, cells), and twice (systems, cells)."
    )


def test_responses_at_an_edge_are_refused_with_their_row():
    X = np.ones((4, 1))
    with pytest.raises(EdgeError) as error:
        fit(X, [0.2, 0.3, 1.0, 0.0])
    assert str(error.value) == (
        "row 2: response 1.0 is at an edge of [0, 1], where the beta density has no value (2 such rows): "
        "choose edge='squeeze' or edge='clip:EPS'."
    )
    with pytest.raises(EdgeError) as error:
        fit(X, [0.2, 1.5, 0.4, 0.5], edge="squeeze")
    assert str(error.value) == "row 1: response 1.5 lies outside [0, 1]."


@pytest.mark.parametrize("edge", ["clip", "clip:0", "clip:0.5", "clip:x", "trim", ""])
def test_unknown_edge_treatments_are_refused(edge):
    with pytest.raises(EdgeError) as error:
        log_means([0.5], [0], 1, edge)
    assert str(error.value) == (
        f"edge={edge!r} is not an edge treatment: "
        "give 'none', 'squeeze' or 'clip:EPS' with 0 < EPS < 0.5, for example 'clip:0.001'."
    )


def test_edge_treatments_do_what_they_say_and_count_what_they_touch():
    y, group = [0.0, 0.25, 1.0, 0.005], [0, 0, 1, 1]
    squeezed, clipped, raw = (log_means(y, group, 2, e) for e in ("squeeze", "clip:0.01", "none"))
    inner = (np.array(y) * 3 + 0.5) / 4
    assert_allclose(squeezed.mean_log_y[0], np.log(inner).reshape(2, 2).mean(axis=1))
    assert_allclose(clipped.mean_log_1my[0], np.log1p(-np.array([0.01, 0.25, 0.99, 0.01])).reshape(2, 2).mean(axis=1))
    assert raw.mean_log_y[0].tolist()[0] == -np.inf
    assert [m.touched[0] for m in (squeezed, clipped, raw)] == [2, 3, 2]
    assert [m.first_edge_row[0] for m in (squeezed, clipped, raw)] == [0, 0, 0]


def test_a_few_scores_at_an_edge_decide_the_coefficient_and_the_fractional_logit_shows_it():
    rng = np.random.default_rng(8)
    cell = np.repeat(np.arange(4), 350)
    y = rng.beta(40, 10, size=1400)
    y[rng.choice(np.flatnonzero(cell == 2), 20, replace=False)] = 1.0
    found = {edge: fit_cells(*stats(y, cell, edge), TREATMENT) for edge in ("clip:0.01", "squeeze", "clip:1e-12")}
    z = {edge: got.coef[0, 2] / got.se[0, 2] for edge, got in found.items()}
    assert abs(z["clip:1e-12"] - z["clip:0.01"]) > 4
    means = np.array([y[cell == k].mean() for k in range(4)])
    assert abs(fractional_logit(means, TREATMENT).coef[0, 2]) < 0.15


def test_remainders_of_stirling_agree_with_the_functions_themselves():
    x = np.concatenate([np.geomspace(1e-3, 19.99, 40), np.geomspace(20, 200, 40)])
    log_gamma, psi, psi1 = remainders(x)
    assert_allclose(log_gamma + (x - 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi), gammaln(x), rtol=1e-13, atol=1e-13)
    assert_allclose(psi + np.log(x), digamma(x), rtol=1e-13, atol=1e-13)
    assert_allclose(psi1 + 1 / x, polygamma(1, x), rtol=1e-13)


def test_remainders_of_stirling_keep_their_digits_where_the_functions_cancel():
    log_gamma, psi, psi1 = remainders(np.array([1e9]))
    assert_allclose([log_gamma[0], psi[0], psi1[0]], [1 / 12e9, -0.5e-9, 0.5e-18], rtol=1e-8)


def test_pooling_persons_into_cells_equals_one_pass():
    rng = np.random.default_rng(3)
    person = rng.permutation(np.repeat(np.arange(12), 7))
    y = rng.beta(2, 3, size=(2, person.size))
    pooled, direct = pool(log_means(y, person, 12), np.arange(12) % 3, 3), log_means(y, person % 3, 3)
    assert_allclose(pooled.mean_log_y, direct.mean_log_y, rtol=1e-14)
    assert_allclose(pooled.mean_log_1my, direct.mean_log_1my, rtol=1e-14)
    assert pooled.n.tolist() == direct.n.tolist()


def test_pooling_keeps_an_untreated_edge_in_its_own_cell():
    y = np.array([0.0, 0.5, 0.25, 0.75])
    pooled = pool(log_means(y, np.arange(4), 4), [0, 0, 1, 1], 2)
    assert pooled.mean_log_y[0, 0] == -np.inf
    assert pooled.mean_log_y[0, 1] == pytest.approx(np.log([0.25, 0.75]).mean())


def test_fractional_logit_reproduces_cell_means():
    means = np.array([0.2, 0.5, 0.6, 0.9])
    got = fractional_logit(means, TREATMENT)
    assert_allclose(1 / (1 + np.exp(-TREATMENT @ got.coef[0])), means)
    assert got.note == (None,)


def test_fractional_logit_says_where_a_coefficient_is_infinite():
    got = fractional_logit([[0.2, 0.5, 0.6, 1.0], [0.0, 0.5, 0.0, 0.5]], TREATMENT)
    assert got.coef[0, :3] == pytest.approx([np.log(0.25), np.log(4), np.log(6)])
    assert got.coef[0, 3] == np.inf
    assert got.coef[1, :2].tolist() == [-np.inf, np.inf]
    assert np.isnan(got.coef[1, 2:]).all()
    assert got.note == ("every prediction of a cell is 0 or 1, so its logit is infinite",) * 2


def test_fractional_logit_needs_a_saturated_design():
    with pytest.raises(BetaDesignError) as error:
        fractional_logit([0.2, 0.3, 0.4, 0.5], TREATMENT[:, :3])
    assert str(error.value) == (
        "design has shape (4, 3): the closed form of the fractional logit needs as many independent columns as cells."
    )
