"""Contrasts and all that is said of them: the default test, and beside it what was asked for, each when it is read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.beta import BetaColumns, fit_table
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import Estimates, one_below_the_other, run_test, side_by_side
from eec_bias.stats.effect_sizes import superiority
from eec_bias.stats.emotions import EmotionItems, EmotionScores, deviations, each_alone, run_emotion_test
from eec_bias.stats.equal import without_reaction
from eec_bias.stats.facets import Facets
from eec_bias.stats.families import (
    Families,
    NameClusters,
    cluster_names,
    effective_families,
    most_of_one,
    usable,
)
from eec_bias.stats.incomplete import Holes, run_incomplete_emotion_test, run_incomplete_test
from eec_bias.stats.inference import Inference
from eec_bias.stats.layout import Table
from eec_bias.stats.omnibus import Group, any_p, correlate, find_groups
from eec_bias.stats.rounding import ZERO, first_largest, span_of
from eec_bias.stats.sums import Sums
from eec_bias.stats.units import UnitScores
from eec_bias.stats.words import WordSpread, add_words, describe

ONE_NOUN = "one noun"
"""Scarce facet of a test whose bases repeat one noun."""


@dataclass(frozen=True)
class Part:
    """Contrasts of the same cells.

    Attributes
    ----------
    sums : Sums
        Over the K cells.
    weights : (R, K) array
        Of the contrasts.
    sides : (K,) integer array
        Sentences that a unit of each cell (a person, a base) has on an item: more than one where it is a base.
    scores : UnitScores
        What each unit has on each item.
    families : tuple of Families
        Names that share a form, or bases that share a meaning.
    refused : str
        The column of families of which bases have fewer than two, so that nothing can be said beyond them; else empty.
    words : tuple of WordSpread
        How far its one contrast depends on the words that say groups; empty if no word enters it.
    described : bool
        Whether one word or one pair stands for a group, and nothing says how far others would differ.
    """

    sums: Sums
    weights: Floats
    sides: Ints
    scores: UnitScores
    families: tuple[Families, ...] = ()
    refused: str = ""
    words: tuple[WordSpread, ...] = ()
    described: bool = False

    @cached_property
    def clusters(self) -> NameClusters:
        """The units in their cells and families."""
        return cluster_names(self.sums.cell_of_person, self.families)

    def test(self, facets: Facets, scale: float) -> Estimates:
        """Run the default test; by least squares where scores are missing."""
        if not self.scores.has_holes:
            return self._finish(run_test(self.sums, self.weights, facets, scale, self.clusters))
        each = [run_incomplete_test(table, self.weights) for table in self._tables(facets, scale)]
        by_item = np.einsum("rk,skj->srj", self.weights, self.sums.item)
        return self._finish(one_below_the_other(each)._replace(by_item=by_item))

    def on_emotions(self, items: EmotionItems, scale: float) -> EmotionScores | list[Holes]:
        """Return what all tests between emotions take from the scores; system by system if some are missing."""
        if self.scores.has_holes:
            return self._tables(items.facets, scale)
        scores = self.scores
        if len(items.chosen) < self.sums.items:
            scores = scores.on_items(items.chosen)
        return EmotionScores(scores.values, self.clusters, items, runs=scores.runs)

    def test_emotions(
        self, scores: EmotionScores | list[Holes], coefficients: Floats, scale: float, *, centre: bool = True
    ) -> Estimates:
        """Test contrasts between emotions, R·Q rows for weights (Q, E) on the emotions."""
        if isinstance(scores, EmotionScores):
            estimates = run_emotion_test(scores, self.weights, coefficients, centre=centre, scale=scale)
        else:
            each = [run_incomplete_emotion_test(table, self.weights, coefficients, centre=centre) for table in scores]
            estimates = one_below_the_other(each)
        return self._finish(estimates, coefficients)

    def _finish(self, estimates: Estimates, coefficients: Floats | None = None) -> Estimates:
        """Add what words add, of contrasts between emotions by coefficients; without a standard error of one noun."""
        if self.described:
            return describe(estimates)
        for spread in self.words:
            of_words = spread.overall() if coefficients is None else spread.by_emotion(coefficients)
            estimates = add_words(estimates, of_words)
        if not self.refused:
            return estimates
        unknown = np.full(estimates.effect.shape, np.nan)
        scarce = np.full(estimates.effect.shape, ONE_NOUN, dtype=object)
        return estimates._replace(se=unknown, df=unknown, t=unknown, p=unknown, p_names_only=unknown, scarce=scarce)

    def _tables(self, facets: Facets, scale: float) -> list[Holes]:
        cell, within = self.sums.cell_of_person, self.scores.within_bases
        return [Holes(runs, cell, facets, self.families, within, scale) for runs in self.scores.by_system()]


@dataclass(frozen=True)
class Tested:
    """Contrasts that are tested, of one table or between two.

    Attributes
    ----------
    subset : str
        The table's; of two cues both, ``names-mentions``.
    contrasts : tuple of Contrast
        The R rows.
    parts : tuple of Part
        One at least; together they have the R rows.
    facets : Facets
        Of the items that all met.
    score_range : (float, float)
        Lowest and highest possible score.
    inference : Inference
        What is computed beside the default test.
    equal : (S, R) array of bool, optional
        Contrasts of equal scores; None where the scores themselves were not looked at.
    apart : (S, R) array, optional
        How far apart the raw scores compared are at most, as `equal.furthest_apart` gives it.
    """

    subset: str
    contrasts: tuple[Contrast, ...]
    parts: tuple[Part, ...]
    facets: Facets
    score_range: tuple[float, float]
    inference: Inference
    equal: Bools | None = field(default=None, kw_only=True)
    apart: Floats | None = field(default=None, kw_only=True)

    @cached_property
    def scale(self) -> float:
        """The unit of what counts as 0."""
        return span_of(self.score_range)

    @cached_property
    def estimates(self) -> Estimates:
        """The default test; arrays are (S, R)."""
        found = side_by_side([part.test(self.facets, self.scale) for part in self.parts])
        return found if self.equal is None else without_reaction(found, self.equal)

    @property
    def described(self) -> Bools:
        """Contrasts (R,) of which one word or one pair stands for a group, and others were not scored."""
        return np.array([part.described for part, _ in self.rows], dtype=bool)

    @property
    def worded(self) -> Bools:
        """Contrasts (R,) that words for groups enter, of which neutral words were scored."""
        return np.array([bool(part.words) for part, _ in self.rows], dtype=bool)

    @property
    def neutral_alike(self) -> Bools:
        """Contrasts (S, R) that a word enters, of which all neutral words have the same score."""
        return np.asarray(self.worded & (self.estimates.words <= (ZERO * self.scale) ** 2))

    @cached_property
    def effective_families(self) -> dict[str, Floats]:
        """By kind of family the effective number in the cell with the fewest, (R,); infinite where it is not used."""
        found: dict[str, list[float]] = {each.name: [] for part in self.parts for each in part.families}
        for part in self.parts:
            cell = part.sums.cell_of_person
            used = {each.name: each for each in usable(part.families, cell)}
            for name, numbers in found.items():
                fewest = float(effective_families(used[name], cell).min()) if name in used else np.inf
                numbers.extend([fewest] * len(part.weights))
        return {name: np.array(numbers) for name, numbers in found.items()}

    def unit_name(self, contrast: int, unit: int) -> str:  # noqa: ARG002  # other kinds of contrasts know their units
        """Name a unit of a contrast, a person or a base; empty where it has no name of its own."""
        return ""

    @property
    def emotions(self) -> tuple[str, ...]:
        """The emotions between which effects are compared; none where fewer than two can be."""
        return self.facets.emotions

    @cached_property
    def emotion_items(self) -> EmotionItems:
        """The items whose emotions are compared."""
        return EmotionItems(self.facets)

    @cached_property
    def against_other_emotions(self) -> Estimates:
        """Each emotion's effect minus the mean over emotions, (S, R·Q); of two emotions Q is 1."""
        return self._test_emotions(deviations(len(self.emotions)), centre=True)

    @cached_property
    def in_each_emotion(self) -> Estimates:
        """The effect on the sentences of each emotion, (S, R·E)."""
        return self._test_emotions(each_alone(len(self.emotions)), centre=False)

    @cached_property
    def _on_emotions(self) -> list[EmotionScores | list[Holes]]:
        """Of each part what both tests take, which is most of their work."""
        return [part.on_emotions(self.emotion_items, self.scale) for part in self.parts]

    def _test_emotions(self, coefficients: Floats, *, centre: bool) -> Estimates:
        pairs = zip(self.parts, self._on_emotions, strict=True)
        found = side_by_side(
            [part.test_emotions(scores, coefficients, self.scale, centre=centre) for part, scores in pairs]
        )
        if self.equal is None:
            return found
        return without_reaction(found, np.repeat(self.equal, len(self.emotions), axis=1))

    @property
    def rows(self) -> list[tuple[Part, Floats]]:
        """Of each contrast the part it belongs to, and its weights there."""
        return [(part, weights) for part in self.parts for weights in part.weights]

    @property
    def least_persons(self) -> tuple[int, ...]:
        """Per contrast the persons of the smallest cell, or the bases."""
        return tuple(int(part.sums.count[weights != 0].min()) for part, weights in self.rows)

    @cached_property
    def most_of_one(self) -> Floats:
        """Per contrast the share of the spread above which one unit is said to make it."""
        return np.array([most_of_one(weights, part.sums.count) for part, weights in self.rows])

    @cached_property
    def n_units(self) -> Ints:
        """Units of inference (persons, bases) with a score, (S, R)."""
        return self._count(UnitScores.count_units, sides=False)

    @cached_property
    def n_sentences(self) -> Ints:
        """Sentences with a score, (S, R)."""
        return self._count(UnitScores.count_scores, sides=True)

    def n_sentences_on(self, items: Bools) -> Ints:
        """Sentences with a score among those of some items, (S, R)."""
        return self._count(lambda scores: scores.count_scores(items), sides=True)

    def _count(self, number: Callable[[UnitScores], Ints], *, sides: bool) -> Ints:
        """Numbers of each contrast's units, (S, U), added up; times the sides that they have."""
        columns = []
        for part in self.parts:
            of_units = number(part.scores)
            for weights in part.weights:
                factor = np.where(weights != 0, part.sides if sides else 1, 0)[part.sums.cell_of_person]
                columns.append(of_units @ factor)
        systems = len(self.parts[0].sums.cell)
        return np.stack(columns, axis=1) if columns else np.zeros((systems, 0), dtype=np.intp)

    @property
    def items(self) -> int:
        """Items that all met."""
        return self.parts[0].sums.items

    @property
    def runs(self) -> Floats:
        """Runs of each system, (S,)."""
        return self.parts[0].sums.run_counts

    @cached_property
    def affected(self) -> Bools:
        """Items on which a contrast is not 0, (S, R, J)."""
        return np.asarray(np.abs(self.estimates.by_item) > ZERO * self.scale)

    @cached_property
    def persons_alike(self) -> Bools:
        """Systems (S,) known to give all persons of each cell the same mean score."""
        return np.zeros(len(self.runs), dtype=bool)


@dataclass(frozen=True)
class Analysis(Tested):
    """The contrasts of one table and their tests; here of cells whose persons are different, none of them empty.

    Attributes
    ----------
    table : Table
        The table analysed.
    sums : Sums
        Over the table's cells that have persons.
    notes : tuple of Note
        What could not be compared.
    persons : tuple of (U, C) integer arrays
        Of each contrast within bases the persons compared, one row per base; empty on names.
    scores : UnitScores
        Of the table's persons on its items.
    resolution : (S,) array
        How far apart scores of a system may be and still be equal.
    """

    table: Table
    sums: Sums
    notes: tuple[Note, ...]
    persons: tuple[Ints, ...]
    scores: UnitScores
    resolution: Floats

    @property
    def least_persons(self) -> tuple[int, ...]:
        """Per contrast the persons of the smallest cell; versions of items have one each."""
        return (self.items,) * len(self.contrasts) if self.table.versions else super().least_persons

    @cached_property
    def n_units(self) -> Ints:
        """Persons with a score, (S, R)."""
        if self.table.versions:
            return self.n_sentences
        return self._count(UnitScores.count_units, sides=False)

    def unit_name(self, contrast: int, unit: int) -> str:  # noqa: ARG002  # all contrasts have the same persons
        """Name a person."""
        return self.table.persons[unit]

    @property
    def weights(self) -> Floats:
        """The contrasts on the table's cells, (R, K)."""
        return np.array([contrast.weights for contrast in self.contrasts]).reshape(-1, len(self.table.cells))

    @cached_property
    def beta(self) -> BetaColumns:
        """The beta regression."""
        return fit_table(
            self.sums, self.table, self.contrasts, self.score_range, holes=self.scores.has_holes
        )  # fmt: skip

    @cached_property
    def persons_alike(self) -> Bools:
        """Systems (S,) that give all persons of each cell the same mean score."""
        return np.asarray((self.sums.spread <= (ZERO * self.scale) ** 2).all(axis=1))

    def superiority(self) -> Floats:
        """Probability of superiority within the cells of the other axes, (S, R); NaN for interactions."""
        shares = np.full(self.estimates.p.shape, np.nan)
        for r, contrast in enumerate(self.contrasts):
            if len(contrast.axes) == 1:
                shares[:, r] = self._superiority(r)
        return shares

    def _superiority(self, row: int) -> Floats:
        contrast = self.contrasts[row]
        cells = self.table.strata(contrast.axes)
        return superiority(self.sums.person, self.table.cell, contrast.weights, cells, self.scale)

    @cached_property
    def groups(self) -> list[Group]:
        """Terms with several levels, tested as a whole."""
        return find_groups(self.contrasts)

    def omnibus(self) -> tuple[Floats, Ints, Floats]:
        """Largest |t| of each group of rows, the row it belongs to, and its p from the rows' correlation; (S, G)."""
        shape = len(self.sums.cell), len(self.groups)
        t, largest, p = np.full(shape, np.nan), np.zeros(shape, dtype=np.intp), np.full(shape, np.nan)
        for g, group in enumerate(self.groups):
            rows = list(group.rows)
            size = np.abs(np.where(self.estimates.p[:, rows] >= 1, 0.0, self.estimates.t[:, rows]))
            complete = ~np.isnan(size).any(axis=1)
            largest[:, g] = np.array(rows)[np.where(complete, first_largest(size), 0)]
            t[complete, g] = size[complete].max(axis=1)
            p[:, g] = any_p(self.estimates.p[:, rows], self.correlation(rows))
        return t, largest, p

    def correlation(self, rows: list[int]) -> Floats:
        """Of some contrasts, (S, r, r)."""
        return correlate(self.sums, self.weights[rows], self.estimates.sentences[:, rows])

    def permutation(self) -> tuple[Floats, Floats]:
        """Return the exact p from changes of sign, of rows (S, R) and of groups (S, G); names have none."""
        systems = len(self.estimates.p)
        return np.full(self.estimates.p.shape, np.nan), np.full((systems, len(self.groups)), np.nan)
