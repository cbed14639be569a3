"""How programs write tables: what separates the columns of a text, its letters, and which library reads the rest."""

from __future__ import annotations

import csv
import datetime
import importlib
import itertools
import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets import schema
from eec_datasets.audit.tables.sheet_size import check_excel, most_rows_of_spss
from eec_datasets.errors import InputError, InputUnreadable, Unavailable
from eec_datasets.given_file import check_unpacked
from eec_datasets.text_file import SEPARATORS, UTF16, json_of, number

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

TEXT: Final = ("csv", "tsv", "tab", "txt")
"""Suffixes of text with a row per line."""

ENCODINGS: Final = {"cp1252": "Windows-1252 (Latin-1)", "cp1256": "Windows-1256 (Arabic)", "mac_roman": "Mac Roman"}
"""What spreadsheets save as CSV in, where that is not UTF-8."""

UNNAMED: Final = re.compile(r"|Unnamed: \d+|__index_level_\d+__|\.\.\.\d+")
"""A column without a name, as R, pandas, Arrow and readr write it or name it when they read it."""

OUR_NAMES: Final = {name.casefold(): name for name in ("score", *schema.columns())}
"""Names that may be written in any case."""

SAMPLE, START = 50, 1 << 16
"""Rows, and letters, by which columns are counted."""

EXACT: Final = 2.0**53
"""Below it every whole number is a float."""

Reader = Callable[[str, bool], Any]
"""Reads a file, whose scores are classes or not."""

EXTRA: Final = "pip install 'eec-datasets[tables]'"


@dataclass(frozen=True, slots=True)
class FileForm:
    """The format of a table in text.

    Attributes
    ----------
    encoding, separator
        Of the text.
    skipped
        Lines before the names of the columns.
    names
        Of the columns, as they stand there.
    nameless
        Whether the rows have a first value that the line of names has none for, as R's ``write.table`` does.
    """

    encoding: str
    separator: str
    skipped: int
    names: tuple[str, ...]
    nameless: bool

    @property
    def notes(self) -> list[str]:
        """Return what is guessed, and worth a word."""
        notes = [] if self.separator == "," else [f"the columns are separated by {SEPARATORS[self.separator]}"]
        if self.encoding in ENCODINGS:
            notes.append(f"the file is not UTF-8 and is read as {ENCODINGS[self.encoding]}")
        return notes


def decode(raw: bytes, letters: str) -> tuple[str, str]:
    """Return a text and its encoding; of those that fit, the one with most of the letters that are expected."""
    if raw.startswith(UTF16):
        return raw.decode("utf-16", errors="replace"), "utf-16"
    try:
        return raw.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        texts = {name: raw.decode(name, errors="replace") for name in ENCODINGS}
    expected = frozenset(letters)
    best = max(texts, key=lambda name: sum(n for letter, n in Counter(texts[name]).items() if letter in expected))
    return texts[best], best


def form_of(text: str, encoding: str, skipped: int) -> FileForm:
    """Find out how a table is written from its first lines.

    The separator is the one that gives a column ``id`` or ``text``, else the one that gives most columns; so a comma
    in a decimal number is none.
    """
    # To the end of a line: a name that is cut off would be another name.
    start = text[: text.find("\n", START) + 1] or text
    lines = start.splitlines(keepends=True)[skipped:]
    if lines and (declared := re.fullmatch(r'"?sep=(.)"?\s*', lines[0])) and declared[1] in SEPARATORS:
        skipped, lines = skipped + 1, lines[1:]

    def read(separator: str, most: int) -> list[list[str]]:
        rows = csv.reader(lines, delimiter=separator)
        return list(itertools.islice(filter(None, rows), most))

    def suits(separator: str) -> tuple[bool, int]:
        try:
            (names,) = read(separator, 1) or [[]]
        except csv.Error:
            return False, 0
        return any(name.strip().casefold() in ("id", "text") for name in names), len(names)

    separator = max(SEPARATORS, key=suits)
    head, *rows = read(separator, SAMPLE) or [[]]
    counted = [row[0] for row in rows] == [str(number) for number, _ in enumerate(rows, start=1)]
    nameless = len(rows) > 1 and counted and all(len(row) == len(head) + 1 for row in rows)
    names = ("", *head) if nameless else tuple(head)
    return FileForm(encoding, separator, skipped, names, nameless)


def tidy_names(names: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the names of columns to go by, each with the name as it stands, and what is said of it.

    Names that are ours may be written in any case. A column without a name holds numbers of rows and is left out; where
    there are no ids it holds these, as a pandas index does.
    """
    unnamed = [name for name in names if UNNAMED.fullmatch(name.strip())]
    named = {name: name.strip() for name in names if name not in unnamed}
    # A name that is there in two cases is left as it is.
    folded = Counter(stripped.casefold() for stripped in named.values())
    ours = {key: OUR_NAMES.get(key) for key, count in folded.items() if count == 1}
    columns = {ours.get(stripped.casefold()) or stripped: name for name, stripped in named.items()}
    notes = [f"the column {stripped!r} is taken for {name!r}" for name, stripped in columns.items() if stripped != name]
    # Without a name behind others it is what a title above the names leaves, unless Arrow names it.
    index = len(unnamed) == 1 and (unnamed[0] == names[0] or unnamed[0].startswith("__"))
    if index and not {"id", "text"} & columns.keys():
        return {"id": unnamed[0], **columns}, [*notes, "the column without a name is taken for 'id'"]
    if unnamed:
        notes.append("a column without a name, as R and pandas write one, is left out")
    return columns, notes


def _excel(path: str, _classes: bool) -> pd.DataFrame:
    import pandas as pd

    check_excel(path)
    # Names stand in the first row as data, as pandas would change one that is there twice.
    sheets = pd.read_excel(path, sheet_name=None, header=None, dtype=object, na_filter=False, engine="openpyxl")
    whole = {name: frame for name, frame in sheets.items() if len(frame)}
    listed = ", ".join(map(repr, whole))
    if not whole:
        raise InputError("the file is empty; expected a first row with the names of the columns.")
    if len(whole) > 1:
        raise InputError(f"which sheet holds the scores? There are {listed}. Save that one as a file of its own.")
    (frame,) = whole.values()
    return frame[1:].set_axis(list(map(str, frame.iloc[0])), axis="columns")


def _stata(path: str, *, convert_categoricals: bool = True) -> pd.DataFrame:
    import pandas as pd

    return pd.read_stata(path, convert_categoricals=convert_categoricals)


def _spss(path: str, *, convert_categoricals: bool = True) -> pd.DataFrame:
    import pyreadstat

    most = most_rows_of_spss(path)
    frame, _ = pyreadstat.read_sav(path, apply_value_formats=convert_categoricals, row_limit=most)
    if len(frame) >= most:
        raise InputUnreadable(path, f"it holds {most:,} rows or more, which is more than is read. Give a smaller file")
    return frame


def _labelled(read: Callable[..., pd.DataFrame], path: str, classes: bool) -> pd.DataFrame:
    """Read a file that may hold codes and labels of them.

    The labels are taken where a name is ours, and of every column where scores are classes.

    Raises
    ------
    InputError
        The labels are other numbers than their codes, as those of factors of R are.
    """
    frame = read(path, convert_categoricals=False)
    try:
        labelled = read(path).select_dtypes("category").astype(object)
    except ValueError:
        # A label that two codes have.
        return frame
    for name, labels in labelled.items():
        if classes or OUR_NAMES.get(str(name).casefold(), "score") != "score":
            frame[name] = labels
            continue
        for code, label in dict(zip(frame[name].dropna(), labels.dropna(), strict=True)).items():
            if isinstance(label, str) and not math.isnan(number(label)) and number(label) != code:
                raise InputError(
                    f"the column {name!r} holds codes whose labels are other numbers: {code:g} is labelled {label!r}. "
                    "Save the numbers that are meant, without labels (of a factor in R: as.numeric(as.character(x))), "
                    "or leave the column out."
                )
    return frame


def _json_lines(path: str, _classes: bool) -> pa.Table:
    return importlib.import_module("pyarrow.json").read_json(path)


def _json(path: str, classes: bool) -> pa.Table:
    """Read a list of records, columns of lists, or lines of records."""
    import pyarrow as pa

    text = Path(path).read_bytes().decode("utf-8-sig")
    try:
        content = json_of(text)
    except ValueError:
        if len(text.strip().splitlines()) > 1:
            return _json_lines(path, classes)
        raise
    if not content:
        raise InputError("the file is empty; expected a list of records.")
    columns = _columns_of_json(content)
    if columns:
        return pa.table({name: _json_column(name, values) for name, values in columns.items()})
    raise InputError(
        f"this is JSON that holds {_kind_of_json(content)}; expected a list of records, such as "
        '[{"id": "t01/angry/ebony", "score": 0.5}]'
    )


def _columns_of_json(content: Any) -> dict[str, list[Any]]:
    """Return the columns of a list of records, of what pandas makes of a frame, or of scores by id or sentence."""
    from eec_bias.reading import columns_by_key

    if isinstance(content, list) and all(isinstance(record, dict) for record in content):
        names = dict.fromkeys(name for record in content for name in record)
        return {name: [record.get(name) for record in content] for name in names}
    if not isinstance(content, dict):
        return {}
    kinds = {type(value) for value in content.values()}
    if {"columns", "data"} <= content.keys() <= {"columns", "data", "index"}:
        return {name: [row[place] for row in content["data"]] for place, name in enumerate(content["columns"])}
    if kinds == {list}:
        return content
    if kinds == {dict} and len({tuple(value) for value in content.values()}) == 1:
        return {name: list(value.values()) for name, value in content.items()}
    return {} if kinds & {list, dict} else columns_by_key(content)


def _kind_of_json(content: Any) -> str:
    name = {"dict": "an object", "list": "a list", "str": "a text"}.get(type(content).__name__, "a value")
    if isinstance(content, dict | list) and content:
        within = next(iter(content.values() if isinstance(content, dict) else content))
        name += f" whose first value is {textwrap.shorten(repr(within), 40)}"
    return name


def _json_column(name: str, values: list[Any]) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(values)
    except pa.ArrowException:
        row = next(k for k, value in enumerate(values) if type(value) is not type(values[0]) and value is not None)
        raise InputError(
            f"{name!r} is {textwrap.shorten(repr(values[row]), 60)} in record {row + 1}, and "
            f"{textwrap.shorten(repr(values[0]), 60)} in record 1; expected values of one kind"
        ) from None


SHEETS: Final[Mapping[str, tuple[str, Reader]]] = {
    **dict.fromkeys(("xlsx", "xlsm"), ("Excel", _excel)),
    "dta": ("Stata", partial(_labelled, _stata)),
    **dict.fromkeys(("sav", "zsav"), ("SPSS", partial(_labelled, _spss))),
    **dict.fromkeys(("jsonl", "ndjson"), ("JSON lines", _json_lines)),
    "json": ("JSON", _json),
}
"""Kinds of files that a library reads whole: what they are called, and what reads them."""

KINDS: Final = ("parquet", *TEXT, *SHEETS)


def read_sheet(place: str, path: str, kind: str, *, classes: bool) -> pa.Table:
    """Read a file of one of `SHEETS`: numbers as they are, all else as text; where scores are classes, by their labels.

    Raises
    ------
    InputError
        It is damaged, or has several sheets.
    Unavailable
        The library is not installed.
    """
    import pyarrow as pa

    called, read = SHEETS[kind]
    try:
        content = read(path, classes)
        if isinstance(content, pa.Table):
            return content
        # A text that many cells hold stands once in the file and in memory, and once for each of them in a column.
        check_unpacked(path, _size_of_texts(content))
        columns = [_column(content.iloc[:, number]) for number in range(content.shape[1])]
        return pa.Table.from_arrays(columns, names=[str(name) for name in content.columns])
    except ImportError as error:
        missing = error.name or "what reads it"
        raise Unavailable(f"{place} is {called}, and {missing} is not installed: {EXTRA}") from error
    except InputError as error:
        raise InputError(f"{place}: {error}") from error
    except InputUnreadable as error:
        raise InputError(f"{place}: {error.strerror}.") from error
    except MemoryError:
        raise
    except Exception as error:
        # Each library has errors of its own.
        reason = textwrap.shorten(str(error) or type(error).__name__, 120, placeholder=" …").removesuffix(".")
        raise InputError(f"{place}: cannot be read as {called} ({reason}). Save it anew, or as CSV.") from error


def table_of(content: Any) -> pa.Table:
    """Return a frame, dataset, table or mapping of columns as a table of Arrow.

    Raises
    ------
    InputError
        It is none of these, or a column holds values of several kinds.
    """
    import pyarrow as pa

    if isinstance(content, pa.Table):
        return content
    if hasattr(content, "with_format") and hasattr(content, "info"):
        return content.with_format("arrow")[:]
    if hasattr(content, "iloc") and hasattr(content, "columns"):
        frame = content.reset_index() if content.index.name else content
        columns = [_column(frame.iloc[:, number]) for number in range(frame.shape[1])]
        return pa.Table.from_arrays(columns, names=[str(name) for name in frame.columns])
    if isinstance(content, Mapping):
        return pa.table({str(name): _json_column(str(name), list(values)) for name, values in content.items()})
    if hasattr(content, "__arrow_c_stream__"):
        return pa.table(content)
    raise InputError(
        f"the table is of type {type(content).__name__}; expected a path, a frame, a dataset or a dict of columns."
    )


def _size_of_texts(frame: pd.DataFrame) -> int:
    """Return the letters of all cells together."""
    size = 0
    for place in range(frame.shape[1]):
        cells = frame.iloc[:, place]
        if cells.dtype.kind not in "iufbM":
            size += sum(len(cell) for cell in cells.astype(object) if isinstance(cell, str))
    return size


def _column(cells: pd.Series[Any]) -> pa.Array:
    import pyarrow as pa

    if cells.dtype.kind in "iufb":
        return whole_numbers(pa.array(cells.to_numpy(), from_pandas=True))
    values = [None if cell == "" else cell for cell in cells.astype(object).where(cells.notna(), None)]
    plain = [value.tolist() if value is not None and hasattr(value, "tolist") else value for value in values]
    if any(isinstance(value, list | tuple | dict) for value in plain):
        return _json_column(str(cells.name), plain)
    numbers = {type(value) for value in values} - {type(None)} in ({int}, {float}, {int, float})
    read, kind = (float, pa.float64()) if numbers else (_text, pa.string())
    return whole_numbers(pa.array([None if value is None else read(value) for value in values], kind))


def whole_numbers(column: Any) -> Any:
    """A column with whole numbers as integers, which spreadsheets and SPSS keep as 1.0."""
    import pyarrow as pa

    if not pa.types.is_floating(column.type):
        return column
    values = column.drop_null().to_numpy()
    return column.cast("int64") if ((values % 1 == 0) & (abs(values) < EXACT)).all() else column


def _text(cell: object) -> str:
    """A cell of a column that holds texts too; a number in it is not taken for 1.234 with a point between thousands."""
    if isinstance(cell, float) and re.fullmatch(r"-?[1-9]\d{0,2}\.\d{3}", str(cell)):
        return f"{cell}0"
    return cell.date().isoformat() if isinstance(cell, datetime.datetime) else str(cell)
