"""Exact permutation of names between two levels, all relabellings counted by meet-in-the-middle.

The statistic is the difference itself, not studentised: a sum over strata, so the sums of one half of the strata
can be sorted and searched for each sum of the other. Two strata of ten and ten names have 184,756² relabellings,
which takes about a tenth of a second.
"""

from dataclasses import dataclass
from math import comb, prod

import numpy as np

from eec_bias.options import Floats, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.permutation import Stratum
from eec_bias.stats.two_way import ZERO

LIMIT = 4_000_000
"""Sums kept per half of the strata."""


@dataclass(frozen=True, slots=True)
class Exact:
    """Exact p of one contrast.

    Attributes
    ----------
    p : (S,) array
        Share of relabellings with a difference at least as large; NaN where there is a reason.
    reason : str
        Why relabellings were not enumerated; empty where they were.
    """

    p: Floats
    reason: str = ""


def exact_p(person: Floats, cell: Ints, contrast: Contrast, strata: list[Stratum], scale: float = 1.0) -> Exact:
    """Enumerate the relabellings of a difference between two levels, within the cells of the other axes.

    Parameters
    ----------
    person : (S, P) array
        Person means.
    cell : (P,) integer array
        Each person's cell.
    contrast : Contrast
        Of one axis, with at most two cells weighed in every stratum, by opposite weights.
    strata : list of Stratum
        From `permuting.strata_of`.
    scale : float
        Width of the score range, the unit of what counts as equal.
    """
    none = np.full(len(person), np.nan)
    pairs = _pairs(contrast, strata)
    if pairs is None:
        return Exact(
            none, "exact relabelling is for differences between two levels; permutations=9999 serves every row"
        )
    sizes = [(int((cell == a).sum()), int((cell == b).sum())) for a, b, _ in pairs]
    halves = _split([comb(a + b, a) for a, b in sizes])
    if max(prod(comb(sum(sizes[i]), sizes[i][0]) for i in half) for half in halves) > LIMIT:
        total = prod(comb(a + b, a) for a, b in sizes)
        return Exact(none, f"{total:.2g} relabellings are too many to enumerate; give permutations=9999")
    return Exact(np.array([_count(row, cell, pairs, halves, scale) for row in person]))


def _pairs(contrast: Contrast, strata: list[Stratum]) -> list[tuple[int, int, float]] | None:
    """Per stratum weighed, the two cells compared and their weight; None where it is not a difference of two."""
    found = []
    for stratum in strata:
        weights = contrast.weights[stratum.cells]
        active = np.flatnonzero(np.abs(weights) > 1e-12)
        if not active.size:
            continue
        if len(contrast.axes) > 1 or active.size != 2 or abs(weights[active].sum()) > 1e-12:
            return None
        first, second = (active[0], active[1]) if weights[active[0]] > 0 else (active[1], active[0])
        found.append((int(stratum.cells[first]), int(stratum.cells[second]), float(weights[first])))
    return found


def _split(counts: list[int]) -> tuple[list[int], list[int]]:
    """Divide strata into two halves of about equally many relabellings."""
    halves: tuple[list[int], list[int]] = ([], [])
    sizes = [1, 1]
    for i in sorted(range(len(counts)), key=lambda i: -counts[i]):
        smaller = int(sizes[1] < sizes[0])
        halves[smaller].append(i)
        sizes[smaller] *= counts[i]
    return halves


def _count(
    person: Floats,
    cell: Ints,
    pairs: list[tuple[int, int, float]],
    halves: tuple[list[int], list[int]],
    scale: float,
) -> float:
    """Share of all relabellings with a difference at least as large as that observed."""
    observed, sums = 0.0, []
    for half in halves:
        whole = np.zeros(1)
        for i in half:
            first, second, weight = pairs[i]
            a, b = person[cell == first], person[cell == second]
            observed += weight * float(a.mean() - b.mean())
            own = weight * _differences(np.concatenate([a, b]), len(a))
            whole = np.add.outer(whole, own).ravel()
        sums.append(whole)
    outer, inner = sorted(sums, key=len)
    edge = abs(observed) - ZERO * scale
    # Searching in order runs through memory once; in no order it misses the cache at every step.
    outer, inner = np.sort(outer), np.sort(inner)
    high = len(inner) - np.searchsorted(inner, edge - outer, side="left")
    low = np.searchsorted(inner, -edge - outer, side="right")
    both = np.minimum(high + low, len(inner))
    return float(both.sum() / (len(outer) * len(inner)))


def _differences(values: Floats, chosen: int) -> Floats:
    """Mean of the chosen minus mean of the rest, for every choice of so many of the values."""
    n = len(values)
    # Centring keeps sums as exact as the differences are.
    values = values - values.mean()
    sums: list[Floats] = [np.zeros(1)] + [np.zeros(0)] * chosen
    for i, value in enumerate(values):
        least = max(0, chosen - (n - i - 1))
        for size in range(min(chosen, i + 1), max(least, 1) - 1, -1):
            sums[size] = np.concatenate([sums[size], sums[size - 1] + value])
    return np.asarray(sums[chosen] * (1 / chosen + 1 / (n - chosen)))
