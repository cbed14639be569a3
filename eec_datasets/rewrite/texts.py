"""Texts and pairs as people have them: text files, CSV, JSON lines; read one after another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import InputError
from eec_datasets.given_file import STANDARD_INPUT, open_given
from eec_datasets.text_file import csv_rows, decode_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES: Final = (".txt", ".csv", ".tsv", ".jsonl")


def read_texts(source: str | Path, column: str = "text") -> Iterator[str]:
    """Read texts one after another.

    Parameters
    ----------
    source
        A ``.txt`` file with a text per line, a ``.csv``, ``.tsv`` or ``.jsonl`` file, or ``-`` for lines on standard
        input.
    column
        Column or key of the texts (not for lines).

    Raises
    ------
    InputError
        The file is missing or of another kind, the column is not there, a row has shifted.
    InputError
        The file is no UTF-8 or no CSV.
    """
    if str(source) == STANDARD_INPUT or Path(source).suffix.lower() == ".txt":
        return _lines(source)
    return (text for (text,) in read_columns(source, column))


def read_columns(source: str | Path, *columns: str) -> Iterator[tuple[str, ...]]:
    """Read the texts of some columns, row by row; raises as `read_texts`."""
    return (_cells(row, place, columns) for place, row in read_rows(source))


def read_rows(source: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the rows of a CSV or JSON lines file with the place of each; raises as `read_texts`."""
    if "://" in str(source):
        raise InputError(f"{source} is a network address, and we download nothing. Download the file first")
    suffix = Path(source).suffix.lower()
    if suffix == ".txt":
        raise InputError(
            f"{source}: a .txt file has no columns; expected a file that ends in {', '.join(SUFFIXES[1:])}. Save the "
            "texts as a table"
        )
    if suffix not in SUFFIXES[1:]:
        raise InputError(
            f"{source}: expected a file that ends in {', '.join(SUFFIXES)}. Save the texts as one of these"
        )
    return (_json_rows if suffix == ".jsonl" else _csv_rows)(source)


def _lines(source: str | Path) -> Iterator[str]:
    try:
        with open_given(source) as file:
            yield from (line.rstrip("\r\n") for line in decode_lines(file, str(source)))
    except OSError as error:
        raise _unreadable(source, error) from error


def _csv_rows(source: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        with open_given(source) as file:
            rows = csv_rows(decode_lines(file, str(source)), str(source))
            header = next(rows, (1, []))[1]
            if twice := [column for column in header if header.count(column) > 1]:
                raise InputError(f"{source}:1: the column '{twice[0]}' appears twice. Remove or rename one of them")
            for line, cells in rows:
                if len(cells) != len(header):
                    raise InputError(
                        f"{source}:{line}: {len(cells)} cells where the header has {len(header)}. A separator may be "
                        "missing or unquoted"
                    )
                yield f"{source}:{line}", dict(zip(header, cells, strict=True))
    except OSError as error:
        raise _unreadable(source, error) from error


def _json_rows(source: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(_lines(source), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{source}:{number}: not valid JSON: {error}. Write one object per line") from None
        if not isinstance(row, dict):
            raise InputError(f"{source}:{number}: {type(row).__name__} instead of an object. Write one object per line")
        yield f"{source}:{number}", row


def _cells(row: dict[str, Any], place: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    for column in columns:
        if column not in row:
            raise InputError(
                f"{place}: no column '{column}'; the columns are: {', '.join(row) or 'none'}. Name one of these"
            )
        if not isinstance(row[column], str):
            raise InputError(
                f"{place}: '{column}' is of type {type(row[column]).__name__}; expected a text. Leave out rows without "
                "text"
            )
    return tuple(row[column] for column in columns)


def _unreadable(source: str | Path, error: OSError) -> InputError:
    return InputError(f"{source} cannot be read: {error.strerror}. Check the path")
