"""What a Parquet file unpacks to, by the headers of its pages, which are what its reader goes by.

The sizes in the metadata of a file are only said there. Layout: github.com/apache/parquet-format, ``PageHeader`` in
``parquet.thrift``, written in Thrift's compact protocol.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pyarrow.parquet as pq

UNPACKED, PACKED = 2, 3
DATA, DICTIONARY, DATA_2 = 5, 7, 8
COUNT = 1
"""Numbers of the fields of a header: sizes of the page, what kind it is, and in that how many values it has."""

BYTES_OF_VALUE: Final = 8
"""Bytes that a value takes in memory beside what is in the page: its length, or its place in a dictionary."""

STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)
"""Kinds of fields in the compact protocol."""

DEEPEST: Final = 8


class PagesError(ValueError):
    """The headers of the pages cannot be read."""


@dataclass(frozen=True, slots=True)
class ParquetPage:
    """What a header says of its page."""

    packed: int
    unpacked: int
    values: int
    dictionary: bool


def unpacked_size(path: Path | str, metadata: pq.FileMetaData, columns: Collection[str]) -> int:
    """Return how many bytes some columns take when they are read, strings that stand in a dictionary once.

    Parameters
    ----------
    path
        The file.
    metadata
        Of the file.
    columns
        Those that are read, by the names of the outermost.

    Raises
    ------
    PagesError
        A header is damaged, or says that a page is longer than the file.
    """
    size = 0
    with Path(path).open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for group in range(metadata.num_row_groups):
            row_group = metadata.row_group(group)
            for number in range(row_group.num_columns):
                chunk = row_group.column(number)
                if chunk.path_in_schema.partition(".")[0] in columns:
                    size += _size_of_chunk(content, chunk)
    return size


def _size_of_chunk(content: mmap.mmap, chunk: Any) -> int:
    start = chunk.data_page_offset
    if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
        start = min(start, chunk.dictionary_page_offset)
    size = 0
    for page in _pages(content, start, start + chunk.total_compressed_size):
        size += page.unpacked
        if not page.dictionary:
            size += page.values * BYTES_OF_VALUE
    return size


def _pages(content: mmap.mmap, start: int, end: int) -> Iterator[ParquetPage]:
    place = start
    while place < end:
        if not 0 <= place < len(content):
            raise PagesError(f"a page begins at byte {place:,} of {len(content):,}")
        fields, place = _struct(content, place, 0)
        kinds = {DATA: False, DATA_2: False, DICTIONARY: True}
        kind = next((kind for kind in kinds if kind in fields), None)
        values = fields[kind].get(COUNT) if kind is not None else 0
        sizes = (fields.get(PACKED), fields.get(UNPACKED), values)
        if not all(isinstance(each, int) and each >= 0 for each in sizes):
            raise PagesError(f"the page before byte {place:,} has no sizes")
        yield ParquetPage(fields[PACKED], fields[UNPACKED], values, kind == DICTIONARY)
        place += fields[PACKED]


def _struct(content: mmap.mmap, place: int, depth: int) -> tuple[dict[int, Any], int]:
    """Return the fields of a struct by their numbers, and where it ends."""
    fields: dict[int, Any] = {}
    number = 0
    while True:
        head, place = _byte(content, place)
        kind, step = head & 15, head >> 4
        if kind == STOP:
            return fields, place
        if step:
            number += step
        else:
            number, place = _signed(content, place)
        if kind in (TRUE, FALSE):
            fields[number] = kind == TRUE
        else:
            fields[number], place = _value(content, place, kind, depth)


def _value(content: mmap.mmap, place: int, kind: int, depth: int) -> tuple[Any, int]:
    if depth > DEEPEST:
        raise PagesError(f"the header before byte {place:,} is nested too deeply")
    if kind in (I16, I32, I64):
        return _signed(content, place)
    if kind == BINARY:
        length, place = _unsigned(content, place)
        return None, place + length
    if kind == STRUCT:
        return _struct(content, place, depth + 1)
    if kind in (TRUE, FALSE, BYTE):
        return _byte(content, place)
    if kind == DOUBLE:
        return None, place + struct.calcsize("<d")
    raise PagesError(f"the header before byte {place:,} holds a field of kind {kind}, which no header has")


def _byte(content: mmap.mmap, place: int) -> tuple[int, int]:
    if place >= len(content):
        raise PagesError("the file ends within the header of a page")
    return content[place], place + 1


def _unsigned(content: mmap.mmap, place: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte, place = _byte(content, place)
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
    raise PagesError(f"the number before byte {place:,} does not end")


def _signed(content: mmap.mmap, place: int) -> tuple[int, int]:
    value, place = _unsigned(content, place)
    return (value >> 1) ^ -(value & 1), place
