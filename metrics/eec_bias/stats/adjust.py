"""Adjustment of p-values for the number of terms looked at."""

from collections.abc import Hashable, Sequence

import numpy as np

from eec_bias.grouping import grouped
from eec_bias.options import Adjust, Floats


def adjust_family(p: Floats, method: Adjust = "holm") -> Floats:
    """Adjust the p-values of one family.

    Parameters
    ----------
    p : (m,) array
        NaN where a row has no test; such rows do not count and stay NaN.
    method : {"holm", "bh", "by", "none"}
        Holm (1979) controls the chance of any false finding; Benjamini–Hochberg (1995) and
        Benjamini–Yekutieli (2001) the share of false ones among the findings.
    """
    adjusted, tested = p.copy(), ~np.isnan(p)
    if method != "none" and tested.any():
        adjusted[tested] = _holm(p[tested]) if method == "holm" else _false_discovery(p[tested], method)
    return adjusted


def _holm(p: Floats) -> Floats:
    """Adjust by Holm's steps: statsmodels takes 20 ms a family, as it collects garbage each time."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(steps, 1.0)[np.argsort(order)]


def _false_discovery(p: Floats, method: Adjust) -> Floats:
    # Not at the top: statsmodels takes half a second to import, and Holm's adjustment does without.
    from statsmodels.stats.multitest import fdrcorrection

    return np.asarray(fdrcorrection(p, method={"bh": "indep", "by": "negcorr"}[method])[1])


def adjust_families(p: Floats, families: Sequence[Hashable], method: Adjust = "holm") -> Floats:
    """Adjust p-values (n,) family by family; equal keys mark one family."""
    adjusted = np.full(p.shape, np.nan)
    for rows in grouped((family, row) for row, family in enumerate(families)).values():
        adjusted[rows] = adjust_family(p[rows], method)
    return adjusted
