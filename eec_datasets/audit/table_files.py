"""The files of a table that a user names: where they are, how big, and which columns they have."""

from __future__ import annotations

import csv
import glob
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eec_datasets.audit.engines import TableUnreadable
from eec_datasets.audit.errors import BadScoresFile
from eec_datasets.audit.score_tables import check_head

BIG_ROWS: Final = 2_000_000
BIG_BYTES: Final = 200_000_000
"""Tables of more rows (parquet) or bytes (CSV) go to DuckDB where no engine was asked for."""


@dataclass(frozen=True, slots=True)
class Files:
    """Files of one table.

    Attributes
    ----------
    given
        As the user wrote it.
    paths
        The files, or the address that an engine opens.
    kind
        ``parquet`` or ``csv``.
    """

    given: str
    paths: tuple[str, ...]
    kind: str

    @property
    def name(self) -> str:
        """What signatures call the data."""
        return Path(self.given).name.replace("|", "-")

    @property
    def big(self) -> bool:
        """Whether memory is better spared."""
        if "://" in self.given:
            return True
        if self.kind == "csv":
            return sum(Path(path).stat().st_size for path in self.paths) > BIG_BYTES
        import pyarrow.parquet as pq

        rows: int = sum(parquet(path, pq.read_metadata).num_rows for path in self.paths)
        return rows > BIG_ROWS

    @property
    def columns(self) -> list[str]:
        """Columns of the first file."""
        if self.kind == "csv":
            return header(self.paths[0])
        import pyarrow.parquet as pq

        return list(parquet(self.paths[0], pq.read_schema).names)


def find_files(given: str) -> Files:
    """Find the files of a table.

    Parameters
    ----------
    given
        A file, a folder of parquet files, a pattern (``part-*.parquet``), or an address that an engine opens
        (``s3://…``).

    Raises
    ------
    TableUnreadable
        There is no such file, or it is neither parquet nor CSV.
    """
    place = Path(given)
    if "://" in given:
        return Files(given, (given,), "parquet")
    if place.is_dir():
        paths = sorted(str(path) for path in place.rglob("*.parquet") if not path.name.startswith((".", "_")))
    else:
        # A pattern may be absolute, which Path.glob refuses.
        paths = [given] if place.is_file() else sorted(glob.glob(given, recursive=True))  # noqa: PTH207
    if not paths:
        raise TableUnreadable(
            f"There is no table {given}; expected a .parquet or .csv file, a folder of parquet files, or a pattern "
            "such as 'rows-*.parquet'."
        )
    kinds = {Path(path).suffix.lower().removeprefix(".") for path in paths}
    if len(kinds) > 1 or not kinds <= {"parquet", "csv"}:
        raise TableUnreadable(
            f"{given} is {' and '.join(sorted(kinds))}; expected parquet, or CSV, and one of them only."
        )
    return Files(given, tuple(paths), kinds.pop())


def header(path: str) -> list[str]:
    """Return the columns of a CSV file.

    Raises
    ------
    BadScoresFile
        The file cannot be read, is empty or names a column twice.
    """
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as stream:
            names = next(csv.reader(stream), [])
    except OSError as error:
        raise BadScoresFile(f"Cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise BadScoresFile(f"{path}:1: byte {byte:#04x} is not UTF-8. Save the file as UTF-8.") from error
    if not names:
        raise BadScoresFile(f"{path}: the file is empty; expected a first line with the names of the columns.")
    check_head(path, 1, names)
    return names


def parquet(path: str, read: Any, **options: Any) -> Any:
    """Read something of a parquet file.

    Raises
    ------
    TableUnreadable
        It is damaged, or none.
    """
    import pyarrow as pa

    try:
        return read(path, **options)
    except (OSError, pa.ArrowException) as error:
        raise TableUnreadable(f"{path}: cannot be read as parquet ({str(error).splitlines()[0]}).") from error
