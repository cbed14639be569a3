"""The documents say what is so: their links lead somewhere, their numbers hold. tests/docs runs their examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CHANGELOG.md", "metrics/eec_bias/README.md"]
DOCUMENTS += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
MADE_FOR_THE_SITE = {"docs/cli.md", "docs/data-sheet.md"}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_within_the_repository_lead_somewhere(document: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)#]+)", text):
        if "://" not in target:
            place = ((ROOT / document).parent / target).resolve()
            assert place.exists() or place.relative_to(ROOT).as_posix() in MADE_FOR_THE_SITE, target


def test_the_first_example_of_the_readme_is_short() -> None:
    first = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
    assert len(first.splitlines()) <= 10


def test_the_first_screen_of_the_readme_has_the_picture_and_the_two_commands() -> None:
    screen = README.splitlines()[:30]
    assert any(line.startswith("![") for line in screen)
    assert [line.split()[0] for line in screen if line.startswith("./scripts/")] == [
        "./scripts/audit",
        "./scripts/test",
    ]


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
    for path in (ROOT / document for document in DOCUMENTS):
        if path.name == "talking-about-groups.md":  # lists these words as the ones to avoid
            continue
        text = path.read_text(encoding="utf-8").casefold()
        for word in ("unbiased", "debias", "bias-free", "fair system"):
            assert word not in text, (path, word)
