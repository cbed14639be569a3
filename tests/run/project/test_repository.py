"""The files that a forge reads: workflows, forms, hooks, and what keeps a tag from being a release.

They cannot run here. Their syntax was validated by actionlint, ``check-jsonschema`` (schemas of workflows, issue forms
and dependabot) and ``pre-commit validate-config``.
"""

import importlib.util
import os
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from places import ROOT

import eec_datasets

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = [path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"]
YAML = [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"]


def parsed(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(workflow: Path) -> list[dict[str, Any]]:
    """The steps of all jobs of a workflow; a job that calls another workflow is one step."""
    return [step for job in parsed(workflow)["jobs"].values() for step in job.get("steps", [job])]


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_a_file_of_the_forge_is_yaml(path: Path) -> None:
    assert isinstance(parsed(path), dict)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_only_files_that_exist(workflow: Path) -> None:
    called = [name for step in steps(workflow) for name in re.findall(r"(?:^|\s)\./(\S+)", step.get("run", ""))]
    called += [step["uses"].removeprefix("./") for step in steps(workflow) if step.get("uses", "").startswith("./")]
    assert called
    assert [name for name in called if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_only_scripts_that_can_be_executed(workflow: Path) -> None:
    scripts = [name for step in steps(workflow) for name in re.findall(r"(?:^|\s)\./(\S+)", step.get("run", ""))]
    assert [name for name in scripts if not os.access(ROOT / name, os.X_OK)] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_write_nothing_unless_a_job_says_so(workflow: Path) -> None:
    assert parsed(workflow)["permissions"] == {"contents": "read"}


def test_tests_run_on_the_oldest_and_the_newest_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line]
    matrix = parsed(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.14"]
    assert [project["requires-python"].removeprefix(">="), named[-1]] == ["3.11", "3.14"]


def test_a_release_is_published_only_after_the_tests() -> None:
    jobs = parsed(ROOT / ".github/workflows/release.yml")["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert [jobs["build"]["needs"], jobs["publish"]["needs"]] == ["test", "build"]


def test_a_release_is_published_without_a_token() -> None:
    (workflow,) = [path for path in WORKFLOWS if path.name == "release.yml"]
    assert "secrets" not in workflow.read_text(encoding="utf-8")
    publishing = parsed(workflow)["jobs"]["publish"]
    assert publishing["permissions"] == {"id-token": "write"}
    assert publishing["environment"]["name"] == "pypi"


def test_the_hooks_run_what_ci_runs() -> None:
    (own,) = parsed(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [hook["entry"] for hook in own["hooks"]] == ["scripts/lint", ".venv/bin/eec locale check --no-notes"]
    assert "./scripts/lint" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_every_question_of_a_form_has_an_id_of_its_own(form: Path) -> None:
    ids = [part["id"] for part in parsed(form)["body"] if part["type"] != "markdown"]
    assert len(ids) == len(set(ids)) >= 4


def test_there_is_a_form_for_a_sentence_a_language_and_a_bug() -> None:
    assert [form.stem for form in FORMS] == ["bug", "judge-sentences", "new-language", "wrong-sentence"]


def load(script: str) -> ModuleType:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(Path(script).stem, ROOT / script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = load("scripts/release_check.py")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the files that hold the version, at 0.2.0."""
    for name in ("pyproject.toml", "CHANGELOG.md", *CHECK.VERSIONS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8").replace(eec_datasets.__version__, "0.2.0")
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_tag_that_all_files_agree_with_can_be_released(clone: Path) -> None:
    assert CHECK.obstacles("v0.2.0", clone) == []


def test_a_tag_of_another_version_names_each_file_that_differs(clone: Path) -> None:
    found = CHECK.obstacles("v0.3.0", clone)
    assert [sentence.split()[0] for sentence in found] == ["pyproject.toml", *CHECK.VERSIONS, "CHANGELOG.md"]
    assert found[0] == 'pyproject.toml has the version 0.2.0, the tag is v0.3.0. Write version = "0.3.0".'


def test_a_release_without_a_line_in_the_changelog_is_refused(clone: Path) -> None:
    (clone / "CHANGELOG.md").write_text("# Changelog\n\n## [0.2.0] - 2026-12-01\n\n## [0.1.0] - 2026-11-24\n\n- All.\n")
    assert CHECK.obstacles("v0.2.0", clone) == [
        "CHANGELOG.md names no change under [0.2.0]. Write what a user notices, a line each."
    ]


@pytest.mark.parametrize("tag", ["0.2.0", "v0.2", "v0.2.0rc1", "main", ""])
def test_a_tag_of_another_form_is_refused(tag: str, clone: Path) -> None:
    assert CHECK.obstacles(tag, clone) == [f"The tag is {tag!r}. A release of the package has a tag such as v0.2.0."]


def test_the_steps_of_a_release_name_every_file_with_the_version() -> None:
    steps = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    assert [name for name in ("pyproject.toml", *CHECK.VERSIONS) if f"`{name}`" not in steps] == []


def test_the_changelog_has_room_for_what_comes_next() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert headings[-1] == "[0.1.0] - 2026-11-24"


COSTLY = ("commands", "forking", "loopback", "serving_models", "subprocess")
"""Modules that run commands, other processes or servers."""


def test_a_unit_test_needs_values_only() -> None:
    found = []
    for path in (ROOT / "tests" / "unit").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named = re.findall(
            r"^(?:from|import) ([\w.]+)|\b(eec_datasets\.(?:load|confounded)|corpora\.(?:table|render))\(", text, re.M
        )
        found += [f"{path.name}: {name or call}" for name, call in named if call or name in COSTLY]
    assert found == []


def test_editors_keep_files_with_mistakes_as_they_are() -> None:
    text = (ROOT / ".editorconfig").read_text(encoding="utf-8")
    assert (ROOT / "tests" / "checks" / "bad").is_dir()
    assert "[tests/{checks/bad,run/contribute/constructed}/**]\ncharset = unset\n" in text
