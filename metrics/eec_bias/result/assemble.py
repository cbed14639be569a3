"""The parts of a measurement put together as a result, system by system."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from eec_bias.errors import DesignError
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import Source
from eec_bias.inputs.strata import Stratum
from eec_bias.inputs.wording import find_reworded
from eec_bias.options import Adjust
from eec_bias.result.assemble_details import describe_table
from eec_bias.result.families import adjust_terms
from eec_bias.result.frame import FLIP_KEYS, Row
from eec_bias.result.result import Result
from eec_bias.result.rows import cell_rows, fit_rows, no_spread_rows, side_rows, term_rows
from eec_bias.result.signature import Signature
from eec_bias.stats.analysis import Analysis
from eec_bias.stats.contrasts import estimand
from eec_bias.stats.flips import Flip, find_flips
from eec_bias.stats.layout import Table


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of output in one stratum.

    Attributes
    ----------
    stratum : Stratum
        Where.
    output : str or None
        ``score`` or ``rate[CLASS]``; None where scores are all there is.
    scores : Scores
        The numbers analysed.
    analyses : list of Analysis
        One per table.
    """

    stratum: Stratum
    output: str | None
    scores: Scores
    analyses: list[Analysis]

    def who(self, system: int) -> Row:
        """Return the leading keys of a row."""
        return self.scores.who(system) | self.place

    @property
    def systems(self) -> list[Row]:
        """Return the keys that name each system."""
        return [self.scores.who(s) for s in range(len(self.scores.values))]

    @property
    def place(self) -> Row:
        """Return the leading keys that name stratum and output."""
        given = {"stratum": self.stratum.label, "output": self.output}
        return {key: value for key, value in given.items() if value is not None}


def assemble(
    parts: list[Part],
    axes: tuple[str, ...],
    notes: tuple[str, ...],
    adjust: Adjust,
    edge: str,
    signature: Signature,
    source: Source | None = None,
) -> Result:
    """Put the rows of all parts together, system by system.

    Parameters
    ----------
    parts : list of Part
        In the order of the rows of one system.
    axes : tuple of str
        The axes measured.
    notes : tuple of str
        What was noted about the data.
    adjust, edge : str
        The options of these names.
    signature : Signature
        Of the result.
    source : Source, optional
        The data, for the forms of persons and the emotions of items in the details.

    Raises
    ------
    DesignError
        If no term can be estimated.
    """
    per_system = [[_rows(part, analysis, axes, edge, source) for analysis in part.analyses] for part in parts]
    kinds = ("terms", "cells", "fits", "no_spread", "equivalence", "bootstrap", "variances")
    rows: dict[str, list[Row]] = {kind: [] for kind in kinds}
    for s in range(len(parts[0].scores.values)):
        for part, analyses in zip(parts, per_system, strict=True):
            who = part.who(s)
            for found in analyses:
                for kind in kinds:
                    rows[kind] += [who | row for row in found[kind][s]]
    notes += tuple(dict.fromkeys(note for part in parts for note in _notes(part)))
    if not rows["terms"]:
        raise DesignError(f"no term can be estimated: {'; '.join(notes)}")
    known = {axis.name: axis for part in parts for a in reversed(part.analyses) for axis in a.table.axes}
    return Result(
        terms=adjust_terms(rows["terms"], adjust),
        cells=tuple(rows["cells"]),
        fits=tuple(rows["fits"]),
        no_spread=tuple(rows["no_spread"]),
        equivalence=tuple(rows["equivalence"]),
        bootstrap=tuple(rows["bootstrap"]),
        variances=tuple(rows["variances"]),
        notes=notes,
        axes=axes,
        score_range=parts[0].scores.score_range,
        beta_estimand=estimand([known[name] for name in axes if name in known]),
        signature=signature,
        details=tuple(
            describe_table(analysis, part.systems, part.place, source, part.stratum.rows)
            for part in parts
            for analysis in part.analyses
        ),
    )


def _notes(part: Part) -> list[str]:
    where = "" if part.stratum.label is None else f"{part.stratum.label}, "
    return [f"{where}{note}" for analysis in part.analyses for note in analysis.notes]


def _rows(
    part: Part, analysis: Analysis, axes: tuple[str, ...], edge: str, source: Source | None
) -> dict[str, list[list[Row]]]:
    """Rows of every kind, one list per system."""
    reworded = partial(find_reworded, analysis.table, analysis.contrasts, source, part.stratum.rows)
    return {
        "terms": term_rows(analysis),
        "cells": cell_rows(analysis, axes),
        "fits": fit_rows(analysis, edge),
        "no_spread": no_spread_rows(analysis, reworded),
        **side_rows(analysis),
    }


def all_flips(parts: list[Part], predicted: Any, classes: int) -> tuple[Row, ...]:
    """Return the rows of flips of every system and stratum."""
    strata = {id(part.stratum): part for part in parts}.values()
    found: list[list[Row]] = [[] for _ in predicted]
    for part in strata:
        chosen = predicted if part.stratum.rows is None else predicted[:, part.stratum.rows]
        where = {} if part.stratum.label is None else {"stratum": part.stratum.label}
        for table in part.stratum.design.tables:
            flips = find_flips(table, chosen, classes)
            for s, rows in enumerate(found):
                rows += [part.scores.who(s) | where | _flip_row(table, flip, s) for flip in flips]
    return tuple(row for rows in found for row in rows)


def _flip_row(table: Table, flip: Flip, system: int) -> Row:
    within = None if flip.within is None else float(flip.within[system])
    items = len(table.items)
    values = (
        flip.axis, flip.level, flip.reference, table.subset, float(flip.between[system]), within, items,
        flip.persons * items,
    )  # fmt: skip
    return dict(zip(FLIP_KEYS, values, strict=True))
