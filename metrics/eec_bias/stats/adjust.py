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
    adjusted, tested = p.copy(), np.flatnonzero(~np.isnan(p))
    if method == "holm":
        # By hand: statsmodels takes 20 ms a family, as it collects garbage each time.
        order = tested[np.argsort(p[tested], kind="stable")]
        adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1.0)
    elif method != "none" and tested.size:
        # Not at the top: statsmodels takes half a second to import, and Holm's adjustment does without.
        from statsmodels.stats.multitest import fdrcorrection

        adjusted[tested] = fdrcorrection(p[tested], method={"bh": "indep", "by": "negcorr"}[method])[1]
    return adjusted


def adjust_families(p: Floats, families: Sequence[Hashable], method: Adjust = "holm") -> Floats:
    """Adjust p-values (n,) family by family; equal keys mark one family."""
    adjusted = np.full(p.shape, np.nan)
    for rows in grouped((family, row) for row, family in enumerate(families)).values():
        adjusted[rows] = adjust_family(p[rows], method)
    return adjusted
