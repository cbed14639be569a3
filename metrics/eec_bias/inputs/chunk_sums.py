"""Sums over a stream of rows: all the default test and the beta regression need of names, whatever their number.

Names are kept as sums per person and per cell × item, and one bit per person × item that says whether it came;
so memory does not grow with the rows, but for that bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from eec_bias.inputs.chunk_labels import Gaps, Seen
from eec_bias.options import Floats, Ints
from eec_bias.stats.sums import Logs, Sums

ROUNDING = 1e-13
"""A remainder below this share of the sum it is left of is 0."""


@dataclass(slots=True)
class Running:
    """Sums over names for S systems; arrays grow with persons and items, not with rows.

    Attributes
    ----------
    middle : float
        Subtracted from every score, against loss of digits.
    total, log_y, log_1my, touched : (S, U) arrays
        Per unit: sums of scores, of log y and log(1 − y) of scores in [0, 1], and number of scores at an edge.
    by_item : (S, K, J) array
        Sums of scores per cell and item.
    square : (S, K) array
        Sums of squares per cell.
    """

    middle: float
    total: Floats
    log_y: Floats
    log_1my: Floats
    touched: Floats
    by_item: Floats
    square: Floats

    def only(self, systems: Ints) -> "Running":
        """Return the sums of some systems."""
        if len(systems) == len(self.total):
            return self
        arrays = ("total", "log_y", "log_1my", "touched", "by_item", "square")
        return replace(self, **{name: getattr(self, name)[systems] for name in arrays})

    def add(self, values: Floats, unit: Ints, cell: Ints, item: Ints) -> None:
        """Enter scores (S, n) of rows."""
        units, cells, items = (int(codes.max(initial=-1)) + 1 for codes in (unit, cell, item))
        self.total = _room(self.total, (units,))
        self.by_item = _room(self.by_item, (cells, items))
        self.square = _room(self.square, (cells,))
        shape = self.by_item.shape[1:]
        place = cell * shape[1] + item
        for s, row in enumerate(values - self.middle):
            self.total[s] += np.bincount(unit, row, self.total.shape[1])
            self.by_item[s] += np.bincount(place, row, shape[0] * shape[1]).reshape(shape)
            self.square[s] += np.bincount(cell, row * row, len(self.square[s]))

    def add_logs(self, y: Floats, outside: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], unit: Ints) -> None:
        """Enter the logarithms of scores in [0, 1] after their edge treatment, (S, n)."""
        units = int(unit.max(initial=-1)) + 1
        self.log_y, self.log_1my, self.touched = (_room(a, (units,)) for a in (self.log_y, self.log_1my, self.touched))
        for s, row in enumerate(y):
            with np.errstate(divide="ignore"):
                self.log_y[s] += np.bincount(unit, np.log(row), self.log_y.shape[1])
                self.log_1my[s] += np.bincount(unit, np.log1p(-row), self.log_1my.shape[1])
            if outside[s].any():
                self.touched[s] += np.bincount(unit, outside[s], self.touched.shape[1])

    def means(self, units: Ints, cell: Ints, of_cell: Sequence[Ints], items: Ints, logs: Logs) -> Sums:
        """Sums of one table, the same as `summarise` takes from scores.

        Parameters
        ----------
        units : (P,) integer array
            The persons, sorted by cell.
        cell : (P,) integer array
            Their cells in the table.
        of_cell : sequence of K integer arrays
            Which of the cells summed here make up each cell of the table.
        items : (J,) integer array
            The items.
        logs : Logs
            Of the persons.
        """
        count = np.bincount(cell, minlength=len(of_cell)).astype(float)
        free, j = count - 1, len(items)
        person = self.total[:, units] / j
        item = np.stack([self.by_item[:, own][:, :, items].sum(axis=1) for own in of_cell], axis=1)
        item /= count[:, None]
        square = np.stack([self.square[:, own].sum(axis=1) for own in of_cell], axis=1)
        mean = item.mean(axis=2)
        shift = person - mean[:, cell]
        starts = np.searchsorted(cell, np.arange(len(of_cell)))
        between = np.add.reduceat(shift**2, starts, axis=1)
        rest = square - count * np.einsum("skj,skj->sk", item, item) - j * between
        # What is left of sums this large after they cancel is rounding.
        rest = np.where(rest > ROUNDING * square, rest, 0.0)
        residual = rest / (free * max(j - 1, 1) * count * j)
        if j == 1:
            residual = np.zeros_like(residual)
        return Sums(count, person + self.middle, item + self.middle, mean + self.middle, between / free, residual, logs)


@dataclass(frozen=True, slots=True)
class Names:
    """Sums over names that came in chunks, see `streamed_result.NameSums`.

    Attributes
    ----------
    seen : Seen
        Who met which items.
    sums : Running
        Of the systems that have scores.
    """

    seen: Seen
    sums: Running

    def gaps(self, units: Ints) -> Gaps:
        """Return which items the units met."""
        return self.seen.gaps(units)

    def remedy(self, gaps: Gaps) -> str:  # noqa: ARG002
        """Say what can be done about gaps."""
        return ", and a stream cannot be cut afterwards: add the rows, or filter the items before streaming"

    def sum_up(self, units: Ints, cell: Ints, items: Ints, edge: str) -> Sums:  # noqa: ARG002
        """Return the sums of a table; `edge` was applied as the rows came."""
        cells = np.array(self.seen.cell, dtype=np.intp)[units]
        of_cell = [np.unique(cells[cell == k]) for k in range(int(cell.max()) + 1)]
        touched = self.sums.touched[:, units].sum(axis=1).astype(np.intp)
        logs = Logs(self.sums.log_y[:, units] / len(items), self.sums.log_1my[:, units] / len(items), touched)
        return self.sums.means(units, cell, of_cell, items, logs)


def empty_sums(systems: int, middle: float) -> Running:
    """Return sums of nothing yet."""
    none = [np.zeros((systems, 0)) for _ in range(5)]
    return Running(middle, none[0], none[1], none[2], none[3], np.zeros((systems, 0, 0)), none[4])


def _room(array: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the array with room for at least ``shape`` behind its first axis."""
    if all(have >= need for have, need in zip(array.shape[1:], shape, strict=True)):
        return array
    # By half more, so that many small chunks do not copy the sums every time.
    pairs = zip(array.shape[1:], shape, strict=True)
    new = [have if have >= need else max(need, have + have // 2) for have, need in pairs]
    wider = np.zeros((len(array), *new))
    wider[tuple(slice(0, size) for size in array.shape)] = array
    return wider
