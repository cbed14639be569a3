"""Adjustment of p-values for the number of terms looked at."""

import numpy as np

from .options import Adjust, Floats


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
    out = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    if method == "none" or not known.size:
        out[known] = p[known]
        return out
    order = known[np.argsort(p[known], kind="stable")]
    m = len(order)
    rank = np.arange(1, m + 1)
    if method == "holm":
        adjusted = np.maximum.accumulate(p[order] * (m - rank + 1))
    else:
        penalty = (1 / rank).sum() if method == "by" else 1.0
        adjusted = np.minimum.accumulate((p[order] * m * penalty / rank)[::-1])[::-1]
    out[order] = np.minimum(adjusted, 1.0)
    return out


def adjust_rows(p: Floats, families: Floats, method: Adjust = "holm") -> Floats:
    """Adjust p-values family by family.

    Parameters
    ----------
    p : (n,) array
        P-values, NaN where a row has no test.
    families : (n,) array
        Equal values mark one family.
    method : {"holm", "bh", "by", "none"}
        See :func:`adjust_family`.
    """
    out = np.full(p.shape, np.nan)
    order = np.argsort(families, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(families[order])) + 1):
        out[rows] = adjust_family(p[rows], method)
    return out
