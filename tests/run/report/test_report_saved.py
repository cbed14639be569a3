"""What an audit prints and writes, saved results read back, ``eec report``; and what is refused."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from commands import eec, succeed
from documents import document, result, term

from eec_datasets import terminal
from eec_datasets.audit import pages as page
from eec_datasets.audit import saving
from eec_datasets.audit.report.document import read
from eec_datasets.audit.report.validation import BadResult
from eec_datasets.audit.saving import FORMAT


def test_the_json_holds_what_the_result_says_and_where_it_comes_from(saved, outcomes):
    assert saved["format"] == saving.FORMAT
    for entry, outcome in zip(saved["results"], outcomes, strict=True):
        assert (entry["system"], entry["config"]) == (outcome.system, outcome.corpus.name)
        assert (entry["data"], entry["review"]) == (outcome.corpus.data, outcome.corpus.review)
        whole = json.loads(json.dumps(outcome.result.to_dict(details=True)))
        # Findings stand once, beside the results, since one plan holds those of a system together.
        assert entry["result"] == {key: value for key, value in whole.items() if key != "findings"}


def test_it_is_written_row_by_row():
    text = saving.to_json({"results": [{"system": "é", "result": {"terms": [{"a": 1}, {"a": 2}], "none": []}}]})
    assert text == (
        '{\n"results": [\n{\n"system": "é",\n"result": {\n"terms": [\n{"a": 1},\n{"a": 2}\n],\n"none": []\n}\n}\n]\n}'
    )
    with pytest.raises(ValueError, match="not JSON compliant"):
        saving.to_json({"a": float("nan")})


def test_columns_line_up_whatever_the_script():
    assert terminal.width("María") == terminal.width("Mari\u0301a") == 5
    assert terminal.width("عَرَبِيّ") == 4
    assert terminal.width("日本") == 4
    shares = [terminal.percent(part, 3000, 1) for part in (0, 1, 1500, 2999, 3000)]
    assert shares == ["0.0", "<0.1", "50.0", ">99.9", "100.0"]
    assert [terminal.percent(share) for share in (0.0, 0.001, 0.999, 1.0)] == ["0", "<1", ">99", "100"]


def audit(**entry: Any) -> dict[str, Any]:
    return {"format": FORMAT, "results": [{"result": result()} | entry]}


def names(how: str = "listed", *, means: int = 1, **left_out: str) -> dict[str, Any]:
    """What the names of a corpus carry; ``left_out`` names a key of a part of it that is missing."""
    labels, mean = {"race": "Arab"}, {"mean": None}
    parts: dict[str, dict[str, Any]] = {
        "cells": {"labels": labels, "names": 2, "attested": None},
        "features": {"feature": "length", "about": "letters", "means": [mean] * means, "apart": None, "matched": True},
        "weak": {"form": "Ann", "labels": labels, "doubts": [{"source": "one", "probability": 0.1, "at_most": True}]},
    }
    for part, key in left_out.items():
        del parts[part][key]
    return {"how": how} | {part: [content] for part, content in parts.items()}


BAD: dict[str, Any] = {
    "cut short": '{"terms": [\n{"term": "race", ',
    "a list": [1, 2],
    "an audit of the old form": {"results": [{"terms": []}], "command": "eec audit --system vader"},
    "an audit of a later form": {"results": [{"terms": []}], "format": 99, "command": "eec audit --system vader"},
    "a result of the old form": {key: value for key, value in result().items() if key != "format"},
    "results is no list": {"format": FORMAT, "results": 7},
    "an entry without a result": {"format": FORMAT, "results": [{"system": "x"}]},
    "no results": {"format": FORMAT, "results": []},
    "a row that is none": {"format": FORMAT, "results": [{"result": result() | {"terms": ["race"]}}]},
    "a number as text": result(term(effect="0.1")),
    "an infinite number": result(term(effect=float("inf"))),
    "a p beyond 1": result(term(p=1.5)),
    "an effect changed by hand": result(term(ci_low=-0.008, ci_high=0.032, effect=0.5)),
    "half a character": result(term(level="\ud83d")),
    "three ends": result() | {"score_range": [0, 1, 2]},
    "no terms": result() | {"terms": []},
    "cells is no list": result(cells=5),
    "a pair without a side": audit(moved=[{"axis": "race"}]),
    "a distance that is none": audit(standouts=[{"form": "Ann", "labels": {}, "distance": None, "p": 0.01}]),
    "a system that is no text": audit(system=5),
    "names chosen in no known way": audit(names=names("by hand")),
    "names with a mean too many": audit(names=names(means=2)),
    "names that may be matched or not": audit(names=names(features="matched")),
    "names that may be attested or not": audit(names=names(cells="attested")),
    "a corpus that is none": audit() | {"corpora": [5]},
    "a version that is no text": audit() | {"made": {"numpy": 2}},
    "nested too deeply": "[" * 100_000,
}


def test_what_is_no_result_is_refused_with_its_place(write, snapshot, tmp_path):
    def reading(content: Any) -> Callable[[], object]:
        return lambda: read([write("mine.json", content)])

    (tmp_path / "bytes.json").write_bytes(b'{"a": "\xff"}')
    calls = {name: reading(content) for name, content in BAD.items()}
    calls |= {name: partial(read, [tmp_path / name]) for name in ("bytes.json", "none.json")}
    snapshot.check_refusals("report-refusals", calls, BadResult, {f"{tmp_path}/": ""})


@pytest.mark.parametrize("form", ["html", "md"])
def test_controls_of_somebody_else_s_result_are_shown_and_not_obeyed(write, form):
    saved = audit(system="ours\x1b]0;\x07", config="en\u202egnp.exe") | {"made": {"numpy\x9b": "2\x1b[2J"}}
    report = page.render(read([write("mine.json", saved)]), form=form)
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", report) == []
    assert "u001b" in report


@pytest.mark.parametrize("number", [10**30, 10**400, -(10**30)])
def test_a_count_that_none_can_be_is_refused(number, write):
    saved = audit(system="ours") | {"distinct": {"ours": {"en": number}}}
    with pytest.raises(BadResult, match=r"distinct, ours, en: .*; expected a whole number\."):
        read([write("mine.json", saved)])


def test_several_files_become_one_report_each_once(write):
    files = [write("ours.json", result(version="0.0.3")), write("their s.json", result(term(effect=0.2)))]
    found = read([files[0].parent / ".." / files[0].parent.name / files[0].name, *files])
    assert [entry.system for entry in found.entries] == ["ours", "their s"]
    html = page.render(found)
    assert {"<b>ours</b>", "<b>their s</b>"} <= set(re.findall(r"<b>[^<>]*</b>", html))


def test_a_system_on_a_corpus_is_reported_from_one_result_alone(write, tmp_path):
    first, same = (write(name, audit(system="mine")) for name in ("a.json", "b.json"))
    done = eec("report", first, same, "--out", tmp_path / "out")
    assert (done.exit_code, [entry.place for entry in read([first, same]).entries]) == (0, [f"{first}, results[0]"])
    assert f"Note: {same}, results[0] is in another of the files too, and is reported once." in done.output
    elsewhere, part = audit(system="mine", config="other"), audit(system="mine", part="half of it")
    assert len(read([first, write("other.json", elsewhere), write("part.json", part)]).entries) == 3
    for name, other in (("newer", {"fingerprint": "2"}), ("higher", {"result": result(term(effect=0.3))})):
        path = write(f"{name}.json", audit(system="mine", **other))
        with pytest.raises(BadResult, match=r"a\.json, results\[0\] and .*results\[0\]: two results of mine,"):
            read([first, path])


def test_a_result_knows_its_corpus_from_its_facts():
    expected = {"ar-anglo-arab@1.0.0#1a2b3c4d": ("ar-anglo-arab", "ar"), "mine@1.0.0#00ff": ("mine", ""), "?": ("", "")}
    found = {data: document(result(data=data)).entries[0] for data in expected}
    assert {data: (entry.config, entry.language) for data, entry in found.items()} == expected


def test_a_report_is_made_again_beside_its_result_or_where_it_is_wanted(write, tmp_path):
    path, out = write("my result.json", result()), tmp_path / "new folder"
    done = eec("report", path)
    assert (done.exit_code, done.output) == (
        0, f"Written: {path.parent / 'report.html'}\nWritten: {path.parent / 'terms.csv'}\n"
    )  # fmt: skip
    options = ("--format", "md", "--format", "html", "--report-language", "es")
    succeed("report", path, "--out", out, *options)
    assert sorted(file.name for file in out.iterdir()) == ["report.html", "report.md", "terms.csv"]
    assert "## Sesgo: ¿puntúa my result de otro modo" in (out / "report.md").read_text(encoding="utf-8")
    assert '<html lang="es" dir="ltr">' in (out / "report.html").read_text(encoding="utf-8")


def test_a_result_changed_by_hand_is_warned_of(write, tmp_path):
    saved = saving.audit([{"system": "mine", "result": result()}], [], "eec audit --system mine:score")
    changed = saved | {"results": [saved["results"][0] | {"system": "better"}]}
    for name, written in (("a", json.dumps(saved, indent=3, sort_keys=True)), ("b", changed)):
        out, there = tmp_path / name, name == "b"
        path = write(f"{name}.json", written)
        done = eec("report", path, "--out", out)
        assert done.exit_code == 0
        assert (f"Warning: {tmp_path / 'b.json'} was changed after it was written" in done.output) is there
