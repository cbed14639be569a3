"""Slopes of scores on how strongly a name signals its group, within each group.

That two groups of names differ may come of what else their names carry. If a system reacts to the group, then among
the names of one group it reacts more to those that signal the group more strongly (Gaddis 2017). The slope of the
scores on the signal is taken over the names of a group, within its cells, and is a weighted sum of scores as a contrast
is: with x̃ the centred signal over its sum of squares it is Σ x̃ ȳ over names, and Σ x̃ y on each item. So it has the
variances of the default test, with x̃ in the place of w/m, residuals of the regression in the place of distances from
the cell's mean, and leverages 1/m + x̃²·Σ(x − x̄)². Over names and families it is CR2 of this regression with the
degrees of freedom of Bell & McCaffrey (2002), for a working model in which names of a family correlate by one half.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.clustered import BATCH, WORKING_CORRELATION, find_traces, sum_by
from eec_bias.stats.default_test import Effects, Estimates, RunVariance, combine
from eec_bias.stats.facets import Facets, sentence_variance
from eec_bias.stats.families import (
    BY_CHANCE,
    FEWEST_FAMILIES,
    MOST_OF_ONE,
    Families,
    NamesAlone,
    NameVariance,
    combine_partitions,
    intersection,
)
from eec_bias.stats.rounding import ZERO, exceeds, first_largest

STEP = 0.1
"""The slope is told for so much more of the signal: for a probability ten percentage points."""

FEWEST_NAMES = 5
"""So many more names than cells are needed for a slope."""

NO_SPREAD = 1e-9
"""Signals closer together than this are the same."""


@dataclass(frozen=True)
class SignalDesign:
    """The names of a group that have a signal.

    Attributes
    ----------
    cell : (P,) integer array
        Each name's cell, numbered from 0 without gaps.
    signal : (P,) array
        How strongly each signals the group.
    families : tuple of Families
        Names that share a form.
    """

    cell: Ints
    signal: Floats
    families: tuple[Families, ...] = ()

    @cached_property
    def centred(self) -> Floats:
        """The signal as its distance from the cell's mean."""
        count = np.bincount(self.cell)
        return self.signal - (np.bincount(self.cell, self.signal) / count)[self.cell]

    @cached_property
    def squares(self) -> float:
        """The sum of squares of these."""
        return float((self.centred**2).sum())

    @property
    def is_estimable(self) -> bool:
        """Return whether there are enough names, and they differ in their signal."""
        enough = len(self.cell) - len(np.unique(self.cell)) >= FEWEST_NAMES
        return enough and bool(np.ptp(self.centred) > NO_SPREAD)

    @cached_property
    def weights(self) -> Floats:
        """Return what each name's score counts in the slope, for a step of the signal."""
        return STEP * self.centred / self.squares

    @cached_property
    def basis(self) -> Floats:
        """Orthonormal columns (P, r) of the cells and the signal; with their transpose they make scores fitted ones."""
        count = np.bincount(self.cell)
        of_cell = np.equal.outer(self.cell, np.arange(len(count))) / np.sqrt(count)
        return np.column_stack([of_cell, self.centred / np.sqrt(self.squares)])

    def residuals(self, scores: Floats) -> Floats:
        """Return scores (…, P) minus those fitted."""
        return np.asarray(scores - (scores @ self.basis) @ self.basis.T)

    @cached_property
    def leverage(self) -> Floats:
        """Each name's own share of its fitted score."""
        return np.asarray((self.basis**2).sum(axis=1))

    @cached_property
    def most_of_one(self) -> float:
        """The share of the spread above which one name is said to make it, see `families.most_of_one`.

        Names far from the middle of the signal count more, so what the furthest of normal names has is drawn.
        """
        names, rng, shares = len(self.cell), np.random.default_rng(0), []
        weights, step = self.cluster_weights(np.arange(names)), max(BATCH // names, 1)
        for start in range(0, DRAWS, step):
            drawn = rng.standard_normal((min(step, DRAWS - start), names))
            squares = (self.residuals(drawn) * weights) ** 2
            shares.append(squares.max(axis=1) / squares.sum(axis=1))
        return max(MOST_OF_ONE, float(np.quantile(np.concatenate(shares), 1 - BY_CHANCE)))

    def usable_families(self) -> list[Families]:
        """The partitions with shared families, of which at least two count for the slope."""
        share = self.weights**2
        used = []
        for each in self.families:
            size = np.bincount(each.code, share)
            if each.says_something and not exceeds(FEWEST_FAMILIES * (size**2).sum(), size.sum() ** 2):
                used.append(each)
        return used

    def cluster_weights(self, code: Ints) -> Floats:
        """Return what the residual of each name counts in its cluster's part of the slope: x̃ (1 − H_gg)^−½, (P,)."""
        left = 1 - self.leverage
        # A name that is alone needs no matrix of its cluster.
        weights = np.where(left > FREE, self.weights / np.sqrt(np.where(left > FREE, left, 1.0)), 0.0)
        for cluster in np.flatnonzero(np.bincount(code) > 1).tolist():
            own = np.flatnonzero(code == cluster)
            # Only in the directions of the basis is the root of 1 − H_gg not 1.
            vectors, values, _ = np.linalg.svd(self.basis[own], full_matrices=False)
            free = 1 - values**2
            root = np.where(free > FREE, 1 / np.sqrt(np.where(free > FREE, free, 1.0)), 0.0)
            weights[own] = self.weights[own] + vectors @ ((root - 1) * (vectors.T @ self.weights[own]))
        return weights

    def over_clusters(self, residual: Floats, code: Ints, correlation: float) -> tuple[Floats, float]:
        """Variance of the slope over clusters (S,), from residuals (S, P); and its degrees of freedom.

        Parameters
        ----------
        residual : (S, P) array
            Mean scores of names minus those fitted.
        code : (P,) integer array
            Each name's cluster, of G.
        correlation : float
            Of the names of a cluster, in the working model.
        """
        weights, count = self.cluster_weights(code), int(code.max()) + 1

        def add_up(values: Floats) -> Floats:
            return sum_by(values, code, count)

        variance = (add_up(residual * weights) ** 2).sum(axis=1)
        # M′D(1 − H)DM of what names have alone, and L L′ of what clusters share, with L = M′D(1 − H)M: M are the
        # clusters, D the weights, and H is the basis times its transpose.
        pulled, common = add_up((self.basis * weights[:, None]).T).T, add_up(self.basis.T).T
        moved = add_up(weights)
        diagonal = (1 - correlation) * add_up(weights**2) + correlation * moved**2
        together = moved[:, None] * common
        inner = correlation * (pulled @ (common.T @ common) - together) - (1 - correlation) * pulled
        left, right = np.hstack([together, pulled]), np.hstack([-correlation * pulled, inner])
        ((trace,), (square,)) = find_traces(diagonal[None], left[None], right[None])
        return variance, float(trace) ** 2 / float(square) if square > 0 else np.nan


DRAWS = 4000
"""Of normal names, to see what share of the spread the furthest of them has."""

FREE = 1e-9
"""A direction in which a cluster has less freedom than this is fitted exactly, and says nothing."""


def run_signal_test(
    values: Floats, design: SignalDesign, facets: Facets, runs: Floats | None = None, scale: float = 1.0
) -> Estimates:
    """Test the slope of scores on the signal of names.

    Parameters
    ----------
    values : (S, P, J) array
        Scores of the names of one group.
    design : SignalDesign
        Of these names.
    facets : Facets
        Of the J items.
    runs : (S, P, N) array, optional
        Mean scores in each run; NaN for a run that a system does not have.
    scale : float
        Width of the score range, the unit of what counts as 0.

    Returns
    -------
    Estimates
        With one row: the change of the score with a `STEP` of the signal.
    """
    tiny = ZERO * scale
    items = values.shape[2]
    by_item = np.einsum("p,spj->sj", design.weights, values)[:, None, :]
    residual = np.moveaxis(design.residuals(np.moveaxis(values, 1, 2)), 2, 1)
    of_person = residual.mean(axis=2)
    within = residual - of_person[:, :, None]
    # Each name's square stands for its own variance, as leverage takes its part of the residual.
    share = np.where(design.leverage < 1 - FREE, design.weights**2 / np.maximum(1 - design.leverage, FREE), 0.0)
    noise = np.zeros(len(values))
    crossed = []
    if items > 1:
        noise = (within**2).sum(axis=2) @ share / (items * (items - 1))
        crossed = [np.maximum(excess @ share, 0.0)[:, None] for excess in facets.beyond_cells(within)]
    effects = Effects(
        by_item=by_item,
        effect=by_item.mean(axis=2),
        residual=noise[:, None],
        uniform=np.ptp(by_item, axis=2) <= tiny,
        names=_name_variance(design, of_person, tiny),
        sentences=sentence_variance(by_item, facets, tiny, crossed),
        runs=None if runs is None else _run_variance(design, runs, share),
        items=items,
    )
    return combine(effects, tiny)


def _name_variance(design: SignalDesign, residual: Floats, tiny: float) -> NameVariance:
    """Variance over names and their families."""

    def over(code: Ints) -> tuple[Floats, Floats]:
        variance, df = design.over_clusters(residual, code, WORKING_CORRELATION)
        return np.where(variance > tiny**2, variance, 0.0)[:, None], np.full((len(residual), 1), df)

    each = np.arange(len(design.cell))
    squares = (residual * design.cluster_weights(each)) ** 2
    alone, df = design.over_clusters(residual, each, 0.0)
    largest = np.where(alone > tiny**2, squares.max(axis=1) / np.where(alone > 0, alone, 1.0), 0.0)
    names = NamesAlone(
        variance=alone[:, None],
        df=np.where(alone > tiny**2, df, np.inf)[:, None],
        largest=largest[:, None],
        furthest=first_largest(squares)[:, None],
    )
    used = tuple(design.usable_families())
    return combine_partitions(names, used, intersection(used), over)


def _run_variance(design: SignalDesign, runs: Floats, share: Floats) -> RunVariance:
    """Variances of the slope over runs (S, P, N), and what names × runs alone would put there."""
    number = (~np.isnan(runs).all(axis=1)).sum(axis=1).astype(float)[:, None]
    several = np.maximum(number - 1, 1)
    slopes = np.einsum("p,spn->sn", design.weights, runs)
    off = slopes - np.nanmean(slopes, axis=1, keepdims=True)
    of_runs = np.nansum(off**2, axis=1)[:, None] / (several * number)
    residual = np.moveaxis(design.residuals(np.moveaxis(runs, 1, 2)), 2, 1)
    moved = residual - np.nanmean(residual, axis=2, keepdims=True)
    of_names = (np.nansum(moved**2, axis=2) @ share)[:, None] / (several * number)
    return RunVariance(of_runs, of_names, number)


def names_of_group(cells: Bools, cell: Ints, signal: Floats) -> Ints:
    """Positions of the names of some cells that have a signal, without those that are alone in their cell."""
    known = cells[cell] & ~np.isnan(signal)
    count = np.bincount(cell[known], minlength=len(cells))
    return np.flatnonzero(known & (count[cell] > 1))
