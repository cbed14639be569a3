"""Open what people hand over: data as columns, and scores without the container around them."""

import contextlib
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eec_bias.data_name import DataName
from eec_bias.errors import BiasError, LabelsError, ScoresError, did_you_mean
from eec_bias.inputs.labels import Coded, encode, name_row, refuse_lookalikes
from eec_bias.options import Ints

KEYS = frozenset({"id", "text", "sentence", "tweet", "prompt"})
"""Columns, in any case, by which rows without labels may be known."""

NO_ROWS = "data has no rows; expected one row per sentence with race, gender, person and item"

LABELS = ("labels", "label")
"""Columns of right answers, as trainers know them, whose numbers are no groups even where they have names."""

SUCH_AS = ", such as:\n  person,gender,item\n  Alice,female,<name> called me\n  Bob,male,<name> called me"

EXPLAINED = {
    "person": f". A person is whom a sentence is about{SUCH_AS}",
    "item": f". An item is the sentence without its person: all sentences that differ only in the person{SUCH_AS}",
}
"""Explanations of the columns without which nothing can be measured."""


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
            return name_row(row)
        (identifier,) = self.texts("id", np.array([row])) or ("",)
        if identifier:
            return f"row {identifier!r}"
        (person,), (item,) = (self.texts(name, np.array([row])) or ("",) for name in ("person", "item"))
        return f"the row of person {person!r} on item {item!r}"

    def coded(self, name: str, *, ordered: bool = True) -> Coded:
        """Return one column as codes, see `labels.encode`.

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
    """Return the rows of a dataset, with the names of their classes."""
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
    """Return text for string views, such as those of polars, of which Arrow takes no rows."""
    kind = column.type
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        return column.cast(pa.dictionary(kind.index_type, pa.large_string()))
    return column.cast(pa.large_string()) if pa.types.is_string_view(kind) else column


def content_hash(table: Any) -> str:
    """Return a checksum of the rows of an arrow table, independent of how they are stored.

    sha256 over, for each column in table order: the column's name as UTF-8, a zero byte, the value offsets
    of the column as one UTF-8 arrow array (little-endian int32, starting at 0, n + 1 of them), and the bytes
    of its values. Columns of lists, structures and floating-point numbers are what a user has added to the
    sentences (tokens, scores) and are left out, so that the rows keep their name.

    Parameters
    ----------
    table : pyarrow.Table
        Its other columns can be cast to text.

    Returns
    -------
    str
        64 hexadecimal digits; a signature shows the first 8.
    """
    digest = hashlib.sha256()
    for name in table.column_names:
        kind = table.schema.field(name).type
        if pa.types.is_nested(kind) or pa.types.is_floating(kind):
            continue
        digest.update(name.encode() + b"\0")
        # Joined behind an empty text they are one array, whose values begin at 0.
        texts = pa.concat_arrays([pa.array([""]), *table.column(name).cast(pa.string()).chunks])
        _, offsets, values = texts.buffers()
        digest.update(memoryview(offsets)[4 : 4 * (len(texts) + 1)])
        digest.update(values)
    return digest.hexdigest()


def columns_of(given: Any, error: type[BiasError] = ScoresError) -> dict[str, Any] | None:
    """Return the columns of a mapping, a frame or an arrow table, by name; None for anything else."""
    if isinstance(given, Mapping):
        refuse_lookalikes(given, "names", error)
        return {str(name): column for name, column in given.items()}
    if not hasattr(given, "columns"):
        return None
    if hasattr(given, "iloc"):
        refuse_doubles(given.columns, error)
        return {str(name): given[name] for name in given.columns}
    if not hasattr(given, "__arrow_c_stream__"):
        return None
    table = pa.table(given)
    refuse_doubles(table.column_names, error)
    return dict(zip(table.column_names, table.columns, strict=True))


def refuse_doubles(names: Iterable[object], error: type[BiasError]) -> None:
    """Refuse columns whose names are the same, or look so: only one of them would be read."""
    counts = Counter(names)
    for name, count in counts.items():
        if count > 1:
            raise error(f"{count} columns have the name {str(name)!r}; give each a name of its own")
    refuse_lookalikes(counts, "columns", error)


def values_of(column: Any) -> list[Any]:
    """Return the values of a column, whatever holds them."""
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    # A lazy column of a dataset is read at once.
    return list(column[:] if hasattr(column, "__getitem__") and not isinstance(column, Mapping) else column)


def is_missing(value: Any) -> bool:
    """Return whether a cell holds nothing: None, NaN, an empty text or list."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return isinstance(value, str | list | tuple) and len(value) == 0


def column_names(given: Any) -> list[str]:
    """Return the names of the columns of a dataset, frame, table or mapping; none of anything else."""
    if isinstance(given, Mapping):
        return [str(name) for name in given]
    names = getattr(given, "column_names", getattr(given, "columns", ()))
    return [str(name) for name in names] if isinstance(names, Iterable) else []


def is_column(value: Any) -> bool:
    """Return whether a value holds others in an order, as no text and no mapping does."""
    return hasattr(value, "__len__") and not isinstance(value, str | bytes | Mapping)


def open_scores(scores: Any, data: Any) -> Any:
    """Return scores without the container around them; anything else passes.

    A generator becomes a list; the name of a column of ``data`` that column; a list of records, and without ``data``
    a Series or a mapping by id or text, a table of columns.
    """
    if isinstance(scores, Iterator):
        scores = list(scores)
    if isinstance(scores, str) and data is not None and not isinstance(data, str) and scores in column_names(data):
        return data[scores]
    if _is_list_of_records(scores):
        names = dict.fromkeys(name for record in scores for name in record)
        return {name: [record.get(name) for record in scores] for name in names}
    if data is not None:
        return scores
    if hasattr(scores, "iloc") and not hasattr(scores, "columns") and scores.index.inferred_type == "string":
        return columns_by_key(dict(zip(scores.index, scores, strict=True)))
    if isinstance(scores, Mapping) and scores and not any(map(is_column, scores.values())):
        return columns_by_key(scores)
    return scores


def unpack(scores: Any, data: Any, source: Source) -> Any:
    """Return scores or outputs without the container around them, a mapping by ids or texts in the order of rows."""
    scores = open_scores(scores, data)
    if not isinstance(scores, Mapping):
        return scores
    every = np.arange(source.rows)
    return _in_order_of_keys(scores, *(source.texts(name, every) or () for name in ("id", "text")))


def _in_order_of_keys(scores: Any, ids: Sequence[str], texts: Sequence[str]) -> Any:
    """Return a mapping of ids or texts to scores or outputs as a list in the order of the rows; anything else passes.

    Raises
    ------
    ScoresError
        It holds single values, and they are not those of the ids or texts of the data.
    """
    if not isinstance(scores, Mapping) or not scores:
        return scores
    for keys in (ids, texts):
        if len(scores) <= sum(key in scores for key in keys):
            return [scores.get(key) for key in keys]
    if any(map(is_column, scores.values())):
        return scores
    first = next(iter(scores))
    known = "whose ids and texts are others" if ids or texts else "which have no column id or text"
    given = f"a dict of {len(scores):,} single values, such as {first!r}: {scores[first]!r}"
    raise ScoresError(
        f"scores is {given}, for data {known}; give a list in the order of the rows, or a dict with one list per system"
    )


def refuse_other_order(scores: Any, data: Any) -> None:
    """Refuse pandas scores whose index holds the data's ids, or the labels of the data's index, in another order.

    Scores are taken by position; where both carry labels that contradict this, one of the two was sorted. The labels
    of data that are no pandas are their positions.
    """
    several = list(scores.values()) if isinstance(scores, Mapping) else scores
    if isinstance(several, list | tuple) and several and hasattr(several[0], "iloc"):
        for each in several:
            refuse_other_order(each, data)
    if not hasattr(scores, "iloc"):
        return
    ours = scores.index
    if hasattr(data, "iloc"):
        theirs, remedy = data.index, "scores.loc[data.index]"
    else:
        theirs, remedy = scores.reset_index(drop=True).index, "scores.sort_index()"
    if "string" == ours.inferred_type != theirs.inferred_type and "id" in column_names(data):
        theirs, remedy = type(ours)(np.asarray(data["id"])), 'scores.loc[np.asarray(data["id"])]'
    if ours.equals(theirs) or not ours.sort_values().equals(theirs.sort_values()):
        return
    row = int(np.flatnonzero(np.asarray(ours != theirs))[0])
    raise ScoresError(
        f"the scores' index has the data's labels in another order: row {row} (rows count from 0) is {ours[row]!r} in "
        f"the scores and {theirs[row]!r} in the data; bring them into one order with {remedy}, or pass "
        "scores.to_numpy() if they are in the data's order already",
        row=row,
    )


def columns_by_key(scores: Mapping[Any, Any]) -> dict[str, list[Any]]:
    """Return scores by id or by sentence as columns; a sentence is known by its spaces."""
    name = "text" if any(" " in str(key) for key in scores) else "id"
    return {name: list(scores), "score": list(scores.values())}


def _is_list_of_records(given: Any) -> bool:
    """Return whether these are rows of a table, which say what each is about; outputs of a pipeline do not."""
    if not isinstance(given, list | tuple) or not given or not all(isinstance(each, Mapping) for each in given):
        return False
    return bool({str(name).casefold() for name in given[0]} & (KEYS | {"person"}))
