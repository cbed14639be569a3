"""The files of a table that a user names: where they are, how big, which columns they have, and their rows."""

from __future__ import annotations

import csv
import glob
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import BadScores
from eec_datasets.systems.score_file import MARK, Header, parse_header
from eec_datasets.text_file import FORMULA

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST_LINE: Final = 1 << 20
"""Bytes that the names of the columns may take."""
STORES: Final = ("s3", "s3a", "gs", "gcs", "r2", "az", "azure", "abfs", "abfss", "wasbs", "oss", "hdfs", "dbfs")
"""Schemes of addresses that an engine opens."""

BIG_ROWS: Final = 2_000_000
BIG_BYTES: Final = 200_000_000
"""Tables of more rows (parquet) or bytes (CSV) go to DuckDB where no engine was asked for."""


@dataclass(frozen=True)
class Files:
    """Files of one table.

    Attributes
    ----------
    given
        As the user wrote it, and as messages name it.
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
    def remote(self) -> bool:
        """Whether an engine must open it."""
        return "://" in self.given

    @property
    def big(self) -> bool:
        """Whether memory is better spared."""
        if self.remote:
            return True
        if self.kind == "csv":
            return sum(Path(path).stat().st_size for path in self.paths) > BIG_BYTES
        import pyarrow.parquet as pq

        rows: int = sum(_parquet(self.place(path), pq.read_metadata, path).num_rows for path in self.paths)
        return rows > BIG_ROWS

    @cached_property
    def header(self) -> Header | None:
        """What the file says it holds, where it was written by ``eec audit``."""
        if self.kind == "parquet":
            return None
        first = _start(self.place(self.paths[0]), self.paths[0])
        return parse_header(first.partition("\n")[0], self.given) if first.startswith(MARK) else None

    @cached_property
    def columns(self) -> list[str]:
        """Columns of the first file."""
        path = self.paths[0]
        if self.kind == "parquet":
            import pyarrow.parquet as pq

            return list(_parquet(self.place(path), pq.read_schema, path).names)
        lines = _start(self.place(path), path).splitlines(keepends=True)[self.skipped :]
        try:
            names = next(csv.reader(lines), [])
        except csv.Error as error:
            raise BadScores(
                f"{self.place(path)}:{self.skipped + 1}: the names of the columns cannot be read ({error}). Expected "
                "a first line such as id,score."
            ) from error
        if not names:
            raise BadScores(
                f"{self.place(path)}: the file is empty; expected a first line with the names of the columns."
            )
        _check_names(f"{self.place(path)}:{self.skipped + 1}", names)
        return names

    @property
    def skipped(self) -> int:
        """Lines before the names of the columns."""
        return 1 if self.header else 0

    def place(self, path: str) -> str:
        """One of the files, as messages name it."""
        return self.given if len(self.paths) == 1 else path

    def read(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> pa.Table:
        """Read columns to memory: of CSV as text, of parquet as they are, labels that are no numbers as dictionaries.

        Raises
        ------
        BadScores
            A file is damaged, or has other columns than the first.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        other = {*numbers, "id"}
        labels = [name for name in columns if name not in other]
        options = {"columns": list(columns), "read_dictionary": labels, "partitioning": None}
        tables = [
            _parquet(self.place(path), pq.read_table, path, **options)
            if self.kind == "parquet"
            else self._csv(path, columns)
            for path in self.paths
        ]
        try:
            return pa.concat_tables(tables)
        except pa.ArrowException as error:
            raise BadScores(f"{self.given}: its files have different columns ({_first_line(error)}).") from error

    def _csv(self, path: str, columns: Sequence[str]) -> pa.Table:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        try:
            table = arrow_csv.read_csv(
                path,
                read_options=arrow_csv.ReadOptions(skip_rows=self.skipped),
                parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(columns, pa.string()), include_columns=list(columns),
                    strings_can_be_null=False,
                ),
            )  # fmt: skip
            return _unguarded(table)
        except (OSError, pa.ArrowException) as error:
            size = len(self.columns)
            ragged = [(place, count) for place, count in self.rows if count != size]
            why = "; ".join(f"{place} has {count} values, expected {size}" for place, count in ragged[:3])
            raise BadScores(f"{self.place(path)}: cannot be read as CSV ({why or _first_line(error)}).") from error

    @cached_property
    def rows(self) -> list[tuple[str, int]]:
        """Where each row stands and how many values it has; read only to say what is wrong."""
        if self.kind == "parquet":
            return []
        found = []
        for path in self.paths:
            text = _text(self.place(path), Path(path).read_bytes())
            reader = csv.reader(io.StringIO(text, newline=""))
            place = "line " if len(self.paths) == 1 else f"{path}:"
            try:
                found += [(f"{place}{reader.line_num}", len(row)) for row in reader if row][1 + self.skipped :]
            except csv.Error as error:
                raise BadScores(
                    f"{self.place(path)}: cannot be read as CSV ({error}, from line {reader.line_num} on). Look for a "
                    "quotation mark that is not closed."
                ) from error
        return found

    def line(self, row: int) -> str:
        """Where a row that was read stands, such as ``line 6``."""
        return self.rows[row][0] if self.rows else f"row {row + 1}"


def find_files(given: str) -> Files:
    """Find the files of a table.

    Parameters
    ----------
    given
        A file, a folder of parquet files, a pattern (``part-*.parquet``), or an address that an engine opens
        (``s3://…``).

    Raises
    ------
    BadScores
        There is no such file, or it is neither parquet nor CSV.
    """
    place = Path(given)
    scheme, _, rest = given.partition("://")
    if rest and scheme.lower() not in STORES:
        raise BadScores(f"{given} is an address of the network, where nothing is fetched. Download the file first.")
    if rest:
        return Files(given, (given,), "parquet")
    if place.is_dir():
        paths = sorted(str(path) for path in place.rglob("*.parquet") if not path.name.startswith((".", "_")))
    else:
        # A pattern may be absolute, which Path.glob refuses.
        paths = [given] if place.is_file() else sorted(glob.glob(given, recursive=True))  # noqa: PTH207
    if not paths:
        raise BadScores(
            f"There is no table {given}; expected a .parquet or .csv file, a folder of parquet files, or a pattern "
            "such as 'rows-*.parquet'."
        )
    kinds = {Path(path).suffix.lower().removeprefix(".") for path in paths}
    if len(kinds) > 1 or not kinds <= {"parquet", "csv"}:
        raise BadScores(f"{given} is {' and '.join(sorted(kinds))}; expected parquet, or CSV, and one of them only.")
    return Files(given, tuple(paths), kinds.pop())


def _unguarded(table: pa.Table) -> pa.Table:
    """Take the apostrophe away that keeps a spreadsheet from running a text, as `text_file.unguarded`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    pattern = FORMULA.pattern.replace("'*", "'('*") + ")"
    columns = [pc.replace_substring_regex(column, pattern, r"\1") for column in table.columns]
    return pa.table(columns, schema=table.schema)


def _start(place: str, path: str) -> str:
    """The first lines of a text file."""
    try:
        with Path(path).open("rb") as stream:
            # To the end of a line: a name that is cut off would be another name.
            start, end = stream.read(1 << 16), stream.readline(LONGEST_LINE)
    except OSError as error:
        raise BadScores(f"Cannot read {place}: {error.strerror}.") from error
    raw = start + end
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadScores(f"{place}: the file is UTF-16; expected UTF-8. Save the file as UTF-8.")
    if b"\0" in raw:
        raise BadScores(f"{place}: this is not a text file. Save the table as CSV in UTF-8.")
    if len(end) == LONGEST_LINE and b"\n" not in raw:
        raise BadScores(
            f"{place}: the first line goes on for more than {LONGEST_LINE >> 20} MB; expected the names of the "
            "columns, such as id,score."
        )
    return _text(place, raw[: raw.rfind(b"\n") + 1] or raw)


def _text(place: str, raw: bytes) -> str:
    # Spreadsheets put a mark before what they call "CSV UTF-8"; it says nothing that is not known.
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadScores(
            f"{place}:{line}: byte {raw[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        ) from error


def _check_names(place: str, names: Sequence[str]) -> None:
    """Refuse other marks than commas, and a name that is there twice."""
    if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
        mark = "semicolons" if ";" in names[0] else "tabs"
        raise BadScores(
            f"{place}: the columns are separated by {mark} ({names[0]!r}); expected commas, and a point in decimal "
            "numbers. Save the file with commas."
        )
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise BadScores(f"{place}: column {twice[0]!r} is there twice; expected each name once.")


def _parquet(place: str, read: Callable[..., Any], path: str, **options: Any) -> Any:
    """Read something of a parquet file."""
    import pyarrow as pa

    try:
        return read(path, **options)
    except (OSError, pa.ArrowException) as error:
        raise BadScores(f"{place}: cannot be read as parquet ({_first_line(error)}).") from error


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
