"""Each output of each command over a file of someone else's, over a changed one, and onto a full disk."""

import errno
import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from outputs import COMMANDS, Command, contents, run

FILES = {name: command for name, command in COMMANDS.items() if command.files}
FOLDERS = {name: command for name, command in COMMANDS.items() if command.folder}


def check_refused(line: str, output: str, desk: Path) -> None:
    before = contents(desk)
    refused = run(line)
    assert refused.exit_code == 1, refused.output
    assert Path(output).name in refused.output
    after = contents(desk)
    assert {path: after.get(path) for path in before} == before
    assert after.keys() == before.keys()


def onto_a_full_disk(line: str, number: int, desk: Path) -> dict[str, bytes]:
    """Return the files that a command leaves if the disk is full at a file."""
    calls, sync = [0], os.fsync

    def full(descriptor: int) -> None:
        calls[0] += 1
        if calls[0] == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", full)
        failed = run(line)
    assert (failed.exit_code, "No space left on device" in failed.output) == (1, True), failed.output
    return contents(desk)


@pytest.mark.parametrize("command", FILES.values(), ids=FILES)
def test_files_of_others_are_replaced_whole_with_overwrite_alone(command: Command, desk: Path) -> None:
    for output in command.files:
        (desk / output).write_text("mine")
        check_refused(command.line, output, desk)
        (desk / output).unlink()
    for output in command.files:
        (desk / output).write_text("mine")
    line, before = f"{command.line} --overwrite", contents(desk)
    faults = [onto_a_full_disk(line, number, desk) for number in (1, 2)]
    assert run(line).exit_code == 0
    whole = contents(desk)
    assert [output for output in command.files if whole[output] == b"mine"] == []
    for after in faults:
        assert [path for path, raw in after.items() if raw not in (before.get(path), whole.get(path))] == []
    assert run(line).exit_code == 0
    assert contents(desk) == whole


@pytest.mark.parametrize("command", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_of_ours_is_replaced_whole_and_no_other(command: Command, desk: Path) -> None:
    before = contents(desk)
    assert onto_a_full_disk(command.line, 1, desk) == before
    first, again = run(command.line), run(command.line)
    assert (first.exit_code, again.exit_code) == (0, 0), first.output + again.output
    whole = contents(desk)
    assert onto_a_full_disk(command.line, 2, desk) == whole
    listed = json.loads((desk / command.folder / "manifest.json").read_text())["files"]
    inside = {path.removeprefix(f"{command.folder}/"): raw for path, raw in whole.items() if path not in before}
    assert listed == {name: sha256(raw).hexdigest() for name, raw in inside.items() if name != "manifest.json"}
    (desk / command.folder / "notes.txt").write_text("mine")
    check_refused(command.line, "notes.txt", desk)
    check_refused(f"{command.line} --overwrite", "notes.txt", desk)


@pytest.mark.parametrize("command", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_that_is_a_link_is_not_followed(command: Command, desk: Path) -> None:
    (desk / "theirs").mkdir()
    (desk / command.folder).symlink_to("theirs")
    done = run(f"{command.line} --overwrite")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: {command.folder} is a link, and we follow none")
    assert list((desk / "theirs").iterdir()) == []


@pytest.mark.parametrize(
    "line", ["audit --system random:0 --config tr-gender", "measure scores.csv --config tr-gender"]
)
def test_the_current_folder_is_refused_with_advice_that_works(line: str, desk: Path) -> None:
    before = contents(desk)
    refused = run(f"{line} --out .")
    assert refused.stderr.endswith("nothing was changed. Name a new folder in it, such as eec\n")
    assert contents(desk) == before
    assert run(f"{line} --out eec").exit_code == 0
