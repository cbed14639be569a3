"""The files in a zip archive, also those that are packed with Zstandard, which Python before 3.14 cannot unpack."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO, Final, Self

import pyarrow as pa

from eec_datasets.given_file import check_given

ZSTANDARD: Final = 93
"""Number of the method in the specification of zip."""

DAMAGED: Final = (
    zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error, lzma.LZMAError,
    struct.error,
)  # fmt: skip
"""Errors of the library for an archive that is damaged, encrypted, or packed in a way it cannot unpack."""

LOCAL_HEADER: Final = struct.Struct("<26xHH")
"""Header before the name and the extra field of a file: it ends with the lengths of both."""


class Zipped:
    """An archive that is open; ``with Zipped(path) as archive`` closes it.

    Raises
    ------
    zipfile.BadZipFile
        It is no zip archive, or was cut short.
    """

    def __init__(self, path: Path) -> None:
        check_given(path)
        self.stream: BinaryIO = path.open("rb")
        try:
            self.archive = zipfile.ZipFile(self.stream)
        except DAMAGED as error:
            self.stream.close()
            raise zipfile.BadZipFile(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.archive.close()
        self.stream.close()

    @property
    def names(self) -> list[str]:
        """Names of the files, in order."""
        return self.archive.namelist()

    def read(self, name: str) -> bytes:
        """Return what a file holds.

        Raises
        ------
        zipfile.BadZipFile
            It is damaged.
        """
        about = self.archive.getinfo(name)
        try:
            if about.compress_type != ZSTANDARD:
                return self.archive.read(about)
            self.stream.seek(about.header_offset)
            name_length, extra_length = LOCAL_HEADER.unpack(self.stream.read(LOCAL_HEADER.size))
            self.stream.seek(name_length + extra_length, 1)
            packed = self.stream.read(about.compress_size)
            return bytes(pa.decompress(packed, decompressed_size=about.file_size, codec="zstd", asbytes=True))
        except (*DAMAGED, pa.ArrowException) as error:
            raise zipfile.BadZipFile(f"{name} cannot be unpacked ({error})") from error
