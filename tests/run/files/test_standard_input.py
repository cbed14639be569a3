"""Every command that takes a path of the user's takes ``-`` for standard input, and does the same as with the file."""

import io
import json
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from outputs import contents

from eec_datasets import given_file, standard_input
from eec_datasets.cli import main
from eec_datasets.errors import InputUnreadable

PROMPTS = """
[[prompts]]
name = "plain"
text = "How happy is this? {text}"
"""


def eec(*arguments: object, given: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given, prog_name="eec")


def same_from_both(place: Path, *arguments: object) -> Result:
    """Run a command on a file and on standard input; both must end alike and print the same."""
    words = [place if word == "GIVEN" else word for word in arguments]
    from_file = eec(*words)
    done = eec(*["-" if word == "GIVEN" else word for word in arguments], given=place.read_bytes())
    assert (done.exit_code, done.stdout) == (from_file.exit_code, from_file.stdout), done.output
    return done


def test_measure_reads_scores(desk: Path) -> None:
    from_file = eec("measure", "scores.csv", "--config", "tr-gender")
    done = eec("measure", "-", "--config", "tr-gender", given=(desk / "scores.csv").read_bytes())
    assert done.exit_code == 0
    assert done.stdout.split() == [word if word != "scores" else "-" for word in from_file.stdout.split()]


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx", "dta", "sav"])
def test_measure_finds_out_what_kind_of_table_it_is(kind: str, desk: Path) -> None:
    import pandas as pd

    table = pd.read_csv(desk / "scores.csv", comment="#")[["id", "score"]]
    place = desk / f"a.{kind}"
    if kind == "csv":
        table.to_csv(place, index=False)
    elif kind == "parquet":
        table.to_parquet(place)
    elif kind == "xlsx":
        table.to_excel(place, index=False)
    elif kind == "dta":
        table.to_stata(place, write_index=False)
    else:
        pytest.importorskip("pyreadstat").write_sav(table, place)
    done = same_from_both(place, "measure", "GIVEN", "--config", "tr-gender", "--format", "csv")
    assert done.exit_code == 0, done.output


def test_measure_reads_the_scores_that_it_compares_with(desk: Path) -> None:
    done = eec(
        "measure", "scores.csv", "--against", "-", "--config", "tr-gender", given=(desk / "scores.csv").read_bytes()
    )
    assert (done.exit_code, "Both versions scored the same" in " ".join(done.output.split())) == (0, True), done.output


def test_measure_reads_a_table_of_rows(desk: Path) -> None:
    rows = "".join(f"{who}{i},item{i},{who},{(i % 7) / 10}\n" for i in range(20) for who in ("female", "male"))
    given = f"id,item,gender,score\n{rows}".encode()
    (desk / "rows.csv").write_bytes(given)
    from_file = eec("measure", "--data", "rows.csv", "--axes", "gender")
    done = eec("measure", "--data", "-", "--axes", "gender", given=given)
    assert done.exit_code == from_file.exit_code, (done.output, from_file.output)


def test_report_reads_a_result_and_writes_a_folder_here(desk: Path) -> None:
    done = eec("report", "-", given=(desk / "result.json").read_bytes())
    assert done.exit_code == 0, done.output
    assert (desk / "report" / "report.html").is_file()


def pages(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, with one name for the result in the command that makes the page again."""
    names = (b"eec report -<", b"eec report result.json<")
    return {name: raw.replace(names[0], names[1]) for name, raw in contents(folder).items()}


def test_report_is_the_same_as_of_the_file(desk: Path) -> None:
    assert eec("report", "result.json", "--out", "a").exit_code == 0
    assert eec("report", "-", "--out", "b", given=(desk / "result.json").read_bytes()).exit_code == 0
    assert pages(desk / "a") == pages(desk / "b")


def test_perturb_reads_texts(desk: Path) -> None:
    given = (desk / "texts.txt").read_bytes()
    line = ("perturb", "-", "--locale", "en", "--names", "names.txt", "--out", "rows.csv")
    assert eec(*line, given=given).exit_code == 0
    assert "Bob left." in (desk / "rows.csv").read_text()


def test_perturb_reads_a_list_of_names(desk: Path) -> None:
    line = ("perturb", "texts.txt", "--locale", "en", "--names", "-", "--out", "rows.csv")
    assert eec(*line, given=b"name,gender\nZoe,female\nTom,male\n").exit_code == 0
    assert "Zoe left." not in (desk / "rows.csv").read_text()
    assert "Tom left." in (desk / "rows.csv").read_text()


def test_locale_review_reads_what_a_reader_saved(locales: Path) -> None:
    done = eec("locale", "review", "tr", "--take", "-", "--locales", locales, given=b"[]")
    assert (done.exit_code, "-:1: the file holds a list" in done.output) == (1, True), done.output


def test_audit_reads_prompts() -> None:
    line = ("audit", "--system", "openai:tiny", "--base-url", "http://127.0.0.1:9/v1", "--config", "tr-gender")
    done = eec(*line, "--prompts", "-", "--dry-run", given=PROMPTS.encode())
    assert done.exit_code == 0, done.output
    refused = eec(*line, "--prompts", "-", "--dry-run", given=b"[[prompts]]\nname = 1\n")
    assert (refused.exit_code, "name is 1" in refused.output) == (1, True), refused.output


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["report", "-"], "-:1: not JSON: "),
        (["measure", "-", "--config", "tr-gender"], "-: there is no column 'id' or 'text'"),
        (["audit", "--system", "openai:tiny", "--prompts", "-", "--dry-run"], "prompts -: 1 problem"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
@pytest.mark.usefixtures("desk")
def test_messages_call_it_as_it_was_typed(command: list[str], told: str) -> None:
    done = eec(*command, given=b"a,b\n1,2\n")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: {told}"), done.stderr
    assert "standard-input" not in done.stderr


def test_perturb_reads_a_text_per_line_and_no_columns() -> None:
    done = eec("perturb", "-", "--locale", "en", "--names", "en-black-white", "--column", "text", given=b"text\n")
    assert done.exit_code == 2
    assert "--column: - has a text per line and no columns" in done.stderr


def test_standard_input_is_named_once() -> None:
    done = eec("measure", "-", "--against", "-", "--config", "tr-gender", given=b"")
    assert done.exit_code == 2
    assert "- is standard input, which can be read once. Name a file for the others." in done.output


def test_nothing_of_it_stays(desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "own"))
    assert eec("measure", "-", "--config", "tr-gender", given=(desk / "scores.csv").read_bytes()).exit_code == 0
    assert eec("measure", "-", "--config", "tr-gender", given=b"no scores").exit_code == 1
    assert list((tmp_path / "own").iterdir()) == []


def test_no_more_than_the_limit_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(bytes(1000))))
    monkeypatch.setattr(given_file, "LARGEST", 10)
    with pytest.raises(InputUnreadable, match="standard input cannot be read: it has more than 10 bytes"):
        standard_input.save()
    assert list(tmp_path.iterdir()) == []


def test_parquet_is_told_by_how_it_begins(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": ["a"]}), tmp_path / "a")
    assert standard_input.kind_of(tmp_path / "a") == ".parquet"


def test_a_log_is_told_from_a_spreadsheet(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a", "w") as archive:
        archive.writestr("header.json", "{}")
    assert standard_input.kind_of(tmp_path / "a") == ".eval"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"id": "a", "score": 1}\n{"id": "b", "score": 0}\n', ".jsonl"),
        (json.dumps({"version": 2, "eval": {}}), ".json"),
        ('{\n "terms": []\n}', ".json"),
        ("[[prompts]]\nname = 1\n", ".toml"),
        ("id,score\na,1\n", ".csv"),
    ],
)
def test_a_text_is_told_by_its_first_lines(text: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    assert standard_input.kind_of(tmp_path / "a") == kind
