"""The fingerprint of rows, by which a signature knows them again."""

import hashlib
from typing import Any

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
        # Joined behind an empty text they are one array, whose values begin at 0.
        texts = pa.concat_arrays([pa.array([""]), *table.column(name).cast(pa.string()).chunks])
        _, offsets, values = texts.buffers()
        digest.update(memoryview(offsets)[4 : 4 * (len(texts) + 1)])
        digest.update(values)
    return digest.hexdigest()
