"""What a user hands over as data: a dataset, a frame, a table or a dict of columns, seen as columns."""

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from eec_bias.errors import DesignError, LabelsError, OptionError
from eec_bias.inputs.codes import Coded, encode, is_text
from eec_bias.inputs.fingerprint import content_hash
from eec_bias.inputs.matrices import refuse_doubles
from eec_bias.options import RESERVED, UNMARKED, Ints, check_names

SCHEMA = (
    "id", "text", "language", "template", "emotion", "word", "word_form", "speaker", "person", "person_form",
    "person_type", "gender", "race", "item", "pair", "word_status",
)  # fmt: skip
"""The columns every corpus has; any further text column is an identity axis."""

OF_SENTENCES = ("anchor",)
"""Columns of perturbed corpora that say something about the sentence, not about the person named in it."""

OF_SETS = ("rg", "group", "set", "case")
"""Columns of confounded data sets: race and gender in one, and the set a row belongs to."""

LABELS = ("labels", "label")
"""Columns of right answers, as trainers know them, whose numbers are no groups even where they have names."""

FIRST_AXES = ("race", "gender")

MARKS = frozenset("+:|=,")
"""What stands between axes and levels in the names of terms."""

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
    data : str
        The ``data:`` part of the signature; ``?`` where nothing is known.
    """

    columns: Mapping[str, Any]
    rows: int
    data: str = "?"

    def coded(self, name: str, *, ordered: bool = True) -> Coded:
        """Return one column as codes, see `codes.encode`.

        Raises
        ------
        LabelsError
            If the column is missing or cannot be read as labels.
        """
        if name not in self.columns:
            raise LabelsError(f"column {name!r} is missing; the data have {', '.join(self.columns) or 'no columns'}")
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
        return tuple("" if label is None else str(label) for label in labels)


def _take(column: Any, rows: Ints) -> Any:
    if hasattr(column, "take"):
        return column.take(rows)
    # A lazy column is read at once: row by row it takes a tenth of a millisecond each.
    whole = column[:]
    return [whole[row] for row in rows.tolist()]


def read_source(data: Any, name: str | None = None) -> Source:
    """See any kind of table as columns.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table, mapping, or anything with an arrow stream
        One row per sentence. A filtered or shuffled ``Dataset`` is taken as it stands.
    name : str, optional
        What the signature calls the data; by default the config name and version of a ``Dataset``.

    Raises
    ------
    LabelsError
        If ``data`` is not a table, or is several tables (splits).
    """
    if isinstance(data, Source):
        return data
    if isinstance(data, Mapping):
        return _from_mapping(data, name)
    if hasattr(data, "with_format") and hasattr(data, "info"):
        return _from_dataset(data, name)
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        refuse_doubles(map(str, data.columns), LabelsError)
        return Source({str(c): data[c] for c in data.columns}, len(data), name or "?")
    table = data if isinstance(data, pa.Table) else None
    if table is None and hasattr(data, "__arrow_c_stream__"):
        # A lone column streams too, and is no table.
        with contextlib.suppress(pa.ArrowInvalid):
            table = pa.table(data)
    if table is not None:
        return _from_table(table, name)
    raise LabelsError(
        f"data is of type {type(data).__name__}; expected a datasets.Dataset, a pandas.DataFrame, a pyarrow.Table or a "
        "dict of columns"
    )


def _from_mapping(data: Mapping[str, Any], name: str | None) -> Source:
    if any(hasattr(value, "with_format") for value in data.values()):
        raise LabelsError(
            f"data holds several splits ({', '.join(map(str, data))}); pass one, for example data['test']"
        )
    if not data:
        raise LabelsError("data has no columns; expected one row per sentence with race, gender, person and item")
    for column, values in data.items():
        if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
            raise LabelsError(f"column {column!r} is {values!r}; expected one label per row")
    sizes = {str(column): len(values) for column, values in data.items()}
    first, rows = next(iter(sizes.items()))
    for column, size in sizes.items():
        if size != rows:
            raise LabelsError(f"column {column!r} has {size} rows, column {first!r} has {rows}")
    return Source({str(column): values for column, values in data.items()}, rows, name or "?")


def _from_dataset(data: Any, name: str | None) -> Source:
    if not hasattr(data, "__len__"):
        raise LabelsError("data is a streamed dataset; load it without streaming")
    # A selection (filter, shuffle) lives in `_indices`; without one the table can be taken as it stands.
    whole = getattr(data, "_indices", True) is None
    table = data.data.table if whole else data.with_format("arrow")[:]
    for column, feature in data.features.items():
        if hasattr(feature, "names") and column not in LABELS:
            numbers = table.column(column)
            known = pc.if_else(pc.less(numbers, 0), None, numbers)
            table = table.set_column(table.column_names.index(column), column, pc.take(pa.array(feature.names), known))
    if name is None and data.info.config_name:
        name = _name(table, str(data.info.config_name), str(data.info.version or ""))
    return _from_table(table, name)


def _from_table(table: Any, name: str | None) -> Source:
    refuse_doubles(table.column_names, LabelsError)
    columns = {column: _without_views(table.column(column)) for column in table.column_names}
    if name is None:
        # Written by eec_datasets; a slice or filter keeps it, and the hash tells such parts from the whole.
        metadata = table.schema.metadata or {}
        name = _name(table, metadata.get(b"config", b"").decode(), metadata.get(b"version", b"").decode())
    return Source(columns, table.num_rows, name)


def _without_views(column: Any) -> Any:
    """Text for string views, such as those of polars, of which Arrow takes no rows."""
    kind = column.type
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        return column.cast(pa.dictionary(kind.index_type, pa.large_string()))
    return column.cast(pa.large_string()) if pa.types.is_string_view(kind) else column


def _name(table: Any, config: str, version: str) -> str:
    """Name of rows by corpus, version and content, ``?`` where the corpus is not known."""
    return f"{config}{'@' if version else ''}{version}#{content_hash(table)[:8]}" if config else "?"


def axis_names(axes: Sequence[str] | None, option: str = "axes") -> tuple[str, ...] | None:
    """Check the option ``axes``, or another that names columns of groups; None where it was not given.

    Raises
    ------
    OptionError
        If it is a plain string or names an axis twice.
    """
    if axes is None:
        return None
    if isinstance(axes, str):
        raise OptionError(f"{option} is the text {axes!r}; expected a sequence of names, such as ({axes!r},)")
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
    marked = {name: tuple(x for x in axis.levels if x != UNMARKED) for name, axis in axes.items()}
    short = [name for name, levels in marked.items() if len(levels) < 2]
    if requested and short:
        level = f"one marked level ({marked[short[0]][0]})" if marked[short[0]] else "no marked level"
        raise DesignError(f"axis {short[0]!r} has {level}; a comparison needs two: leave the axis out, or add a level")
    chosen = {name: axis for name, axis in axes.items() if name not in short}
    if not chosen and requested:
        raise DesignError("axes names no axis; name at least one, such as 'gender'")
    if not chosen:
        axes_listed = ", ".join(f"{name} ({', '.join(marked[name]) or UNMARKED})" for name in axes) or "no axis column"
        raise DesignError(f"no axis has two marked levels; found {axes_listed}; a comparison needs two")
    _refuse_ambiguous(chosen)
    return chosen


def _refuse_ambiguous(axes: Mapping[str, Coded]) -> None:
    """Refuse axes and levels that rows would be read by as something else: another column, an interaction."""
    for name, axis in axes.items():
        if name in RESERVED or set(name) & MARKS:
            raise DesignError(
                f"column {name!r} cannot be an axis by this name: beside the axes results have {', '.join(RESERVED)}, "
                f"and {' '.join(sorted(MARKS))} stand in terms; rename the column, or choose the axes without it"
            )
        joined = [level for level in axis.levels if ":" in level]
        if joined and len(axes) > 1:
            raise DesignError(
                f"axis {name!r} has the level {joined[0]!r}; a colon stands between the levels of crossed axes: write "
                "it otherwise"
            )


def lone_axes(axes: Mapping[str, Coded], kept: Iterable[str]) -> tuple[str, ...]:
    """Note the axes that are not kept for having one marked level; those with none say nothing of anybody."""
    marked = {name: [x for x in axis.levels if x != UNMARKED] for name, axis in axes.items() if name not in kept}
    return tuple(
        f"column {name!r} has one level, {levels[0]!r}: nothing is compared on it"
        for name, levels in marked.items()
        if len(levels) == 1
    )


def axis_candidates(source: Source) -> list[str]:
    """Race, gender and the text columns that the row schema does not know."""
    first = [name for name in FIRST_AXES if name in source.columns]
    # A lone column of such a name may well be an axis; with rg and another beside it, it is none.
    sets = [name for name in OF_SETS if name in source.columns]
    others = {*SCHEMA, *OF_SENTENCES, *(sets if "rg" in sets and len(sets) > 2 else ())}
    return first + [name for name, column in source.columns.items() if name not in others and _is_text(column)]


def _is_text(column: Any) -> bool:
    """Tell text from numbers by the type of a column, or by its first value that is not missing."""
    kind = getattr(column, "type", None)
    if isinstance(kind, pa.DataType):
        return is_text(kind)
    values = column.dropna() if hasattr(column, "dropna") else column
    present = (value for value in values if not (value is None or (isinstance(value, float) and math.isnan(value))))
    return isinstance(next(present, None), str)
