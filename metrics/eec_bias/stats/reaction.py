"""Reaction: how far feelings move the scores about one group, and about another.

The reaction A to a group is its mean score on positive emotions minus that on negative ones, Σ c ȳ over emotions. What
is tested is δ, the difference of the groups' reactions as a share of their mean: δ = Σ w A / Ā with Ā = Σ a A. By the
delta method its variance is that of a contrast whose weights on the cells are ω = (w − δ a)/Ā. They do not add up to 0:
words differ in strength, which counts as soon as the groups react differently.

Items whose word has another form for another group (*enojada*, *enojado*) are a class of their own, as emotions are: a
system may hear one of two forms. So a stratum is an emotion in one of two classes, if each class has enough items.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.clustered import Clustering, number_combinations, sum_by
from eec_bias.stats.default_test import Effects, Estimates, RunVariance, combine
from eec_bias.stats.emotions import CELLS, ItemScores
from eec_bias.stats.facets import ITEMS, TEMPLATES, WORDS, Facets, FacetVariance, add_facets
from eec_bias.stats.families import NameClusters, name_variance
from eec_bias.stats.rounding import ZERO

FEWEST_ITEMS = 2
"""An emotion with fewer items says nothing about others."""

FEWEST_IN_CLASS = 2
"""An emotion needs so many words and templates in each class."""

FEWEST_BLOCKS = 2
"""With one template that holds every emotion there is nothing to centre by."""


@dataclass(frozen=True, eq=False)
class ReactionItems:
    """The items of positive and negative emotions, J of them in H strata.

    Attributes
    ----------
    facets : Facets
        Of all items of the table.
    signs : mapping of str to int
        By emotion 1 if it is positive, and −1 if it is negative; others take no part.
    agrees : (n,) array of bool
        Items whose word has another form for another group.
    only : bool, optional
        Keep the items that agree, or those that do not.
    """

    facets: Facets
    signs: Mapping[str, int]
    agrees: Bools
    only: bool | None = None

    @cached_property
    def emotions(self) -> tuple[str, ...]:
        """The emotions that take part."""
        return tuple(emotion for emotion in self.facets.emotions if self.signs.get(emotion))

    @cached_property
    def chosen(self) -> Ints:
        """Positions of these items."""
        part = [k for k, emotion in enumerate(self.facets.emotions) if emotion in self.emotions]
        taken = np.isin(self.facets.emotion, part)
        return np.flatnonzero(taken if self.only is None else taken & (self.agrees == self.only))

    @cached_property
    def emotion(self) -> Ints:
        """Each item's emotion, of E."""
        position = {self.facets.emotions.index(emotion): k for k, emotion in enumerate(self.emotions)}
        return np.array([position[code] for code in self.facets.emotion[self.chosen].tolist()], dtype=np.intp)

    @cached_property
    def counts(self) -> Ints:
        """Items of each emotion, (E,)."""
        return np.bincount(self.emotion, minlength=len(self.emotions))

    @property
    def can_be_tested(self) -> bool:
        """Return whether there are positive and negative emotions, each with two items or more."""
        sides = {self.signs[emotion] for emotion in self.emotions}
        lone = any(self.signs.get(emotion) for emotion in self.facets.lone_emotions)
        return len(sides) == 2 and not lone and bool((self.counts >= FEWEST_ITEMS).all())

    @cached_property
    def coefficients(self) -> Floats:
        """Weights on the emotions, (E,): 1 over the positive ones, −1 over the negative ones."""
        sign = np.array([self.signs[emotion] for emotion in self.emotions], dtype=float)
        return np.asarray(np.where(sign > 0, 1 / max((sign > 0).sum(), 1), -1 / max((sign < 0).sum(), 1)))

    @cached_property
    def share(self) -> Floats:
        """Return what an item counts in the reaction, (J,)."""
        return (self.coefficients / self.counts)[self.emotion]

    @cached_property
    def uses_classes(self) -> bool:
        """Return whether items that agree are strata of their own: two words and templates in each class."""
        template, word = self.facets.template, self.facets.word
        agrees = self.agrees[self.chosen]
        if template is None or word is None or agrees.all() or not agrees.any():
            return False
        for emotion in range(len(self.emotions)):
            for of_class in (agrees, ~agrees):
                items = self.chosen[(self.emotion == emotion) & of_class]
                if min(len(np.unique(word[items])), len(np.unique(template[items]))) < FEWEST_IN_CLASS:
                    return False
        return True

    @cached_property
    def of_class(self) -> Ints:
        """Each item's class: 1 if it agrees, where the classes are used, and 0 else."""
        return (self.agrees[self.chosen] & self.uses_classes).astype(np.intp)

    @cached_property
    def stratum(self) -> Ints:
        """Each item's stratum, an emotion in a class."""
        return self.emotion * (1 + self.uses_classes) + self.of_class

    @cached_property
    def strata(self) -> int:
        """Return how many strata there are."""
        return len(self.emotions) * (1 + self.uses_classes)

    @cached_property
    def strata_signs(self) -> Floats:
        """1 for the strata of positive emotions, −1 for the others, (H,)."""
        signs = np.zeros(self.strata)
        signs[self.stratum] = np.sign(self.share)
        return signs

    @cached_property
    def sizes(self) -> Floats:
        """Items of each stratum, (H,)."""
        return np.bincount(self.stratum, minlength=self.strata).astype(float)

    @cached_property
    def templates(self) -> Ints | None:
        """Each item's template, where it is known."""
        return self._codes(self.facets.template)

    @cached_property
    def words(self) -> Ints | None:
        """Each item's word, where it is known."""
        return self._codes(self.facets.word)

    @cached_property
    def codes(self) -> dict[str, Ints]:
        """Clusters of items by their name: items, cells of template and word, and what is coarser than these."""
        alone = np.arange(len(self.chosen), dtype=np.intp)
        if self.templates is None or self.words is None:
            cells = alone
        else:
            cells = number_combinations(self.templates, self.words)
        found = {ITEMS: alone, CELLS: cells}
        for name, code in ((TEMPLATES, self.templates), (WORDS, self.words)):
            if code is not None and int(code.max()) < int(cells.max()):
                found[name] = code
        return found

    @cached_property
    def clusterings(self) -> dict[str, Clustering]:
        """These clusters within strata; a template or a word may lie in several."""
        share = 1 / self.sizes[self.stratum]
        found = {name: Clustering(self.stratum, code, share, self.strata) for name, code in self.codes.items()}
        if found[CELLS].count == found[ITEMS].count:
            found[CELLS] = found[ITEMS]
        return found

    @cached_property
    def block(self) -> Ints:
        """Return what each item is centred by: its template in its class if that has every emotion, else its class."""
        classes = 1 + int(self.of_class.max(initial=0))
        block = self.of_class.copy()
        if self.templates is None:
            return block
        of_template = classes + number_combinations(self.templates, self.of_class)
        held = np.zeros((int(of_template.max()) + 1, len(self.emotions)), dtype=bool)
        held[of_template, self.emotion] = True
        full = np.asarray(held.all(axis=1))[of_template]
        for each in range(classes):
            inside = full & (self.of_class == each)
            if len(np.unique(of_template[inside])) >= FEWEST_BLOCKS:
                block[inside] = of_template[inside]
        left = self._free - self._centred(block)
        return block if left > 0 else self.of_class

    @cached_property
    def inflation(self) -> float:
        """Make up for the degrees of freedom that centring takes."""
        return self._free / (self._free - self._centred(self.block))

    @property
    def _free(self) -> int:
        return len(self.chosen) - self.strata

    def _centred(self, block: Ints) -> int:
        """Return how many degrees of freedom centring by blocks takes."""
        classes = 1 + int(self.of_class.max(initial=0))
        number = [len(np.unique(block[(self.of_class == each) & (block >= classes)])) for each in range(classes)]
        return sum(max(count - 1, 0) for count in number)

    def centred(self, values: Floats) -> Floats:
        """Return values (…, J) minus the mean of what they are centred by, an item outside the blocks by its class."""
        classes = 1 + int(self.of_class.max(initial=0))
        # The mean of a class is that of all its items, also of those in blocks.
        means = _means(values, self.of_class, classes)[..., self.of_class]
        inside = self.block >= classes
        if not inside.any():
            return values
        code = np.unique(self.block, return_inverse=True)[1].reshape(-1)
        return np.asarray(values - np.where(inside, _means(values, code, int(code.max()) + 1)[..., code], means))

    def scores(self, values: Floats) -> Floats:
        """Return what items add to the reaction: values (…, J) off the mean of their stratum, times their share."""
        off = values - _means(values, self.stratum, self.strata)[..., self.stratum]
        off *= self.share
        return np.asarray(off)

    @cached_property
    def maps(self) -> dict[str, Floats]:
        """By facet a matrix (J, G): squares of values (…, J) times it add up to their variance over its clusters."""
        items = np.eye(len(self.chosen))
        whole = self.scores(items)
        centred = self.scores(self.centred(items)) * np.sqrt(self.inflation) if self.inflation > 1 else whole
        return {
            name: self.clusterings[name].cluster_sums(whole if name == TEMPLATES else centred) for name in self.codes
        }

    def means(self, values: Floats, *, agrees: bool | None = None) -> Floats:
        """Return the mean of values (…, J) on each emotion, (…, E); of the items of one class, if it is given."""
        here = np.ones(len(self.chosen), dtype=bool) if agrees is None else self.agrees[self.chosen] == agrees
        return _means(values[..., here], self.emotion[here], len(self.emotions))

    def _codes(self, code: Ints | None) -> Ints | None:
        return None if code is None else number_combinations(code[self.chosen])


def _means(values: Floats, code: Ints, groups: int) -> Floats:
    """Return means of values (…, J) by their codes, (…, G)."""
    return np.asarray(sum_by(values, code, groups) / np.bincount(code, minlength=groups))


@dataclass(frozen=True, eq=False)
class ReactionScores(ItemScores):
    """The numbers that all tests of reactions take from scores.

    Attributes
    ----------
    items : ReactionItems
        The items of positive and negative emotions.
    """

    items: ReactionItems

    @cached_property
    def of_person(self) -> Floats:
        """The reaction to each person, (S, P)."""
        return np.asarray(self.values @ self.items.share)

    @cached_property
    def reaction(self) -> Floats:
        """The reaction to each cell, (S, K)."""
        return np.asarray(self.of_cell @ self.items.share)

    @cached_property
    def by_names(self) -> tuple[dict[str, Floats], Floats]:
        """V_F of what persons do on their own, by facet, and V_E, of contrasts with weight 1 on a cell, (S, K)."""
        items, clusters = self.items, self.clusters
        pairs = np.where(clusters.count > 1, clusters.count * (clusters.count - 1), np.inf)

        def of_cell(name: str) -> Floats:
            moved = self.values @ items.maps[name]
            clusters.centre(moved)
            squares = np.einsum("spg,spg->sp", moved, moved)
            return np.add.reduceat(squares, clusters.starts, axis=1) / pairs

        found = {name: of_cell(name) for name in items.codes if name != ITEMS}
        own = found[CELLS] if items.clusterings[CELLS] is items.clusterings[ITEMS] else of_cell(ITEMS)
        return found, own


def run_reaction_test(scores: ReactionScores, weights: Floats, effect: Floats, scale: float = 1.0) -> Estimates:
    """Test contrasts of the reactions to the cells.

    Parameters
    ----------
    scores : ReactionScores
        Of S systems.
    weights : (S, R, K) array
        Weights on the cells, of each system its own; they need not add up to 0.
    effect : (S, R) array
        What is tested: the contrasts, or numbers that vary as they do.
    scale : float
        The unit of what counts as 0.

    Returns
    -------
    Estimates
        Without values by item. ``df`` and ``p`` are also given where the scarcest facet has very few clusters.
    """
    items, clusters = scores.items, scores.clusters
    tiny = ZERO * scale
    off = scores.of_person - scores.reaction[:, clusters.cell]
    of_names = (weights / clusters.count)[:, :, clusters.cell] * off[:, None, :]
    names = name_variance(of_names, clusters, np.sign(weights), tiny)
    by_item = weights @ scores.of_cell
    whole = items.scores(by_item)
    centred = items.scores(items.centred(by_item)) if items.inflation > 1 else whole

    def root_of(own: Floats) -> Floats:
        squares = sum_by(own**2, items.stratum, items.strata) / (1 - 1 / items.sizes)
        return np.asarray(items.strata_signs * np.sqrt(np.where(squares > tiny**2, squares, 0.0)))

    as_it_is = whole, 1.0, root_of(whole)
    without_blocks = as_it_is
    if items.inflation > 1:
        without_blocks = centred, items.inflation, root_of(centred)

    def over(name: str) -> FacetVariance:
        own, factor, root = as_it_is if name == TEMPLATES else without_blocks
        clustering = items.clusterings[name]
        return FacetVariance(name, factor * clustering.variance(own), clustering.degrees_of_freedom(root))

    alone, noise = scores.by_names
    squared = weights**2

    def by_names(of_cell: Floats) -> Floats:
        return np.asarray((squared @ of_cell[:, :, None])[:, :, 0])

    above = [over(name) for name in (TEMPLATES, WORDS) if name in items.codes]
    crossed = [np.maximum(by_names(alone[facet.name] - alone[CELLS]), 0.0) for facet in above]
    of_items = over(ITEMS)
    of_cells = of_items if items.clusterings[CELLS] is items.clusterings[ITEMS] else over(CELLS)
    effects = Effects(
        by_item=np.zeros((*effect.shape, 0)),
        effect=effect,
        residual=by_names(noise),
        uniform=np.ones(effect.shape, dtype=bool),
        names=names,
        sentences=add_facets(of_items, of_cells, above, crossed, tiny),
        runs=None if scores.runs is None else _over_runs(scores, weights),
        items=len(items.chosen),
    )
    return combine(effects, tiny, fewest_df=0)


def _over_runs(scores: ReactionScores, weights: Floats) -> RunVariance:
    """Variances of contrasts of reactions over runs, and what names × runs alone would give."""
    assert scores.runs is not None
    clusters = scores.clusters
    y = scores.runs @ scores.items.share
    number = (~np.isnan(y).all(axis=2)).sum(axis=1).astype(float)[:, None]
    several = np.maximum(number - 1, 1)
    of_cell = np.add.reduceat(y, clusters.starts, axis=2) / clusters.count
    effects = weights @ of_cell.transpose(0, 2, 1)
    off = effects - np.nanmean(effects, axis=2, keepdims=True)
    of_runs = np.nansum(off**2, axis=2) / (several * number)
    distance = y - of_cell[:, :, clusters.cell]
    distance = distance - np.nanmean(distance, axis=1, keepdims=True)
    squares = np.add.reduceat(np.nansum(distance**2, axis=1), clusters.starts, axis=1)
    share = weights**2 / (np.maximum(clusters.count - 1, 1) * clusters.count)
    of_names = (share @ squares[:, :, None])[:, :, 0] / (several * number)
    return RunVariance(of_runs, of_names, number)


class Reactions(NamedTuple):
    """Differences of reactions; arrays inside are (S, R) for S systems and R contrasts.

    Attributes
    ----------
    share : Estimates
        δ, as a share of the mean reaction.
    average : Estimates
        Ā, the mean reaction itself.
    points : Estimates
        The difference in the units of the scores.
    by_item : (S, R, J) array
        The contrast of the scores on each item.
    """

    share: Estimates
    average: Estimates
    points: Estimates
    by_item: Floats


def average_weights(weights: Floats) -> Floats:
    """Return weights of the mean of the cells that contrasts (R, K) compare: each counts alike."""
    compared = (weights != 0).astype(float)
    return np.asarray(compared / compared.sum(axis=1, keepdims=True))


def compare_reactions(scores: ReactionScores, weights: Floats, scale: float) -> Reactions:
    """Compare the reactions to the cells of independent samples.

    Parameters
    ----------
    scores : ReactionScores
        Of S systems.
    weights : (R, K) array
        The contrasts.
    scale : float
        The unit of what counts as 0 among scores.
    """
    average = average_weights(weights)
    difference, mean = scores.reaction @ weights.T, scores.reaction @ average.T
    share, omega = _linearised(difference, mean, weights, average)
    alike = [np.broadcast_to(each, omega.shape) for each in (average, weights)]
    # A share counts as 0 by itself, and not in the unit of the scores.
    stacked = np.concatenate([omega * scale, *alike], axis=1)
    tested = run_reaction_test(scores, stacked, np.concatenate([share * scale, mean, difference], axis=1), scale)
    rows = len(weights)
    parts = [Estimates._make(each[:, k * rows : (k + 1) * rows] for each in tested) for k in range(3)]
    return Reactions(_as_share(parts[0], scale), parts[1], parts[2], weights @ scores.of_cell)


def compare_within_bases(
    sides: Floats, runs: Floats | None, weights: Floats, clusters: NameClusters, items: ReactionItems, scale: float
) -> Reactions:
    """Compare the reactions to the sides of bases.

    Parameters
    ----------
    sides : (S, U, C, J) array
        Scores of the C sides of each base.
    runs : (S, N, U, C, J) array, optional
        Scores in each run.
    weights : (C,) array
        Of the sides in the one contrast.
    clusters : NameClusters
        The bases as one cell, and in their families.
    items : ReactionItems
        The items.
    scale : float
        The unit of what counts as 0 among scores.
    """
    systems = len(sides)
    average = average_weights(weights[None])[0]
    reaction = sides.mean(axis=1) @ items.share
    difference, mean = reaction @ weights[:, None], reaction @ average[:, None]
    share, omega = _linearised(difference, mean, weights[None], average[None])
    alike = [np.broadcast_to(each, (systems, len(weights))) for each in (average, weights)]
    stacked = np.stack([omega[:, 0] * scale, *alike])
    # Each of the three has its own scores within bases, so they are tested as three sets of systems.
    values = np.einsum("ksc,sucj->ksuj", stacked, sides).reshape(-1, sides.shape[1], sides.shape[3])
    of_runs = None
    if runs is not None:
        of_runs = np.einsum("ksc,snucj->ksnuj", stacked, runs).reshape(-1, *runs.shape[1:3], runs.shape[4])
    effect = np.concatenate([share * scale, mean, difference])
    scores = ReactionScores(values, clusters, items, runs=of_runs)
    tested = run_reaction_test(scores, np.ones((len(values), 1, 1)), effect, scale)
    parts = [Estimates._make(each[k * systems : (k + 1) * systems] for each in tested) for k in range(3)]
    by_item = np.einsum("c,sucj->sj", weights, sides)[:, None] / sides.shape[1]
    return Reactions(_as_share(parts[0], scale), parts[1], parts[2], by_item)


def _as_share(tested: Estimates, scale: float) -> Estimates:
    """Return the test of a share that was tested in the unit of the scores."""
    return tested._replace(effect=tested.effect / scale, se=tested.se / scale)


def _linearised(difference: Floats, mean: Floats, weights: Floats, average: Floats) -> tuple[Floats, Floats]:
    """Return δ (S, R) and the weights ω (S, R, K) of the contrast that varies as it does; 0 where Ā is 0."""
    known = np.where(mean == 0, 1.0, mean)
    share = np.where(mean == 0, 0.0, difference / known)
    omega = (weights - share[:, :, None] * average) / known[:, :, None]
    return share, np.where((mean == 0)[:, :, None], 0.0, omega)


def ratio_of(share: Floats, *, against_mean: bool) -> Floats:
    """Return the ratio of reactions that differ by these shares of their mean; infinite if the other reaction is 0."""
    if against_mean:
        return 1 + share
    left = np.where(share < 2, 2 - share, 1.0)
    return np.where(share < 2, (2 + share) / left, np.inf)


def ratio_from(share: float, *, against_mean: bool) -> float | None:
    """Return the ratio of two reactions by the difference as a share of their mean; None if it has no limit."""
    if against_mean:
        return 1 + share
    return (2 + share) / (2 - share) if share < 2 else None


def smallest_ratio(share: Floats, *, against_mean: bool) -> Floats:
    """Return the ratio below 1 of reactions that differ by these shares of their mean; NaN if there is none."""
    if against_mean:
        return np.where(share < 1, 1 - share, np.nan)
    return np.where(share < 2, (2 - share) / (2 + share), np.nan)
