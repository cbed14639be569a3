"""Scores drawn under a known truth: random effects on the logit scale, exact means on the response scale.

A score is y ~ Beta(μφ, (1 − μ)φ) with logit μ = α_cell + name + item + reactions, every random effect normal; a
reaction is what a group does on an item, a template, a word or in a run.
The intercept of each cell is solved for, so that the cell's mean over the populations of names and items is
exactly what was asked for on the response scale: with equal means the null is true there, also where
variances differ between cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from eec_bias.errors import OptionError, expect
from eec_bias.options import UNMARKED, Floats, Ints, is_number, whole_number
from eec_bias.stats.contrasts import default_reference
from eec_bias.stats.layout import Table

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
    facets : dict of str to (N,) integer array
        The template and the word of each row.
    """

    levels: dict[str, tuple[str, ...]]
    axes: dict[str, Ints]
    person: Ints
    item: Ints
    facets: dict[str, Ints]

    def cells(self) -> tuple[Ints, list[tuple[str, ...]]]:
        """Each row's cell, unmarked counting as a level, and the cells' levels."""
        codes = np.stack(list(self.axes.values()), axis=1)
        kinds, cell = np.unique(codes, axis=0, return_inverse=True)
        levels = [tuple(of[k] for of, k in zip(self.levels.values(), row, strict=True)) for row in kinds.tolist()]
        return cell.reshape(-1), levels


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth that scores are drawn from; the attributes are the parameters of `eec_bias.simulate`."""

    name_sd: NameSd = 0.05
    item_sd: float = 0.5
    slope_sd: Mapping[str, float] | None = None
    template_sd: Mapping[str, float] | None = None
    word_sd: Mapping[str, float] | None = None
    run_sd: Mapping[str, float] | None = None
    runs: int = 1
    phi: float | None = 50.0
    residual_sd: float = 0.0
    mean: float = 0.5
    effects: Mapping[str, Effect] | None = None


FACETS = {"slope_sd": "item", "template_sd": "template", "word_sd": "word", "run_sd": ""}
"""Options of reactions, and what groups react to besides the run."""


def draw(rows: Rows, truth: Truth, systems: int, rng: np.random.Generator) -> Floats:
    """Draw the scores of some systems, (S, N), or of their runs, (S, K, N).

    Raises
    ------
    OptionError
        If the truth is out of range or names an axis, level or cell the rows do not have.
    """
    _check_kinds(truth, systems)
    cell, cells = rows.cells()
    stated = [(name, axis, sd) for name in FACETS for axis, sd in (getattr(truth, name) or {}).items()]
    reactions = [(name == "run_sd", _groups(rows, name, axis), sd) for name, axis, sd in stated]
    targets = _targets(rows, cells, truth)
    sd = _name_sds(truth.name_sd, list(rows.axes), cells)
    spreads = [("item_sd", truth.item_sd), ("residual_sd", truth.residual_sd)]
    for name, value in (*spreads, *((f"{name} of {axis}", sd) for name, axis, sd in stated)):
        _refuse_negative(name, value)
    marked = np.array([[level != UNMARKED for level in levels] for levels in cells], dtype=float)
    axis_variance = np.array([sum(sd**2 for _, other, sd in stated if other == axis) for axis in rows.axes])
    spread = np.sqrt(marked @ axis_variance + sd**2 + truth.item_sd**2 + truth.residual_sd**2)
    # Persons are nested in cells.
    _, person = np.unique(cell * (int(rows.person.max()) + 1) + rows.person, return_inverse=True)
    of_person = np.zeros(int(person.max()) + 1)
    of_person[person] = sd[cell]
    names = rng.standard_normal((systems, of_person.size)) * of_person
    items = rng.standard_normal((systems, int(rows.item.max()) + 1)) * truth.item_sd

    def react(*, run: bool) -> Floats:
        """Return what groups do to all rows, or in one run."""
        moved = np.zeros((systems, len(rows.item)))
        for of_run, group, sd in reactions:
            if of_run == run:
                effect = rng.standard_normal((systems, int(group.max()) + 2)) * sd
                effect[:, -1] = 0.0
                moved += effect[:, group]
        return moved

    eta = _solve(targets, spread)[cell] + names[:, person] + items[:, rows.item] + react(run=False)
    scores = np.empty((systems, truth.runs, len(rows.item)))
    for k in range(truth.runs):
        run_eta = eta + react(run=True)
        if truth.residual_sd:
            run_eta = run_eta + rng.standard_normal(eta.shape) * truth.residual_sd
        scores[:, k] = mu = expit(run_eta)
        if truth.phi is not None:
            # Parameters must not vanish where a mean is 0 or 1 to the last digit.
            scores[:, k] = rng.beta(*(np.maximum(share * truth.phi, 1e-300) for share in (mu, 1.0 - mu)))
    return scores[:, 0] if truth.runs == 1 else scores


def _check_kinds(truth: Truth, systems: int) -> None:
    noise = truth.phi is None or (is_number(truth.phi) and truth.phi > 0)
    expect(noise, "phi", truth.phi, "a positive number, or None for no noise")
    expect(is_number(truth.mean), "mean", truth.mean, "a number inside (0, 1)")
    check_counts(systems, truth.runs)
    for name in (*FACETS, "effects"):
        value = getattr(truth, name)
        expect(value is None or isinstance(value, Mapping), name, value, "a mapping, such as {'race': 0.02}")
    for term, effect in (truth.effects or {}).items():
        for size in effect.values() if isinstance(effect, Mapping) else (effect,):
            if not is_number(size):
                raise OptionError(f"effects of {term!r} has {size!r}; expected a number, or numbers by level")


def check_counts(systems: int, runs: int) -> None:
    """Refuse a number of systems or of their runs below 1."""
    expect(whole_number(systems) >= 1, "systems", systems, "how many are drawn, 1 or more")
    expect(whole_number(runs) >= 1, "runs", runs, "1 or more")


def _groups(rows: Rows, name: str, axis: str) -> Ints:
    """Group × item, template or word of each row, or its group alone; −1 where it is unmarked."""
    if axis not in rows.axes:
        raise OptionError(f"{name} names the axis {axis!r}; the axes are {', '.join(rows.axes)}")
    codes = {"item": rows.item, **rows.facets}.get(FACETS[name], np.zeros_like(rows.item))
    group = rows.axes[axis] * (int(codes.max()) + 1) + codes
    unmarked = np.array([level == UNMARKED for level in rows.levels[axis]])
    return np.where(unmarked[rows.axes[axis]], -1, group)


def _name_sds(name_sd: NameSd, axes: list[str], cells: list[tuple[str, ...]]) -> Floats:
    stated = name_sd if isinstance(name_sd, Mapping) else dict.fromkeys(cells, name_sd)
    for cell in (*cells, *stated):
        if cell not in stated:
            raise OptionError(f"name_sd has no entry for the cell {cell!r}, levels of ({', '.join(axes)})")
        if cell not in cells:
            raise OptionError(f"name_sd names the cell {cell!r}; the cells are {', '.join(map(repr, cells))}")
        _refuse_negative("name_sd" if stated is not name_sd else f"name_sd[{cell!r}]", stated[cell])
    return np.array([float(stated[cell]) for cell in cells])


def _targets(rows: Rows, cells: list[tuple[str, ...]], truth: Truth) -> Floats:
    """Mean score of each cell."""
    targets = truth.mean + _cell_effects(rows.levels, cells, truth.effects or {})
    if not ((targets > 0) & (targets < 1)).all():
        worst = int(np.argmax(np.abs(targets - 0.5)))
        raise OptionError(
            f"mean {truth.mean!r} and effects give the cell {cells[worst]!r} the mean {targets[worst]:g}; "
            "expected every cell's mean inside (0, 1)"
        )
    return targets


def _refuse_negative(name: str, value: float) -> None:
    expect(is_number(value) and value >= 0, name, value, "a standard deviation of 0 or more")


def _cell_effects(
    axes: Mapping[str, tuple[str, ...]], cells: list[tuple[str, ...]], effects: Mapping[str, Effect]
) -> Floats:
    """Return what effects add to the mean of each cell, (K,); the axes have their levels."""
    added, place = np.zeros(len(cells)), {axis: k for k, axis in enumerate(axes)}
    for term, effect in effects.items():
        codes = _codes(axes, term, effect)
        added += [np.prod([code.get(cell[place[axis]], 0.0) for axis, code in codes.items()]) for cell in cells]
    return added


def _codes(axes: Mapping[str, tuple[str, ...]], term: str, effect: Effect) -> dict[str, Mapping[str, float]]:
    """Per axis of a term what its levels count; their product is added to a cell."""
    first, *others = axis_names = term.split(":")
    for axis in axis_names:
        if axis not in axes:
            raise OptionError(f"effects names the term {term!r}; the axes are {', '.join(axes)}")
    if not isinstance(effect, Mapping):
        return {first: _halves(first, axes[first], effect), **{axis: _halves(axis, axes[axis], 1.0) for axis in others}}
    if others:
        raise OptionError(f"effects of {term!r} are given by level, which a single axis takes; give a number")
    for level in effect:
        if level not in axes[term]:
            raise OptionError(f"effects of {term!r} name the level {level!r}; its levels are {', '.join(axes[term])}")
    return {term: effect}


def _halves(axis: str, all_levels: tuple[str, ...], size: float) -> Mapping[str, float]:
    """Code two levels ±½ of a size, the reference below."""
    levels = tuple(level for level in all_levels if level != UNMARKED)
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
        with np.errstate(divide="ignore", invalid="ignore"):
            step = (mu @ weights - targets) / ((mu * (1.0 - mu)) @ weights)
        alpha = alpha - np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-12:
            break
    if not (np.abs(step) < 1e-6).all():
        raise OptionError(
            f"all standard deviations add up to {spread.max():.3g} on the logit scale, with which scores are 0 or 1; "
            "expected smaller ones, with which means can be set"
        )
    return alpha


def draw_components(
    sources: Mapping[str, Ints], parts: Mapping[str, float], systems: int, rng: np.random.Generator
) -> Floats:
    """Draw what varies in the scores of some systems, added up.

    Parameters
    ----------
    sources : mapping of str to integer array
        What varies, and the number of the person, the group on a template … of each score; of shapes that broadcast.
    parts : mapping of str to float
        The standard deviation of each; 0 if it is not named.
    systems : int
        S, the first axis of the sum.
    """
    drawn: Floats = np.zeros((systems, *(1,) * next(iter(sources.values())).ndim))
    for name, codes in sources.items():
        drawn = drawn + (rng.standard_normal((systems, int(codes.max()) + 1)) * parts.get(name, 0.0))[:, codes]
    return drawn


def draw_linear(
    table: Table, parts: Mapping[str, float], effects: Mapping[str, Effect], systems: int, runs: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats | None]:  # fmt: skip
    """Draw scores of a table on their own scale, without bounds, from variance components.

    Parameters
    ----------
    table : Table
        P persons × J items.
    parts : mapping of str to float
        Standard deviations by source, as `variance_components.components` names them; what items have in common for
        all groups cancels and is not drawn.
    effects : mapping of term to float or to mapping of level to float
        As for `eec_bias.simulate`.
    systems, runs : int
        S and K.

    Returns
    -------
    (S, P, J) means over runs, and (S, P, K) person means by run or None
    """
    cells, levels = len(table.cells), {axis.name: axis.levels for axis in table.axes}
    sources = {"persons": np.arange(len(table.persons))[:, None]}
    for level in (*table.facets.above, table.facets.cells):
        sources[f"groups × {level.name}"] = table.cell[:, None] * level.count + level.code
    same = _cell_effects(levels, table.cells, effects)[table.cell][:, None]
    scores = same + draw_components(sources, parts, systems, rng)
    scores += rng.standard_normal(scores.shape) * parts.get("residual", 0.0)
    if runs == 1:
        return scores, None
    of_runs = (rng.standard_normal((systems, cells, runs)) * parts.get("groups × runs", 0.0))[:, table.cell]
    return scores + of_runs.mean(axis=2, keepdims=True), scores.mean(axis=2, keepdims=True) + of_runs
