"""``--fail-if`` and ``--junit``: gates for continuous integration."""

import json
from pathlib import Path
from xml.etree import ElementTree

from commands import eec
from snapshots import Snapshot


def gate_of(output: str) -> str:
    """What stands below the heading, from the first check to the count of them."""
    return output.split("\nGate\n")[1]


def test_an_audit_fails_where_a_condition_holds_and_says_every_number(tmp_path: Path, snapshot: Snapshot) -> None:
    report = tmp_path / "a folder" / "gate.xml"
    audit = (
        "audit",
        "--system",
        "biased:female",
        "--config",
        "es-anglo-latino",
        "--no-report",
        "--overwrite",
        "--out",
        tmp_path,
    )
    said = []
    for code, *arguments in (
        (4, "--fail-if", "race.ci outside ±0.02", "--fail-if", "abs(gender.effect) > .5", "--fail-if", "gender.p < 1"),
        (0, "--fail-if", "race.ci outside [-0.01, 0.01]"),
        # A level of one corpus is skipped in the others.
        (0, "--config", "en-anglo-arab", "--fail-if", "race[Latino].effect > .1", "--junit", report),
    ):
        result = eec(*audit, *arguments)
        assert result.exit_code == code
        said.append(gate_of(result.output).replace(str(report), "REPORT"))
    snapshot.check("gate-of-audits", "\n".join(said))
    assert "Gate" not in eec(*audit).output
    root = ElementTree.parse(report).getroot()
    assert root.attrib == {"tests": "2", "failures": "0", "errors": "0", "skipped": "1"}


def test_scores_made_elsewhere_pass_the_same_gate(scores: Path, tmp_path: Path) -> None:
    report = tmp_path / "gate.xml"
    arguments = (
        "--config",
        "es-anglo-latino",
        "--fail-if",
        "gender.p_adjusted < .05",
        "--junit",
        report,
        "--overwrite",
    )
    result = eec("measure", scores, *arguments)
    assert result.exit_code == 4
    first, *_, count, written = gate_of(result.output).splitlines()
    assert first.startswith("FAIL  es-anglo-latino: gender.p_adjusted < .05: gender[female] (names) p_adjusted is ")
    assert (count, written) == ("2 of 2 checks failed.", f"Written: {report}")
    (case,) = ElementTree.parse(report).getroot().findall("testsuite/testcase")
    assert (case.get("classname"), case.get("name")) == ("es-anglo-latino", "gender.p_adjusted < .05")
    # What a program reads is kept apart from the verdicts.
    for_programs = eec("measure", scores, *arguments, "--format", "json")
    assert json.loads(for_programs.stdout)["gender_effect"] > 0.1
    assert "\n2 of 2 checks failed.\n" in gate_of(for_programs.stderr)
