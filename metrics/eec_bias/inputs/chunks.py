"""Rows that come in chunks: names as sums per unit and per group × item, noun phrases and pronouns as they are."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eec_bias.inputs.codes import encode, number_rows
from eec_bias.inputs.item_labels import ItemLabels, read_item_labels
from eec_bias.inputs.labels import EARLIER, Labels, number_bases, read_labels
from eec_bias.inputs.observed import Coverage, MemoryRows, Observations, Rows
from eec_bias.inputs.scores import ScoreReader, Scores
from eec_bias.inputs.sources import Source, axis_candidates
from eec_bias.inputs.totals import sum_up
from eec_bias.options import Floats, Ints
from eec_bias.sentences import refusal
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Sums, at_edge, to_unit, treat_edges


@dataclass(slots=True)
class Units:
    """Units and items, numbered by first appearance.

    Attributes
    ----------
    axes : tuple of str, optional
        Columns of groups; by default those of the first rows.
    spellings : dict of str to dict
        By column its labels by what they are without case and accents.
    unit_of : dict of tuple to int
        The units by person, base (empty: a name) and levels of the axes.
    item_of : dict of str to int
        The items.
    groups : dict of tuple of str to int
        Combinations of the axes' levels.
    group : list of int
        The group of each unit.
    labels : dict of str to dict
        By column the label of each item.
    """

    axes: tuple[str, ...] | None = None
    spellings: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    unit_of: dict[tuple[str, ...], int] = field(default_factory=dict)
    item_of: dict[str, int] = field(default_factory=dict)
    groups: dict[tuple[str, ...], int] = field(default_factory=dict)
    group: list[int] = field(default_factory=list)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)

    def read(self, source: Source) -> tuple[Labels, Ints, Ints]:
        """Read the labels of some rows in memory; number the unit and the item of each."""
        if self.axes is None:
            self.axes = tuple(axis_candidates(source))
        labels = read_labels(source, {name: source.coded(name) for name in self.axes}, self.spellings)
        unit, item = self.enter(labels)
        self.describe(labels.item.levels, read_item_labels(source, labels.item))
        return labels, unit, item

    def enter(self, labels: Labels) -> tuple[Ints, Ints]:
        """Number the unit and the item of each row."""
        axes = labels.axes.values()
        unit, first = number_rows([labels.person.codes, labels.base, *(axis.codes for axis in axes)])
        # The base of a name is -1, so its label is the last.
        bases = [(*labels.bases, "")[base] for base in labels.base[first].tolist()]
        keys = list(zip(labels.person.texts(first), bases, *(axis.texts(first) for axis in axes), strict=True))
        for key in keys:
            if key not in self.unit_of:
                self.unit_of[key] = len(self.unit_of)
                self.group.append(self.groups.setdefault(key[2:], len(self.groups)))
        items = [self.item_of.setdefault(label, len(self.item_of)) for label in labels.item.levels]
        unit_numbers = [self.unit_of[key] for key in keys]
        return np.array(unit_numbers, dtype=np.intp)[unit], np.array(items, dtype=np.intp)[labels.item.codes]

    def describe(self, items: Sequence[str], labels: ItemLabels) -> None:
        """Take in what some items are made of; a column that lacks for some of them is as good as none."""
        for name, item_labels in labels.items():
            label_of = self.labels.setdefault(name, {})
            for item, label in zip(items, item_labels, strict=True):
                if label_of.setdefault(item, label) != label:
                    raise refusal("two_labels", column=name, item=item, first=label_of[item], other=label)

    def observed(self, rows: int, names: MemoryRows | Rows, pairs: MemoryRows) -> Observations:
        """Return what is known of a number of rows."""
        persons, base_of_unit, *levels = map(list, zip(*self.unit_of, strict=True))
        axes = {name: encode(name, column) for name, column in zip(self.axes or (), levels, strict=True)}
        base, bases = number_bases(base_of_unit)
        items = tuple(self.item_of)
        whole = {name: label_of for name, label_of in self.labels.items() if len(label_of) == len(items)}
        labels = {name: tuple(label_of[item] for item in items) for name, label_of in whole.items()}
        return Observations(encode("person", persons), base, bases, axes, items, labels, rows, names, pairs)


@dataclass(slots=True)
class Chunks:
    """Takes scored rows in; of names it keeps sums, and one bit per unit × item that says whether they met.

    Attributes
    ----------
    scores : ScoreReader
        The systems.
    edge : str
        Edge treatment of the logarithms.
    units : Units
        Whom the rows were about.
    rows : int
        How many came.
    """

    scores: ScoreReader
    edge: str
    units: Units
    rows: int = 0
    _bits: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), dtype=np.uint8))
    _of_unit: Floats = field(default_factory=lambda: np.zeros((4, 0, 0)))
    _item: Floats = field(default_factory=lambda: np.zeros((0, 0, 0)))
    _square: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    _paired: list[tuple[Ints, Ints, Floats]] = field(default_factory=list)
    divisible = False

    def take(self, scores: Any, source: Source) -> None:
        """Take some rows in; after an error it must not be called again.

        Raises
        ------
        BiasError
            As `measure`; rows count from the beginning of the chunk.
        """
        if not source.rows:
            return
        labels, unit, item = self.units.read(source)
        values = self.scores.read(scores, source.rows)
        self._mark_rows(unit, item, labels)
        paired = labels.base >= 0
        if paired.any():
            self._paired.append((unit[paired].astype(np.int32), item[paired].astype(np.int32), values[:, paired]))
        if not paired.all():
            names = slice(None) if not paired.any() else ~paired
            self._add(values[:, names], unit[names], item[names])
        self.rows += source.rows

    def observed(self) -> tuple[Observations, Scores]:
        """Return what is known so far, and the scores of noun phrases and pronouns."""
        systems = len(self.scores.missing)
        unit, item = (np.concatenate([np.zeros(0, np.intp), *(part[k] for part in self._paired)]) for k in (0, 1))
        values = np.concatenate([np.zeros((systems, 0)), *(part[2] for part in self._paired)], axis=1)
        pairs = MemoryRows(unit.astype(np.intp), item.astype(np.intp), np.arange(len(unit)))
        return self.units.observed(self.rows, self, pairs), self.scores.whole(values, self.rows)

    def coverage(self, units: Ints, person: Ints) -> Coverage:
        """Say which items the units met."""
        bits = self._bits[units]
        items, shared = (
            np.flatnonzero(np.unpackbits(combine.reduce(bits, axis=0), bitorder="little"))
            for combine in (np.bitwise_or, np.bitwise_and)
        )

        missing = len(units) * len(items) - int(np.bitwise_count(bits).sum())
        if not missing:
            return Coverage(len(units), items, shared)
        p, j = np.argwhere(np.unpackbits(bits, axis=1, bitorder="little")[:, items] == 0)[0]
        return Coverage(len(units), items, shared, missing, (int(person[p]), int(items[j])))

    def sums(self, table: Table, edge: str) -> Sums:  # noqa: ARG002
        """Sum up a table; the edge treatment was applied as the rows came."""
        kept, (low, high) = self.scores.kept, self.scores.score_range
        middle = np.full((len(kept), 1), (low + high) / 2)
        return sum_up(
            table, np.array(self.units.group), middle=middle, of_unit=self._of_unit[:, kept],
            of_items=self._item[kept][:, :, table.codes], squares=self._square[kept],
        )  # fmt: skip

    def _mark_rows(self, unit: Ints, item: Ints, labels: Labels) -> None:
        """Set a bit per row, each of which must be new."""
        self._bits = _enlarged(self._bits, (len(self.units.unit_of), -(-len(self.units.item_of) // 8)))
        byte = unit * self._bits.shape[1] + (item >> 3)
        bit = np.left_shift(1, item & 7).astype(np.uint8)
        flat = self._bits.reshape(-1)
        repeated = (flat[byte] & bit) > 0
        if repeated.any():
            _refuse_again(int(repeated.argmax()), EARLIER, labels)
        np.bitwise_or.at(flat, byte, bit)
        if int(np.bitwise_count(self._bits).sum()) < self.rows + len(unit):
            key, first = number_rows([unit, item])
            row = int((first[key] != np.arange(len(key))).argmax())
            _refuse_again(row, f"row {first[key[row]]}", labels)

    def _add(self, values: Floats, unit: Ints, item: Ints) -> None:
        """Add the scores of names (S, n) to the sums."""
        systems, units, groups = len(values), len(self.units.unit_of), len(self.units.groups)
        self._of_unit = _enlarged(self._of_unit, (4, systems, units))
        self._item = _enlarged(self._item, (systems, groups, len(self.units.item_of)))
        self._square = _enlarged(self._square, (systems, groups))
        group, (_, rows, width) = np.array(self.units.group, dtype=np.intp)[unit], self._item.shape
        entry = group * width + item
        y = to_unit(values, self.scores.score_range)
        outside, y = at_edge(y, self.edge), treat_edges(y, self.edge, 0)
        for s, row in enumerate(values - sum(self.scores.score_range) / 2):
            with np.errstate(divide="ignore"):
                parts = [row, np.log(y[s]), np.log1p(-y[s])]
            for k, part in enumerate([*parts, outside[s]] if outside[s].any() else parts):
                self._of_unit[k, s] += np.bincount(unit, part, self._of_unit.shape[2])
            self._item[s] += np.bincount(entry, row, rows * width).reshape(rows, width)
            self._square[s] += np.bincount(group, row * row, self._square.shape[1])


def _refuse_again(row: int, earlier: str, labels: Labels) -> None:
    person, item = (column.levels[column.codes[row]] for column in (labels.person, labels.item))
    raise refusal("met_before", row=row, person=person, item=item, earlier=earlier)


def _enlarged(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the array with room for at least a shape, by half more, so that small chunks do not copy it every time."""
    more = [max(need - have, have // 2) if need > have else 0 for have, need in zip(array.shape, shape, strict=True)]
    return np.pad(array, [(0, count) for count in more]) if any(more) else array
