"""Sort persons into the subsets that are compared: names, pairs, phrases and mentions.

Units of names (``pair`` equal to ``item``) are the subset ``names``: persons nested in cells. Those of noun phrases and
pronouns (``pair`` is ``item/base``) are subsets in which every base meets the levels it carries: ``pairs`` where only
gender varies, ``phrases`` where another axis does, ``mentions`` where that is one that names carry too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from eec_bias.inputs.labels import compact
from eec_bias.inputs.observed import Observations
from eec_bias.notes import Note
from eec_bias.options import Incomplete, Ints
from eec_bias.stats.layout import MENTIONS, Axis

GENDER = "gender"
"""The axis that noun phrases say by the noun: several nouns, and no one word."""


@dataclass(frozen=True, slots=True)
class Subset:
    """Units of P persons that carry the same axes, sorted by person.

    Attributes
    ----------
    observed : Observations
        What they were observed among.
    name : str
        As in `Table`.
    axes : tuple of Axis
        The axes they carry, without references.
    units, person : (U,) integer arrays
        The units, and the person of each.
    cell, within : (P,) integer arrays
        Each person's cell, and what tells it apart there: the label of a name, the base of a noun phrase.
    labels : tuple of str, length P
        Their names.
    versions : bool
        Whether each item has one person of every cell, whom no other item has: what is compared are its versions.
    """

    observed: Observations
    name: str
    axes: tuple[Axis, ...]
    units: Ints
    person: Ints
    cell: Ints
    within: Ints
    labels: tuple[str, ...]
    versions: bool = False

    @property
    def paired(self) -> bool:
        """Return whether these are noun phrases."""
        return self.name != "names"

    @property
    def within_bases(self) -> bool:
        """Return whether persons are compared within bases; a single base that has every group is a sample of none."""
        return self.paired and (len(np.unique(self.within)) > 1 or len(self.cell) < len(self.cells))

    @property
    def first_units(self) -> Ints:
        """Return the first unit of each person, (P,)."""
        return self.units[np.unique(self.person, return_index=True)[1]]

    def only(self, units: Ints) -> "Subset":
        """Return some of the units."""
        return _subset(self.observed, self.name, [axis.name for axis in self.axes], units)

    def of_persons(self, name: str) -> list[str]:
        """Return what is known of each person in a column."""
        labels = self.observed.of_persons[name]
        return [labels[unit] for unit in self.first_units.tolist()]

    def level_of(self, axis: str) -> Ints:
        """Return the level of each person on an axis, (P,)."""
        return self.group_of([each for each in self.axes if each.name == axis])

    def group_of(self, axes: Sequence[Axis]) -> Ints:
        """Return the combination of levels of some of the axes that each person has, (P,)."""
        shape = [len(each.levels) for each in self.axes]
        code = np.zeros(len(self.cell), dtype=np.intp)
        for each, levels in zip(self.axes, np.unravel_index(self.cell, shape), strict=True):
            if each in axes:
                code = code * len(each.levels) + levels
        return code

    @property
    def cells(self) -> list[str]:
        """Return the name of each cell: ``race=Latino, gender=female``."""
        levels = product(*(axis.levels for axis in self.axes))
        names = [axis.name for axis in self.axes]
        return [", ".join(map("{}={}".format, names, each)) for each in levels]

    def name_person(self, p: int) -> str:
        """Name a person in a message."""
        cells, label = self.cells, self.labels[p]
        if not self.paired:
            # A wrong label in one row makes a second person of the same name, whose gaps would else seem a riddle.
            others = [other for other, name in enumerate(self.labels) if name == label and other != p]
            return f"person {label!r} ({'; also rows with '.join(cells[self.cell[k]] for k in [p, *others])})"
        pair = f"pair {self.observed.bases[self.within[p]]!r}"
        alike = list(dict.fromkeys(self.observed.person.texts(self.units[self.person == p])))
        if len(alike) == 1:
            return f"person {label!r} ({pair})"
        some = ", ".join(map(repr, alike[:2])) + (", …" if len(alike) > 2 else "")
        return f"{cells[self.cell[p]]} ({pair}; the persons {some} differ in no axis that is measured)"


def find_subsets(observed: Observations, incomplete: Incomplete) -> tuple[list[Subset], list[Note]]:
    """Return the subsets that can be compared, and notes of what is left out of them."""
    found: list[Subset] = []
    notes: list[Note] = []
    for axes, units in _by_axes(observed, paired=False):
        names, left_out = _with_whole_levels(_subset(observed, "names", axes, units))
        notes += left_out
        found.append(_by_version(names))
    of_names = {axis.name for subset in found for axis in subset.axes} - {GENDER}
    for axes, units in _by_axes(observed, paired=True):
        if axes == [GENDER]:
            name = "pairs"
        else:
            # Phrases that say outright what names stand for are told from others.
            name = MENTIONS if of_names.intersection(axes) else "phrases"
        subset = _subset(observed, name, axes, units)
        if incomplete == "refuse":
            kept, left_out = _drop_gaps(subset)
            notes += left_out
            if not kept.size:
                continue
            subset = subset.only(kept)
        found.append(subset)
    return found, notes


def _by_axes(observed: Observations, *, paired: bool) -> Iterator[tuple[list[str], Ints]]:
    """Yield units that carry the same axes: names that are marked on them, noun phrases whose base varies on them."""
    units = np.flatnonzero(((observed.base >= 0) == paired) & ~observed.neutral)
    within = observed.base[units] if paired else np.zeros(len(units), dtype=np.intp)
    codes = {axis: column.codes[units] for axis, column in observed.axes.items()}
    marked = {axis: observed.marked(axis)[units] for axis in observed.axes}
    pattern = np.zeros(len(units), dtype=np.intp)
    for bit, (axis, column) in enumerate(observed.axes.items()):
        occurs = np.zeros((max(len(observed.bases), 1), len(column.levels)), dtype=bool)
        occurs[within[marked[axis]], codes[axis][marked[axis]]] = True
        carried = (occurs.sum(axis=1) >= 2)[within]
        pattern += (carried if paired else carried & marked[axis]).astype(np.intp) << bit
    for mask in sorted(set(pattern.tolist()) - {0}, reverse=not paired):
        carried_here = [axis for bit, axis in enumerate(observed.axes) if mask >> bit & 1]
        here = np.logical_and.reduce([pattern == mask, *(marked[axis] for axis in carried_here)])
        varying = [axis for axis in carried_here if len(set(codes[axis][here].tolist())) >= 2]
        if varying:
            yield varying, units[here]


def _subset(observed: Observations, name: str, axis_names: Sequence[str], units: Ints) -> Subset:
    """Tell persons of names apart by their label, those of noun phrases by their base."""
    paired = name != "names"
    axes, cell = [], np.zeros(len(units), dtype=np.intp)
    for axis in axis_names:
        column = observed.axes[axis].take(units)
        axes.append(Axis(axis, column.levels, None))
        cell = cell * len(column.levels) + column.codes
    within = observed.base if paired else observed.person.codes
    width = len(observed.bases if paired else observed.person.levels)
    keys, person = compact(cell * width + within[units])
    order = np.argsort(person, kind="stable")
    last = np.empty(len(keys), dtype=np.intp)
    last[person] = units
    labels = observed.person.texts(last)
    return Subset(observed, name, tuple(axes), units[order], person[order], keys // width, keys % width, labels)


def _with_whole_levels(subset: Subset) -> tuple[Subset, list[Note]]:
    """Leave out levels of which a group has fewer than two persons, if that leaves a whole table.

    Someone who adds one name of another group to a list still has the list.
    """
    counts = np.bincount(subset.cell, minlength=len(subset.cells)).reshape([len(axis.levels) for axis in subset.axes])
    if not (counts < 2).any() or counts.max() < 2:
        return subset, []
    found: list[tuple[int, int, Ints]] = []
    for number, axis in enumerate(subset.axes):
        other = tuple(each for each in range(counts.ndim) if each != number)
        few = np.flatnonzero((counts < 2).any(axis=other))
        whole = np.delete(np.arange(len(axis.levels)), few)
        if len(few) and len(whole) > 1:
            found.append((int(counts.take(few, axis=number).sum()), number, few))
    if not found:
        return subset, []
    persons, number, few = min(found, key=lambda each: each[:2])
    axis = subset.axes[number]
    names = [axis.levels[level] for level in few.tolist()]
    level = np.unravel_index(subset.cell, counts.shape)[number]
    kept = subset.units[~np.isin(level[subset.person], few)]
    about = {"subset": subset.name, "axis": axis.name, "levels": ", ".join(names), "persons": persons}
    return subset.only(kept), [Note("levels_left_out", about)]


def _by_version(subset: Subset) -> Subset:
    """Return the versions of each item in place of its persons, if it has one of every cell that no other item has.

    Then items and persons are drawn together, as pairs of texts with names of their own are: the test over items is
    the test over pairs.
    """
    if np.bincount(subset.observed.rows.unit, minlength=int(subset.units.max()) + 1)[subset.units].max() > 1:
        return subset
    coverage = subset.observed.rows.coverage(subset.units, subset.person)
    cells, items = len(subset.cells), len(coverage.items)
    person, item = np.divmod(coverage.entries[0], max(items, 1))
    versions = subset.cell[person] * items + item
    if len(versions) != cells * items or len(np.unique(versions)) != len(versions) or coverage.persons <= cells:
        return subset
    return replace(
        subset,
        person=subset.cell[subset.person],
        cell=np.arange(cells),
        within=np.zeros(cells, dtype=np.intp),
        labels=tuple(subset.cells),
        versions=True,
    )


def _drop_gaps(subset: Subset) -> tuple[Ints, list[Note]]:
    """Leave out what has gaps by design, and note it; other gaps are mistakes, which are refused later.

    Where two forms coincide the corpus holds no pair. So an item may be missing for all persons of a base, and
    forms that not every base has (neutral ones) may lack items on their own.
    """
    bases, cell, within = subset.observed.bases, subset.cell, subset.within
    coverage = subset.observed.rows.coverage(subset.units, subset.person)
    items = len(coverage.items)
    have = np.zeros((int(cell.max()) + 1, len(bases), items), dtype=bool)
    have[cell, within] = coverage.table(coverage.items) >= 0
    counts, paired = have.sum(axis=2), np.any(have, axis=0)
    lacking = items - paired.sum(axis=1)
    partial = (lacking > 0) & paired.any(axis=1)
    optional = (counts > 0).sum(axis=1) < paired.any(axis=1).sum()
    gaps = (optional[:, None] & (counts > 0) & (counts < items) & ~partial)[cell, within]
    notes = []
    for k in np.flatnonzero(partial):
        about = {"subset": subset.name, "label": bases[k], "missing": lacking[k], "items": items}
        notes.append(Note("base_left_out", about))
    for p in np.flatnonzero(gaps):
        missing = items - counts[cell[p], within[p]]
        about = {"subset": subset.name, "label": subset.labels[p], "missing": missing, "items": items}
        notes.append(Note("person_left_out", about))
    return subset.units[~(partial[within] | gaps)[subset.person]], notes
