"""scripts/audit, scripts/test and the versions they install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ["scripts/audit", "scripts/test", "scripts/docs", "scripts/lower-bounds", ".ci/run"]
PINS = dict(
    line.split("==")
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("script", [*SCRIPTS, "scripts/venv.sh"])
def test_a_script_is_valid_shell(script: str) -> None:
    done = subprocess.run(["sh", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_can_be_called(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)


def test_ci_runs_the_test_command() -> None:
    assert 'exec ./scripts/test "$@"' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_requirement_has_an_exact_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for requirements in project["project"]["optional-dependencies"].values():
        asked += requirements
    pinned = {canonical(name) for name in PINS}
    for requirement in asked:
        name = re.split(r"[<>=!~\[ ;]", requirement)[0]
        assert canonical(name) in pinned, requirement


def test_the_versions_are_exact_and_public() -> None:
    for name, version in PINS.items():
        assert re.fullmatch(r"[0-9][0-9a-z.]*", version), f"{name}=={version}"


def test_what_is_installed_here_is_what_the_file_says() -> None:
    wrong = []
    for name, version in PINS.items():
        try:
            found = metadata.version(name).partition("+")[0]
        except metadata.PackageNotFoundError:
            continue  # belongs to an extra that is not installed
        if found != version:
            wrong.append(f"{name}: {found} is installed, constraints.txt says {version}")
    assert wrong == []


STUB = """#!/bin/sh
# Stands for Python: answers the questions of venv.sh, logs what it was asked to install.
case "$*" in
*"-m venv"*)
    for last in "$@"; do :; done
    mkdir -p "$last/bin" && cp "$0" "$last/bin/python" && echo "venv" >>"$EEC_STUB_LOG" ;;
*"-m pip install"*) echo "pip" >>"$EEC_STUB_LOG" ;;
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
        (folder / "scripts" / "make").write_text(
            '#!/bin/sh\nset -eu\n. "$(dirname -- "$0")/venv.sh"\nmake_venv "$1"\nstay_inside\nprintf "%s" "$HF_HOME"\n'
        )
        self.python = folder / "stub python"
        self.python.write_text(STUB)
        self.python.chmod(0o755)
        self.log = folder / "log"

    def make(self, extras: str) -> list[str]:
        """Run make_venv and return what it did."""
        import sys

        self.log.write_text("")
        environment = dict(
            os.environ, EEC_PYTHON=str(self.python), EEC_STUB_LOG=str(self.log), EEC_REAL_PYTHON=sys.executable
        )
        done = subprocess.run(
            ["sh", str(self.root / "scripts" / "make"), extras],
            cwd="/", env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert Path(done.stdout).is_relative_to(self.root)
        return self.log.read_text().split()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "a clone with spaces")


def test_the_environment_is_made_once(clone: Clone) -> None:
    assert clone.make("demo,plot") == ["venv", "pip", "pip"]
    assert clone.make("demo,plot") == []


def test_other_extras_or_versions_are_installed_into_the_same_environment(clone: Clone) -> None:
    clone.make("demo,plot")
    assert clone.make("dev,demo,plot") == ["pip", "pip"]
    with (clone.root / "constraints.txt").open("a") as stream:
        stream.write("# changed\n")
    assert clone.make("dev,demo,plot") == ["pip", "pip"]
    assert clone.make("dev,demo,plot") == []


def test_an_environment_that_was_moved_is_made_anew(clone: Clone, tmp_path: Path) -> None:
    clone.make("demo,plot")
    moved = Clone.__new__(Clone)
    moved.root = tmp_path / "moved"
    clone.root.rename(moved.root)
    moved.python, moved.log = moved.root / "stub python", moved.root / "log"
    assert moved.make("demo,plot") == ["venv", "pip", "pip"]


def test_a_machine_without_python_is_told_so(clone: Clone) -> None:
    tools = clone.root / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/sh")
    script = clone.root / "scripts" / "make"
    done = subprocess.run(
        [str(tools / "sh"), str(script), "demo"], env={"PATH": str(tools)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"No Python 3.11 or later was found. Install one, or name it: EEC_PYTHON=/path/to/python3 {script}\n"
    )
