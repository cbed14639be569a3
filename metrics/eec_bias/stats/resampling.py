"""Random relabellings and resamples of persons, drawn once for given cell sizes and seed.

Every system on a corpus, and every run with the same seed, sees the same draws; so they are kept.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from eec_bias.options import Floats

Labels = NDArray[np.uint16]


@lru_cache(maxsize=64)
def relabellings(sizes: tuple[int, ...], draws: int, seed: int, stream: int = 0) -> Labels:
    """Draw random assignments of persons to the cells of one stratum.

    Parameters
    ----------
    sizes : tuple of int
        Persons per cell.
    draws, seed : int
        How many relabellings, and the seed.
    stream : int
        Sets the draws of one stratum apart from those of another of the same sizes.

    Returns
    -------
    (draws, n) array
        Per draw the cell, 0 … Q − 1, of each of the n persons; read-only.
    """
    rng = np.random.default_rng([seed, stream])
    start = np.repeat(np.arange(len(sizes), dtype=np.uint16), sizes)
    labels = rng.permuted(np.tile(start, (draws, 1)), axis=1)
    labels.flags.writeable = False
    return labels


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
        found = np.where(np.random.default_rng([seed, 1 << 21]).random((draws, units)) < 0.5, -1.0, 1.0)
    else:
        bits = np.arange(2 ** (units - 1))[:, None] >> np.arange(units)[None, :]
        found = np.where(bits & 1, -1.0, 1.0)
    found.flags.writeable = False
    return found
