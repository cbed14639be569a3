"""Rows in a table of DuckDB, Spark or polars that need not fit in memory: labels become codes batch by batch."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from eec_bias.errors import OptionError, expect
from eec_bias.inputs.engine_table import EngineFrame, check_rows, collected, read_frame
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.reading import read_rows
from eec_bias.inputs.scores import check_range
from eec_bias.inputs.sources import Source
from eec_bias.inputs.systems import UNNAMED, Naming
from eec_bias.options import MeasureOptions, is_name

BATCH = 500_000
"""Rows that are read at once."""


def is_engine_table(data: Any) -> bool:
    """Return whether data are a relation of DuckDB, a frame of Spark, or a lazy frame of polars or narwhals."""
    kind = type(data)
    return kind.__name__ == "LazyFrame" or kind.__module__.partition(".")[0] in ("duckdb", "_duckdb", "pyspark")


def read_engine(frame: Any, scores: Any, options: MeasureOptions) -> tuple[Observations, Outputs]:
    """Read the rows of a table that stays in its engine.

    Of a row the scores and a code per label are kept. Texts are not, so nothing is said of wordings.

    Parameters
    ----------
    frame : DuckDB relation, Spark frame, or lazy frame of polars or narwhals
        The rows, in any order.
    scores : str or sequence of str
        Columns of scores; a text is the one column of an unnamed system.
    options : MeasureOptions
        As for `measure`.

    Raises
    ------
    ScoresError, LabelsError, OptionError
        As for `measure`. Rows are named by their ``id`` or, without that column, by person and item.
    """
    given = [scores] if isinstance(scores, str) else scores
    are_names = isinstance(given, list | tuple) and len(given) > 0 and all(map(is_name, given))
    expect(are_names, "scores", scores, "the name of a column of the table, or one per system")
    columns: tuple[str, ...] = tuple(given)
    for name in ("systems", "runs"):
        if isinstance(getattr(options, name), str):
            raise OptionError(
                f"{name} {getattr(options, name)!r} is a column of long data, which needs the table in memory; give a "
                "column of scores per system"
            )
    check_range(options.score_range)
    table = read_frame(frame, columns, options)
    named = None if isinstance(scores, str) or options.systems is not None else columns
    naming = Naming(options.systems, options.tasks, options.runs)
    if options.output_kind in ("score", "ordinal"):
        check_rows(table, options, naming.name(len(columns), named, single=isinstance(scores, str)), len(columns))
    else:
        check_rows(table, options, UNNAMED, 0)
    rows = _read(table)
    read = [rows[f"#y{s}"] for s in range(len(columns))]
    outputs: Any = read
    if isinstance(scores, str):
        outputs = read[0]
    elif options.systems is None or options.output_kind == "probabilities":
        outputs = dict(zip(columns, read, strict=True))
    labels = {name: rows[name] for name in rows.column_names if not name.startswith("#")}
    return read_rows(outputs, Source(labels, rows.num_rows, unordered=True), options)


def _read(table: EngineFrame) -> pa.Table:
    """Read a table with its labels as codes."""
    batches = [_coded(batch) for batch in _batches(table)]
    return pa.concat_tables(batches).unify_dictionaries().combine_chunks()


def _coded(batch: pa.Table) -> pa.Table:
    """Replace labels by codes; an id names a single row, and is only read to name the first that is wrong."""
    columns = {name: batch[name] for name in batch.column_names if name != "id"}
    for name, column in columns.items():
        if pa.types.is_string(column.type):
            columns[name] = column.dictionary_encode()
    return pa.table(columns)


def _batches(table: EngineFrame) -> Iterator[pa.Table]:
    """Read a table some rows at a time, where its engine can."""
    native = table.rows.to_native()
    # DuckDB changed the name.
    for name in ("to_arrow_reader", "fetch_arrow_reader"):
        if hasattr(native, name):
            for batch in getattr(native, name)(BATCH):
                yield pa.Table.from_batches([batch])
            return
    whole = collected(table.rows)
    for start in range(0, whole.num_rows, BATCH):
        yield whole.slice(start, BATCH)
