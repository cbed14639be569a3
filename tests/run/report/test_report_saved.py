"""What an audit prints and writes, saved results read back, ``eec report``; and what is refused."""

import json
import re
import shlex
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from commands import eec, succeed
from documents import document, result, term, told
from markupsafe import escape

import eec_bias
from eec_datasets import terminal
from eec_datasets.audit import saving
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import from_content, read
from eec_datasets.audit.report.numbers import rows_of
from eec_datasets.audit.report.validation import BadResult
from eec_datasets.audit.saving import FORMAT
from eec_datasets.audit.summary import summary


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


def test_the_table_names_a_config_once_and_numbers_its_notes(snapshot):
    still = term(subset="pairs", effect=-0.5, note="few persons", se=0.0, p=None, p_adjusted=None, mde=None)
    both = {"term": "race:gender", "axes": "race+gender", "level": "Arab:female", "reference": "Anglo:male"}
    parts = {
        "c": result(term(p_adjusted=0.0001), {**still, "state": "same_gap"}),
        "d": result(term(**both, note="few persons", mde=None)),
    }
    outcomes = [told(document(part).entries[0].result, name, "en") for name, part in parts.items()]
    snapshot.check("audit-table", summary(outcomes))


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
    "three ends": result(score_range=[0, 1, 2]),
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


def test_texts_of_somebody_else_are_no_markup_in_markdown(write):
    saved = audit(system="ours") | {"date": "<img src=x onerror=alert(1)>"}
    result = saved["results"][0]["result"]
    result["facts"]["data"]["name"] = "a|b\n\n# Verified"
    text = page.render(read([write("mine.json", saved)]), form="md")
    assert "<img" not in text
    assert "a|b  # Verified@" in text


@pytest.mark.parametrize("number", [10**30, 10**400, -(10**30)])
def test_a_count_that_none_can_be_is_refused(number, write):
    saved = audit(system="ours") | {"distinct": {"ours": {"en": number}}}
    with pytest.raises(BadResult, match=r"distinct, ours, en: .*; expected a whole number\."):
        read([write("mine.json", saved)])


def test_names_of_which_little_is_known_are_reported(write):
    html = page.render(read([write("mine.json", audit(names=names()))]))
    assert "letters" in html


def test_several_files_become_one_report_each_once(write):
    files = [write("ours.json", result(version="0.0.3")), write("their s.json", result(term(effect=0.2)))]
    found = read([files[0].parent / ".." / files[0].parent.name / files[0].name, *files])
    assert [entry.system for entry in found.entries] == ["ours", "their s"]
    html = page.render(found)
    assert {">ours</h2>", ">their s</h2>"} <= set(re.findall(r">[^<>]*</h2>", html))
    assert f"eec report {escape(shlex.join(map(str, files)))}" in html
    assert f"made by eec_bias 0.0.3; this page was made with {eec_bias.__version__}." in html


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


def test_a_corpus_and_a_part_of_it_in_two_files_are_told_apart(write):
    corpus = {"name": "one", "language": "en", "about": "A corpus.", "review": "", "rows": 800, "sentences": []}
    half = corpus | {"about": "A corpus. Of it, 8 items.", "rows": 40, "part": "8 items"}
    paths = [
        write("a.json", audit(system="whole", config="one", part="") | {"corpora": [corpus]}),
        write("b.json", audit(system="half", config="one", part="8 items") | {"corpora": [half]}),
    ]
    for both in map(read, (paths, paths[::-1])):
        counted = {row["quantity"]: row["value"] for row in rows_of(both) if row["kind"] == "corpus"}
        assert counted == {"sentences": 800, "sentences (8 items)": 40}
        assert [part in page.render(both) for part in ("half", "whole")] == [True, True]


def test_two_parts_of_a_corpus_that_one_system_scored_stand_apart(write):
    files = [
        write(f"{number}.json", audit(system="mine", config="one", part=part, result=result(term(effect=effect))))
        for number, (part, effect) in enumerate({"": 0.25, "8 items": -0.125}.items())
    ]
    for both in map(read, (files, files[::-1])):
        rows = [row for row in rows_of(both) if row["kind"] == "term"]
        assert {row["config"]: row["effect"] for row in rows} == {"one": 0.25, "one (8 items)": -0.125}
        found = {row["config"]: row["value"] for row in rows_of(both) if row["quantity"] == "gap"}
        assert list(found.values()) == [25.0 if "one" in found else -12.5]
        html = page.render(both)
        assert "one (8 items)</summary>" in html
        assert ">−0.125<" in html


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
    html = (path.parent / "report.html").read_text(encoding="utf-8")
    assert f"eec report &#39;{path}&#39;" in html
    options = ("--format", "md", "--format", "html", "--report-language", "es")
    succeed("report", path, "--out", out, *options)
    assert sorted(file.name for file in out.iterdir()) == ["report.html", "report.md", "terms.csv"]
    assert "Auditoría de sesgo de my result\n" in (out / "report.md").read_text(encoding="utf-8")
    assert '<html lang="es" dir="ltr">' in (out / "report.html").read_text(encoding="utf-8")


def test_the_reports_of_an_audit_are_those_made_from_its_result(tmp_path):
    options = ("--system", "noisy:male", "--config", "tr-gender", "--out", tmp_path, "--report-language", "es")
    succeed("audit", *options)
    for form in ("html", "md"):
        path = tmp_path / f"report.{form}"
        first = path.read_text(encoding="utf-8")
        assert "eec audit --system noisy:male --config tr-gender" in first
        succeed("report", tmp_path / "result.json", "--format", form, "--report-language", "es", "--overwrite")
        place = shlex.quote(str(tmp_path / "result.json"))
        place = str(escape(place)) if form == "html" else place
        assert path.read_text(encoding="utf-8") == first.replace("eec report result.json", f"eec report {place}")


def test_a_comparison_on_a_changed_table_is_to_be_made_anew(write, tmp_path):
    content = saving.sealed(result(data="rows.parquet"))
    content = content | {"facts": {**content["facts"], "compared": ["new", "old"]}, "notes": ["changed"]}
    assert eec("report", write("c.json", content), "--out", tmp_path).exit_code == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    again = "eec measure SCORES.csv --against OTHERS.csv --data TABLE"
    assert (f"Make it anew: {again} --out FOLDER" in html, f">{again}</pre>" in html) == (True, True)


def test_a_result_changed_by_hand_is_told_on_the_page(write, tmp_path):
    saved = saving.audit([{"system": "mine", "result": result()}], [], "eec audit --system mine:score")
    changed = saved | {"results": [saved["results"][0] | {"system": "better"}]}
    told = "this file was changed after it was written, so its numbers may not be those that were measured."
    for name, written in (("a", json.dumps(saved, indent=3, sort_keys=True)), ("b", changed)):
        out, there = tmp_path / name, name == "b"
        path = write(f"{name}.json", written)
        done = eec("report", path, "--out", out)
        assert done.exit_code == 0
        assert (f"Warning: {tmp_path / 'b.json'} was changed after it was written" in done.output) is there
        html = (out / "report.html").read_text(encoding="utf-8")
        assert (told in html, "Make it anew: eec audit --system mine:score --out FOLDER" in html) == (there, there)
        assert "holds no checksum" not in html
    succeed("report", write("plain.json", result()), "--out", tmp_path / "p", "--format", "md")
    assert "plain.json: holds no checksum" in (tmp_path / "p" / "report.md").read_text(encoding="utf-8")


def test_every_pair_that_moved_most_is_shown():
    def moved(axis: str, number: int) -> dict[str, Any]:
        sides = {"higher": 1.0, "lower": 0.0}
        texts = {side: f"{axis} {number} {side}" for side in sides}
        return {"axis": axis} | {
            side: {"text": texts[side], "labels": {axis: side}, "score": score} for side, score in sides.items()
        }

    pairs = [moved(axis, number) for axis in ("gender", "race") for number in range(3)]
    found = result(term(effect=0.5, p_adjusted=0.01))
    whole = {"result": found, "system": "mine", "config": "one", "moved": pairs}
    attested = whole | {"config": "one (2 attested names)", "attested_of": "one", "moved": pairs[:1]}
    saved = {"format": FORMAT, "results": [whole, attested, {"result": result(term(system="b")), "moved": []}]}
    html = page.render(from_content(saved, "result.json", ""))
    shown = re.findall(r'<dt class="text"[^>]*>(.*?)<small', html)
    texts = {re.sub("<[^>]+>", "", text).strip() for text in shown}
    assert texts == {side["text"] for pair in pairs for side in (pair["higher"], pair["lower"])}
