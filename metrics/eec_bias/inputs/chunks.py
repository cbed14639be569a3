"""Rows that come in chunks: labels become numbers as they come, scores are kept, and at the end all rows are one."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from eec_bias.errors import LabelsError, ScoresError
from eec_bias.inputs.codes import Coded, encode, number_rows
from eec_bias.inputs.emitted import scores_of_outputs
from eec_bias.inputs.item_labels import ItemLabels, read_item_labels
from eec_bias.inputs.labels import Labels, number_bases, read_labels
from eec_bias.inputs.matrices import as_numbers, by_system, columns_of, is_one_line
from eec_bias.inputs.observed import MemoryRows, Observations
from eec_bias.inputs.outputs import Outputs, read_outputs, with_noise
from eec_bias.inputs.person_labels import FORM, PersonLabels, choose_families, read_person_labels
from eec_bias.inputs.resolution import of_pieces
from eec_bias.inputs.runs import fold_runs
from eec_bias.inputs.scores import ScoreReader, check_range
from eec_bias.inputs.sources import Source, axis_candidates, axis_names
from eec_bias.inputs.systems import Naming
from eec_bias.options import Floats, Ints, MeasureOptions

Codes32 = NDArray[np.int32]


@dataclass(slots=True)
class ChunkedColumn:
    """A column of labels that comes in pieces, as numbers.

    Attributes
    ----------
    number : dict of str to int
        The labels, numbered by first appearance.
    codes : list of (n,) integer arrays
        The pieces.
    """

    number: dict[str, int] = field(default_factory=dict)
    codes: list[Codes32] = field(default_factory=list)

    def add(self, piece: Coded) -> None:
        """Take in a piece."""
        numbers = [self.number.setdefault(label, len(self.number)) for label in piece.levels]
        self.codes.append(np.array(numbers, dtype=np.int32)[piece.codes])

    @property
    def whole(self) -> Any:
        """All pieces as a dictionary array of arrow."""
        return pa.DictionaryArray.from_arrays(pa.array(np.concatenate(self.codes)), pa.array(list(self.number)))


@dataclass(slots=True)
class Units:
    """Units and items, numbered by first appearance.

    Attributes
    ----------
    axes : tuple of str, optional
        Columns of groups; by default those of the first rows.
    families : tuple of str, optional
        Columns of families of names, likewise.
    spellings : dict of str to dict
        By column its labels by what they are without case and accents.
    unit_of : dict of tuple to int
        The units by person, base (empty: a name) and levels of the axes.
    item_of : dict of str to int
        The items.
    of_items : dict of str to dict
        By column the label of each item.
    of_persons : dict of str to list
        By column the label of each unit.
    """

    axes: tuple[str, ...] | None = None
    families: tuple[str, ...] | None = None
    spellings: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    unit_of: dict[tuple[str, ...], int] = field(default_factory=dict)
    item_of: dict[str, int] = field(default_factory=dict)
    of_items: dict[str, dict[str, str]] = field(default_factory=dict)
    of_persons: dict[str, list[str]] = field(default_factory=dict)

    def read(self, source: Source, families: Sequence[str] | None) -> tuple[Codes32, Codes32]:
        """Read the labels of some rows; number the unit and the item of each."""
        if self.axes is None:
            self.axes = tuple(axis_candidates(source))
        if self.families is None:
            self.families = choose_families(families, source.columns)
        labels = read_labels(source, {name: source.coded(name) for name in self.axes}, self.spellings)
        unit, first = number_rows([labels.person.codes, labels.base, *(axis.codes for axis in labels.axes.values())])
        of_persons = read_person_labels(source, labels.person, unit, first, self.families, self.axes)
        units = self._enter(labels, first, of_persons)
        items = [self.item_of.setdefault(label, len(self.item_of)) for label in labels.item.levels]
        self._describe_items(labels.item.levels, read_item_labels(source, labels.item))
        return np.array(units, dtype=np.int32)[unit], np.array(items, dtype=np.int32)[labels.item.codes]

    def _enter(self, labels: Labels, first: Ints, of_persons: PersonLabels) -> list[int]:
        """Number new units, by the first row of each, and take in what else is known of them."""
        # The base of a name is -1, so its label is the last.
        bases = [(*labels.bases, "")[base] for base in labels.base[first].tolist()]
        axes = labels.axes.values()
        keys = list(zip(labels.person.texts(first), bases, *(axis.texts(first) for axis in axes), strict=True))
        known = len(self.unit_of)
        units = [self.unit_of.setdefault(key, len(self.unit_of)) for key in keys]
        for name, own in of_persons.items():
            column = self.of_persons.setdefault(name, [""] * known)
            column.extend([""] * (len(self.unit_of) - len(column)))
            for unit, label in zip(units, own, strict=True):
                if unit < known and column[unit] != label and name != FORM:
                    person = next(key[0] for key, number in self.unit_of.items() if number == unit)
                    mend = "a name signals its group as strongly everywhere: correct the rows"
                    if name in (self.families or ()):
                        mend = "a name belongs to one family: correct the rows, or leave the column out with families"
                    raise LabelsError(
                        f"column {name!r} gives person {person!r} the label {column[unit]!r} in an earlier chunk and "
                        f"{label!r} here; {mend}"
                    )
                column[unit] = label
        return units

    def _describe_items(self, items: Sequence[str], labels: ItemLabels) -> None:
        """Take in the template, word and emotion of new items; a column that some of them lack counts as absent."""
        for name, item_labels in labels.items():
            label_of = self.of_items.setdefault(name, {})
            for item, label in zip(items, item_labels, strict=True):
                if label_of.setdefault(item, label) != label:
                    raise LabelsError(
                        f"column {name!r} gives item {item!r} both {label_of[item]!r} and {label!r}; an item has one "
                        f"{name}: correct the rows, or leave the column {name} out of the data, and its part of the "
                        "test with it"
                    )

    def observed(self, rows: MemoryRows, **more: Any) -> Observations:
        """The observations of all rows; ``more`` are further attributes."""
        persons, base_of_unit, *levels = map(list, zip(*self.unit_of, strict=True))
        axes = {name: encode(name, column) for name, column in zip(self.axes or (), levels, strict=True)}
        base, bases = number_bases(base_of_unit)
        items = tuple(self.item_of)
        whole = {name: label_of for name, label_of in self.of_items.items() if len(label_of) == len(items)}
        return Observations(
            person=encode("person", persons),
            base=base,
            bases=bases,
            axes=axes,
            of_persons={name: tuple(column) for name, column in self.of_persons.items()},
            families=self.families or (),
            items=items,
            labels={name: tuple(label_of[item] for item in items) for name, label_of in whole.items()},
            rows=rows,
            **more,
        )


class OutputPieces:
    """Outputs of systems that come in pieces, the same systems every time."""

    def __init__(self, options: MeasureOptions) -> None:
        self.given = self.options = options
        self.naming = Naming(options.systems, options.tasks, options.runs)
        self.reader = ScoreReader(check_range(options.score_range), self.naming, holes=options.incomplete != "refuse")
        self._numbers: dict[str, list[Floats]] = {}
        self._labels: dict[str, ChunkedColumn] = {}
        self._names: tuple[str, ...] | None = None
        self._resolutions: list[float | None] = []

    def take(self, scores: Any, rows: int, source: Source) -> None:
        """Take in the outputs of some rows."""
        scores, self.options = scores_of_outputs(scores, self.given)
        self._resolutions.append(self.options.resolution)
        self.reader.score_range = check_range(self.options.score_range)
        kind = self.options.outputs
        if kind in ("score", "ordinal"):
            self._numbers.setdefault("", []).append(self.reader.read(scores, rows, source.place))
        elif kind == "class":
            self._take_labels(scores, rows)
        else:
            self._take_probabilities(scores, rows)

    def _take_labels(self, scores: Any, rows: int) -> None:
        if self.options.classes is not None:
            read_outputs(scores, rows, self.options, self.naming)
        lines, names = by_system(scores, rows)
        if names is None and is_one_line(lines):
            lines = [lines]
        keys = names or tuple(map(str, range(len(lines))))
        self._check_names(keys, names)
        for key, line in zip(keys, lines, strict=True):
            if len(line) != rows:
                raise ScoresError(f"{len(line)} classes for {rows} rows; give one class per row of the data")
            self._labels.setdefault(key, ChunkedColumn()).add(encode("predictions", line, ordered=False))

    def _take_probabilities(self, scores: Any, rows: int) -> None:
        read_outputs(scores, rows, self.options, self.naming)
        columns = columns_of(scores)
        pieces = {"": scores} if columns is None else columns
        self._check_names(tuple(pieces), None if columns is None else tuple(pieces))
        for key, piece in pieces.items():
            self._numbers.setdefault(key, []).append(as_numbers(piece))

    def _check_names(self, keys: tuple[str, ...], names: tuple[str, ...] | None) -> None:
        """Refuse other systems than those of the first piece."""
        if self._names is not None and keys != self._names:
            raise ScoresError(
                f"the systems are {', '.join(keys)}, those of the first chunk {', '.join(self._names)}; give the same "
                "systems in the same order in every chunk"
            )
        self._names = keys
        self._named = names is not None

    def whole(self, rows: int) -> Outputs:
        """Return the outputs of all rows."""
        scores: Any
        if self.options.outputs in ("score", "ordinal"):
            scores = self.reader.whole(np.concatenate(self._numbers[""], axis=1), rows)
        elif self.options.outputs == "class":
            columns = {key: column.whole for key, column in self._labels.items()}
            if self._named:
                scores = columns
            elif len(columns) == 1:
                scores = columns["0"]
            else:
                scores = list(columns.values())
        else:
            joined = {}
            for key, pieces in self._numbers.items():
                # Of several systems the rows are in the middle: systems × rows × classes.
                joined[key] = np.concatenate(pieces, axis=1 if pieces[0].ndim == 3 else 0)
            scores = joined if self._named else joined[""]
        read = with_noise(read_outputs(scores, rows, self.options, self.naming), of_pieces(self._resolutions))
        return fold_runs(read, self.options.few_runs)


class Chunks:
    """Collects scored rows as numbers: the unit, the item and the outputs of the systems of each.

    Parameters
    ----------
    options : MeasureOptions
        What says which columns are read and what the scores are.
    unordered : bool
        Whether the order of the rows means nothing, so that messages do not name them by it.
    """

    def __init__(self, options: MeasureOptions, *, unordered: bool = False) -> None:
        self.options = options
        self.unordered = unordered
        self.units = Units(axis_names(options.axes))
        self.outputs = OutputPieces(options)
        self.parts = ChunkedColumn()
        self.starts: list[int] = []
        self.rows = 0
        self._unit: list[Codes32] = []
        self._item: list[Codes32] = []

    def take(self, scores: Any, source: Source) -> None:
        """Take in some rows; after an error it must not be called again.

        Raises
        ------
        BiasError
            As `measure`; rows count from the beginning of the chunk.
        """
        self.starts.append(self.rows)
        if not source.rows:
            return
        unit, item = self.units.read(source, self.options.families)
        self.outputs.take(scores, source.rows, source)
        if self.options.by is not None:
            self.parts.add(source.coded(self.options.by))
        self._unit.append(unit)
        self._item.append(item)
        self.rows += source.rows

    def whole(self) -> tuple[Observations, Outputs]:
        """Return what is known of the rows so far, and the outputs of the systems."""
        unit, item = (np.concatenate(pieces, dtype=np.intp) for pieces in (self._unit, self._item))
        parts = None if self.options.by is None else encode(self.options.by, self.parts.whole)
        observed = self.units.observed(
            MemoryRows(unit, item, np.arange(self.rows)), parts=parts, name_rows=self._name_rows
        )
        return observed.on_axes(requested=self.options.axes is not None), self.outputs.whole(self.rows)

    def _name_rows(self, first: int, second: int) -> str:
        """Names of two rows, with their chunks."""
        if self.unordered:
            return "two rows"
        return f"{self._place(first)} and {self._place(second)} (chunks and their rows count from 0)"

    def _place(self, row: int) -> str:
        chunk = int(np.searchsorted(self.starts, row, side="right")) - 1
        return f"row {row - self.starts[chunk]} of chunk {chunk}"
