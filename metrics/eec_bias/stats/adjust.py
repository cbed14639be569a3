"""Adjustment of p-values for the number of terms looked at."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Adjust, Floats
from eec_bias.result.frame import TERM_KEYS, Row


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


def adjust_terms(terms: Sequence[Row], adjust: Adjust) -> tuple[Row, ...]:
    """Add the adjusted p to rows of terms and put every row's keys in order.

    Parameters
    ----------
    terms : sequence of dict
        Rows with ``p``, ``subset`` and, where they exist, ``system``, ``task``, ``stratum`` and ``output``.
    adjust : {"holm", "bh", "by", "maxt", "none"}
        Holm within the rows of one system, task and subset, over all strata and outputs that were looked at;
        Benjamini–Hochberg and Benjamini–Yekutieli within a subset over all systems; with ``maxt`` the rows have
        p adjusted by relabellings within their stratum and output, which is multiplied by how many of these there
        are.

    Returns
    -------
    tuple of dict
        Keys that name a row first, then `TERM_KEYS`.
    """
    if adjust == "maxt":
        adjusted = _over_parts(terms)
    else:
        across = adjust in ("bh", "by")
        keys = [(None if across else (row.get("system"), row.get("task")), row["subset"]) for row in terms]
        number = {key: float(i) for i, key in enumerate(dict.fromkeys(keys))}
        p = np.array([np.nan if row["p"] is None else row["p"] for row in terms])
        families = np.array([number[key] for key in keys])
        adjusted = [None if np.isnan(x) else x for x in adjust_rows(p, families, adjust).tolist()]
    return tuple(
        {key: row[key] for key in row if key not in TERM_KEYS}
        | {key: value if key == "p_adjusted" else row[key] for key in TERM_KEYS}
        for row, value in zip(terms, adjusted, strict=True)
    )


def _over_parts(terms: Sequence[Row]) -> list[float | None]:
    """Multiply p by the number of strata and outputs of the family: no relabelling spans several of them."""
    families = [(row.get("system"), row.get("task"), row["subset"]) for row in terms]
    parts: dict[tuple[object, ...], set[tuple[object, object]]] = {}
    for key, row in zip(families, terms, strict=True):
        parts.setdefault(key, set()).add((row.get("stratum"), row.get("output")))
    return [
        None if row.get("p_adjusted") is None else min(row["p_adjusted"] * len(parts[key]), 1.0)
        for key, row in zip(families, terms, strict=True)
    ]
