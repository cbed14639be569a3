"""What an audit prints and writes: the table, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from types import SimpleNamespace
from typing import Any

import pytest
from making import Row, document, no_spread, result, term
from snapshots import Snapshot

from eec_datasets import terminal
from eec_datasets.audit import saving
from eec_datasets.audit.report.document import Document
from eec_datasets.audit.report.numbers import numbers
from eec_datasets.audit.running import Outcome
from eec_datasets.audit.summary import summary


def test_the_csv_holds_every_row_of_the_results(outcomes: list[Outcome], real: Document) -> None:
    rows = [row for row in csv.DictReader(io.StringIO(saving.to_csv(numbers(real)))) if row["kind"] == "term"]
    terms = [(outcome, row) for outcome in outcomes for row in outcome.result.terms]
    assert [(row["system"], row["config"], row["term"], float(row["effect"])) for row in rows] == [
        (outcome.system, outcome.corpus.name, row["term"], row["effect"]) for outcome, row in terms
    ]
    assert [row["p_permutation"] for row in rows] == [str(row["p_permutation"] or "") for _, row in terms]


def test_the_json_holds_what_the_result_says_and_where_it_comes_from(saved: Row, outcomes: list[Outcome]) -> None:
    assert saved["format"] == saving.FORMAT
    for entry, outcome in zip(saved["results"], outcomes, strict=True):
        assert (entry["system"], entry["config"]) == (outcome.system, outcome.corpus.name)
        assert (entry["data"], entry["review"]) == (outcome.corpus.data, outcome.corpus.review)
        assert entry["result"] == json.loads(json.dumps(outcome.result.to_dict(details=True)))


def test_it_is_written_row_by_row() -> None:
    text = saving.to_json({"results": [{"system": "é", "result": {"terms": [{"a": 1}, {"a": 2}], "none": []}}]})
    assert text == (
        '{\n"results": [\n{\n"system": "é",\n"result": {\n"terms": [\n{"a": 1},\n{"a": 2}\n],\n"none": []\n}\n}\n]\n}'
    )
    with pytest.raises(ValueError, match="not JSON compliant"):
        saving.to_json({"a": float("nan")})


def test_the_table_names_a_config_once_and_numbers_its_notes(snapshot: Snapshot) -> None:
    still = term(subset="pairs", effect=-0.5, note="few persons", se=0.0, p=None, p_adjusted=None, mde=None)
    both = {"term": "race:gender", "axes": "race+gender", "level": "Arab:female", "reference": "Anglo:male"}
    parts = [
        result(term(p_adjusted=0.0001), still, no_spread=[no_spread(still, "same_difference")]),
        result(term(**both, note="few persons", mde=None)),
    ]
    outcomes: list[Any] = [
        SimpleNamespace(
            result=document(part).entries[0].result,
            system="mine",
            corpus=SimpleNamespace(name=name, language="en", attested_of=""),
            clear=None,
        )
        for part, name in zip(parts, "cd", strict=True)
    ]
    snapshot.check("audit-table", summary(outcomes))


def test_columns_line_up_whatever_the_script() -> None:
    assert terminal.width("María") == terminal.width("Mari\u0301a") == 5
    assert terminal.width("عَرَبِيّ") == 4
    assert terminal.width("日本") == 4
