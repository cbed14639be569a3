"""Sums of a persons × items table that the tests need, wherever the scores are kept.

Scores in memory and in an engine's table become the same `Sums`; everything after is the same code.
"""

from dataclasses import dataclass

import numpy as np

from eec_bias.options import Floats, Ints, parse_edge
from eec_bias.stats.facets import Facets, names_by_facet


@dataclass(frozen=True, slots=True)
class Logs:
    """Mean logarithms of scores in [0, 1] after their edge treatment: all the beta regression needs.

    Attributes
    ----------
    log_y, log_1my : (S, P) arrays
        Mean of log y and of log(1 − y) of each person; −inf where an untreated 0 or 1 occurs.
    touched : (S,) integer array
        Scores at an edge: exactly 0 or 1 (``none``, ``squeeze``), or outside [EPS, 1 − EPS] (``clip:EPS``).
    """

    log_y: Floats
    log_1my: Floats
    touched: Ints


@dataclass(frozen=True, slots=True)
class Sums:
    """Sufficient statistics of a persons × items table, for S systems, K cells with persons, P persons, J items.

    Attributes
    ----------
    count : (K,) float array
        Persons per cell.
    person : (S, P) array
        Person means.
    item : (S, K, J) array
        Means of each cell on each item.
    cell : (S, K) array
        Cell means.
    spread : (S, K) array
        Variance (ddof 1) of person means within the cell; NaN for a cell of one person.
    residual : (S, K) array
        Residual mean square over m·J: Σe²/((m − 1)(J − 1))/(mJ), 0 with a single item, and for one person, of whom
        nothing is left.
    logs : Logs or None
        Of the persons; None where no beta regression is asked for.
    runs : (S, P, N) array or None
        Person means in each run (prompt, seed) of a system; NaN where it has fewer than N. None without runs.
    crossed : tuple of (S, K) arrays
        Per facet above the items what names do to it as a whole, see `facets.names_by_facet`; empty where the scores
        of single sentences were not known.
    """

    count: Floats
    person: Floats
    item: Floats
    cell: Floats
    spread: Floats
    residual: Floats
    logs: Logs | None = None
    runs: Floats | None = None
    crossed: tuple[Floats, ...] = ()

    @property
    def run_counts(self) -> Floats:
        """Runs of each system, (S,); 1 where there are none."""
        if self.runs is None:
            return np.ones(len(self.person))
        return np.asarray((~np.isnan(self.runs[:, 0])).sum(axis=1), dtype=float)

    @property
    def cell_of_person(self) -> Ints:
        """Each person's cell, (P,)."""
        return np.repeat(np.arange(len(self.count)), self.count.astype(int))

    @property
    def items(self) -> int:
        """Return how many items there are."""
        return int(self.item.shape[2])


def summarise(
    values: Floats, cell: Ints, *, edge: str | None = None, score_range: tuple[float, float] = (0.0, 1.0),
    runs: Floats | None = None, facets: Facets | None = None,
) -> Sums:  # fmt: skip
    """Reduce scores in memory to sums.

    Parameters
    ----------
    values : (S, P, J) array
        Scores, persons sorted by cell.
    cell : (P,) integer array
        Each person's cell, ascending; a cell without persons takes no part.
    edge : {"none", "squeeze", "clip:EPS"}, optional
        What is done with scores at 0 and 1 before logarithms are taken; None: these are not needed.
    score_range : (float, float)
        What becomes 0 and 1 for the logarithms.
    runs : (S, P, N) array, optional
        Person means in each run.
    facets : Facets, optional
        Of the items; without them what names do to whole templates and words is not told.
    """
    items = values.shape[2]
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    count = np.diff(starts, append=len(cell)).astype(float)
    cell_of_person = np.repeat(np.arange(len(starts)), count.astype(int))
    item = np.add.reduceat(values, starts, axis=1) / count[:, None]
    deviation = np.empty_like(values)
    for k, (start, number) in enumerate(zip(starts.tolist(), count.astype(int).tolist(), strict=True)):
        persons = slice(start, start + number)
        np.subtract(values[:, persons], item[:, k : k + 1], out=deviation[:, persons])
    shift = deviation.mean(axis=2)
    cell_mean = item.mean(axis=2)
    squares = np.add.reduceat(np.einsum("spj,spj->sp", deviation, deviation) - items * shift**2, starts, axis=1)
    spread = np.add.reduceat(shift**2, starts, axis=1)
    logs = None if edge is None else take_logs(to_unit(values, score_range), edge)
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = np.maximum(squares, 0.0) / ((count - 1) * max(items - 1, 1) * count * items)
        residual = np.where(count > 1, residual, 0.0) if items > 1 else np.zeros_like(residual)
        person = cell_mean[:, cell_of_person] + shift
        crossed = () if facets is None else names_by_facet(deviation, cell_of_person, facets)
        return Sums(count, person, item, cell_mean, spread / (count - 1), residual, logs, runs, crossed)


def to_unit(values: Floats, score_range: tuple[float, float]) -> Floats:
    """Move scores to [0, 1]; the same array where they are there already."""
    low, high = score_range
    return values if (low, high) == (0.0, 1.0) else (values - low) / (high - low)


def treat_edges(y: Floats, edge: str, rows: int) -> Floats:
    """Move scores in [0, 1] into the open interval where the beta density lives.

    Parameters
    ----------
    y : array of any shape
        Scores in [0, 1].
    edge : {"none", "squeeze", "clip:EPS"}
        ``squeeze`` is (y(N − 1) + ½)/N (Smithson & Verkuilen 2006), ``clip:EPS`` bounds y by EPS and 1 − EPS,
        ``none`` leaves y as it is.
    rows : int
        Number N of rows of the fit.
    """
    eps = parse_edge(edge)
    if eps is not None:
        return np.clip(y, eps, 1.0 - eps)
    return (y * (rows - 1) + 0.5) / rows if edge == "squeeze" else y


def at_edge(y: Floats, edge: str) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Tell the scores at an edge; ``clip:EPS`` puts the edges at EPS and 1 − EPS."""
    eps = parse_edge(edge)
    return (y <= 0.0) | (y >= 1.0) if eps is None else (y < eps) | (y > 1.0 - eps)


AT_ONCE = 100_000
"""Numbers whose logarithms are held at once: few enough for the cache of a processor."""


def take_logs(y: Floats, edge: str) -> Logs:
    """Mean logarithms of every person, from scores (S, P, J) in [0, 1]."""
    systems, persons, items = y.shape
    by_person = y.reshape(-1, items)
    log_y, log_1my = np.empty(len(by_person)), np.empty(len(by_person))
    touched = np.zeros(len(by_person), dtype=np.intp)
    step = max(AT_ONCE // max(items, 1), 1)
    for start in range(0, len(by_person), step):
        some = slice(start, start + step)
        touched[some] = at_edge(by_person[some], edge).sum(axis=1)
        treated = treat_edges(by_person[some], edge, persons * items)
        # A score at the upper end may lie above 1 by rounding.
        with np.errstate(divide="ignore", invalid="ignore"):
            log_y[some] = np.log(treated).mean(axis=1)
            log_1my[some] = np.log(1.0 - treated).mean(axis=1)
    shape = systems, persons
    return Logs(log_y.reshape(shape), log_1my.reshape(shape), touched.reshape(shape).sum(axis=1))
