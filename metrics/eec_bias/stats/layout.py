"""Layout of scores: the axes that are crossed, and a table of persons × items with its cells and bases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeVar

import numpy as np

from eec_bias.notes import Note
from eec_bias.options import MEAN, Bools, Floats, Ints
from eec_bias.stats.facets import Facets, only_items
from eec_bias.stats.families import Families, usable
from eec_bias.stats.words import Phrases

Numbers = TypeVar("Numbers", Floats, Ints)

MENTIONS = "mentions"
"""The subset of phrases that say outright what names stand for: a Black woman."""


def units_of(subset: str) -> str:
    """Return what is drawn where a subset is a sample: persons, pairs of noun phrases, or base phrases."""
    return {"names": "persons", "pairs": "pairs"}.get(subset, "base phrases")


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis with the levels found in one part of the data and the level they are compared with."""

    name: str
    levels: tuple[str, ...]
    reference: str | None

    @property
    def average(self) -> Floats:
        """Equal weights over the levels."""
        return np.full(len(self.levels), 1 / len(self.levels))

    @property
    def base(self) -> Floats:
        """Return where a regression's other coefficients are read: at the reference, or at the mean."""
        return self.average if self.reference is None else self.unit(self.reference)

    def unit(self, level: str) -> Floats:
        """Weight 1 on one level."""
        return np.array([float(other == level) for other in self.levels])

    def comparisons(self) -> list[tuple[str, str, Floats]]:
        """Return each comparison that the axis reports: level, what it is compared with, weights over the levels."""
        if self.reference is None:
            return [(level, MEAN, self.unit(level) - self.average) for level in self.levels]
        others = [level for level in self.levels if level != self.reference]
        return [(level, self.reference, self.unit(level) - self.unit(self.reference)) for level in others]


@dataclass(frozen=True, slots=True)
class Table:
    """Persons × items of one part of the data.

    Attributes
    ----------
    subset : str
        ``names``, ``pairs`` (noun phrases and pronouns), ``phrases`` (base phrases crossed with levels) or
        ``mentions`` (the same, of an axis that names carry too).
    axes : tuple of Axis
        The axes crossed here; cells are their levels' combinations, the last axis fastest.
    persons : tuple of str, length P
        Sorted by cell. The same name in two cells is two persons.
    cell : (P,) integer array
        Each person's cell, ascending.
    items : tuple of str, length J
        The items, sorted.
    rows : (P, J) integer array
        Where each entry's score stands; −1 where there is no row.
    bases : tuple of str, length U
        On pairs and phrases, what the persons are paired by (``mother_father``); empty on names.
    base : (P,) integer array
        Each person's base; −1 on names.
    facets : Facets
        What the items are made up of.
    notes : tuple of Note
        What a reader must know about this part.
    units, codes : (P,) and (J,) integer arrays
        Each person's unit and each item's position among those observed.
    families : tuple of Families
        Names that share a form, or noun phrases that share a meaning; all persons of a base have the same.
    signals : mapping of str to (P,) array
        By axis how strongly each name signals its group, NaN where that is not known; of axes of which the data say it.
    versions : bool
        Whether each entry is another person, so that a row of the table is one version of all items and no person.
    worded : str
        The axis whose levels words say, on phrases that are the same but for this word; empty on names and pairs.
    said : (L,) array of bool
        Whether a word says each level of this axis; a phrase without one may stand for a level, too.
    phrases : Phrases, optional
        Phrases with neutral words or further wordings, None without any.
    further : tuple of (P, J) arrays
        Where the scores of further wordings stand, like ``rows``; the score of a person is the mean of all.
    """

    subset: str
    axes: tuple[Axis, ...]
    persons: tuple[str, ...]
    cell: Ints
    items: tuple[str, ...]
    rows: Ints
    bases: tuple[str, ...]
    base: Ints
    facets: Facets
    notes: tuple[Note, ...] = ()
    units: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    codes: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    families: tuple[Families, ...] = ()
    signals: Mapping[str, Floats] = field(default_factory=dict)
    versions: bool = False
    worded: str = ""
    said: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    phrases: Phrases | None = None
    further: tuple[Ints, ...] = ()

    @property
    def paired(self) -> bool:
        """Return whether contrasts are taken within bases."""
        return bool(self.bases)

    @property
    def shape(self) -> tuple[int, ...]:
        """Levels per axis."""
        return tuple(len(axis.levels) for axis in self.axes)

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Levels of each cell, one per axis."""
        return list(product(*(axis.levels for axis in self.axes)))

    @property
    def counts(self) -> Ints:
        """Persons per cell."""
        return np.bincount(self.cell, minlength=len(self.cells))

    @property
    def holes(self) -> Bools:
        """Persons × items (P, J) of which there is no row."""
        return self.rows < 0

    def gather(self, scores: Numbers) -> Numbers:
        """Lay scores (…, n) of the data's rows out as (…, P, J): NaN, or −1 of classes, where there is no row."""
        values = np.take(scores, self.rows, axis=-1)
        if self.holes.any():
            values[..., self.holes] = np.nan if values.dtype.kind == "f" else -1
        if values.dtype.kind != "f" or not self.further:
            return values
        layers = np.stack([values, *(np.where(rows < 0, np.nan, np.take(scores, rows, -1)) for rows in self.further)])
        known = ~np.isnan(layers)
        with np.errstate(invalid="ignore", divide="ignore"):
            means: Numbers = np.where(known, layers, 0.0).sum(axis=0) / known.sum(axis=0)
        return means

    def on_items(self, items: Ints) -> "Table":
        """Return the table of some of the items."""
        phrases = self.phrases
        return replace(
            self,
            items=tuple(self.items[j] for j in items.tolist()),
            rows=self.rows[:, items],
            codes=self.codes[items],
            facets=only_items(self.facets, items),
            phrases=None if phrases is None else replace(phrases, rows=phrases.rows[:, items]),
            further=tuple(rows[:, items] for rows in self.further),
        )

    @property
    def one_term_each(self) -> bool:
        """Return whether one person, or one phrase, stands for each group on all items."""
        return not self.paired and not self.versions and bool((self.counts == 1).all())

    @property
    def neutral_words(self) -> tuple[str, ...]:
        """The neutral words in place of those for groups."""
        return () if self.phrases is None else tuple(self.phrases.words[word] for word in self.phrases.neutral)

    def by_level(self, weights: Floats) -> Floats:
        """Lay weights of cells (S, K) out as levels of the worded axis × combinations of the others, (S, L, G)."""
        (axis,) = self.axes_of([self.worded])
        by_axis = weights.reshape(len(weights), *self.shape)
        return np.moveaxis(by_axis, 1 + axis, 1).reshape(len(weights), self.shape[axis], -1)

    def within_bases(self, cells: Ints) -> Ints:
        """Positions of persons, (U, C): one row per base that has all C cells."""
        position = np.full((len(self.bases), len(self.cells)), -1, dtype=np.intp)
        position[self.base, self.cell] = np.arange(len(self.persons))
        persons = position[:, cells]
        return persons[(persons >= 0).all(axis=1)]

    def families_of(self, persons: Ints) -> tuple[Families, ...]:
        """Return the families of some persons, in the order given."""
        return tuple(Families(each.name, each.code[persons]) for each in self.families)

    @property
    def has_families(self) -> bool:
        """Return whether the test can use a partition: of names or, on pairs and phrases, of bases."""
        if not self.paired:
            return bool(usable(self.families, self.cell))
        first = np.unique(self.base, return_index=True)[1]
        return bool(usable(self.families_of(first), np.zeros(len(first), dtype=np.intp)))

    def axes_of(self, names: Sequence[str]) -> tuple[int, ...]:
        """Positions of some axes."""
        axis_names = [axis.name for axis in self.axes]
        return tuple(axis_names.index(name) for name in names)

    def strata(self, names: Sequence[str]) -> Ints:
        """Cells by the levels of the other axes than some, see `within_others`."""
        return within_others(self.shape, self.axes_of(names))


def within_others(shape: tuple[int, ...], chosen: Sequence[int]) -> Ints:
    """Cells by the levels of the axes outside a term: one row per combination of these, (H, Q).

    Parameters
    ----------
    shape : tuple of int
        Levels per axis.
    chosen : sequence of int
        The axes of the term.
    """
    grid = np.arange(int(np.prod(shape))).reshape(shape)
    width = int(np.prod([shape[axis] for axis in chosen]))
    return np.moveaxis(grid, chosen, range(len(shape) - len(chosen), len(shape))).reshape(-1, width)
