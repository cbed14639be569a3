"""What is read off a beta regression: clustered standard errors, response-scale effects, fractional logit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from eec_bias.options import Bools, Floats
from eec_bias.stats.beta import BetaDesignError, BetaFit
from eec_bias.stats.beta_likelihood import pieces
from eec_bias.stats.logsums import LogMeans

NOT_FINITE = "every prediction of a cell is 0 or 1, so its logit is infinite"


@dataclass(frozen=True, slots=True)
class Clustered:
    """Cluster-robust covariance of (β, φ).

    Attributes
    ----------
    se : (S, p) array
        Standard errors of the coefficients.
    phi_se : (S,) array
        Standard error of φ.
    vcov : (S, p + 1, p + 1) array
        The sandwich; NaN for refused systems.
    """

    se: Floats
    phi_se: Floats
    vcov: Floats


@dataclass(frozen=True, slots=True)
class ResponseEffects:
    """Contrasts of fitted means on the response scale.

    Attributes
    ----------
    estimate, se : (S, K) arrays
        Contrast of fitted means and its delta-method standard error, in units of y.
    """

    estimate: Floats
    se: Floats


@dataclass(frozen=True, slots=True)
class FractionalLogit:
    """Coefficients that reproduce the cell means on the logit scale.

    Attributes
    ----------
    coef : (S, p) array
        ±inf where cells of mean 0 or 1 push a coefficient to infinity, NaN where they push both ways.
    note : tuple of (str or None), length S
        Says so where a coefficient is not finite.
    """

    coef: Floats
    note: tuple[str | None, ...]


def clustered_se(
    fit: BetaFit,
    design: ArrayLike,
    means: LogMeans,
    cell: ArrayLike,
    cluster: ArrayLike | None = None,
    *,
    correct: bool = True,
) -> Clustered:
    """Return standard errors that allow for dependence within persons (or other clusters).

    Parameters
    ----------
    fit : BetaFit
        Fit of S systems.
    design : (C, p) array
        The design of that fit.
    means : LogMeans
        Statistics of R groups, each within one cell and one cluster: the persons of a corpus.
    cell : (R,) int array
        Cell of each group.
    cluster : (R,) int array, optional
        Cluster of each group; by default every group is its own.
    correct : bool
        CR1, the factor G/(G − 1) for G clusters; CR0 otherwise.

    Returns
    -------
    Clustered

    Notes
    -----
    The scores of the likelihood are summed within clusters; the bread is the inverse expected
    information, as in R's sandwich::vcovCL on a betareg fit (Zeileis, Köll & Graham 2020).
    """
    x = np.asarray(design, dtype=np.float64)[np.asarray(cell)]
    codes = np.arange(len(x)) if cluster is None else np.asarray(cluster)
    good = fit.converged
    theta = np.concatenate([fit.coef, np.log(fit.phi)[:, None]], axis=1)[good]
    t = pieces(theta, np.broadcast_to(means.n, means.mean_log_y[good].shape), *_log_pair(means, good), x)
    beta = (means.n * t.phi * t.surprise * t.slope)[:, :, None] * x
    scores = np.concatenate([beta, (means.n * t.score_phi)[:, :, None]], axis=2)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=codes[order][:1] - 1))
    sums = np.add.reduceat(scores[:, order], starts, axis=1)
    factor = len(starts) / (len(starts) - 1) if correct else 1.0
    vcov = np.full_like(fit.vcov, np.nan)
    bread = fit.vcov[good]
    vcov[good] = factor * bread @ (sums.transpose(0, 2, 1) @ sums) @ bread
    se = np.sqrt(np.diagonal(vcov, axis1=1, axis2=2))
    return Clustered(se[:, :-1], se[:, -1], vcov)


def response_effects(
    fit: BetaFit, design: ArrayLike, weights: ArrayLike, vcov: Floats | None = None
) -> ResponseEffects:
    """Return contrasts of fitted means with delta-method standard errors.

    Parameters
    ----------
    fit : BetaFit
        Fit of S systems.
    design : (R, p) array
        Rows at which the mean is taken: the cells, or observations with one regressor set to a value.
    weights : (K, R) array
        Weight of each fitted mean in each contrast. For the marginal effect of a regressor these are
        ±1/R on the rows with the regressor set high and low.
    vcov : (S, p + 1, p + 1) array, optional
        Covariance to use instead of the model's own, for instance the clustered one.

    Returns
    -------
    ResponseEffects
    """
    x, w = np.asarray(design, dtype=np.float64), np.atleast_2d(np.asarray(weights, dtype=np.float64))
    mean = expit(fit.coef @ x.T)
    jacobian = w @ ((mean * (1.0 - mean))[:, :, None] * x)
    covariance = (fit.vcov if vcov is None else vcov)[:, :-1, :-1]
    variance = np.einsum("skp,spq,skq->sk", jacobian, covariance, jacobian)
    return ResponseEffects(mean @ w.T, np.sqrt(variance))


def marginal_slopes(fit: BetaFit, design: ArrayLike) -> ResponseEffects:
    """Return average derivatives of the mean with respect to each regressor.

    Parameters
    ----------
    fit : BetaFit
        Fit of S systems.
    design : (R, p) array
        Rows over which the derivative is averaged.

    Returns
    -------
    ResponseEffects
        K = p contrasts: for column k the mean of μ(1 − μ)β_k over the rows, with its delta-method SE.
    """
    x = np.asarray(design, dtype=np.float64)
    mean = expit(fit.coef @ x.T)
    slope = mean * (1.0 - mean)
    average = slope.mean(axis=1)
    bend = (slope * (1.0 - 2.0 * mean)) @ x / len(x)
    jacobian = fit.coef[:, :, None] * bend[:, None, :] + average[:, None, None] * np.eye(x.shape[1])
    variance = np.einsum("skp,spq,skq->sk", jacobian, fit.vcov[:, :-1, :-1], jacobian)
    return ResponseEffects(average[:, None] * fit.coef, np.sqrt(variance))


def fractional_logit(cell_means: ArrayLike, design: ArrayLike) -> FractionalLogit:
    """Return the fractional-logit coefficients of a saturated design, in closed form.

    Parameters
    ----------
    cell_means : (C,) or (S, C) array
        Mean prediction per cell, in [0, 1].
    design : (C, C) array
        One column per cell, in any coding.

    Returns
    -------
    FractionalLogit

    Raises
    ------
    BetaDesignError
        If the design is not square and invertible.

    Notes
    -----
    The quasi-likelihood of Papke & Wooldridge (1996) is solved by logit(cell means) = Xβ. It needs no
    edge treatment, since only means are transformed.
    """
    x = np.asarray(design, dtype=np.float64)
    if x.ndim != 2 or x.shape[0] != x.shape[1] or np.linalg.matrix_rank(x) < len(x):
        raise BetaDesignError(
            f"design has shape {x.shape}: the closed form of the fractional logit needs "
            "as many independent columns as cells."
        )
    means = np.atleast_2d(np.asarray(cell_means, dtype=np.float64))
    inverse = np.linalg.inv(x)
    inverse[np.abs(inverse) < 1e-12] = 0.0
    with np.errstate(divide="ignore"):
        logit = np.log(means) - np.log1p(-means)
    infinite = np.isinf(logit)
    coef = np.where(infinite, 0.0, logit) @ inverse.T
    if infinite.any():
        signs = np.where(infinite, np.sign(logit), 0.0)
        up = np.maximum(signs[:, None, :] * inverse, 0.0).any(axis=2)
        down = np.maximum(-signs[:, None, :] * inverse, 0.0).any(axis=2)
        coef = np.where(up, np.where(down, np.nan, np.inf), np.where(down, -np.inf, coef))
    notes = tuple(None if ok else NOT_FINITE for ok in np.isfinite(coef).all(axis=1))
    return FractionalLogit(coef, notes)


def _log_pair(means: LogMeans, systems: Bools) -> tuple[Floats, Floats]:
    return means.mean_log_y[systems], means.mean_log_1my[systems]
