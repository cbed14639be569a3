"""The result: always the same long frame of terms."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .frame import LEADING, TERM_KEYS, Row
from .options import Layout
from .plots import forest
from .report import report
from .signature import Signature
from .tables import flip_table, terms_table

if TYPE_CHECKING:
    import pandas as pd

    from .kiritchenko import PairStudy


@dataclass(frozen=True, slots=True)
class Result:
    """Bias coefficients of one or many systems.

    Attributes
    ----------
    terms : tuple of dict
        One row per term, level and subset with the keys ``TERM_KEYS``, before them those of ``LEADING`` that are
        needed: which system, task, stratum and output the row is about. ``effect``, ``se``, the interval and
        ``mde`` are in the units of the scores.
    cells : tuple of dict
        One row per cell: its levels, size, mean score and the standard deviation of its person means.
    fits : tuple of dict
        One row per subset: the beta regression's φ, log-likelihood, edge treatment, and why there is no fit.
    wording : tuple of dict
        For systems that do not react to persons, the items on which groups differ all the same.
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
    flips : tuple of dict
        For class and ordinal outputs, how often the class changes with the person, see `class_flips.flip_rows`.
    study : PairStudy, optional
        With ``method="kiritchenko2018"``, the differences behind the rows.
    method : str
        The procedure.
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
    flips: tuple[Row, ...] = ()
    study: "PairStudy | None" = None
    method: str = "default"

    def to_frame(self) -> "pd.DataFrame":
        """Return the terms as a pandas frame, one row per term, level and subset (and system)."""
        import pandas as pd

        named = [key for row in self.terms[:1] for key in row if key not in TERM_KEYS]
        return pd.DataFrame(list(self.terms), columns=[*named, *TERM_KEYS])

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types: terms, cells, fits, flat scalars, notes, signature, version.

        The flat scalars (``race_effect``, ``race_p``, ``gender_pairs_effect``, ``race[Latino]_p``) are for
        loggers that cannot nest; they are there where one system was measured. Those of a stratum or output stand
        behind its name: ``joy/race_effect``, ``rate[positive]/gender_p``. Class outputs add ``flips``, published
        procedures ``method`` and ``tables``.
        """
        kinds = ("terms", "cells", "fits", "wording", "equivalence", "bootstrap", "variances")
        content: dict[str, Any] = {kind: [dict(row) for row in getattr(self, kind)] for kind in kinds}
        content |= {
            **flat_scalars(self.terms),
            **_beta_scalars(self.fits, self.beta_estimand),
            "notes": list(self.notes),
            "axes": list(self.axes),
            "score_range": list(self.score_range),
            "signature": str(self.signature),
            "version": self.signature.version,
        }
        if self.flips:
            content["flips"] = [dict(row) for row in self.flips]
        if self.method != "default":
            content |= {"method": self.method, "tables": self.tables()}
        return content

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay the result out as tables.

        Parameters
        ----------
        layout : {"text", "csv", "latex"}
            The form.

        Returns
        -------
        dict of str to str
            ``terms`` (and ``flips``); with a published procedure the tables its paper prints, by term and subset.

        Raises
        ------
        OptionError
            If the layout is unknown.
        """
        if self.method != "default":
            # The procedures return results, so they know this module, not the other way round.
            from .procedures import published_tables

            return published_tables(self, layout)
        leading = [key for key in LEADING if key in self.terms[0]]
        found = {"terms": terms_table(self.terms, leading, layout)}
        return found | ({"flips": flip_table(self.flips, layout)} if self.flips else {})

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
    if len({(row.get("system"), row.get("task")) for row in terms}) > 1:
        return {}
    names = [(_place(row), row["term"], row["subset"]) for row in terms]
    several = Counter(names)
    found: dict[str, float | None] = {}
    for row, key in zip(terms, names, strict=True):
        place, term, subset = key
        name = term if subset == "names" else f"{term}_{subset}"
        name += f"[{row['level']}]" if several[key] > 1 else ""
        for number in ("effect", "p", "p_adjusted"):
            found[f"{place}{name}_{number}"] = row[number]
    return found


def _place(row: Row) -> str:
    """Stratum and output of a row, each with a slash behind it."""
    return "".join(f"{row[key]}/" for key in ("stratum", "output") if row.get(key) is not None)


def _beta_scalars(fits: tuple[Row, ...], beta_estimand: str) -> dict[str, Any]:
    """φ and the edge treatment of a single system's first fit, beside the sentence on what beta compares."""
    found: dict[str, Any] = {"beta_estimand": beta_estimand}
    if len({row.get("system") for row in fits}) == 1:
        found |= {"beta_phi": fits[0]["phi"], "beta_edge": fits[0]["edge"], "beta_touched": fits[0]["touched"]}
    return found
