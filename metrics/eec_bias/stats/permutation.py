"""Permutation of names: studentised, within the cells of the other axes, main effects removed for interactions.

Under the null of a term the names of a stratum (one combination of the levels of the axes outside the term) are
exchangeable between the levels of the term. For an interaction that holds only once the lower-order effects are
removed: person means are moved so that of the cells' differences only the interaction remains (raw labels would
reject nothing under a strong main effect). The statistic is Welch's t over person means, the one behind
``p_names_only``; studentised, the test stays at its level also where the cells' variances differ (Janssen 1997).
Items are held fixed: the p-value is a statement about these sentences.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from eec_bias.grouping import grouped
from eec_bias.options import Floats, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import Estimates, welch_df
from eec_bias.stats.layout import Table
from eec_bias.stats.rounding import ZERO
from eec_bias.stats.sums import Sums

Labels = NDArray[np.uint16]

_ENTRIES = 4_000_000
"""Numbers held at a time while counting: bounds the memory."""

_SYSTEMS = 32

_TIE = 1 - 1e-9
"""A relabelling that restores the data gives the same t up to rounding."""


class Stratum(NamedTuple):
    """Persons that are exchanged with each other.

    Attributes
    ----------
    persons : (n,) integer array
        Their positions, cell by cell.
    cells : (Q,) integer array
        The cells they come from.
    sizes : tuple of int
        Persons per cell.
    """

    persons: Ints
    cells: Ints
    sizes: tuple[int, ...]


def find_strata(cell: Ints, cells: Ints) -> list[Stratum]:
    """Split persons, whose cells are given, into strata: the rows of cells (H, Q), see `layout.within_others`."""
    strata = []
    for stratum_cells in cells:
        groups = [np.flatnonzero(cell == k) for k in stratum_cells]
        strata.append(Stratum(np.concatenate(groups), stratum_cells, tuple(len(group) for group in groups)))
    return strata


@lru_cache(maxsize=64)
def relabellings(sizes: tuple[int, ...], draws: int, seed: int, stream: int = 0) -> Labels:
    """Draw random assignments of persons to the cells of one stratum.

    Parameters
    ----------
    sizes : tuple of int
        Persons per cell.
    draws, seed : int
        How many relabellings, and the seed; every system on a corpus sees the same draws, so they are kept.
    stream : int
        Sets the draws of one stratum apart from those of another of the same sizes.

    Returns
    -------
    (draws, n) array
        Per draw the cell, 0 … Q − 1, of each of the n persons; read-only.
    """
    rng = np.random.default_rng([seed, stream])
    start = np.repeat(np.arange(len(sizes), dtype=np.uint16), sizes)
    labels = rng.permuted(np.tile(start, (draws, 1)), axis=1)
    labels.flags.writeable = False
    return labels


def remove_lower(sums: Sums, shape: tuple[int, ...], chosen: Sequence[int]) -> Floats:
    """Move person means so that of the cells' differences only those of one term remain.

    Parameters
    ----------
    sums : Sums
        Over all cells of ``shape``, in C order.
    shape : tuple of int
        Levels per axis.
    chosen : sequence of int
        The axes of the term.

    Returns
    -------
    (S, P) array
        Person mean − cell mean + the term's part of the cell mean within its stratum.
    """
    part = sums.cell.reshape(len(sums.cell), *shape)
    for axis in chosen:
        part = part - part.mean(axis=axis + 1, keepdims=True)
    return np.asarray(sums.person - (sums.cell - part.reshape(sums.cell.shape))[:, sums.cell_of_person])


def permute(
    sums: Sums,
    table: Table,
    contrasts: Sequence[Contrast],
    groups: Sequence[Sequence[int]],
    estimates: Estimates,
    draws: int,
    seed: int,
    scale: float = 1.0,
) -> tuple[Floats, Floats]:
    """Permutation p of every contrast, and of every group of contrasts as a whole.

    Parameters
    ----------
    sums : Sums
        Person means over K cells, none empty.
    table : Table
        The cells.
    contrasts : sequence of Contrast, length R
        The rows.
    groups : sequence of sequences of int
        Rows of the same axes whose smallest p, on Welch's degrees of freedom, is tested: the largest |t| where
        these are equal.
    estimates : Estimates
        The observed effects and their variance over persons.
    draws, seed : int
        Relabellings to draw.
    scale : float
        Width of the score range, the unit of what counts as 0.

    Returns
    -------
    (S, R) and (S, G) arrays
        p = (1 + relabellings with |t| at least as large) / (1 + draws); NaN where persons do not differ though
        groups do, 1 where neither does.
    """
    t = observed_t(estimates, scale)
    above, above_any = np.ones(t.shape), np.ones((len(t), len(groups)))
    for axes, rows in grouped((contrast.axes, r) for r, contrast in enumerate(contrasts)).items():
        chosen = table.axes_of(axes)
        values = remove_lower(sums, table.shape, chosen)
        strata = find_strata(table.cell, table.strata(axes))
        weights = np.array([contrasts[r].weights for r in rows])
        rows_by_group = {g: [rows.index(r) for r in group] for g, group in enumerate(groups) if group[0] in rows}
        for part, drawn, parts in _relabelled(values, strata, weights, draws, seed, scale):
            above[part, rows] += (np.abs(drawn) >= np.abs(t[part][:, None, rows]) * _TIE).sum(axis=1)
            for g, members in rows_by_group.items():
                least = estimates.p_names_only[part][:, list(groups[g])].min(axis=1)[:, None]
                smallest = _welch_p(drawn[:, :, members], parts[:, :, members], sums.count).min(axis=2)
                above_any[part, g] += (smallest <= least / _TIE).sum(axis=1)
    unknown = np.isnan(t)
    above[unknown] = np.nan
    for g, group in enumerate(groups):
        above_any[unknown[:, list(group)].any(axis=1), g] = np.nan
    return above / (1 + draws), above_any / (1 + draws)


def joint_min_p(sums: Sums, weights: Floats, p: Floats, draws: int, seed: int, scale: float = 1.0) -> Floats:
    """Adjust p-values for all contrasts looked at: the smallest p of relabellings without any effect.

    Each person mean loses its cell's mean, so that every null is true; relabelling the persons over all cells keeps
    how the contrasts depend on each other. On the scale of p rows with different degrees of freedom compare:
    the single-step method of Westfall & Young (1993), max-T where they are equal.

    Parameters
    ----------
    sums, draws, seed, scale
        As for `permute`.
    weights : (R, K) array
        The contrasts.
    p : (S, R) array
        p-values to adjust, NaN where there is no test.

    Returns
    -------
    (S, R) array
        Never below ``p``; NaN where that is.
    """
    cell = sums.cell_of_person
    whole = find_strata(cell, np.arange(weights.shape[1])[None])
    values = sums.person - sums.cell[:, cell]
    below = np.ones(p.shape)
    for part, t, parts in _relabelled(values, whole, weights, draws, seed, scale):
        least = _welch_p(t, parts, sums.count).min(axis=2)
        below[part] += (least[:, :, None] <= p[part][:, None, :] / _TIE).sum(axis=1)
    return np.where(np.isnan(p), np.nan, np.maximum(below / (1 + draws), p))


def observed_t(estimates: Estimates, scale: float) -> Floats:
    """Welch's t over person means, (S, R): 0 where nothing differs, NaN where groups differ and persons do not."""
    t = _studentise(estimates.effect, estimates.names, scale)
    return np.where(np.isinf(t), np.nan, t)


def _welch_p(t: Floats, parts: Floats, count: Floats) -> Floats:
    """Two-sided p of t whose squared standard error is the sum of the cells' parts (…, K)."""
    p = 2 * stdtr(welch_df(parts, count), -np.abs(t))
    return np.where(t == 0, 1.0, np.where(np.isinf(t), 0.0, p))


def _studentise(effect: Floats, variance: Floats, scale: float) -> Floats:
    tiny = ZERO * scale
    with np.errstate(divide="ignore", invalid="ignore"):
        t = effect / np.sqrt(variance)
    return np.where(variance <= tiny**2, np.where(np.abs(effect) <= tiny, 0.0, np.inf), t)


def _relabelled(
    values: Floats, strata: Sequence[Stratum], weights: Floats, draws: int, seed: int, scale: float
) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield t (s, b, R) and the cells' shares of its squared standard error (s, b, R, K), a part of all at a time."""
    labels = [relabellings(stratum.sizes, draws, seed, h) for h, stratum in enumerate(strata)]
    widest = max(*(len(s.cells) * len(s.persons) for s in strata), weights.size * min(len(values), _SYSTEMS))
    step = max(1, _ENTRIES // widest)
    for first in range(0, len(values), _SYSTEMS):
        part = slice(first, min(first + _SYSTEMS, len(values)))
        for start in range(0, draws, step):
            drawn = [stratum_labels[start : start + step] for stratum_labels in labels]
            effect, parts = _contrast(values[part], strata, drawn, weights)
            yield part, _studentise(effect, parts.sum(axis=-1), scale), parts


def _contrast(
    values: Floats, strata: Sequence[Stratum], labels: Sequence[Labels], weights: Floats
) -> tuple[Floats, Floats]:
    """Contrasts of relabelled cells (s, b, R), and the cells' parts of their squared standard errors (s, b, R, K)."""
    shape = (len(values), len(labels[0]), len(weights))
    effect, parts = np.zeros(shape), np.zeros((*shape, weights.shape[1]))
    for stratum, drawn in zip(strata, labels, strict=True):
        own, sizes, own_weights = values[:, stratum.persons], np.array(stratum.sizes, float), weights[:, stratum.cells]
        chosen = (drawn[:, None, :] == np.arange(len(sizes), dtype=drawn.dtype)[:, None]).astype(float)
        sums = chosen.reshape(-1, own.shape[1]) @ np.concatenate([own, own**2]).T
        total, squares = sums.reshape(len(drawn), len(sizes), 2, len(values)).transpose(2, 3, 0, 1)
        spread = np.maximum(squares - total * (total / sizes), 0.0) / ((sizes - 1) * sizes)
        effect += (total / sizes) @ own_weights.T
        parts[:, :, :, stratum.cells] = spread[:, :, None, :] * own_weights**2
    return effect, parts
