"""Differences of a contrast between emotions: a stereotype that turns with the emotion, which the average hides.

Emotions are fixed, so what is tested is each emotion's contrast minus the mean over the emotions, with weights c on
the emotions' contrasts. What a person does to a whole template is no part of it: templates that hold every emotion
give each of them the same, so it is taken out before items, words and residuals are looked at.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.clustered import Clustering, number_combinations
from eec_bias.stats.default_test import Effects, Estimates, RunVariance, combine
from eec_bias.stats.facets import ITEMS, TEMPLATES, WORDS, Facets, FacetVariance, add_facets
from eec_bias.stats.families import NameClusters, name_variance
from eec_bias.stats.rounding import ZERO


def deviations(emotions: int) -> Floats:
    """Weights of each emotion against the mean of all, (E, E)."""
    return np.eye(emotions) - 1 / emotions


def each_alone(emotions: int) -> Floats:
    """Weights of each emotion by itself, (E, E)."""
    return np.eye(emotions)


@dataclass(frozen=True)
class EmotionItems:
    """The items that have a comparable emotion, J of them, and their clusters.

    Attributes
    ----------
    facets : Facets
        Of all items of the table.
    """

    facets: Facets

    @cached_property
    def chosen(self) -> Ints:
        """Positions of these items."""
        return np.flatnonzero(self.facets.emotion >= 0)

    @cached_property
    def emotion(self) -> Ints:
        """Each item's emotion, of E."""
        return self.facets.emotion[self.chosen]

    @cached_property
    def membership(self) -> Floats:
        """Return which items an emotion has, (J, E)."""
        return np.equal.outer(self.emotion, np.arange(len(self.facets.emotions))).astype(float)

    @cached_property
    def sizes(self) -> Floats:
        """Items per emotion, (E,)."""
        return np.asarray(self.membership.sum(axis=0))

    @cached_property
    def templates(self) -> Ints | None:
        """Each item's template, where it is known."""
        return self._codes(self.facets.template)

    @cached_property
    def words(self) -> Ints | None:
        """Each item's word, where it is known."""
        return self._codes(self.facets.word)

    @cached_property
    def cells(self) -> Ints:
        """Each item's combination of template and word; the item itself where one of the two is not known."""
        if self.templates is None or self.words is None:
            return np.arange(len(self.chosen), dtype=np.intp)
        return number_combinations(self.templates, self.words)

    @cached_property
    def above(self) -> list[tuple[str, Ints]]:
        """Templates and words, as far as they are coarser than the cells."""
        cells = int(self.cells.max(initial=-1)) + 1
        named = ((TEMPLATES, self.templates), (WORDS, self.words))
        return [(name, code) for name, code in named if code is not None and int(code.max()) + 1 < cells]

    @cached_property
    def full_templates(self) -> Ints:
        """Templates that hold every emotion, and so are centred; none where nothing would be left."""
        none = np.zeros(0, dtype=np.intp)
        if self.templates is None:
            return none
        held = np.zeros((int(self.templates.max()) + 1, len(self.sizes)), dtype=bool)
        held[self.templates, self.emotion] = True
        full = np.flatnonzero(held.all(axis=1))
        return full if len(full) >= FEWEST_CENTRED and self._left(len(full)) > 0 else none

    @cached_property
    def inflation(self) -> float:
        """Return what makes up for the degrees of freedom that centring takes."""
        if not len(self.full_templates):
            return 1.0
        return (len(self.chosen) - len(self.sizes)) / self._left(len(self.full_templates))

    def _left(self, centred: int) -> int:
        return len(self.chosen) - len(self.sizes) - centred + 1

    def centred(self, values: Floats, present: Floats | None = None) -> Floats:
        """Values (…, J) minus their mean over each full template, of those present."""
        if not len(self.full_templates):
            return values
        assert self.templates is not None
        member = np.equal.outer(self.templates, self.full_templates).astype(float)
        if present is None:
            means = (values @ member) / member.sum(axis=0)
            return np.asarray(values - means @ member.T)
        means = ((values * present) @ member) / np.maximum(present @ member, 1.0)
        return np.asarray((values - means @ member.T) * present)

    @cached_property
    def codes(self) -> dict[str, Ints]:
        """The clusters of items by their name: items, cells, and templates and words where these are coarser."""
        return {ITEMS: np.arange(len(self.chosen), dtype=np.intp), CELLS: self.cells, **dict(self.above)}

    @cached_property
    def clusterings(self) -> dict[str, Clustering]:
        """Clusters of items within emotions, by their name, where every item counts alike."""
        share = 1 / self.sizes[self.emotion]
        found = {name: Clustering(self.emotion, code, share, len(self.sizes)) for name, code in self.codes.items()}
        if found[CELLS].count == found[ITEMS].count:
            # Every item is a cell of its own, so what is known of the one is known of the other.
            found[CELLS] = found[ITEMS]
        return found

    def _codes(self, code: Ints | None) -> Ints | None:
        return None if code is None else number_combinations(code[self.chosen])


CELLS = "cells"
"""The name of the combinations of template and word among clusters."""

FEWEST_CENTRED = 2
"""With one template that holds every emotion there is nothing to centre by."""


@dataclass(frozen=True, eq=False)
class ItemScores:
    """Scores of persons without holes on the items that a test compares.

    Attributes
    ----------
    values : (S, P, J) array
        Scores, persons sorted by cell.
    clusters : NameClusters
        The persons in their K cells and families.
    runs : (S, N, P, J) array, optional
        Scores in each run; NaN for a run that a system does not have.
    """

    values: Floats
    clusters: NameClusters
    runs: Floats | None = field(default=None, kw_only=True)

    @cached_property
    def of_cell(self) -> Floats:
        """Means of each cell on each item, (S, K, J)."""
        return self.clusters.means(self.values)


@dataclass(frozen=True, eq=False)
class EmotionScores(ItemScores):
    """The numbers that all tests between emotions take from scores.

    Attributes
    ----------
    items : EmotionItems
        The items whose emotions are compared.
    """

    items: EmotionItems

    @cached_property
    def of_person(self) -> Floats:
        """Means of each person on each emotion, as distances from those of the cell, (S, P, E)."""
        by_emotion = self.items.membership / self.items.sizes
        return np.asarray(self.values @ by_emotion - (self.of_cell @ by_emotion)[:, self.clusters.cell])

    @cached_property
    def residual(self) -> Floats:
        """Scores minus person and item within each cell and emotion, over the items of the emotion, (S, P, J)."""
        residual = np.take(self.of_person, self.items.emotion, axis=2)
        np.subtract(self.values, residual, out=residual)
        for k, block in enumerate(np.split(residual, self.clusters.starts[1:], axis=1)):
            np.subtract(block, self.of_cell[:, k : k + 1], out=block)
        residual /= self.items.sizes[self.items.emotion]
        return residual

    @cached_property
    def centred_residual(self) -> Floats:
        """The residual without what a person does to a whole template, (S, P, J)."""
        return self.items.centred(self.residual)

    @cached_property
    def by_template(self) -> Floats:
        """Sums of squares and products over templates of the residual, which is not centred, (S, K, E, E)."""
        return self.items.clusterings[TEMPLATES].gram_by_block(self.residual, self.clusters.starts)


def run_emotion_test(
    scores: EmotionScores,
    weights: Floats,
    coefficients: Floats,
    *,
    centre: bool = True,
    scale: float = 1.0,
) -> Estimates:
    """Test contrasts of cells between emotions, on tables without holes.

    Parameters
    ----------
    scores : EmotionScores
        Of S systems, on J items whose emotions are compared.
    weights : (R, K) array
        Contrasts of the cells.
    coefficients : (Q, E) array
        Weights on the emotions.
    centre : bool
        Whether templates that hold every emotion are centred; not where weights do not add up to 0.
    scale : float
        Width of the score range, the unit of what counts as 0.

    Returns
    -------
    Estimates
        With R·Q rows, those of a contrast next to each other; without values by item.
    """
    items, clusters = scores.items, scores.clusters
    cell, count, starts = clusters.cell, clusters.count, clusters.starts
    tiny = ZERO * scale
    systems, rows = len(scores.values), len(weights) * len(coefficients)

    # Contrasts on each item, as distances from their mean in the emotion.
    by_item = np.einsum("rk,skj->srj", weights, scores.of_cell)
    mean = by_item @ (items.membership / items.sizes)
    off = by_item - mean[:, :, items.emotion]
    plain = off / items.sizes[items.emotion]
    centred = items.centred(plain) if centre else plain
    inflation = items.inflation if centre else 1.0

    of_names = np.einsum("rp,spe,qe->srqp", (weights / count)[:, cell], scores.of_person, coefficients)
    signs = np.repeat(np.sign(weights), len(coefficients), axis=0)
    names = name_variance(of_names.reshape(systems, rows, -1), clusters, signs, tiny)

    squares = (centred**2 / (1 - 1 / items.sizes[items.emotion])) @ items.membership
    root = np.sqrt(np.where(squares > tiny**2, squares, 0.0))[:, :, None, :] * coefficients

    def over(name: str, contrast: Floats, factor: float) -> FacetVariance:
        clustering = items.clusterings[name]
        variance, df = factor * clustering.variance(contrast, coefficients), clustering.degrees_of_freedom(root)
        return FacetVariance(name, variance.reshape(systems, rows), df.reshape(systems, rows))

    residual = scores.centred_residual if centre else scores.residual
    # Of a cell of one person nothing is left.
    share = weights**2 / (count * np.maximum(count - 1, 1))

    def by_names(gram: Floats, factor: float) -> Floats:
        """V_NF of every row."""
        of_cell = ((coefficients @ gram) * coefficients).sum(axis=-1)
        return np.asarray(factor * (share @ of_cell).reshape(systems, rows))

    above, crossed = [], []
    if items.above:
        in_cells = by_names(items.clusterings[CELLS].gram_by_block(residual, starts), inflation)
    for name, _ in items.above:
        # A template is centred away, so it alone is looked at as it is.
        if name == TEMPLATES:
            above.append(over(name, plain, 1.0))
            of_facet = by_names(scores.by_template, 1.0)
        else:
            above.append(over(name, centred, inflation))
            of_facet = by_names(items.clusterings[name].gram_by_block(residual, starts), inflation)
        crossed.append(np.maximum(of_facet - in_cells, 0.0))
    of_items = over(ITEMS, centred, inflation)
    of_cells = of_items
    if items.clusterings[CELLS] is not items.clusterings[ITEMS]:
        of_cells = over(CELLS, centred, inflation)
    sentences = add_facets(of_items, of_cells, above, crossed, tiny)

    by_cell = [np.einsum("spj,spj->sj", block, block) for block in np.split(residual, starts[1:], axis=1)]
    squared = np.stack(by_cell, axis=1) @ items.membership
    free = items.sizes / (items.sizes - 1)
    noise = inflation * (share @ ((squared * free) @ (coefficients**2).T))
    effect = np.einsum("sre,qe->srq", mean, coefficients).reshape(systems, rows)
    return combine(
        Effects(
            by_item=np.zeros((systems, rows, 0)),
            effect=effect,
            residual=noise.reshape(systems, rows),
            uniform=np.ones((systems, rows), dtype=bool),
            names=names,
            sentences=sentences,
            runs=None if scores.runs is None else _over_runs(scores, weights, coefficients),
            items=len(items.chosen),
        ),
        tiny,
    )


def _over_runs(scores: EmotionScores, weights: Floats, coefficients: Floats) -> RunVariance:
    """Variances of the contrasts over runs."""
    assert scores.runs is not None
    items, clusters, count = scores.items, scores.clusters, scores.clusters.count
    systems, rows = len(scores.runs), len(weights) * len(coefficients)
    y = scores.runs @ (items.membership / items.sizes)
    number = (~np.isnan(y).all(axis=(2, 3))).sum(axis=1).astype(float)[:, None]
    several = np.maximum(number - 1, 1)
    of_cell = clusters.means(y)
    effects = np.einsum("rk,snke,qe->srqn", weights, of_cell, coefficients).reshape(systems, rows, -1)
    off = effects - np.nanmean(effects, axis=2, keepdims=True)
    of_runs = np.nansum(off**2, axis=2) / (several * number)
    distance = y - of_cell[:, :, clusters.cell]
    distance = distance - np.nanmean(distance, axis=1, keepdims=True)
    moved = np.einsum("snpe,qe->snpq", distance, coefficients)
    squares = np.add.reduceat(np.nansum(moved**2, axis=1), clusters.starts, axis=1)
    share = weights**2 / (np.maximum(count - 1, 1) * count)
    of_names = np.einsum("rk,skq->srq", share, squares).reshape(systems, rows) / (several * number)
    return RunVariance(of_runs, of_names, number)


def joint_interval(estimates: Estimates, emotions: int, confidence: float) -> tuple[Floats, Floats]:
    """Ends of intervals that hold together over the rows of one contrast, (S, R·Q); Šidák's."""
    return estimates.interval(1 - sidak_level(1 - confidence, rows_that_count(emotions)))


def sidak_level(alpha: float, rows: int) -> float:
    """The level of each of some rows at which they hold alpha together."""
    return float(-np.expm1(np.log1p(-alpha) / rows))


def rows_that_count(emotions: int) -> int:
    """Return how many rows E emotions give: two are one contrast."""
    return 1 if emotions == 2 else emotions


def sidak(p: Floats, rows: int | Floats) -> Floats:
    """Adjust p for some rows: 1 − (1 − p)^rows."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(rows * np.log1p(-p)))
