"""Holm's adjustment of p-values within families."""

from collections.abc import Hashable, Sequence

import numpy as np

from eec_bias.grouping import grouped
from eec_bias.options import Floats


def holm(p: Floats) -> Floats:
    """Adjust the p-values (m,) of one family by Holm's method (1979); NaN does not count and stays NaN."""
    adjusted, tested = p.copy(), np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1.0)
    return adjusted


def adjust_families(p: Floats, families: Sequence[Hashable]) -> Floats:
    """Adjust p-values (n,) family by family; equal keys mark one family."""
    adjusted = np.full(p.shape, np.nan)
    for rows in grouped((family, row) for row, family in enumerate(families)).values():
        adjusted[rows] = holm(p[rows])
    return adjusted
