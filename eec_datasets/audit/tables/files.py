"""The files of a table that a user names, and what is said of it: where they are, their columns and their rows."""

from __future__ import annotations

import codecs
import csv
import glob
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.tables.forms import KINDS, SHEETS, TEXT, FileForm, decode, form_of, read_sheet, tidy_names
from eec_datasets.errors import InputError, InputUnreadable
from eec_datasets.given_file import check_given, check_unpacked
from eec_datasets.systems.base import UNIT, Range
from eec_datasets.systems.score_file import MARK, Header, parse_header
from eec_datasets.text_file import FORMULA, UTF16

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST_LINE: Final = 1 << 20
"""Bytes that the names of the columns may take."""
JSON: Final = re.compile(r"\s*\[?\s*\{")
"""How objects begin, with or without a list around them."""
STORES: Final = ("s3", "s3a", "gs", "gcs", "r2", "az", "azure", "abfs", "abfss", "wasbs", "oss", "hdfs", "dbfs")
"""Schemes of addresses that an engine opens."""

LETTERS: Final = "áéíóúüñÁÉÍÓÚÑ¿¡ªºäöÄÖÜßàâçèêëîïôœùûÀÇÈÊÎãõÃÕìòğışİŞĞ" + "".join(map(chr, range(0x0621, 0x0653)))
"""Letters of the languages of the corpora, by which encodings that fit a text are told apart."""

OFFICE: Final = {"docx", "doc", "ods", "odt", "pdf", "numbers", "pptx"}
"""Kinds of files that hold no table that is read."""

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
        A suffix of `forms.KINDS`; ``csv`` for all text.
    options
        What the user says of it.
    letters
        Letters to expect, by which encodings are told apart.
    content
        The table itself, if it is in memory and in no file.
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
        if self.kind == "csv" and self.form.skipped:
            reasons.insert(0, "a line stands before the names of the columns")
        if self.kind == "csv" and any(_begins_with_an_empty_line(path) for path in self.paths):
            reasons.insert(0, "an empty line stands before the names of the columns")
        return "; ".join(reasons)

    @cached_property
    def header(self) -> Header | None:
        """Return what the file says it holds, where it was written by ``eec audit``."""
        first = self._text[0].partition("\n")[0] if self.kind == "csv" else ""
        return parse_header(first, self.source) if first.startswith(MARK) else None

    @property
    def limits(self) -> Range:
        """Lowest and highest possible score: as declared, else as the file says, else 0 to 1."""
        return self.options.score_range or ((self.header.low, self.header.high) if self.header else UNIT)

    @cached_property
    def form(self) -> FileForm:
        """Return how a text is written."""
        place, (text, encoding) = self.place(self.paths[0]), self._text
        skipped = 1 if self.header else 0
        if JSON.match(text):
            raise InputError(f"{place}: this is JSON; give the file a name that ends in .json or .jsonl.")
        if len(text) > LONGEST_LINE and "\n" not in text[:LONGEST_LINE]:
            raise InputError(
                f"{place}: the first line goes on for more than {LONGEST_LINE >> 20} MB; expected the names of the "
                "columns, such as id,score."
            )
        try:
            form = form_of(text, encoding, skipped)
        except csv.Error as error:
            raise InputError(
                f"{place}:{skipped + 1}: the names of the columns cannot be read ({error}). Expected a first line such "
                "as id,score."
            ) from error
        if not form.names:
            raise InputError(f"{place}: the file is empty; expected a first line with the names of the columns.")
        return form

    @cached_property
    def _own(self) -> tuple[dict[str, str], list[str]]:
        """Columns of the first file, with the names they have there; and what is guessed."""
        from eec_bias.reading import refuse_lookalikes

        place, guessed = self.place(next(iter(self.paths), self.source)), []
        if self.content is not None:
            names = self.content.column_names
            guessed = self.form.notes if self.kind == "csv" else []
        elif self.kind == "parquet":
            import pyarrow.parquet as pq

            names = list(self._parquet(pq.read_schema, self.paths[0]).names)
        elif self.kind == "csv":
            names, guessed, place = list(self.form.names), self.form.notes, f"{place}:{self.form.skipped + 1}"
        else:
            names = self._sheets[0].column_names
        if twice := sorted(name for name, count in Counter(names).items() if name and count > 1):
            raise InputError(f"{place}: column {twice[0]!r} is there twice; expected each name once.")
        refuse_lookalikes(filter(None, names), "columns", InputError, f"{place}: ")
        columns, notes = tidy_names(names)
        return columns, guessed + notes

    @property
    def columns(self) -> list[str]:
        """Columns of the first file, as they are gone by."""
        return list(self._own[0])

    @property
    def own_names(self) -> dict[str, str]:
        """The names of the columns as they stand in the first file, by those that they go by."""
        return self._own[0]

    @property
    def notes(self) -> list[str]:
        """Return what is guessed of its form."""
        return self._own[1]

    @cached_property
    def _sheets(self) -> list[pa.Table]:
        return [read_sheet(self.place(path), path, self.kind, classes=self.options.classes) for path in self.paths]

    def place(self, path: str) -> str:
        """One of the files, as messages name it."""
        return self.source if len(self.paths) == 1 else path

    def read(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> pa.Table:
        """Read columns to memory: of CSV as text, of parquet as they are, labels that are no numbers as dictionaries.

        Raises
        ------
        InputError
            A file is damaged, or has other columns than the first.
        """
        import pyarrow as pa

        names = [self._own[0][name] for name in columns]
        labels = [name for name in names if name not in {*numbers, "id"}]
        try:
            if self.content is not None:
                tables = [self.content]
            elif self.kind == "parquet":
                tables = [self._rows_of_parquet(path, names, labels) for path in self.paths]
            elif self.kind == "csv":
                tables = [self._csv(path, names) for path in self.paths]
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

    def _csv(self, path: str, columns: Sequence[str]) -> pa.Table:
        import pyarrow as pa
        import pyarrow.compute as pc
        from pyarrow import csv as arrow_csv

        form = self.form
        names = list(form.names) if form.nameless else None
        try:
            table = arrow_csv.read_csv(
                path if form.encoding == "utf-8" else io.BytesIO(self._whole(path).encode()),
                read_options=arrow_csv.ReadOptions(skip_rows=form.skipped + form.nameless, column_names=names),
                parse_options=arrow_csv.ParseOptions(delimiter=form.separator, newlines_in_values=True),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(columns, pa.string()), include_columns=list(columns),
                    strings_can_be_null=False,
                ),
            )  # fmt: skip
        except (OSError, pa.ArrowException) as error:
            if "Empty CSV" in str(error):
                raise InputError(
                    f"{self.place(path)}: the file has no rows; expected a line of names, such as id,score, and a row "
                    "for each sentence."
                ) from error
            size = len(form.names)
            ragged = [(place, count) for place, count in self.rows if count != size]
            reason = "; ".join(f"{place} has {count} values, expected {size}" for place, count in ragged[:3])
            raise InputError(f"{self.place(path)}: cannot be read as CSV ({reason or _first_line(error)}).") from error
        # The apostrophe goes that keeps a spreadsheet from running a text, as in `text_file.unguarded`.
        pattern = FORMULA.pattern.replace("'*", "'('*") + ")"
        return pa.table(
            [pc.replace_substring_regex(each, pattern, r"\1") for each in table.columns], schema=table.schema
        )

    @property
    def _text(self) -> tuple[str, str]:
        """The first text and its encoding; of a big file, whose encoding an engine checks, the first lines."""
        path, place = Path(self.paths[0]), self.place(self.paths[0])
        try:
            with path.open("rb") as stream:
                raw = stream.read(BIG_BYTES)
        except OSError as error:
            raise InputError(f"Cannot read {place}: {error.strerror}.") from error
        if len(raw) == BIG_BYTES:
            raw = raw[: raw.rfind(b"\n", 0, 1 << 16) + 1] or raw
        if b"\0" in raw and not raw.startswith(UTF16):
            raise InputError(f"{place}: this is not a text file. Save the table as CSV in UTF-8.")
        return decode(raw, self.letters)

    def _whole(self, path: str) -> str:
        encoding = "utf-8-sig" if self.form.encoding == "utf-8" else self.form.encoding
        return Path(path).read_bytes().decode(encoding, errors="replace")

    def first_values(self) -> dict[str, tuple[str, ...]]:
        """Return what stands in the first rows of a text, by column, for engines that read the rest."""
        lines = csv.reader(io.StringIO(self._text[0], newline=""), delimiter=self.form.separator)
        rows = [row for row in itertools.islice(lines, self.form.skipped + 1, 1000) if row]
        return dict(zip(self.columns, zip(*rows, strict=False), strict=False))

    @cached_property
    def rows(self) -> list[tuple[str, int]]:
        """Return where each row stands and how many values it has; read only to say what is wrong."""
        rows = []
        for path in self.paths if self.kind == "csv" else ():
            reader = csv.reader(io.StringIO(self._whole(path), newline=""), delimiter=self.form.separator)
            place = "line " if len(self.paths) == 1 else f"{path}:"
            begins, lengths = 1, list[tuple[str, int]]()
            try:
                for row in reader:
                    lengths += [(f"{place}{begins}", len(row))] if row else []
                    begins = reader.line_num + 1
            except csv.Error as error:
                raise InputError(
                    f"{self.place(path)}: cannot be read as CSV ({error}, from line {reader.line_num} on). Look for a "
                    "quotation mark that is not closed."
                ) from error
            rows += lengths[1 + self.form.skipped :]
        return rows

    def line(self, row: int) -> str:
        """Return where a row that was read stands, such as ``line 6``."""
        # In a spreadsheet the names have a row of their own.
        return self.rows[row][0] if self.rows else f"row {row + 1 + self.kind.startswith('xls')}"


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
        raise InputError(f"{source} is an address of the network, where nothing is fetched. Download the file first.")
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


def _begins_with_an_empty_line(path: str) -> bool:
    """Return whether a text does, which engines take for the names of the columns."""
    with Path(path).open("rb") as stream:
        return stream.read(8).removeprefix(codecs.BOM_UTF8).startswith((b"\n", b"\r"))


def _batches_that_fit(path: str, *, file: Any, names: Sequence[str]) -> pa.Table:
    """Return columns of an open parquet file, refused as soon as its rows take too much memory."""
    import pyarrow as pa

    size, batches = 0, []
    with file:
        schema = pa.schema([file.schema_arrow.field(name) for name in names])
        for batch in file.iter_batches(BATCH, columns=list(names)):
            size += sum(map(_written_out, batch.columns))
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
