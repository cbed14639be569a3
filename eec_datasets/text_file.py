"""Text files as people save them: UTF-8 and strict CSV, line by line; what cannot be read is told with its line."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import json
import math
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from eec_datasets.errors import InputError

FORMULA = re.compile(r"^'*[=+\-@\t\r]")
NUMBER = re.compile(r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
"""Patterns that Python and Arrow read alike."""

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
UTF16 = (b"\xff\xfe", b"\xfe\xff")
BINARY = {b"PAR1": "Parquet", b"PK\x03\x04": "a spreadsheet (or another zip file)"}
LARGEST_CELL = 1 << 30


def number(text: str) -> float:
    """Read a number as spreadsheets do; NaN for anything else, also for 0_1, which Python takes for 1."""
    try:
        return math.nan if "_" in text else float(text)
    except ValueError:
        return math.nan


def all_digits(number: float) -> str:
    """A number as it is typed: 1 for 1.0, and with every digit that it has."""
    return repr(float(number)).removesuffix(".0")


def guarded(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: behind an apostrophe where it would; numbers stay as they are."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.match(text) else text


def unguarded(text: str) -> str:
    """The text that was `guarded`."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


def json_of(text: str | bytes, **options: Any) -> Any:
    """Return what a text of JSON says, with the options of `json.loads`.

    Raises
    ------
    ValueError
        It is no JSON; or its lists are nested, or its numbers are long, beyond what Python reads.
    """
    try:
        return json.loads(text, **options)
    except RecursionError as error:
        raise ValueError("its lists and objects are nested too deeply to be read") from error


def toml_of(text: str) -> dict[str, Any]:
    """Return what a text of TOML says.

    Raises
    ------
    ValueError
        It is no TOML; or its lists are nested, or its numbers are long, beyond what Python reads.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("its tables and lists are nested too deeply to be read") from error


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as a CSV text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def guarded_csv(text: str) -> str:
    """A CSV text with every cell `guarded`."""
    return csv_text([guarded(cell) for cell in row] for row in csv.reader(io.StringIO(text, newline="")))


def changed_csv(
    text: str,
    changed: Mapping[int, Mapping[str, str]],
    columns: Iterable[str] = (),
    further: Iterable[Mapping[str, str]] = (),
) -> str:
    """A CSV text with some cells changed, by line and column; what is no row stays as it is.

    Parameters
    ----------
    columns : are added where the text lacks them.
    further : rows that come last.
    """
    reader = csv.reader(io.StringIO(text, newline=""))
    old = next(reader)
    header = list(dict.fromkeys([*old, *columns]))
    rows, line = [header], reader.line_num + 1
    for cells in reader:
        whole = len(cells) == len(old) and not cells[0].startswith("#")
        row = {**dict(zip(old, cells, strict=False)), **changed.get(line, {})}
        rows.append([row.get(column, "") for column in header] if whole else cells)
        line = reader.line_num + 1
    return csv_text([*rows, *([row.get(column, "") for column in header] for row in further)])


def decode_lines(lines: Iterable[bytes], name: str) -> Iterator[str]:
    """UTF-8 → text, with or without a byte order mark."""
    for number, raw in enumerate(lines, start=1):
        if number == 1 and raw[:2] in UTF16:
            raise InputError(f"{name}:1: the file is UTF-16 (what Windows calls Unicode). Save it as UTF-8")
        if number == 1 and raw[:4] in BINARY:
            raise InputError(f"{name}: the file is {BINARY[raw[:4]]}. Save the table as CSV in UTF-8")
        try:
            yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            what = (
                f"byte {error.start + 1} of the line is 0x{raw[error.start]:02x}, which is not UTF-8; the file may be "
                "Latin-1 (Windows). Save it as UTF-8 and look at the accents again"
            )
            what = "not UTF-8, and it has zero bytes; UTF-16? Save it as UTF-8" if b"\0" in raw else what
            raise InputError(f"{name}:{number}: {what}") from None


def csv_rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, each with the line on which it begins; the first is the header."""
    lines = iter(lines)
    first = next(lines, "")
    start = 1
    try:
        separator, *others = separators_in(first)
        if others:
            several = " and ".join(map(SEPARATORS.__getitem__, (separator, *others)))
            raise InputError(f"{name}:1: the columns are separated by {several}. Save the file with one of them")
        reader = csv.reader(itertools.chain([first], lines), delimiter=separator, strict=True)
        while (cells := _next_row(reader)) is not None:
            if any(cells):
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{name}:{start}: not valid CSV: {error}. Check the quotes of this row") from None


def _next_row(reader: Iterator[list[str]]) -> list[str] | None:
    """The next row, whose cells may be long; the limit is that of the whole process, so it is raised for no longer."""
    limit = csv.field_size_limit(LARGEST_CELL)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(limit)


def separators_in(header: str) -> list[str]:
    """Return what separates the columns of a header: commas if they do, else every separator that may."""

    def cells(separator: str) -> list[str]:
        with contextlib.suppress(csv.Error):
            return _next_row(csv.reader([header], delimiter=separator, strict=True)) or []
        return []

    several = [separator for separator in SEPARATORS if len(cells(separator)) > 1]
    return several if several and several[0] != "," else [","]


STRAIGHT: Final = str.maketrans(
    {**dict.fromkeys("‘’‚‛´`′", "'"), **dict.fromkeys("“”„‟«»″", '"'), "…": "...", "–": "-"}
)


def straightened(text: str | None) -> str:
    """Return a text without what programs change unasked: curly quotes, dots, dashes, spaces, accents taken apart."""
    return " ".join(unicodedata.normalize("NFC", text or "").translate(STRAIGHT).split())
