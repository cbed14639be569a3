"""The fingerprint of the rows."""

import hashlib
import struct

import pyarrow as pa
import pytest
from eec_bias import content_hash


def by_hand(columns: dict[str, list[str]]) -> str:
    digest = hashlib.sha256()
    for name, values in columns.items():
        encoded = [value.encode() for value in values]
        ends = [sum(map(len, encoded[:i])) for i in range(len(encoded) + 1)]
        digest.update(name.encode() + b"\0" + struct.pack(f"<{len(ends)}i", *ends) + b"".join(encoded))
    return digest.hexdigest()


COLUMNS = {"id": ["a", "bc", ""], "text": ["él", "سارة", "x"]}


def test_the_hash_is_that_of_the_written_definition() -> None:
    assert content_hash(pa.table(COLUMNS)) == by_hand(COLUMNS)


def test_the_hash_of_no_rows_is_defined_too() -> None:
    empty = pa.table({"id": pa.array([], pa.string())})
    assert content_hash(empty) == by_hand({"id": []})


@pytest.mark.parametrize(
    "table",
    [
        pa.concat_tables([pa.table(COLUMNS).slice(0, 1), pa.table(COLUMNS).slice(1)]),
        pa.concat_tables([pa.table({"id": ["zz"], "text": ["y"]}), pa.table(COLUMNS)]).combine_chunks().slice(1),
        pa.table(COLUMNS).cast(pa.schema([("id", pa.large_string()), ("text", pa.large_string())])),
        pa.table({name: pa.array(values).dictionary_encode() for name, values in COLUMNS.items()}),
    ],
    ids=["chunked", "sliced", "large", "dictionary"],
)
def test_the_hash_does_not_depend_on_storage(table: pa.Table) -> None:
    assert content_hash(table) == by_hand(COLUMNS)


def test_the_hash_depends_on_order_names_and_cuts() -> None:
    variants = [
        COLUMNS,
        {"text": COLUMNS["text"], "id": COLUMNS["id"]},
        {"id": ["ab", "c", ""], "text": COLUMNS["text"]},
        {"ID": COLUMNS["id"], "text": COLUMNS["text"]},
    ]
    assert len({content_hash(pa.table(v)) for v in variants}) == 4
