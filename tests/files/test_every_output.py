"""Each output of each command over a file of somebody else's, over a changed one, and onto a full disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from outputs import COMMANDS, Command, contents, run

TABLE = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


def put(folder: Path, output: str, text: str = "mine") -> None:
    (folder / output).parent.mkdir(parents=True, exist_ok=True)
    (folder / output).write_text(text)


def without_report(command: Command) -> Command:
    """The same without what takes long and is written like the rest."""
    return command._replace(line=command.line.replace("audit ", "audit --no-report "))


def check_refused(command: Command, output: str, desk: Path) -> None:
    before = contents(desk)
    refused = run(command.line)
    assert refused.exit_code == 1, refused.output
    assert Path(output).name in refused.output
    assert "--overwrite" in refused.output
    after = contents(desk)
    assert {path: after.get(path) for path in before} == before
    # Scores are saved as they come.
    assert [path for path in after.keys() - before.keys() if "/scores/" not in path] == []


@TABLE
def test_a_file_that_is_not_ours_is_replaced_only_with_overwrite(command: Command, desk: Path) -> None:
    for output in command.outputs:
        put(desk, output)
        check_refused(command, output, desk)
        (desk / output).unlink()
    for output in command.outputs:
        put(desk, output)
    done = run(f"{command.line} --overwrite")
    assert done.exit_code == command.code, done.output
    assert [output for output in command.outputs if (desk / output).read_bytes() == b"mine"] == []


@TABLE
def test_what_a_command_has_written_it_replaces_unasked_until_somebody_changes_it(command: Command, desk: Path) -> None:
    command = without_report(command)
    assert run(command.line).exit_code == command.code
    made = contents(desk)
    assert run(command.line).exit_code == command.code
    assert contents(desk) == made
    output = command.outputs[-1]
    put(desk, output)
    check_refused(command, output, desk)
    assert run(f"{command.line} --overwrite").exit_code == command.code
    assert contents(desk) == made


@TABLE
@pytest.mark.parametrize("number", [1, 2])
def test_a_full_disk_leaves_every_file_as_it_was_or_whole(
    command: Command, number: int, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = without_report(command).line
    for output in command.outputs:
        put(desk, output)
    before, calls, sync = contents(desk), [0], os.fsync

    def full(descriptor: int) -> None:
        calls[0] += 1
        if calls[0] == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        failed = run(f"{line} --overwrite")
    assert (failed.exit_code, "No space left on device" in failed.output) == (1, True), failed.output
    after = contents(desk)
    assert run(f"{line} --overwrite").exit_code == command.code
    whole = contents(desk)
    torn = [path for path, raw in after.items() if raw not in (before.get(path), whole.get(path))]
    # Scores grow, line by line, and are gone on with.
    assert [path for path in torn if not whole[path].startswith(after[path])] == []
    assert [path for path in torn if "/scores/" not in path] == []
