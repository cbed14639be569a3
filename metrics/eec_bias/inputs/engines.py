"""Rows in a table that need not fit in memory: read in batches, of which numbers are kept."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from eec_bias.inputs.chunks import Chunks
from eec_bias.inputs.engine_table import EngineFrame, check_rows, collected, read_frame
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.scores import check_range
from eec_bias.inputs.sources import Source
from eec_bias.inputs.systems import UNNAMED, Naming
from eec_bias.options import MeasureOptions

STEPS = ("checking scores and labels", "reading the rows", "measuring")

BATCH = 500_000
"""Rows that are read at once."""


def read_engine(
    frame: Any, scores: Sequence[str] | str, options: MeasureOptions, tell: Callable[[int], None]
) -> tuple[Observations, Outputs]:
    """Read the rows of any frame that narwhals knows.

    Parameters
    ----------
    frame : DuckDB relation, Spark or polars frame, pyarrow table, pandas frame, …
        The rows.
    scores : str or sequence of str
        Columns of scores; a text is the one column of an unnamed system.
    options : MeasureOptions
        What was asked for.
    tell : function of int
        Called before each of `STEPS`.
    """
    check_range(options.score_range)
    tell(0)
    columns = (scores,) if isinstance(scores, str) else tuple(scores)
    table = read_frame(frame, columns, options)
    named = None if isinstance(scores, str) or options.systems is not None else columns
    naming = Naming(options.systems, options.tasks, options.runs)
    if options.outputs in ("score", "ordinal"):
        check_rows(table, options, naming.name(len(columns), named, single=isinstance(scores, str)), len(columns))
    else:
        check_rows(table, options, UNNAMED, 0)
    tell(1)
    chunks = Chunks(options, unordered=True)
    for batch in _batches(table):
        given = [batch[f"#y{s}"] for s in range(len(columns))]
        outputs: Any = given
        if isinstance(scores, str):
            outputs = given[0]
        elif options.systems is None or options.outputs == "probabilities":
            outputs = dict(zip(columns, given, strict=True))
        labels = {name: batch[name] for name in batch.column_names if not name.startswith("#")}
        chunks.take(outputs, Source(labels, batch.num_rows, unordered=True))
    tell(2)
    return chunks.whole()


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
