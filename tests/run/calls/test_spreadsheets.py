"""CSV files hold nothing that a spreadsheet would run, and read back as what they were made from."""

import csv
import io
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eec_datasets import row_file
from eec_datasets.audit.saving import to_csv
from eec_datasets.audit.tables.files import find_files
from eec_datasets.text_file import guarded, unguarded

RUN = ("=cmd|' /C calc'!A0", "+1 for her", "-she said", "@SUM(A1)", "\t=x", "'=x", "-5e")
KEPT = ("-5", "+1.5", "-1e-3", "She said =", "'tis", "", "a,b")


@given(st.text(alphabet="'=+-@\t\r15.e a"))
def test_a_guarded_text_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text


@given(st.text(alphabet="'=+-@\t\r15.e a"))
def test_a_guarded_text_is_no_formula(text: str) -> None:
    shown = guarded(text)
    assert shown[:1] not in ("=", "@", "\t", "\r")
    assert shown[:1] not in ("+", "-") or float(shown) == float(text)


@pytest.mark.parametrize("text", RUN)
def test_a_formula_stands_behind_an_apostrophe_unlike_a_number(text: str) -> None:
    rows = [{"text": text, "effect": -0.5}, {"text": KEPT[0], "effect": None}]
    assert list(csv.reader(io.StringIO(to_csv(rows)))) == [["text", "effect"], [f"'{text}", "-0.5"], ["-5", ""]]


def test_rows_written_as_csv_are_read_as_they_were(tmp_path: Path) -> None:
    path, texts = tmp_path / "rows.csv", [*RUN, *KEPT]
    row_file.write(path, [pa.record_batch({"id": [f"{number}" for number in range(len(texts))], "text": texts})])
    cells = [row[1] for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline=""))][1:]
    assert cells == [*(f"'{text}" for text in RUN), *KEPT]
    assert find_files(str(path)).read(["id", "text"])["text"].to_pylist() == texts
