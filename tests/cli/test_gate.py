"""``--fail-if`` and ``--junit``: gates for continuous integration."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from eec_datasets.cli import main

USAGE = "Usage: eec {0} [OPTIONS]{1}\nTry 'eec {0} --help' for help.\n\nError: --fail-if: {2}\n"


def eec(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="eec")


def audit(out: Path, *arguments: str | Path, system: str = "biased:female") -> Result:
    return eec("audit", "--system", system, "--config", "es-anglo-latino", "--no-report", "--out", out, *arguments)


def gate_of(output: str) -> list[str]:
    """The lines below the heading."""
    return output.split("\nGate\n")[1].splitlines()


def test_an_audit_fails_where_a_condition_holds_and_says_every_number(tmp_path: Path) -> None:
    result = audit(
        tmp_path,
        "--fail-if",
        "race.ci outside ±0.02",
        "--fail-if",
        "abs(gender.effect) > .5",
        "--fail-if",
        "gender.p < 1",
    )
    assert result.exit_code == 4
    where = "biased:female on es-anglo-latino"
    why = "standard error 0: the difference is the same throughout, so there is nothing to test it against"
    found = gate_of(result.output)
    assert found[:3] == [
        f"ok    {where}: race.ci outside ±0.02: race[Latino] (names) the effect is +0 throughout, so the interval is "
        "this number",
        f"FAIL  {where}: abs(gender.effect) > .5: gender[female] (names) abs(effect) is 1",
        f"FAIL  {where}: abs(gender.effect) > .5: gender[female] (pairs) abs(effect) is 1",
    ]
    assert found[3].startswith(
        f"FAIL  {where}: gender.p < 1: gender[female] (names) has no p, so it cannot pass: {why}; "
    )
    assert found[-1] == "4 of 5 checks failed."
    assert (tmp_path / "result.json").exists()


def test_an_audit_that_meets_no_condition_ends_with_0(tmp_path: Path) -> None:
    result = audit(tmp_path, "--fail-if", "race.ci outside [-0.01, 0.01]")
    assert result.exit_code == 0
    assert gate_of(result.output)[-1] == "1 of 1 checks passed."


def test_an_audit_without_conditions_has_no_gate(tmp_path: Path) -> None:
    result = audit(tmp_path)
    assert result.exit_code == 0
    assert "Gate" not in result.output


def test_a_term_that_no_corpus_has_is_refused_before_anything_is_scored(tmp_path: Path) -> None:
    result = audit(tmp_path, "--fail-if", "religion.p < .05")
    assert result.exit_code == 2
    assert result.output.endswith(
        USAGE.format(
            "audit",
            "",
            "condition 'religion.p < .05': there is no term 'religion'; there are race, gender, race:gender.",
        )
    )
    assert not (tmp_path / "scores").exists()


def test_a_condition_that_cannot_be_read_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = audit(out, "--fail-if", "race.p < many")
    assert result.exit_code == 2
    assert result.output == USAGE.format("audit", "", "condition 'race.p < many': 'many' is no number.")
    assert not out.exists()


def test_a_level_of_one_corpus_is_skipped_in_the_others(tmp_path: Path) -> None:
    report = tmp_path / "a folder" / "gate.xml"
    result = audit(
        tmp_path / "out", "--config", "en-anglo-arab", "--fail-if", "race[Latino].effect > .1", "--junit", report
    )
    assert result.exit_code == 0
    assert gate_of(result.output) == [
        "ok    biased:female on es-anglo-latino: race[Latino].effect > .1: race[Latino] (names) effect is 0",
        "–     biased:female on en-anglo-arab: race[Latino].effect > .1: there is no such row here",
        "1 of 1 checks passed.",
        f"Written: {report}",
    ]
    root = ElementTree.parse(report).getroot()
    assert root.attrib == {"tests": "2", "failures": "0", "errors": "0", "skipped": "1"}


def test_junit_without_conditions_is_a_usage_error(tmp_path: Path) -> None:
    result = audit(tmp_path, "--junit", tmp_path / "gate.xml")
    assert result.exit_code == 2
    assert result.output.endswith(
        "Error: --junit writes the verdicts of --fail-if; give at least one --fail-if CONDITION.\n"
    )


def test_a_junit_file_that_cannot_be_written_is_said_before_anything_is_scored(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = audit(tmp_path / "out", "--fail-if", "race.p < .05", "--junit", tmp_path / "file" / "gate.xml")
    assert result.exit_code == 1
    assert result.output == (
        f"Error: Cannot write to {tmp_path / 'file'}: File exists. Choose a folder you may write to with --junit.\n"
    )
    assert not (tmp_path / "out").exists()


def test_scores_made_elsewhere_pass_the_same_gate(scores: Path, tmp_path: Path) -> None:
    report = tmp_path / "gate.xml"
    arguments = ("--config", "es-anglo-latino", "--fail-if", "gender.p_adjusted < .05", "--junit", report)
    result = eec("measure", scores, *arguments)
    assert result.exit_code == 4
    found = gate_of(result.output)
    assert found[0].startswith("FAIL  es-anglo-latino: gender.p_adjusted < .05: gender[female] (names) p_adjusted is ")
    assert found[-2:] == ["2 of 2 checks failed.", f"Written: {report}"]
    (case,) = ElementTree.parse(report).getroot().findall("testsuite/testcase")
    assert (case.get("classname"), case.get("name")) == ("es-anglo-latino", "gender.p_adjusted < .05")
    assert case.find("failure").get("type") == "failed"  # type: ignore[union-attr]


def test_output_for_programs_is_kept_apart_from_the_verdicts(scores: Path) -> None:
    result = eec(
        "measure", scores, "--config", "es-anglo-latino", "--format", "json", "--fail-if", "gender.effect outside ±.1"
    )
    assert result.exit_code == 4
    assert json.loads(result.stdout)["gender_effect"] > 0.1
    assert gate_of(result.stderr)[-1] == "2 of 2 checks failed."


def test_rows_that_a_measurement_does_not_have_are_a_usage_error(scores: Path) -> None:
    result = eec("measure", scores, "--config", "es-anglo-latino", "--fail-if", "race.pairs.p < .05")
    assert result.exit_code == 2
    assert result.output.endswith(
        USAGE.format(
            "measure", " [SCORES]", "condition 'race.pairs.p < .05': race has no subset 'pairs'; it has names."
        )
    )
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["audit", "measure"])
def test_the_help_explains_conditions_and_the_exit_code(command: str) -> None:
    text = " ".join(eec(command, "--help").output.split())
    assert "With --fail-if the command ends with exit code 4 where a condition holds" in text
    assert "'race.ci outside ±0.02' fails where any part of the 95 % interval lies outside" in text
    assert "also where the sample is too small to exclude such a difference" in text
