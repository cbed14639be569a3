"""Containers that people hand over, opened before anything reads what is in them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import BiasError, ScoresError
from eec_bias.inputs.lookalikes import refuse_lookalikes

KEYS = frozenset({"id", "text", "sentence", "tweet", "prompt"})
"""Columns, in any case, by which rows without labels may be known."""


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
    if isinstance(scores, Mapping) and scores and not any(map(_is_column, scores.values())):
        return columns_by_key(scores)
    return scores


def columns_by_key(scores: Mapping[Any, Any]) -> dict[str, list[Any]]:
    """Return scores by id or by sentence as columns; a sentence is known by its spaces."""
    name = "text" if any(" " in str(key) for key in scores) else "id"
    return {name: list(scores), "score": list(scores.values())}


def column_names(given: Any) -> list[str]:
    """Return the names of the columns of a dataset, frame, table or mapping; none of anything else."""
    if isinstance(given, Mapping):
        return [str(name) for name in given]
    names = getattr(given, "column_names", getattr(given, "columns", ()))
    return [str(name) for name in names] if isinstance(names, Iterable) else []


def _is_list_of_records(given: Any) -> bool:
    """Return whether these are rows of a table, which say what each is about; outputs of a pipeline do not."""
    if not isinstance(given, list | tuple) or not given or not all(isinstance(each, Mapping) for each in given):
        return False
    return bool({str(name).casefold() for name in given[0]} & (KEYS | {"person"}))


def _is_column(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str | bytes | Mapping)


def in_order_of_keys(scores: Any, ids: Sequence[str], texts: Sequence[str]) -> Any:
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
    if any(map(_is_column, scores.values())):
        return scores
    first = next(iter(scores))
    known = "whose ids and texts are others" if ids or texts else "which have no column id or text"
    given = f"a dict of {len(scores):,} single values, such as {first!r}: {scores[first]!r}"
    raise ScoresError(
        f"scores is {given}, for data {known}; give a list in the order of the rows, or a dict with one list per system"
    )


def columns_of(given: Any, error: type[BiasError] = ScoresError) -> dict[str, Any] | None:
    """The columns of a mapping, a frame or an arrow table, by name; None for anything else."""
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
