"""``eec report``, and the reports of ``eec audit``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from making import result
from markupsafe import escape

from eec_datasets.audit import saving
from eec_datasets.cli import main
from eec_datasets.files import REGISTER

Write = Callable[[str, Any], Path]


def eec(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_report_is_made_again_beside_its_result_or_where_it_is_wanted(write: Write, tmp_path: Path) -> None:
    path, out = write("my result.json", result()), tmp_path / "new folder"
    done = eec("report", path)
    assert (done.exit_code, done.output) == (
        0, f"Written: {path.parent / 'report.html'}\nWritten: {path.parent / 'terms.csv'}\n"
    )  # fmt: skip
    html = (path.parent / "report.html").read_text(encoding="utf-8")
    assert f"eec report &#39;{path}&#39;" in html
    options = ("--format", "md", "--format", "html", "--report-language", "es")
    assert eec("report", path, "--out", out, *options).exit_code == 0
    assert sorted(file.name for file in out.iterdir()) == [REGISTER, "report.html", "report.md", "terms.csv"]
    assert "## Auditoría de my result\n" in (out / "report.md").read_text(encoding="utf-8")
    assert '<html lang="es" dir="ltr">' in (out / "report.html").read_text(encoding="utf-8")


def test_what_cannot_be_read_leaves_the_last_report_alone(write: Write, tmp_path: Path) -> None:
    write("report.html", "the last one")
    old = {"results": [{"terms": []}], "command": "eec audit --system vader"}
    for path, code, said in (
        (write("a.json", "{"), 1, f"Error: {tmp_path / 'a.json'}:1: not JSON"),
        (write("old.json", old), 1, "Make it anew, which takes the saved scores: eec audit --system vader\n"),
        (tmp_path / "none.json", 1, str(tmp_path / "none.json")),
        (tmp_path, 2, str(tmp_path)),
    ):
        done = eec("report", path)
        assert (done.exit_code, said in done.output) == (code, True)
    assert (tmp_path / "report.html").read_text() == "the last one"


def test_a_language_that_nobody_knows_is_refused_before_any_scoring(tmp_path: Path) -> None:
    options = ("--config", "en-gender", "--out", tmp_path / "a", "--report-language", "q")
    done = eec("audit", "--system", "random:0", *options)
    assert (done.exit_code, done.output.partition(": CLDR")[0]) == (1, "Error: report language q")
    assert not (tmp_path / "a").exists()


def test_the_reports_of_an_audit_are_those_made_from_its_result(tmp_path: Path) -> None:
    options = ("--system", "noisy:male", "--config", "tr-gender", "--out", tmp_path, "--report-language", "es")
    done = eec("audit", *options)
    assert done.exit_code == 0, done.output
    for form in ("html", "md"):
        path = tmp_path / f"report.{form}"
        first = path.read_text(encoding="utf-8")
        assert "eec audit --system noisy:male --config tr-gender" in first
        assert eec("report", tmp_path / "result.json", "--format", form, "--report-language", "es").exit_code == 0
        place = shlex.quote(str(tmp_path / "result.json"))
        place = str(escape(place)) if form == "html" else place
        assert path.read_text(encoding="utf-8") == first.replace("eec report result.json", f"eec report {place}")


def test_a_result_that_was_changed_by_hand_is_told_on_the_page_and_beside_it(write: Write, tmp_path: Path) -> None:
    saved = saving.audit([{"system": "mine", "result": result()}], [], "eec audit --system mine:score")
    as_it_was = write("a.json", json.dumps(saved, indent=3, sort_keys=True))
    done = eec("report", as_it_was, "--out", tmp_path / "a")
    assert (done.exit_code, "Warning" in done.output) == (0, False)
    saved["results"][0]["system"] = "better"
    done = eec("report", write("b.json", saved), "--out", tmp_path / "b")
    assert f"Warning: {tmp_path / 'b.json'} was changed after it was written" in done.output
    pages = [(tmp_path / name / "report.html").read_text(encoding="utf-8") for name in "ab"]
    told = "this file was changed after it was written, so its numbers may not be those that were measured."
    assert [told in html for html in pages] == [False, True]
    assert "Make it anew: eec audit --system mine:score" in pages[1]
    assert not any("holds no checksum" in html for html in pages)
    for name, there in (("a", False), ("b", True)):
        assert eec("report", tmp_path / f"{name}.json", "--out", tmp_path / name, "--record").exit_code == 0
        record = json.loads((tmp_path / name / "record.json").read_text(encoding="utf-8"))
        assert any(told in limit for limit in record["measurements"][0]["limits"]) is there


def test_a_file_without_a_checksum_is_said_to_have_none(write: Write, tmp_path: Path) -> None:
    path = write("plain.json", result())
    assert eec("report", path, "--out", tmp_path / "p", "--format", "md").exit_code == 0
    assert "plain.json: holds no checksum" in (tmp_path / "p" / "report.md").read_text(encoding="utf-8")
