"""What a user hands over as data: a dataset, a frame, a table or a dict, as columns."""

import contextlib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eec_bias.data_name import DataName
from eec_bias.errors import DesignError, LabelsError, OptionError, did_you_mean
from eec_bias.inputs.codes import Coded, encode, first_rows, is_text, number_rows
from eec_bias.inputs.containers import columns_of
from eec_bias.inputs.fingerprint import content_hash
from eec_bias.notes import Note
from eec_bias.options import RESERVED, UNMARKED, Ints, check_names

SCHEMA = (
    "id", "text", "language", "template", "emotion", "word", "word_form", "speaker", "person", "person_form",
    "person_type", "gender", "race", "item", "pair", "family", "ending", "word_status",
    "said", "placebo",
)  # fmt: skip
"""The columns every corpus has; any further text column is an identity axis."""

OF_SENTENCES = ("anchor",)
"""Columns of perturbed corpora that say something about the sentence, not about the person named in it."""

SIGNAL = "_signal"
"""At the end of a column's name, after that of an axis: how strongly a name signals its group on this axis."""

OF_SETS = ("rg", "group", "set", "case")
"""Columns of confounded data sets: race and gender in one, and the set a row belongs to."""

LABELS = ("labels", "label")
"""Columns of right answers, as trainers know them, whose numbers are no groups even where they have names."""

FIRST_AXES = ("race", "gender")

MARKS = frozenset("+:|=,")
"""What stands between axes and levels in the names of terms."""

SUCH_AS = ", such as:\n  person,gender,item\n  Alice,female,<name> called me\n  Bob,male,<name> called me"

EXPLAINED = {
    "person": f". A person is whom a sentence is about{SUCH_AS}",
    "item": f". An item is the sentence without its person: all sentences that differ only in the person{SUCH_AS}",
}
"""What the columns are without which nothing can be measured."""

NO_ROWS = "data has no rows; expected one row per sentence with race, gender, person and item"


@dataclass(frozen=True, slots=True)
class Source:
    """Columns of labels and the name of what they came from.

    Attributes
    ----------
    columns : mapping of str to column
        Raw columns by name.
    rows : int
        Number of rows.
    data : DataName
        Its name, as far as it is known.
    unordered : bool
        Whether the order of the rows means nothing, as in the table of an engine.
    """

    columns: Mapping[str, Any]
    rows: int
    data: DataName = field(default_factory=DataName)
    unordered: bool = False

    def place(self, row: int) -> str:
        """Name a row in a message: where it stands or, where its place means nothing, by what it holds."""
        if not self.unordered:
            return f"row {row} (rows count from 0)"
        (identifier,) = self.texts("id", np.array([row])) or ("",)
        if identifier:
            return f"row {identifier!r}"
        (person,), (item,) = (self.texts(name, np.array([row])) or ("",) for name in ("person", "item"))
        return f"the row of person {person!r} on item {item!r}"

    def coded(self, name: str, *, ordered: bool = True) -> Coded:
        """Return one column as codes, see `codes.encode`.

        Raises
        ------
        LabelsError
            If the column is missing or cannot be read as labels.
        """
        if name not in self.columns:
            known = ", ".join(self.columns) or "no columns"
            near = did_you_mean(name, self.columns)
            raise LabelsError(f"column {name!r} is missing; the data have {known}{near}{EXPLAINED.get(name, '')}")
        return encode(name, self.columns[name], ordered=ordered)

    def take(self, rows: Ints, names: Sequence[str]) -> "Source":
        """Return some rows of some columns, in the order given."""
        return Source({name: _take(self.columns[name], rows) for name in names}, len(rows), self.data)

    def texts(self, name: str, rows: Ints) -> tuple[str, ...] | None:
        """Return the labels of a column at some rows, unchecked; None where there is no such column."""
        if name not in self.columns:
            return None
        some = _take(self.columns[name], rows)
        labels = some.to_pylist() if hasattr(some, "to_pylist") else list(some)
        return tuple(["" if label is None else str(label) for label in labels])


def _take(column: Any, rows: Ints) -> Any:
    if hasattr(column, "take"):
        return column.take(rows)
    # A lazy column is read at once: row by row it takes a tenth of a millisecond each.
    whole = column[:]
    return [whole[row] for row in rows.tolist()]


def read_source(data: Any) -> Source:
    """Return the columns of any kind of table, with the name that it carries.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table, mapping, or anything with an arrow stream
        One row per sentence. A filtered or shuffled ``Dataset`` is taken as it is.

    Raises
    ------
    LabelsError
        If ``data`` is not a table, or is several tables (splits).
    """
    if isinstance(data, Source):
        return data
    name = DataName()
    table = data if isinstance(data, pa.Table) else None
    if isinstance(data, Mapping):
        _check_mapping(data)
    elif hasattr(data, "with_format") and hasattr(data, "info"):
        table = _table_of(data)
        name = DataName(str(data.info.config_name or ""), str(data.info.version or ""))
    elif isinstance(getattr(data, "attrs", None), Mapping):
        # A frame that pandas read from a file of eec perturb; a part of it has the name, too.
        name = DataName(" ".join(str(data.attrs.get("config") or "").split()))
    elif table is None and hasattr(data, "__arrow_c_stream__") and not hasattr(data, "iloc"):
        # A lone column streams too, and is no table.
        with contextlib.suppress(pa.ArrowInvalid):
            table = pa.table(data)
    columns = columns_of(data if table is None else table, LabelsError)
    if columns is None:
        raise LabelsError(
            f"data is of type {type(data).__name__}; expected a datasets.Dataset, a pandas.DataFrame, a pyarrow.Table "
            "or a dict of columns"
        )
    if table is None:
        return Source(columns, len(next(iter(columns.values()), ())), name)
    if not name.name:
        name = DataName.of_table(table)
    if name.name and not name.digest:
        # The name is that of the corpus; the digest tells a slice or a filtered part from the whole.
        name = replace(name, digest=content_hash(table)[:8])
    columns = {column: _without_views(values) for column, values in columns.items()}
    return Source(columns, table.num_rows, name)


def _check_mapping(data: Mapping[str, Any]) -> None:
    """Refuse what is no mapping of columns of the same length."""
    if any(hasattr(value, "with_format") for value in data.values()):
        raise LabelsError(
            f"data holds several splits ({', '.join(map(str, data))}); pass one, for example data['test']"
        )
    if not data:
        raise LabelsError("data has no columns; expected one row per sentence with race, gender, person and item")
    for column, values in data.items():
        if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
            raise LabelsError(f"column {str(column)!r} is {values!r}; expected one label per row")
    first = next(iter(data))
    for column, values in data.items():
        if len(values) != len(data[first]):
            raise LabelsError(
                f"column {str(column)!r} has {len(values)} rows, column {str(first)!r} has {len(data[first])}"
            )


def _table_of(data: Any) -> Any:
    """The rows of a dataset, with the names of their classes."""
    if not hasattr(data, "__len__"):
        raise LabelsError("data is a streamed dataset; load it without streaming")
    # A selection (filter, shuffle) lives in `_indices`; without one the table can be taken as it stands.
    table, chosen = data.data.table, data._indices
    if chosen is not None:
        # The dataset itself would pick them row by row, into thousands of chunks.
        table = table.take(chosen.column(0))
    for column, feature in data.features.items():
        if hasattr(feature, "names") and column not in LABELS:
            numbers = table.column(column)
            known = pc.if_else(pc.less(numbers, 0), None, numbers)
            table = table.set_column(table.column_names.index(column), column, pc.take(pa.array(feature.names), known))
    return table


def _without_views(column: Any) -> Any:
    """Text for string views, such as those of polars, of which Arrow takes no rows."""
    kind = column.type
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        return column.cast(pa.dictionary(kind.index_type, pa.large_string()))
    return column.cast(pa.large_string()) if pa.types.is_string_view(kind) else column


def axis_names(axes: Sequence[str] | None, option: str = "axes") -> tuple[str, ...] | None:
    """Check the option ``axes``, or another that names columns of groups; None where it was not given.

    Raises
    ------
    OptionError
        If it is no sequence of names, or names an axis twice.
    """
    if axes is None:
        return None
    check_names(option, axes)
    names = tuple(axes)
    for name in names:
        if name in ("person", "item", "pair"):
            raise OptionError(
                f"{option} names {name!r}, which says who or what a row is about; an axis is a column of groups, such "
                "as 'race'"
            )
    if len(set(names)) != len(names):
        raise OptionError(f"{option} {names!r} names an axis twice")
    return names


def choose_axes(source: Source, requested: tuple[str, ...] | None) -> dict[str, Coded]:
    """Code the identity axes, in the order of the report.

    Parameters
    ----------
    source : Source
        The data.
    requested : tuple of str, optional
        Axes by name; by default race, gender and every further text column that has at least two marked levels.

    Raises
    ------
    LabelsError
        If an axis is missing.
    DesignError
        If an axis asked for, or every axis, has fewer than two marked levels.
    """
    names = axis_candidates(source) if requested is None else requested
    return keep_axes({name: source.coded(name) for name in names}, requested=requested is not None)


def keep_axes(axes: Mapping[str, Coded], *, requested: bool) -> dict[str, Coded]:
    """Keep the axes with two marked levels; where they were asked for, all must have them; errors as `choose_axes`."""
    chosen = {name: axis for name, axis in axes.items() if len(axis.marked) >= 2}
    for name, axis in axes.items():
        if requested and name not in chosen:
            level = f"one marked level ({axis.marked[0]})" if axis.marked else "no marked level"
            raise DesignError(f"axis {name!r} has {level}; a comparison needs two: leave the axis out, or add a level")
    if not chosen and requested:
        raise DesignError("axes names no axis; name at least one, such as 'gender'")
    if not chosen:
        found = [f"{name} ({', '.join(axis.marked) or UNMARKED})" for name, axis in axes.items()] or ["no axis column"]
        raise DesignError(f"no axis has two marked levels; found {', '.join(found)}; a comparison needs two")
    for name, axis in chosen.items():
        # They would be read as something else: another column, an interaction.
        if name in RESERVED or set(name) & MARKS:
            raise DesignError(
                f"column {name!r} cannot be an axis by this name: beside the axes results have {', '.join(RESERVED)}, "
                f"and {' '.join(sorted(MARKS))} stand in terms; rename the column, or choose the axes without it"
            )
        joined = [level for level in axis.levels if ":" in level]
        if joined and len(chosen) > 1:
            raise DesignError(
                f"axis {name!r} has the level {joined[0]!r}; a colon stands between the levels of crossed axes: write "
                "it otherwise"
            )
    return chosen


def lone_axes(axes: Mapping[str, Coded], kept: Iterable[str]) -> tuple[Note, ...]:
    """Note the axes that are not kept for having one marked level; those with none say nothing of anybody."""
    return tuple(
        Note("one_level", {"name": name, "level": axis.marked[0]})
        for name, axis in axes.items()
        if name not in kept and len(axis.marked) == 1
    )


def axis_candidates(source: Source) -> list[str]:
    """Race, gender and the text columns that the row schema does not know."""
    first = [name for name in FIRST_AXES if name in source.columns]
    # A lone column of such a name may well be an axis; with rg and another beside it, it is none.
    sets = [name for name in OF_SETS if name in source.columns]
    others = {*SCHEMA, *OF_SENTENCES, *(sets if "rg" in sets and len(sets) > 2 else ())}
    others.update(signal_columns(source.columns, source.columns))
    return first + [name for name, column in source.columns.items() if name not in others and _is_text(column)]


def candidate_axes(source: Source, person: Coded, by: str | None) -> tuple[dict[str, Coded], tuple[Note, ...]]:
    """Return the columns that may be axes, and what is noted of them.

    Race and gender are; any other column is one only if it says the same of a person in every row. What differs between
    the sentences about one person, such as their polarity, says something about sentences. A label that stands for
    another person in every group is the exception: one item then meets it once in each.
    """
    found: dict[str, Coded] = {}
    varying: dict[str, Coded] = {}
    first = first_rows(person.codes, len(person.levels))
    for name in axis_candidates(source):
        if name == by:
            continue
        axis = source.coded(name)
        if name in FIRST_AXES or np.array_equal(axis.codes[first][person.codes], axis.codes):
            found[name] = axis
        elif len(axis.marked) > 1:
            varying[name] = axis
    if varying and "item" in source.columns:
        item = source.coded("item", ordered=False)
        cells = [person.codes, item.codes, *(axis.codes for axis in found.values())]
        if len(number_rows(cells)[1]) < source.rows:
            first_of_item = first_rows(item.codes, len(item.levels))
            apart = {
                name: axis
                for name, axis in varying.items()
                if not np.array_equal(axis.codes[first_of_item][item.codes], axis.codes)
            }
            if len(number_rows([*cells, *(axis.codes for axis in apart.values())])[1]) == source.rows:
                found |= apart
                varying = {name: axis for name, axis in varying.items() if name not in apart}
    own = [name for name, axis in found.items() if name not in FIRST_AXES and len(axis.marked) > 1]
    notes = []
    if not source.data.version and (own or varying):
        taken = [name for name, axis in found.items() if len(axis.marked) > 1]
        notes.append(Note("axes_taken", {"axes": ", ".join(taken) or "none"}))
    if varying:
        notes.append(Note("axes_vary_within_person", {"columns": ", ".join(varying)}))
    return found, tuple(notes)


def signal_columns(columns: Iterable[str], axes: Collection[str]) -> tuple[str, ...]:
    """Return the columns that say how strongly a name signals its group on one of the axes."""
    return tuple(name for name in columns if name.endswith(SIGNAL) and name.removesuffix(SIGNAL) in axes)


def _is_text(column: Any) -> bool:
    """Return whether a column is text, by its type or by its first value that is not missing."""
    kind = getattr(column, "type", None)
    if isinstance(kind, pa.DataType):
        return is_text(kind)
    values = column.dropna() if hasattr(column, "dropna") else column
    present = (value for value in values if not (value is None or (isinstance(value, float) and math.isnan(value))))
    return isinstance(next(present, None), str)
