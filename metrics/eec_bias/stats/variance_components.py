"""Variance of scores within groups: between persons, between items, between groups on a facet, and the rest.

Components are found by equating quadratic forms with what they estimate (Henderson's method): on each of K − 1
orthonormal contrasts of the cells, the variance over templates, words and items that the default test takes is a sum
of the components of groups × templates, groups × words, groups × items and of the residual, with known factors.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import helmert

from eec_bias.options import Floats
from eec_bias.stats.default_test import run_variance
from eec_bias.stats.facets import ITEMS, TEMPLATES, WORDS, Clusters, Facets
from eec_bias.stats.rounding import ZERO
from eec_bias.stats.sums import Sums

PERSONS, RESIDUAL, RUNS = "persons", "residual", "runs"

EMOTIONS = "groups × emotions"
"""Variance of groups between emotions, which are fixed: it is described, and no part of any error."""

SOURCES = (PERSONS, ITEMS, *(f"groups × {name}" for name in (TEMPLATES, WORDS, ITEMS, RUNS)), EMOTIONS, RESIDUAL)
"""All there can be."""


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components of S systems, in squared units of the scores; never below 0.

    Attributes
    ----------
    sources : tuple of str, length C
        ``persons`` of a cell, ``items``, ``groups × templates`` and ``groups × words`` where these can be told,
        ``groups × items``, ``groups × runs`` where a system has several, ``groups × emotions`` where these can be
        compared, and ``residual`` (persons × items).
    variance : (S, C) array
        Of each.
    """

    sources: tuple[str, ...]
    variance: Floats

    @property
    def share(self) -> Floats:
        """Shares of the total, (S, C); NaN where nothing varies."""
        total = self.variance.sum(axis=1, keepdims=True)
        return np.where(total > 0, self.variance / np.where(total > 0, total, 1.0), np.nan)


def components(sums: Sums, facets: Facets, scale: float = 1.0) -> Components:
    """Estimate variance components.

    y = cell + person + item + cell × template + cell × word + cell × item + residual, all but the cells random, and
    how cells differ between emotions fixed. Cells of one person say nothing about persons; they count for items. Where
    all are such, or there is one item, the components cannot be told apart and are NaN. Negative estimates are 0.

    Parameters
    ----------
    sums : Sums
        Over the cells of a table.
    facets : Facets
        Of its items.
    scale : float
        Width of the score range: a component below (1e-12 of it)², or 1e-12 of the largest, is made of rounding errors,
        and 0.
    """
    cells, items = sums.item.shape[1:]
    free = np.maximum(sums.count - 1, 0.0)
    several = free > 0
    weight = np.where(several, free, 0.0) / max(float(free.sum()), 1.0)
    square = np.where(several, sums.residual * sums.count * items, 0.0)
    residual = square @ weight
    persons = np.where(several, sums.spread, 0.0) @ weight - residual / items
    noise = residual * (1 / sums.count).mean()
    levels = (*(clusters for clusters in facets.above if clusters.used.any()), facets.cells)
    # On orthonormal contrasts of the cells the variance over each level is a sum of components, with known factors.
    by_item = np.einsum("ck,skj->scj", helmert(cells), sums.item)
    forms = np.stack([level.variance(by_item).mean(axis=1) for level in levels], axis=1)
    expected = np.array([[_expected(form, level) for level in levels] for form in levels]) / items**2
    traces = np.array([level.sizes[level.used].sum() for level in levels]) / items**2
    of_groups = np.maximum((np.linalg.pinv(expected) @ (forms - noise[:, None] * traces).T).T, 0.0)
    grand = (sums.item - sums.cell[:, :, None]).mean(axis=1)
    of_items = (grand**2).sum(axis=1) / max(items - 1, 1) - (of_groups.sum(axis=1) + noise) / cells
    by_source = {PERSONS: persons, ITEMS: of_items}
    by_source |= {f"groups × {level.name}": of_groups[:, k] for k, level in enumerate(levels)}
    if sums.runs is not None and sums.run_counts.max() > 1:
        of_runs, both, _ = run_variance(sums, helmert(cells))
        by_source[f"groups × {RUNS}"] = (of_runs - both).mean(axis=1) * sums.run_counts
    if facets.emotions:
        by_source[EMOTIONS] = _between_emotions(by_item, facets)
    by_source[RESIDUAL] = residual
    parts = np.stack(list(by_source.values()), axis=1)
    # A component is a difference of forms, whose rounding errors grow with the largest of them.
    rounding = np.maximum((ZERO * scale) ** 2, ZERO * np.abs(parts).max(axis=1, keepdims=True))
    told = np.where(parts > rounding, parts, 0.0)
    return Components(tuple(by_source), told if several.any() and items > 1 else np.full_like(told, np.nan))


def _between_emotions(by_item: Floats, facets: Facets) -> Floats:
    """Variance of contrasts (S, C, J) between means of emotions, beyond what words and items make of it, (S,)."""
    words = [clusters for clusters in facets.above if clusters.name == WORDS] or [facets.cells]
    members = [np.flatnonzero(facets.emotion == k) for k in range(len(facets.emotions))]
    sizes = np.array([len(items) for items in members], dtype=float)
    share = sizes / sizes.sum()
    means = np.stack([by_item[:, :, items].mean(axis=2) for items in members], axis=2)
    between = ((means - (means @ share)[:, :, None]) ** 2) @ share
    noise = np.zeros_like(between)
    for k, items in enumerate(members):
        code = np.unique(words[0].code[items], return_inverse=True)[1]
        own = Clusters(words[0].name, code.astype(np.intp), np.zeros(len(items), dtype=np.intp))
        noise += share[k] * (1 - share[k]) * own.variance(by_item[:, :, items])
    return np.asarray(np.maximum(between - noise, 0.0).mean(axis=1))


def _expected(form: Clusters, level: Clusters) -> float:
    """J² times what the variance over clusters is, on average, where each cluster of a level has an effect of sd 1."""
    size, strata, home = form.sizes, form.strata_sizes, form.home
    used = form.used
    share = np.where(used, size / strata[home], 0.0)
    if form is level:
        squares = np.bincount(home, size**2)[home]
        squared = size**2 * (1 - share) ** 2 + share**2 * (squares - size**2)
    else:
        overlap = np.bincount(form.code * level.count + level.code, minlength=form.count * level.count)
        overlap = overlap.reshape(form.count, level.count).astype(float)
        within = np.zeros((len(strata), level.count))
        np.add.at(within, home, overlap)
        squared = ((overlap - share[:, None] * within[home]) ** 2).sum(axis=1)
    return float((np.where(used, squared, 0.0) / (1 - share)).sum())
