"""The documents, the scripts and the pinned versions of a clone say what is so. tests/docs runs the examples."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml

import eec_bias
import eec_datasets

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "metrics/eec_bias/README.md"]
DOCUMENTS += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
MADE_FOR_THE_SITE = {"docs/cli.md", "docs/data-sheet.md"}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_within_the_repository_lead_somewhere(document):
    text = re.sub(r"^```.*?^```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)#]+)", text):
        if "://" not in target:
            place = ((ROOT / document).parent / target).resolve()
            assert place.exists() or place.relative_to(ROOT).as_posix() in MADE_FOR_THE_SITE, target


def test_the_readme_begins_with_the_picture_two_commands_that_exist_and_a_short_example():
    screen = README.splitlines()[:30]
    assert any(line.startswith("![") for line in screen)
    commands = [line.split()[0] for line in screen if line.startswith("./scripts/")]
    assert commands == ["./scripts/audit", "./scripts/test"]
    for command in re.findall(r"^\./(\S+)", README, flags=re.MULTILINE):
        assert (ROOT / command).is_file()
        assert (ROOT / command).stat().st_mode & 0o111
    first = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
    assert len(first.splitlines()) <= 10


def test_the_languages_of_the_readme_are_there_none_reviewed_by_a_native_speaker():
    found = eec_datasets.configs()
    assert {"en", "es", "ar"} <= {config.language for config in found}
    assert all("not reviewed by a native speaker" in config.review for config in found), "README.md says so"


def test_the_citation_file_is_yaml_names_both_papers_and_versions_agree():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cff)
    assert [paper["year"] for paper in cff["references"]] == [2018, 2022]
    assert PROJECT["project"]["version"] == cff["version"] == eec_datasets.__version__ == eec_bias.__version__


def test_no_document_calls_a_system_free_of_bias():
    # The page on how to talk lists these words as the ones to avoid.
    for path in (ROOT / name for name in DOCUMENTS if not name.endswith("talking-about-groups.md")):
        text = path.read_text(encoding="utf-8").casefold()
        assert [word for word in ("unbiased", "debias", "bias-free", "fair system") if word in text] == [], path


SCRIPTS = [
    "scripts/audit",
    "scripts/test",
    "scripts/lint",
    "scripts/docs",
    "scripts/dist",
    "scripts/lower-bounds",
    ".ci/run",
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REQUIRED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
EXTRAS = PROJECT["project"]["optional-dependencies"]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str, sign: str = "==") -> dict[str, str]:
    """Name → version of the lines of a constraints file with this sign."""
    lines = [line.split(sign) for line in text.splitlines() if sign in line and not line.startswith("#")]
    return {canonical(name): version for name, version in lines}


PINS = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("script", [*SCRIPTS, "scripts/venv.sh"])
def test_a_script_is_valid_shell_and_can_be_called(script):
    done = subprocess.run(["sh", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert os.access(ROOT / script, os.X_OK) or script == "scripts/venv.sh"


def test_ci_has_an_empty_package_cache_and_runs_tests_and_checks():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = ("./scripts/lower-bounds", "./scripts/test", "./scripts/lint")
    made, *later = (text.index(part) for part in ("PIP_CACHE_DIR=$(mktemp -d)", *commands))
    assert all(made < place for place in later)
    assert "trap 'rm -rf \"$PIP_CACHE_DIR\"' EXIT" in text


def test_every_requirement_has_an_exact_version_and_so_has_what_builds():
    # The harnesses have an environment of their own.
    apart = pins((ROOT / "constraints-harness.txt").read_text(encoding="utf-8"))
    for extra, asked in {"": REQUIRED, **EXTRAS}.items():
        names = {canonical(re.split(r"[<>=!~\[ ;]", requirement)[0]) for requirement in asked}
        assert names - set(apart if extra == "harness" else PINS) == set()
    assert {"setuptools", "wheel", "editables"} <= set(PINS)
    assert [version for version in PINS.values() if not re.fullmatch(r"[0-9][0-9a-z.]*", version)] == []


def test_what_is_installed_here_is_what_the_file_says():
    installed = {canonical(one.metadata["Name"]): one.version.partition("+")[0] for one in metadata.distributions()}
    differ = {name: (installed[name], PINS[name]) for name in PINS if installed.get(name, PINS[name]) != PINS[name]}
    assert differ == {}


def test_the_oldest_versions_are_those_of_the_project_and_nothing_is_newer_than_tested():
    command = [sys.executable, str(ROOT / "scripts" / "lower_bounds.py"), "plot", "demo"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    asked = [*REQUIRED, *EXTRAS["plot"], *EXTRAS["demo"]]
    assert pins(text) == pins("\n".join(asked), ">=")
    assert pins(text, "<=") == {name: version for name, version in PINS.items() if name not in pins(text)}


STUB = """#!/bin/sh
# Stands for Python: answers the questions of venv.sh, logs what it was asked to install.
case "$*" in
*"-m venv"*)
    for last in "$@"; do :; done
    mkdir -p "$last/bin" && cp "$0" "$last/bin/python" && echo "venv" >>"$EEC_STUB_LOG" ;;
*"-m pip install"*"hatchling editables setuptools wheel") echo "tools" >>"$EEC_STUB_LOG" ;;
*"-m pip install"*"--no-build-isolation"*) echo "project" >>"$EEC_STUB_LOG" ;;
"- "*) exec "$EEC_REAL_PYTHON" "$@" ;;
*) exit 0 ;;
esac
"""


class Clone:
    """A copy of the scripts in a folder with spaces, with a Python that installs nothing."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        (folder / "scripts").mkdir(parents=True)
        for name in ("scripts/venv.sh", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, folder / name)
        self.write(
            "make",
            '#!/bin/sh\nset -eu\n. "$(dirname -- "$0")/venv.sh"\nmake_venv "$1"\nstay_inside\nprintf "%s" "$HF_HOME"\n',
        )
        self.write("python", STUB)

    def write(self, name: str, text: str) -> None:
        (self.root / "scripts" / name).write_text(text)
        (self.root / "scripts" / name).chmod(0o755)

    def make(self, extras: str) -> list[str]:
        """Run make_venv and return what it did."""
        scripts, log = self.root / "scripts", self.root / "log"
        log.write_text("")
        own = {"EEC_PYTHON": str(scripts / "python"), "EEC_STUB_LOG": str(log), "EEC_REAL_PYTHON": sys.executable}
        done = subprocess.run(
            [str(scripts / "make"), extras], cwd="/", env=os.environ | own, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert Path(done.stdout).is_relative_to(self.root)
        return log.read_text().split()


@pytest.fixture
def clone(tmp_path):
    return Clone(tmp_path / "a clone with spaces")


def test_the_environment_is_made_once_and_again_where_it_must_be(clone, tmp_path):
    assert clone.make("demo,plot") == ["venv", "tools", "project"]
    assert clone.make("demo,plot") == []
    assert clone.make("dev,demo,plot") == ["tools", "project"]
    with (clone.root / "constraints.txt").open("a") as stream:
        stream.write("# changed\n")
    assert clone.make("dev,demo,plot") == ["tools", "project"]
    assert clone.make("dev,demo,plot") == []
    clone.root = clone.root.rename(tmp_path / "moved")
    assert clone.make("dev,demo,plot") == ["venv", "tools", "project"]


def test_a_machine_without_python_is_told_so(clone):
    tools = clone.root / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/sh")
    command = [str(tools / "sh"), str(clone.root / "scripts" / "make"), "demo"]
    done = subprocess.run(command, env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.match(r"No Python 3\.11 or later was found\. .*EEC_PYTHON=/path/to/python3 .*/make\n", done.stderr)
