"""Contrasts taken within pairs: noun phrases, pronouns, and base phrases crossed with levels.

The unit is the base (``mother_father``, ``she_he``): its persons differ in the level only, so the contrast is
taken within it, item by item, and the bases × items table of differences is tested like one cell of names.
"""

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.layout import Table
from eec_bias.stats.two_way import ZERO

EXACT_LIMIT = 20
"""Bases up to which all 2^m sign changes are enumerated."""


def members(table: Table, weights: Floats) -> Ints:
    """Persons a contrast compares, one row per base that has all the cells it weighs.

    Parameters
    ----------
    table : Table
        A paired table.
    weights : (K,) array
        Weights on the cells.

    Returns
    -------
    (U, C) integer array
        Positions in the table's persons; C cells have weights other than 0.
    """
    position = np.full((len(table.bases), len(weights)), -1, dtype=np.intp)
    position[table.base, table.cell] = np.arange(len(table.persons))
    needed = position[:, np.flatnonzero(weights)]
    return needed[(needed >= 0).all(axis=1)]


def differences(values: Floats, chosen: Ints, weights: Floats) -> Floats:
    """Contrast within each base on each item.

    Parameters
    ----------
    values : (S, P, J) array
        Scores.
    chosen : (U, C) integer array
        From :func:`members`.
    weights : (K,) array
        Weights on the cells.

    Returns
    -------
    (S, U, J) array
    """
    active = weights[np.flatnonzero(weights)]
    total = active[0] * values[:, chosen[:, 0]]
    for column in range(1, len(active)):
        total += active[column] * values[:, chosen[:, column]]
    return np.asarray(total)


def sign_flip(unit: Floats, scale: float = 1.0) -> Floats:
    """Exact two-sided p of the mean difference under all 2^m changes of the units' signs.

    Parameters
    ----------
    unit : (S, m) array
        Mean difference of each unit.
    scale : float
        Width of the score range, the unit of what counts as equal.

    Returns
    -------
    (S,) array, NaN with more units than ``EXACT_LIMIT``
    """
    systems, m = unit.shape
    if m > EXACT_LIMIT:
        return np.full(systems, np.nan)
    sums = np.zeros((systems, 1))
    # Changing all signs mirrors the sum, so the first unit's sign may stay.
    for j in range(1, m):
        sums = np.concatenate([sums + unit[:, j : j + 1], sums - unit[:, j : j + 1]], axis=1)
    sums += unit[:, :1]
    observed = np.abs(unit.sum(axis=1, keepdims=True))
    return np.asarray((np.abs(sums) >= observed - ZERO * scale * m).mean(axis=1))
