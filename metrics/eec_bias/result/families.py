"""The adjusted p of rows of terms, family by family."""

from collections.abc import Sequence

import numpy as np

from eec_bias.grouping import grouped
from eec_bias.options import ACROSS_SYSTEMS, ANY, Adjust
from eec_bias.result.frame import TERM_KEYS, Row
from eec_bias.stats.adjust import adjust_families


def adjust_terms(terms: Sequence[Row], adjust: Adjust) -> tuple[Row, ...]:
    """Add the adjusted p to rows of terms and put every row's keys in order.

    Parameters
    ----------
    terms : sequence of dict
        Rows with ``p``, ``subset`` and, where they exist, ``system``, ``task``, ``stratum`` and ``output``.
    adjust : {"holm", "bh", "by", "maxt", "none"}
        Holm within the rows of one system, task and subset, over all strata and outputs that were looked at, rows of
        terms as a whole, which are gates to those of their levels, apart from these;
        Benjamini–Hochberg and Benjamini–Yekutieli within a subset over all systems; with ``maxt`` the rows have
        p adjusted by relabellings within their stratum and output, which is multiplied by how many of these there
        are.

    Returns
    -------
    tuple of dict
        Keys that name a row first, then `TERM_KEYS`.
    """
    adjusted = _over_parts(terms) if adjust == "maxt" else _within(terms, adjust)
    return tuple(
        {key: row[key] for key in row if key not in TERM_KEYS}
        | {key: value if key == "p_adjusted" else row[key] for key in TERM_KEYS}
        for row, value in zip(terms, adjusted, strict=True)
    )


def _within(terms: Sequence[Row], adjust: Adjust) -> list[float | None]:
    across = adjust in ACROSS_SYSTEMS
    families = [
        (None if across else (row.get("system"), row.get("task")), row["subset"], row["level"] == ANY) for row in terms
    ]
    # A row with too few templates for a p was looked at like the others: whether it has one depends on the scores.
    p = np.array([(np.nan if row["se"] == 0 else 1.0) if row["p"] is None else row["p"] for row in terms])
    adjusted = adjust_families(p, families, adjust).tolist()
    return [None if row["p"] is None else x for row, x in zip(terms, adjusted, strict=True)]


def _over_parts(terms: Sequence[Row]) -> list[float | None]:
    """Multiply p by the number of strata and outputs of the subset: no relabelling spans several of them."""
    places = grouped((row["subset"], (row.get("stratum"), row.get("output"))) for row in terms)
    parts = {subset: len(set(subset_places)) for subset, subset_places in places.items()}
    return [
        None if row.get("p_adjusted") is None else min(row["p_adjusted"] * parts[row["subset"]], 1.0) for row in terms
    ]
