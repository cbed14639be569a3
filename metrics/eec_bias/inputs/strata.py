"""The data cut by the values of a column, each part with its own design."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.inputs.axes import keep_axes
from eec_bias.inputs.design import Design, build_design, choose_references, lone_item
from eec_bias.inputs.labels import Coded, check_column
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.wording import find_agreeing, find_agreeing_words, read_forms, words_agree
from eec_bias.notes import Note
from eec_bias.options import AGREES, SAME, UNMARKED, Bools, Ints, MeasureOptions
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.layout import Table
from eec_bias.stats.reaction import ReactionItems

LISTED = 3
"""So many parts in which nothing can be compared are told in an error."""

ALONE = ("item", "template", "word")
"""Columns each of whose values is one item, template or word, of which is said once what follows."""


@dataclass(frozen=True)
class DataStratum:
    """A part of the data: the value of the column, what was observed there, its tables, and the signs of emotions.

    Attributes
    ----------
    label : str, optional
        The value; None of all data.
    observed : Observations
        What was observed.
    design : Design
        The tables.
    signs : mapping of str to int
        By emotion 1 if it is positive, and −1 if it is negative, for rows on reaction.
    """

    label: str | None
    observed: Observations
    design: Design
    signs: Mapping[str, int]
    _apart: dict[tuple[str, str], dict[str, Ints]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _agreeing: dict[tuple[str, ...], Bools] = field(default_factory=dict, init=False, repr=False, compare=False)
    _of_reaction: dict[tuple[str, ...], ReactionItems] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def forms(self) -> Ints | None:
        """Return the form of the emotion word in each row, see `wording.read_forms`."""
        return read_forms(self.observed)

    def agreeing(self, table: Table, contrast: Contrast) -> Bools:
        """Return the items of a table whose emotion words agree with the persons that a contrast compares."""
        key = (table.subset, *contrast.axes)
        if key not in self._agreeing:
            self._agreeing[key] = find_agreeing_words(table, contrast, self.forms)
        return self._agreeing[key]

    def apart(self, table: Table, contrast: Contrast) -> dict[str, Ints]:
        """Return the items whose words agree with the persons compared, and those that are the same but for them.

        Empty unless the contrast compares the levels of an axis, in a language whose words agree.
        """
        if contrast.term not in contrast.axes:
            return {}
        key = (table.subset, contrast.term)
        if key not in self._apart:
            agrees = find_agreeing(table, contrast, self.observed, self.forms)
            classes = {SAME: np.flatnonzero(~agrees), AGREES: np.flatnonzero(agrees)}
            self._apart[key] = classes if words_agree(agrees, table, self.observed) else {}
        return self._apart[key]

    def reaction_items(self, table: Table, contrast: Contrast) -> ReactionItems | None:
        """Return the items on which reactions are compared; None if an emotion or a sign is missing."""
        key = (table.subset, *contrast.axes)
        if key not in self._of_reaction:
            self._of_reaction[key] = ReactionItems(table.facets, self.signs, self.agreeing(table, contrast))
        items = self._of_reaction[key]
        return items if items.can_be_tested else None

    @property
    def uses_classes(self) -> bool:
        """Return whether items that agree are strata of their own where some reactions are compared."""
        for table in self.design.tables:
            for contrast in build_contrasts(table.axes):
                items = self.reaction_items(table, contrast)
                if items is not None and items.uses_classes:
                    return True
        return False

    @property
    def place(self) -> dict[str, Any]:
        """Return the leading key that names it in rows."""
        return {} if self.label is None else {"stratum": self.label}


def stratify(observed: Observations, options: MeasureOptions) -> tuple[list[DataStratum], tuple[Note, ...]]:
    """Lay rows out as tables, cut by the values of a column where that was asked for.

    Parameters
    ----------
    observed : Observations
        What came in.
    options : MeasureOptions
        What was asked for.

    Returns
    -------
    strata, notes
        A stratum in which nothing can be compared is named in the notes.

    Raises
    ------
    OptionError
        If ``reference`` names an axis or level that the data do not have.
    DesignError
        If nothing can be compared in any stratum.
    """
    reference, parts = options.reference, observed.parts
    if parts is None:
        design = build_design(observed, reference=reference, incomplete=options.incomplete)
        return [DataStratum(None, observed, design, options.signs)], (*observed.notes, *design.notes)
    by = parts.name
    check_column(parts, "item")
    # A stratum may lack an axis, but what none has is a mistake.
    choose_references(observed, reference)
    mapped = isinstance(reference, Mapping)
    strata: list[DataStratum] = []
    notes: list[Note] = []
    lost: list[Note] = []
    for code, label in enumerate(parts.levels):
        rows = observed.only(np.flatnonzero(parts.codes == code))
        try:
            part = replace(rows, axes=keep_axes(rows.axes, requested=False))
            own = {axis: level for axis, level in reference.items() if axis in part.axes} if mapped else reference
            design = build_design(part, reference=own, incomplete=options.incomplete)
        except DesignError as error:
            lost.append(Note("part_left_out", {"by": by, "label": label, "error": str(error)}))
            continue
        strata.append(DataStratum(label, part, design, options.signs))
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
    return strata, (*observed.notes, *lost, *notes)


def _without(axes: Mapping[str, Coded], every: Mapping[str, Coded]) -> Iterator[Note]:
    """Note the groups that a part lacks, on axes of which it has others: its effects are then of these alone."""
    for name, axis in axes.items():
        lacking = [level for level in every[name].levels if level not in (*axis.levels, UNMARKED)]
        if lacking and set(axis.levels) - {UNMARKED}:
            groups = ", ".join(f"{name}={level}" for level in lacking)
            yield Note("lacking_groups", {"groups": groups})
