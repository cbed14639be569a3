"""Results that come back from a file, and what is refused there and elsewhere."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from snapshots import FOLDER
from verdict_cases import CASES, DATA, Case, result_of, scores

from eec_bias import Result, figures, measure, report
from eec_bias.errors import BiasError, ResultError
from eec_bias.result.frame import BESIDE, GIVEN
from eec_bias.result.record import FORMAT
from eec_bias.result.term import TERM_KEYS


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return measure(scores(DATA), DATA, margin=5).to_dict(details=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_result_survives_json_with_and_without_details(case: Case) -> None:
    result, text = case.result, report(case.result)
    for details in (True, False):
        content = json.loads(json.dumps(result.to_dict(details=details), allow_nan=False))
        again = Result.from_dict(content)
        assert again.to_dict(details=details) == content
        assert report(again) == text
        assert again.to_frame().equals(result.to_frame())
        assert len(again.details) == (len(result.details) if details else 0)


def test_the_saved_form_names_its_format_and_both_versions(whole) -> None:
    assert (whole["format"], whole["version"]) == (FORMAT, "0.1.0")
    read = Result.from_dict(whole)
    through = replace(read, module_version="0.1.2").to_dict()
    assert through["module_version"] == Result.from_dict(through).module_version == "0.1.2"
    result = measure(scores(DATA), DATA, margin=5)
    assert pickle.loads(pickle.dumps(result)).to_dict(details=True) == whole
    assert repr(result) == f"<Result of {len(result.terms)} terms: {result.signature}>" == repr(read)


OPTIONAL = [
    key
    for key in TERM_KEYS
    if key not in ("term", "subset", "state", "rough", "note", "axes", "level", "reference", "emotion")
]


@pytest.mark.parametrize("key", OPTIONAL)
def test_a_column_that_a_row_of_terms_lacks_is_null(whole, key: str) -> None:
    rows = [{k: v for k, v in row.items() if k != key} for row in whole["terms"]]
    read = Result.from_dict({**whole, "terms": rows})
    assert {row[key] for row in read.overall} == {None}


def test_a_result_without_its_plan_is_refused(whole) -> None:
    with pytest.raises(ResultError, match="it has no plan, the questions that its findings answer"):
        Result.from_dict({key: value for key, value in whole.items() if key != "plan"})


def test_a_result_of_the_former_format_is_refused_with_what_to_do(whole) -> None:
    with pytest.raises(ResultError, match=r"saved in format 2 .* reads eec-result/1: install that version, or measure"):
        Result.from_dict({**whole, "format": 2})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"margin": 20}, r"its plan is 8q/\w{8}, and its facts name 8q/\w{8}"),
        ({"confidence": 0.9}, r"its plan is 8q/\w{8}, and its facts name 8q/\w{8}"),
        ({"confidence": 1}, r"plan.confidence is 1; expected a number between 0 and 1"),
        ({"main": []}, r"its plan is 0q/\w{8}, and its facts name 8q/\w{8}"),
        ({"margin": -1}, r"plan.margin is -1; expected a number above 0, or null"),
        ({"second": "joy"}, r"plan.second is 'joy'; expected a list"),
    ],
)
def test_a_plan_that_was_changed_afterwards_is_refused(whole, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ResultError, match=message):
        Result.from_dict({**whole, "plan": {**whole["plan"], **changed}})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"level": "Blue"}, r"plan.main\[0\].id is 'race\[Black-Anglo\].names'; expected 'race\[Blue-Anglo\].names'"),
        ({"level": None}, r"plan.main\[0\].level is null; expected a text"),
        ({"emotion": 3}, r"plan.main\[0\].emotion is 3; expected a text or null"),
    ],
)
def test_a_question_of_a_plan_is_checked(whole, changed: dict[str, Any], message: str) -> None:
    first, *others = whole["plan"]["main"]
    with pytest.raises(ResultError, match=message):
        Result.from_dict({**whole, "plan": {**whole["plan"], "main": [{**first, **changed}, *others]}})


ABSENT = ("flips", "rates", "missing", "signals", "feelings")
"""Lists without a row in the result."""


@pytest.mark.parametrize("kind", [kind for kind in BESIDE if kind not in ABSENT])
def test_a_column_that_a_row_beside_the_terms_lacks_is_null(whole, kind: str) -> None:
    for key in set(BESIDE[kind]) - {*GIVEN, "verdict", "items"}:
        rows = [{k: v for k, v in row.items() if k != key} for row in whole[kind]]
        read = Result.from_dict({**whole, kind: rows})
        assert {row[key] for row in getattr(read, kind)} <= {None}


def test_what_a_later_version_says_of_a_row_is_kept(whole) -> None:
    rows = [{**row, "of_later": [1, "a"]} for row in whole["terms"]]
    read = Result.from_dict({**whole, "terms": rows, "cells": [{**row, "wide": 0.5} for row in whole["cells"]]})
    assert read.overall[0]["of_later"] == [1, "a"]
    assert read.to_dict()["terms"][0]["of_later"] == [1, "a"]
    assert read.to_dict()["cells"][0]["wide"] == 0.5


def test_a_row_is_typed_and_a_mapping_of_its_columns() -> None:
    row = measure(scores(DATA), DATA).overall[0]
    assert (row.term, row.subset, row.effect) == (row["term"], row["subset"], row["effect"])
    assert tuple(row) == TERM_KEYS
    assert row.get("system") is None
    assert "system" not in row


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "an older form": lambda c: c.pop("format"),
    "a later form": lambda c: c.update(format=9, version="9.0.0"),
    "another format": lambda c: c.update(format="x"),
    "no terms": lambda c: c.pop("terms"),
    "no rows": lambda c: c["terms"].clear(),
    "no number": lambda c: c["terms"][2].update(effect="x"),
    "no finite number": lambda c: c["terms"][0].update(p=float("nan")),
    "a p above 1": lambda c: c["terms"][0].update(p_adjusted=1.5),
    "a standard error below 0": lambda c: c["terms"][0].update(se=-0.01),
    "an effect beside its interval": lambda c: c["terms"][0].update(effect=0.5, ci_low=0.1, ci_high=0.2),
    "an interval upside down": lambda c: c["terms"][0].update(effect=0.15, ci_low=0.2, ci_high=0.1, p=None),
    "no term": lambda c: c["terms"][0].update(term=None),
    "no margin": lambda c: c["equivalence"][0].update(margin=None),
    "a state that is none": lambda c: c["terms"][0].update(state="strange"),
    "no text": lambda c: c["terms"][1].update(note=7),
    "rows named in two ways": lambda c: c["terms"][1].update(system="a"),
    "yes and no": lambda c: c["fits"][0].update(phi=True),
    "a list for a group": lambda c: c["cells"][0].update(race=["Black"]),
    "notes that are a text": lambda c: c.update(notes="one"),
    "a scale that is none": lambda c: c.update(score_range=7),
    "a scale of texts": lambda c: c.update(score_range=[0, "1"]),
    "a scale upside down": lambda c: c.update(score_range=[1, 0]),
    "a cell without a mean": lambda c: c["cells"][0].update(mean=None),
    "details with a gap": lambda c: c["details"][0]["item_effects"][0][0].__setitem__(0, None),
    "a procedure without its tables": lambda c: c.update(method="camara2022"),
    "tables that are no texts": lambda c: c.update(method="camara2022", tables={"t": 1}),
    "details that are none": lambda c: c.update(details=[{"persons": {}}]),
    "details of the wrong shape": lambda c: c["details"][0]["person_means"][0].pop(),
    "details of an axis that persons lack": lambda c: c["details"][0].update(axes=["age"]),
    "details of two lengths": lambda c: c["details"][0]["persons"].update(form=["x"]),
}


def test_what_cannot_be_read_or_shown_is_refused_with_what_to_do(whole, snapshot) -> None:
    def read(change: Callable[[dict[str, Any]], Any]) -> Result:
        content = copy.deepcopy(whole)
        change(content)
        return Result.from_dict(content)

    y = scores(DATA)
    one = measure(y, DATA)
    procedure = result_of("the paper of 2018")
    calls: dict[str, Callable[[], Any]] = {
        **{f"read: {name}": lambda own=own: read(own) for name, own in CHANGES.items()},
        "read: a list": lambda: Result.from_dict([1]),  # type: ignore[arg-type]
        "report: another dict": lambda: report({"accuracy": 1}),
        "tables of a saved procedure": lambda: Result.from_dict(procedure.to_dict()).tables("latex"),
        "figure: unknown": lambda: one.plot("pie"),
        **{f"persons: {options}": lambda options=options: one.plot("persons", **options) for options in OPTIONS},
        "forest: no such term": lambda: one.plot(term="age"),
        "persons: a procedure": lambda: procedure.plot("persons"),
        "persons: without details": lambda: figures.persons(one.to_dict()),
        "systems: a procedure without details": lambda: figures.systems(procedure.to_dict()),
        "systems: another procedure": lambda: one.plot("systems"),
        "systems: no such term": lambda: procedure.plot("systems", term="age"),
        "systems: no such level": lambda: procedure.plot("systems", level="x"),
        "systems: an accuracy missing": lambda: procedure.plot("systems", accuracy={"a": 1.0}),
        "sensitivity: no measures": lambda: one.plot("sensitivity"),
        "label_dist: no measures": lambda: one.plot("label_dist"),
        "width": lambda: one.plot(width=1),
    }  # fmt: skip
    snapshot.check_refusals("result-messages", calls, BiasError)
    # How a surface spells an option is no part of a sentence.
    told = (FOLDER / "result-messages.txt").read_text(encoding="utf-8")
    spelled = "".join(re.findall(r"(?m)^  .*$", told)).replace("|gender=", "|gender ").replace("|race=", "|race ")
    assert not re.search(r"(?<![<>])=", spelled)


OPTIONS: tuple[dict[str, Any], ...] = (
    {"system": "x"}, {"subset": "phrases"}, {"city": "x"}, {"theme": "sepia"},
)  # fmt: skip
