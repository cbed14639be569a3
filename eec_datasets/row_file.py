"""Rows as Parquet or CSV files that are written whole or not at all."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from eec_bias.shared import check, replacing
from eec_datasets.errors import OutputError
from eec_datasets.text_file import FORMULA, NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import pyarrow as pa


def check_place(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a file that rows cannot be written to, before any are made.

    Raises
    ------
    OutputError
        The suffix is none of those known; or see `eec_bias.files.check`.
    """
    if path.suffix not in (".parquet", ".csv"):
        raise OutputError(f"{path}: the suffix is {path.suffix!r}; expected .parquet or .csv")
    check([path], overwrite=overwrite)


def write(
    path: Path,
    batches: Iterable[pa.RecordBatch],
    *,
    overwrite: bool = False,
    guard: bool = True,
    first: Callable[[int], Any] | None = None,
) -> int:
    """Write batches to a file under a temporary name, and give it its name when it is whole.

    Parameters
    ----------
    path
        ``.parquet`` or ``.csv``.
    batches
        Of one schema; every column is written as plain strings.
    overwrite
        Whether a file of this name may be replaced that we did not write, or that was changed since.
    guard
        Whether in CSV a text that a spreadsheet would take for a formula stands behind an apostrophe, which
        `eec measure` takes away again. Data that must stay byte for byte are written without.
    first
        Told the number of all rows when the file is whole but has not got its name: what it writes is there before
        the rows are.

    Returns
    -------
    int
        Number of rows.

    Raises
    ------
    OutputError
        See `check_place`; or there are no rows, or the place cannot be written.
    """
    check_place(path, overwrite=overwrite)
    with replacing(path, overwrite=overwrite) as part:
        count = _write(part, path.suffix, batches, guard=guard)
        if not count:
            raise OutputError(f"{path}: there are no rows to write. Nothing was written")
        if first:
            first(count)
    return count


def _write(part: Path, suffix: str, batches: Iterable[pa.RecordBatch], *, guard: bool) -> int:
    count = 0
    with contextlib.ExitStack() as opened, ThreadPoolExecutor(1) as writer:
        sink, writing = None, None
        for batch in batches:
            sink = sink or _open(part, suffix, batch.schema, opened, guard=guard)
            if writing:
                writing.result()
            # A batch is compressed while the next is made; no more than these two are held.
            writing = writer.submit(sink, batch)
            count += batch.num_rows
        if writing:
            writing.result()
    return count


def _open(
    part: Path, suffix: str, schema: pa.Schema, opened: contextlib.ExitStack, *, guard: bool
) -> Callable[[pa.RecordBatch], None]:
    """Open a file and return what writes a batch to it."""
    import pyarrow as pa

    # Opened here, as a path that is no UTF-8 could not be passed on.
    file = opened.enter_context(part.open("wb"))
    if suffix == ".csv":
        from pyarrow import csv

        plain = pa.schema([(name, pa.string()) for name in schema.names])
        table = opened.enter_context(csv.CSVWriter(file, plain))
        if guard:
            return lambda batch: table.write_batch(_guarded(batch.cast(plain)))
        return lambda batch: table.write_batch(batch.cast(plain))
    import pyarrow.parquet as pq

    # Without Arrow's own schema in the file, dictionaries are a way of storing strings and nothing else.
    labels = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    parquet = opened.enter_context(
        pq.ParquetWriter(
            file, schema, compression="zstd", compression_level=1, use_dictionary=labels or True, store_schema=False,
            write_statistics=labels or True, version="2.6",
        )
    )  # fmt: skip
    if schema.metadata:
        # With Arrow's schema the name of the rows would be left out, too.
        parquet.add_key_value_metadata(schema.metadata)
    return lambda batch: parquet.write_batch(batch, row_group_size=max(batch.num_rows, 1))


def _guarded(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The texts of a batch with what a spreadsheet would run behind an apostrophe, as `text_file.guarded`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def guard(column: pa.Array) -> pa.Array:
        formula = pc.match_substring_regex(column, FORMULA.pattern)
        if not pc.any(formula).as_py():
            return column
        run = pc.and_not(formula, pc.match_substring_regex(column, NUMBER.pattern))
        return pc.if_else(run, pc.binary_join_element_wise("'", column, ""), column)

    return pa.record_batch([guard(column) for column in batch.columns], schema=batch.schema)
