"""Commands with all that each writes and reads, in a folder of its own."""

import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result
from commands import eec
from languages import few, languages


class Command(NamedTuple):
    """A command line and what it writes: files, or a folder with its manifest."""

    line: str
    files: tuple[str, ...] = ()
    folder: str = ""


PERTURB = "perturb texts.txt --locale en --names names.txt --out"
COMMANDS = {
    "build": Command("build --out eec --config tr-gender", folder="eec"),
    "audit": Command("audit --system random:0 --config tr-gender --out audit", folder="audit"),
    "audit by rating": Command("audit --system random:0 --method rating --out rating", folder="rating"),
    "measure": Command("measure scores.csv --config tr-gender --out measured", folder="measured"),
    "report": Command("report result.json --out made --format html --format md", folder="made"),
    "task": Command("task inspect --config en-gender --out task", folder="task"),
    "perturb": Command(f"{PERTURB} rows.parquet", ("rows.parquet", "rows.parquet.report.json")),
    "perturb as CSV": Command(f"{PERTURB} rows.csv", ("rows.csv", "rows.csv.report.json")),
    "sentences": Command("sentences en-black-white --confounded 1 --out sets.csv", ("sets.csv",)),
    "locale preview": Command("locale preview hi --html page.html", ("page.html",)),
}


def prepare(folder: Path) -> None:
    """Write what the commands read."""
    (folder / "texts.txt").write_text("He left.\nShe lost her keys.\nHe said that he was late.\n" * 20)
    (folder / "names.txt").write_text("Ann,female\nBob,male\n")
    done = run(f"audit --system random:0 --config tr-gender --no-report --out '{folder / 'audit'}'")
    assert done.exit_code == 0, done.output
    shutil.move(folder / "audit" / "scores" / "random-0" / "tr-gender.csv", folder / "scores.csv")
    shutil.move(folder / "audit" / "result.json", folder)
    shutil.rmtree(folder / "audit")


def run(line: str) -> Result:
    """Run a command in the folder that one stands in."""
    return eec(*shlex.split(line))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="session")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Languages with few sentences or names."""
    folder = few(tmp_path_factory.mktemp("few") / "locales", "hi", "tr")
    languages(folder, "en")
    (folder / "en" / "names.csv").unlink()
    return folder


@pytest.fixture(scope="session")
def ready(locales: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ready")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EEC_LOCALES", str(locales))
        prepare(folder)
    return folder


@pytest.fixture
def desk(ready: Path, locales: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to stand in."""
    folder = tmp_path / "desk"
    shutil.copytree(ready, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EEC_LOCALES", str(locales))
    return folder
