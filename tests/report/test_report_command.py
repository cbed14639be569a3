"""``eec report``, and the reports of ``eec audit``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from making import result
from markupsafe import escape

from eec_datasets.cli import main

Write = Callable[[str, Any], Path]


def eec(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_report_is_made_again_beside_its_result(write: Write) -> None:
    path = write("my result.json", result())
    done = eec("report", path, "--no-figures")
    assert (done.exit_code, done.output) == (0, f"Written: {path.parent / 'report.html'}\n")
    html = (path.parent / "report.html").read_text(encoding="utf-8")
    assert f"eec report &#39;{path}&#39;" in html
    assert eec("report", path, "--no-figures").output == done.output
    assert (path.parent / "report.html").read_text(encoding="utf-8") == html


def test_forms_language_and_folder_are_chosen(write: Write, tmp_path: Path) -> None:
    path, out = write("a.json", result()), tmp_path / "new folder"
    options = ("--format", "md", "--format", "html", "--report-language", "es", "--no-figures")
    assert eec("report", path, "--out", out, *options).exit_code == 0
    assert sorted(file.name for file in out.iterdir()) == ["report.html", "report.md"]
    assert "## Auditoría de a\n" in (out / "report.md").read_text(encoding="utf-8")
    assert '<html lang="es" dir="ltr">' in (out / "report.html").read_text(encoding="utf-8")


def test_what_cannot_be_read_leaves_the_last_report_alone(write: Write, tmp_path: Path) -> None:
    write("report.html", "the last one")
    done = eec("report", write("a.json", "{"))
    assert (done.exit_code, done.output.partition(": not JSON")[0]) == (1, f"Error: {tmp_path / 'a.json'}:1")
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


def test_an_audit_of_the_old_form_is_refused_with_the_command_that_makes_it_anew(write: Write) -> None:
    path = write("result.json", {"results": [{"terms": []}], "command": "eec audit --system vader"})
    done = eec("report", path)
    assert done.exit_code == 1
    assert done.output.endswith("Make it anew, which takes the saved scores: eec audit --system vader\n")
    assert json.loads(path.read_text())["results"] == [{"terms": []}]


@pytest.mark.parametrize("name", ["none.json", "."])
def test_a_file_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    done = eec("report", tmp_path / name)
    assert done.exit_code in (1, 2)
    assert str(tmp_path / name) in done.output
