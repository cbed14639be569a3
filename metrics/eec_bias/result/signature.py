"""The line that lets another person recompute a number, and the fingerprint of the rows behind it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import OptionError

VERSION = "0.1.0"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a result depends on besides the scores.

    Attributes
    ----------
    data : str
        ``NAME@VERSION#1a2b3c4d`` where the dataset is known, else ``?``.
    axes, references : tuple of str
        The axes and, for each, the level the others are compared with (``mean``: deviations).
    test, adjust, edge : str
        The test, the adjustment for several terms, and what was done with scores at 0 or 1 in the beta fit.
    extras : tuple of (str, str)
        Options that differ from their defaults.
    version : str
        Version of this metric.
    """

    data: str
    axes: tuple[str, ...]
    references: tuple[str, ...]
    test: str
    adjust: str
    edge: str
    extras: tuple[tuple[str, str], ...] = ()
    version: str = VERSION

    def __str__(self) -> str:
        parts = [
            ("v", self.version),
            ("data", self.data),
            ("axes", "+".join(self.axes)),
            ("ref", "+".join(self.references)),
            ("test", self.test),
            ("adj", self.adjust),
            ("edge", self.edge),
            *self.extras,
        ]
        return "|".join(["eec_bias", *(f"{key}:{value}" for key, value in parts)])


@dataclass(frozen=True, slots=True)
class SavedSignature(Signature):
    """The signature of a saved result: its text as it was printed, which is not taken apart again.

    Attributes
    ----------
    text : str
        The whole line.
    """

    text: str = ""

    def __str__(self) -> str:
        return self.text


def part_of(signature: object, key: str) -> str | None:
    """Look one part up in the line of a signature, which is all that a saved result has of it.

    Parameters
    ----------
    signature : Signature or str
        The signature, or its line.
    key : str
        What stands before the colon, such as ``data``.

    Returns
    -------
    str, optional
        What stands behind it in the first such part; None where there is none.
    """
    parts = (part.partition(":") for part in str(signature).split("|"))
    return next((value for name, _, value in parts if name == key), None)


def adjusted(signature: object) -> bool:
    """Whether p was adjusted; where it was not, ``p_adjusted`` of the rows repeats ``p``."""
    return part_of(signature, "adj") != "none"


def content_hash(table: Any) -> str:
    """Fingerprint of the rows of an arrow table, independent of how they are stored.

    sha256 over, for each column in table order: the column's name as UTF-8, a zero byte, the value offsets
    of the column as one UTF-8 arrow array (little-endian int32, starting at 0, n + 1 of them), and the bytes
    of its values. Columns of lists, structures and floating-point numbers are what a user has added to the
    sentences (tokens, scores) and are left out, so that the rows keep their name.

    Parameters
    ----------
    table : pyarrow.Table
        Its other columns can be cast to text.

    Returns
    -------
    str
        64 hexadecimal digits; a signature shows the first 8.
    """
    digest = hashlib.sha256()
    for name in table.column_names:
        kind = table.schema.field(name).type
        if pa.types.is_nested(kind) or pa.types.is_floating(kind):
            continue
        digest.update(name.encode() + b"\0")
        offsets, values = _utf8_buffers(table.column(name))
        digest.update(offsets)
        digest.update(values)
    return digest.hexdigest()


def _utf8_buffers(column: Any) -> tuple[bytes, Any]:
    """Return offsets from zero and value bytes of a text column laid out as one array."""
    array = column if column.type == pa.string() else column.cast(pa.string())
    array = array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], pa.string())
    _, raw, data = array.buffers()
    offsets = np.frombuffer(raw, dtype="<i4", count=len(array) + 1, offset=4 * array.offset) if raw else None
    if offsets is None or not len(array):
        return b"\0\0\0\0", b""
    start, stop = int(offsets[0]), int(offsets[-1])
    return (offsets - start).astype("<i4").tobytes(), memoryview(data)[start:stop] if data else b""


def check_version(wanted: str | None) -> None:
    """Refuse to be another version than the one asked for.

    `evaluate` silently loads the newest cached copy where it cannot reach the revision asked for.

    Parameters
    ----------
    wanted : str, optional
        ``0.1.0`` or ``v0.1.0``; None asks for nothing.

    Raises
    ------
    OptionError
        If this is another version.
    """
    if wanted is None or str(wanted).removeprefix("v") == VERSION:
        return
    number = str(wanted).removeprefix("v")
    raise OptionError(
        f"version {number} of eec_bias was asked for, {VERSION} was loaded from {Path(__file__).parent}; evaluate "
        f"takes a cached copy where it cannot reach a revision: load again with revision='v{number}' and "
        f"download_mode='force_redownload', or ask for version='{VERSION}'"
    )
