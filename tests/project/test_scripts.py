"""The scripts of a clone, the versions they install, and the oldest versions that the project admits."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ["scripts/audit", "scripts/test", "scripts/docs", "scripts/lower-bounds", ".ci/run"]
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
def test_a_script_is_valid_shell_and_can_be_called(script: str) -> None:
    done = subprocess.run(["sh", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert os.access(ROOT / script, os.X_OK) or script == "scripts/venv.sh"


def test_ci_has_an_empty_package_cache_and_runs_both_commands() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    made, *later = (
        text.index(part) for part in ("PIP_CACHE_DIR=$(mktemp -d)", "./scripts/lower-bounds", "./scripts/test")
    )
    assert all(made < place for place in later)
    assert "trap 'rm -rf \"$PIP_CACHE_DIR\"' EXIT" in text


def test_every_requirement_has_an_exact_version_and_so_has_what_builds() -> None:
    # The harnesses have an environment of their own.
    apart = pins((ROOT / "constraints-harness.txt").read_text(encoding="utf-8"))
    for extra, asked in {"": REQUIRED, **EXTRAS}.items():
        names = {canonical(re.split(r"[<>=!~\[ ;]", requirement)[0]) for requirement in asked}
        assert names - set(apart if extra == "harness" else PINS) == set()
    assert {"setuptools", "wheel", "editables"} <= set(PINS)
    assert [version for version in PINS.values() if not re.fullmatch(r"[0-9][0-9a-z.]*", version)] == []


def test_what_is_installed_here_is_what_the_file_says() -> None:
    installed = {canonical(one.metadata["Name"]): one.version.partition("+")[0] for one in metadata.distributions()}
    differ = {name: (installed[name], PINS[name]) for name in PINS if installed.get(name, PINS[name]) != PINS[name]}
    assert differ == {}


def test_the_oldest_versions_are_those_of_the_project_and_nothing_is_newer_than_tested() -> None:
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
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "a clone with spaces")


def test_the_environment_is_made_once_and_again_where_it_must_be(clone: Clone, tmp_path: Path) -> None:
    assert clone.make("demo,plot") == ["venv", "tools", "project"]
    assert clone.make("demo,plot") == []
    assert clone.make("dev,demo,plot") == ["tools", "project"]
    with (clone.root / "constraints.txt").open("a") as stream:
        stream.write("# changed\n")
    assert clone.make("dev,demo,plot") == ["tools", "project"]
    assert clone.make("dev,demo,plot") == []
    clone.root = clone.root.rename(tmp_path / "moved")
    assert clone.make("dev,demo,plot") == ["venv", "tools", "project"]


def test_a_machine_without_python_is_told_so(clone: Clone) -> None:
    tools = clone.root / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/sh")
    command = [str(tools / "sh"), str(clone.root / "scripts" / "make"), "demo"]
    done = subprocess.run(command, env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.match(r"No Python 3\.11 or later was found\. .*EEC_PYTHON=/path/to/python3 .*/make\n", done.stderr)
