"""``--fail-if`` and ``--junit``: gates for continuous integration."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

Eec = Callable[..., Result]
Audit = Callable[..., Result]


@pytest.fixture(scope="module")
def audit(eec: Eec, tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """Audit the biased system, whose scores are saved from the first time on."""
    out = tmp_path_factory.mktemp("gate") / "out"
    command = ("audit", "--system", "biased:female", "--config", "es-anglo-latino", "--no-report")
    return lambda *arguments, out=out: eec(*command, "--out", out, *arguments)


def gate_of(output: str) -> list[str]:
    """The lines below the heading."""
    return output.split("\nGate\n")[1].splitlines()


def test_an_audit_fails_where_a_condition_holds_and_says_every_number(audit: Audit) -> None:
    conditions = ("race.ci outside ±0.02", "abs(gender.effect) > .5", "gender.p < 1")
    result = audit(*(word for condition in conditions for word in ("--fail-if", condition)))
    assert result.exit_code == 4
    where = "biased:female on es-anglo-latino"
    starts = (
        f"ok    {where}: race.ci outside ±0.02: race[Latino] (names) ",
        f"FAIL  {where}: abs(gender.effect) > .5: gender[female] (names) abs(effect) is 1",
        f"FAIL  {where}: abs(gender.effect) > .5: gender[female] (pairs) abs(effect) is 1",
        f"FAIL  {where}: gender.p < 1: gender[female] (names) has no p, so it cannot pass: ",
        f"FAIL  {where}: gender.p < 1: gender[female] (pairs) has no p, so it cannot pass: ",
        "4 of 5 checks failed.",
    )
    for line, start in zip(gate_of(result.output), starts, strict=True):
        assert line.startswith(start)


def test_an_audit_that_meets_no_condition_ends_with_0_and_without_conditions_there_is_no_gate(audit: Audit) -> None:
    result = audit("--fail-if", "race.ci outside [-0.01, 0.01]")
    assert (result.exit_code, gate_of(result.output)[-1]) == (0, "1 of 1 checks passed.")
    assert "Gate" not in audit().output


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("religion.p < .05", "the result has no term 'religion'; it has race, gender, race:gender."),
        ("race.pairs.p < .05", "race has no subset 'pairs'; it has names."),
        ("race[Arab].p < .05", "race has no level 'Arab'; it has Latino."),
        ("race.p < many", "'many' is no number."),
    ],
)
def test_what_there_is_no_row_of_is_refused_before_anything_is_scored(
    audit: Audit, eec: Eec, scores: Path, tmp_path: Path, condition: str, said: str
) -> None:
    result = audit("--fail-if", condition, out=tmp_path / "out")
    assert result.exit_code == 2
    assert result.output.endswith(f"Error: --fail-if: condition {condition!r}: {said}\n")
    assert not (tmp_path / "out" / "scores").exists()
    measured = eec("measure", scores, "--config", "es-anglo-latino", "--fail-if", condition)
    assert (measured.exit_code, measured.stdout) == (2, "")
    assert measured.output.endswith(f"{said}\n")


def test_a_level_of_one_corpus_is_skipped_in_the_others(audit: Audit, tmp_path: Path) -> None:
    report = tmp_path / "a folder" / "gate.xml"
    result = audit("--config", "en-anglo-arab", "--fail-if", "race[Latino].effect > .1", "--junit", report)
    assert result.exit_code == 0
    of_spanish, of_english, *rest = gate_of(result.output)
    assert of_spanish.startswith("ok    biased:female on es-anglo-latino: race[Latino].effect > .1: ")
    assert of_english == "–     biased:female on en-anglo-arab: race[Latino].effect > .1: there is no such row here"
    assert rest == ["1 of 1 checks passed.", f"Written: {report}"]
    root = ElementTree.parse(report).getroot()
    assert root.attrib == {"tests": "2", "failures": "0", "errors": "0", "skipped": "1"}


def test_a_junit_file_that_cannot_be_written_is_said_before_anything_is_scored(audit: Audit, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    junit = ("--junit", tmp_path / "file" / "gate.xml")
    result = audit("--fail-if", "race.p < .05", *junit, out=tmp_path / "out")
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: Cannot write to {tmp_path / 'file'}: File exists.")
    assert not (tmp_path / "out").exists()


def test_scores_made_elsewhere_pass_the_same_gate(eec: Eec, scores: Path, tmp_path: Path) -> None:
    report = tmp_path / "gate.xml"
    arguments = ("--config", "es-anglo-latino", "--fail-if", "gender.p_adjusted < .05", "--junit", report)
    result = eec("measure", scores, *arguments)
    assert result.exit_code == 4
    checks = gate_of(result.output)
    assert checks[0].startswith("FAIL  es-anglo-latino: gender.p_adjusted < .05: gender[female] (names) p_adjusted is ")
    assert checks[-2:] == ["2 of 2 checks failed.", f"Written: {report}"]
    (case,) = ElementTree.parse(report).getroot().findall("testsuite/testcase")
    assert (case.get("classname"), case.get("name")) == ("es-anglo-latino", "gender.p_adjusted < .05")
    # What a program reads is kept apart from the verdicts.
    for_programs = eec("measure", scores, *arguments, "--format", "json")
    assert json.loads(for_programs.stdout)["gender_effect"] > 0.1
    assert gate_of(for_programs.stderr)[-2] == "2 of 2 checks failed."
