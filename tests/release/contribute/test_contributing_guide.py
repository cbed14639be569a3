"""Every worked example of docs/contributing is run: its changes are made, its commands print what it says.

In each section of a page the blocks work on a fresh copy of the locales. A ``diff FILE`` block changes a file: a
line with a space must be there, ``-`` lines go, ``+`` lines come after it (at the end where no line is named). A
``console`` block runs commands; ``…`` stands for anything, and on a line of its own for any number of lines.
"""

import re
import shutil
from pathlib import Path

import click
import pytest
from blocks import same, steps
from places import SHARED

import eec_datasets
from eec_datasets.cli import main
from eec_datasets.locale.reading import locales_folder

REPOSITORY = Path(eec_datasets.__file__).parents[1]
GUIDE = REPOSITORY / "CONTRIBUTING.md"
PAGES = sorted((REPOSITORY / "docs" / "contributing").glob("*.md"))

if not GUIDE.exists():
    pytest.skip("the guide is in the repository, not in the wheel", allow_module_level=True)

SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^```(diff \S+|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WORKED = {
    f"{page.stem}: {title}": blocks
    for page in PAGES
    for title, body in SECTION.findall(page.read_text(encoding="utf-8"))
    if (blocks := BLOCK.findall(body))
}
"""Page and section → the blocks of its example, in order."""


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
        f"import sys; sys.path[:0] = ['', {str(SHARED)!r}]; import run_page; "
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


def test_words_names_groups_and_languages_have_a_worked_example():
    assert list(WORKED) == [
        "groups: A level of an axis that exists",
        "groups: A new axis",
        "judging: Get the page",
        "judging: What happens with your answers",
        "languages: Add a language",
        "words-and-names: Add a word",
        "words-and-names: Add a name",
    ]


@pytest.mark.parametrize("title", WORKED)
def test_a_worked_example_runs_a_command(title):
    assert "console" in [kind for kind, _ in WORKED[title]]


@pytest.mark.parametrize("page", [GUIDE, *PAGES], ids=lambda page: page.stem)
def test_the_commands_that_a_page_names_exist(page):
    named = set(re.findall(r"`eec (\w[\w-]*)", page.read_text(encoding="utf-8")))
    assert [name for name in named if main.get_command(click.Context(main), name) is None] == []


def test_the_guide_leads_to_every_page():
    linked = re.findall(r"\]\(docs/contributing/([\w-]+)\.md\)", GUIDE.read_text(encoding="utf-8"))
    assert linked == ["judging", "words-and-names", "groups", "languages", "grammar", "natural-text", "code"]
    assert sorted(linked) == [page.stem for page in PAGES]


def test_the_guide_is_one_screen():
    assert len(GUIDE.read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("door", ["judging", "words-and-names", "groups", "languages"])
def test_every_door_says_how_to_send_it_and_whom_to_ask(door):
    page = (REPOSITORY / "docs" / "contributing" / f"{door}.md").read_text(encoding="utf-8")
    assert [title for title in ("Send it", "Whom to ask") if f"\n## {title}\n" not in page] == []
    assert f"(docs/contributing/{door}.md)" in GUIDE.read_text(encoding="utf-8")
