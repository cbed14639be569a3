"""Climbing the beta likelihood: starting values, Newton steps, and what makes a climb hopeless."""

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.beta_likelihood import Cells, Pieces, evaluate, information, score

# Beyond this precision the spread of the scores is of the size of their rounding errors.
PHI_LIMIT = 1e10
_LOG_PHI_LIMIT = float(np.log(PHI_LIMIT))
_MAX_STEPS = 100
_DONE = 1e-12
_LEFT = 1e-22
_ROUNDOFF = 2.0**-53

ALL_EQUAL = "all predictions are equal: the likelihood of the beta regression grows without bound, there is no fit"
NO_SPREAD = (
    "the predictions do not vary around the values the model fits (precision above 1e10): "
    "the likelihood of the beta regression grows without bound, there is no fit"
)
AT_EDGE = (
    "some predictions are missing, 0 or 1, where the beta distribution has no density: "
    "there is no fit without an edge treatment ('squeeze' or 'clip:EPS')"
)
RANK = "the filled cells do not identify every coefficient of the beta regression: there is no fit"
NOT_CONVERGED = f"the beta regression did not converge in {_MAX_STEPS} Newton steps: there is no fit"


def start(cells: Cells, theta: Floats) -> dict[int, str]:
    """Find starting values.

    Parameters
    ----------
    cells : Cells
        Statistics of S systems.
    theta : (S, p + 1) array
        Overwritten with β and log φ close to the maximum.

    Returns
    -------
    dict
        The systems that have no maximum, with the reason.
    """
    p = cells.design.shape[1]
    finite = np.asarray(np.isfinite(cells.log_y + cells.log_1my).all(axis=1), dtype=bool)
    logit = np.where(finite[:, None], cells.log_y - cells.log_1my, 0.0)
    normal = (cells.n @ cells.outer).reshape(-1, p, p)
    beta = solve(normal, (cells.n * logit) @ cells.design)
    lost = np.isnan(beta[:, 0])
    beta[lost] = 0.0
    refused: dict[int, str] = {}
    mu, distance = _distance(beta, cells)
    for s in np.flatnonzero(~(distance > 0.5 / PHI_LIMIT) | ~finite | lost):
        values = logit[s, cells.n[s] > 0]
        equal = np.ptp(values) <= 1e-12 * max(1.0, abs(values[0]))
        refused[int(s)] = RANK if lost[s] else AT_EDGE if not finite[s] else ALL_EQUAL if equal else NO_SPREAD
        distance[s] = 0.1
    for _ in range(3):
        # As φ → 0 the mean logit tends to 2 sinh(η)/φ, far from the linear predictor η.
        flat = distance > 0.25
        if not flat.any():
            break
        shrunk = np.arcsinh(logit[flat] / (4.0 * distance[flat, None]))
        beta[flat] = solve(normal[flat], (cells.n[flat] * shrunk) @ cells.design)
        mu, distance = _distance(beta, cells)
    # To second order D = 1/2φ + k/12φ², and the mean logit exceeds η by (1/(1 − μ) − 1/μ)/2φ.
    inverse = 1.0 / (mu * (1.0 - mu))
    k = (cells.n * inverse).sum(axis=1) / cells.n.sum(axis=1) - 1.0
    u = distance / (0.25 + np.sqrt(0.0625 + distance * k / 12.0))
    bias = np.clip((0.5 - mu) * inverse * u[:, None], -0.5, 0.5)
    theta[:, :-1] = beta + solve(normal, (cells.n * bias) @ cells.design)
    theta[:, -1] = -np.log(u)
    return refused


def _distance(beta: Floats, cells: Cells) -> tuple[Floats, Floats]:
    """Return fitted means and, per system, the mean of D (see `pieces`), about 1/2φ at the maximum."""
    eta = beta @ cells.design.T
    log_mu = -np.logaddexp(0.0, -eta)
    log_nu = log_mu - eta
    mu = np.exp(log_mu)
    gap = mu * (cells.log_y - log_mu) + (1.0 - mu) * (cells.log_1my - log_nu)
    return mu, -np.asarray((cells.n * gap).sum(axis=1) / cells.n.sum(axis=1), dtype=np.float64)


def solve(matrices: Floats, right: Floats) -> Floats:
    """Solve system by system; a singular one gives NaN and leaves the others alone.

    ``right`` holds one vector (S, p) or one matrix (S, p, m) per system.
    """
    sides = right[..., None] if right.ndim == 2 else right
    try:
        solved = np.linalg.solve(matrices, sides)
    except np.linalg.LinAlgError:
        if len(matrices) == 1:
            return np.full_like(right, np.nan)
        parts = [solve(matrices[i : i + 1], right[i : i + 1]) for i in range(len(matrices))]
        return np.concatenate(parts)
    return np.asarray(solved.reshape(right.shape), dtype=np.float64)


def _direction(t: Pieces, cells: Cells) -> tuple[Floats, Floats]:
    """Return the step (S, p + 1) and the expected gain of the log-likelihood, doubled, (S,)."""
    gradient = score(t, cells)
    step = solve(information(t, cells, observed=True), gradient)
    gain = (gradient * step).sum(axis=1)
    bad = ~(gain >= 0.0)
    if bad.any():
        expected = information(t, cells, observed=False)
        step[bad] = solve(expected[bad], gradient[bad])
        gain = (gradient * step).sum(axis=1)
    # Far from the maximum a step may want to cross orders of magnitude.
    reach = np.maximum(np.abs(step[:, :-1] @ cells.design.T).max(axis=1), np.abs(step[:, -1]))
    step *= np.minimum(1.0, 4.0 / np.maximum(reach, 1e-300))[:, None]
    return step, gain


def newton(cells: Cells, theta: Floats) -> tuple[Floats, Ints, dict[int, str]]:
    """Climb from starting values.

    Parameters
    ----------
    cells : Cells
        Statistics of S systems.
    theta : (S, p + 1) array
        Where to start: β and log φ.

    Returns
    -------
    theta : (S, p + 1) array
        The maxima.
    steps : (S,) int array
        Newton steps taken.
    failures : dict
        The systems that reached no maximum, with the reason.
    """
    theta = theta.copy()
    steps = np.zeros(len(theta), dtype=np.int64)
    failures: dict[int, str] = {}
    active = np.arange(len(theta))
    scale, before = np.ones(len(theta)), np.full(len(theta), np.nan)
    rows = cells.n.sum(axis=1)
    here = evaluate(theta, cells)
    step, gain = _direction(here, cells)
    for _ in range(_MAX_STEPS):
        last = _nearly_there(gain, before, rows, here.phi[:, 0])
        trial = theta[active] + scale[:, None] * step
        there = here if last.all() else evaluate(trial, cells)
        noise = 1e-12 * (1.0 + np.abs(here.loglik)) + 8 * _ROUNDOFF * rows * here.phi[:, 0]
        up = last | (there.loglik >= here.loglik - noise)
        theta[active[up]] = trial[up]
        steps[active[up]] += 1
        scale = np.where(up, 1.0, scale / 2)
        unbounded = up & (trial[:, -1] > _LOG_PHI_LIMIT)
        stuck = ~np.isfinite(gain) | (scale < 1e-9)
        for s in np.flatnonzero(unbounded | stuck):
            failures[int(active[s])] = NO_SPREAD if unbounded[s] else NOT_CONVERGED
        keep = ~(last | unbounded | stuck)
        if not keep.any():
            return theta, steps, failures
        before = np.where(up, gain, before)
        if not (keep.all() and up.all()):
            active, scale, before, rows, cells = active[keep], scale[keep], before[keep], rows[keep], cells.take(keep)
            there = evaluate(theta[active], cells)
        here = there
        step, gain = _direction(here, cells)
    return theta, steps, failures | {int(s): NOT_CONVERGED for s in active}


def _nearly_there(gain: Floats, before: Floats, rows: Floats, phi: Floats) -> Bools:
    """Tell systems whose next step is the last: what it leaves to gain is below what can be seen.

    Newton's method leaves about c·gain² after a step, and the last step tells c = gain/before².
    """
    # Rounding alone moves log φ by about φ times the unit roundoff.
    small = gain <= np.maximum(_DONE, 4 * rows * (_ROUNDOFF * phi) ** 2)
    return np.asarray(small | (gain**3 <= _LEFT * before**2))
