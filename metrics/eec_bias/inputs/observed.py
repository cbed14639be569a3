"""Read the labels of rows: persons with their groups and families, items, and what pairs are paired by."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.data_name import DataName
from eec_bias.errors import LabelsError, OptionError
from eec_bias.inputs.axes import FIRST_AXES, axis_names, candidate_axes, keep_axes, lone_axes, signal_columns
from eec_bias.inputs.containers import Source
from eec_bias.inputs.coverage import LabelledRows
from eec_bias.inputs.labels import (
    Coded,
    check_column,
    compact,
    encode,
    first_change,
    first_rows,
    number_rows,
    refuse_lookalikes,
)
from eec_bias.notes import Note
from eec_bias.options import DEFAULTS, UNMARKED, Bools, Floats, Ints, MeasureOptions, check_names
from eec_bias.stats.facets import NO_WORD

OF_ITEMS = ("template", "word", "emotion")
"""Columns that hold one label per item."""

NONE = "none"
"""The word or emotion of a sentence without one, and the family of what is no name; a missing value says the same."""

FORM = "person_form"

SAID, PLACEBO = "said", "placebo"
"""The word that says a group, and the neutral word in its place; ``none`` where there is none."""

MOST_FAMILIES = 2
"""So many columns of families at most; what three partitions add up to has no formula here."""

NO_SIGNAL = frozenset({"", "none", "nan"})
"""Entries in a column of signals for a person without a signal; a missing value says the same."""

FIRST_WORD, LAST_WORD = WORDS_OF_NAMES = ("first word", "last word")
"""Families of persons whose names have several words, if the data name no others: those that share one."""

BETWEEN_WORDS = re.compile(r"[\s_-]+")

COUNTED = re.compile(r"[^\W\d]?\d+\W*")
"""A number at the end of a label, such as 3 or f3, which is no part of a name."""

ONE_FAMILY = "a name belongs to one family: correct the rows, or leave the column out with families"
ONE_WORD = "a person is said by one word: correct the rows, or give each word a person of its own"


@dataclass(frozen=True, slots=True)
class Observations:
    """The labels of all rows: U units (persons within their groups and bases) and the items they met.

    Attributes
    ----------
    person : Coded, length U
        The person of each unit.
    base : (U,) integer array
        What it is paired by, a position in ``bases``; −1: a name.
    bases : tuple of str
        The bases, sorted.
    axes : dict of str to Coded, length U
        Its level on each identity axis.
    of_persons : dict of str to tuple of str, length U
        What names share (``family``, ``ending``) and their form, as far as it is known.
    families : tuple of str
        The columns among these whose values are families of names.
    items : tuple of str
        The items.
    labels : dict of str to tuple of str
        Their templates, words and emotions, as far as they are known.
    rows : LabelledRows
        The unit and the item of each row.
    source : Source
        The data, with further columns.
    parts : Coded, length n, optional
        The value of the column that the data are cut by.
    notes : tuple of Note
        What was noted while the labels were read.
    """

    person: Coded
    base: Ints
    bases: tuple[str, ...]
    axes: dict[str, Coded]
    of_persons: dict[str, tuple[str, ...]]
    families: tuple[str, ...]
    items: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    rows: LabelledRows
    source: Source
    parts: Coded | None = None
    notes: tuple[Note, ...] = ()

    @property
    def data(self) -> DataName:
        """Return the name of the data."""
        return self.source.data

    def name_rows(self, first: int, second: int) -> str:
        """Name two rows in a message."""
        if self.source.unordered:
            return "two rows"
        return f"rows {first} and {second} (rows count from 0)"

    def only(self, rows: Ints) -> "Observations":
        """Return what was observed in some rows."""
        (units, unit), (items, item) = compact(self.rows.unit[rows]), compact(self.rows.item[rows])
        labels = self.of_items(items)
        return replace(
            self,
            person=self.person.take(units),
            base=self.base[units],
            axes={name: axis.take(units) for name, axis in self.axes.items()},
            of_persons={name: tuple(column[u] for u in units) for name, column in self.of_persons.items()},
            items=labels.pop("item"),
            labels=labels,
            rows=LabelledRows(unit, item, self.rows.position[rows]),
            parts=None,
            notes=(),
        )

    def scored(self, values: Floats) -> "Observations":
        """Keep the rows of which every system has a score; ``values`` are these (S, n)."""
        lacking = np.asarray(np.isnan(values).any(axis=0))[self.rows.position]
        if not lacking.any():
            return self
        rows = self.rows
        kept = LabelledRows(rows.unit[~lacking], rows.item[~lacking], rows.position[~lacking])
        parts = self.parts if self.parts is None else replace(self.parts, codes=self.parts.codes[~lacking])
        return replace(self, rows=kept, parts=parts)

    @property
    def neutral(self) -> Bools:
        """Return the units (U,) that have a neutral word in place of one for a group; they stand for no group."""
        words = self.of_persons.get(PLACEBO)
        if words is None:
            return np.zeros(len(self.base), dtype=bool)
        return np.array([word not in NO_WORD for word in words], dtype=bool)

    def marked(self, axis: str) -> Bools:
        """Return the units that have a level of the axis."""
        column = self.axes[axis]
        return np.array([level != UNMARKED for level in column.levels], dtype=bool)[column.codes]

    def texts(self, column: str, rows: Ints) -> tuple[str, ...] | None:
        """Return labels of a further column of the data at scores' rows; None where they are not known."""
        if not rows.size or (rows < 0).any():
            return None
        return self.source.texts(column, rows)

    def of_items(self, items: Ints) -> dict[str, tuple[str, ...]]:
        """Return columns that describe some of the items, as far as they are known."""
        columns = {"item": self.items} | self.labels
        chosen = items.tolist()
        return {name: tuple(map(labels.__getitem__, chosen)) for name, labels in columns.items()}


def label_rows(source: Source, options: MeasureOptions) -> Observations:
    """Read the labels of rows: whom each is about and what; errors as for `measure`."""
    requested = axis_names(options.axes)
    if options.by is not None and requested is not None and options.by in requested:
        raise OptionError(
            f"by {options.by!r} is one of the axes measured; take it out of the axes, or leave by out: the terms have "
            "the effects of each axis within the levels of the others, too"
        )
    person = source.coded("person")
    notes: tuple[Note, ...] = ()
    if requested is None:
        every, notes = candidate_axes(source, person, options.by)
    else:
        every = {name: source.coded(name) for name in requested}
    kept = keep_axes(every, requested=requested is not None)
    parts = None if options.by is None else source.coded(options.by)
    families = choose_families(options.families, source.columns)
    if not families and options.families == DEFAULTS.families:
        axes = {name: source.coded(name) for name in FIRST_AXES if name in source.columns} | every
        groups = {level for axis in axes.values() for level in axis.levels}
        words = words_of_names(source, person, groups)
        families, source = tuple(words), replace(source, columns={**source.columns, **words})
    notes = (*notes, *lone_axes(every, kept))
    return observe(source, kept, person, families=families, parts=parts, notes=notes)


def observe(
    source: Source, axes: Mapping[str, Coded], person: Coded, families: Sequence[str] = (), parts: Coded | None = None,
    notes: Sequence[Note] = (), *, own_pairs: bool = True,
) -> Observations:  # fmt: skip
    """Observe rows whose axes are known.

    Parameters
    ----------
    source : Source
        The data, with the columns ``item`` and, if they have it, ``pair``.
    axes : mapping of str to Coded
        The identity axes.
    person : Coded
        The person of each row.
    families : sequence of str
        Columns of families.
    parts : Coded, optional
        The column that the data are cut by.
    notes : sequence of Note
        What was noted so far.
    own_pairs : bool
        Whether pairs that have persons of their own are items.

    Raises
    ------
    LabelsError
        Naming the first row that is wrong.
    """
    item = source.coded("item")
    for column in (*axes.values(), person, item):
        check_column(column, "axis" if column.name in axes else column.name, source.place)
    base, bases = read_bases(source, item, axes)
    pair = _pairs_as_items(item, person, base, bases) if own_pairs else None
    if pair is not None:
        item, base, bases = pair, np.full(len(base), -1), ()
    unit, first = number_rows([person.codes, base, *(axis.codes for axis in axes.values())])
    of_units = {column.name: replace(column, codes=column.codes[first]) for column in axes.values()}
    return Observations(
        person=replace(person, codes=person.codes[first]),
        base=base[first],
        bases=bases,
        axes=of_units,
        of_persons=read_person_labels(source, person, unit, first, families, tuple(axes)),
        families=tuple(families),
        items=item.levels,
        labels=read_item_labels(source, item),
        rows=LabelledRows(unit, item.codes, np.arange(len(unit))),
        source=source,
        parts=parts,
        notes=tuple(notes),
    )


def read_bases(source: Source, item: Coded, axes: Mapping[str, Coded]) -> tuple[Ints, tuple[str, ...]]:
    """Return what each row is paired by, from the column ``pair``: its base (−1: a name), and the sorted bases.

    Raises
    ------
    LabelsError
        If a pair is neither its row's item nor the item followed by ``/`` and a base; or if there is no
        column ``pair`` although some rows are unmarked on an axis.
    """
    if "pair" not in source.columns:
        for column in axes.values():
            if UNMARKED in column.levels:
                raise LabelsError(
                    f"column 'pair' is missing, and {source.place(column.first(UNMARKED))} is unmarked on "
                    f"{column.name!r}; give the column 'pair', which tells names from noun phrases"
                )
        return np.full(source.rows, -1, dtype=np.intp), ()
    pair = source.coded("pair", ordered=False)
    key, first = number_rows([pair.codes, item.codes])
    kinds = []
    for row, whole, start in zip(first.tolist(), pair.texts(first), item.texts(first), strict=True):
        kind = whole.removeprefix(start)
        if not whole.startswith(start) or kind[:1] not in ("", "/") or kind == "/":
            raise LabelsError(
                f"{source.place(row)} has pair {whole!r} and item {start!r}; a pair is the item itself (names) or the "
                "item followed by '/' and what the row is paired by, such as 'mother_father'"
            )
        kinds.append(kind[1:])
    # The empty text, of names, is the first of the sorted levels.
    base = encode("pair", ["", *kinds])
    return base.codes[1:][key] - 1, base.levels[1:]


def _pairs_as_items(item: Coded, person: Coded, base: Ints, bases: tuple[str, ...]) -> Coded | None:
    """Return the pair of each row in place of its item, if each belongs to one item, and has persons of its own.

    The pair is the sample then, and its item the template that the test allows for. So are the versions of a text that
    someone wrote for two groups, with names of their own. None if the pairs are others.
    """
    if not len(base) or base.min() < 0:
        return None
    pair, first = number_rows([base])
    persons, first_of_person = number_rows([person.codes])
    own_item = first_change(item.codes, pair, first) is None
    own_persons = first_change(base, persons, first_of_person) is None
    if not own_item or not own_persons or len(first) < 2:
        return None
    names = [f"{item.levels[item.codes[row]]}/{bases[base[row]]}" for row in first.tolist()]
    return encode("pair", [names[k] for k in pair.tolist()])


def choose_families(requested: Sequence[str] | None, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of families that the data have, or those that were asked for.

    Parameters
    ----------
    requested : sequence of str, optional
        The option ``families``; None, empty or ``none`` for none.
    columns : iterable of str
        What the data have.

    Raises
    ------
    OptionError
        If there are more than two, or the data lack one that is no default.
    """
    if requested is None:
        return ()
    check_names("families", requested)
    known, names = list(columns), tuple(requested)
    if names == (NONE,):
        return ()
    if names == DEFAULTS.families:
        return tuple(name for name in names if name in known)
    if len(names) > MOST_FAMILIES or len(set(names)) != len(names):
        raise OptionError(
            f"families is {requested!r}; expected {MOST_FAMILIES} different columns at most, such as "
            "('family', 'ending'), or none"
        )
    for name in names:
        if name not in known:
            raise OptionError(
                f"families names the column {name!r}, which the data do not have; they have {', '.join(known)}"
            )
    return names


def words_of_names(source: Source, person: Coded, groups: Collection[str]) -> dict[str, Any]:
    """Return the first and the last word of each row's person as columns, as far as persons share them.

    Lakisha Johnson and Lakisha Jones are no independent draws, nor are Lakisha Johnson and Emily Johnson. The name of
    a group is no part of a name.
    """
    first_row = first_rows(person.codes, len(person.levels))
    names = source.texts(FORM, first_row) or person.levels
    words = [BETWEEN_WORDS.split(name.strip()) for name in names]
    found = {}
    for column, place in ((FIRST_WORD, 0), (LAST_WORD, -1)):
        shared = [of_name[place] if len(of_name) > 1 else NONE for of_name in words]
        known = {word for word in shared if not (word in groups or word == NONE or COUNTED.fullmatch(word))}
        shared = [word if word in known else NONE for word in shared]
        if 1 < len(known) < len(shared) - shared.count(NONE):
            found[column] = pa.DictionaryArray.from_arrays(pa.array(person.codes), pa.array(shared))
    return found


def read_person_labels(
    source: Source, person: Coded, unit: Ints, first: Ints, families: Sequence[str], axes: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Read what is further known of each unit.

    Parameters
    ----------
    source : Source
        Where the columns are.
    person : Coded, length n
        The person of each row, for messages.
    unit : (n,) integer array
        The unit of each row.
    first : (U,) integer array
        The first row of each unit.
    families : sequence of str
        Columns of families.
    axes : sequence of str
        The axes, on which signals are read; a column that is an axis itself is none.

    Raises
    ------
    LabelsError
        If a person has two labels in a column of families, or two signals, or a signal is no probability.
    """
    labels: dict[str, tuple[str, ...]] = {}
    for name in signal_columns(source.columns, axes):
        if name in axes:
            continue
        labels[name] = _read_signals(source, name, person, unit, first)
    worded = tuple(name for name in (SAID, PLACEBO) if name in source.columns and name not in (*families, *axes))
    for name in (*families, *worded):
        column = encode(name, source.columns[name], ordered=False, missing=NONE)
        row = first_change(column.codes, unit, first)
        if row is not None:
            since = int(first[unit[row]])
            raise LabelsError(
                f"column {name!r} gives person {person.levels[person.codes[row]]!r} the label "
                f"{column.levels[column.codes[since]]!r} in {source.place(since)} and "
                f"{column.levels[column.codes[row]]!r} in {source.place(row)}; "
                + (ONE_WORD if name in worded else ONE_FAMILY)
            )
        labels[name] = column.texts(first)
    forms = source.texts(FORM, first)
    if forms is not None:
        labels[FORM] = forms
    return labels


def _read_signals(source: Source, name: str, person: Coded, unit: Ints, first: Ints) -> tuple[str, ...]:
    """Read how strongly each unit signals its group, as text; empty where that is not known."""
    every = source.texts(name, np.arange(source.rows)) or ()
    values = np.array(["" if text.strip().lower() in NO_SIGNAL else text for text in every], dtype=object)
    row = first_change(values, unit, first)
    if row is not None:
        since = int(first[unit[row]])
        raise LabelsError(
            f"column {name!r} gives person {person.levels[person.codes[row]]!r} the signal {values[since] or 'none'} "
            f"in {source.place(since)} and {values[row] or 'none'} in {source.place(row)}; a name signals its group as "
            "strongly everywhere: correct the rows"
        )
    signals = tuple(values[first].tolist())
    for row, text in zip(first.tolist(), signals, strict=True):
        if text and not _is_probability(text):
            raise LabelsError(
                f"column {name!r} has {text!r} in {source.place(row)}; expected the probability of the group given the "
                "name, a number from 0 to 1, or none"
            )
    return signals


def _is_probability(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def read_item_labels(source: Source, item: Coded) -> dict[str, tuple[str, ...]]:
    """Read the labels of each level of ``item``, as far as there are columns of them.

    Parameters
    ----------
    source : Source
        Where the columns are.
    item : Coded
        The item of each row.

    Raises
    ------
    LabelsError
        If an item has two templates, words or emotions.
    """
    first = first_rows(item.codes, len(item.levels))
    labels: dict[str, tuple[str, ...]] = {}
    for name in (name for name in OF_ITEMS if name in source.columns):
        missing = None if name == "template" else NONE
        column = encode(name, source.columns[name], ordered=False, missing=missing)
        row = first_change(column.codes, item.codes, first)
        if row is not None:
            of_item, of_row = column.texts(np.array([first[item.codes[row]], row]))
            of = item.levels[item.codes[row]]
            raise LabelsError(
                f"column {name!r} gives item {of!r} both {of_item!r} and {of_row!r}; an item has one {name}: correct "
                f"the rows, or leave the column {name} out of the data, and its part of the test with it"
            )
        labels[name] = column.texts(first)
        refuse_lookalikes(column.levels, f"labels of the column {name!r}", LabelsError)
    return labels
