"""Tables that a library reads whole, or that are in memory already: Excel, Stata, SPSS, JSON, frames, datasets."""

from __future__ import annotations

import datetime
import importlib
import math
import re
import textwrap
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

from eec_datasets import given_file, schema
from eec_datasets.errors import InputError, InputUnreadable, Unavailable
from eec_datasets.given_file import check_unpacked
from eec_datasets.text_file import json_of, number

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Reader = Callable[[str, bool], Any]
"""Reads a file, whose scores are classes or not."""

EXTRA: Final = "pip install 'eec-datasets[tables]'"

EXACT: Final = 2.0**53
"""Below it every whole number is a float."""

BYTES_OF_CELL: Final = 8
"""Bytes that a cell of a spreadsheet takes, be it empty."""

CELL: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


def _excel(path: str, _classes: bool) -> pd.DataFrame:
    import pandas as pd

    _check_excel(path)
    # Names stand in the first row as data, as pandas would change one that is there twice.
    sheets = pd.read_excel(path, sheet_name=None, header=None, dtype=object, na_filter=False, engine="openpyxl")
    whole = {name: frame for name, frame in sheets.items() if len(frame)}
    listed = ", ".join(map(repr, whole))
    if not whole:
        raise InputError("the file is empty; expected a first row with the names of the columns.")
    if len(whole) > 1:
        raise InputError(
            f"which sheet has the scores? The sheets are {listed}. Save the one with the scores as a separate file."
        )
    (frame,) = whole.values()
    return frame[1:].set_axis(list(map(str, frame.iloc[0])), axis="columns")


def _stata(path: str, *, convert_categoricals: bool = True) -> pd.DataFrame:
    import pandas as pd

    return pd.read_stata(path, convert_categoricals=convert_categoricals)


def _spss(path: str, *, convert_categoricals: bool = True) -> pd.DataFrame:
    import pyreadstat

    most = _most_rows_of_spss(path)
    frame, _ = pyreadstat.read_sav(path, apply_value_formats=convert_categoricals, row_limit=most)
    if len(frame) >= most:
        raise InputUnreadable(path, f"it has {most:,} rows or more, which is too many. Give a smaller file")
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
        if classes or str(name).casefold() in schema.columns():
            frame[name] = labels
            continue
        for code, label in dict(zip(frame[name].dropna(), labels.dropna(), strict=True)).items():
            if isinstance(label, str) and not math.isnan(number(label)) and number(label) != code:
                raise InputError(
                    f"the column {name!r} contains codes whose labels are other numbers: {code:g} is labelled "
                    f"{label!r}. "
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
        f"this is JSON that contains {_kind_of_json(content)}; expected a list of records, such as "
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


def _check_excel(path: str) -> None:
    """Refuse a spreadsheet with too many cells: one far from all others makes empty ones of all between.

    Raises
    ------
    InputUnreadable
        It has too many.
    zipfile.BadZipFile, ElementTree.ParseError
        It is damaged.
    """
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.filename.endswith(".xml"):
                with archive.open(entry) as stream:
                    check_unpacked(path, BYTES_OF_CELL * _cells(stream))


def _cells(sheet: IO[bytes]) -> int:
    """Return the number of cells up to the last row and the last column that have one."""
    rows = columns = row = column = 0
    for tag, attributes in _starts(sheet):
        place = attributes.get("r", "")
        if tag == "row":
            row = int(place) if place.isdecimal() else row + 1
            column = 0
        elif tag == "c":
            column += 1
            if match := CELL.fullmatch(place):
                column, row = _number_of(match[1]), int(match[2])
            rows, columns = max(rows, row), max(columns, column)
    return rows * columns


def _starts(sheet: IO[bytes]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the tag and the attributes of each element of an XML file, without keeping the element."""
    root = None
    for event, element in ElementTree.iterparse(sheet, ("start", "end")):
        if event == "start":
            root = element if root is None else root
            yield element.tag.rpartition("}")[2], dict(element.attrib)
        elif element is not root:
            element.clear()


def _number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _most_rows_of_spss(path: str) -> int:
    """Return how many rows of an SPSS file are read at most, by the width of a row.

    Raises
    ------
    InputUnreadable
        It says itself that it has more.
    """
    import pyreadstat

    _, about = pyreadstat.read_sav(path, metadataonly=True)
    width = sum(about.variable_storage_width.values()) or 1
    check_unpacked(path, width * (about.number_rows or 0))
    return given_file.LARGEST // width + 1


SHEETS: Final[Mapping[str, tuple[str, Reader]]] = {
    **dict.fromkeys(("xlsx", "xlsm"), ("Excel", _excel)),
    "dta": ("Stata", partial(_labelled, _stata)),
    **dict.fromkeys(("sav", "zsav"), ("SPSS", partial(_labelled, _spss))),
    **dict.fromkeys(("jsonl", "ndjson"), ("JSON lines", _json_lines)),
    "json": ("JSON", _json),
}
"""Kinds of files that a library reads whole: what they are called, and what reads them."""


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
        raise InputError(f"{place}: cannot be read as {called} ({reason}). Save it again, or as CSV.") from error


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
