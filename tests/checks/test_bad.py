"""Every mistake of ``tests/locales/bad`` is told by exactly the message beside it.

A case is a folder that holds the files it changes of the locale in ``tests/locales/base`` (``missing.txt`` names one
that it takes away), and in ``expected.txt`` the whole report.
"""

from __future__ import annotations

import json
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


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["locale", "check", *arguments])
    return result.exit_code, result.output


def test_the_command_ends_with_1_and_opens_at_the_line(tmp_path):
    folder = made("everything-at-once", tmp_path / "locales")
    code, output = run("gl", "--locales", str(folder.parent))
    assert code == 1
    assert f"{folder}/persons.csv:4: error: 'rosa' has no source. Name the paper, table or list it is from\n" in output
    assert output.endswith("gl: 9 errors\n")


def test_the_command_ends_with_0_where_there_are_warnings_and_notes_only(tmp_path):
    folder = made("unused-row", tmp_path / "locales")
    assert run("gl", "--locales", str(folder.parent)) == (
        0,
        f"{folder}/words.csv:8: warning: no template asks for 'serio', a form of 'serious'. "
        "Remove the row, or write reserve into the column use\n"
        "gl: 1 warning\n",
    )


def test_the_command_without_a_tag_checks_every_locale(tmp_path):
    folder = made("unused-row", tmp_path / "locales")
    shutil.copytree(HERE / "base" / "gl", folder.parent / "ia")
    code, output = run("--locales", str(folder.parent))
    assert code == 1
    assert output.splitlines()[-1] == "ia: 1 error"


def test_the_command_gives_json_for_scripts(tmp_path):
    folder = made("unknown-flag", tmp_path / "locales")
    code, output = run("gl", "--locales", str(folder.parent), "--json")
    assert code == 1
    assert json.loads(output) == [
        {
            "tag": "gl",
            "ok": False,
            "findings": [
                {
                    "level": "error",
                    "check": "reading",
                    "file": "persons.csv",
                    "line": 3,
                    "what": "unknown flag 'unisexx'",
                    "mend": "Flags (corpus.toml): unisex, homograph",
                }
            ],
            "unchecked": ["unused rows", "evenness", "completeness of the answer key"],
        }
    ]


def test_notes_can_be_left_out(tmp_path):
    folder = made("not-nfc", tmp_path / "locales")
    _, output = run("gl", "--locales", str(folder.parent), "--no-notes")
    assert output == (
        f"{folder}/persons.csv:4: error: not in Unicode NFC: 'Rosá' is written with COMBINING ACUTE ACCENT (U+0301). "
        "Save the file in NFC\n"
        "gl: 1 error, 1 note\n"
    )


def test_an_unknown_locale_is_an_error_that_lists_the_known(tmp_path):
    folder = made("unknown-flag", tmp_path / "locales")
    assert run("xx", "--locales", str(folder.parent)) == (
        1,
        f"Error: no locale 'xx' in {folder.parent}; there are: gl\n",
    )


def test_a_folder_without_locales_is_an_error(tmp_path):
    assert run("--locales", str(tmp_path)) == (
        1,
        f"Error: no locales in {tmp_path}: each is a folder with a locale.toml\n",
    )
