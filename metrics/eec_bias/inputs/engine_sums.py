"""Sums over names, taken by the engine that holds the rows: per person, and per group × item."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import DesignError
from eec_bias.inputs.chunk_labels import Gaps, Levels
from eec_bias.inputs.chunk_sums import ROUNDING
from eec_bias.inputs.codes import encode
from eec_bias.inputs.engine_table import Frame, collected, narwhals
from eec_bias.options import Floats, Ints
from eec_bias.stats.sums import Logs, Sums, parse_edge


@dataclass(frozen=True, slots=True)
class Crossing:
    """Who met what: U units (persons within their groups), K groups, J items.

    Attributes
    ----------
    levels : dict of str to Levels
        Labels of ``person``, ``item`` and the axes by number.
    person : (U,) integer array
        The person of each unit.
    groups : (K, A) integer array
        Levels of each group.
    group : (U,) integer array
        The group of each unit.
    met : (U,) integer array
        Rows of each unit.
    count : (K, J) integer array
        Rows of each group on each item.
    """

    levels: dict[str, Levels]
    person: Ints
    groups: Ints
    group: Ints
    met: Ints
    count: Ints


def names_only(frame: Frame) -> Any:
    """Return the rows of names."""
    nw = narwhals()
    return frame.rows.filter(nw.col("pair") == nw.col("item")) if frame.paired else frame.rows


def cross(frame: Frame) -> Crossing:
    """Count the rows of every person, and of every group on every item."""
    nw = narwhals()
    rows, axes = names_only(frame), list(frame.axes)
    units = collected(rows.group_by("person", *axes).agg(nw.len().alias("#n")))
    grid = collected(rows.group_by("item", *axes).agg(nw.len().alias("#n")))
    tables = {"person": [units], "item": [grid]} | {name: [units, grid] for name in axes}
    levels = {name: _levels([table[name] for table in found]) for name, found in tables.items()}
    key = {name: codes(levels[name], name, units[name]) for name in ("person", *axes)}
    order = np.lexsort([key[name] for name in (*reversed(axes), "person")])
    of_axes = (
        np.stack([key[name][order] for name in axes], axis=1) if axes else np.zeros((len(order), 0), dtype=np.intp)
    )
    groups, group = np.unique(of_axes, axis=0, return_inverse=True)
    count = np.zeros((len(groups), len(levels["item"].number)), dtype=np.intp)
    where = place(grid, axes, levels, groups)
    count[where, codes(levels["item"], "item", grid["item"])] = grid["#n"].to_numpy()
    met = units["#n"].to_numpy()[order].astype(np.intp)
    return Crossing(levels, key["person"][order], groups, group.reshape(-1), met, count)


def _levels(columns: Sequence[Any]) -> Levels:
    """Number labels in their order, so that nothing depends on the order of rows."""
    texts = sorted({text for column in columns for text in column.unique().to_pylist()})
    return Levels({text: k for k, text in enumerate(texts)})


def codes(levels: Levels, name: str, column: Any) -> Ints:
    """Number the labels of a column."""
    return levels.codes(encode(name, column, ordered=False))


def place(table: Any, axes: Sequence[str], levels: dict[str, Levels], groups: Ints) -> Ints:
    """Find the group of each row of a table of groups."""
    number = {group: k for k, group in enumerate(map(tuple, groups.tolist()))}
    columns = [codes(levels[name], name, table[name]).tolist() for name in axes]
    return np.array([number[key] for key in zip(*columns, strict=True)] if columns else [0] * len(table), dtype=np.intp)


def refuse_doubles(frame: Frame) -> None:
    """Refuse persons who meet an item twice.

    Raises
    ------
    DesignError
        Naming the first of them.
    """
    nw = narwhals()
    key = ["person", *frame.axes, "item"]
    twice = names_only(frame).group_by(*key).agg(nw.len().alias("#n")).filter(nw.col("#n") > 1)
    found = collected(twice.sort("person", "item", *frame.axes).head(1)).to_pylist()
    if found:
        what = found[0]
        where = ", ".join(f"{name}={what[name]}" for name in frame.axes)
        raise DesignError(
            f"{what['#n']} rows give person {what['person']!r} ({where}) on item {what['item']!r}; each person meets "
            "each item once"
        )


@dataclass(frozen=True, slots=True)
class FrameSums:
    """The sums of names in a table, see `streamed_result.NameSums`.

    Attributes
    ----------
    frame : Frame
        The rows.
    crossing : Crossing
        Who met what.
    kept : tuple of int
        Systems that have scores.
    middle : (S,) array
        Their mean scores, subtracted before anything is summed, against loss of digits.
    score_range : (float, float)
        Lowest and highest possible score.
    """

    frame: Frame
    crossing: Crossing
    kept: tuple[int, ...]
    middle: Floats
    score_range: tuple[float, float]

    def gaps(self, units: Ints) -> Gaps:
        """Return which items the units met."""
        met = self.crossing.count[np.unique(self.crossing.group[units])].sum(axis=0)
        found = np.flatnonzero(met)
        count = len(units) * len(found) - int(self.crossing.met[units].sum())

        def first() -> tuple[int, int]:
            unit = int(units[self.crossing.met[units] < len(found)][0])
            return unit, int(np.setdiff1d(found, self._items_of(unit))[0])

        return Gaps(found, np.flatnonzero(met == len(units)), count, first)

    def remedy(self, gaps: Gaps) -> str:
        """Say what can be done about gaps."""
        kept = len(gaps.shared)
        cut = f", or pass incomplete='shared' to keep the {kept} items all persons share" if kept else ""
        return f": add the rows{cut}"

    def _items_of(self, unit: int) -> Ints:
        nw = narwhals()
        levels = self.crossing.levels
        labels = {"person": list(levels["person"].number)[self.crossing.person[unit]]}
        for name, code in zip(self.frame.axes, self.crossing.groups[self.crossing.group[unit]], strict=True):
            labels[name] = list(levels[name].number)[code]
        rows = names_only(self.frame)
        for name, label in labels.items():
            rows = rows.filter(nw.col(name) == label)
        return codes(levels["item"], "item", collected(rows.select("item"))["item"])

    def sum_up(self, units: Ints, cell: Ints, items: Ints, edge: str) -> Sums:
        """Return the sums of a table, in two passes over the rows."""
        nw = narwhals()
        labels = list(self.crossing.levels["item"].number)
        rows = names_only(self.frame)
        if len(items) < len(labels):
            rows = rows.filter(nw.col("item").is_in([labels[j] for j in items.tolist()]))
        keys = [nw.col(name) for name in ("person", "item", *self.frame.axes)]
        columns: dict[str, Any] = {}
        for k, s in enumerate(self.kept):
            y, (low, high) = nw.col(f"#y{s}"), self.score_range
            unit = y if (low, high) == (0.0, 1.0) else (y - low) / (high - low)
            named = {"c": y - float(self.middle[k]), **log_columns(unit, edge, len(units) * len(items))}
            columns |= {f"#{name}{k}": column for name, column in named.items()}
        rows = rows.select(*keys, *(column.alias(name) for name, column in columns.items()))
        of_person = self._by_person(rows, list(columns), units)
        logs = self._logs(of_person, len(items), edge)
        return self._means(rows, of_person["c"] / len(items), units, cell, items, logs)

    def _by_person(self, rows: Any, columns: Sequence[str], units: Ints) -> dict[str, Floats]:
        """Return the sums of columns over each unit, (S, P) by the columns' names without the system."""
        nw, c = narwhals(), self.crossing
        axes = self.frame.axes
        table = collected(rows.group_by("person", *axes).agg(*(nw.col(name).sum() for name in columns)))
        # A person of several groups is a unit in each.
        number = {key: u for u, key in enumerate(zip(c.person.tolist(), c.group.tolist(), strict=True))}
        person = codes(c.levels["person"], "person", table["person"]).tolist()
        group = place(table, axes, c.levels, c.groups).tolist()
        at = np.full(len(c.person), -1, dtype=np.intp)
        at[[number[key] for key in zip(person, group, strict=True)]] = np.arange(len(person))
        systems = range(len(self.kept))
        names = dict.fromkeys(name.strip("#0123456789") for name in columns)
        return {name: np.stack([_numbers(table[f"#{name}{k}"])[at[units]] for k in systems]) for name in names}

    def _means(self, rows: Any, person: Floats, units: Ints, cell: Ints, items: Ints, logs: Logs) -> Sums:
        """Put means together from sums per unit and from sums and variances per group × item."""
        by_item, within, number = self._by_item(rows, items)
        group_cell = np.full(len(self.crossing.groups), -1, dtype=np.intp)
        group_cell[self.crossing.group[units]] = cell
        count = np.bincount(cell).astype(float)
        shape = (len(person), len(count), len(items))
        item, squares = np.zeros(shape), np.zeros(shape)
        for g in np.flatnonzero(group_cell >= 0).tolist():
            item[:, group_cell[g]] += by_item[:, g]
        item /= count[:, None]
        for g in np.flatnonzero(group_cell >= 0).tolist():
            k = group_cell[g]
            squares[:, k] += within[:, g] + number[g] * (by_item[:, g] / number[g] - item[:, k]) ** 2
        j, free, mean = len(items), count - 1, item.mean(axis=2)
        shift = person - mean[:, cell]
        between = np.add.reduceat(shift**2, np.searchsorted(cell, np.arange(len(count))), axis=1)
        total = squares.sum(axis=2)
        rest = total - j * between
        # What is left of sums this large after they cancel is rounding.
        rest = np.where(rest > ROUNDING * total, rest, 0.0) if j > 1 else np.zeros_like(rest)
        residual = rest / (free * max(j - 1, 1) * count * j)
        middle = self.middle[:, None]
        return Sums(count, person + middle, item + middle[:, :, None], mean + middle, between / free, residual, logs)

    def _by_item(self, rows: Any, items: Ints) -> tuple[Floats, Floats, Floats]:
        """Return sums and sums of squared deviations, (S, K, J), and the number of rows, (K, J)."""
        nw, c = narwhals(), self.crossing
        systems = range(len(self.kept))
        asked = [nw.col(f"#c{k}").sum().alias(f"#sum{k}") for k in systems]
        asked += [nw.col(f"#c{k}").var(ddof=0).alias(f"#var{k}") for k in systems]
        table = collected(rows.group_by("item", *self.frame.axes).agg(*asked))
        group = place(table, self.frame.axes, c.levels, c.groups)
        column = np.full(len(c.levels["item"].number), -1, dtype=np.intp)
        column[items] = np.arange(len(items))
        where = group, column[codes(c.levels["item"], "item", table["item"])]
        found = np.zeros((2, len(self.kept), len(c.groups), len(items)))
        for k in systems:
            found[0, k][where] = _numbers(table[f"#sum{k}"])
            found[1, k][where] = _numbers(table[f"#var{k}"])
        number = c.count[:, items].astype(float)
        return found[0], found[1] * number, number

    def _logs(self, sums: dict[str, Floats], items: int, edge: str) -> Logs:
        log_y, log_1my = sums["log"] / items, sums["log1m"] / items
        if edge == "none":
            log_y[sums["low"] > 0] = -np.inf
            log_1my[sums["high"] > 0] = -np.inf
        touched = (sums["low"] + sums["high"]).sum(axis=1).astype(np.intp)
        return Logs(log_y, log_1my, touched)


def log_columns(y: Any, edge: str, rows: int) -> dict[str, Any]:
    """Return logarithms of scores in [0, 1] after their edge treatment, and whether they lie at an edge.

    Parameters
    ----------
    y : narwhals.Expr
        Scores in [0, 1].
    edge : {"none", "squeeze", "clip:EPS"}
        The treatment.
    rows : int
        Number of rows of the fit.

    Returns
    -------
    dict
        ``log`` and ``log1m``, log y and log(1 − y), 0 where they are not finite; ``low`` and ``high``, 1 at an edge.

    Notes
    -----
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


def _numbers(column: pa.ChunkedArray) -> Floats:
    return np.asarray(column.to_numpy(), dtype=np.float64)
