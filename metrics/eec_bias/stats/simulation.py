"""Scores drawn under a known truth: random effects on the logit scale, exact means on the response scale.

A score is y ~ Beta(μφ, (1 − μ)φ) with logit μ = α_cell + name + item + slopes, every random effect normal.
The intercept of each cell is solved for, so that the cell's mean over the populations of names and items is
exactly what was asked for on the response scale: with equal means the null is true there, also where
variances differ between cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from eec_bias.errors import OptionError
from eec_bias.options import UNMARKED, Floats, Ints, is_number, whole
from eec_bias.stats.contrasts import default_reference

NameSd = float | Mapping[tuple[str, ...], float]
Effect = float | Mapping[str, float]

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(80)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that scores are drawn for.

    Attributes
    ----------
    levels : dict of str to tuple of str
        Per axis its levels, ``unmarked`` among them.
    axes : dict of str to (N,) integer array
        Per axis each row's level.
    person, item : (N,) integer arrays
        Person and item of each row.
    """

    levels: dict[str, tuple[str, ...]]
    axes: dict[str, Ints]
    person: Ints
    item: Ints

    def cells(self) -> tuple[Ints, list[tuple[str, ...]]]:
        """Each row's cell, unmarked counting as a level, and the cells' levels."""
        codes = np.stack(list(self.axes.values()), axis=1)
        kinds, cell = np.unique(codes, axis=0, return_inverse=True)
        levels = [tuple(own[k] for own, k in zip(self.levels.values(), row, strict=True)) for row in kinds.tolist()]
        return cell.reshape(-1), levels


@dataclass(frozen=True, slots=True)
class Truth:
    """What scores are drawn from; the attributes are the parameters of `eec_bias.simulate`."""

    name_sd: NameSd = 0.05
    item_sd: float = 0.5
    slope_sd: Mapping[str, float] | None = None
    phi: float | None = 50.0
    residual_sd: float = 0.0
    mean: float = 0.5
    effects: Mapping[str, Effect] | None = None


def draw(rows: Rows, truth: Truth, systems: int, rng: np.random.Generator) -> Floats:
    """Draw the scores of some systems, (S, N).

    Raises
    ------
    OptionError
        If the truth is out of range or names an axis, level or cell the rows do not have.
    """
    _check_kinds(truth, systems)
    cell, cells = rows.cells()
    slopes = truth.slope_sd or {}
    groups = {axis: _groups(rows, axis) for axis in slopes}
    targets = _targets(rows, cells, truth.mean, truth.effects or {})
    sd = _name_sds(truth.name_sd, list(rows.axes), cells)
    spreads = {"item_sd": truth.item_sd, "residual_sd": truth.residual_sd}
    for name, value in (spreads | {f"slope_sd of {axis}": own for axis, own in slopes.items()}).items():
        _refuse_negative(name, value)
    marked = np.array([[level != UNMARKED for level in levels] for levels in cells], dtype=float)
    own = np.array([slopes.get(axis, 0.0) ** 2 for axis in rows.axes])
    spread = np.sqrt(marked @ own + sd**2 + truth.item_sd**2 + truth.residual_sd**2)
    # Persons are nested in cells.
    _, person = np.unique(cell * (int(rows.person.max()) + 1) + rows.person, return_inverse=True)
    of_person = np.zeros(int(person.max()) + 1)
    of_person[person] = sd[cell]
    names = rng.standard_normal((systems, of_person.size)) * of_person
    items = rng.standard_normal((systems, int(rows.item.max()) + 1)) * truth.item_sd
    eta = _solve(targets, spread)[cell] + names[:, person] + items[:, rows.item]
    for axis, group in groups.items():
        effect = rng.standard_normal((systems, int(group.max()) + 2)) * slopes[axis]
        effect[:, -1] = 0.0
        eta += effect[:, group]
    if truth.residual_sd:
        eta += rng.standard_normal(eta.shape) * truth.residual_sd
    mu = expit(eta)
    return mu if truth.phi is None else rng.beta(mu * truth.phi, (1.0 - mu) * truth.phi)


def _check_kinds(truth: Truth, systems: int) -> None:
    if truth.phi is not None and not (is_number(truth.phi) and truth.phi > 0):
        raise OptionError(f"phi is {truth.phi!r}; expected a positive number, or None for no noise")
    if not is_number(truth.mean):
        raise OptionError(f"mean is {truth.mean!r}; expected a number inside (0, 1)")
    if whole(systems) < 1:
        raise OptionError(f"systems is {systems!r}; expected how many are drawn, 1 or more")
    for name, given in (("slope_sd", truth.slope_sd), ("effects", truth.effects)):
        if not (given is None or isinstance(given, Mapping)):
            raise OptionError(f"{name} is {given!r}; expected a mapping, such as {{'race': 0.02}}")
    for term, effect in (truth.effects or {}).items():
        for size in effect.values() if isinstance(effect, Mapping) else (effect,):
            if not is_number(size):
                raise OptionError(f"effects of {term!r} has {size!r}; expected a number, or numbers by level")


def _groups(rows: Rows, axis: str) -> Ints:
    """Group × item of each row; −1 where it is unmarked."""
    if axis not in rows.axes:
        raise OptionError(f"slope_sd names the axis {axis!r}; the axes are {', '.join(rows.axes)}")
    group = rows.axes[axis] * (int(rows.item.max()) + 1) + rows.item
    unmarked = np.array([level == UNMARKED for level in rows.levels[axis]])
    return np.where(unmarked[rows.axes[axis]], -1, group)


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
    if not (is_number(value) and value >= 0):
        raise OptionError(f"{name} is {value!r}; expected a standard deviation of 0 or more")


def _targets(rows: Rows, cells: list[tuple[str, ...]], mean: float, effects: Mapping[str, Effect]) -> Floats:
    """Mean score of each cell."""
    targets = np.full(len(cells), float(mean))
    for term, effect in effects.items():
        codes = _codes(rows, term, effect)
        for k, cell in enumerate(cells):
            levels = dict(zip(rows.axes, cell, strict=True))
            targets[k] += np.prod([code.get(levels[axis], 0.0) for axis, code in codes.items()])
    if not ((targets > 0) & (targets < 1)).all():
        worst = int(np.argmax(np.abs(targets - 0.5)))
        raise OptionError(
            f"mean {mean!r} and effects give the cell {cells[worst]!r} the mean {targets[worst]:g}; "
            "expected every cell's mean inside (0, 1)"
        )
    return targets


def _codes(rows: Rows, term: str, effect: Effect) -> dict[str, Mapping[str, float]]:
    """Per axis of a term what its levels count; their product is added to a cell."""
    axes = term.split(":")
    for axis in axes:
        if axis not in rows.axes:
            raise OptionError(f"effects names the term {term!r}; the axes are {', '.join(rows.axes)}")
    if not isinstance(effect, Mapping):
        sizes = [effect, *[1.0] * (len(axes) - 1)]
        return {axis: _halves(rows, axis, size) for axis, size in zip(axes, sizes, strict=True)}
    if len(axes) > 1:
        raise OptionError(f"effects of {term!r} are given by level, which a single axis takes; give a number")
    for level in effect:
        if level not in rows.levels[term]:
            raise OptionError(
                f"effects of {term!r} name the level {level!r}; its levels are {', '.join(rows.levels[term])}"
            )
    return {term: effect}


def _halves(rows: Rows, axis: str, size: float) -> Mapping[str, float]:
    """Code two levels ±½ of a size, the reference below."""
    levels = tuple(level for level in rows.levels[axis] if level != UNMARKED)
    if len(levels) != 2:
        raise OptionError(
            f"axis {axis!r} has the levels {', '.join(levels)}: "
            f"give its effects by level, such as {{{levels[0]!r}: 0.02}}"
        )
    reference = default_reference(axis, levels) or levels[0]
    return {level: -size / 2 if level == reference else size / 2 for level in levels}


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
