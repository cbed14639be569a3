"""Every worked example of CONTRIBUTING.md is run: its changes are made, its commands print what it says.

In each section of the guide the blocks work on a fresh copy of the locales. A ``diff FILE`` block changes a file: a
line with a space must be there, ``-`` lines go, ``+`` lines come after it (at the end where no line is named). A
``console`` block runs commands; ``…`` stands for anything, and on a line of its own for any number of lines.
"""

import re
import shutil
from pathlib import Path

import click
import pytest
from blocks import same, steps

import eec_datasets
from eec_datasets.cli import main
from eec_datasets.locale.reading import locales_folder

REPOSITORY = Path(eec_datasets.__file__).parents[1]
GUIDE = REPOSITORY / "CONTRIBUTING.md"
HELP = REPOSITORY / "tests"

if not GUIDE.exists():
    pytest.skip("the guide is in the repository, not in the wheel", allow_module_level=True)

SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^```(diff \S+|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SECTIONS = {title: BLOCK.findall(body) for title, body in SECTION.findall(GUIDE.read_text(encoding="utf-8"))}
WORKED = {title: blocks for title, blocks in SECTIONS.items() if blocks}


def apply(change, path):
    """Make the change that a diff block shows."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    at = len(lines)
    for line in change.splitlines():
        sign, text = line[:1], line[1:]
        if sign == "+":
            lines.insert(at, text)
            at += 1
        else:
            assert lines.count(text) == 1, f"{path.name} has this line {lines.count(text)} times: {text}"
            at = lines.index(text)
            if sign == "-":
                del lines[at]
            else:
                at += 1
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(forks, command, folder):
    """Exit code of a command, and all that it prints."""
    code = (
        f"import sys; sys.path[:0] = ['', {str(HELP)!r}]; import run_page; "
        f"code, printed = run_page.run({command!r}); print(printed, end=''); sys.exit(code)"
    )
    done = forks.run(code, folder, EEC_LOCALES=str(folder / "locales"), COLUMNS="200")
    return done.code, done.out + done.err


@pytest.mark.parametrize("title", WORKED)
def test_a_worked_example_does_what_it_says(title, forks, tmp_path):
    if shutil.which("bash") is None:
        pytest.skip("the examples are written for a shell")
    shutil.copytree(locales_folder(), tmp_path / "locales", ignore=shutil.ignore_patterns("anchor*"))
    code = 0
    for kind, body in WORKED[title]:
        if kind != "console":
            apply(body, tmp_path / kind.removeprefix("diff "))
            continue
        for command, shown in steps(body):
            if command == "echo $?\n":
                assert shown == f"{code}\n"
                continue
            code, output = run(forks, command, tmp_path)
            assert same(shown, output), f"{command}\n{output}"
            assert code == (1 if "error" in shown else 0), output


def test_the_guide_shows_a_word_a_name_a_group_and_a_language_and_names_commands_that_exist():
    assert list(WORKED) == ["Add a word", "Add a name", "Add a group", "Add a language"]
    assert all(any(kind == "console" for kind, _ in blocks) for blocks in WORKED.values())
    for name in set(re.findall(r"`eec (\w[\w-]*)", GUIDE.read_text(encoding="utf-8"))):
        assert main.get_command(click.Context(main), name) is not None, name
