"""The fingerprint of rows, by which a signature knows them again."""

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa


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
