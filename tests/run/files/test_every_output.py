"""Each output of each command over a file of somebody else's, over a changed one, and onto a full disk."""

import errno
import os
from pathlib import Path

import pytest
from outputs import COMMANDS, Command, contents, run


def put(folder: Path, *outputs: str) -> None:
    """Write files of somebody else's."""
    for output in outputs:
        (folder / output).parent.mkdir(parents=True, exist_ok=True)
        (folder / output).write_text("mine")


def check_refused(command: Command, output: str, desk: Path) -> None:
    before = contents(desk)
    refused = run(command.line)
    assert refused.exit_code == 1, refused.output
    assert Path(output).name in refused.output
    assert "--overwrite" in refused.output
    after = contents(desk)
    assert {path: after.get(path) for path in before} == before
    assert after.keys() == before.keys()


def onto_a_full_disk(line: str, number: int, desk: Path) -> dict[str, bytes]:
    """What a command leaves where the disk is full at a file."""
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


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_files_of_others_are_replaced_whole_with_overwrite_alone(command: Command, desk: Path) -> None:
    for output in command.outputs:
        put(desk, output)
        check_refused(command, output, desk)
        (desk / output).unlink()
    put(desk, *command.outputs)
    line, before = f"{command.line} --overwrite", contents(desk)
    faults = [onto_a_full_disk(line, number, desk) for number in (1, 2)]
    assert run(line).exit_code == command.code
    whole = contents(desk)
    assert [output for output in command.outputs if whole[output] == b"mine"] == []
    for after in faults:
        assert [path for path, raw in after.items() if raw not in (before.get(path), whole.get(path))] == []
    assert run(line).exit_code == command.code
    assert contents(desk) == whole


FOLDERS = {
    "audit": "audit --system random:0 --config tr-gender --out link",
    "report": "report result.json --out link",
    "audit by rating": "audit --system random:0 --method rating --out link",
    "build": "build --out link --config tr-gender",
    "measure": "measure scores.csv --config tr-gender --out link",
}


@pytest.mark.parametrize("command", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_that_is_a_link_is_not_followed(command: str, desk: Path) -> None:
    (desk / "theirs").mkdir()
    (desk / "link").symlink_to("theirs")
    done = run(f"{command} --overwrite")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: link is a link, which is not followed")
    assert list((desk / "theirs").iterdir()) == []
