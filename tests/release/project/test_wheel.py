"""The built wheel, installed alone, away from the source tree."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from places import ROOT


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory):
    """An environment that has the wheel, and the libraries of this one, but not the source tree."""
    home = tmp_path_factory.mktemp("else where") / "env"
    venv.create(home, with_pip=False, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    # A path in a .pth file is searched, but .pth files in it are not read: so the editable install stays out.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    command = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "-q"]
    command += ["--disable-pip-version-check", "--no-compile", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return home


def run(home: Path, folder: Path, *command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    program, *arguments = command
    called = [str(home / "bin" / program), *arguments]
    done = subprocess.run(called, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def names(wheel):
    """The files in the wheel."""
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_the_files_of_both_packages_alone(names):
    parts = (("eec_datasets", "eec_datasets"), ("metrics/eec_bias", "eec_bias"), ("locales", "eec_datasets/locales"))
    files = {
        f"{inside}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, inside in parts
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == files
    assert {"eec_datasets/py.typed", "eec_bias/py.typed", "eec_datasets/report/page.html.j2"} < files


def test_the_wheel_holds_nothing_that_is_made(names):
    assert not [name for name in names if name.endswith((".pyc", ".parquet"))]


def test_the_wheel_holds_both_licences(names):
    licences = [name for name in names if ".dist-info/licenses/" in name]
    assert {name.partition("/licenses/")[2] for name in licences} == {"LICENSE", "locales/LICENSE"}


def test_the_installed_command_audits(elsewhere, tmp_path):
    command = ["eec", "audit", "--system", "biased:female", "--config", "tr-gender", "--out", "my audit"]
    output = run(elsewhere, tmp_path, *command)
    gap = "gives the label “1” to 100 of 100 sentences with women’s first names, and to 0 with men’s first names"
    assert gap in " ".join(output.split())
    assert (tmp_path / "my audit" / "report.html").is_file()


def test_the_installed_packages_measure(elsewhere, tmp_path):
    code = (
        "import eec_datasets, eec_bias\n"
        "ds = eec_datasets.load('tr-gender')\n"
        "scores = [float(gender == 'female') for gender in ds['gender']]\n"
        "print(eec_datasets.__file__, eec_bias.__file__, sep='\\n')\n"
        "print(eec_bias.measure(scores, ds).to_dict()['gender_effect'])\n"
    )
    *paths, effect = run(elsewhere, tmp_path, "python", "-c", code).splitlines()
    assert all(Path(path).is_relative_to(elsewhere) for path in paths)
    assert (len(paths), effect) == (2, "1.0")
