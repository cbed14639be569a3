"""Folders that are written as a whole: when one is ours, what is kept of it, kills, locks, and containers at once."""

import errno
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from places import ROOT

from eec_bias import files
from eec_datasets.errors import OutputError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_of_ours_is_replaced_as_a_whole(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b/c.txt": b"one"}, "audit")
    files.write_folder(folder, {"a.txt": b"two"}, "audit")
    assert names(folder) == ["a.txt", files.MANIFEST]
    assert (folder / "a.txt").read_bytes() == b"two"
    assert names(tmp_path) == ["made"]


def test_an_empty_folder_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    files.write_folder(tmp_path / "made", {"a.txt": b"one"}, "audit")
    assert names(tmp_path / "made") == ["a.txt", files.MANIFEST]


def test_the_manifest_lists_every_file_with_its_hash(tmp_path: Path) -> None:
    files.write_folder(tmp_path / "made", {"b/c.txt": b"one", "a.txt": b""}, "audit")
    assert json.loads((tmp_path / "made" / files.MANIFEST).read_text()) == {
        "format": 1,
        "command": "audit",
        "files": {
            "a.txt": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "b/c.txt": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",
        },
    }


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    ("name", "prepare"),
    [
        ("empty", Path.mkdir),
        ("link", lambda path: path.symlink_to("a.txt")),
        ("pipe", os.mkfifo),
        (".git", lambda path: path.write_text("mine")),
        ("b/c.txt", lambda path: path.write_text("mine")),
    ],
)
def test_what_others_put_into_a_folder_of_ours_is_not_lost(
    name: str, prepare: Callable[[Path], object], overwrite: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b/d.txt": b"one"}, "audit")
    prepare(folder / name)
    with pytest.raises(OutputError, match=f"would be lost .*'{name}'"):
        files.write_folder(folder, {"a.txt": b"two"}, "audit", overwrite=overwrite)
    assert (folder / "a.txt").read_bytes() == b"one"
    assert os.path.lexists(folder / name)


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_with_a_changed_file_is_never_replaced(overwrite: bool, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b.txt": b"one"}, "audit")
    (folder / "b.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"would be lost \('b.txt' was changed since eec wrote it\)"):
        files.write_folder(folder, {"a.txt": b"two"}, "audit", overwrite=overwrite)
    assert (folder / "b.txt").read_text() == "mine"


def test_a_folder_that_lacks_a_file_is_replaced_on_request_only(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b.txt": b"one"}, "audit")
    (folder / "b.txt").unlink()
    with pytest.raises(OutputError, match=r"already exists and lacks .b.txt., which its manifest lists"):
        files.write_folder(folder, {"a.txt": b"two"}, "audit")
    files.write_folder(folder, {"a.txt": b"two"}, "audit", overwrite=True)
    assert (folder / "a.txt").read_bytes() == b"two"


@pytest.mark.parametrize("text", ["[]", "{", '{"name": "app", "icons": []}', '{"command": "audit", "files": [1]}'])
def test_a_manifest_of_another_program_lists_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / files.MANIFEST).write_text(text)
    with pytest.raises(OutputError, match=r"would be lost .*'manifest\.json'"):
        files.write_folder(tmp_path / "made", {"a.txt": b"one"}, "audit", overwrite=True)
    assert (tmp_path / "made" / files.MANIFEST).read_text() == text


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_that_holds_an_input_is_never_replaced(overwrite: bool, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"result.json": b"one"}, "audit")
    with pytest.raises(OutputError, match=r"result\.json, which this command reads; nothing was changed"):
        files.check_folder(folder, "report", overwrite=overwrite, inputs=[folder / "result.json"])


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_manifest_that_is_a_link_is_not_followed(overwrite: bool, tmp_path: Path) -> None:
    folder, theirs = tmp_path / "made", tmp_path / "bashrc"
    files.write_folder(folder, {"a.txt": b"one"}, "audit")
    (folder / files.MANIFEST).rename(theirs)
    before = theirs.read_bytes()
    (folder / files.MANIFEST).symlink_to("../bashrc")
    with pytest.raises(OutputError, match=r"eec did not write 'a\.txt'"):
        files.write_folder(folder, {"a.txt": b"two"}, "audit", overwrite=overwrite)
    assert (theirs.read_bytes(), (folder / files.MANIFEST).is_symlink()) == (before, True)


def test_a_manifest_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "a.txt").write_text("mine")
    os.mkfifo(tmp_path / "made" / files.MANIFEST)
    with pytest.raises(OutputError, match=r"eec did not write 'a\.txt'"):
        files.write_folder(tmp_path / "made", {"b.txt": b"two"}, "audit")


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "made").symlink_to("theirs")
    with pytest.raises(OutputError, match="is a link, and we follow none"):
        files.write_folder(tmp_path / "made", {"a.txt": b"one"}, "audit", overwrite=True)
    assert names(tmp_path / "theirs") == []


@pytest.mark.parametrize("place", ["", "a.txt", "b"])
def test_a_folder_with_something_read_only_is_not_ours(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b/c.txt": b"one"}, "audit")
    (folder / place).chmod(0o555)
    with pytest.raises(OutputError, match="is read-only; nothing was changed"):
        files.write_folder(folder, {"a.txt": b"two"}, "audit", overwrite=True)
    assert (folder / "a.txt").read_bytes() == b"one"
    (folder / place).chmod(0o755)


def test_a_folder_of_another_command_is_replaced_on_request_only(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"}, "build")
    with pytest.raises(OutputError, match="contains files of eec build, and nothing was changed"):
        files.write_folder(folder, {"b.txt": b"two"}, "audit")
    files.write_folder(folder, {"b.txt": b"two"}, "audit", overwrite=True)
    assert names(folder) == ["b.txt", files.MANIFEST]


@pytest.mark.parametrize("place", [".", "..", "below/.."])
def test_the_current_folder_is_not_moved_away(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(OutputError, match=r"is the folder you are in, or above it.* Name a new folder in it, such as"):
        files.write_folder(Path(place), {"a.txt": b"one"}, "audit", overwrite=True)
    assert [path.name for path in tmp_path.rglob("*")] == ["here", "below"]


@pytest.mark.parametrize("write", [partial(files.write_folder, command="audit"), files.start_folder])
def test_a_folder_that_someone_makes_meanwhile_stays(
    write: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, fill = tmp_path / "made", files._fill_folder

    def fill_meanwhile(*arguments: object) -> None:
        fill(*arguments)  # type: ignore[arg-type]
        folder.mkdir()
        (folder / "a.txt").write_text("mine")

    monkeypatch.setattr(files, "_fill_folder", fill_meanwhile)
    with pytest.raises(OutputError, match=r"already exists|would be lost"):
        write(folder, {"a.txt": b"one"})
    assert [path.name for path in tmp_path.rglob("*")] == ["made", "a.txt"]


def test_files_that_no_manifest_lists_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "video.mp4").write_text("mine")
    monkeypatch.setattr(files, "_digest", None)
    with pytest.raises(OutputError, match=r"eec did not write 'video\.mp4'"):
        files.write_folder(tmp_path / "made", {}, "audit")


def test_a_mount_point_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made").mkdir()
    monkeypatch.setattr(os.path, "ismount", lambda path: path == tmp_path / "made")
    with pytest.raises(OutputError) as refused:
        files.write_folder(tmp_path / "made", {"a.txt": b"one"}, "audit")
    assert str(refused.value).startswith(
        f"{tmp_path / 'made'} cannot be replaced as a whole, since it is a mount point"
    )
    assert str(refused.value).endswith(f"Write to a folder in it, such as {tmp_path / 'made' / 'eec'}")


@pytest.mark.parametrize("code", [errno.EBUSY, errno.EXDEV])
def test_a_mount_that_only_the_system_knows_is_refused(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    files.write_folder(tmp_path / "made", {"a.txt": b"one"}, "audit")
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(OutputError, match="Write to a folder in it, such as"):
        files.write_folder(tmp_path / "made", {"a.txt": b"two"}, "audit")
    assert (tmp_path / "made" / "a.txt").read_bytes() == b"one"
    assert names(tmp_path) == ["made"]


def test_without_locks_a_folder_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr("fcntl.flock", flock)
    for content in (b"one", b"two"):
        files.write_folder(tmp_path / "made", {"a.txt": content}, "audit")
    assert (tmp_path / "made" / "a.txt").read_bytes() == b"two"


def test_a_run_that_is_replaced_between_its_renames_comes_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, rename, others = tmp_path / "made", Path.rename, [b"other"]

    def rename_after_another_run(path: Path, target: Path) -> Path:
        if path.name == files.NEW and others:
            files.write_folder(folder, {"a.txt": others.pop()}, "audit")
        return rename(path, target)

    files.write_folder(folder, {"a.txt": b"one"}, "audit")
    monkeypatch.setattr(Path, "rename", rename_after_another_run)
    files.write_folder(folder, {"a.txt": b"two"}, "audit")
    assert (folder / "a.txt").read_bytes() == b"two"
    assert names(tmp_path) == ["made"]


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write_folder(tmp_path / "made", {"a.txt": b"one"}, "audit")
    os.utime(tmp_path / "made" / "a.txt", (4e9, 4e9))
    monkeypatch.setattr(time, "time", lambda: 0.0)
    files.write_folder(tmp_path / "made", {"a.txt": b"two"}, "audit")
    assert (tmp_path / "made" / "a.txt").read_bytes() == b"two"


# Kills


def kill_at_rename(number: int, folder: Path, content: bytes) -> None:
    """Replace a folder in a child that ends, as by kill -9, before its rename of this number."""
    child = os.fork()
    if child == 0:
        rename, count = Path.rename, itertools.count(1)

        def dying(path: Path, target: Path) -> Path:
            if next(count) == number:
                os._exit(9)
            return rename(path, target)

        Path.rename = dying  # type: ignore[method-assign]
        files.write_folder(folder, {"a.txt": content, "b.txt": content}, "audit")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("number", [1, 2])
def test_a_kill_at_a_rename_is_undone_by_the_next_run(number: int, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"}, "audit")
    kill_at_rename(number, folder, b"two")
    files.write_folder(folder, {"a.txt": b"three"}, "audit")
    assert names(folder) == ["a.txt", files.MANIFEST]
    assert (folder / "a.txt").read_bytes() == b"three"
    assert names(tmp_path) == ["made"]


def test_after_a_kill_between_renames_the_old_folder_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"}, "audit")
    kill_at_rename(2, folder, b"two")
    assert not folder.exists()
    with pytest.raises(OutputError, match="contains files of eec audit"):
        files.write_folder(folder, {"result.json": b"{}"}, "build")
    assert (folder / "a.txt").read_bytes() == b"one"


def test_a_folder_made_after_a_kill_and_the_older_one_both_stay(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"}, "audit")
    kill_at_rename(2, folder, b"two")
    folder.mkdir()
    with pytest.raises(OutputError, match="Move the older one where you want it"):
        files.write_folder(folder, {"a.txt": b"three"}, "audit")
    (old,) = tmp_path.glob(".eec-*/old/a.txt")
    assert (old.read_bytes(), names(folder)) == (b"one", [])


# Containers, whose process is number 1

CONTAINER = """
import os, random, sys, time
from pathlib import Path
from eec_bias import files
assert os.getpid() == 1
letter, pause = sys.argv[1], float(sys.argv[2])
real = Path.rename
def slowly(path, target):
    time.sleep(pause)
    return real(path, target)
Path.rename = slowly
files.write_folder(Path("made"), {f"{letter}-{number}.txt": letter.encode() * 1000 for number in range(20)}, "audit")
"""


def container(folder: Path, letter: str, pause: float = 0.0) -> subprocess.Popen[str]:
    """Write a folder in a process that is number 1 of its own."""
    command = ["unshare", "--pid", "--fork", "--kill-child", sys.executable, "-c", CONTAINER, letter, str(pause)]
    own = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'metrics'}"}
    return subprocess.Popen(command, cwd=folder, env=own, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def contained() -> None:
    if subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs the right to make process namespaces")


def check_whole(folder: Path, letters: str) -> None:
    """A folder is that of one run, whole and with nothing of another."""
    found = names(folder)
    letter = found[0][0]
    assert letter in letters
    texts = [f"{letter}-{number}.txt" for number in range(20)]
    assert found == sorted([files.MANIFEST, *texts])
    assert sorted(json.loads((folder / files.MANIFEST).read_text())["files"]) == sorted(texts)


@pytest.mark.usefixtures("contained")
def test_a_container_that_is_killed_leaves_no_part_of_its_build(tmp_path: Path) -> None:
    for pause in (0.0, 0.4):
        killed = container(tmp_path, "a", pause=60)
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".eec-*/new/a-19.txt")) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(pause)
        killed.kill()
        killed.communicate()
        done = container(tmp_path, "b")
        _, error = done.communicate()
        assert done.returncode == 0, error
        check_whole(tmp_path / "made", "b")
        assert names(tmp_path) == ["made"]


@pytest.mark.usefixtures("contained")
def test_of_two_containers_at_once_one_folder_is_there_whole(tmp_path: Path) -> None:
    runs = [container(tmp_path, letter, pause=0.2) for letter in "ab"]
    errors = [run.communicate()[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], errors
    check_whole(tmp_path / "made", "ab")
    assert names(tmp_path) == ["made"]
