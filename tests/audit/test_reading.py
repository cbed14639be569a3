"""A user's table of scores: read by id, and everything wrong with it said at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from eec_datasets.errors import BadScores
from eec_datasets.audit.score_tables import Table, read_scores
from eec_datasets.systems.score_file import Header, ScoreFile

Batch = dict[str, list[str]]
GOOD = "id,score\nt01/angry/maria,0.1\nt01/angry/alan,0.2\nt01/angry/amanda,0.3\nt01/angry/jose,0.4\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "SCORES.csv"


def read(path: Path, content: str | bytes, batch: Batch, limits: tuple[float, float] | None = None) -> Table:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_scores(path, batch, limits, "tiny@1.0.0#00ff")


def refused(path: Path, content: str | bytes, batch: Batch) -> str:
    with pytest.raises(BadScores) as error:
        read(path, content, batch)
    return str(error.value)


def test_scores_are_put_into_the_order_of_the_corpus(path: Path, batch: Batch) -> None:
    lines = GOOD.splitlines()
    shuffled = "\n".join([lines[0], lines[4], lines[2], lines[1], lines[3]])
    assert read(path, shuffled, batch).scores == {"score": [0.1, 0.2, 0.3, 0.4]}


def test_the_byte_order_mark_of_spreadsheets_does_no_harm(path: Path, batch: Batch) -> None:
    assert read(path, b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(), batch) == read(path, GOOD, batch)


def test_every_further_column_is_a_system(path: Path, batch: Batch) -> None:
    lines = [f"{line},{'other' if i == 0 else i / 8}" for i, line in enumerate(GOOD.splitlines())]
    assert read(path, "\r\n".join(lines), batch).scores == {
        "score": [0.1, 0.2, 0.3, 0.4],
        "other": [0.125, 0.25, 0.375, 0.5],
    }


def test_columns_of_the_corpus_may_stand_in_the_file(path: Path, batch: Batch) -> None:
    lines = [f"{line},{text}" for line, text in zip(GOOD.splitlines(), ["text", *batch["text"]], strict=True)]
    assert list(read(path, "\n".join(lines), batch).scores) == ["score"]


def test_columns_of_the_corpus_must_hold_what_it_holds(path: Path, batch: Batch) -> None:
    texts = [*batch["text"][:2], "Amanda feels sad.", batch["text"][3]]
    lines = [f"{line},{text}" for line, text in zip(GOOD.splitlines(), ["text", *texts], strict=True)]
    assert refused(path, "\n".join(lines), batch) == (
        f"{path} does not fit config tiny:\n"
        "  1 values of 'text' that differ from the corpus: 'Amanda feels sad.' in line 4, "
        "expected 'Amanda feels angry.' (t01/angry/amanda)\n"
        "Expected every id of the config once, with one number per system. Nothing was measured."
    )


def test_a_file_written_by_the_audit_brings_its_range(path: Path, batch: Batch, header: Header) -> None:
    with ScoreFile(path, header, batch["id"]) as file:
        file.append([-1.0, -0.5, 0.0, 1.0])
    table = read_scores(path, batch, None, "tiny@1.0.0#00ff")
    assert table.header == header
    assert table.scores == {"score": [-1.0, -0.5, 0.0, 1.0]}


def test_a_file_written_by_the_audit_for_other_rows_is_refused(path: Path, batch: Batch, header: Header) -> None:
    with ScoreFile(path, header, batch["id"]) as file:
        file.append([-1.0, -0.5, 0.0, 1.0])
    with pytest.raises(BadScores) as error:
        read_scores(path, batch, None, "tiny@1.0.1#11ee")
    assert str(error.value) == (
        f"{path}: the scores are of tiny@1.0.0#00ff, the corpus is tiny@1.0.1#11ee. "
        "Name the config they are of with --config, or score the corpus as it is now."
    )


def test_missing_extra_and_duplicate_ids_are_all_named_with_their_lines(path: Path, batch: Batch) -> None:
    content = "id,score\nt01/angry/maria,0.1\nt01/angry/maria,0.2\nt01/angry/eve,0.2\nt01/angry/amanda,0.3\n"
    assert refused(path, content, batch) == (
        f"{path} does not fit config tiny:\n"
        "  1 duplicate ids: t01/angry/maria in lines 2 and 3\n"
        "  1 unknown ids: 't01/angry/eve' in line 4\n"
        "  2 missing ids: t01/angry/alan; t01/angry/jose\n"
        "Expected every id of the config once, with one number per system. Nothing was measured."
    )


def test_many_problems_of_a_kind_are_counted(path: Path, batch: Batch) -> None:
    assert refused(path, "id,score\n", batch) == (
        f"{path} does not fit config tiny:\n"
        "  4 missing ids: t01/angry/maria; t01/angry/alan; t01/angry/amanda … and 1 more\n"
        "Expected every id of the config once, with one number per system. Nothing was measured."
    )


def test_what_is_no_number_and_what_is_out_of_range_is_named_with_its_line(path: Path, batch: Batch) -> None:
    content = "id,score\nt01/angry/maria,n/a\nt01/angry/alan,nan\nt01/angry/amanda,3\nt01/angry/jose,0.5\n"
    assert refused(path, content, batch) == (
        f"{path} does not fit config tiny:\n"
        "  2 values that are no finite number: score = 'n/a' in line 2 (t01/angry/maria); "
        "score = 'nan' in line 3 (t01/angry/alan)\n"
        "  1 scores outside 0 to 1 (declare another range with --score-range LO HI): "
        "score = 3 in line 4 (t01/angry/amanda)\n"
        "Expected every id of the config once, with one number per system. Nothing was measured."
    )


def test_a_declared_range_is_taken(path: Path, batch: Batch) -> None:
    assert read(path, GOOD.replace("0.3", "3"), batch, (0.0, 5.0)).scores["score"][2] == 3


def test_a_row_of_another_length_is_named(path: Path, batch: Batch) -> None:
    assert refused(path, GOOD.replace("jose,0.4", "jose,0,4"), batch) == (
        f"{path} does not fit config tiny:\n"
        "  1 rows of another length: line 5 has 3 values, expected 2\n"
        "  1 missing ids: t01/angry/jose\n"
        "Expected every id of the config once, with one number per system. Nothing was measured."
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ": the file is empty; expected a line 'id,score' and one line per sentence."),
        (GOOD.encode("utf-16"), ": the file is UTF-16; expected UTF-8. Save the file as UTF-8."),
        (
            GOOD.replace("jose", "josé").encode("latin-1"),
            ":5: byte 0xe9 is not UTF-8. Save the file as UTF-8.",
        ),
        (
            GOOD.replace(",", ";"),
            ":1: the columns are separated by semicolons ('id;score'); expected commas, and a point in "
            "decimal numbers. Save the file with commas.",
        ),
        (
            GOOD.replace(",", "\t"),
            ":1: the columns are separated by tabs ('id\\tscore'); expected commas, and a point in "
            "decimal numbers. Save the file with commas.",
        ),
        (
            GOOD.replace("id,", "ID,"),
            ":1: no column 'id' among 'ID', 'score'; expected a first line like 'id,score' with the ids of the corpus.",
        ),
        (
            "id,a,a\n",
            ":1: column 'a' is there twice; expected each name once.",
        ),
        (
            "id,text\n",
            ":1: no column of scores beside id, text; expected id and one column per system, for example 'id,score'.",
        ),
        ('id,score\n"a"b,1\n', ":2: not readable as CSV: ',' expected after '\"'."),
    ],
)
def test_a_file_of_another_form_is_refused(path: Path, batch: Batch, content: str | bytes, expected: str) -> None:
    assert refused(path, content, batch) == f"{path}{expected}"


def test_a_file_that_is_not_there_is_named(path: Path, batch: Batch) -> None:
    with pytest.raises(BadScores) as error:
        read_scores(path, batch, None, "tiny@1.0.0#00ff")
    assert str(error.value) == f"Cannot read {path}: No such file or directory."
