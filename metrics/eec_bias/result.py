"""The result: always the same long frame of terms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .plots import forest
from .report import report
from .signature import Signature

if TYPE_CHECKING:
    import pandas as pd

TERM_KEYS = (
    "term", "axes", "level", "reference", "subset", "effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high",
    "beta", "beta_se", "beta_p", "beta_se_person", "logit", "p_names_only", "p_permutation", "mde", "hedges_g",
    "superiority", "n_persons", "n_items", "n_sentences", "note",
)  # fmt: skip
"""Keys of every row of terms, whatever the method; None where a column has no meaning."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """Bias coefficients of one or many systems.

    Attributes
    ----------
    terms : tuple of dict
        One row per term, level and subset with the keys ``TERM_KEYS``, before them ``system`` where systems
        are named. ``effect``, ``se``, the interval and ``mde`` are in the units of the scores.
    cells : tuple of dict
        One row per cell: its levels, size, mean score and the standard deviation of its person means.
    fits : tuple of dict
        One row per subset: the beta regression's φ, log-likelihood, edge treatment, and why there is no fit.
    wording : tuple of dict
        For systems that do not react to persons, the items each non-zero effect comes from.
    notes : tuple of str
        What a reader must know about the data as a whole.
    axes : tuple of str
        The axes measured.
    score_range : (float, float)
        The declared scale of the scores.
    beta_estimand : str
        What the column ``beta`` compares.
    signature : Signature
        Lets another person recompute the numbers.
    equivalence : tuple of dict
        Where a margin was stated, one row per term, level and subset: ``effect``, ``margin``, the one-sided
        ``p_lower`` and ``p_upper``, ``p_equivalence`` (the larger), ``ci90_low``, ``ci90_high``.
    bootstrap : tuple of dict
        Where samples were drawn, one row per term, level, subset and ``estimate`` (``effect``, ``beta``): ``value``,
        ``se``, percentile interval ``ci_low``, ``ci_high``, ``bca_low``, ``bca_high``, ``replicates``.
    variances : tuple of dict
        One row per subset and ``source`` of variance within groups (persons, items, groups × items, residual):
        ``sd`` in the units of the scores, ``share`` of their total.
    """

    terms: tuple[Row, ...]
    cells: tuple[Row, ...]
    fits: tuple[Row, ...]
    wording: tuple[Row, ...]
    notes: tuple[str, ...]
    axes: tuple[str, ...]
    score_range: tuple[float, float]
    beta_estimand: str
    signature: Signature
    equivalence: tuple[Row, ...] = ()
    bootstrap: tuple[Row, ...] = ()
    variances: tuple[Row, ...] = ()

    def to_frame(self) -> "pd.DataFrame":
        """Return the terms as a pandas frame, one row per term, level and subset (and system)."""
        import pandas as pd

        named = [key for row in self.terms[:1] for key in row if key not in TERM_KEYS]
        return pd.DataFrame(list(self.terms), columns=[*named, *TERM_KEYS])

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types: terms, cells, fits, flat scalars, notes, signature, version.

        The flat scalars (``race_effect``, ``race_p``, ``gender_pairs_effect``, ``race[Latino]_p``) are for
        loggers that cannot nest; they are there where one system was measured.
        """
        return {
            "terms": [dict(row) for row in self.terms],
            "cells": [dict(row) for row in self.cells],
            "fits": [dict(row) for row in self.fits],
            "wording": [dict(row) for row in self.wording],
            "equivalence": [dict(row) for row in self.equivalence],
            "bootstrap": [dict(row) for row in self.bootstrap],
            "variances": [dict(row) for row in self.variances],
            **flat_scalars(self.terms),
            **_beta_scalars(self.fits, self.beta_estimand),
            "notes": list(self.notes),
            "axes": list(self.axes),
            "score_range": list(self.score_range),
            "signature": str(self.signature),
            "version": self.signature.version,
        }

    def plot(self, term: str | None = None, ax: Any = None) -> Any:
        """Draw the effects with their intervals.

        Parameters
        ----------
        term : str, optional
            With many systems, the term to compare them on; by default the first.
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        matplotlib Axes
        """
        return forest(self.to_dict(), term=term, ax=ax)

    def __str__(self) -> str:
        return report(self.to_dict())


def flat_scalars(terms: tuple[Row, ...]) -> dict[str, float | None]:
    """Effect, p and adjusted p of every term under a flat name; empty for several systems."""
    if len({row.get("system") for row in terms}) > 1:
        return {}
    found: dict[str, float | None] = {}
    for row in terms:
        several = sum(_same_term(row, other) for other in terms) > 1
        name = row["term"] if row["subset"] == "names" else f"{row['term']}_{row['subset']}"
        name += f"[{row['level']}]" if several else ""
        for key in ("effect", "p", "p_adjusted"):
            found[f"{name}_{key}"] = row[key]
    return found


def _same_term(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(row["term"] == other["term"] and row["subset"] == other["subset"])


def _beta_scalars(fits: tuple[Row, ...], beta_estimand: str) -> dict[str, Any]:
    """φ and the edge treatment of a single system's first fit, beside the sentence on what beta compares."""
    found: dict[str, Any] = {"beta_estimand": beta_estimand}
    if len({row.get("system") for row in fits}) == 1:
        found |= {"beta_phi": fits[0]["phi"], "beta_edge": fits[0]["edge"], "beta_touched": fits[0]["touched"]}
    return found
