"""What every command writes, and what it reads, in a folder of its own."""

import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result
from commands import eec
from languages import few, languages

from eec_datasets.files import REGISTER


class Command(NamedTuple):
    """A command line and the files that it replaces; the exit code where it ends well."""

    line: str
    outputs: tuple[str, ...]
    code: int = 0


PERTURB = "perturb texts.txt --locale en --names names.txt --out"
COMMANDS = {
    "build": Command(
        "build --out eec --config tr-gender",
        tuple(f"eec/{n}" for n in ("README.md", "manifest.json", "croissant.json", "tr-gender/test.parquet")),
    ),
    "audit": Command(
        "audit --system random:0 --config tr-gender --out audit",
        (
            "audit/scores/random-0/tr-gender.csv",
            *(f"audit/{n}" for n in ("report.html", "report.md", "terms.csv", "result.json")),
        ),
    ),
    "audit by rating": Command(
        "audit --system random:0 --method rating --out rating",
        tuple(f"rating/{n}" for n in ("result.json", "terms.csv", "report.html", "report.md", "tables.tex")),
    ),
    "report": Command(
        "report result.json --out made --format html --format md",
        tuple(f"made/{n}" for n in ("report.html", "report.md", "terms.csv")),
    ),
    "perturb": Command(f"{PERTURB} rows.parquet", ("rows.parquet", "rows.parquet.report.json")),
    "perturb as CSV": Command(f"{PERTURB} rows.csv", ("rows.csv", "rows.csv.report.json")),
    "sentences": Command("sentences en-black-white --confounded 1 --out sets.csv", ("sets.csv",)),
    "locale preview": Command("locale preview hi --html page.html", ("page.html",)),
}  # fmt: skip


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
    """Every file by its path, but for the registers and the files of locks."""
    own = [path for path in folder.rglob("*") if path.name == REGISTER or path.name.endswith(".lock")]
    files = [path for path in folder.rglob("*") if path.is_file() and path not in own]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


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
