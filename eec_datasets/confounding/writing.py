"""Confounded data sets as files, each written whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.confounding.sets import ConfoundingError
from eec_datasets.whole import replacing

if TYPE_CHECKING:
    from pathlib import Path

    import datasets


def write(rows: datasets.Dataset, out: Path) -> Path:
    """Write the rows as parquet or CSV, by the ending of `out`.

    Raises
    ------
    ConfoundingError : the ending is another, or the file cannot be written.
    """
    if out.suffix not in (".parquet", ".csv"):
        raise ConfoundingError(f"--out {out}: expected a file that ends in .parquet or .csv")
    try:
        with replacing(out) as part:
            part.write_bytes(_bytes(rows, out.suffix))
    except OSError as error:
        raise ConfoundingError(f"cannot write {out}: {error.strerror}. Choose another --out") from error
    return out


def _bytes(rows: datasets.Dataset, suffix: str) -> bytes:
    import pyarrow as pa
    from pyarrow import csv

    from eec_datasets.release.building import to_parquet

    table = rows.data.table
    if suffix == ".parquet":
        return bytes(to_parquet(table))
    stream = pa.BufferOutputStream()
    csv.write_csv(table, stream)
    return bytes(stream.getvalue())
