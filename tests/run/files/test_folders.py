"""Folders that are written as a whole: when one is ours, what is kept of it, kills, locks, and containers at once."""

import errno
import itertools
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from places import ROOT

from eec_bias.files import lock, whole
from eec_datasets import files
from eec_datasets.errors import OutputUnwritable


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_of_ours_is_replaced_as_a_whole(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b/c.txt": b"one"})
    files.write_folder(folder, {"a.txt": b"two"})
    assert names(folder) == [files.REGISTER, "a.txt"]
    assert (folder / "a.txt").read_bytes() == b"two"
    assert names(tmp_path) == [".made.lock", "made"]


def test_an_empty_folder_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir(mode=0o750)
    files.write_folder(tmp_path / "made", {"a.txt": b"one"})
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o750


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
    files.write_folder(folder, {"a.txt": b"one", "b/d.txt": b"one"})
    prepare(folder / name)
    with pytest.raises(OutputUnwritable, match=f"would be lost .*'{name}'"):
        files.write_folder(folder, {"a.txt": b"two"}, overwrite=overwrite)
    assert (folder / "a.txt").read_bytes() == b"one"
    assert os.path.lexists(folder / name)


def test_a_changed_file_of_a_folder_is_replaced_on_request_only(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"})
    (folder / "a.txt").write_text("mine")
    with pytest.raises(OutputUnwritable, match=r"is there already \('a.txt' was changed since eec wrote it\)"):
        files.write_folder(folder, {"a.txt": b"two"})
    files.write_folder(folder, {"a.txt": b"two"}, overwrite=True)
    assert (folder / "a.txt").read_bytes() == b"two"


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_register_that_is_a_link_is_not_followed(overwrite: bool, tmp_path: Path) -> None:
    folder, theirs = tmp_path / "made", tmp_path / "bashrc"
    files.write_folder(folder, {"a.txt": b"one"})
    (folder / files.REGISTER).rename(theirs)
    before = theirs.read_bytes()
    (folder / files.REGISTER).symlink_to("../bashrc")
    with pytest.raises(OutputUnwritable, match=r"is not known to have written 'a\.txt'|is a link"):
        files.write_folder(folder, {"a.txt": b"two"}, overwrite=overwrite)
    assert (theirs.read_bytes(), (folder / files.REGISTER).is_symlink()) == (before, True)


def test_a_register_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "a.txt").write_text("mine")
    os.mkfifo(tmp_path / "made" / files.REGISTER)
    with pytest.raises(OutputUnwritable, match=r"not known to have written 'a\.txt'"):
        files.write_folder(tmp_path / "made", {"b.txt": b"two"})


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "made").symlink_to("theirs")
    with pytest.raises(OutputUnwritable, match="is no folder, and one is to be written"):
        files.write_folder(tmp_path / "made", {"a.txt": b"one"}, overwrite=True)
    assert names(tmp_path / "theirs") == []


@pytest.mark.parametrize("place", ["", "a.txt", "b"])
def test_a_folder_with_something_read_only_is_not_ours(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b/c.txt": b"one"})
    (folder / place).chmod(0o555)
    with pytest.raises(OutputUnwritable, match="is read-only; nothing was changed"):
        files.write_folder(folder, {"a.txt": b"two"}, overwrite=True)
    assert (folder / "a.txt").read_bytes() == b"one"
    (folder / place).chmod(0o755)


def test_modes_of_a_folder_and_its_files_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b/c.txt": b"one"})
    modes = {".": 0o700, "a.txt": 0o600, "b": 0o710}
    for name, mode in modes.items():
        (folder / name).chmod(mode)
    files.write_folder(folder, {"a.txt": b"two", "b/c.txt": b"two"})
    assert {name: stat.S_IMODE((folder / name).stat().st_mode) for name in modes} == modes


def test_a_folder_of_another_command_is_replaced_on_request_only(tmp_path: Path) -> None:
    build, task = {"README.md": b"card", "manifest.json": b"{}"}, {"README.md": b"card"}
    measured = {"result.json": b"{}"}
    for before, after in itertools.permutations((build, task, measured), 2):
        folder = tmp_path / "made"
        files.write_folder(folder, before, overwrite=True)
        files.write_folder(folder, before)
        with pytest.raises(OutputUnwritable, match="holds what another command has made, and nothing was changed"):
            files.write_folder(folder, after)
        assert all((folder / name).read_bytes() == text for name, text in before.items())


@pytest.mark.parametrize("place", [".", "..", "below/.."])
def test_a_folder_that_one_stands_in_is_not_moved_away(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(OutputUnwritable, match="is the folder you stand in, or above it; nothing was changed"):
        files.write_folder(Path(place), {"a.txt": b"one"}, overwrite=True)
    assert [path.name for path in tmp_path.rglob("*")] == ["here", "below"]


@pytest.mark.parametrize("write", [files.write_folder, files.start_folder])
def test_a_folder_that_somebody_makes_meanwhile_stays(
    write: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, fill = tmp_path / "made", whole._fill_folder

    def fill_meanwhile(*arguments: object) -> None:
        fill(*arguments)  # type: ignore[arg-type]
        folder.mkdir()
        (folder / "a.txt").write_text("mine")

    monkeypatch.setattr(whole, "_fill_folder", fill_meanwhile)
    with pytest.raises(OutputUnwritable, match="is there already"):
        write(folder, {"a.txt": b"one"})
    assert [path.name for path in tmp_path.rglob("*") if path.name != ".made.lock"] == ["made", "a.txt"]


def test_files_that_no_register_names_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "video.mp4").write_text("mine")
    monkeypatch.setattr(whole, "digest_of", None)
    with pytest.raises(OutputUnwritable, match=r"eec is not known to have written 'video\.mp4'"):
        files.write_folder(tmp_path / "made", {})


def test_a_mount_point_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made").mkdir()
    monkeypatch.setattr(os.path, "ismount", lambda path: path == tmp_path / "made")
    with pytest.raises(OutputUnwritable) as refused:
        files.write_folder(tmp_path / "made", {"a.txt": b"one"})
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

    files.write_folder(tmp_path / "made", {"a.txt": b"one"})
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(OutputUnwritable, match="Write to a folder in it, such as"):
        files.write_folder(tmp_path / "made", {"a.txt": b"two"})
    assert (tmp_path / "made" / "a.txt").read_bytes() == b"one"
    assert names(tmp_path) == [".made.lock", "made"]


# Locks


def test_a_lock_file_that_was_left_behind_blocks_nobody(tmp_path: Path) -> None:
    (tmp_path / ".made.lock").write_text("1234")
    (tmp_path / ".made.lock").chmod(0o444)
    files.write_folder(tmp_path / "made", {"a.txt": b"one"})
    assert (tmp_path / ".made.lock").read_text() == "1234"


def test_a_lock_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("mine")
    (tmp_path / ".made.lock").symlink_to("theirs")
    with pytest.raises(OutputUnwritable, match="Cannot write"):
        files.write_folder(tmp_path / "made", {"a.txt": b"one"})
    assert (tmp_path / "theirs").read_text() == "mine"


def test_a_run_that_goes_on_writing_is_not_waited_for_forever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.2)
    with (
        FileLock(tmp_path / ".made.lock"),
        pytest.raises(OutputUnwritable, match=r"Another run has been writing .*made for 0 seconds"),
    ):
        files.write_folder(tmp_path / "made", {"a.txt": b"one"})
    assert names(tmp_path) == [".made.lock"]


def test_without_locks_no_folder_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(OutputUnwritable, match="keeps no locks"):
        files.write_folder(tmp_path / "made", {"a.txt": b"one"})
    assert not (tmp_path / "made").exists()


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write_folder(tmp_path / "made", {"a.txt": b"one"})
    os.utime(tmp_path / "made" / "a.txt", (4e9, 4e9))
    monkeypatch.setattr(time, "time", lambda: 0.0)
    files.write_folder(tmp_path / "made", {"a.txt": b"two"})
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
        files.write_folder(folder, {"a.txt": content, "b.txt": content})
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("number", [1, 2])
def test_a_kill_at_a_rename_is_undone_by_the_next_run(number: int, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"})
    kill_at_rename(number, folder, b"two")
    files.write_folder(folder, {"a.txt": b"three"})
    assert names(folder) == [files.REGISTER, "a.txt"]
    assert (folder / "a.txt").read_bytes() == b"three"
    assert names(tmp_path) == [".made.lock", "made"]


def test_after_a_kill_between_renames_the_old_folder_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"})
    kill_at_rename(2, folder, b"two")
    assert not folder.exists()
    with pytest.raises(OutputUnwritable, match="holds what another command has made"):
        files.write_folder(folder, {"result.json": b"{}"})
    assert (folder / "a.txt").read_bytes() == b"one"


def test_a_folder_made_after_a_kill_and_the_older_one_both_stay(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one"})
    kill_at_rename(2, folder, b"two")
    folder.mkdir()
    with pytest.raises(OutputUnwritable, match="Move the older one where you want it"):
        files.write_folder(folder, {"a.txt": b"three"})
    (old,) = tmp_path.glob(".eec-*/old/a.txt")
    assert (old.read_bytes(), names(folder)) == (b"one", [])


# Containers, whose process is number 1

CONTAINER = """
import os, random, sys, time
from pathlib import Path
from eec_datasets import files
assert os.getpid() == 1
letter, pause = sys.argv[1], float(sys.argv[2])
real = Path.rename
def slowly(path, target):
    time.sleep(pause)
    return real(path, target)
Path.rename = slowly
files.write_folder(Path("made"), {f"{letter}-{number}.txt": letter.encode() * 1000 for number in range(20)})
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
    letter = found[-1][0]
    assert letter in letters
    assert found == sorted([files.REGISTER, *(f"{letter}-{number}.txt" for number in range(20))])
    listed = (folder / files.REGISTER).read_text().splitlines()[1:]
    assert len(listed) == 20


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
        assert names(tmp_path) == [".made.lock", "made"]


@pytest.mark.usefixtures("contained")
def test_of_two_containers_at_once_one_folder_is_there_whole(tmp_path: Path) -> None:
    runs = [container(tmp_path, letter, pause=0.2) for letter in "ab"]
    errors = [run.communicate()[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], errors
    check_whole(tmp_path / "made", "ab")
    assert names(tmp_path) == [".made.lock", "made"]
