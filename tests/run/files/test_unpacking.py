"""Limits of packed files, whatever they say of themselves: we check their size before a library reads them whole."""

import json
import struct
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import eec

from eec_datasets import given_file

MEGABYTE = 1 << 20


@pytest.fixture
def ten_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limit, so that no test needs a gigabyte."""
    monkeypatch.setattr(given_file, "LARGEST", 10 * MEGABYTE)


def refused(path: Path, why: str) -> None:
    done = eec("measure", path, "--config", "tr-gender")
    assert (done.exit_code, why in done.output) == (1, True), done.output
    assert "Traceback" not in done.output


# Spreadsheets


def test_a_spreadsheet_of_a_gigabyte_is_refused(tmp_path: Path) -> None:
    packed = zipfile.ZipFile(tmp_path / "a.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with packed as archive, archive.open("sheet", "w") as sheet:
        for _ in range(1100):
            sheet.write(bytes(MEGABYTE))
    refused(tmp_path / "a.xlsx", "it unpacks to 1,153,433,600 bytes")


def test_a_spreadsheet_with_one_cell_far_from_all_others_is_refused(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active["A1"] = "id"
    book.active["XFD1048576"] = 1
    book.save(tmp_path / "a.xlsx")
    refused(tmp_path / "a.xlsx", "it unpacks to 137,438,953,472 bytes")


@pytest.mark.usefixtures("ten_megabytes")
def test_texts_of_a_spreadsheet_are_counted(tmp_path: Path) -> None:
    pd.DataFrame({"id": ["x" * 30_000] * 500, "score": 0.5}).to_excel(tmp_path / "a.xlsx", index=False)
    assert (tmp_path / "a.xlsx").stat().st_size < MEGABYTE
    refused(tmp_path / "a.xlsx", "it unpacks to 15,0")


# Parquet


@pytest.mark.usefixtures("ten_megabytes")
def test_a_text_that_stands_once_in_parquet_is_counted_for_every_row(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": ["x" * 500_000] * 50, "score": [0.5] * 50}), tmp_path / "a.parquet")
    assert (tmp_path / "a.parquet").stat().st_size < MEGABYTE
    refused(tmp_path / "a.parquet", "it unpacks to 25,00")


@pytest.mark.usefixtures("ten_megabytes")
def test_pages_of_parquet_are_counted(tmp_path: Path) -> None:
    table = pa.table({"id": [f"{i:0100000}" for i in range(200)], "score": [0.5] * 200})
    pq.write_table(table, tmp_path / "a.parquet", compression="zstd", use_dictionary=False)
    assert (tmp_path / "a.parquet").stat().st_size < MEGABYTE
    refused(tmp_path / "a.parquet", "it unpacks to 20,00")


@pytest.mark.usefixtures("ten_megabytes")
def test_parquet_is_not_believed_about_its_own_size(tmp_path: Path) -> None:
    place = tmp_path / "a.parquet"
    table = pa.table({"id": [f"{i:0100000}" for i in range(200)], "score": [0.5] * 200})
    pq.write_table(table, place, compression="zstd", use_dictionary=False)
    metadata = pq.read_metadata(place)
    content = place.read_bytes()
    footer = len(content) - 8 - struct.unpack("<I", content[-8:-4])[0]
    for size in (metadata.row_group(0).column(0).total_uncompressed_size, metadata.row_group(0).total_byte_size):
        assert varint(size) in content[footer:]
        content = content[:footer] + content[footer:].replace(varint(size), padded_one(len(varint(size))))
    place.write_bytes(content)
    assert pq.read_metadata(place).row_group(0).total_byte_size == 1
    refused(place, "it unpacks to 20,00")


def varint(number: int) -> bytes:
    """A positive number as Thrift's compact protocol writes it."""
    rest, found = 2 * number, []
    while rest >= 128:
        found.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*found, rest])


def padded_one(length: int) -> bytes:
    """A 1, in so many bytes."""
    return bytes([2 | 128, *[128] * (length - 2), 0])


@pytest.mark.usefixtures("ten_megabytes")
def test_missing_values_of_parquet_are_counted(tmp_path: Path) -> None:
    table = pa.table({"id": pa.nulls(3_000_000, pa.string()), "score": pa.nulls(3_000_000, pa.float64())})
    pq.write_table(table, tmp_path / "a.parquet")
    assert (tmp_path / "a.parquet").stat().st_size < MEGABYTE
    refused(tmp_path / "a.parquet", "it unpacks to 10,")


def test_damaged_pages_are_told(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": ["a"], "score": [0.5]}), tmp_path / "a.parquet")
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + bytes(20) + content[24:])
    refused(tmp_path / "a.parquet", "cannot be read as parquet")


def test_texts_of_parquet_are_read_as_they_are(tmp_path: Path) -> None:
    from eec_datasets.audit.tables.files import find_files

    pq.write_table(
        pa.table({"id": ["a", "b", "a"], "who": ["x", None, "x"], "s": ["1", "2", "1"]}), tmp_path / "a.parquet"
    )
    table = find_files(str(tmp_path / "a.parquet")).read(["id", "who", "s"], labels=["who"])
    assert [pa.types.is_dictionary(field.type) for field in table.schema] == [False, True, False]
    assert table.to_pydict() == {"id": ["a", "b", "a"], "who": ["x", None, "x"], "s": ["1", "2", "1"]}


# Other kinds


@pytest.mark.usefixtures("ten_megabytes")
@pytest.mark.parametrize("kind", ["sav", "zsav"])
def test_rows_of_spss_are_counted(kind: str, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    table = pd.DataFrame({"id": ["x" * 2000] * 10_000, "score": 0.5})
    pyreadstat.write_sav(table, tmp_path / f"a.{kind}", compress=kind == "zsav", row_compress=kind == "sav")
    refused(tmp_path / f"a.{kind}", "it unpacks to 20,")


@pytest.mark.usefixtures("ten_megabytes")
def test_a_text_that_stands_once_in_a_stata_file_is_counted_for_every_row(tmp_path: Path) -> None:
    table = pd.DataFrame({"id": ["x" * 30_000] * 500, "score": 0.5})
    table.to_stata(tmp_path / "a.dta", write_index=False, version=117, convert_strl=["id"])
    assert (tmp_path / "a.dta").stat().st_size < MEGABYTE
    refused(tmp_path / "a.dta", "it unpacks to 15,000,000 bytes")


def test_a_gzipped_table_is_none_that_is_read(tmp_path: Path) -> None:
    pd.DataFrame({"id": ["a"], "score": [0.5]}).to_csv(tmp_path / "a.csv.gz", index=False)
    refused(tmp_path / "a.csv.gz", "this is not a text file. Save the table as CSV in UTF-8")


def test_r_s_own_files_are_none_that_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.rds").write_bytes(b"\x1f\x8b\x08\x00")
    refused(tmp_path / "a.rds", "this is not a text file. Save the table as CSV in UTF-8")


@pytest.mark.usefixtures("ten_megabytes")
def test_a_log_is_not_unpacked_beyond_the_limit(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": "x" * 20_000_000}))
    refused(tmp_path / "a.eval", "it unpacks to 20,000,012 bytes")


@pytest.mark.usefixtures("ten_megabytes")
def test_a_log_in_json_is_not_read_beyond_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"eval": "x" * 20_000_000}))
    refused(tmp_path / "a.json", "it has more than 10,485,760 bytes")
