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
from places import ROOT

import eec_bias
import eec_datasets

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


SCREEN = README.splitlines()[:30]
"""Lines of the README that a visitor of the repository sees first."""


def test_the_readme_begins_with_the_picture():
    assert any(line.startswith("![") for line in SCREEN)


def test_the_readme_begins_with_two_commands():
    commands = [line.split()[0] for line in SCREEN if line.startswith("./scripts/")]
    assert commands == ["./scripts/audit", "./scripts/test"]


def test_the_commands_of_the_readme_can_be_run():
    for command in re.findall(r"^\./(\S+)", README, flags=re.MULTILINE):
        assert os.access(ROOT / command, os.X_OK), command


def test_the_first_example_of_the_readme_is_short():
    first = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
    assert len(first.splitlines()) <= 10


def test_the_languages_of_the_readme_are_there():
    assert {"en", "es", "ar"} <= {config.language for config in eec_datasets.configs()}


def test_no_language_is_reviewed_by_a_native_speaker_as_the_readme_says():
    reviewed = [each for each in eec_datasets.configs() if "not reviewed by a native speaker" not in each.review]
    assert reviewed == []


CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_file_has_what_readers_of_it_need():
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)


def test_the_citation_file_names_both_papers():
    assert [paper["year"] for paper in CITATION["references"]] == [2018, 2022]


def test_the_version_is_the_same_everywhere():
    versions = {PROJECT["project"]["version"], CITATION["version"], eec_datasets.__version__, eec_bias.__version__}
    assert len(versions) == 1


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
    "scripts/dependencies",
    ".ci/run",
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REQUIRED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
EXTRAS = PROJECT["project"]["optional-dependencies"]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str, sign: str = "==") -> dict[str, str]:
    """Name → version of the lines of a constraints file with this sign."""
    # What follows on a semicolon says on which machines; the version is the same.
    plain = [line.partition(";")[0] for line in text.splitlines() if not line.startswith("#")]
    lines = [line.strip().split(sign) for line in plain if sign in line]
    return {canonical(name): version for name, version in lines}


PINS = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("script", [*SCRIPTS, "scripts/venv.sh"])
def test_a_script_is_valid_shell(script):
    done = subprocess.run(["sh", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_can_be_called(script):
    assert os.access(ROOT / script, os.X_OK)


CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["./scripts/lower-bounds", "./scripts/test", "./scripts/lint"])
def test_ci_runs_a_script_with_an_empty_package_cache(command):
    assert CI.index("PIP_CACHE_DIR=$(mktemp -d)") < CI.index(command)


def test_ci_leaves_no_package_cache():
    assert "trap 'rm -rf \"$PIP_CACHE_DIR\"' EXIT" in CI


def test_every_requirement_has_an_exact_version():
    # The harnesses have an environment of their own.
    apart = pins((ROOT / "constraints-harness.txt").read_text(encoding="utf-8"))
    for extra, asked in {"": REQUIRED, **EXTRAS}.items():
        names = {canonical(re.split(r"[<>=!~\[ ;]", requirement)[0]) for requirement in asked}
        assert names - set(apart if extra == "harness" else PINS) == set()
    assert [version for version in PINS.values() if not re.fullmatch(r"[0-9][0-9a-z.]*", version)] == []


def test_what_builds_has_an_exact_version():
    assert {"hatchling", "setuptools", "wheel", "editables"} <= set(PINS)


def test_what_is_installed_here_is_what_the_file_says():
    installed = {canonical(one.metadata["Name"]): one.version.partition("+")[0] for one in metadata.distributions()}
    differ = {name: (installed[name], PINS[name]) for name in PINS if installed.get(name, PINS[name]) != PINS[name]}
    assert differ == {}


@pytest.fixture(scope="module")
def oldest():
    """The versions that scripts/lower-bounds installs."""
    command = [sys.executable, str(ROOT / "scripts" / "lower_bounds.py"), "plot", "demo"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_oldest_versions_are_those_of_the_project(oldest):
    asked = [*REQUIRED, *EXTRAS["plot"], *EXTRAS["demo"]]
    assert pins(oldest) == pins("\n".join(asked), ">=")


def test_nothing_beside_the_oldest_versions_is_newer_than_tested(oldest):
    assert pins(oldest, "<=") == {name: version for name, version in PINS.items() if name not in pins(oldest)}


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


def test_the_environment_is_made_once(clone):
    assert clone.make("demo,plot") == ["venv", "tools", "project"]
    assert clone.make("demo,plot") == []


def test_other_extras_are_installed_into_the_environment(clone):
    clone.make("demo,plot")
    assert clone.make("dev,demo,plot") == ["tools", "project"]


def test_other_versions_are_installed_into_the_environment(clone):
    clone.make("demo,plot")
    with (clone.root / "constraints.txt").open("a") as stream:
        stream.write("# changed\n")
    assert clone.make("demo,plot") == ["tools", "project"]
    assert clone.make("demo,plot") == []


def test_an_environment_in_a_clone_that_was_moved_is_made_anew(clone, tmp_path):
    clone.make("demo,plot")
    clone.root = clone.root.rename(tmp_path / "moved")
    assert clone.make("demo,plot") == ["venv", "tools", "project"]


def test_a_machine_without_python_is_told_so(clone):
    tools = clone.root / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/sh")
    command = [str(tools / "sh"), str(clone.root / "scripts" / "make"), "demo"]
    done = subprocess.run(command, env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.match(r"No Python 3\.11 or later was found\. .*EEC_PYTHON=/path/to/python3 .*/make\n", done.stderr)
