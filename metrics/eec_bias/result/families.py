"""The adjusted p of rows of terms, family by family."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from eec_bias.grouping import grouped
from eec_bias.options import ACROSS_SYSTEMS, ANY, Adjust
from eec_bias.result.term import Term
from eec_bias.stats.adjust import adjust_families


def adjust_terms(terms: Sequence[Term], adjust: Adjust) -> tuple[Term, ...]:
    """Add the adjusted p to rows of terms.

    Parameters
    ----------
    terms : sequence of Term
        The rows.
    adjust : {"holm", "bh", "by", "maxt", "none"}
        Holm within the rows of one system, task and subset, over all strata and outputs that were looked at, rows of
        terms as a whole, which are gates to those of their levels, apart from these;
        Benjamini–Hochberg and Benjamini–Yekutieli within a subset over all systems; with ``maxt`` the rows have
        p adjusted by relabellings within their stratum and output, which is multiplied by how many of these there
        are.

    Returns
    -------
    tuple of Term
        The rows with ``p_adjusted``.
    """
    if adjust == "maxt":
        # No relabelling spans several strata and outputs of a subset.
        places = grouped((row.subset, (row.stratum, row.output)) for row in terms)
        given = [row.p_adjusted for row in terms]
        parts = [len(set(places[row.subset])) for row in terms]
        adjusted = [None if p is None else min(p * times, 1.0) for p, times in zip(given, parts, strict=True)]
    else:
        across = adjust in ACROSS_SYSTEMS
        families = [(None if across else (row.system, row.task), row.subset, row.level == ANY) for row in terms]
        # A row with too few templates for a p was looked at like the others: whether it has one depends on the scores.
        p = []
        for row in terms:
            if row.p is not None:
                p.append(row.p)
            else:
                p.append(np.nan if row.se == 0 else 1.0)
        found = adjust_families(np.array(p), families, adjust).tolist()
        adjusted = [None if row.p is None else x for row, x in zip(terms, found, strict=True)]
    return tuple(replace(row, p_adjusted=value) for row, value in zip(terms, adjusted, strict=True))
