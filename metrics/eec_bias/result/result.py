"""The result: always the same long frame of terms."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures import NAMES, draw
from eec_bias.methods.perturbation_tables import MEASURES, scalars
from eec_bias.methods.rating_rows import of_rating, rating_scalars
from eec_bias.options import Layout
from eec_bias.result.dataframe import frame_of
from eec_bias.result.details import Detail
from eec_bias.result.frame import LEADING, TERM_KEYS, Row
from eec_bias.result.html import as_html, as_markdown
from eec_bias.result.saved import read_saved
from eec_bias.result.signature import Signature
from eec_bias.result.tables import flip_table, terms_table
from eec_bias.result.text import report


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
    study : object, optional
        What a published procedure knows beyond the rows, such as `PairStudy` with ``method="kiritchenko2018"``.
    method : str
        The procedure.
    held : tuple of functions
        What `details` is made from.
    saved : mapping
        Of a result read from a dict: the study and the tables as they were saved.
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
    study: Any = None
    method: str = "default"
    held: tuple[Callable[[], Detail], ...] = field(default=(), repr=False, compare=False)
    saved: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def details(self) -> tuple[Detail, ...]:
        """What lies behind the rows, per stratum, output and table: means of persons, differences of items.

        Computed anew each time; empty with a published procedure, and where a result was saved without.
        """
        return tuple(make() for make in self.held)

    def to_frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """Return the terms as a frame, one row per term, level and subset (and system).

        Parameters
        ----------
        library : {"pandas", "polars"}
            Whose frame.

        Raises
        ------
        OptionError
            If the library is unknown, or not installed.
        """
        named = [key for row in self.terms[:1] for key in row if key not in TERM_KEYS]
        return frame_of(self.terms, (*named, *TERM_KEYS), library)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Result":
        """Read back what `to_dict` gave, also through JSON and from another version.

        Parameters
        ----------
        content : mapping
            With ``details`` where they were asked for.

        Returns
        -------
        Result
            Of another version it holds as much as the keys allow, and a note says so.

        Raises
        ------
        ResultError
            If the content is no result, or one that cannot be read.
        """
        return cls(**read_saved(content))

    def to_dict(self, *, details: bool = False) -> dict[str, Any]:
        """Return plain JSON types: terms, cells, fits, flat scalars, notes, signature, version.

        The flat scalars (``race_effect``, ``race_p``, ``gender_pairs_effect``, ``race[Latino]_p``) are for
        loggers that cannot nest; they are there where one system was measured. Those of a stratum or output stand
        behind its name: ``joy/race_effect``, ``rate[positive]/gender_p``. Class outputs add ``flips``, published
        procedures ``method`` and ``tables``.

        Parameters
        ----------
        details : bool
            Whether to add what figures need: `details`, and the ``study`` of a published procedure.
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
        if details:
            content["details"] = [detail.to_dict() for detail in self.details]
            study = self.saved.get("study") if self.study is None else self.study.to_dict()
            content |= {} if study is None else {"study": study}
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
        ResultError
            If a published procedure's result was read from a dict, which has its tables as text only.
        """
        if "tables" in self.saved:
            if layout != "text":
                raise ResultError(
                    f"the tables of method={self.method!r} were saved as text, not as {layout!r}; measure the scores "
                    "again"
                )
            return dict(self.saved["tables"])
        if self.method != "default":
            # The procedures return results, so they know this module, not the other way round.
            from eec_bias.methods.procedures import published_tables

            return published_tables(self, layout)
        leading = [key for key in LEADING if key in self.terms[0]]
        found = {"terms": terms_table(self.terms, leading, layout)}
        return found | ({"flips": flip_table(self.flips, layout)} if self.flips else {})

    def plot(self, name: str = "forest", **options: Any) -> Any:
        """Draw a figure; see `figures`, which has a function of each name.

        Parameters
        ----------
        name : {"forest", "persons", "heatmap", "items", "systems", "sensitivity", "label_dist"}
            Effects with their intervals; every person's mean score; cell means; differences item by item; and
            system by system; the last two are for ``method="perturbation"``.
        **options
            Of the figure: ``theme``, ``width``, which part to draw, and its own.

        Returns
        -------
        matplotlib Figure
            ``eec_caption`` says what is plotted. `figure_style.save` writes it.

        Raises
        ------
        OptionError
            If there is no figure of that name.
        ResultError
            If the result does not hold what the figure shows.
        """
        if name not in NAMES:
            raise OptionError(f"there is no figure {name!r}; the figures are {', '.join(NAMES)}")
        return draw(name, self, **options)

    def __repr__(self) -> str:
        # The rows of many systems would fill a terminal; printed, a result is a report.
        return f"<Result of {len(self.terms)} terms: {self.signature}>"

    def __str__(self) -> str:
        return report(self.to_dict())

    def _repr_html_(self) -> str:
        return as_html(self.to_dict())

    def _repr_markdown_(self) -> str:
        return as_markdown(self.to_dict())


def flat_scalars(terms: tuple[Row, ...]) -> dict[str, float | None]:
    """Effect, p and adjusted p of every term under a flat name; empty for several systems."""
    if len({(row.get("system"), row.get("task")) for row in terms}) > 1:
        return {}
    names = [(_place(row), row["term"], row["subset"]) for row in terms]
    several = Counter(names)
    found: dict[str, float | None] = {**scalars(terms), **rating_scalars(terms)}
    for row, key in zip(terms, names, strict=True):
        if row["term"] in MEASURES or of_rating(row):
            continue
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
