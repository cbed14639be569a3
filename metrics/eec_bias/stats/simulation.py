"""The truth behind simulated scores: random effects on the logit scale, exact means on the response scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit

from eec_bias.errors import OptionError
from eec_bias.inputs.codes import Coded
from eec_bias.inputs.sources import choose_axes, read_source
from eec_bias.options import UNMARKED, Floats, Ints
from eec_bias.stats.contrasts import default_reference

NameSd = float | Mapping[tuple[str, ...], float]
Effect = float | Mapping[str, float]

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(80)


@dataclass(frozen=True, slots=True)
class Truth:
    """What scores are drawn from.

    Attributes
    ----------
    intercept : (N,) array
        α of each row's cell.
    person, item : (N,) integer arrays
        Person (nested in cells) and item of each row.
    name_sd : (P,) array
        Standard deviation of each person's effect, logit scale.
    item_sd : float
        Standard deviation of item effects, logit scale.
    slopes : tuple of ((N,) integer array, float)
        Per axis with a slope: group × item of each row (−1: unmarked), and the standard deviation.
    phi : float or None
        Precision of the beta distribution; None: scores are their means.
    residual_sd : float
        Standard deviation of a row's own effect, logit scale.
    """

    intercept: Floats
    person: Ints
    item: Ints
    name_sd: Floats
    item_sd: float
    slopes: tuple[tuple[Ints, float], ...]
    phi: float | None
    residual_sd: float

    def draw(self, systems: int, rng: np.random.Generator) -> Floats:
        """Draw the scores of some systems, (S, N)."""
        name = rng.standard_normal((systems, self.name_sd.size)) * self.name_sd
        items = rng.standard_normal((systems, int(self.item.max()) + 1)) * self.item_sd
        eta = self.intercept + name[:, self.person] + items[:, self.item]
        for group, sd in self.slopes:
            effect = rng.standard_normal((systems, int(group.max()) + 2)) * sd
            effect[:, -1] = 0.0
            eta += effect[:, group]
        if self.residual_sd:
            eta += rng.standard_normal(eta.shape) * self.residual_sd
        mu = expit(eta)
        return mu if self.phi is None else rng.beta(mu * self.phi, (1.0 - mu) * self.phi)


def plan(
    data: Any,
    *,
    name_sd: NameSd = 0.05,
    item_sd: float = 0.5,
    slope_sd: Mapping[str, float] | None = None,
    phi: float | None = 50.0,
    residual_sd: float = 0.0,
    mean: float = 0.5,
    effects: Mapping[str, Effect] | None = None,
    axes: Sequence[str] | None = None,
) -> Truth:
    """Solve for the truth that `simulate` draws from; parameters as there.

    Returns
    -------
    Truth
    """
    source = read_source(data)
    columns = choose_axes(source, None if axes is None else tuple(axes))
    item = source.coded("item")
    cell, cells = _cells(columns)
    names = source.coded("person")
    _, person = np.unique(cell * len(names.levels) + names.codes, return_inverse=True)
    slopes = _slopes(columns, item, dict(slope_sd or {}))
    targets = _targets(columns, cells, mean, dict(effects or {}))
    sd = _name_sds(name_sd, list(columns), cells)
    for name, value in {"item_sd": item_sd, "residual_sd": residual_sd, **dict(slope_sd or {})}.items():
        _refuse_negative(name, value)
    if phi is not None and not phi > 0:
        raise OptionError(f"phi={phi!r}; expected a positive number, or None for no noise")
    spread = np.array([
        sum((slope_sd or {}).get(axis, 0.0) ** 2 for axis, level in zip(columns, c, strict=True) if level != UNMARKED)
        for c in cells
    ])  # fmt: skip
    spread = np.sqrt(spread + sd**2 + item_sd**2 + residual_sd**2)
    of_person = np.zeros(int(person.max()) + 1)
    of_person[person] = sd[cell]
    return Truth(_solve(targets, spread)[cell], person, item.codes, of_person, item_sd, slopes, phi, residual_sd)


def _cells(columns: Mapping[str, Coded]) -> tuple[Ints, list[tuple[str, ...]]]:
    """Each row's cell, unmarked counting as a level, and the cells' levels."""
    code = np.zeros(len(next(iter(columns.values()))), dtype=np.intp)
    for column in columns.values():
        code = code * len(column.levels) + column.codes
    found, first, cell = np.unique(code, return_index=True, return_inverse=True)
    levels = [tuple(c.levels[c.codes[row]] for c in columns.values()) for row in first]
    return cell.reshape(-1), levels[: len(found)]


def _slopes(columns: Mapping[str, Coded], item: Coded, sds: dict[str, float]) -> tuple[tuple[Ints, float], ...]:
    out = []
    for axis, sd in sds.items():
        if axis not in columns:
            raise OptionError(f"slope_sd names the axis {axis!r}; the axes are {', '.join(columns)}")
        column = columns[axis]
        group = column.codes * len(item.levels) + item.codes
        if UNMARKED in column.levels:
            group = np.where(column.codes == column.levels.index(UNMARKED), -1, group)
        out.append((group, sd))
    return tuple(out)


def _name_sds(name_sd: NameSd, axes: list[str], cells: list[tuple[str, ...]]) -> Floats:
    if not isinstance(name_sd, Mapping):
        _refuse_negative("name_sd", name_sd)
        return np.full(len(cells), float(name_sd))
    for cell in cells:
        if cell not in name_sd:
            raise OptionError(f"name_sd has no entry for the cell {cell!r}, levels of ({', '.join(axes)})")
        _refuse_negative(f"name_sd[{cell!r}]", name_sd[cell])
    return np.array([float(name_sd[cell]) for cell in cells])


def _refuse_negative(name: str, value: float) -> None:
    if not value >= 0:
        raise OptionError(f"{name}={value!r}; expected a standard deviation of 0 or more")


def _targets(
    columns: Mapping[str, Coded], cells: list[tuple[str, ...]], mean: float, effects: dict[str, Effect]
) -> Floats:
    """Mean score of each cell."""
    targets = np.full(len(cells), float(mean))
    for term, effect in effects.items():
        parts = term.split(":")
        for axis in parts:
            if axis not in columns:
                raise OptionError(f"effects names the term {term!r}; the axes are {', '.join(columns)}")
        if isinstance(effect, Mapping):
            targets += _level_shifts(columns, cells, term, effect)
        else:
            codes = [_halves(columns[axis], axis) for axis in parts]
            at = [list(columns).index(axis) for axis in parts]
            targets += [
                effect * float(np.prod([code[cell[i]] for code, i in zip(codes, at, strict=True)])) for cell in cells
            ]
    if not ((targets > 0) & (targets < 1)).all():
        worst = int(np.argmax(np.abs(targets - 0.5)))
        raise OptionError(
            f"mean={mean!r} and effects give the cell {cells[worst]!r} the mean {targets[worst]:g}; "
            "expected every cell's mean inside (0, 1)"
        )
    return targets


def _level_shifts(
    columns: Mapping[str, Coded], cells: list[tuple[str, ...]], axis: str, shifts: Mapping[str, float]
) -> Floats:
    if axis not in columns:
        raise OptionError(f"effects[{axis!r}] gives effects by level, which a single axis takes; give a number")
    for level in shifts:
        if level not in columns[axis].levels:
            raise OptionError(
                f"effects[{axis!r}] names the level {level!r}; the levels are {', '.join(columns[axis].levels)}"
            )
    at = list(columns).index(axis)
    return np.array([float(shifts.get(cell[at], 0.0)) for cell in cells])


def _halves(column: Coded, axis: str) -> dict[str, float]:
    """Code two levels ±½, the reference −½; unmarked 0."""
    levels = tuple(level for level in column.levels if level != UNMARKED)
    if len(levels) != 2:
        raise OptionError(
            f"axis {axis!r} has the levels {', '.join(levels)}: "
            f"give its effects by level, such as {{{levels[0]!r}: 0.02}}"
        )
    reference = default_reference(axis, levels) or levels[0]
    return {level: -0.5 if level == reference else 0.5 for level in levels} | {UNMARKED: 0.0}


def _solve(targets: Floats, spread: Floats) -> Floats:
    """Intercepts α with E[expit(α + spread·Z)] = target, by Newton's method on Gauss–Hermite nodes."""
    weights = _WEIGHTS / _WEIGHTS.sum()
    alpha = logit(targets) * np.sqrt(1.0 + spread**2 * np.pi / 8.0)
    for _ in range(50):
        mu = expit(alpha[:, None] + spread[:, None] * _NODES)
        step = (mu @ weights - targets) / ((mu * (1.0 - mu)) @ weights)
        alpha = alpha - np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-12:
            break
    return alpha
