"""Rows in a table that need not fit in memory: names as sums that its engine takes, the other rows as they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import BiasError
from eec_bias.inputs.chunks import Units
from eec_bias.inputs.codes import encode
from eec_bias.inputs.engine_table import Frame, collected, narwhals, read_facts, read_frame, read_paired
from eec_bias.inputs.labels import Labels, check_column, refuse_unmarked
from eec_bias.inputs.observed import Coverage, MemoryRows, Observations
from eec_bias.inputs.scores import ScoreReader, Scores
from eec_bias.inputs.totals import sum_up
from eec_bias.options import Floats, Ints, parse_edge
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Sums, to_unit

STEPS = ("checking scores and labels", "counting names and sentences", "looking for doubles", "summing up")


def observe_frame(
    frame: Any, scores: Sequence[str], axes: Sequence[str] | None, reader: ScoreReader, tell: Callable[[int], None]
) -> tuple[Observations, Scores]:
    """Observe the rows of any frame that narwhals knows.

    Parameters
    ----------
    frame : DuckDB relation, Spark or polars frame, pyarrow table, pandas frame, …
        The rows.
    scores : sequence of str
        Columns of scores.
    axes : sequence of str, optional
        Columns of groups.
    reader : ScoreReader
        The systems' options; ``names`` where the columns name them.
    tell : function of int
        Called before each of `STEPS`.

    Returns
    -------
    What is known of the rows, and the scores of noun phrases and pronouns
    """
    tell(0)
    table = read_frame(frame, scores, axes)
    reader.systems = reader.naming.name(len(scores), reader.names, single=reader.names is None)
    rows, of_names, mean = read_facts(table, reader)
    tell(1)
    units = Units(table.axes)
    pairs, values = MemoryRows(*np.zeros((3, 0), dtype=np.intp)), np.zeros((table.systems, 0))
    names = count_names(table, units, reader, mean) if of_names else pairs
    tell(2)
    table.refuse_doubles()
    if of_names < rows:
        source, values = read_paired(table)
        try:
            _, unit, item = units.read(source)
        except BiasError as error:
            among = f"among the {source.rows} rows of noun phrases and pronouns, sorted by item and person"
            raise type(error)(f"{among}: {error}") from None
        pairs = MemoryRows(unit, item, np.arange(len(unit)))
    tell(3)
    return units.observed(rows, names, pairs), reader.whole(values, rows)


@dataclass(frozen=True, slots=True)
class EngineRows:
    """The rows of names, which stay in their engine: U units and J items by their numbers in `Observations`, G groups.

    Attributes
    ----------
    table : Frame
        The rows.
    units : Units
        Labels and units.
    reader : ScoreReader
        The systems.
    mean : (S,) array
        Their mean scores, subtracted before anything is summed, against loss of digits.
    number : (U,) integer array
        Rows of each unit.
    grid : (G, J) integer array
        Rows of each group on each item.
    """

    table: Frame
    units: Units
    reader: ScoreReader
    mean: Floats
    number: Ints
    grid: Ints
    divisible = True

    def coverage(self, units: Ints, person: Ints) -> Coverage:
        """Say which items the units met."""
        row_counts = self.grid[np.unique(np.array(self.units.group)[units])].sum(axis=0)
        items, shared = np.flatnonzero(row_counts), np.flatnonzero(row_counts == len(units))
        missing = len(units) * len(items) - int(self.number[units].sum())
        if not missing:
            return Coverage(len(units), items, shared)
        at = int(np.flatnonzero(self.number[units] < len(items))[0])
        label, _, *levels = list(self.units.unit_of)[int(units[at])]
        rows = self.table.names
        for name, wanted in zip(("person", *self.table.axes), (label, *levels), strict=True):
            rows = rows.filter(narwhals().col(name) == wanted)
        met = [self.units.item_of[item] for item in collected(rows.select("item"))["item"].to_pylist()]
        gap = int(person[at]), int(np.setdiff1d(items, met)[0])
        return Coverage(len(units), items, shared, missing, gap)

    def place(self, key: str, found: pa.Table) -> Any:
        """Positions of the units of rows by person and axes, or of the groups and items of rows by item and axes."""
        rows = list(zip(*(found[name].to_pylist() for name in (key, *self.table.axes)), strict=True))
        if key == "person":
            return ([self.units.unit_of[person, "", *levels] for person, *levels in rows],)
        groups = [self.units.groups[tuple(levels)] for _, *levels in rows]
        return groups, [self.units.item_of[item] for item, *_ in rows]

    def sums(self, table: Table, edge: str) -> Sums:
        """Sum up a table, in two passes over the rows."""
        nw, axes, kept = narwhals(), self.table.axes, self.reader.kept.tolist()
        rows = self.table.names
        if len(table.items) < self.grid.shape[1]:
            rows = rows.filter(nw.col("item").is_in(list(table.items)))
        columns: dict[str, Any] = {}
        for k, s in enumerate(kept):
            y = nw.col(f"#y{s}")
            c, unit = y - float(self.mean[s]), to_unit(y, self.reader.score_range)
            logs = log_columns(unit, edge, table.rows.size)
            columns |= {f"#{name}{k}": column for name, column in {"c": c, "square": c * c, **logs}.items()}
        rows = rows.select("person", "item", *axes, *(column.alias(name) for name, column in columns.items()))

        def add_up(key: str, shape: tuple[int, ...], *names: str) -> Floats:
            columns = [f"#{name}{k}" for name in names for k in range(len(kept))]
            found = collected(rows.group_by(key, *axes).agg(*(nw.col(column).sum() for column in columns)))
            sums = np.zeros((len(columns), *shape))
            sums[:, *self.place(key, found)] = [np.asarray(found[column].to_numpy(), float) for column in columns]
            return sums.reshape(len(names), len(kept), *shape)

        person, log_y, log_1my, low, high = add_up("person", self.number.shape, "c", "log", "log1m", "low", "high")
        if edge == "none":
            log_y[low > 0], log_1my[high > 0] = -np.inf, -np.inf
        item, square = add_up("item", self.grid.shape, "c", "square")
        return sum_up(
            table, np.array(self.units.group), middle=self.mean[kept][:, None],
            of_unit=np.stack([person, log_y, log_1my, low + high]), of_items=item[:, :, table.codes],
            squares=square.sum(axis=2),
        )  # fmt: skip


def count_names(table: Frame, units: Units, reader: ScoreReader, mean: Floats) -> EngineRows:
    """Check the labels of names, number their units, and count the rows of each unit and of each group × item."""
    nw, axes = narwhals(), list(table.axes)
    persons = collected(table.names.group_by("person", *axes).agg(nw.len().alias("#n")))
    # An item with two labels would stand in two rows.
    grid = collected(table.names.group_by("item", *axes, *table.of_items).agg(nw.len().alias("#n")))
    columns = {
        name: encode(name, grid[name] if name == "item" else persons[name]) for name in ("person", "item", *axes)
    }
    for name, column in columns.items():

        def where(label: str, name: str = name) -> str:
            return table.first(nw.col(name) == label)[0]

        check_column(column, "axis" if name in axes else name, units.spellings[name], where)
        if name in axes and not table.paired:
            refuse_unmarked(name, column.levels, where)
    base = np.full(persons.num_rows, -1, dtype=np.intp)
    units.enter(Labels({name: columns[name] for name in axes}, columns["person"], columns["item"], base, ()))
    units.describe(grid["item"].to_pylist(), {name: tuple(grid[name].to_pylist()) for name in table.of_items})
    number = np.zeros(len(units.unit_of), dtype=np.intp)
    counts = np.zeros((len(units.groups), len(units.item_of)), dtype=np.intp)
    names = EngineRows(table, units, reader, mean, number, counts)
    for key, found, count in (("person", persons, number), ("item", grid, counts)):
        np.add.at(count, names.place(key, found), found["#n"].to_numpy())
    return names


def log_columns(y: Any, edge: str, rows: int) -> dict[str, Any]:
    """Return logarithms of scores in [0, 1] after their edge treatment, and whether they lie at an edge.

    ``log`` and ``log1m`` are log y and log(1 − y), 0 where they are not finite; ``low`` and ``high`` 1 at an edge.
    log(1 − y) is log(u)·y/(1 − u) with u = 1 − y as it is rounded, which is exact for small y too (Kahan).
    """
    nw = narwhals()
    eps = parse_edge(edge)
    low, high = (y <= 0.0, y >= 1.0) if eps is None else (y < eps, y > 1.0 - eps)
    if eps is not None:
        y = nw.when(low).then(nw.lit(eps)).otherwise(nw.when(high).then(nw.lit(1.0 - eps)).otherwise(y))
    elif edge == "squeeze":
        y = (y * float(rows - 1) + 0.5) / float(rows)
    # Engines differ in what they make of log 0, so it is never asked for.
    above = nw.when(y > 0.0).then(y).otherwise(nw.lit(1.0))
    below = nw.when(y < 1.0).then(y).otherwise(nw.lit(0.0))
    rest = 1.0 - below
    lost = 1.0 - rest
    share = below / nw.when(lost > 0.0).then(lost).otherwise(nw.lit(1.0))
    return {
        "log": above.log(), "log1m": rest.log() * share,
        "low": low.cast(nw.Float64), "high": high.cast(nw.Float64),
    }  # fmt: skip
