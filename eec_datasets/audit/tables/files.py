"""The files of a table that a user names, and what is said of it: where they are, their columns and their rows."""

from __future__ import annotations

import glob
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets import schema
from eec_datasets.audit.tables.sheets import SHEETS, read_sheet
from eec_datasets.audit.tables.text_table import (
    LETTERS,
    FileForm,
    begins_with_an_empty_line,
    find_form,
    first_rows,
    lines_of_rows,
    read_rows,
    read_start,
)
from eec_datasets.errors import InputError, InputUnreadable
from eec_datasets.given_file import check_given, check_unpacked
from eec_datasets.systems.base import UNIT, Range
from eec_datasets.systems.score_file import MARK, Header, parse_header

if TYPE_CHECKING:
    import pyarrow as pa

TEXT: Final = ("csv", "tsv", "tab", "txt")
"""Suffixes of text with a row per line."""

KINDS: Final = ("parquet", *TEXT, *SHEETS)
"""Suffixes of files that are read."""

OFFICE: Final = {"docx", "doc", "ods", "odt", "pdf", "numbers", "pptx"}
"""Kinds of files that hold no table that is read."""

STORES: Final = ("s3", "s3a", "gs", "gcs", "r2", "az", "azure", "abfs", "abfss", "wasbs", "oss", "hdfs", "dbfs")
"""Schemes of addresses that an engine opens."""

UNNAMED: Final = re.compile(r"|Unnamed: \d+|__index_level_\d+__|\.\.\.\d+")
"""A column without a name, as R, pandas, Arrow and readr write it or name it when they read it."""

OUR_NAMES: Final = {name.casefold(): name for name in ("score", *schema.columns())}
"""Names that may be written in any case."""

BATCH: Final = 1 << 16
"""Rows of a parquet file that are read at once."""

BIG_ROWS: Final = 2_000_000
BIG_BYTES: Final = 200_000_000
"""Tables of more rows (parquet) or bytes (CSV) go to DuckDB where no engine was asked for."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """A user's options for a table of scores.

    Attributes
    ----------
    columns
        Columns of scores; by default all that hold numbers and are none of the corpus.
    classes
        Whether scores are labels, not numbers.
    score_range
        Lowest and highest possible score; None where nothing is declared.
    facets
        Options of the metric (``systems``, ``tasks``, ``runs``) as they were given, which may name columns: one that
        names the system (task, run) of each row, or the columns of scores that are the runs of one system.
    named
        What any option names, columns among them.
    worth
        What the labels of a pipeline's output are worth; empty where nothing was said.
    positive_class
        The label that is worth 1, of such outputs and of labels alone.
    text
        The column of sentences.
    """

    columns: Sequence[str] = ()
    classes: bool = False
    score_range: Range | None = None
    facets: Mapping[str, Any] = field(default_factory=dict)
    named: Collection[str] = ()
    worth: Mapping[str, float] = field(default_factory=dict)
    positive_class: str | None = None
    text: str = ""

    @property
    def run_columns(self) -> Sequence[str]:
        """Return what was named as several runs of one system."""
        runs = self.facets.get("runs")
        return runs if isinstance(runs, tuple) else ()


NO_OPTIONS: Final = TableOptions()
"""Nothing is said."""


@dataclass(frozen=True)
class Files:
    """Files of one table.

    Attributes
    ----------
    source
        As the user wrote it, and as messages name it.
    paths
        The files, or the address that an engine opens.
    kind
        A suffix of `KINDS`; ``csv`` for all text, ``memory`` for what is in no file.
    options
        What the user says of it.
    letters
        Letters to expect, by which encodings are told apart.
    content
        The table itself, if it is in memory.
    """

    source: str
    paths: tuple[str, ...]
    kind: str
    options: TableOptions = NO_OPTIONS
    letters: str = LETTERS
    content: pa.Table | None = None

    def __post_init__(self) -> None:
        """Refuse what is no regular file, or unpacks to too much, before a library opens it by its name."""
        for path in () if self.remote else self.paths:
            try:
                check_given(path)
            except InputUnreadable as error:
                raise InputError(f"{self.place(path)}: {error.strerror}.") from error
            except OSError as error:
                raise InputError(f"Cannot read {self.place(path)}: {error.strerror}.") from error

    @property
    def remote(self) -> bool:
        """Return whether an engine must open it."""
        return "://" in self.source

    @property
    def big(self) -> bool:
        """Return whether memory is better spared."""
        if self.remote or self.content is not None:
            return self.remote
        if self.kind != "parquet":
            return sum(Path(path).stat().st_size for path in self.paths) > BIG_BYTES
        import pyarrow.parquet as pq

        return bool(sum(self._parquet(pq.read_metadata, path).num_rows for path in self.paths) > BIG_ROWS)

    @property
    def foreign(self) -> str:
        """Why no engine reads it as it is; empty where one does."""
        if self.kind in SHEETS:
            return f"it is {SHEETS[self.kind][0]}"
        if self.remote or self.kind == "parquet":
            return ""
        reasons = list(self.notes)
        if self.form is not None and self.form.skipped:
            reasons.insert(0, "there is a line above the names of the columns")
        if self.form is not None and any(map(begins_with_an_empty_line, self.paths)):
            reasons.insert(0, "there is an empty line above the names of the columns")
        return "; ".join(reasons)

    @cached_property
    def _start(self) -> tuple[Header | None, FileForm | None]:
        """Return what a text says it holds, if ``eec audit`` wrote it, and how it is written."""
        if self.kind != "csv":
            return None, None
        place = self.place(self.paths[0])
        text, encoding = read_start(self.paths[0], place, self.letters, BIG_BYTES)
        first = text.partition("\n")[0]
        header = parse_header(first, self.source) if first.startswith(MARK) else None
        return header, find_form(text, encoding, 1 if header else 0, place)

    @property
    def header(self) -> Header | None:
        """Return what the file says it holds, where it was written by ``eec audit``."""
        return self._start[0]

    @property
    def form(self) -> FileForm | None:
        """Return how a text is written; None of other kinds."""
        return self._start[1]

    @property
    def limits(self) -> Range:
        """Lowest and highest possible score: as declared, else as the file says, else 0 to 1."""
        return self.options.score_range or ((self.header.low, self.header.high) if self.header else UNIT)

    @cached_property
    def _names(self) -> tuple[dict[str, str], dict[str, str]]:
        """Columns of the first file, with the names they have there; and what is said of some of them."""
        from eec_bias.reading import refuse_lookalikes

        place = self.place(next(iter(self.paths), self.source))
        if self.content is not None:
            names = self.content.column_names
        elif self.kind == "parquet":
            import pyarrow.parquet as pq

            names = list(self._parquet(pq.read_schema, self.paths[0]).names)
        elif self.form is not None:
            names, place = list(self.form.names), f"{place}:{self.form.skipped + 1}"
        else:
            names = self._sheets[0].column_names
        if twice := sorted(name for name, count in Counter(names).items() if name and count > 1):
            raise InputError(f"{place}: column {twice[0]!r} appears twice; expected each name once.")
        refuse_lookalikes(filter(None, names), "columns", InputError, f"{place}: ")
        return tidy_names(names)

    @property
    def columns(self) -> list[str]:
        """Columns of the first file, as they are gone by."""
        return list(self._names[0])

    @property
    def own_names(self) -> dict[str, str]:
        """The names of the columns as they stand in the first file, by those that they go by."""
        return self._names[0]

    @property
    def notes(self) -> list[str]:
        """Return what is guessed of its form, and of the names of its columns."""
        return self.notes_on(self.columns)

    def notes_on(self, columns: Collection[str]) -> list[str]:
        """Return what is guessed of its form, and of the names of some columns."""
        of_form = self.form.notes if self.form is not None else []
        return of_form + [note for name, note in self._names[1].items() if name in ("", *columns)]

    @cached_property
    def _sheets(self) -> list[pa.Table]:
        return [read_sheet(self.place(path), path, self.kind, classes=self.options.classes) for path in self.paths]

    def place(self, path: str) -> str:
        """One of the files, as messages name it."""
        return self.source if len(self.paths) == 1 else path

    @cached_property
    def table(self) -> pa.Table:
        """Return all columns; they are read once."""
        return self.read(self.columns)

    def read(self, columns: Sequence[str], labels: Collection[str] = ()) -> pa.Table:
        """Read columns to memory: of text as texts, of other kinds as they are.

        Parameters
        ----------
        columns
            Their names.
        labels
            Those whose texts may be dictionaries, where parquet has them.

        Raises
        ------
        InputError
            A file is damaged, or has other columns than the first.
        """
        import pyarrow as pa

        names = [self.own_names[name] for name in columns]
        try:
            if self.content is not None:
                tables = [self.content]
            elif self.kind == "parquet":
                own_labels = [self.own_names[name] for name in labels]
                tables = [self._rows_of_parquet(path, names, own_labels) for path in self.paths]
            elif self.form is not None:
                tables = [read_rows(path, self.place(path), self.form, names) for path in self.paths]
            else:
                tables = self._sheets
            # Parquet gives columns in its own order.
            table = pa.concat_tables([each.select(names) for each in tables]).rename_columns(list(columns))
            # Of string views Arrow takes no rows.
            kinds = [pa.string() if pa.types.is_string_view(each.type) else each.type for each in table.schema]
            return table.cast(pa.schema(list(zip(columns, kinds, strict=True))))
        except (pa.ArrowException, KeyError) as error:
            raise InputError(f"{self.source}: its files have different columns ({_first_line(error)}).") from error

    def _parquet(self, read: Callable[..., Any], path: str, **options: Any) -> Any:
        """Read something of a parquet file."""
        import pyarrow as pa

        try:
            return read(path, **options)
        except InputUnreadable as error:
            raise InputError(f"{self.place(path)}: {error.strerror}.") from error
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{self.place(path)}: cannot be read as parquet ({_first_line(error)}).") from error

    def _rows_of_parquet(self, path: str, names: Sequence[str], labels: Collection[str]) -> pa.Table:
        """Read columns of a parquet file in batches, labels as dictionaries, as long as all of it fits."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        metadata = self._parquet(pq.read_metadata, path)
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
        read = [chunk for chunk in chunks if chunk.path_in_schema.partition(".")[0] in names]
        self._parquet(check_unpacked, path, size=sum(chunk.total_uncompressed_size for chunk in read))
        # A text that stands once in the file may be that of every row: all are dictionaries until they are counted.
        leaves = [metadata.schema.column(number).path for number in range(metadata.num_columns)]
        file = self._parquet(pq.ParquetFile, path, metadata=metadata, read_dictionary=leaves)
        table = self._parquet(_batches_that_fit, path, file=file, names=names)
        for number, column in enumerate(table.schema):
            if column.name not in labels and pa.types.is_dictionary(column.type):
                plain = table.column(number).cast(column.type.value_type)
                table = table.set_column(number, column.name, plain)
        return table

    def first_values(self) -> dict[str, tuple[str, ...]]:
        """Return what stands in the first rows of a text, by column, for engines that read the rest."""
        if self.form is None:
            return {}
        text, _ = read_start(self.paths[0], self.place(self.paths[0]), self.letters, BIG_BYTES)
        return dict(zip(self.columns, zip(*first_rows(text, self.form), strict=False), strict=False))

    @cached_property
    def _lines(self) -> list[str]:
        """Return the line of each row of a text; read only to say what is wrong."""
        if self.form is None:
            return []
        begin = {path: "line " if len(self.paths) == 1 else f"{path}:" for path in self.paths}
        return [
            f"{begin[path]}{line}"
            for path in self.paths
            for line, _ in lines_of_rows(path, self.place(path), self.form)
        ]

    def line(self, row: int) -> str:
        """Return where a row that was read stands, such as ``line 6``."""
        # In a spreadsheet the names have a row of their own.
        return self._lines[row] if self._lines else f"row {row + 1 + self.kind.startswith('xls')}"


def tidy_names(names: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the names of columns to go by, each with the name as it stands; and what is said of some, by their names.

    Names that are ours may be written in any case. A column without a name holds numbers of rows and is left out; where
    there are no ids it holds these, as a pandas index does.
    """
    unnamed = [name for name in names if UNNAMED.fullmatch(name.strip())]
    named = {name: name.strip() for name in names if name not in unnamed}
    # A name that is there in two cases is left as it is.
    folded = Counter(stripped.casefold() for stripped in named.values())
    ours = {key: OUR_NAMES.get(key) for key, count in folded.items() if count == 1}
    columns = {ours.get(stripped.casefold()) or stripped: name for name, stripped in named.items()}
    notes = {name: f"the column {own!r} is taken for {name!r}" for name, own in columns.items() if own != name}
    # Without a name behind others it is what a title above the names leaves, unless Arrow names it.
    index = len(unnamed) == 1 and (unnamed[0] == names[0] or unnamed[0].startswith("__"))
    if index and not {"id", "text"} & columns.keys():
        said = {"id": "the column without a name is taken for 'id'"}
        return {"id": unnamed[0], **columns}, notes | said
    if unnamed:
        notes[""] = "a column without a name, as R and pandas write one, is left out"
    return columns, notes


def find_files(source: str, options: TableOptions = NO_OPTIONS) -> Files:
    """Find the files of a table.

    Parameters
    ----------
    source
        A file, a folder of parquet files, a pattern (``part-*.parquet``), or an address that an engine opens
        (``s3://…``).
    options
        What the user says of it.

    Raises
    ------
    InputError
        There is no such file, or it is of no kind that is read.
    """
    folder = Path(source)
    scheme, _, rest = source.partition("://")
    if rest and scheme.lower() not in STORES:
        raise InputError(f"{source} is a network address, and we download nothing. Download the file first.")
    if rest:
        return Files(source, (source,), "parquet", options)
    if folder.is_dir():
        paths = sorted(str(path) for path in folder.rglob("*.parquet") if not path.name.startswith((".", "_")))
    else:
        # A pattern may be absolute, which Path.glob refuses.
        paths = [source] if folder.is_file() else sorted(glob.glob(source, recursive=True))  # noqa: PTH207
    if not paths:
        raise InputError(
            f"There is no table {source}; expected a .parquet or .csv file, a folder of parquet files, or a pattern "
            "such as 'rows-*.parquet'."
        )
    kinds = {kind_of(Path(path)) for path in paths}
    if len(paths) == 1 and not kinds <= set(KINDS):
        # A file of any other name may well be text, unless an office writes it.
        kinds = kinds if kinds <= OFFICE else {"csv"}
    if len(kinds) > 1 or not kinds <= set(KINDS):
        mixed = " and ".join(kind or "a file without an ending" for kind in sorted(kinds))
        raise InputError(
            f"{source} is {mixed}; expected {', '.join(KINDS)}, and one of them only. Save the table as one of these."
        )
    return Files(source, tuple(paths), kinds.pop(), options)


def kind_of(path: Path) -> str:
    """Return what `Files` calls the kind of a file."""
    suffix = path.suffix.lower().removeprefix(".")
    return "csv" if suffix in TEXT else suffix


def _batches_that_fit(path: str, *, file: Any, names: Sequence[str]) -> pa.Table:
    """Return columns of an open parquet file, refused as soon as its rows take too much memory."""
    import pyarrow as pa

    size, batches = 0, []
    with file:
        schema = pa.schema([file.schema_arrow.field(name) for name in names])
        for batch in file.iter_batches(BATCH, columns=list(names)):
            for column in batch.columns:
                size += _written_out(column)
                check_unpacked(path, size)
            batches.append(batch.select(names))
    return pa.Table.from_batches(batches, schema)


def _written_out(array: Any) -> int:
    """Return the bytes of an array, with the texts of dictionaries as often as they occur in it or in its lists."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(array.type):
        letters = pc.sum(pc.binary_length(array.dictionary).take(array.indices)).as_py() or 0
        return int(letters + array.indices.nbytes)
    if pa.types.is_struct(array.type):
        return sum(map(_written_out, array.flatten()))
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        return _written_out(array.flatten()) + 8 * len(array)
    return int(array.nbytes)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
