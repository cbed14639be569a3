"""Saved results read back, and what is refused."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from making import document, result, term
from markupsafe import escape
from snapshots import Snapshot

import eec_bias
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import read, units
from eec_datasets.audit.report.shapes import BadResult
from eec_datasets.audit.saving import FORMAT

Write = Callable[[str, Any], Path]


def refusal(path: Path) -> str:
    with pytest.raises(BadResult) as error:
        read([path])
    return str(error.value).replace(str(path), "FILE")


def audit(**entry: Any) -> dict[str, Any]:
    return {"format": FORMAT, "results": [{"result": result()} | entry]}


BAD: dict[str, Any] = {
    "cut short": '{"terms": [\n{"term": "race", ',
    "a list": [1, 2],
    "an audit of the old form": {"results": [{"terms": []}], "command": "eec audit --system vader"},
    "a result of the old form": {key: value for key, value in result().items() if key != "format"},
    "results is no list": {"format": FORMAT, "results": 7},
    "an entry without a result": {"format": FORMAT, "results": [{"system": "x"}]},
    "no results": {"format": FORMAT, "results": []},
    "a row that is none": {"format": FORMAT, "results": [{"result": result() | {"terms": ["race"]}}]},
    "a number as text": result(term(effect="0.1")),
    "an infinite number": result(term(effect=float("inf"))),
    "a p beyond 1": result(term(p=1.5)),
    "an effect changed by hand": result(term(ci_low=-0.008, ci_high=0.032, effect=0.5)),
    "three ends": result(score_range=[0, 1, 2]),
    "no terms": result() | {"terms": []},
    "cells is no list": result(cells=5),
    "a pair without a side": audit(moved=[{"axis": "race"}]),
    "a distance that is none": audit(standouts=[{"form": "Ann", "labels": {}, "distance": None, "p": 0.01}]),
    "a system that is no text": audit(system=5),
    "a corpus that is none": audit() | {"corpora": [5]},
    "a version that is no text": audit() | {"made": {"numpy": 2}},
    "nested too deeply": "[" * 100_000,
}


def test_what_is_no_result_is_refused_with_its_place(write: Write, snapshot: Snapshot, tmp_path: Path) -> None:
    lines = [f"# {name}\n{refusal(write('mine.json', content))}" for name, content in BAD.items()]
    (tmp_path / "bytes.json").write_bytes(b'{"a": "\xff"}')
    lines += [f"# {name}\n{refusal(tmp_path / name)}" for name in ("bytes.json", "none.json")]
    snapshot.check("report-refusals", "\n".join(lines))


def test_several_files_become_one_report_and_another_version_is_named(write: Write) -> None:
    files = [write("ours.json", result(version="0.0.3")), write("their s.json", result(term(effect=0.2)))]
    found = read(files)
    assert [entry.system for entry in found.entries] == ["ours", "their s"]
    html = page.render(found)
    assert html.index(">ours<") < html.index(">their s<")
    assert f"eec report {escape(shlex.join(map(str, files)))}" in html
    assert f"made by eec_bias 0.0.3; this page was made with {eec_bias.__version__}." in html


@pytest.mark.parametrize(
    ("data", "config", "language"),
    [("ar-anglo-arab@1.0.0#1a2b3c4d", "ar-anglo-arab", "ar"), ("mine@1.0.0#00ff", "mine", ""), ("?", "", "")],
)
def test_a_result_knows_its_corpus_from_its_signature(data: str, config: str, language: str) -> None:
    (entry,) = document(result(data=data)).entries
    assert (entry.config, entry.language) == (config, language)


def test_rows_are_taken_apart_by_system_and_task() -> None:
    rows = [term(system=s, task=t, effect=e) for s, t, e in (("a", "joy", 0.1), ("a", "fear", 0.2), ("b", "joy", 0.3))]
    found = units(document(result(*rows)).entries)
    assert [(unit.title, [judged.row["effect"] for judged in unit.rows]) for unit in found] == [
        ("a (joy)", [0.1]), ("a (fear)", [0.2]), ("b (joy)", [0.3]),
    ]  # fmt: skip
