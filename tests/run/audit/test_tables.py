"""Tables as R, pandas, Excel, Stata and SPSS write them: read without an option, and all that is wrong said at once."""

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet
from snapshots import Snapshot

from eec_datasets import corpora
from eec_datasets.audit.tables.entrance import read_scores, read_table
from eec_datasets.audit.tables.files import TableOptions, find_files
from eec_datasets.audit.tables.scores import TableScores
from eec_datasets.errors import InputError
from eec_datasets.systems.score_file import Header, to_text

INDEX: Final = "a column without a name, as R and pandas write one, is left out"
SEMICOLONS: Final = "the columns are separated by semicolons"
TABS: Final = "the columns are separated by tabs"
COMMAS: Final = "numbers have a decimal comma"
LATIN: Final = "the file is not UTF-8 and is read as Windows-1252 (Latin-1)"


@pytest.fixture(scope="module")
def corpus() -> pa.Table:
    return corpora.table("es-anglo-latino")[:960]


@pytest.fixture(scope="module")
def frame(corpus: pa.Table) -> pd.DataFrame:
    """Ids, sentences and scores in another order than the corpus has."""
    made = corpus.select(["id", "text"]).to_pandas()
    made["score"] = np.arange(len(made)) * 7919 % 9973 / 9973
    return made.sample(frac=1, random_state=1).round({"score": 6})


def quoted(frame: pd.DataFrame, separator: str = ",", decimal: str = ".", head: str = '""') -> str:
    """Write a table as R's write.csv and write.csv2 do: quotes around texts, row numbers under an empty name."""
    lines = [separator.join([*([head] if head else []), *(f'"{name}"' for name in frame.columns)])]
    for number, row in enumerate(frame.itertuples(index=False), start=1):
        cells = [f'"{cell}"' if isinstance(cell, str) else f"{cell:.15g}".replace(".", decimal) for cell in row]
        lines.append(separator.join([f'"{number}"', *cells]))
    return "\n".join([*lines, ""])


def excel_csv(frame: pd.DataFrame, encoding: str = "utf-8") -> bytes:
    """Write a table as Excel saves CSV if the comma is decimal."""
    return frame.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n").encode(encoding)


def binary(method: str, frame: pd.DataFrame, **options: Any) -> bytes:
    stream = io.BytesIO()
    getattr(frame, method)(stream, **options)
    return stream.getvalue()


as_excel = partial(binary, "to_excel", index=False)
as_stata = partial(binary, "to_stata", write_index=False, version=118)


def as_views(frame: pd.DataFrame) -> bytes:
    table, stream = pa.Table.from_pandas(frame, preserve_index=False), io.BytesIO()
    views = [(name, pa.float64() if name == "score" else pa.string_view()) for name in table.column_names]
    parquet.write_table(table.cast(pa.schema(views)), stream)
    return stream.getvalue()


Writer = Callable[[pd.DataFrame], str | bytes]
WRITERS: Final[dict[str, tuple[str, Writer, list[str]]]] = {
    "R's write.csv": ("csv", quoted, [INDEX]),
    "R's write.csv2": ("csv", lambda f: quoted(f, ";", ","), [SEMICOLONS, INDEX, COMMAS]),
    "R's write.table": ("txt", lambda f: quoted(f, "\t", head=""), [TABS, INDEX]),
    "pandas": ("csv", lambda f: f.to_csv(), [INDEX]),
    "pandas, read and written again": ("csv", lambda f: f.to_csv().replace(",id", "Unnamed: 0,id", 1), [INDEX]),
    "Excel in Spain": ("csv", lambda f: excel_csv(f, "cp1252"), [SEMICOLONS, LATIN, COMMAS]),
    "Excel in Spain, CSV UTF-8": ("csv", lambda f: excel_csv(f, "utf-8-sig"), [SEMICOLONS, COMMAS]),
    "Excel on a Mac": (
        "csv", lambda f: excel_csv(f, "mac_roman"),
        [SEMICOLONS, "the file is not UTF-8 and is read as Mac Roman", COMMAS],
    ),
    "Excel, Unicode text": ("txt", lambda f: f.to_csv(index=False, sep="\t").encode("utf-16"), [TABS]),
    "a separator that is declared": ("csv", lambda f: b"sep=;\r\n" + excel_csv(f), [SEMICOLONS, COMMAS]),
    "Excel, with empty columns": (
        "csv", lambda f: "".join(f"{line},,\n" for line in f.to_csv(index=False).splitlines()), [INDEX],
    ),
    "Excel": ("xlsx", as_excel, []),
    "Stata": ("dta", as_stata, []),
    "Stata, ids as codes with labels": ("dta", lambda f: as_stata(f.assign(id=pd.Categorical(f["id"]))), []),
    "Parquet with an index": ("parquet", partial(binary, "to_parquet"), [INDEX]),
    "Parquet of string views": ("parquet", as_views, []),
    "JSON lines": ("jsonl", lambda f: f.to_json(orient="records", lines=True, double_precision=15), []),
    "JSON by columns": ("json", lambda f: f.to_json(double_precision=15), []),
    "JSON, split": ("json", lambda f: f.to_json(orient="split", double_precision=15), []),
    "JSON by id": ("json", lambda f: f.set_index("id")["score"].to_json(double_precision=15), []),
    "JSON by text": ("json", lambda f: f.set_index("text")["score"].to_json(double_precision=15), []),
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
        [
            "the column 'X' only counts the rows and is left out",
            "the column 'note' contains no numbers and is left out",
        ],
    ),
    "no ids": (
        "csv", lambda f: f.drop(columns="id").to_csv(index=False),
        [],
    ),
    "texts with other spaces": (
        "csv", lambda f: f.drop(columns="id").assign(text=" " + f["text"].str.replace(" ", "  ")).to_csv(index=False),
        [],
    ),
    "line ends of Windows, an empty line, spaces": (
        "csv", lambda f: b"\xef\xbb\xbf" + f.to_csv(index=False, lineterminator="\r\n").replace(",0.", ", 0.")
        .replace("\r\n", "\r\n\r\n", 3).encode(), [],
    ),
}  # fmt: skip


def read(
    folder: Path, rows: pa.Table, suffix: str, content: str | bytes, *, name: str = "", **said: Any
) -> TableScores:
    path = folder / f"scores.{suffix}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_scores(path, rows, "tiny@1.0.0#00ff", TableOptions(**said), name=name)


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
    assert read_scores(tmp_path / "scores.sav", corpus).measured.tolist() == expected(frame, corpus)


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
    prompts = long.rename(columns={"model": "prompt"}).to_csv(index=False)
    assert read(tmp_path, corpus, "csv", prompts).notes[0].endswith(", taken as systems and not as runs of one")
    for named in ({"runs": "prompt"}, {"systems": "prompt"}):
        declared = read(tmp_path, corpus, "csv", prompts, facets=named)
        assert (declared.options, list(declared.notes)) == (named, ["a row per prompt: 2 for every sentence"])


def test_columns_may_be_runs_of_one_system(frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    wide = frame.drop(columns="text").rename(columns={"score": "a"}).assign(b=0.25).to_csv(index=False)
    runs = read(tmp_path, corpus, "csv", wide, facets={"runs": ("a", "b")})
    assert (runs.options, np.shape(runs.measured)) == ({"runs": ("a", "b")}, (2, len(corpus)))


def test_cells_of_sheets_and_labels_of_codes_are_read_as_meant(
    frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path
) -> None:
    factor = frame.assign(score=pd.Categorical(["bad", "good"] * (len(frame) // 2)))
    found = read(tmp_path, corpus, "dta", as_stata(factor), classes=True)
    assert found.measured.tolist() == expected(factor, corpus)
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    mixed = pd.DataFrame({"id": corpus["id"].to_pylist(), "score": "999,5"}, dtype=object)
    mixed.loc[:1, "score"] = [1.234, "1.234,5"]
    found = read(tmp_path, corpus, "xlsx", as_excel(mixed), score_range=(0, 5000))
    assert found.measured[:3].tolist() == [1.234, 1234.5, 999.5]
    rows = pd.DataFrame({"person": [1, 2], "item": ["a", "a"], "gender": [1, 2], "score": [0.25, 1]})
    rows.to_excel(tmp_path / "rows.xlsx", index=False)
    found = read_table(find_files(str(tmp_path / "rows.xlsx")))
    assert found.rows.to_pydict() == {"person": [1, 2], "item": ["a", "a"], "gender": [1, 2]}
    assert all(map(pa.types.is_integer, (found.rows["person"].type, found.rows["gender"].type)))
    pd.DataFrame({"id": ["a", "b"], "score": [0.25, None]}).to_excel(tmp_path / "rows.xlsx", index=False)
    assert find_files(str(tmp_path / "rows.xlsx")).read(["score"])["score"].to_pylist() == [0.25, None]


def test_a_book_of_several_sheets_is_refused(frame: pd.DataFrame, corpus: pa.Table, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    path = tmp_path / "scores.xlsx"
    with pd.ExcelWriter(path) as book:
        frame[["id", "score"]].to_excel(book, sheet_name="ours", index=False)
        frame[:1].to_excel(book, sheet_name="notes", index=False)
    with pytest.raises(
        InputError,
        match=r"scores\.xlsx: .*which sheet .* 'ours', 'notes'\. Save the one with the scores as a separate file",
    ):
        read_scores(path, corpus)


IDS = [f"t01/angry/{person}" for person in ("maria", "alan", "amanda", "jose")]
TEXTS = [f"{person} feels angry." for person in ("Maria", "Alan", "Amanda", "José")]
CORPUS = pa.table({"id": IDS, "text": TEXTS})
GOOD = "id,score\n" + "".join(f"{identifier},0.{i}\n" for i, identifier in enumerate(IDS, start=1))


def each(value: str, head: str = "id,score") -> str:
    """A file with one value for every id."""
    return "\n".join([head, *(f"{identifier}{head[2]}{value}" for identifier in IDS), ""])


def beside(*columns: str) -> str:
    """The good file with a further column."""
    return "\n".join(f"{line},{value}" for line, value in zip(GOOD.splitlines(), columns, strict=True)) + "\n"


def lists(scores: TableScores) -> dict[str, list[Any]]:
    return {name: values.tolist() for name, values in scores.scores.items()}


def test_every_further_column_is_a_system_by_default(tmp_path: Path) -> None:
    scores, other = [0.1, 0.2, 0.3, 0.4], [0.5, 0.25, 0, 1]
    content = beside("other", *map(str, other)).replace("id,score", "id,ours")
    mixed = "id,words,codes\n" + "".join(f"{key},{'abba'[k]},{k + 3}\n" for k, key in enumerate(IDS))
    for given, options, found in (
        (content, {}, {"ours": scores, "other": other}),
        (content, {"columns": ["other"]}, {"other": other}),
        (beside("text", *TEXTS), {}, {"score": scores}),
        (GOOD.replace("0.3", "3"), {"score_range": (0.0, 5.0)}, {"score": [0.1, 0.2, 3, 0.4]}),
        (GOOD, {"classes": True}, {"score": ["0.1", "0.2", "0.3", "0.4"]}),
        (mixed, {"classes": True}, {"words": list("abba"), "codes": list("3456")}),
    ):
        assert lists(read(tmp_path, CORPUS, "csv", given, **options)) == found
    # A system without any score is left to the metric.
    assert np.isnan(read(tmp_path, CORPUS, "csv", beside("none", *[""] * 4)).scores["none"]).all()


def test_a_file_of_an_audit_brings_its_range(tmp_path: Path) -> None:
    header = Header("vader", "vaderSentiment==3.3.2", "tiny", "tiny@1.0.0#00ff", -1.0, 1.0)
    text = to_text(header, IDS, {"score": [-1.0, -0.5, 0.0, 1.0]})
    table = read(tmp_path, CORPUS, "csv", text)
    assert (table.score_range, table.system, lists(table)) == ((-1, 1), "vader", {"score": [-1, -0.5, 0, 1]})


def test_a_file_of_an_audit_is_of_one_corpus(tmp_path: Path) -> None:
    header = Header("vader", "vaderSentiment==3.3.2", "tiny", "tiny@1.0.0#00ff", -1.0, 1.0)
    (tmp_path / "scores.csv").write_text(to_text(header, IDS, {"score": [-1.0, -0.5, 0.0, 1.0]}))
    with pytest.raises(InputError, match=r"the scores are of tiny@1.0.0#00ff, the corpus is tiny@1.0.1#11ee"):
        read_scores(tmp_path / "scores.csv", CORPUS, "tiny@1.0.1#11ee")


GROUPED: Final = {"1.234,5": 1234.5, "1,234.5": 1234.5}
MIXED: Final = f"id;score\n{IDS[0]};1.234\n" + "".join(f"{identifier};999,5\n" for identifier in IDS[1:])


@pytest.mark.parametrize("number", GROUPED)
def test_marks_between_thousands_are_told_by_the_numbers(number: str, tmp_path: Path) -> None:
    found = read(tmp_path, CORPUS, "csv", each(number, "id;score"), score_range=(0, 5000))
    assert found.measured.tolist() == [GROUPED[number]] * 4


WIDE: Final = {"score_range": (0, 5000)}
BAD: dict[str, str | bytes | tuple[str | bytes, dict[str, Any]]] = {
    "another text": beside("text", *TEXTS[:2], "Amanda feels sad.", TEXTS[3]),
    "missing, unknown, duplicate": f"id,score\n{IDS[0]},0.1\n{IDS[0]},0.2\nt01/angry/eve,0.2\n{IDS[2]},0.3\n",
    "no rows": "id,score\n",
    "no numbers and out of range": f"id,score\n{IDS[0]},n/a\n{IDS[1]},nan\n{IDS[2]},3\n{IDS[3]},0.5\n",
    "of another length": GOOD.replace("jose,0.4", "jose,0,4"),
    "empty": "",
    "another encoding": GOOD.replace("jose", "josé").encode("latin-1"),
    "a row of several lines": f'score,id,note\n0.1,{IDS[0]},"a\nb"\nx,{IDS[1]},"a\nb"\n0.3,{IDS[2]},\n0.4,{IDS[3]},\n',
    "a spreadsheet": b"PK\x03\x04\0\0",
    "no id": GOOD.replace("id,", "key,"),
    "a title above the names": "Our results,\n" + GOOD,
    "two ids": "Id,ID,score\n",
    "two scores": beside("points", "0.5", "0.25", "0", "1"),
    "quotes and spaces": beside("text", "Maria  feels angry.", "“Alan feels angry.”", *TEXTS[2:]),
    "accents taken apart": beside("text", *TEXTS[:3], "Jose\u0301 feels angry."),
    "dates": GOOD.replace(IDS[0], "01-abr").replace(IDS[1], "2026-04-01"),
    "rows left empty": GOOD + ",\n,\n",
    "two that could name the system": beside("a,b", *["x,y"] * 4) + beside("a,b", *["v,w"] * 4).partition("\n")[2],
    "another that names the system": (
        beside("model", *"xxxx") + beside("model", *"yyyy").partition("\n")[2], {"facets": {"systems": "modle"}},
    ),
    "thousands": (each("1,234", "id;score"), WIDE),
    "a decimal point or one between thousands": (MIXED, WIDE),
    "a comma that is read as a decimal one": each("1,5678", "id;score"),
    "a digit beyond the range": GOOD.replace("0.1", "1.00001"),
    "percents": each("54.3 %"),
    "classes": each("good"),
    "an apostrophe between thousands": (GOOD.replace("0.1", "1'234.5"), WIDE),
    "a date for a number": GOOD.replace("0.1", "2026-05-01"),
    "a minus that is no hyphen": GOOD.replace("0.1", "−0.5"),
    "no score": each(""),
    "JSON": '[{"id": "t01/angry/maria", "score": 0.5}]',
    "twice": "id,a,a\n",
    "no scores": "id,text\n",
    "JSON on one long line": '[{"id": "' + "t" * (1 << 20) + '"}]',
    "one long line": "0.5," * (1 << 19),
    "a list for an id": ('{"id": ["a"], "score": 0.5}', {"suffix": "jsonl"}),
    "a list for a text": (f'{{"id": "{IDS[0]}", "text": ["a"], "score": 0.5}}', {"suffix": "jsonl"}),
    "labels that are numbers": (
        as_stata(pd.DataFrame({"id": IDS, "score": pd.Categorical(["0.25", "1"] * 2)})), {"suffix": "dta"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("nothing", ["", "NaN", "nan"])
def test_an_empty_cell_is_a_sentence_without_a_score(nothing: str, tmp_path: Path) -> None:
    lines = ["id,score", *(f"{key},{nothing if key == IDS[1] else 0.5}" for key in IDS)]
    found = read(tmp_path, CORPUS, "csv", "\n".join(lines)).scores["score"]
    np.testing.assert_array_equal(found, [0.5, np.nan, 0.5, 0.5])


def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # That other corpora have these ids is looked up elsewhere.
    monkeypatch.setattr(corpora, "usable", lambda: ([], []))
    calls: dict[str, Any] = {}
    for what, content in BAD.items():
        text, options = content if isinstance(content, tuple) else (content, {})
        suffix, said = options.get("suffix", "csv"), {key: options[key] for key in options if key != "suffix"}
        calls[what] = partial(read, tmp_path, CORPUS, suffix, text, name=f"SCORES.{suffix}", **said)
    numbered = CORPUS.set_column(0, "id", [[f"{number:04}" for number in range(4)]])
    calls["numbers for ids"] = partial(read, tmp_path, numbered, "csv", "id,score\n0,0.5\n1,0.5\n", name="SCORES.csv")
    for end in ("csv", "parquet", "xlsx", "sav"):
        calls[f"no {end}"] = partial(read_scores, tmp_path / f"none.{end}", CORPUS, name=f"SCORES.{end}")
    snapshot.check_refusals("score-table-refusals", calls, InputError)


def test_a_table_of_another_corpus_is_named(corpus: pa.Table, tmp_path: Path) -> None:
    other = corpora.table("en-gender").select(["id", "text"]).to_pandas().assign(score=0.5)
    with pytest.raises(InputError, match=r"unknown ids, .*(.|\n)*All texts of the file are of en-gender\. Expected"):
        read(tmp_path, corpus, "csv", other.to_csv(index=False))


def test_files_of_several_kinds_are_no_table(tmp_path: Path) -> None:
    for name in ("rows.csv", "rows.parquet"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"is csv and parquet; expected .*, and one of them only"):
        find_files(str(tmp_path / "rows.*"))
