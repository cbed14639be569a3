"""The members of a set as the solution of an integer program: the best names that keep every bound of a rule.

Cells are matched by design (cardinality matching; Zubizarreta, Paredes & Rosenbaum 2014): of all choices that keep the
bounds on means, families and endings, the one with the greatest worth is taken. Numbers only: a cell is an array of
candidates × features.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array

from eec_bias.shared import grouped
from eec_datasets.names.evenness import deviations, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.optimize import LinearConstraint

    Array = NDArray[np.float64]
    Members = list[list[int]]
    """For each cell, the places of its candidates that are chosen, in order."""

GAP = 5e-3
"""Share of the greatest worth by which a choice may fall short of it, as the solver proves."""

ROUNDS = 8
"""Most rounds; each takes the standard deviations, the unit of the bounds, again from the chosen names."""

SAFETY = 0.98
"""Share of the bound on means that is used up at first, as standard deviations change with the choice."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The names that may be in a cell.

    Attributes
    ----------
    features : names × features on which cells are matched.
    worth : how much each name is preferred, 0 or more.
    kept : whether each name is in whatever else is chosen.
    families, endings : the family and the ending of each name.
    """

    features: Array
    worth: Array
    kept: NDArray[np.bool_]
    families: Sequence[str]
    endings: Sequence[str]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that every cell has to keep.

    Attributes
    ----------
    size : names of a cell.
    within : how far apart cell means may be, in standard deviations within cells.
    family_at_most, ending_at_most : names of one family, of one ending; None for any number.
    families_at_least : the fewest families that there may be in effect (see `effective`); None for any number.
    """

    size: int
    within: float
    family_at_most: int | None = None
    ending_at_most: int | None = None
    families_at_least: float | None = None


def effective(labels: Iterable[str]) -> float:
    """Return how many families of equal size tell as much as those of the names, (Σ n)²/Σ n² for n names of each."""
    counts = np.array([len(members) for members in grouped((label, None) for label in labels).values()], dtype=float)
    if not len(counts):
        return 0.0
    return float(counts.sum() ** 2 / (counts**2).sum())


def kept_by(cells: Sequence[Candidates], members: Members, limits: Limits) -> bool:
    """Return whether a choice keeps every bound."""
    for cell, chosen in zip(cells, members, strict=True):
        families, endings = ([labels[place] for place in chosen] for labels in (cell.families, cell.endings))
        if len(chosen) != limits.size or set(np.flatnonzero(cell.kept)) - set(chosen):
            return False
        if limits.family_at_most is not None and _most(families) > limits.family_at_most:
            return False
        if limits.ending_at_most is not None and _most(endings) > limits.ending_at_most:
            return False
        if limits.families_at_least is not None and effective(families) < limits.families_at_least:
            return False
    return _even(cells, members, limits)


def _most(labels: Sequence[str]) -> int:
    return max(map(labels.count, set(labels)), default=0)


def _even(cells: Sequence[Candidates], members: Members, limits: Limits) -> bool:
    chosen = [cell.features[places] for cell, places in zip(cells, members, strict=True)]
    return bool((spread(chosen) <= limits.within).all())


def best(cells: Sequence[Candidates], limits: Limits, start: Members | None = None) -> Members | None:
    """The choice of the greatest worth that keeps every bound, or None where no choice does.

    Parameters
    ----------
    start : what is chosen so far, whose standard deviations are those that the first round takes; it is taken as it is
        where it keeps every bound. By default all candidates.
    """
    if start is not None and kept_by(cells, start, limits):
        return [sorted(places) for places in start]
    taken = [cell.features for cell in cells]
    if start is not None and all(len(places) > 1 for places in start):
        taken = [cell.features[places] for cell, places in zip(cells, start, strict=True)]
    unit = deviations(taken)
    bound = SAFETY * limits.within
    for _ in range(ROUNDS):
        found = _solved(cells, limits, unit, bound)
        if found is None or _even(cells, found, limits):
            return found
        unit = np.minimum(unit, deviations([cell.features[places] for cell, places in zip(cells, found, strict=True)]))
    return None


class _Rows:
    """The constraints of a program, one at a time: coefficients by variable, and the bounds of their sum."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, int, float]] = []
        self.low: list[float] = []
        self.high: list[float] = []

    def add(self, coefficients: Mapping[int, float], low: float, high: float) -> None:
        self.entries += [(len(self.low), variable, value) for variable, value in coefficients.items()]
        self.low.append(low)
        self.high.append(high)

    def constraint(self, variables: int) -> LinearConstraint:
        from scipy.optimize import LinearConstraint

        rows, columns, values = zip(*self.entries, strict=True)
        return LinearConstraint(coo_array((values, (rows, columns)), shape=(len(self.low), variables)).tocsr(),
                                self.low, self.high)  # fmt: skip


def _solved(cells: Sequence[Candidates], limits: Limits, unit: Array, bound: float) -> Members | None:
    """The program solved for bounds in these units.

    Its variables: whether each candidate is in (whole numbers); for each family of several candidates and each further
    name of it beyond the first, how much of that name there is; the least and the greatest mean of each feature.
    """
    # It takes a tenth of a second to load, and every audit loads this module.
    from scipy.optimize import Bounds, milp

    firsts = np.cumsum([0, *(len(cell.worth) for cell in cells)]).tolist()
    rows, count = _Rows(), firsts[-1]
    upper = [1.0] * count
    for first, cell in zip(firsts, cells, strict=False):
        everybody = range(first, first + len(cell.worth))
        rows.add(dict.fromkeys(everybody, 1.0), limits.size, limits.size)
        families = grouped(zip(cell.families, everybody, strict=True))
        endings = grouped(zip(cell.endings, everybody, strict=True))
        for members in families.values() if limits.family_at_most is not None else ():
            rows.add(dict.fromkeys(members, 1.0), 0, limits.family_at_most or 0)
        for members in endings.values() if limits.ending_at_most is not None else ():
            rows.add(dict.fromkeys(members, 1.0), 0, limits.ending_at_most or 0)
        if limits.families_at_least is not None:
            # Σ n² = Σ n + 2·1 for every second name + 2·2 for every third …
            repeats: dict[int, float] = {}
            for members in families.values():
                further = range(count, count + len(members) - 1)
                rows.add({**dict.fromkeys(members, 1.0), **dict.fromkeys(further, -1.0)}, -np.inf, 1)
                repeats |= {variable: 2.0 * number for number, variable in enumerate(further, start=1)}
                count += len(further)
            upper += [1.0] * len(repeats)
            rows.add(repeats, 0, limits.size**2 / limits.families_at_least - limits.size)
    means = count
    features = len(unit)
    for number in range(features):
        low, high = means + number, means + features + number
        middle = np.mean([cell.features[:, number].mean() for cell in cells])
        for first, cell in zip(firsts, cells, strict=False):
            standard = (cell.features[:, number] - middle) / unit[number] / limits.size
            mean = dict(enumerate(standard.tolist(), start=first))
            rows.add({**mean, low: -1.0}, 0, np.inf)
            rows.add({**mean, high: -1.0}, -np.inf, 0)
        rows.add({high: 1.0, low: -1.0}, 0, bound)
    variables = means + 2 * features
    worth = np.zeros(variables)
    worth[: firsts[-1]] = np.concatenate([cell.worth for cell in cells])
    least = np.zeros(variables)
    least[: firsts[-1]] = np.concatenate([cell.kept for cell in cells])
    least[means:] = -np.inf
    greatest = np.array([*upper, *[np.inf] * (2 * features)])
    whole = np.zeros(variables)
    whole[: firsts[-1]] = 1
    solution = milp(
        -worth,
        constraints=rows.constraint(variables),
        bounds=Bounds(least, greatest),
        integrality=whole,
        options={"mip_rel_gap": GAP},
    )
    if solution.x is None:
        return None
    inside = solution.x > 0.5
    return [np.flatnonzero(inside[first:end]).tolist() for first, end in pairwise(firsts)]
