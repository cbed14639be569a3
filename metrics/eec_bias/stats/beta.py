"""Beta regression with logit link and constant precision, fitted to sufficient statistics.

The model is that of Ferrari & Cribari-Neto (2004): y ~ Beta(μφ, (1 − μ)φ), logit μ = Xβ. A row of the
design is a cell of the corpus (or, for continuous regressors, one observation); all systems scored on
the same corpus are fitted together along the leading axis, and one that cannot be fitted is refused by
name without disturbing the others.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from eec_bias.errors import DesignError
from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.beta_likelihood import Cells, evaluate, information
from eec_bias.stats.beta_newton import NOT_CONVERGED, newton, solve, start
from eec_bias.stats.logsums import EdgeError, edge_rows, treat_edges


class BetaDesignError(DesignError):
    """A design matrix that cannot be fitted whatever the scores."""


@dataclass(frozen=True, slots=True)
class BetaFit:
    """Beta regressions of S systems on the same design of p columns.

    Attributes
    ----------
    coef, se : (S, p) arrays
        Coefficients on the logit scale and their standard errors from the expected information.
    phi, phi_se : (S,) arrays
        Precision φ and its standard error.
    loglik : (S,) array
        Log-likelihood at the maximum.
    vcov : (S, p + 1, p + 1) array
        Inverse of the expected information of (β, φ).
    converged : (S,) bool array
        False exactly where ``reason`` says why; all numbers of that system are then NaN.
    reason : tuple of (str or None), length S
        Why a system was refused.
    steps : (S,) int array
        Newton steps taken.
    """

    coef: Floats
    se: Floats
    phi: Floats
    phi_se: Floats
    loglik: Floats
    vcov: Floats
    converged: Bools
    reason: tuple[str | None, ...]
    steps: Ints


def fit_cells(n: ArrayLike, mean_log_y: ArrayLike, mean_log_1my: ArrayLike, design: ArrayLike) -> BetaFit:
    """Fit beta regressions of S systems from the sufficient statistics of C cells.

    Parameters
    ----------
    n : (C,) or (S, C) array
        Rows per cell; cells of 0 rows take no part.
    mean_log_y, mean_log_1my : (C,) or (S, C) arrays
        Mean of log y and log(1 − y) per cell, see `logsums.log_means`.
    design : (C, p) array
        Regressors of each cell in any coding; the intercept is a column like the others.

    Returns
    -------
    BetaFit

    Raises
    ------
    BetaDesignError
        If shapes disagree, or the columns are linearly dependent on the cells that have rows.

    Notes
    -----
    Newton's method on (β, log φ) with the observed information, with the expected one where that gives
    no ascent, and step halving. Standard errors come from the expected information, as in R's betareg.
    """
    cells = _checked(n, mean_log_y, mean_log_1my, design)
    systems, p = cells.n.shape[0], cells.design.shape[1]
    reason: list[str | None] = [None] * systems
    theta = np.full((systems, p + 1), np.nan)
    steps = np.zeros(systems, dtype=np.int64)
    # Trial steps may leave the range of floating point; they are then refused, not believed.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for s, why in start(cells, theta).items():
            reason[s] = why
        todo = np.array([s for s in range(systems) if reason[s] is None], dtype=np.int64)
        if todo.size:
            theta[todo], steps[todo], failures = newton(cells.take(todo), theta[todo])
            for s, why in failures.items():
                reason[todo[s]] = why
        return _finish(cells, theta, reason, steps)


def fit(X: ArrayLike, y: ArrayLike, *, edge: str = "none") -> BetaFit:
    """Fit one beta regression with general, also continuous, regressors.

    Parameters
    ----------
    X : (N, p) array
        Regressors, the column of ones included.
    y : (N,) array
        Responses in [0, 1].
    edge : {"none", "squeeze", "clip:EPS"}
        What to do with responses at 0 and 1.

    Returns
    -------
    BetaFit
        With S = 1.

    Raises
    ------
    EdgeError
        If a response lies outside [0, 1], or at an edge with ``edge="none"``.
    BetaDesignError
        If shapes disagree or the columns are linearly dependent.
    """
    response = np.atleast_2d(np.asarray(y, dtype=np.float64))
    wrong = ~((response >= 0.0) & (response <= 1.0))
    if wrong.any():
        row = int(wrong[0].argmax())
        raise EdgeError(f"row {row}: response {response[0, row]!s} lies outside [0, 1].")
    count, first = edge_rows(response, edge)
    if edge == "none" and count[0]:
        row = int(first[0])
        raise EdgeError(
            f"row {row}: response {response[0, row]!s} is at an edge of [0, 1], where the beta density "
            f"has no value ({count[0]} such rows): choose edge='squeeze' or edge='clip:EPS'."
        )
    response = treat_edges(response, edge)
    regressors = np.asarray(X, dtype=np.float64)
    _refuse_dependent(regressors)
    # An orthogonal basis keeps regressors of very different scale out of the linear solves.
    basis, triangle = np.linalg.qr(regressors)
    scaled = fit_cells(np.ones(response.shape[1]), np.log(response), np.log1p(-response), basis)
    back = np.eye(regressors.shape[1] + 1)
    back[:-1, :-1] = np.linalg.inv(triangle)
    vcov = back @ scaled.vcov @ back.T
    se = np.sqrt(np.diagonal(vcov, axis1=1, axis2=2))
    return replace(scaled, coef=scaled.coef @ back[:-1, :-1].T, se=se[:, :-1], vcov=vcov)


def _checked(n: ArrayLike, mean_log_y: ArrayLike, mean_log_1my: ArrayLike, design: ArrayLike) -> Cells:
    x = np.asarray(design, dtype=np.float64)
    log_y = np.atleast_2d(np.asarray(mean_log_y, dtype=np.float64))
    log_1my = np.atleast_2d(np.asarray(mean_log_1my, dtype=np.float64))
    count = np.asarray(n, dtype=np.float64)
    if x.ndim != 2 or log_y.shape != log_1my.shape or count.shape[-1:] + log_y.shape[1:] != x.shape[:1] * 2:
        raise BetaDesignError(
            f"design has shape {x.shape}, counts {count.shape}, means {log_y.shape} and {log_1my.shape}: "
            "expected (cells, columns), (cells,) or (systems, cells), and twice (systems, cells)."
        )
    shared = count.ndim == 1
    if shared:
        filled = count > 0
        x, log_y, log_1my, count = x[filled], log_y[:, filled], log_1my[:, filled], count[filled]
        _refuse_dependent(x)
    n_all = np.asarray(np.broadcast_to(count, log_y.shape))
    empty = n_all == 0
    outer = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    return Cells(n_all, np.where(empty, -1.0, log_y), np.where(empty, -1.0, log_1my), x, outer)


def _refuse_dependent(design: Floats) -> None:
    if design.ndim != 2:
        raise BetaDesignError(f"design has shape {design.shape}: expected (rows, columns).")
    rank = _rank(design.shape, design.tobytes())
    if rank < design.shape[1]:
        raise BetaDesignError(
            f"the {design.shape[1]} columns of the design are linearly dependent on the {design.shape[0]} "
            f"rows or cells that have data (rank {rank}): leave out a column, or the cells that are empty."
        )


@lru_cache(maxsize=64)
def _rank(shape: tuple[int, int], content: bytes) -> int:
    """Return the rank with columns brought to unit length; the same few designs come again and again."""
    design = np.frombuffer(content).reshape(shape)
    norms = np.sqrt((design * design).sum(axis=0))
    return int(np.linalg.matrix_rank(design / np.where(norms > 0, norms, 1.0)))


def _finish(cells: Cells, theta: Floats, reason: list[str | None], steps: Ints) -> BetaFit:
    systems, size = theta.shape
    vcov = np.full((systems, size, size), np.nan)
    loglik = np.full(systems, np.nan)
    good = np.array([s for s in range(systems) if reason[s] is None], dtype=np.int64)
    if good.size:
        part = cells if good.size == systems else cells.take(good)
        t = evaluate(theta[good], part)
        to_phi = np.ones((good.size, size))
        to_phi[:, -1] = t.phi[:, 0]
        identity = np.broadcast_to(np.eye(size), vcov[good].shape)
        inverse = solve(information(t, part, observed=False), identity)
        vcov[good] = inverse * to_phi[:, :, None] * to_phi[:, None, :]
        loglik[good] = t.loglik
    se = np.sqrt(np.diagonal(vcov, axis1=1, axis2=2))
    for s in good[~np.isfinite(se[good]).all(axis=1)]:
        reason[s] = NOT_CONVERGED
    refused = np.array([why is not None for why in reason], dtype=bool)
    for values in (theta, se, vcov, loglik):
        values[refused] = np.nan
    return BetaFit(
        coef=theta[:, :-1],
        se=se[:, :-1],
        phi=np.exp(theta[:, -1]),
        phi_se=se[:, -1],
        loglik=loglik,
        vcov=vcov,
        converged=~refused,
        reason=tuple(reason),
        steps=steps,
    )
