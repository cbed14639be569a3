"""Single files: what is never replaced, what is replaced on request, and what is left of a run that was killed."""

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from eec_bias import files
from eec_datasets.errors import OutputError

THERE = (
    "already exists, and nothing was changed. Choose another name, or replace it: --overwrite on the command line, "
    "overwrite=True in Python"
)

Prepare = Callable[[Path], object]


def theirs(path: Path) -> None:
    path.write_text("mine")


def ours(path: Path) -> None:
    files.write(path, "one")


def linked(path: Path) -> None:
    path.with_name("b.txt").write_text("mine")
    path.symlink_to("b.txt")


def linked_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def linked_to_a_folder(path: Path) -> None:
    path.with_name("b").mkdir()
    path.symlink_to("b")


def read_only(path: Path) -> None:
    path.write_text("mine")
    path.chmod(0o444)


def standing(folder: Path) -> list[tuple[str, int, bytes]]:
    """Return the files of a folder: name, kind with mode, and content."""
    found = []
    for path in folder.iterdir():
        status = path.lstat()
        found.append((path.name, status.st_mode, path.read_bytes() if stat.S_ISREG(status.st_mode) else b""))
    return sorted(found)


@pytest.mark.parametrize("prepare", [theirs, ours, linked, linked_to_nothing, linked_to_a_folder, read_only])
def test_a_file_that_exists_is_not_replaced(prepare: Prepare, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    prepare(path)
    before = standing(tmp_path)
    with pytest.raises(OutputError) as refused:
        files.write(path, "two")
    assert str(refused.value) == f"{path} {THERE}"
    assert standing(tmp_path) == before


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    ("prepare", "kind"), [(Path.mkdir, "folder"), (os.mkfifo, "device or a pipe")], ids=["folder", "pipe"]
)
def test_a_folder_or_a_pipe_is_never_replaced(prepare: Prepare, kind: str, overwrite: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    prepare(path)
    before = standing(tmp_path)
    with pytest.raises(OutputError, match=f"is a {kind}; expected the name of a file"):
        files.write(path, "two", overwrite=overwrite)
    assert standing(tmp_path) == before


@pytest.mark.parametrize("prepare", [theirs, ours, linked, linked_to_nothing, linked_to_a_folder])
def test_with_overwrite_the_name_itself_is_replaced(prepare: Prepare, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    prepare(path)
    others = [each for each in standing(tmp_path) if each[0] != "a.txt"]
    files.write(path, "two", overwrite=True)
    assert (path.read_text(), path.is_symlink()) == ("two", False)
    assert [each for each in standing(tmp_path) if each[0] != "a.txt"] == others


def test_a_read_only_file_is_never_replaced(tmp_path: Path) -> None:
    read_only(tmp_path / "a.txt")
    with pytest.raises(OutputError, match="is read-only, and nothing was changed"):
        files.write(tmp_path / "a.txt", "two", overwrite=True)
    assert (tmp_path / "a.txt").read_text() == "mine"


def test_nothing_is_written_into_a_read_only_folder(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o555)
    with pytest.raises(OutputError, match="Permission denied"):
        files.write(folder / "below" / "a.txt", "one")
    assert list(folder.iterdir()) == []


def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        files.write(tmp_path / "a.txt", "one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_a_file_is_all_that_is_left_beside_it(tmp_path: Path) -> None:
    files.write(tmp_path / "a.txt", "one")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_file_that_somebody_else_writes_meanwhile_stays(tmp_path: Path) -> None:
    def write() -> None:
        with files.replacing(tmp_path / "a.txt") as part:
            part.write_text("one")
            theirs(tmp_path / "a.txt")

    with pytest.raises(OutputError, match="already exists"):
        write()
    assert (tmp_path / "a.txt").read_text() == "mine"


def test_user_s_own_files_change_together_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files.write_over(dict.fromkeys(paths, "one"))
    calls = iter([None, OSError(errno.ENOSPC, "full")])

    def full(_: int) -> None:
        if error := next(calls):
            raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="full"):
            files.write_over(dict.fromkeys(paths, "two"))
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["one", "one"]


@pytest.mark.parametrize(("prepare", "why"), [(linked, "it is a link"), (read_only, "it is read-only")])
def test_user_s_own_files_that_are_links_or_read_only_stay(prepare: Prepare, why: str, tmp_path: Path) -> None:
    prepare(tmp_path / "a.txt")
    before = standing(tmp_path)
    with pytest.raises(OSError, match=why):
        files.write_over({tmp_path / "a.txt": "two"})
    assert standing(tmp_path) == before


def killed(path: Path) -> Path:
    """Leave what a run leaves that is killed while it writes a file; the folder of it."""
    child = os.fork()
    if child == 0:
        with files.replacing(path) as part:
            part.write_text("half")
            os._exit(9)
    os.waitpid(child, 0)
    (left,) = path.parent.glob(".eec-*")
    return left


def test_what_a_killed_run_left_is_gone_after_the_next(tmp_path: Path) -> None:
    killed(tmp_path / "a.txt")
    files.write(tmp_path / "a.txt", "one")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_what_a_killed_run_left_of_another_file_stays(tmp_path: Path) -> None:
    left = killed(tmp_path / "b.txt")
    files.write(tmp_path / "a.txt", "one")
    assert (left / "new").read_text() == "half"


def test_what_another_run_is_writing_stays(tmp_path: Path) -> None:
    with files.replacing(tmp_path / "a.txt") as part:
        part.write_text("first")
        files.write(tmp_path / "a.txt", "second")
        (tmp_path / "a.txt").unlink()
    assert (tmp_path / "a.txt").read_text() == "first"


def test_a_work_folder_that_another_run_takes_away_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock, taken = fcntl.flock, []

    def take_away_first(number: int, how: int) -> None:
        if not taken:
            taken.extend(tmp_path.glob(".eec-*"))
            taken[0].rmdir()
        flock(number, how)

    monkeypatch.setattr("fcntl.flock", take_away_first)
    files.write(tmp_path / "a.txt", "one")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("name", [".eec-mine", ".eec-0123456789abcdef"])
def test_a_folder_of_someone_else_stays(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "new").write_text("mine")
    files.write(tmp_path / "a.txt", "one")
    assert (tmp_path / name / "new").read_text() == "mine"


def test_a_disk_without_locks_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", flock)
    files.write(tmp_path / "a.txt", "one")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
