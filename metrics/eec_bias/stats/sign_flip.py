"""Changes of sign of whole bases: the relabelling of contrasts taken within bases, for several contrasts at once.

Under the null a base's contrasts are as likely with all their signs changed. Changing them together keeps how the
contrasts depend on each other. The sum of squares of a contrast does not change with its signs, so ordering by
the mean over its root is ordering by t.
"""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Floats
from eec_bias.stats.resampling import signs
from eec_bias.stats.two_way import ZERO

ENUMERATED = 12
"""Bases up to which all changes are enumerated for several contrasts together."""


def choose_signs(bases: int, draws: int, seed: int) -> Floats | None:
    """Return all changes where there are few bases, drawn ones where asked for, otherwise None."""
    if bases <= ENUMERATED:
        return signs(bases, 0, 0)
    return signs(bases, draws, seed) if draws else None


def flip_p(unit: Floats, flips: Floats, scale: float = 1.0) -> Floats:
    """Two-sided p of one contrast from drawn changes of sign.

    Parameters
    ----------
    unit : (S, U) array
        Mean of the contrast within each base.
    flips : (B, U) array
        Changes of sign.
    scale : float
        Width of the score range, the unit of what counts as equal.

    Returns
    -------
    (S,) array
        (1 + changes with a mean at least as large) / (1 + B).
    """
    observed = np.abs(unit.sum(axis=1, keepdims=True)) - ZERO * scale * unit.shape[1]
    return np.asarray((1 + (np.abs(unit @ flips.T) >= observed).sum(axis=1)) / (1 + len(flips)))


def flip_any(units: Sequence[Floats], flips: Floats) -> Floats:
    """p of the largest |t| of several contrasts within the same bases.

    Parameters
    ----------
    units : sequence of (S, U) arrays
        One per contrast.
    flips : (B, U) array
        Changes of sign, from `choose_signs`.

    Returns
    -------
    (S,) array
        Share of changes with a largest |t| as large, the data counting as one more where changes were drawn.
    """
    peak = np.zeros((len(units[0]), len(flips)))
    observed = np.zeros(len(units[0]))
    for unit in units:
        size = np.sqrt((unit**2).sum(axis=1, keepdims=True))
        size = np.where(size > 0, size, 1.0)
        np.maximum(peak, np.abs(unit @ flips.T) / size, out=peak)
        observed = np.maximum(observed, np.abs(unit.sum(axis=1)) / size[:, 0])
    above = (peak >= observed[:, None] - 1e-9).sum(axis=1)
    drawn = int(len(flips) != 2 ** (flips.shape[1] - 1))
    return np.asarray((above + drawn) / (len(flips) + drawn))
