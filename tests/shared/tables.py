"""Tables of persons in cells, for tests of the numbers alone."""

from collections.abc import Sequence

import numpy as np

from eec_bias.options import Floats
from eec_bias.stats.facets import make_facets
from eec_bias.stats.layout import Axis, Table
from eec_bias.stats.sums import Sums, summarise

PAIR = (Axis("race", ("a", "b"), "a"), Axis("gender", ("f", "m"), "m"))
THREE = (Axis("race", ("a", "b", "c"), None), Axis("gender", ("f", "m"), "m"))


def table(axes: Sequence[Axis], sizes: Sequence[int], items: int = 1) -> Table:
    """A table of names with so many persons in each cell."""
    cell = np.repeat(np.arange(len(sizes)), sizes)
    persons, texts = (tuple(f"{letter}{k}" for k in range(n)) for letter, n in (("p", len(cell)), ("t", items)))
    rows = np.arange(len(cell) * items).reshape(len(cell), items)
    no_base = np.full(len(cell), -1)
    return Table("names", tuple(axes), persons, cell, texts, rows, (), no_base, make_facets(items, {}))


def of_cells(values: Floats, *sizes: int) -> Sums:
    """Return the sums of values whose rows are so many of each cell."""
    return summarise(values, np.repeat(np.arange(len(sizes)), sizes))
