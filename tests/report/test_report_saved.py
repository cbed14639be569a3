"""Saved results read back, and what is refused."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

from eec_datasets.audit.report import document as page_saved
from eec_datasets.audit.report import page
from eec_datasets.audit.report import units as page_units
from eec_datasets.audit.report.document import BadResult, Document

Write = Callable[[str, Any], Path]
Make = Callable[..., dict[str, Any]]


def refused(path: Path) -> str:
    with pytest.raises(BadResult) as error:
        page_saved.read([path])
    return str(error.value).replace(str(path), "FILE")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"terms": [\n{"term": "race", ',
            "FILE:2: not JSON: Expecting property name enclosed in double quotes at column 18. Expected a whole saved "
            "result; make it anew if its writing was cut short.",
        ),
        (
            [1, 2],
            "FILE: expected a result (an object with the key terms) or an audit (with the key results). Give a file "
            "written by eec audit, eec measure --format json, or json.dump(result.to_dict(), file).",
        ),
        ({"results": {}, "terms": 3}, "FILE: results is no list of objects, as a saved result has it."),
        ({"results": [{"system": "x"}]}, "FILE, results[0]: has no terms. Expected what Result.to_dict() returns."),
        ({"results": []}, "FILE: holds no results. Expected at least one system on one corpus."),
        ({"terms": ["race"]}, "FILE: terms is no list of objects, as a saved result has it."),
        (
            {"terms": [{"term": 3}]},
            "FILE, terms[0]: term is 3; expected the name of a term such as gender.",
        ),
        (
            {"terms": [{"term": "race", "effect": "0.1"}]},
            "FILE, terms[0], effect: '0.1'; expected a finite number, or null.",
        ),
        (
            {"terms": [{"term": "race", "effect": math.inf}]},
            "FILE, terms[0], effect: inf; expected a finite number, or null.",
        ),
        (
            {"terms": [], "score_range": [0, 1, 2]},
            "FILE: score_range is [0, 1, 2]; expected two numbers, such as [0, 1].",
        ),
        ({"terms": [], "score_range": "01"}, "FILE, score_range: '01'; expected a list."),
        ({"terms": [], "axes": [1]}, "FILE, axes[0]: 1; expected a text."),
        ({"terms": [], "moved": [{"axis": "race"}]}, "FILE, moved[0]: has no higher."),
        (
            {"terms": [], "standouts": [{"form": "Ann", "group": "x", "distance": None}]},
            "FILE, standouts[0], distance: None; expected a finite number.",
        ),
        ({"results": [{}], "corpora": [5]}, "FILE, corpora[0]: 5; expected an object."),
        ({"results": [{}], "made": {"numpy": 2}}, "FILE, made, numpy: 2; expected a text."),
        (
            {"terms": [], "cells": 5},
            "FILE: cells is no list of objects, as a saved result has it.",
        ),
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused_with_its_place(write: Write, content: Any, message: str) -> None:
    if isinstance(content, dict) and "results" in content and content["results"] == {}:
        content = {"results": 7}
    assert refused(write("mine.json", content)) == message


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    assert (
        refused(tmp_path / "none.json") == "Cannot read FILE: No such file or directory. Give files of saved results."
    )
    (tmp_path / "bytes.json").write_bytes(b'{"a": "\xff"}')
    assert refused(tmp_path / "bytes.json") == "FILE: not UTF-8 at byte 7. Expected a result saved as JSON."
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert refused(tmp_path / "deep.json") == "FILE: nested too deeply to be a saved result."


def test_a_result_of_another_version_is_shown_as_far_as_it_goes(document: Callable[..., Document]) -> None:
    import eec_bias

    old = {"terms": [{"term": "gender", "level": "female", "reference": "male", "effect": 0.25}], "version": "0.0.3"}
    found = document(old)
    html = page.render(found)
    assert "+0.2500" in html
    lacking = ", ".join(key for key in found.results[0].lacking)
    assert lacking.startswith("axes, subset, se, df, t, p, p_adjusted")
    assert (
        f"mine: made by eec_bias 0.0.3; this page was made with {eec_bias.__version__}. Columns that the result lacks "
        "are shown as –."
    ) in html
    assert f"the result has no {lacking}." in html
    without = document({key: value for key, value in old.items() if key != "version"})
    assert "the result does not say which version made it." in page.render(without)


def test_several_files_become_one_report(write: Write, result: Make, term: Make) -> None:
    files = [write("ours.json", result(term(effect=0.1))), write("theirs.json", result(term(effect=0.2)))]
    found = page_saved.read(files)
    assert [measured.system for measured in found.results] == ["ours", "theirs"]
    html = page.render(found, figures=False)
    assert html.index(">ours<") < html.index(">theirs<")
    assert f"eec report {escape(shlex.join(map(str, files)))}" in html


def test_a_result_knows_its_corpus_from_its_signature(document: Callable[..., Document], result: Make) -> None:
    (known,) = document(result(signature="eec_bias|v:0.1.0|data:ar-anglo-arab@1.0.0#1a2b3c4d|adj:holm")).results
    assert (known.config, known.language) == ("ar-anglo-arab", "ar")
    (own,) = document(result()).results
    assert (own.config, own.language, own.review) == ("mine", "", "")
    (none,) = document(result(signature="eec_bias|v:0.1.0|data:?|adj:holm")).results
    assert none.config == ""


def test_rows_are_taken_apart_by_system_and_task(document: Callable[..., Document], result: Make, term: Make) -> None:
    rows = [term(system=s, task=t, effect=e) for s, t, e in (("a", "joy", 0.1), ("a", "fear", 0.2), ("b", "joy", 0.3))]
    found = list(page_units.units(document(result(*rows)).results))
    assert [(unit.title, [row["effect"] for row in unit.terms]) for unit in found] == [
        ("a (joy)", [0.1]), ("a (fear)", [0.2]), ("b (joy)", [0.3]),
    ]  # fmt: skip
