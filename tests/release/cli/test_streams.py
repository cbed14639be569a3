"""Output that nobody can read, or in which a name would steer the terminal; and the locales that are written."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from commands import PROGRAMS, eec, succeed
from forking import Forks, Run
from languages import languages

from eec_datasets.locale.reading import locales_folder
from eec_datasets.terminal import visible


def run(*command: str, **streams: object) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "eec_datasets", *command]
    return subprocess.run(call, text=True, stderr=subprocess.PIPE, check=False, **streams)  # type: ignore[call-overload, no-any-return]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", [["--help"], ["configs"]], ids=" ".join)
def test_a_full_disk_behind_the_output_is_said(command: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = run(*command, stdout=full)
    said = "Error: the output cannot be used: No space left on device. Make room on that disk, or write to another.\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_an_encoding_that_lacks_a_letter_is_said() -> None:
    done = run("sentences", "tr-gender", stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert (done.returncode, done.stdout) == (1, "")
    assert "in the encoding latin-1. Set PYTHONIOENCODING=utf-8." in done.stderr


CLOSED = "import os, sys\nos.close({number})\nsys.{name} = sys.__{name}__ = None\n"
"""Code that leaves a stream as Python does if it is closed before the start."""


def fork(forks: Forks, folder: Path, line: str, before: str) -> Run:
    """Run a command in a fork, after what is done to its streams."""
    code = f"{before}\nfrom eec_datasets.cli import main\nmain({shlex.split(line)})"
    return forks.run(code, folder, EEC_ANSWERS=str(folder / "answers.db"))


@pytest.mark.parametrize(("number", "name"), [(0, "stdin"), (2, "stderr")])
def test_a_scheduler_may_close_the_streams(tmp_path: Path, forks: Forks, number: int, name: str) -> None:
    audit = "audit --system mine:score --config es-anglo-latino-100 --names 2 --items 8 --no-report"
    (tmp_path / "mine.py").write_text("def score(texts: list[str]) -> list[float]:\n    return [0.5] * len(texts)")
    assert fork(forks, tmp_path, audit, CLOSED.format(number=number, name=name)).code == 0


def test_the_files_are_there_where_nobody_reads_on(tmp_path: Path, forks: Forks) -> None:
    command = "audit --system random:1 --config tr-gender --out out"
    assert fork(forks, tmp_path, command, PROGRAMS["unread"]).code == 0
    assert (tmp_path / "out" / "result.json").is_file()


def test_a_control_character_is_seen_and_not_obeyed() -> None:
    assert visible("\x1b[2J\x07é\u202eمرحبا\n\t\udcff") == "\\u001b[2J\\u0007é\\u202eمرحبا\n\t\\udcff"


def test_the_locales_of_the_project_one_is_in_are_used_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = languages(tmp_path / "locales", "en")
    monkeypatch.chdir(here / "en")
    made = succeed("locale", "new", "sv", "--from", "en")
    assert made.stderr == f"Locales: {here}\n"
    assert (here / "sv" / "locale.toml").is_file()
    assert not (locales_folder() / "sv").exists()
    status = eec("locale", "check", "sv")
    assert (status.exit_code, status.stderr) == (1, f"Locales: {here}\n")
    told = eec("locale", "check", "sv", "--locales", here)
    assert (told.stdout, told.stderr) == (status.stdout, "")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs a name for what is piped in")
def test_scores_that_are_piped_in_are_refused_as_such() -> None:
    read, write = os.pipe()
    os.write(write, b"id,score\n")
    os.close(write)
    done = eec("measure", f"/dev/fd/{read}", "--config", "es-gender")
    os.close(read)
    said = f"Error: /dev/fd/{read}: it is a pipe or a device; save it as a file first.\n"
    assert (done.exit_code, done.stderr) == (1, said)
