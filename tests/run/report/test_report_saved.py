"""Output and files of an audit, saved results read back, ``eec report``; and refusals."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from commands import eec, succeed
from documents import result, term

import eec_bias
from eec_bias import ResultError
from eec_bias.measurement import FORMAT, from_document
from eec_datasets import terminal
from eec_datasets.audit import pages as page
from eec_datasets.audit import saving
from eec_datasets.audit.saving import InputError, read


def test_what_is_saved_is_read_back_as_it_was(saved, measurements, write):
    assert saved["format"] == FORMAT
    path = write("result.json", saved)
    assert [each.to_dict() for each in eec_bias.load_all(path)] == [each.to_dict() for each in measurements]
    assert read([path])[0] == from_document(saved)[0]


def test_one_measurement_of_several_is_loaded_by_its_list(saved, measurements, write):
    path = write("result.json", saved)
    assert eec_bias.Result.load(path, list="ar-anglo-arab-100").terms == measurements[1].result.terms
    with pytest.raises(
        ResultError, match=r"has 2 results of this kind; expected one\. Choose by list= and kind=: list='en"
    ):
        eec_bias.Result.load(path)


def test_a_result_alone_is_a_measurement_too(tmp_path):
    alone = eec_bias.Result.from_dict(result())
    path = alone.save(tmp_path / "mine.json")
    (measurement,), _, _ = read([path])
    assert (measurement.kind, measurement.list, measurement.system) == ("scores", "mine", "mine")
    assert eec_bias.Result.load(path) == alone


def test_it_is_written_row_by_row():
    text = saving.to_json({"measurements": [{"system": "é", "terms": [{"a": 1}, {"a": 2}], "none": []}]})
    assert text == '{\n"measurements": [\n{\n"system": "é",\n"terms": [\n{"a": 1},\n{"a": 2}\n],\n"none": []\n}\n]\n}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        saving.to_json({"a": float("nan")})


def test_columns_line_up_whatever_the_script():
    assert terminal.width("María") == terminal.width("Mari\u0301a") == 5
    assert terminal.width("عَرَبِيّ") == 4
    assert terminal.width("日本") == 4
    shares = [terminal.percent(part, 3000, 1) for part in (0, 1, 1500, 2999, 3000)]
    assert shares == ["0.0", "<0.1", "50.0", ">99.9", "100.0"]
    assert [terminal.percent(share) for share in (0.0, 0.001, 0.999, 1.0)] == ["0", "<1", ">99", "100"]


def audit(**changes: Any) -> dict[str, Any]:
    """Return a saved audit with one measurement."""
    about = {"kind": "scores", "list": "mine", "language": "", "system": "mine", "source": {}}
    return {"format": FORMAT, "version": "0.1.0", "measurements": [about | result() | changes]}


BAD: dict[str, Any] = {
    "cut short": '{"terms": [\n{"term": "race", ',
    "a list": [1, 2],
    "another object": {"name": "mine"},
    "an audit of another form": audit() | {"format": 99},
    "an audit without a form": {"measurements": [{"terms": []}]},
    "a result of an older form": result() | {"format": 4},
    "a result without a form": {key: value for key, value in result().items() if key != "format"},
    "measurements is no list": audit() | {"measurements": 7},
    "a measurement that is none": audit() | {"measurements": [{"system": "x"}]},
    "no measurements": audit() | {"measurements": []},
    "a row that is none": audit(terms=["race"]),
    "a kind that is none": audit(kind="opinions"),
    "a key that is none": audit(verdict="fair"),
    "a number that is no scalar": audit(race_effcet=0.1),
    "a number as text": result(term(effect="0.1")),
    "an infinite number": result(term(effect=float("inf"))),
    "a p beyond 1": result(term(p=1.5)),
    "an effect changed by hand": result(term(ci_low=-0.008, ci_high=0.032, effect=0.5)),
    "half a character": result(term(level="\ud83d")),
    "three ends": result() | {"score_range": [0, 1, 2]},
    "no terms": result() | {"terms": []},
    "cells is no list": result(cells=5),
    "a pair without a side": audit(source={"pairs": [{"id": "race"}]}),
    "a pair of three": audit(source={"pairs": [{"id": "r", "emotion": "joy", "texts": ["a", "b", "c"], "scores": [0, 1],
                                                "persons": ["a", "b"]}]}),
    "an accuracy without a number": audit(source={"accuracy": {"auc": None, "auc_low": 0, "auc_high": 1, "n": 2,
                                                               "language": "en"}}),
    "a system that is no text": audit(system=5),
    "an origin with a key too many": audit(source={"mood": "fair"}),
    "one version of two": audit(source={"versions": [result()]}),
    "nested too deeply": "[" * 100_000,
}  # fmt: skip


def test_what_is_no_result_is_refused_with_its_place(write, snapshot, tmp_path):
    def reading(content: Any) -> Callable[[], object]:
        return lambda: read([write("mine.json", content)])

    (tmp_path / "bytes.json").write_bytes(b'{"a": "\xff"}')
    calls = {name: reading(content) for name, content in BAD.items()}
    calls |= {name: partial(read, [tmp_path / name]) for name in ("bytes.json", "none.json")}
    snapshot.check_refusals("report-refusals", calls, InputError, {f"{tmp_path}/": ""})


@pytest.mark.parametrize("form", ["html", "md"])
def test_controls_of_somebody_else_s_result_are_shown_and_not_obeyed(write, form):
    saved = audit(system="ours\x1b]0;\x07", list="en\u202egnp.exe", source={"command": "eec\x9b"})
    report = page.render(read([write("mine.json", saved)])[0], form=form)
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", report) == []
    assert "u001b" in report


def test_several_files_become_one_report_each_once(write):
    files = [write("ours.json", result(version="0.0.3")), write("their s.json", result(term(effect=0.2)))]
    found, _, repeated = read([files[0].parent / ".." / files[0].parent.name / files[0].name, *files])
    assert ([each.system for each in found], repeated) == (["ours", "their s"], [])
    assert {"ours", "their s"} <= set(re.findall(r">([^<>]*)<", page.render(found)))


def test_a_system_on_a_list_is_reported_from_one_result_alone(write, tmp_path):
    first, same = (write(name, audit()) for name in ("a.json", "b.json"))
    done = eec("report", first, same, "--out", tmp_path / "out")
    found, _, repeated = read([first, same])
    assert (done.exit_code, len(found), repeated) == (0, 1, [f"{same}, mine"])
    assert f"Note: {same}, mine is in another of the files too, and is reported once." in done.output
    elsewhere, part = audit(list="other"), audit(source={"part": "half of it"})
    assert len(read([first, write("other.json", elsewhere), write("part.json", part)])[0]) == 3
    for name, other in (("newer", {"source": {"version": "2"}}), ("higher", result(term(effect=0.3)))):
        path = write(f"{name}.json", audit(**other))
        with pytest.raises(InputError, match=r"a\.json, mine and .*, mine: two results of mine"):
            read([first, path])


def test_a_result_knows_its_language_from_its_facts(write):
    expected = {"ar-anglo-arab@1.0.0#1a2b3c4d": ("ar-anglo-arab", "ar"), "mine@1.0.0#00ff": ("mine", ""), "?": ("", "")}
    found = {data: read([write("a.json", result(data=data))])[0][0] for data in expected}
    assert {data: (each.list, each.language) for data, each in found.items()} == expected


def test_a_report_is_made_in_its_own_folder_or_where_it_is_wanted(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path, out = write("my result.json", result()), tmp_path / "new folder"
    done = eec("report", path)
    assert (done.exit_code, done.output) == (0, "Written: report/report.html\nWritten: report/terms.csv\n")
    options = ("--format", "md", "--format", "html", "--report-language", "es")
    succeed("report", path, "--out", out, *options)
    assert sorted(file.name for file in out.iterdir()) == ["manifest.json", "report.html", "report.md", "terms.csv"]
    assert "## Sesgo: ¿puntúa my result de otro modo" in (out / "report.md").read_text(encoding="utf-8")
    assert '<html lang="es" dir="ltr">' in (out / "report.html").read_text(encoding="utf-8")
