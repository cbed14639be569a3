"""The documents say what is so: their examples run, their links lead somewhere, their numbers hold."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def run(code: str, folder: Path, home: Path) -> str:
    import os

    environment = dict(os.environ, HF_HOME=str(home), HF_HUB_OFFLINE="1")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_of_the_readme_runs_and_prints_a_result(tmp_path: Path) -> None:
    pytest.importorskip("vaderSentiment", reason="needs the extra demo (vaderSentiment)")
    code = EXAMPLES[0]
    assert len(code.splitlines()) <= 10
    output = run(code + "print(frame.shape[0])", tmp_path, tmp_path / "home")
    assert "|data:en-black-white@" in output
    assert output.splitlines()[-1] == "4"


def test_the_loop_of_the_readme_runs_on_a_built_folder(tmp_path: Path) -> None:
    from eec_datasets import release

    release.build(tmp_path / "build" / "eec", configs=["es-anglo-latino"])
    (tmp_path / "metrics").symlink_to(ROOT / "metrics")
    output = run(EXAMPLES[1], tmp_path, tmp_path / "home")
    assert "gender" in output
    assert "eec_bias|v:" in output


@pytest.mark.parametrize("document", ["README.md", "docs/reading-a-result.md", "CHANGELOG.md"])
def test_links_within_the_repository_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        if "://" not in target:
            assert ((ROOT / document).parent / target).exists(), target


def test_the_commands_of_the_readme_exist() -> None:
    for command in re.findall(r"^\./(\S+)", README, flags=re.MULTILINE):
        path = ROOT / command
        assert path.is_file()
        assert path.stat().st_mode & 0o111


def test_the_languages_of_the_readme_are_there() -> None:
    import eec_datasets

    found = eec_datasets.configs()
    assert {"en", "es", "ar"} <= {config.language for config in found}
    unreviewed = {config.review for config in found}
    assert all("not reviewed by a native speaker" in review for review in unreviewed), "README.md says so under Limits"


def test_the_citation_file_is_yaml_and_names_both_papers() -> None:
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cff)
    assert [paper["year"] for paper in cff["references"]] == [2018, 2022]


def test_versions_agree() -> None:
    import tomllib

    import eec_bias

    import eec_datasets

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert project["version"] == cff["version"] == eec_datasets.__version__ == eec_bias.__version__


def test_no_document_calls_a_system_free_of_bias() -> None:
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        if path.name == "talking-about-groups.md":  # lists these words as the ones to avoid
            continue
        text = path.read_text(encoding="utf-8").casefold()
        for word in ("unbiased", "debias", "bias-free", "fair system"):
            assert word not in text, (path, word)
