"""The adjusted p of rows of terms, family by family."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from eec_bias.options import ACROSS_SYSTEMS, ANY, Adjust, Floats
from eec_bias.result.term import Term
from eec_bias.stats.adjust import adjust_families
from eec_bias.stats.contrasts import is_simple_effect


def adjust_terms(terms: Sequence[Term], adjust: Adjust, alpha: float = 0.05) -> tuple[Term, ...]:
    """Add the adjusted p to rows of terms.

    Parameters
    ----------
    terms : sequence of Term
        The rows.
    adjust : {"holm", "bh", "by", "none"}
        Holm within the rows of one system, task and subset, over all strata and outputs that were looked at. Rows of
        terms as a whole, which are gates to those of their levels, are a family of their own, and so are simple
        effects, so that those who ask for them lose nothing on the terms themselves;
        Benjamini–Hochberg and Benjamini–Yekutieli within a subset over all systems.
    alpha : float
        Level at which differences are tested.

    Returns
    -------
    tuple of Term
        The rows with ``p_adjusted``, and with ``mde`` at the level of the first step of Holm's method, α over the
        number of rows. Rows of emotions, which have a family of their own, stay as they are.
    """
    overall = iter(_adjust([row for row in terms if not row.is_of_emotion], adjust, alpha))
    return tuple(row if row.is_of_emotion else next(overall) for row in terms)


def _adjust(terms: Sequence[Term], adjust: Adjust, alpha: float) -> list[Term]:
    across = adjust in ACROSS_SYSTEMS
    families = [
        (None if across else (row.system, row.task), row.subset, row.level == ANY, is_simple_effect(row.term))
        for row in terms
    ]
    adjusted = _adjusted(terms, adjust, families)
    tested = Counter(family for row, family in zip(terms, families, strict=True) if row.p is not None or row.se != 0)
    rows = [1 if adjust == "none" else max(tested[family], 1) for family in families]
    detectable = smallest_detectable([row.se for row in terms], [row.df for row in terms], alpha / np.array(rows))
    found = []
    for row, p, mde in zip(terms, adjusted, detectable, strict=True):
        found.append(replace(row, p_adjusted=p, mde=row.mde if row.mde_alone is None else mde))
    return found


def _adjusted(terms: Sequence[Term], adjust: Adjust, families: Sequence[Hashable]) -> list[float | None]:
    """The adjusted p of each row."""
    # A row with too few templates for a p was looked at like the others: whether it has one depends on the scores.
    p = []
    for row in terms:
        if row.p is not None:
            p.append(row.p)
        else:
            p.append(np.nan if row.se == 0 else 1.0)
    found = adjust_families(np.array(p), families, adjust).tolist()
    return [None if row.p is None else x for row, x in zip(terms, found, strict=True)]


def smallest_detectable(
    se: Sequence[float | None], df: Sequence[float | None], alpha: Floats, power: float = 0.8
) -> list[float | None]:
    """The smallest effects that tests at these levels find with some power; None where there is no test."""
    errors, free = np.array(se, dtype=float), np.array(df, dtype=float)
    found = (errors * (stdtrit(free, 1 - alpha / 2) + stdtrit(free, power))).tolist()
    return [None if np.isnan(each) else each for each in found]
