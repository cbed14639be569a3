"""The data cut by the values of a column, each part with its own design."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.inputs.codes import Coded
from eec_bias.inputs.design import Design, build_design, choose_references, lone_item
from eec_bias.inputs.labels import check_column, read_labels
from eec_bias.inputs.observed import Observations, observe
from eec_bias.inputs.sources import Source, axis_candidates, keep_axes, lone_axes
from eec_bias.notes import Note
from eec_bias.options import UNMARKED
from eec_bias.sentences import refusal

LISTED = 3
"""So many parts in which nothing can be compared are told in an error."""

ALONE = ("item", "template", "word")
"""Columns each of whose values is one item, template or word, of which is said once what follows."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the data: the value of the column (None for all data), what was observed there, and its tables."""

    label: str | None
    observed: Observations
    design: Design

    @property
    def place(self) -> dict[str, Any]:
        """The leading key that names it in rows."""
        return {} if self.label is None else {"stratum": self.label}


def stratify(
    source: Source,
    by: str | None,
    axes: tuple[str, ...] | None,
    *,
    reference: Any,
    shared: bool,
) -> tuple[list[Stratum], tuple[Note, ...]]:
    """Cut rows in memory by a column; without one, all data are one stratum.

    Parameters
    ----------
    source : Source
        The data.
    by : str, optional
        A column, such as ``emotion`` or ``template``.
    axes : tuple of str, optional
        Axes asked for.
    reference, shared
        As for `design.build_design`.

    Returns
    -------
    strata, notes
        A stratum in which nothing can be compared is named in the notes.

    Raises
    ------
    OptionError
        If ``by`` is one of the axes asked for, or ``reference`` names an axis or level that the data do not have.
    DesignError
        If nothing can be compared in any stratum.
    """
    if by is not None and axes is not None and by in axes:
        raise refusal("by_is_axis", by=by)
    names = [name for name in axis_candidates(source) if name != by] if axes is None else axes
    every = {name: source.coded(name) for name in names}
    observed = observe(source, read_labels(source, keep_axes(every, requested=axes is not None)))
    if by is None:
        return one_stratum(observed, every, reference=reference, shared=shared)
    parts = source.coded(by)
    check_column(parts, "item")
    # A stratum may lack an axis, but what none has is a mistake.
    choose_references(observed, reference)
    mapped = isinstance(reference, Mapping)
    strata: list[Stratum] = []
    notes: list[Note] = []
    lost: list[Note] = []
    for code, label in enumerate(parts.levels):
        rows = observed.only(np.flatnonzero(parts.codes == code))
        try:
            part = rows.on_axes(requested=False)
            own = {axis: level for axis, level in reference.items() if axis in part.axes} if mapped else reference
            design = build_design(part, reference=own, shared=shared)
        except DesignError as error:
            lost.append(Note("part_left_out", {"by": by, "label": label, "error": str(error)}))
            continue
        strata.append(Stratum(label, part, design))
        alone = lone_item(design.tables) if by in ALONE else ()
        of_part = (*_without(rows.axes, observed.axes), *design.notes)
        notes += [Note("in_part", {"by": by, "label": label, "note": each}) for each in of_part if each not in alone]
    if not strata:
        more = f"; and {len(lost) - LISTED} more" if len(lost) > LISTED else ""
        raise DesignError(f"no value of {by!r} leaves anything to compare: {'; '.join(map(str, lost[:LISTED]))}{more}")
    if by == "item":
        notes.append(Note("by_item"))
    elif by in ALONE:
        notes.append(Note("by_cluster", {"by": by}))
    return strata, (*lost, *notes)


def one_stratum(
    observed: Observations, every: Mapping[str, Coded], *, reference: Any, shared: bool
) -> tuple[list[Stratum], tuple[Note, ...]]:
    """Return all data as one stratum, and notes; ``every`` are the axes before those of one level were left out."""
    design = build_design(observed, reference=reference, shared=shared)
    return [Stratum(None, observed, design)], (*lone_axes(every, observed.axes), *design.notes)


def _without(axes: Mapping[str, Coded], every: Mapping[str, Coded]) -> Iterator[Note]:
    """Note the groups that a part lacks, on axes of which it has others: its effects are then of these alone."""
    for name, axis in axes.items():
        lacking = [level for level in every[name].levels if level not in (*axis.levels, UNMARKED)]
        if lacking and set(axis.levels) - {UNMARKED}:
            groups = ", ".join(f"{name}={level}" for level in lacking)
            yield Note("lacking_groups", {"groups": groups})
