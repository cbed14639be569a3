"""How much memory a packed table takes, found out before a library reads it whole."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from typing import IO, Final
from xml.etree import ElementTree

from eec_datasets import given_file
from eec_datasets.given_file import check_unpacked

BYTES_OF_CELL: Final = 8
"""Bytes that a cell takes, be it empty."""

CELL: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


def check_excel(path: str) -> None:
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
    """Yield what stands in an XML file, without keeping it."""
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


def most_rows_of_spss(path: str) -> int:
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
