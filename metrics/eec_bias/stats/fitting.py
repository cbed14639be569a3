"""The column ``beta``: the papers' regression beside the default test, from the same table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.beta import fit_cells
from eec_bias.stats.beta_effects import clustered_se, fractional_logit
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import Axis, Table
from eec_bias.stats.logsums import LogMeans, pool
from eec_bias.stats.sums import Sums, to_unit


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
        The same coefficient from the logits of the cell means, which needs no edge treatment.
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
    sums: Sums, table: Table, contrasts: Sequence[Contrast], score_range: tuple[float, float] = (0.0, 1.0)
) -> BetaColumns:
    """Fit the saturated model over the table's cells and read the contrasts' coefficients from it.

    Parameters
    ----------
    sums : Sums
        Of the table, with logarithms.
    table : Table
        The cells.
    contrasts : sequence of Contrast
        Their ``coding`` gives the coefficients.
    score_range : (float, float)
        What 0 and 1 are.
    """
    persons = person_logs(sums)
    means = to_unit(sums.cell, score_range)
    cell, lines, void = coding_lines(table, contrasts)
    cells = pool(persons, cell, lines.shape[1])
    design = np.eye(lines.shape[1])
    fit = fit_cells(cells.n, cells.mean_log_y, cells.mean_log_1my, design)
    beta = fit.coef @ lines.T
    se = _errors(fit.vcov, lines)
    cluster = table.base if table.paired else None
    if fit.converged.any() and (cluster is None or len(np.unique(cluster)) > 1):
        se_person = _errors(clustered_se(fit, design, persons, cell, cluster).vcov, lines)
    else:
        se_person = np.full_like(se, np.nan)
    logit = _finite_contrast(fractional_logit(means, design).coef, lines)
    for column in (beta, se, se_person, logit):
        column[:, void] = np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * ndtr(-np.abs(beta / se))
    return BetaColumns(beta, se, p, se_person, logit, fit.phi, fit.loglik, persons.touched.astype(np.intp), fit.reason)


def coding_lines(table: Table, contrasts: Sequence[Contrast]) -> tuple[Ints, Floats, Bools]:
    """Contrasts as weights on the saturated model's coefficients.

    Parameters
    ----------
    table : Table
        The cells.
    contrasts : sequence of Contrast
        Their ``coding`` is used.

    Returns
    -------
    cell : (P,) integer array
        Each person's cell among those that are not empty.
    lines : (R, K) array
        Weights on these cells.
    void : (R,) bool array
        Contrasts that weigh an empty cell, and so have no coefficient.
    """
    filled, cell = np.unique(table.cell, return_inverse=True)
    coding = np.array([c.coding for c in contrasts])
    return cell, coding[:, filled], (np.delete(coding, filled, axis=1) != 0).any(axis=1)


def person_logs(sums: Sums) -> LogMeans:
    """Mean logs of every person."""
    logs = sums.logs
    assert logs is not None
    n = np.full(sums.person.shape[1], float(sums.items))
    return LogMeans(n, logs.log_y, logs.log_1my, logs.touched, logs.touched, "")


def _errors(vcov: Floats, lines: Floats) -> Floats:
    k = lines.shape[1]
    # The clustered variance of a system that does not react to persons is 0 up to rounding, on either side.
    variance = np.einsum("rk,skl,rl->sr", lines, vcov[:, :k, :k], lines)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _finite_contrast(values: Floats, lines: Floats) -> Floats:
    """Contrasts of values (S, K), NaN where one that is weighed is infinite."""
    bad = ~np.isfinite(values)
    out = np.where(bad, 0.0, values) @ lines.T
    return np.where(bad.astype(float) @ (lines != 0).T > 0, np.nan, out)


def disagreement(fitted: BetaColumns) -> Floats:
    """Where an edge treatment moved the coefficient away from the fractional logit's.

    Returns
    -------
    (S, R) array of bool
        True where values were touched and the two differ in sign or by more than one standard error.
    """
    with np.errstate(invalid="ignore"):
        apart = (fitted.beta * fitted.logit < 0) | (np.abs(fitted.beta - fitted.logit) > fitted.se)
    return np.asarray(apart & (fitted.touched > 0)[:, None])


def estimand(axes: Sequence[Axis], *, pairwise: bool = False) -> str:
    """Say in words what ``beta`` compares.

    Parameters
    ----------
    axes : sequence of Axis
        The axes measured.
    pairwise : bool
        Whether levels are compared pair by pair.
    """
    parts = []
    for axis in axes:
        others = [f"{other.name}={other.reference}" for other in axes if other is not axis and other.reference]
        where = f" at {', '.join(others)}" if others else ""
        if pairwise:
            parts.append(f"{axis.name} is a level minus the one it is compared with{where}")
        elif axis.reference is None:
            parts.append(f"{axis.name} is the deviation of a level from the mean of all{where}")
        else:
            parts.append(f"{axis.name} is a level minus {axis.reference}{where}")
    kind = "treatment coding" if any(axis.reference for axis in axes) else "sum coding"
    if kind == "treatment coding" and not all(axis.reference for axis in axes):
        kind = "treatment coding on axes with a reference, sum coding on the others"
    return f"logit scale, {kind}: {'; '.join(parts)}"
