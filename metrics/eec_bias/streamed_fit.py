"""The beta regression of a table from sums over persons, where the scores themselves are gone."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from .beta import fit_cells
from .beta_effects import clustered_se, fractional_logit
from .contrasts import Contrast
from .crossing import Table
from .fitting import BetaColumns, coding_lines
from .logsums import LogMeans, pool
from .options import Floats


def fit_sums(sums: LogMeans, means: Floats, table: Table, contrasts: Sequence[Contrast]) -> BetaColumns:
    """Fit the saturated model over the cells of names, as `fitting.fit_table` does from scores.

    Parameters
    ----------
    sums : LogMeans
        Of the P persons.
    means : (S, K) array
        Cell means of the scores in [0, 1].
    table : Table
        The cells, none of them empty.
    contrasts : sequence of Contrast
        Their ``coding`` gives the coefficients.
    """
    cell, lines, _ = coding_lines(table, contrasts)
    cells = pool(sums, cell, lines.shape[1])
    design = np.eye(lines.shape[1])
    fit = fit_cells(cells.n, cells.mean_log_y, cells.mean_log_1my, design)
    beta = fit.coef @ lines.T
    se = _errors(fit.vcov, lines)
    se_person = np.full_like(se, np.nan)
    if fit.converged.any():
        se_person = _errors(clustered_se(fit, design, sums, cell).vcov, lines)
    logits = fractional_logit(means, design).coef
    bad = ~np.isfinite(logits)
    logit = np.where(bad @ (lines != 0).T, np.nan, np.where(bad, 0.0, logits) @ lines.T)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * ndtr(-np.abs(beta / se))
    return BetaColumns(beta, se, p, se_person, logit, fit.phi, fit.loglik, sums.touched.astype(np.intp), fit.reason)


def _errors(vcov: Floats, lines: Floats) -> Floats:
    k = lines.shape[1]
    variance = np.einsum("rk,skl,rl->sr", lines, vcov[:, :k, :k], lines)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))
