"""Every mistake of ``tests/locales/bad`` is told by exactly the message beside it.

A case is a folder that holds the files it changes of the locale in ``tests/locales/base`` (``missing.txt`` names one
that it takes away), and in ``expected.txt`` the whole report.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from eec_datasets.checks import check
from eec_datasets.cli import main
from eec_datasets.errors import LocaleError
from eec_datasets.locale.reading import load_locale, read_locale

HERE = Path(__file__).parent
CASES = sorted(path.name for path in (HERE / "bad").iterdir())
OWN = ("expected.txt", "missing.txt")
BESIDE = ("axes.toml",)


def made(case: str, root: Path) -> Path:
    """The base locale with the files of a case laid over it."""
    shutil.copytree(HERE / "base", root)
    for path in (HERE / "bad" / case).iterdir():
        if path.name == "missing.txt":
            (root / "gl" / path.read_text(encoding="utf-8").strip()).unlink()
        elif path.name not in OWN:
            shutil.copy(path, root / path.name if path.name in BESIDE else root / "gl" / path.name)
    return root / "gl"


def test_the_base_locale_is_without_a_finding():
    assert len(CASES) >= 100
    assert str(check(HERE / "base" / "gl")) == "gl: nothing found"


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_told_exactly_and_nothing_is_touched_or_loaded(case, tmp_path):
    folder = made(case, tmp_path / "locales")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert str(check(folder)) == (HERE / "bad" / case / "expected.txt").read_text(encoding="utf-8").rstrip("\n")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    _, problems = read_locale(folder)
    if problems:
        with pytest.raises(LocaleError) as caught:
            load_locale("gl", folder.parent)
        assert caught.value.problems == tuple(problems)
    else:
        assert load_locale("gl", folder.parent).tag == "gl"


ENOUGH = """\
judy,names,name,,female,Anglo,f,Judy,,Judy,added,constructed,,,,
paul,names,name,,male,Anglo,m,Paul,,Paul,added,constructed,,,,
dora,names,name,,female,Latino,f,Dora,,Dora,added,constructed,,,,
luis,names,name,,male,Latino,m,Luis,,Luis,added,constructed,,,,
"""
"""A second name for each cell, without which an audit refuses the config."""

COMMANDS = (
    ("everything-at-once", ["gl"]),
    ("unused-row", ["gl"]),
    ("unused-row", []),
    ("unknown-flag", ["gl", "--json"]),
    ("not-nfc", ["gl", "--no-notes"]),
    ("unknown-flag", ["xx"]),
)


def test_the_command_opens_at_the_line_and_says_by_its_code_whether_there_is_an_error(tmp_path, snapshot):
    told = []
    for number, (case, arguments) in enumerate(COMMANDS):
        folder = made(case, tmp_path / str(number)).parent
        with (folder / "gl" / "persons.csv").open("a", encoding="utf-8") as persons:
            persons.write(ENOUGH)
        shutil.copytree(HERE / "base" / "gl", folder / "ia")
        result = CliRunner().invoke(main, ["locale", "check", *arguments, "--locales", str(folder)])
        output = result.output.replace(str(folder), "LOCALES")
        told.append(f"== {case}: {' '.join(arguments)}\n{output}{result.exit_code}")
    folder = made("unused-row", tmp_path / "few").parent
    few = CliRunner().invoke(main, ["locale", "check", "gl", "--no-notes", "--locales", str(folder)])
    told.append(f"== one name in a cell\n{few.output.replace(str(folder), 'LOCALES')}{few.exit_code}")
    empty = CliRunner().invoke(main, ["locale", "check", "--locales", str(HERE)])
    told.append(f"== no locales\n{empty.output.replace(str(HERE), 'LOCALES')}{empty.exit_code}")
    snapshot.check("checks/command", "\n".join(told))
