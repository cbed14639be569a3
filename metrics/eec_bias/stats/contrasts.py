"""Terms as weights on cell means: main effects, interactions of every order, simple effects.

The cells of a design are the combinations of its axes' levels in C order (the last axis runs fastest), so
every weight vector is a Kronecker product with one factor per axis: the axis' own contrast where the axis
belongs to the term, equal weights where it does not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, product
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, expect
from eec_bias.options import MEAN, Floats
from eec_bias.stats.layout import Axis

DEFAULT_REFERENCES: dict[str, tuple[str, ...]] = {
    "gender": ("male",),
    "race": ("white", "Anglo", "Spanish"),
    "age": ("young", "middle-aged"),
    "disability": ("nondisabled",),
    "orientation": ("heterosexual",),
    "gender_modality": ("unstated",),
}
"""The usual references of an axis, tried in order. A convention of arithmetic, and no norm."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """One row of the result: a term at one level.

    Attributes
    ----------
    term : str
        ``race``, ``race:gender``; a simple effect is ``race|gender=female``.
    axes : tuple of str
        The axes of the term.
    level, reference : str
        The level and what it is compared with, ``:``-joined over the axes; ``mean`` for deviations.
    weights : (K,) array
        Weights on the cell means, the estimand.
    coding : (K,) array
        Weights on the cells' linear predictors that give the coefficient of a regression: treatment coding
        on axes with a reference (other axes at their reference), sum coding on the others.
    """

    term: str
    axes: tuple[str, ...]
    level: str
    reference: str
    weights: Floats
    coding: Floats


def is_simple_effect(term: str) -> bool:
    """Return whether a term is asked for within levels of other axes, as ``race|gender=female`` is."""
    return "|" in term


def kron(vectors: Sequence[Floats]) -> Floats:
    """Kronecker product of vectors, the last running fastest."""
    return reduce(lambda whole, vector: np.multiply.outer(whole, vector).ravel(), vectors)


def build_contrasts(axes: Sequence[Axis], *, simple: bool = False) -> list[Contrast]:
    """Every term the axes allow, from main effects up to the highest interaction.

    Parameters
    ----------
    axes : sequence of Axis
        The crossed axes, in the order of the cells.
    simple : bool
        Whether to add each axis' effects within every combination of the other axes' levels.
    """
    contrasts: list[Contrast] = []
    averages, bases = [axis.average for axis in axes], [axis.base for axis in axes]
    for order in range(1, len(axes) + 1):
        for chosen in combinations(range(len(axes)), order):
            contrasts += _compare(axes, chosen, averages, bases)
    for index in range(len(axes)) if simple and len(axes) > 1 else ():
        others = [axis for i, axis in enumerate(axes) if i != index]
        for levels in product(*(axis.levels for axis in others)):
            condition = ",".join(f"{axis.name}={level}" for axis, level in zip(others, levels, strict=True))
            units = [axis.unit(level) for axis, level in zip(others, levels, strict=True)]
            units.insert(index, averages[index])
            within = _compare(axes, (index,), units, units)
            contrasts += [replace(contrast, term=f"{contrast.term}|{condition}") for contrast in within]
    return contrasts


def _compare(
    axes: Sequence[Axis], chosen: Sequence[int], whole: Sequence[Floats], base: Sequence[Floats]
) -> list[Contrast]:
    """One term: a row per combination of the comparisons its axes report; the others' weights, and those for coding."""
    names, rows = tuple(axes[i].name for i in chosen), []
    for combination in product(*(axes[i].comparisons() for i in chosen)):
        levels, references, weights = zip(*combination, strict=True)
        parts = dict(zip(chosen, weights, strict=True))
        vectors = [[parts.get(i, other) for i, other in enumerate(others)] for others in (whole, base)]
        rows.append(Contrast(":".join(names), names, ":".join(levels), ":".join(references), *map(kron, vectors)))
    return rows


def resolve_references(reference: Any, levels: Mapping[str, tuple[str, ...]]) -> dict[str, str | bool | None]:
    """Turn the ``reference=`` option into one choice per axis.

    Parameters
    ----------
    reference : "default", None or mapping of axis to level (or None)
        Axes a mapping leaves out keep their default; None asks for deviations.
    levels : mapping of axis to its marked levels
        The levels the data hold.

    Returns
    -------
    dict
        Per axis: a level asked for, None where deviations were asked for, True where the default applies.

    Raises
    ------
    OptionError
        If an axis or a level does not occur in the data.
    """
    if reference is None:
        return dict.fromkeys(levels)
    if isinstance(reference, str) and reference == "default":
        return dict.fromkeys(levels, True)
    expected = "a level per axis, such as male for gender, or None for deviations"
    expect(isinstance(reference, Mapping), "reference", reference, expected)
    choices: dict[str, str | bool | None] = dict.fromkeys(levels, True)
    for axis, level in reference.items():
        if axis not in levels:
            raise OptionError(f"reference names the axis {axis!r}; the axes measured are {', '.join(levels)}")
        if level is not None and str(level) not in levels[axis]:
            raise OptionError(
                f"reference {level!r} is not a level of {axis!r}; its levels are {', '.join(levels[axis])}"
            )
        choices[axis] = None if level is None else str(level)
    return choices


def default_reference(axis: str, levels: tuple[str, ...]) -> str | None:
    """The level taken as reference where the user names none; None where no usual one is among the levels."""
    return next((level for level in DEFAULT_REFERENCES.get(axis, ()) if level in levels), None)


def reference_of(axis: str, levels: tuple[str, ...], choice: str | bool | None) -> str | None:
    """The reference of an axis with these levels, given the choice :func:`resolve_references` made.

    Two levels are compared with each other by default, with the first of them where no usual reference is among
    them: against their mean, each would show half of the same difference. With more levels, naming one of them the
    norm would make the others deviations from it, so all are reported against their mean unless a reference is
    asked for.
    """
    if choice is True:
        if len(levels) != 2:
            return None
        return default_reference(axis, levels) or levels[0]
    return str(choice) if choice and str(choice) in levels else None


def estimand(axes: Sequence[Axis]) -> str:
    """Say in words what ``beta`` compares.

    Parameters
    ----------
    axes : sequence of Axis
        The axes measured.
    """
    parts = []
    for axis in axes:
        if axis.reference:
            compared = f"a level minus {axis.reference}"
        else:
            compared = "the deviation of a level from the mean of all"
        others = [f"{other.name}={other.reference}" for other in axes if other is not axis and other.reference]
        if others:
            compared += f" at {', '.join(others)}"
        parts.append(f"{axis.name} is {compared}")
    referenced = [bool(axis.reference) for axis in axes]
    if referenced and all(referenced):
        kind = "treatment coding"
    elif any(referenced):
        kind = "treatment coding on axes with a reference, sum coding on the others"
    else:
        kind = "sum coding"
    return f"logit scale, {kind}: {'; '.join(parts)}"


def contrast_cells(axes: Sequence[Axis]) -> Iterator[Contrast]:
    """Compare every cell of several axes with that of the references; with the mean of all if an axis has none."""
    if len(axes) < 2:
        return
    names = tuple(axis.name for axis in axes)
    cells = np.eye(int(np.prod([len(axis.levels) for axis in axes])))
    levels = map(":".join, product(*(axis.levels for axis in axes)))
    referenced = all(axis.reference is not None for axis in axes)
    base = kron([axis.base for axis in axes]) if referenced else kron([axis.average for axis in axes])
    against = ":".join(str(axis.reference) for axis in axes) if referenced else MEAN
    for level, unit in zip(levels, cells, strict=True):
        if level != against:
            yield Contrast("+".join(names), names, level, against, unit - base, unit)
