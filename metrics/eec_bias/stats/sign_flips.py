"""Contrasts within bases and their relabelling: changes of the signs of whole bases.

The unit is the base (``mother_father``, ``she_he``): its persons differ in the level only, so a contrast is taken
within it, item by item. Under the null a base's contrasts are as likely with all their signs changed; changing them
together keeps how the contrasts depend on each other. The sum of squares of a contrast does not change with its
signs, so ordering by the mean over its root is ordering by t.
"""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.rounding import ZERO

EXACT_LIMIT = 20
"""Bases up to which all 2^m changes are enumerated for one contrast."""

ENUMERATED = 12
"""Bases up to which all changes are enumerated for several contrasts together."""


def differences(values: Floats, chosen: Ints, weights: Floats) -> Floats:
    """Contrast within each base on each item, (S, U, J).

    Parameters
    ----------
    values : (S, P, J) array
        Scores.
    chosen : (U, C) integer array
        Persons compared, one row per base, from `layout.Table.within_bases`.
    weights : (K,) array
        Weights on the cells, C of them not 0.
    """
    active = weights[np.flatnonzero(weights)]
    return np.asarray(sum(weight * values[:, chosen[:, column]] for column, weight in enumerate(active)))


def flip_p(units: Sequence[Floats], scale: float = 1.0) -> Floats:
    """Two-sided p of the largest |t| of contrasts within the same bases, one of them at least.

    Parameters
    ----------
    units : sequence of (S, U) arrays
        Mean of each contrast within each base.
    scale : float
        Width of the score range, the unit of what counts as 0.

    Returns
    -------
    (S,) array
        Share of changes with a largest |t| as large; NaN if there are too many changes to enumerate.
    """
    systems, bases = units[0].shape
    if bases > (EXACT_LIMIT if len(units) == 1 else ENUMERATED):
        return np.full(systems, np.nan)
    peak, observed = np.zeros((systems, 1)), np.zeros(systems)
    for unit in units:
        size = np.sqrt((unit**2).sum(axis=1, keepdims=True))
        shares = np.where(size > ZERO * scale * bases, unit, 0.0) / np.where(size > 0, size, 1.0)
        sums = _all_sums(shares)
        peak, observed = np.maximum(peak, np.abs(sums)), np.maximum(observed, np.abs(shares.sum(axis=1)))
    above = (peak >= observed[:, None] - 1e-9).sum(axis=1)
    return np.asarray(above / peak.shape[1])


def _all_sums(unit: Floats) -> Floats:
    """Sum under every change of signs; changing all mirrors it, so the first unit's sign may stay."""
    sums = unit[:, :1]
    for j in range(1, unit.shape[1]):
        sums = np.concatenate([sums + unit[:, j : j + 1], sums - unit[:, j : j + 1]], axis=1)
    return sums
