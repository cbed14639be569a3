"""Contrasts within bases and their relabelling: changes of the signs of whole bases.

The unit is the base (``mother_father``, ``she_he``): its persons differ in the level only, so a contrast is taken
within it, item by item. Under the null a base's contrasts are as likely with all their signs changed; changing them
together keeps how the contrasts depend on each other. The sum of squares of a contrast does not change with its
signs, so ordering by the mean over its root is ordering by t.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.default_test import ZERO

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


@lru_cache(maxsize=16)
def signs(units: int, draws: int, seed: int) -> Floats:
    """Enumerate or draw changes of the signs of some units.

    Parameters
    ----------
    units : int
        How many units.
    draws, seed : int
        With 0 draws every change is enumerated, up to changing all signs at once, which mirrors a statistic.

    Returns
    -------
    (B, units) array of ±1
        Enumerated: 2^(units − 1) rows, the first changes nothing. Read-only.
    """
    if draws:
        changes = np.where(np.random.default_rng([seed, 1 << 21]).random((draws, units)) < 0.5, -1.0, 1.0)
    else:
        bits = np.arange(2 ** (units - 1))[:, None] >> np.arange(units)[None, :]
        changes = np.where(bits & 1, -1.0, 1.0)
    changes.flags.writeable = False
    return changes


def sign_p(unit: Floats, draws: int, seed: int, scale: float = 1.0) -> Floats:
    """Two-sided p of the mean of one contrast over bases.

    Parameters
    ----------
    unit : (S, U) array
        Mean of the contrast within each base.
    draws, seed : int
        Changes to draw where they are too many to enumerate; 0 draws none, and p is NaN there.
    scale : float
        Width of the score range, the unit of what counts as equal.
    """
    bases = unit.shape[1]
    if bases > EXACT_LIMIT and not draws:
        return np.full(len(unit), np.nan)
    observed = np.abs(unit.sum(axis=1, keepdims=True)) - ZERO * scale * bases
    if bases > EXACT_LIMIT:
        changed = np.abs(unit @ signs(bases, draws, seed).T)
        return np.asarray((1 + (changed >= observed).sum(axis=1)) / (1 + draws))
    return np.asarray((np.abs(_all_sums(unit)) >= observed).mean(axis=1))


def _all_sums(unit: Floats) -> Floats:
    """Sum under every change of signs; changing all mirrors it, so the first unit's sign may stay."""
    sums = unit[:, :1]
    for j in range(1, unit.shape[1]):
        sums = np.concatenate([sums + unit[:, j : j + 1], sums - unit[:, j : j + 1]], axis=1)
    return sums


def flip_any(units: Sequence[Floats], draws: int, seed: int) -> Floats:
    """p of the largest |t| of several contrasts within the same bases.

    Parameters
    ----------
    units : sequence of (S, U) arrays
        One per contrast.
    draws, seed : int
        As for `sign_p`.

    Returns
    -------
    (S,) array
        Share of changes with a largest |t| as large, the data counting as one more where changes were drawn; NaN
        where they were neither enumerated nor drawn.
    """
    systems, bases = units[0].shape
    drawn = int(bases > ENUMERATED)
    if drawn and not draws:
        return np.full(systems, np.nan)
    flips = signs(bases, draws * drawn, seed * drawn)
    peak, observed = np.zeros((systems, len(flips))), np.zeros(systems)
    for unit in units:
        size = np.sqrt((unit**2).sum(axis=1, keepdims=True))
        size = np.where(size > 0, size, 1.0)
        np.maximum(peak, np.abs(unit @ flips.T) / size, out=peak)
        observed = np.maximum(observed, np.abs(unit.sum(axis=1)) / size[:, 0])
    above = (peak >= observed[:, None] - 1e-9).sum(axis=1)
    return np.asarray((above + drawn) / (len(flips) + drawn))
