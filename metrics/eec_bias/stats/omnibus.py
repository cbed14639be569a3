"""The omnibus test of a term with several levels: is any of them different?

The statistic is the largest |t| of the term's rows. Its p is the chance that the smallest p of the rows would be
as small if nothing differed: for normal deviates that correlate as the rows do, the probability that any exceeds
the bound, found by the importance sampling of Owen, Maximov & Chertkov (2019), which is exact to about
1 % however small the probability. Rows with different degrees of freedom meet on the scale of p.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from eec_bias.options import ANY, MEAN, Floats
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.sums import Sums

_DRAWS = 8192

_SYSTEMS = 8


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one term whose largest |t| is tested."""

    term: str
    axes: tuple[str, ...]
    reference: str
    rows: tuple[int, ...]
    level: str = ANY


def find_groups(contrasts: Sequence[Contrast]) -> list[Group]:
    """Terms with several independent rows and no level that all are compared with.

    Parameters
    ----------
    contrasts : sequence of Contrast
        The rows of the result.
    """
    groups = []
    for term in dict.fromkeys(c.term for c in contrasts):
        rows = tuple(r for r, c in enumerate(contrasts) if c.term == term)
        references = {contrasts[r].reference for r in rows}
        open_ended = all(MEAN in reference.split(":") for reference in references)
        weights = np.array([contrasts[r].weights for r in rows])
        if len(rows) < 2 or not open_ended or np.linalg.matrix_rank(weights) < 2:
            continue
        reference = references.pop() if len(references) == 1 else ANY
        groups.append(Group(term, contrasts[rows[0]].axes, reference, rows))
    return groups


def correlate(sums: Sums, weights: Floats, sentences: Floats) -> Floats:
    """Correlation of contrasts of independent cells.

    Over persons each cell has its own variance; over sentences the cells' are taken as equal. A covariance estimated
    freely from a few items would have fewer dimensions than there are levels, and p would come out too small.

    Parameters
    ----------
    sums : Sums
        Over K cells.
    weights : (R, K) array
        The contrasts.
    sentences : (S, R) array
        Their variance over sentences, V_S.

    Returns
    -------
    (S, R, R) array; 0 beside the diagonal for contrasts that do not vary
    """
    persons = np.einsum("rk,sk,qk->srq", weights, sums.spread / sums.count, weights)
    alike = weights @ weights.T
    return _scaled(persons + (sentences.mean(axis=1) / np.diagonal(alike).mean())[:, None, None] * alike)


def correlate_alike(weights: Floats, systems: int) -> Floats:
    """Correlation of contrasts taken within the same bases, all cells varying alike.

    Parameters
    ----------
    weights : (R, K) array
        The contrasts.
    systems : int
        S.

    Returns
    -------
    (S, R, R) array
    """
    return np.broadcast_to(_scaled((weights @ weights.T)[None]), (systems, len(weights), len(weights)))


def _scaled(covariance: Floats) -> Floats:
    sd = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = covariance / (sd[:, :, None] * sd[:, None, :])
    correlation = np.where(np.isfinite(correlation), correlation, 0.0)
    diagonal = np.arange(correlation.shape[1])
    correlation[:, diagonal, diagonal] = 1.0
    return np.asarray(np.clip(correlation, -1.0, 1.0))


def any_p(p: Floats, correlation: Floats) -> Floats:
    """Chance that the smallest of correlated p-values is as small as that observed.

    Parameters
    ----------
    p : (S, R) array
        Two-sided p of the rows, NaN where a row has no test.
    correlation : (S, R, R) array
        Of the estimates.

    Returns
    -------
    (S,) array, NaN where a row has no test
    """
    rows = correlation.shape[1]
    chance: Floats = p.min(axis=1)
    for start in range(0, len(p), _SYSTEMS):
        part = slice(start, start + _SYSTEMS)
        related, small = correlation[part], np.clip(np.where(np.isnan(chance[part]), 1.0, chance[part]), 1e-300, 1.0)
        # A draw in the tail of row i, the others as they correlate with it; how many rows exceed corrects for
        # counting the same event once per row.
        uniform, normal = _draws(rows)
        tail = -ndtri(small[:, None] / 2 * uniform)
        limit = -ndtri(small / 2) * (1 - 1e-12)
        # The symmetric root: it is one, while vectors of equal values are whatever the processor finds first.
        values, vectors = np.linalg.eigh(related)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]) @ vectors.transpose(0, 2, 1)
        shape = normal @ root.transpose(0, 2, 1)
        total = np.zeros(len(small))
        for i in range(rows):
            moved = shape + (tail - shape[:, :, i])[:, :, None] * related[:, i][:, None, :]
            count = (np.abs(moved) >= limit[:, None, None]).sum(axis=2)
            total += (1 / np.maximum(count, 1)).mean(axis=1)
        found = np.where(small >= 1, 1.0, np.clip(small * total, small, 1.0))
        chance[part] = np.where(np.isnan(chance[part]), np.nan, found)
    return chance


@lru_cache(maxsize=32)
def _draws(rows: int) -> tuple[Floats, Floats]:
    """Evenly spread points in the tail, and normal deviates to go with them."""
    count = max(64, _DRAWS // rows)
    rng = np.random.default_rng(rows)
    return (np.arange(count) + 0.5) / count, rng.standard_normal((count, rows))
