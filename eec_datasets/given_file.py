"""Files that a user gives: one reader that waits for nobody, reads regular files only, and no more than fits.

Links are followed, as the caches of the Hub are made of them; ``-`` stands for standard input. What a file leads to is
looked at after it was opened, so that nothing can be put in its place between.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
import zipfile
from pathlib import Path
from typing import Any, BinaryIO, Final

from eec_datasets.errors import InputUnreadable

LARGEST: Final = 1 << 30
"""Bytes of the largest file that is read, and of the most that a packed one may unpack to."""

PIECE: Final = 1 << 20
"""Bytes that are read at once."""

NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
STANDARD_INPUT: Final = "-"


def open_given(path: Path | str) -> BinaryIO:
    """Open a file to read its bytes.

    Raises
    ------
    InputUnreadable
        It is no regular file, or too large; where reading goes beyond the limit, it is raised then.
    OSError
        There is no such file, or it may not be read.
    """
    if str(path) == STANDARD_INPUT:
        return _Bounded(sys.stdin.buffer, "standard input")
    stream = os.fdopen(os.open(path, os.O_RDONLY | NO_WAIT), "rb")
    try:
        _check_status(path, os.fstat(stream.fileno()))
    except InputUnreadable:
        stream.close()
        raise
    return _Bounded(stream, str(path))


def read_given(path: Path | str) -> bytes:
    """Return the bytes of a file; see `open_given`."""
    with open_given(path) as stream:
        return stream.read()


def check_given(path: Path | str) -> None:
    """Refuse a file that a library reads by its name: one that is no regular file, or that unpacks to too much.

    Raises
    ------
    InputUnreadable
        It is such a file.
    OSError
        There is no such file, or it may not be read.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | NO_WAIT), "rb") as stream:
        _check_status(path, os.fstat(stream.fileno()), size=False)
        if zipfile.is_zipfile(stream):
            with contextlib.suppress(zipfile.BadZipFile, NotImplementedError), zipfile.ZipFile(stream) as archive:
                check_unpacked(path, sum(entry.file_size for entry in archive.infolist()))


def check_unpacked(path: Path | str, size: int) -> None:
    """Refuse a packed file that unpacks to so many bytes, where that is too much.

    Raises
    ------
    InputUnreadable
        It is.
    """
    if size > LARGEST:
        raise InputUnreadable(
            str(path), f"it unpacks to {size:,} bytes; up to {LARGEST:,} are read. Give a smaller file"
        )


def _check_status(path: Path | str, status: os.stat_result, *, size: bool = True) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputUnreadable(str(path), "Is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise InputUnreadable(str(path), "it is a pipe or a device; save it as a file first")
    if size:
        _check_size(str(path), status.st_size)


def _check_size(name: str, size: int) -> None:
    if size > LARGEST:
        raise InputUnreadable(name, f"it has more than {LARGEST:,} bytes. Give a smaller file")


class _Bounded(io.BufferedIOBase, BinaryIO):
    """A stream that gives no more bytes than the limit, however long what it reads grows."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream = stream
        self._name = name
        self._count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size >= 0:
            return self._counted(self._stream.read(size))
        # In pieces: one as large as the limit takes that much memory, however small the file is.
        return b"".join(iter(lambda: self._counted(self._stream.read(PIECE)), b""))

    def readline(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = LARGEST - self._count + 1
        return self._counted(self._stream.readline(size))

    def __next__(self) -> bytes:
        if line := self.readline():
            return line
        raise StopIteration

    def close(self) -> None:
        if not self.closed and self._stream is not sys.stdin.buffer:
            self._stream.close()
        super().close()

    def _counted(self, raw: bytes) -> bytes:
        self._count += len(raw)
        _check_size(self._name, self._count)
        return raw
