"""Confounded data sets as files, each written whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.design.sets import ConfoundingError
from eec_datasets.files import replacing

if TYPE_CHECKING:
    from pathlib import Path

    import datasets


def check(out: Path, *, overwrite: bool = False) -> None:
    """Refuse a file that cannot be what is wanted, before any rows are made.

    Raises
    ------
    ConfoundingError : its ending is another than .parquet or .csv, or it is there and may not be replaced.
    """
    if out.suffix not in (".parquet", ".csv"):
        raise ConfoundingError(f"--out {out}: expected a file that ends in .parquet or .csv")
    if out.exists() and not overwrite:
        raise ConfoundingError(f"--out {out} is already there; choose another file, or replace it with --overwrite")


def write(rows: datasets.Dataset, out: Path, *, overwrite: bool = False) -> Path:
    """Write the rows as parquet or CSV, by the ending of `out`.

    Raises
    ------
    ConfoundingError : see `check`; or the file cannot be written.
    """
    check(out, overwrite=overwrite)
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
