"""The beta log-likelihood on sufficient statistics, with its score and information."""

from dataclasses import dataclass, replace

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.stirling import remainders

_LOG_2PI = float(np.log(2.0 * np.pi))


@dataclass(frozen=True, slots=True)
class Cells:
    """Sufficient statistics of S systems on the C cells of one design.

    Attributes
    ----------
    n, log_y, log_1my : (S, C) arrays
        Rows per cell, mean log y and mean log(1 − y).
    design : (C, p) array
        Regressors.
    outer : (C, p·p) array
        Outer product of each row of the design with itself.
    """

    n: Floats
    log_y: Floats
    log_1my: Floats
    design: Floats
    outer: Floats

    def take(self, systems: Ints | Bools) -> "Cells":
        """Return the statistics of some systems only."""
        return replace(self, n=self.n[systems], log_y=self.log_y[systems], log_1my=self.log_1my[systems])


@dataclass(frozen=True, slots=True)
class Pieces:
    """Terms of likelihood, score and information per system and cell, at given parameters.

    Attributes
    ----------
    mu, slope : (S, C) arrays
        Mean, and its derivative μ(1 − μ) with respect to the linear predictor.
    phi : (S, 1) array
        Precision.
    surprise : (S, C) array
        y* − μ*: mean logit of the scores minus its expectation.
    score_phi : (S, C) array
        Derivative of the log-likelihood with respect to φ, per observation.
    v, c, k : (S, C) arrays
        Variance of logit y, its covariance term, and the information of φ, per observation.
    loglik : (S,) array
        Log-likelihood.
    """

    mu: Floats
    slope: Floats
    phi: Floats
    surprise: Floats
    score_phi: Floats
    v: Floats
    c: Floats
    k: Floats
    loglik: Floats


def pieces(theta: Floats, n: Floats, log_y: Floats, log_1my: Floats, design: Floats) -> Pieces:
    """Evaluate the terms of the likelihood.

    Parameters
    ----------
    theta : (S, p + 1) array
        β and log φ.
    n, log_y, log_1my : (S, C) arrays
        Sufficient statistics.
    design : (C, p) array
        Regressors.

    Returns
    -------
    Pieces

    Notes
    -----
    With d, e, r the remainders of ψ, ψ′ and ln Γ after Stirling's leading terms, a = μφ and b = (1 − μ)φ:
    μ* = logit μ + d(a) − d(b), and the log-likelihood of one observation is −φD + ½ ln φμ(1 − μ)/2π + r(φ)
    − r(a) − r(b) − ln y − ln(1 − y) with D = −μ(ln y − ln μ) − (1 − μ)(ln(1 − y) − ln(1 − μ)).
    """
    eta = theta[:, :-1] @ design.T
    log_mu = -np.logaddexp(0.0, -eta)
    log_nu = log_mu - eta
    mu, nu, phi = np.exp(log_mu), np.exp(log_nu), np.exp(theta[:, -1:])
    r, d, e = remainders(np.concatenate([mu * phi, nu * phi, phi], axis=1))
    cells = eta.shape[1]
    first, second, whole = slice(0, cells), slice(cells, 2 * cells), slice(2 * cells, None)
    over_y, over_1my = log_y - log_mu, log_1my - log_nu
    surprise = (over_y - over_1my) - (d[:, first] - d[:, second])
    gap = mu * over_y + nu * over_1my
    constant = 0.5 * (theta[:, -1:] + log_mu + log_nu - _LOG_2PI)
    loglik = phi * gap + constant + r[:, whole] - r[:, first] - r[:, second] - log_y - log_1my
    slope = mu * nu
    return Pieces(
        mu=mu,
        slope=slope,
        phi=phi,
        surprise=surprise,
        score_phi=mu * surprise + over_1my - d[:, second] + d[:, whole],
        v=1.0 / (phi * slope) + e[:, first] + e[:, second],
        c=mu * e[:, first] - nu * e[:, second],
        k=mu * mu * e[:, first] + nu * nu * e[:, second] - e[:, whole],
        loglik=(n * loglik).sum(axis=1),
    )


def evaluate(theta: Floats, cells: Cells) -> Pieces:
    """Evaluate `pieces` on cells."""
    return pieces(theta, cells.n, cells.log_y, cells.log_1my, cells.design)


def score(t: Pieces, cells: Cells) -> Floats:
    """Return the gradient with respect to (β, log φ), (S, p + 1)."""
    beta = (cells.n * t.phi * t.surprise * t.slope) @ cells.design
    return np.concatenate([beta, (cells.n * t.score_phi).sum(axis=1, keepdims=True) * t.phi], axis=1)


def information(t: Pieces, cells: Cells, observed: bool) -> Floats:
    """Return the information of (β, log φ), (S, p + 1, p + 1)."""
    n, p = cells.n, cells.design.shape[1]
    bb = t.phi * t.slope * t.v * t.slope * t.phi
    bf = t.phi * t.c * t.slope * t.phi
    ff = (n * t.k).sum(axis=1) * t.phi[:, 0] ** 2
    if observed:
        bb = bb - t.phi * t.surprise * t.slope * (1.0 - 2.0 * t.mu)
        bf = bf - t.surprise * t.slope * t.phi
        ff = ff - (n * t.score_phi).sum(axis=1) * t.phi[:, 0]
    out = np.empty((n.shape[0], p + 1, p + 1))
    out[:, :p, :p] = ((n * bb) @ cells.outer).reshape(-1, p, p)
    out[:, :p, p] = out[:, p, :p] = (n * bf) @ cells.design
    out[:, p, p] = ff
    return out
