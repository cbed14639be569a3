"""Tables as R, pandas, Excel, Stata and SPSS write them: read without an option, with the same scores."""

import io
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from eec_datasets import corpora
from eec_datasets.audit.tables.files import TableOptions, find_files
from eec_datasets.audit.tables.scores import Scores, read_scores, read_table
from eec_datasets.errors import BadScores

CONFIG: Final = "es-anglo-latino"
INDEX: Final = "a column without a name, as R and pandas write one, is left out"
SEMICOLONS: Final = "the columns are separated by semicolons"
TABS: Final = "the columns are separated by tabs"
COMMAS: Final = "numbers have a decimal comma"
LATIN: Final = "the file is not UTF-8 and is read as Windows-1252 (Latin-1)"


@pytest.fixture(scope="module")
def corpus() -> pa.Table:
    return corpora.table(CONFIG)[:960]


@pytest.fixture(scope="module")
def frame(corpus: pa.Table) -> pd.DataFrame:
    """Ids, sentences and scores in another order than the corpus has."""
    made = corpus.select(["id", "text"]).to_pandas()
    made["score"] = np.arange(len(made)) * 7919 % 9973 / 9973
    return made.sample(frac=1, random_state=1).round({"score": 6})


def quoted(frame: pd.DataFrame, separator: str = ",", decimal: str = ".", head: str = '""') -> str:
    """What R's write.csv and write.csv2 write: quotes around texts, row numbers under an empty name."""
    names = separator.join([*([head] if head else []), *(f'"{name}"' for name in frame.columns)])
    lines = [names]
    for number, row in enumerate(frame.itertuples(index=False), start=1):
        cells = [f'"{cell}"' if isinstance(cell, str) else f"{cell:.15g}".replace(".", decimal) for cell in row]
        lines.append(separator.join([f'"{number}"', *cells]))
    return "\n".join([*lines, ""])


def excel_csv(frame: pd.DataFrame, **options: Any) -> str:
    """What Excel saves as CSV where the comma is decimal."""
    return frame.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n", **options)


def as_excel(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.to_excel(stream, index=False)
    return stream.getvalue()


def as_stata(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.to_stata(stream, write_index=False, version=118)
    return stream.getvalue()


def as_parquet(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.to_parquet(stream)
    return stream.getvalue()


def as_views(frame: pd.DataFrame) -> bytes:
    table, stream = pa.Table.from_pandas(frame, preserve_index=False), io.BytesIO()
    views = [pa.float64() if name == "score" else pa.string_view() for name in table.column_names]
    parquet.write_table(table.cast(pa.schema(list(zip(table.column_names, views, strict=True)))), stream)
    return stream.getvalue()


Writer = Callable[[pd.DataFrame], str | bytes]
WRITERS: Final[dict[str, tuple[str, Writer, list[str]]]] = {
    "R's write.csv": ("csv", quoted, [INDEX]),
    "R's write.csv2": ("csv", lambda f: quoted(f, ";", ","), [SEMICOLONS, INDEX, COMMAS]),
    "R's write.table": ("txt", lambda f: quoted(f, "\t", head=""), [TABS, INDEX]),
    "pandas": ("csv", lambda f: f.to_csv(), [INDEX]),
    "pandas, read and written again": ("csv", lambda f: f.to_csv().replace(",id", "Unnamed: 0,id", 1), [INDEX]),
    "Excel in Spain": ("csv", lambda f: excel_csv(f).encode("cp1252"), [SEMICOLONS, LATIN, COMMAS]),
    "Excel in Spain, CSV UTF-8": ("csv", lambda f: excel_csv(f).encode("utf-8-sig"), [SEMICOLONS, COMMAS]),
    "Excel on a Mac": (
        "csv", lambda f: excel_csv(f).encode("mac_roman"),
        [SEMICOLONS, "the file is not UTF-8 and is read as Mac Roman", COMMAS],
    ),
    "Excel, Unicode text": ("txt", lambda f: f.to_csv(index=False, sep="\t").encode("utf-16"), [TABS]),
    "a separator that is declared": ("csv", lambda f: "sep=;\r\n" + excel_csv(f), [SEMICOLONS, COMMAS]),
    "Excel, with empty columns": (
        "csv", lambda f: "".join(f"{line},,\n" for line in f.to_csv(index=False).splitlines()), [INDEX],
    ),
    "Excel": ("xlsx", as_excel, []),
    "Stata": ("dta", as_stata, []),
    "Parquet with an index": ("parquet", as_parquet, [INDEX]),
    "Parquet of string views": ("parquet", as_views, []),
    "JSON lines": ("jsonl", lambda f: f.to_json(orient="records", lines=True, double_precision=15), []),
    "other cases": (
        "csv", lambda f: f.rename(columns={"id": "ID", "text": "Text"}).to_csv(index=False),
        ["the column 'ID' is taken for 'id'", "the column 'Text' is taken for 'text'"],
    ),
    "a pandas index of ids": (
        "csv", lambda f: f.set_index("id")["score"].rename_axis(None).to_csv(),
        ["the column without a name is taken for 'id'"],
    ),
    "a column that counts": (
        "csv", lambda f: f.assign(X=range(1, len(f) + 1), note="by hand").to_csv(index=False),
        ["the column 'X' counts the rows and is left out", "the column 'note' holds no numbers and is left out"],
    ),
    "no ids": (
        "csv", lambda f: f.drop(columns="id").to_csv(index=False),
        ["there are no ids; the rows are matched by the text"],
    ),
}  # fmt: skip


def read(folder: Path, corpus: pa.Table, suffix: str, content: str | bytes, **reading: Any) -> Scores:
    path = folder / f"scores.{suffix}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_scores(path, corpus, f"{CONFIG}@1#0", TableOptions(**reading))


def expected(frame: pd.DataFrame, corpus: pa.Table) -> list[float]:
    return list(frame.set_index("id")["score"].loc[corpus["id"].to_pylist()])


@pytest.mark.parametrize("writer", WRITERS)
def test_a_file_is_read_without_an_option_and_each_guess_is_said(
    writer: str, frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path
) -> None:
    suffix, write, notes = WRITERS[writer]
    if suffix == "xlsx":
        pytest.importorskip("openpyxl", reason="needs the extra tables")
    found = read(tmp_path, corpus, suffix, write(frame))
    assert found.measured.tolist() == expected(frame, corpus)
    assert list(found.notes) == notes


def test_spss_is_read(frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="needs the extra tables")
    pyreadstat.write_sav(frame.rename(columns={"id": "ID"}), tmp_path / "scores.sav")
    found = read_scores(tmp_path / "scores.sav", corpus)
    assert found.measured.tolist() == expected(frame, corpus)


def test_arabic_in_the_encoding_of_windows_is_told_from_latin_1(tmp_path: Path) -> None:
    arabic = corpora.table("ar-anglo-arab")
    frame = arabic.select(["id", "text"]).to_pandas().assign(score=0.5)
    found = read(tmp_path, arabic, "csv", frame.to_csv(index=False).encode("cp1256"))
    assert list(found.notes) == ["the file is not UTF-8 and is read as Windows-1256 (Arabic)"]


def test_a_row_per_system_is_measured_as_systems(frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    long = pd.concat([frame.assign(model=name, score=frame["score"] / by) for name, by in (("b", 1), ("a", 2))])
    found = read(tmp_path, corpus, "csv", long.to_csv(index=False))
    once = expected(frame, corpus)
    assert found.measured.tolist() == pytest.approx([*once, *(score / 2 for score in once)])
    assert (found.options, len(found.rows)) == ({"systems": "model"}, 2 * len(corpus))
    assert found.rows["model"].to_pylist() == ["b"] * len(corpus) + ["a"] * len(corpus)
    assert list(found.notes) == ["a row per model: 2 for every sentence"]
    with pytest.raises(BadScores, match=r"systems is 'modle'; expected the column .* which could be model\.$"):
        read(tmp_path, corpus, "csv", long.to_csv(index=False), facets={"systems": "modle"})
    prompts = long.rename(columns={"model": "prompt"}).to_csv(index=False)
    assert read(tmp_path, corpus, "csv", prompts).notes[0].endswith(", taken as systems and not as runs of one")
    for named in ({"runs": "prompt"}, {"systems": "prompt"}):
        assert list(read(tmp_path, corpus, "csv", prompts, facets=named).notes) == [
            "a row per prompt: 2 for every sentence"
        ]
    assert read(tmp_path, corpus, "csv", prompts, facets={"runs": "prompt"}).options == {"runs": "prompt"}


def test_columns_may_be_runs_of_one_system(frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    wide = frame.drop(columns="text").rename(columns={"score": "a"}).assign(b=0.25).to_csv(index=False)
    runs = read(tmp_path, corpus, "csv", wide, facets={"runs": ("a", "b")})
    assert (runs.options, np.shape(runs.measured)) == ({"runs": ("a", "b")}, (2, len(corpus)))


GROUPED: Final = {
    ("1,234", "comma"): 1.234, ("1,234", "point"): 1234, ("1.234", "comma"): 1234, ("1.234", "point"): 1.234,
    ("1.234,5", ""): 1234.5, ("1,234.5", ""): 1234.5,
}  # fmt: skip


@pytest.mark.parametrize(("written", "decimal"), GROUPED)
def test_marks_between_thousands_are_told_by_the_numbers_or_an_option(
    written: str, decimal: str, corpus: pa.Table, tmp_path: Path
) -> None:
    content = "id;score\n" + "".join(f"{each};{written}\n" for each in corpus["id"].to_pylist())
    found = read(tmp_path, corpus, "csv", content, score_range=(0, 5000), decimal=decimal)
    assert set(found.measured) == {GROUPED[written, decimal]}


def test_a_point_between_thousands_is_not_taken_for_a_decimal_one(corpus: pa.Table, tmp_path: Path) -> None:
    ids = corpus["id"].to_pylist()
    content = f"id;score\n{ids[0]};1.234\n" + "".join(f"{each};999,5\n" for each in ids[1:])
    with pytest.raises(BadScores, match=r"'1\.234' is 1\.234 with a decimal point, and 1234 .* option decimal: "):
        read(tmp_path, corpus, "csv", content, score_range=(0, 5000))
    assert read(tmp_path, corpus, "csv", content, score_range=(0, 5000), decimal="comma").measured[0] == 1234
    with pytest.raises(BadScores, match=r"959 values that are no finite number: score = '999,5' in line 3"):
        read(tmp_path, corpus, "csv", content, score_range=(0, 5000), decimal="point")


def test_numbers_among_texts_of_a_sheet_are_the_numbers_they_are(corpus: pa.Table, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    frame = pd.DataFrame({"id": corpus["id"].to_pylist(), "score": "999,5"}, dtype=object)
    frame.loc[:1, "score"] = [1.234, "1.234,5"]
    found = read(tmp_path, corpus, "xlsx", as_excel(frame), score_range=(0, 5000))
    assert found.measured[:3].tolist() == [1.234, 1234.5, 999.5]


def test_labels_of_codes_are_read_where_they_name_rows_and_refused_where_they_are_numbers(
    frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path
) -> None:
    found = read(tmp_path, corpus, "dta", as_stata(frame.assign(id=pd.Categorical(frame["id"]))))
    assert found.measured.tolist() == expected(frame, corpus)
    factor = frame.assign(score=pd.Categorical(["0.25", "1"] * (len(frame) // 2)))
    with pytest.raises(BadScores, match=r"'score' holds codes whose labels are other numbers: 0 is labelled '0\.25'"):
        read(tmp_path, corpus, "dta", as_stata(factor))


def test_labels_of_codes_are_classes(frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    factor = frame.assign(score=pd.Categorical(["bad", "good"] * (len(frame) // 2)))
    found = read(tmp_path, corpus, "dta", as_stata(factor), outputs="class")
    assert found.measured.tolist() == expected(factor, corpus)


def test_whole_numbers_of_a_sheet_are_labels(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    rows = pd.DataFrame({"person": [1, 2], "item": ["a", "a"], "gender": [1, 2], "score": [0.25, 1]})
    rows.to_excel(tmp_path / "rows.xlsx", index=False)
    found = read_table(find_files(str(tmp_path / "rows.xlsx")))
    assert found.rows.to_pydict() == {"person": [1, 2], "item": ["a", "a"], "gender": [1, 2]}
    assert all(map(pa.types.is_integer, (found.rows["person"].type, found.rows["gender"].type)))


def test_an_empty_cell_among_numbers_of_a_sheet_is_none(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    pd.DataFrame({"id": ["a", "b"], "score": [0.25, None]}).to_excel(tmp_path / "rows.xlsx", index=False)
    assert find_files(str(tmp_path / "rows.xlsx")).read(["score"])["score"].to_pylist() == [0.25, None]


def test_files_of_several_kinds_are_no_table(tmp_path: Path) -> None:
    for name in ("rows.csv", "rows.parquet"):
        (tmp_path / name).touch()
    with pytest.raises(BadScores, match=r"is csv and parquet; expected .*, and one of them only"):
        find_files(str(tmp_path / "rows.*"))


def test_a_first_line_without_an_end_is_not_taken_for_names(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("0.5," * (1 << 19))
    with pytest.raises(BadScores, match=r"the first line goes on for more than 1 MB"):
        _ = find_files(str(tmp_path / "rows.csv")).columns


def test_what_programs_do_to_ids_texts_and_numbers_is_named(
    frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path
) -> None:
    apart = unicodedata.normalize("NFD", frame.to_csv(index=False))
    with pytest.raises(BadScores, match=r"\d+ texts in which a program changed quotes or spaces or took accents apart"):
        read(tmp_path, corpus, "csv", apart)
    numbered = corpus.set_column(0, "id", [[f"{number:04}" for number in range(len(corpus))]])
    with pytest.raises(BadScores, match=r"960 ids that a spreadsheet has made dates or numbers .*: '0' in line 2; "):
        read(tmp_path, numbered, "csv", "id,score\n" + "".join(f"{number},0.5\n" for number in range(len(corpus))))
    content = frame.to_csv(index=False)
    hints = (
        ("1'234.5", "without marks between thousands"),
        ("2026-05-01", "made dates of numbers"),
        ("−0.5", "as they are typed"),
    )
    for value, hint in hints:
        with pytest.raises(BadScores, match=rf"1 values that are no finite number \(.*{hint}.*\): score = "):
            read(tmp_path, corpus, "csv", content.replace(",0.0\n", f",{value}\n", 1), score_range=(0, 5000))
    with pytest.raises(BadScores, match=r"there are no scores: score is empty in every row\. Fill it in; a formula"):
        read(tmp_path, corpus, "csv", frame.assign(score=None).to_csv(index=False))


def test_a_sheet_is_asked_for_where_there_are_several(frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    path = tmp_path / "scores.xlsx"
    with pd.ExcelWriter(path) as book:
        frame[["id", "score"]].to_excel(book, sheet_name="ours", index=False)
        frame[:1].to_excel(book, sheet_name="notes", index=False)
    with pytest.raises(BadScores) as error:
        read_scores(path, corpus)
    assert (
        str(error.value)
        == f"{path}: which sheet holds the scores? There are 'ours', 'notes'; save it alone, or name it "
        "with the option sheet."
    )
    found = read_scores(path, corpus, options=TableOptions(sheet="ours"))
    assert found.measured.tolist() == expected(frame, corpus)


def test_a_title_above_the_names_is_not_taken_for_them(corpus: pa.Table, tmp_path: Path) -> None:
    rows = "".join(f"{each};0,5\n" for each in corpus["id"].to_pylist())
    with pytest.raises(BadScores, match=r"no column 'id' or 'text' among Our results; scores and rows are matched"):
        read(tmp_path, corpus, "csv", f"Our results;\nid;score\n{rows}")


def test_a_percent_sign_is_told_from_a_class(corpus: pa.Table, tmp_path: Path) -> None:
    for value, hint in (("54.3 %", "write them without %"), ("good", "if they are classes, eec measure takes them")):
        rows = "".join(f"{each},{value}\n" for each in corpus["id"].to_pylist())
        with pytest.raises(BadScores, match=rf"values that are no finite number \({hint}"):
            read(tmp_path, corpus, "csv", f"id,score\n{rows}")


def test_a_table_of_another_corpus_is_named(corpus: pa.Table, tmp_path: Path) -> None:
    other = corpora.table("en-gender").select(["id", "text"]).to_pandas().assign(score=0.5)
    with pytest.raises(BadScores, match=r"unknown ids: (.|\n)*All texts of the file are of en-gender\. Expected"):
        read(tmp_path, corpus, "csv", other.to_csv(index=False))
    part = corpus.slice(0, 9).select(["id"]).to_pandas().assign(score=0.5)
    with pytest.raises(BadScores, match=r"missing ids (.|\n)*rows of a part, .* with --data\. Expected"):
        read(tmp_path, corpus, "csv", part.to_csv(index=False))


@pytest.mark.parametrize("nested", ["id", "race"])
def test_a_column_of_lists_is_named(nested: str, frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    lists = frame.assign(race="white").astype(object)
    lists[nested] = lists[nested].map(lambda value: [value])
    content = lists[["id", "race", "score"]].to_json(orient="records", lines=True)
    with pytest.raises(BadScores, match=rf"jsonl: the column '{nested}' holds list<.*>; expected a text or number per"):
        read(tmp_path, corpus, "jsonl", content)


def test_rows_that_a_spreadsheet_left_empty_are_named_as_such(
    frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path
) -> None:
    with pytest.raises(
        BadScores, match=r":\n  2 rows without id \(delete those that are empty\): line \d+; line \d+\nEx"
    ):
        read(tmp_path, corpus, "csv", frame.to_csv(index=False) + ",,\n,,\n")
