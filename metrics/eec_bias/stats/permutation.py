"""Permutation of names: studentised, within the cells of the other axes, main effects removed for interactions.

Under the null of a term the names of a stratum (one combination of the levels of the axes outside the term) are
exchangeable between the levels of the term. For an interaction that holds only once the lower-order effects are
removed: person means are moved so that of the cells' differences only the interaction remains (raw labels would
reject nothing under a strong main effect). The statistic is Welch's t over person means, the one behind
``p_names_only``; studentised, the test stays at its level also where the cells' variances differ (Janssen 1997).
Items are held fixed: the p-value is a statement about these sentences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from eec_bias.options import Floats, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import within_others
from eec_bias.stats.resampling import Labels, relabellings
from eec_bias.stats.sums import Sums
from eec_bias.stats.two_way import ZERO, Tested

_ENTRIES = 4_000_000
"""Numbers held at a time while counting: bounds the memory."""

_SYSTEMS = 32

_TIE = 1 - 1e-9
"""A relabelling that restores the data gives the same t up to rounding."""


@dataclass(frozen=True, slots=True)
class Stratum:
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


def strata_of(cell: Ints, shape: tuple[int, ...], chosen: tuple[int, ...]) -> list[Stratum]:
    """Split persons into strata: one per combination of the levels of the axes outside a term.

    Parameters
    ----------
    cell : (P,) integer array
        Each person's cell, ascending, in C order over ``shape``.
    shape : tuple of int
        Levels per axis.
    chosen : tuple of int
        The axes of the term.
    """
    found = []
    for cells in within_others(shape, chosen):
        groups = [np.flatnonzero(cell == k) for k in cells]
        found.append(Stratum(np.concatenate(groups), cells, tuple(len(group) for group in groups)))
    return found


def remove_lower(means: Sums, cell: Ints, shape: tuple[int, ...], chosen: tuple[int, ...]) -> Floats:
    """Move person means so that of the cells' differences only those of one term remain.

    Parameters
    ----------
    means : Sums
        Over all cells of ``shape``.
    cell, shape, chosen
        As for `strata_of`.

    Returns
    -------
    (S, P) array
        Person mean − cell mean + the term's part of the cell mean within its stratum.
    """
    part = means.cell.reshape(len(means.cell), *shape)
    for axis in chosen:
        part = part - part.mean(axis=axis + 1, keepdims=True)
    return np.asarray(means.person - (means.cell - part.reshape(means.cell.shape))[:, cell])


def permute(
    means: Sums,
    cell: Ints,
    shape: tuple[int, ...],
    contrasts: Sequence[tuple[tuple[int, ...], Contrast]],
    groups: Sequence[Sequence[int]],
    tested: Tested,
    draws: int,
    seed: int,
    scale: float = 1.0,
) -> tuple[Floats, Floats]:
    """Permutation p of every contrast, and of every group of contrasts as a whole.

    Parameters
    ----------
    means : Sums
        Person means over K cells, none empty.
    cell : (P,) integer array
        Each person's cell.
    shape : tuple of int
        Levels per axis.
    contrasts : sequence of (tuple of int, Contrast), length R
        The positions of a contrast's axes, and the contrast.
    groups : sequence of sequences of int
        Rows of the same axes whose smallest p, on Welch's degrees of freedom, is tested: the largest |t| where
        these are equal.
    tested : Tested
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
    systems = len(means.cell)
    t = observed_t(tested, scale)
    above, above_any = np.zeros(t.shape), np.zeros((systems, len(groups)))
    least = [tested.p_names_only[:, list(group)].min(axis=1) for group in groups]
    for axes in dict.fromkeys(axes for axes, _ in contrasts):
        rows = [r for r, (own, _) in enumerate(contrasts) if own == axes]
        own_groups = [(g, [rows.index(r) for r in group]) for g, group in enumerate(groups) if group[0] in rows]
        values = remove_lower(means, cell, shape, axes)
        weights = np.array([contrasts[r][1].weights for r in rows])
        for part, effect, parts in _relabelled(values, strata_of(cell, shape, axes), weights, draws, seed):
            drawn = _studentise(effect, sum_cells(parts), scale)
            above[part, rows] += (np.abs(drawn) >= np.abs(t[part][:, None, rows]) * _TIE).sum(axis=1)
            for g, members in own_groups:
                found = _welch_p(drawn[:, :, members], parts[:, :, members], means.count).min(axis=2)
                above_any[part, g] += (found <= least[g][part][:, None] / _TIE).sum(axis=1)
    p = (1 + above) / (1 + draws)
    p[np.isnan(t)] = np.nan
    p_any = (1 + above_any) / (1 + draws)
    for g, group in enumerate(groups):
        p_any[np.isnan(t[:, list(group)]).any(axis=1), g] = np.nan
    return p, p_any


def joint_min_p(
    means: Sums, cell: Ints, weights: Floats, p: Floats, draws: int, seed: int, scale: float = 1.0
) -> Floats:
    """Adjust p-values for all contrasts looked at: the smallest p of relabellings without any effect.

    Each person mean loses its cell's mean, so that every null is true; relabelling the persons over all cells keeps
    how the contrasts depend on each other. On the scale of p rows with different degrees of freedom compare:
    the single-step method of Westfall & Young (1993), max-T where they are equal.

    Parameters
    ----------
    means, cell, draws, seed, scale
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
    cells = weights.shape[1]
    whole = strata_of(cell, (cells,), (0,))
    values = means.person - means.cell[:, cell]
    below = np.zeros(p.shape)
    for part, effect, parts in _relabelled(values, whole, weights, draws, seed):
        t = _studentise(effect, sum_cells(parts), scale)
        least = _welch_p(t, parts, means.count).min(axis=2)
        below[part] += (least[:, :, None] <= p[part][:, None, :] / _TIE).sum(axis=1)
    adjusted = np.maximum((1 + below) / (1 + draws), p)
    return np.where(np.isnan(p), np.nan, adjusted)


def observed_t(tested: Tested, scale: float) -> Floats:
    """Welch's t over person means, (S, R): 0 where nothing differs, NaN where groups differ and persons do not."""
    t = _studentise(tested.effect, tested.person_variance, scale)
    return np.where(np.isinf(t), np.nan, t)


def sum_cells(parts: Floats) -> Floats:
    """Sum the cells' shares of a variance."""
    return np.asarray(parts.sum(axis=-1))


def _welch_p(t: Floats, parts: Floats, count: Floats) -> Floats:
    """Two-sided p of t whose squared standard error is the sum of the cells' parts (…, K)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        df = sum_cells(parts) ** 2 / sum_cells(parts**2 / (count - 1))
    return np.where(t == 0, 1.0, np.where(np.isinf(t), 0.0, 2 * stdtr(df, -np.abs(t))))


def _studentise(effect: Floats, variance: Floats, scale: float) -> Floats:
    tiny = ZERO * scale
    with np.errstate(divide="ignore", invalid="ignore"):
        t = effect / np.sqrt(variance)
    gone = variance <= tiny**2
    return np.where(gone, np.where(np.abs(effect) <= tiny, 0.0, np.inf), t)


def _relabelled(
    values: Floats, strata: Sequence[Stratum], weights: Floats, draws: int, seed: int
) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield effects (s, b, R) and the cells' shares of their variances (s, b, R, K), a part of all at a time."""
    labels = [relabellings(stratum.sizes, draws, seed, h) for h, stratum in enumerate(strata)]
    widest = max(*(len(s.cells) * len(s.persons) for s in strata), weights.size * min(len(values), _SYSTEMS))
    step = max(1, _ENTRIES // widest)
    for first in range(0, len(values), _SYSTEMS):
        part = slice(first, min(first + _SYSTEMS, len(values)))
        for start in range(0, draws, step):
            chunk = [each[start : start + step] for each in labels]
            yield part, *_contrast(values[part], strata, chunk, weights)


def _contrast(
    values: Floats, strata: Sequence[Stratum], labels: Sequence[Labels], weights: Floats
) -> tuple[Floats, Floats]:
    shape = (len(values), len(labels[0]), len(weights))
    effect, parts = np.zeros(shape), np.zeros((*shape, weights.shape[1]))
    for stratum, drawn in zip(strata, labels, strict=True):
        mean, spread = _cell_moments(values[:, stratum.persons], drawn, np.array(stratum.sizes, dtype=float))
        own = weights[:, stratum.cells]
        effect += mean @ own.T
        parts[:, :, :, stratum.cells] = spread[:, :, None, :] * own**2
    return effect, parts


def _cell_moments(values: Floats, labels: Labels, sizes: Floats) -> tuple[Floats, Floats]:
    """Sums of relabelled cells and their squared standard errors, both (s, b, Q)."""
    systems, n = values.shape
    chosen = (labels[:, None, :] == np.arange(len(sizes), dtype=labels.dtype)[:, None]).astype(float)
    sums = chosen.reshape(-1, n) @ np.concatenate([values, values**2]).T
    both = sums.reshape(len(labels), len(sizes), 2, systems).transpose(2, 3, 0, 1)
    mean = both[0] / sizes
    spread = np.maximum(both[1] - both[0] * mean, 0.0) / ((sizes - 1) * sizes)
    return mean, spread
