"""Tables of persons in cells, for tests of the numbers alone."""

from collections.abc import Sequence

import numpy as np

from eec_bias.stats.facets import make_facets
from eec_bias.stats.layout import Axis, Table

PAIR = (Axis("race", ("a", "b"), "a"), Axis("gender", ("f", "m"), "m"))
THREE = (Axis("race", ("a", "b", "c"), None), Axis("gender", ("f", "m"), "m"))


def table(axes: Sequence[Axis], sizes: Sequence[int], items: int = 1) -> Table:
    """A table of names with so many persons in each cell."""
    cell = np.repeat(np.arange(len(sizes)), sizes)
    persons, rows = tuple(f"p{p}" for p in range(len(cell))), np.arange(len(cell) * items).reshape(len(cell), items)
    none = np.full(len(cell), -1)
    return Table(
        "names",
        tuple(axes),
        persons,
        cell,
        tuple(f"t{j}" for j in range(items)),
        rows,
        (),
        none,
        make_facets(items, {}),
    )


def paired(axis: Axis, bases: int, items: int = 1) -> Table:
    """A table in which every base meets every level of an axis."""
    levels = len(axis.levels)
    cell, base = np.repeat(np.arange(levels), bases), np.tile(np.arange(bases), levels)
    rows = np.arange(len(cell) * items).reshape(len(cell), items)
    persons, names = tuple(f"p{p}" for p in range(len(cell))), tuple(f"b{b}" for b in range(bases))
    return Table(
        "pairs", (axis,), persons, cell, tuple(f"t{j}" for j in range(items)), rows, names, base, make_facets(items, {})
    )
