"""Beta regression with one mean per cell and a common precision, and the column ``beta`` read from it.

The model is that of Ferrari & Cribari-Neto (2004): y ~ Beta(μφ, (1 − μ)φ), logit μ = η of the score's cell. With
categorical axes all crossed it needs of the data only mean log y and mean log(1 − y) per cell, and its information
matrix is diagonal but for the row of φ; so all systems are fitted together without general
linear algebra, and one that cannot be fitted is refused by name without disturbing the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import digamma, gammaln, ndtr, zeta

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Logs, Sums, to_unit

PHI_LIMIT = 1e10
"""Beyond this precision the spread of the scores is of the size of their rounding errors."""

ALL_EQUAL = "all predictions are equal: the likelihood of the beta regression grows without bound, there is no fit"
NO_SPREAD = (
    "the predictions do not vary around the values the model fits (precision above 1e10): "
    "the likelihood of the beta regression grows without bound, there is no fit"
)
AT_EDGE = (
    "some predictions are missing or at an end of the scale, where the beta distribution has no density: "
    "there is no fit; the method camara2022 can move them (edge 'squeeze' or 'clip:EPS')"
)
NO_RANGE = "no range of the scores was declared, and the beta distribution needs their bounds: there is no fit"
HOLES = (
    "some scores are missing, and the beta regression takes each person on every item: there is no fit; incomplete "
    "'shared' fits the items all persons share"
)
RANK = "the filled cells do not identify every coefficient of the beta regression: there is no fit"
_MAX_STEPS = 100
NOT_CONVERGED = f"the beta regression did not converge in {_MAX_STEPS} steps: there is no fit"

_DONE = 1e-12
_LEFT = 1e-22
_ROUNDOFF = 2.0**-53
_LOG_2PI = float(np.log(2.0 * np.pi))


class _Cells(NamedTuple):
    """Rows, mean log y and mean log(1 − y) of S systems in K cells; every array is (S, K)."""

    n: Floats
    log_y: Floats
    log_1my: Floats

    def of(self, systems: Ints | Bools) -> "_Cells":
        return _Cells(*(values[systems] for values in self))

    def average(self, values: Floats) -> Floats:
        """Mean over rows, (S,)."""
        return np.asarray((self.n * values).sum(axis=1) / self.n.sum(axis=1))


@dataclass(frozen=True, slots=True)
class Fit:
    """Beta regressions of S systems on K cells; all numbers of a refused system are NaN.

    Attributes
    ----------
    eta : (S, K) array
        Logit of each cell's mean.
    phi, loglik : (S,) arrays
        Precision, and log-likelihood at the maximum.
    diagonal, border : (S, K) arrays
        Expected information of η, and between η and log φ.
    corner : (S,) array
        Information of log φ that is left when η is estimated too.
    logit, log_1my, weight : (S, K) arrays
        Expected logit y and log(1 − y) of a score of each cell, and the derivative φμ(1 − μ).
    reason : tuple of (str or None), length S
        Why a system was refused.
    """

    eta: Floats
    phi: Floats
    loglik: Floats
    diagonal: Floats
    border: Floats
    corner: Floats
    logit: Floats
    log_1my: Floats
    weight: Floats
    reason: tuple[str | None, ...]

    def se(self, lines: Floats) -> Floats:
        """Standard errors (S, R) of weighted sums (R, K) of η, from the expected information as in R's betareg."""
        at_fixed_phi = (1.0 / self.diagonal) @ (lines**2).T
        through_phi = (self.border / self.diagonal) @ lines.T
        return np.asarray(np.sqrt(at_fixed_phi + through_phi**2 / self.corner[:, None]))


def fit_cells(n: Floats, log_y: Floats, log_1my: Floats) -> Fit:
    """Fit S beta regressions from the sufficient statistics of K cells.

    Parameters
    ----------
    n : (K,) or (S, K) array
        Rows per cell; a system with a cell of 0 rows is refused.
    log_y, log_1my : (S, K) arrays
        Mean of log y and log(1 − y) per cell.

    Notes
    -----
    Fisher scoring on (η, log φ) with step halving. One mean per cell lets the scores of all cells be 0, where the
    expected information is the observed one; so the steps end like Newton's, and unlike those they always go uphill.
    """
    cells = _Cells(np.asarray(np.broadcast_to(n, log_y.shape), dtype=float), log_y, log_1my)
    # Trial steps may leave the range of floating point; they are then refused, not believed.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        theta, reason = _start(cells)
        todo = np.flatnonzero([refusal is None for refusal in reason])
        theta[todo], failed = _climb(cells.of(todo), theta[todo])
        for s, refusal in failed.items():
            reason[todo[s]] = refusal
        t = _evaluate(theta, cells)
        corner = t.corner - (t.border**2 / t.diagonal).sum(axis=1)
        sound = (t.diagonal > 0).all(axis=1) & (corner > 0) & np.isfinite(t.loglik)
        for s in np.flatnonzero(~sound).tolist():
            reason[s] = reason[s] or NOT_CONVERGED
        refused = np.array([cause is not None for cause in reason], dtype=bool)
        logit = cells.log_y - cells.log_1my - t.surprise
        log_1my = cells.log_1my + t.mu * t.surprise - t.score_phi
        numbers = (theta[:, :-1], t.phi[:, 0], t.loglik, t.diagonal, t.border, corner, logit, log_1my, t.weight)
        for values in numbers:
            values[refused] = np.nan
        return Fit(*numbers, tuple(reason))


def _start(cells: _Cells) -> tuple[Floats, list[str | None]]:
    """Find η and log φ, (S, K + 1), close to the maximum; say of which systems there is none."""
    finite: Bools = np.asarray(np.isfinite(cells.log_y + cells.log_1my).all(axis=1))
    logit = np.where(finite[:, None], cells.log_y - cells.log_1my, 0.0)
    filled = (cells.n > 0).all(axis=1)
    distance = _distance(logit, cells)
    refused = ~(distance > 0.5 / PHI_LIMIT) | ~finite | ~filled
    equal = np.ptp(logit, axis=1) <= 1e-12 * np.maximum(1.0, np.abs(logit[:, 0]))
    cause = np.select([~refused, ~filled, ~finite, equal], [0, 1, 2, 3], 4)
    reason = [(None, RANK, AT_EDGE, ALL_EQUAL, NO_SPREAD)[k] for k in cause]
    distance = np.where(refused, 0.1, distance)
    for _ in range(3):
        # Where φμ or φ(1 − μ) is small the mean logit tends to 2 sinh(η)/φ, far from the linear predictor η.
        far = np.arcsinh(np.abs(logit) / (4.0 * distance[:, None]))
        eta = np.copysign(np.minimum(far, np.abs(logit)), logit)
        distance = np.where(refused, distance, _distance(eta, cells))
    # To second order D = 1/2φ + k/12φ², and the mean logit exceeds η by (1/(1 − μ) − 1/μ)/2φ.
    mu = 1.0 / (1.0 + np.exp(-eta))
    inverse = 1.0 / (mu * (1.0 - mu))
    # D lies between 1/2φ and 2/φ, where the second order fails.
    u = distance / np.minimum(0.25 + np.sqrt(0.0625 + distance * (cells.average(inverse) - 1.0) / 12.0), 2.0)
    bias = np.clip((0.5 - mu) * inverse * u[:, None], -0.5, 0.5)
    return np.column_stack([eta + bias, -np.log(u)]), reason


def _log_means(eta: Floats) -> tuple[Floats, Floats]:
    """Logarithms of μ and 1 − μ."""
    log_mu = -np.logaddexp(0.0, -eta)
    return log_mu, log_mu - eta


def _distance(eta: Floats, cells: _Cells) -> Floats:
    """Mean of D (see `_evaluate`), about 1/2φ at the maximum."""
    log_mu, log_nu = _log_means(eta)
    mu = np.exp(log_mu)
    return -cells.average(mu * (cells.log_y - log_mu) + (1.0 - mu) * (cells.log_1my - log_nu))


class _Terms(NamedTuple):
    """At given parameters the log-likelihood (S,), φ (S, 1), and per cell, (S, K): μ, the derivative φμ(1 − μ), how far
    logit y is from what is expected, the score of φ; the expected information of η (its diagonal), between η and log φ,
    and, (S,), of log φ.
    """

    loglik: Floats
    phi: Floats
    mu: Floats
    weight: Floats
    surprise: Floats
    score_phi: Floats
    diagonal: Floats
    border: Floats
    corner: Floats


def _evaluate(theta: Floats, cells: _Cells) -> _Terms:
    """Evaluate likelihood, score and information.

    With d, e, r the remainders of ψ, ψ′ and ln Γ after Stirling's leading terms, a = μφ and b = (1 − μ)φ:
    μ* = logit μ + d(a) − d(b), and the log-likelihood of one observation is −φD + ½ ln φμ(1 − μ)/2π + r(φ)
    − r(a) − r(b) − ln y − ln(1 − y) with D = −μ(ln y − ln μ) − (1 − μ)(ln(1 − y) − ln(1 − μ)).
    """
    log_phi = theta[:, -1:]
    log_mu, log_nu = _log_means(theta[:, :-1])
    mu, nu, phi = np.exp(log_mu), np.exp(log_nu), np.exp(log_phi)
    ends = [mu.shape[1], 2 * mu.shape[1]]
    rests = remainders(np.concatenate([mu * phi, nu * phi, phi], axis=1))
    (r_a, r_b, r), (d_a, d_b, d), (e_a, e_b, e) = (np.split(rest, ends, axis=1) for rest in rests)
    over_y, over_1my = cells.log_y - log_mu, cells.log_1my - log_nu
    surprise = (over_y - over_1my) - (d_a - d_b)
    gap = mu * over_y + nu * over_1my
    constant = 0.5 * (log_phi + log_mu + log_nu - _LOG_2PI)
    loglik = phi * gap + constant + r - r_a - r_b - cells.log_y - cells.log_1my
    n, weight = cells.n, phi * (mu * nu)
    return _Terms(
        (n * loglik).sum(axis=1), phi, mu, weight, surprise,
        score_phi=mu * surprise + over_1my - d_b + d,
        diagonal=n * weight * (1.0 / weight + e_a + e_b) * weight,
        border=n * weight * (mu * e_a - nu * e_b) * phi,
        corner=(n * (mu * mu * e_a + nu * nu * e_b - e)).sum(axis=1) * phi[:, 0] ** 2,
    )  # fmt: skip


def _direction(t: _Terms, n: Floats) -> tuple[Floats, Floats]:
    """Return a step uphill (S, K + 1), not over orders of magnitude at once, and twice the gain it promises, (S,)."""
    score, share = n * t.weight * t.surprise, t.border / t.diagonal
    score_phi = (n * t.score_phi).sum(axis=1) * t.phi[:, 0]
    last = (score_phi - (share * score).sum(axis=1)) / (t.corner - (share * t.border).sum(axis=1))
    first = score / t.diagonal - share * last[:, None]
    step, gain = np.column_stack([first, last]), (score * first).sum(axis=1) + score_phi * last
    reach = np.abs(step).max(axis=1)
    return step * np.minimum(1.0, 4.0 / np.maximum(reach, 1e-300))[:, None], gain


def _climb(cells: _Cells, theta: Floats) -> tuple[Floats, dict[int, str]]:
    """Climb from starting values; return the maxima, and which systems reached none, and why."""
    failures: dict[int, str] = {}
    active = np.arange(len(theta))
    scale, last_gain, rows = np.ones(len(theta)), np.full(len(theta), np.nan), cells.n.sum(axis=1)
    here = _evaluate(theta, cells)
    for _ in range(_MAX_STEPS):
        if not active.size:
            return theta, failures
        step, gain = _direction(here, cells.n)
        # Rounding alone moves log φ by about φ times the unit roundoff. A step leaves about c·gain² to gain, and the
        # last one tells c = gain/before²: it is the last one where that is below what can be seen.
        small = gain <= np.maximum(_DONE, 4 * rows * (_ROUNDOFF * here.phi[:, 0]) ** 2)
        last = small | (gain**3 <= _LEFT * last_gain**2)
        trial = theta[active] + scale[:, None] * step
        ahead = here if last.all() else _evaluate(trial, cells)
        noise = 1e-12 * (1.0 + np.abs(here.loglik)) + 8 * _ROUNDOFF * rows * here.phi[:, 0]
        up = last | (ahead.loglik >= here.loglik - noise)
        theta[active[up]] = trial[up]
        scale, last_gain = np.where(up, 1.0, scale / 2), np.where(up, gain, last_gain)
        unbounded, stuck = up & (trial[:, -1] > np.log(PHI_LIMIT)), ~np.isfinite(gain) | (scale < 1e-9)
        failures |= {int(active[s]): NOT_CONVERGED for s in np.flatnonzero(stuck)}
        failures |= {int(active[s]): NO_SPREAD for s in np.flatnonzero(unbounded)}
        keep = ~(last | unbounded | stuck)
        if not (keep & up).all():
            active, scale, last_gain, rows = (values[keep] for values in (active, scale, last_gain, rows))
            cells = cells.of(keep)
            ahead = _evaluate(theta[active], cells)
        here = ahead
    return theta, failures | {int(s): NOT_CONVERGED for s in active}


_SERIES_FROM = 20.0
"""Above this argument six terms of each series are exact to a few units in the last place."""

_TERMS = np.array([
    [-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12],
    [-691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12],
    [-691 / 2730, 5 / 66, -1 / 30, 1 / 42, -1 / 30, 1 / 6],
])  # fmt: skip
"""Bernoulli numbers over the factors of each series, by powers of 1/x², the highest first."""


def remainders(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what Stirling's formula leaves over of ln Γ, ψ and ψ′ at positive x.

    ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π], ψ(x) − ln x, ψ′(x) − 1/x (Abramowitz & Stegun 1964, 6.1.41, 6.3.18 and
    6.4.12). The likelihood is made of differences such as ψ(φ) − ψ((1 − μ)φ), whose leading parts cancel as φ
    grows; taking them out lets that happen on paper instead of in floating point.
    """
    i = 1.0 / np.maximum(x, _SERIES_FROM)
    q = i * i
    log_gamma, psi, psi1 = np.polyval(_TERMS.T.reshape(6, 3, *(1 for _ in q.shape)), q)
    rests = i * log_gamma, -0.5 * i - q * psi, q * (0.5 + i * psi1)
    small = x < _SERIES_FROM
    if small.any():
        s = x[small]
        log_s = np.log(s)
        exact = gammaln(s) - ((s - 0.5) * log_s - s + 0.5 * _LOG_2PI), digamma(s) - log_s, zeta(2.0, s) - 1.0 / s
        for values, exact_values in zip(rests, exact, strict=True):
            values[small] = exact_values
    return rests


@dataclass(frozen=True, slots=True)
class BetaColumns:
    """Beta regression and fractional logit of S systems, R contrasts.

    Attributes
    ----------
    beta, se, p : (S, R) arrays
        Coefficient on the logit scale, the model's standard error and its z-test, as published.
    se_person : (S, R) array
        Standard error clustered by person (by pair where persons are paired), CR1 with G/(G − 1).
    logit : (S, R) array
        The same coefficient from the logits of the cell means, which needs no edge treatment: the fractional logit
        of Papke & Wooldridge (1996). NaN where a cell of mean 0 or 1 is weighed.
    phi, loglik : (S,) arrays
        Precision and log-likelihood.
    touched : (S,) integer array
        Scores the edge treatment changed; with ``none``, scores at 0 or 1 that prevent a fit.
    reason : tuple of (str or None), length S
        Why there is no fit.
    """

    beta: Floats
    se: Floats
    p: Floats
    se_person: Floats
    logit: Floats
    phi: Floats
    loglik: Floats
    touched: Ints
    reason: tuple[str | None, ...]


def fit_table(
    sums: Sums, table: Table, contrasts: Sequence[Contrast], score_range: tuple[float, float] = (0.0, 1.0),
    *, holes: bool = False,
) -> BetaColumns:  # fmt: skip
    """Fit one mean per cell of a table and read the contrasts' coefficients from the fit.

    Parameters
    ----------
    sums : Sums
        Of the table, with logarithms.
    table : Table
        The cells; those without persons take no part.
    contrasts : sequence of Contrast
        Their ``coding`` gives the coefficients.
    score_range : (float, float)
        What 0 and 1 are.
    holes : bool
        Whether scores are missing, so that the table has no logarithms.
    """
    if sums.logs is None:
        return _no_fit(len(sums.cell), len(contrasts), HOLES if holes else NO_RANGE)
    cell, lines = coding_lines(table, contrasts)
    fit = fit_logs(sums.logs, cell, sums.items)
    beta, se = fit.eta @ lines.T, fit.se(lines)
    cluster = table.base if table.paired else np.arange(len(cell))
    robust = clustered_se(fit, lines, sums.logs, cell, cluster, sums.items)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * ndtr(-np.abs(beta / se))
    # The mean of scores that are all 1 may be above it by rounding.
    logit = fractional_logit(np.clip(to_unit(sums.cell, score_range), 0.0, 1.0), lines)
    return BetaColumns(beta, se, p, robust, logit, fit.phi, fit.loglik, sums.logs.touched, fit.reason)


def _no_fit(systems: int, rows: int, reason: str) -> BetaColumns:
    """Columns without a number, where the range of the scores is not known, or some are missing."""
    none, alone = np.full((systems, rows), np.nan), np.full(systems, np.nan)
    touched = np.zeros(systems, dtype=np.intp)
    return BetaColumns(none, none, none, none, none, alone, alone, touched, (reason,) * systems)


def coding_lines(table: Table, contrasts: Sequence[Contrast]) -> tuple[Ints, Floats]:
    """Return each person's cell among those filled, and the contrasts (R, K) as weights on these cells' η.

    A contrast that weighs an empty cell has no coefficient: its weights are NaN.
    """
    filled, cell = np.unique(table.cell, return_inverse=True)
    coding = np.array([contrast.coding for contrast in contrasts]).reshape(len(contrasts), len(table.cells))
    lines = coding[:, filled]
    lines[(np.delete(coding, filled, axis=1) != 0).any(axis=1)] = np.nan
    return cell, lines


def fit_logs(logs: Logs, cell: Ints, items: int) -> Fit:
    """Fit from the logarithms of persons, sorted by cell, each of whom met so many items."""
    starts = np.searchsorted(cell, np.arange(cell[-1] + 1))
    persons = np.bincount(cell)
    log_y, log_1my = (np.asarray(np.add.reduceat(x, starts, axis=1) / persons) for x in (logs.log_y, logs.log_1my))
    return fit_cells(np.asarray(persons * items, dtype=float), log_y, log_1my)


def clustered_se(fit: Fit, lines: Floats, logs: Logs, cell: Ints, cluster: Ints, items: int) -> Floats:
    """Return standard errors that allow for dependence within persons (or other clusters).

    Parameters
    ----------
    fit : Fit
        Of S systems on K cells.
    lines : (R, K) array
        Weighted sums of η.
    logs : Logs
        Of the P persons.
    cell, cluster : (P,) integer arrays
        Cell and cluster of each person.
    items : int
        Rows of each person.

    Returns
    -------
    (S, R) array, NaN with a single cluster

    Notes
    -----
    CR1, with the factor G/(G − 1) for G clusters: the scores of the likelihood are summed within them; the bread is the
    inverse expected information, as in R's sandwich::vcovCL on a betareg fit (Zeileis, Köll & Graham 2020).
    """
    mu = 1.0 / (1.0 + np.exp(-fit.eta))
    share = fit.border / fit.diagonal
    through_phi = share @ lines.T
    # How much each person moves η of its cell at a given φ, and log φ.
    with np.errstate(invalid="ignore"):
        surprise = logs.log_y - logs.log_1my - fit.logit[:, cell]
        score = items * fit.weight[:, cell] * surprise
        score_phi = items * fit.phi[:, None] * (mu[:, cell] * surprise + logs.log_1my - fit.log_1my[:, cell])
        moves_phi = (score_phi - share[:, cell] * score) / fit.corner[:, None]
    moves = (score / fit.diagonal[:, cell])[:, :, None] * lines.T[cell]
    moves = moves - moves_phi[:, :, None] * through_phi[:, None]
    codes = np.unique(cluster, return_inverse=True)[1]
    clusters = int(codes.max()) + 1
    if clusters == 1:
        return np.full(through_phi.shape, np.nan)
    if clusters < len(codes):
        order = np.argsort(codes, kind="stable")
        moves = np.add.reduceat(moves[:, order], np.searchsorted(codes[order], np.arange(clusters)), axis=1)
    return np.asarray(np.sqrt(clusters / (clusters - 1) * np.einsum("sgr,sgr->sr", moves, moves)))


def fractional_logit(means: Floats, lines: Floats) -> Floats:
    """Return weighted sums (R, K) of the logits of means (S, K); NaN where one that is weighed is infinite."""
    # Scores of 1 may sum to a little less.
    means = np.where(means > 1 - 1e-12, 1.0, means)
    with np.errstate(divide="ignore"):
        logit = np.log(means) - np.log1p(-means)
    bad = np.isinf(logit)
    sums = np.where(bad, 0.0, logit) @ lines.T
    return np.where(bad.astype(float) @ (lines != 0).T > 0, np.nan, sums)
