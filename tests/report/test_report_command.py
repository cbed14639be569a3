"""``eec report``, and the reports of ``eec audit``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from markupsafe import escape

from eec_datasets.cli import main

Write = Callable[[str, Any], Path]
Make = Callable[..., dict[str, Any]]


def eec(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_report_is_made_again_beside_its_result(write: Write, result: Make) -> None:
    path = write("my result.json", result())
    done = eec("report", path, "--no-figures")
    assert (done.exit_code, done.output) == (0, f"Written: {path.parent / 'report.html'}\n")
    html = (path.parent / "report.html").read_text(encoding="utf-8")
    assert f"eec report &#39;{path}&#39;" in html
    assert eec("report", path, "--no-figures").output == done.output
    assert (path.parent / "report.html").read_text(encoding="utf-8") == html


def test_forms_language_and_folder_are_chosen(write: Write, result: Make, tmp_path: Path) -> None:
    path, out = write("a.json", result()), tmp_path / "new folder"
    done = eec(
        "report", path, "--out", out, "--format", "md", "--format", "html", "--report-language", "es", "--no-figures"
    )
    assert done.exit_code == 0
    assert sorted(file.name for file in out.iterdir()) == ["report.html", "report.md"]
    assert "## Auditoría de a\n" in (out / "report.md").read_text(encoding="utf-8")
    assert '<html lang="es" dir="ltr">' in (out / "report.html").read_text(encoding="utf-8")


def test_what_cannot_be_read_leaves_the_last_report_alone(write: Write, tmp_path: Path) -> None:
    write("report.html", "the last one")
    done = eec("report", write("a.json", "{"))
    assert done.exit_code == 1
    assert done.output == (
        f"Error: {tmp_path / 'a.json'}:1: not JSON: Expecting property name enclosed in double quotes at column 2. "
        "Expected a whole saved result; make it anew if its writing was cut short.\n"
    )
    assert (tmp_path / "report.html").read_text() == "the last one"
    done = eec("report", tmp_path / "none.json", "--report-language", "xx-yy-zz")
    assert done.exit_code == 1


def test_a_language_that_nobody_knows_is_refused_before_any_scoring(tmp_path: Path) -> None:
    done = eec(
        "audit", "--system", "random:0", "--config", "en-gender", "--out", tmp_path / "a", "--report-language", "q"
    )
    assert done.exit_code == 1
    assert done.output == (
        "Error: --report-language q: CLDR knows no such language. Give a tag such as en, es or ar-EG; sentences are "
        "there in: ar, en, es.\n"
    )
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("form", ["html", "md"])
def test_the_report_of_an_audit_is_the_one_made_from_its_result(tmp_path: Path, form: str) -> None:
    options = ("--system", "noisy:male", "--config", "tr-gender", "--out", tmp_path, "--report-language", "es")
    assert eec("audit", *options).exit_code == 0
    first = (tmp_path / f"report.{form}").read_text(encoding="utf-8")
    assert "eec audit --system noisy:male --config tr-gender" in first
    assert eec("report", tmp_path / "result.json", "--format", form, "--report-language", "es").exit_code == 0
    again = (tmp_path / f"report.{form}").read_text(encoding="utf-8")
    place = shlex.quote(str(tmp_path / "result.json"))
    place = str(escape(place)) if form == "html" else place
    assert again == first.replace("eec report result.json", f"eec report {place}")


def test_a_result_is_saved_row_by_row() -> None:
    from eec_datasets.audit import saving as writing

    text = writing.to_json({"results": [{"system": "é", "terms": [{"a": 1}, {"a": 2}], "none": []}]})
    assert text == ('{\n"results": [\n{\n"system": "é",\n"terms": [\n{"a": 1},\n{"a": 2}\n],\n"none": []\n}\n]\n}')
    assert json.loads(text)["results"][0]["terms"] == [{"a": 1}, {"a": 2}]
    with pytest.raises(ValueError, match="not JSON compliant"):
        writing.to_json({"a": float("nan")})
