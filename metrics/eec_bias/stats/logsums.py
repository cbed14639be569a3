"""Sufficient statistics of the beta likelihood: mean log y and mean log(1 − y) per group of rows.

With categorical regressors the beta log-likelihood depends on the data only through these two means
and the number of rows per group, so one pass over the scores serves every fit that follows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eec_bias.errors import BiasError
from eec_bias.options import Floats, Ints

_FACTORS = 16


class EdgeError(BiasError):
    """An edge treatment that is unknown, or scores at 0 or 1 that were not to be treated."""


@dataclass(frozen=True, slots=True)
class LogMeans:
    """Counts and mean logarithms per system and group.

    Attributes
    ----------
    n : (G,) float array
        Rows per group.
    mean_log_y, mean_log_1my : (S, G) arrays
        Mean of log y and of log(1 − y) after the edge treatment; −inf where an untreated 0 or 1 occurs.
    touched : (S,) int array
        Values at an edge: exactly 0 or 1 (``none``, ``squeeze``), or outside [EPS, 1 − EPS] (``clip:EPS``).
    first_edge_row : (S,) int array
        Index of the first such value, −1 where there is none.
    edge : str
        The treatment.
    """

    n: Floats
    mean_log_y: Floats
    mean_log_1my: Floats
    touched: Ints
    first_edge_row: Ints
    edge: str


def parse_edge(edge: str) -> float | None:
    """Return the EPS of ``clip:EPS``, and None for ``none`` and ``squeeze``.

    Raises
    ------
    EdgeError
        If the text is none of the three forms.
    """
    if edge in ("none", "squeeze"):
        return None
    kind, _, text = edge.partition(":") if isinstance(edge, str) else ("", "", "")
    try:
        eps = float(text)
    except ValueError:
        eps = np.nan
    if kind != "clip" or not 0.0 < eps < 0.5:
        raise EdgeError(
            f"edge={edge!r} is not an edge treatment: "
            "give 'none', 'squeeze' or 'clip:EPS' with 0 < EPS < 0.5, for example 'clip:0.001'."
        )
    return eps


def treat_edges(y: Floats, edge: str) -> Floats:
    """Move scores in [0, 1] into the open interval where the beta density lives.

    Parameters
    ----------
    y : (..., N) array
        Scores in [0, 1]; N is the number of rows of the fit.
    edge : {"none", "squeeze", "clip:EPS"}
        ``squeeze`` is (y(N − 1) + ½)/N (Smithson & Verkuilen 2006), ``clip:EPS`` bounds y by
        EPS and 1 − EPS, ``none`` leaves y as it is.

    Returns
    -------
    (..., N) array
    """
    eps = parse_edge(edge)
    if eps is not None:
        return np.asarray(np.clip(y, eps, 1.0 - eps), dtype=np.float64)
    if edge == "squeeze":
        n = y.shape[-1]
        return np.asarray((y * (n - 1) + 0.5) / n, dtype=np.float64)
    return y


def edge_rows(y: Floats, edge: str) -> tuple[Ints, Ints]:
    """Count the scores at an edge, per system, and find the first.

    Parameters
    ----------
    y : (S, N) array
        Scores as given, in [0, 1].
    edge : str
        The treatment; ``clip:EPS`` puts the edges at EPS and 1 − EPS.

    Returns
    -------
    count, first : (S,) int arrays
        ``first`` is −1 where ``count`` is 0.
    """
    eps = parse_edge(edge)
    outside = (y <= 0.0) | (y >= 1.0) if eps is None else (y < eps) | (y > 1.0 - eps)
    count = outside.sum(axis=1)
    return count.astype(np.int64), np.where(count > 0, outside.argmax(axis=1), -1).astype(np.int64)


def log_means(scores: ArrayLike, groups: ArrayLike, n_groups: int, edge: str = "none") -> LogMeans:
    """Reduce scores to counts and mean logarithms per group.

    Parameters
    ----------
    scores : (N,) or (S, N) array
        Predictions in [0, 1].
    groups : (N,) int array
        Group of each row, 0 … ``n_groups`` − 1.
    n_groups : int
        Number of groups; a group without rows gets n = 0 and means of 0.
    edge : {"none", "squeeze", "clip:EPS"}
        What to do with scores at 0 and 1, see `treat_edges`.

    Returns
    -------
    LogMeans

    Notes
    -----
    Means are summed pairwise and corrected by the mean of their own residuals: the relative error of
    the estimated precision φ is φ times that of the means.
    """
    y = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    codes = np.asarray(groups)
    count, first = edge_rows(y, edge)
    # NumPy sorts small integers by radix.
    order = np.argsort(codes.astype(np.uint16) if n_groups <= 2**16 else codes, kind="stable")
    n = np.bincount(codes, minlength=n_groups)
    ends = np.cumsum(n)
    y = treat_edges(y, edge).take(order, axis=1)
    return LogMeans(n.astype(np.float64), _mean_logs(y, ends), _mean_logs(1.0 - y, ends), count, first, edge)


def pool(means: LogMeans, into: ArrayLike, n_groups: int) -> LogMeans:
    """Merge groups: persons into cells, for instance.

    Parameters
    ----------
    means : LogMeans
        Statistics of G groups.
    into : (G,) int array
        The larger group of each group.
    n_groups : int
        Number of larger groups.

    Returns
    -------
    LogMeans
    """
    codes = np.asarray(into)
    member = np.zeros((codes.size, n_groups))
    member[np.arange(codes.size), codes] = means.n
    n = member.sum(axis=0)
    weight = member / np.where(n > 0, n, 1.0)
    with np.errstate(invalid="ignore"):
        # −inf · 0 is NaN: a group with an untreated edge must spoil its own larger group only.
        pooled = [_weighted(m, weight) for m in (means.mean_log_y, means.mean_log_1my)]
    return LogMeans(n, pooled[0], pooled[1], means.touched, means.first_edge_row, means.edge)


def _weighted(values: Floats, weight: Floats) -> Floats:
    bad = ~np.isfinite(values)
    out: Floats = np.where(bad, 0.0, values) @ weight
    if bad.any():
        out[(bad.astype(np.float64) @ (weight > 0)) > 0] = -np.inf
    return out


def _mean_logs(values: Floats, ends: Ints) -> Floats:
    """Return the mean log of each segment of the rows, (S, G).

    The logarithm of a product of a few values costs one logarithm instead of a few, and rounds no worse;
    the products stay above the smallest normal number while the values do not fall below 1e-18.
    """
    out = np.zeros((values.shape[0], ends.size))
    factors = _FACTORS if values.min(initial=1.0) > 1e-18 else 1
    start = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        for k, end in enumerate(ends.tolist()):
            width = (end - start) // factors
            middle = start + width * factors
            if width:
                head = values[:, start:middle].reshape(-1, factors, width)
                out[:, k] = np.log(np.multiply.reduce(head, axis=1)).sum(axis=1)
            if end > middle:
                out[:, k] += np.log(values[:, middle:end]).sum(axis=1)
            if end > start:
                out[:, k] /= end - start
            start = end
    return out
