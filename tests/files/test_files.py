"""The room that writes: what it takes for its own, and what it never touches."""

import errno
import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import eec_bias.files
from eec_bias.errors import OptionError
from eec_datasets import files
from eec_datasets.errors import OutputUnwritable

KNOWN = "is there already ('a.txt' was changed since eec wrote it), and nothing was changed"
UNKNOWN = "is there already (eec is not known to have written 'a.txt'), and nothing was changed"


def theirs(path: Path) -> None:
    path.write_text("mine")


def changed(path: Path) -> None:
    files.write(path, "one")
    path.write_text("mine")


def renamed(path: Path) -> None:
    files.write(path.with_name("b.txt"), "one")
    path.with_name("b.txt").rename(path)


def linked(path: Path) -> None:
    files.write(path, "one")
    path.rename(path.with_name("b.txt"))
    path.symlink_to("b.txt")


def linked_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (theirs, UNKNOWN), (changed, KNOWN), (renamed, UNKNOWN), (linked, KNOWN), (linked_to_nothing, UNKNOWN),
        (lambda path: path.mkdir(), "is a folder; expected the name of a file"),
        (os.mkfifo, "is a device or a pipe; expected the name of a file"),
    ],
)  # fmt: skip
def test_what_is_not_ours_is_refused(prepare: object, why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    prepare(path)  # type: ignore[operator]
    before = standing(tmp_path)
    with pytest.raises(OutputUnwritable) as refused:
        files.write(path, "two")
    assert str(refused.value).startswith(f"{path} {why}")
    with pytest.raises(OptionError, match=r"a\.txt is"):
        eec_bias.files.write(path, b"two")
    if "expected" in why:
        for write in (files.write, eec_bias.files.write):
            with pytest.raises((OutputUnwritable, OptionError), match=r"a folder|a device"):
                write(path, b"two", overwrite=True)
    assert standing(tmp_path) == before
    if "expected" not in why:
        files.write(path, "two", overwrite=True)
        assert (path.read_text(), path.is_symlink()) == ("two", False)
        files.write(path, "three")


def standing(folder: Path) -> list[tuple[str, bool]]:
    """What is there, and whether it is a file or a link."""
    return sorted((each.name, each.is_symlink() or each.is_file()) for each in folder.iterdir())


def test_of_several_files_none_is_written_where_one_may_not_be(tmp_path: Path) -> None:
    theirs(tmp_path / "b.txt")
    with pytest.raises(OutputUnwritable, match=r"b\.txt is there already"):
        files.write_all({tmp_path / "a.txt": "one", tmp_path / "b.txt": "one"})
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


def test_both_packages_keep_one_register(tmp_path: Path) -> None:
    files.write(tmp_path / "a.txt", "one")
    eec_bias.files.write(tmp_path / "a.txt", b"two")
    files.write(tmp_path / "a.txt", "three")
    eec_bias.files.write(tmp_path / 'über "b".txt', b"one")
    files.write(tmp_path / 'über "b".txt', "two")
    register = (tmp_path / files.REGISTER).read_text()
    assert register.startswith(files.HEAD)
    assert (eec_bias.files.REGISTER, eec_bias.files.HEAD) == (files.REGISTER, files.HEAD)
    assert register.count("\n") == 6


def test_a_register_that_a_full_disk_has_torn_is_gone_on_with(tmp_path: Path) -> None:
    files.write(tmp_path / "a.txt", "one")
    register = tmp_path / files.REGISTER
    register.write_text(register.read_text()[:-9])
    with pytest.raises(OutputUnwritable):
        files.write(tmp_path / "a.txt", "two")
    files.write(tmp_path / "b.txt", "one")
    files.write(tmp_path / "b.txt", "two")


def test_a_folder_is_replaced_whole_and_nothing_of_others_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    files.write_folder(folder, {"a.txt": b"one", "b/c.txt": b"one"})
    files.write_folder(folder, {"a.txt": b"two"})
    assert sorted(path.name for path in folder.iterdir()) == [files.REGISTER, "a.txt"]
    for name, prepare in {"empty": Path.mkdir, "link": lambda path: path.symlink_to("a.txt"), ".git": theirs}.items():
        prepare(folder / name)  # type: ignore[operator]
        for overwrite in (False, True):
            with pytest.raises(OutputUnwritable, match=f"would be lost .*'{name}'"):
                files.write_folder(folder, {"a.txt": b"three"}, overwrite=overwrite)
        (folder / name).rmdir() if name == "empty" else (folder / name).unlink()
    theirs(folder / "a.txt")
    with pytest.raises(OutputUnwritable, match="was changed since"):
        files.write_folder(folder, {"a.txt": b"three"})
    files.write_folder(folder, {"a.txt": b"three"}, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_a_folder_that_another_command_has_made_is_replaced_only_where_that_is_asked_for(tmp_path: Path) -> None:
    build, imported = {"README.md": b"card", "manifest.json": b"{}"}, {"README.md": b"card"}
    measured = {"result.json": b"{}"}
    for before, after in itertools.permutations((build, imported, measured), 2):
        folder = tmp_path / "made"
        files.write_folder(folder, before, overwrite=True)
        files.write_folder(folder, before)
        with pytest.raises(OutputUnwritable, match="holds what another command has made, and nothing was changed"):
            files.write_folder(folder, after)
        assert all((folder / name).read_bytes() == text for name, text in before.items())


@pytest.mark.parametrize("place", [".", "..", "below/.."])
def test_a_folder_that_the_user_stands_in_is_not_moved_from_under_them(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(OutputUnwritable, match="is the folder you stand in, or above it; nothing was changed"):
        files.write_folder(Path(place), {"a.txt": b"one"}, overwrite=True)
    assert [path.name for path in tmp_path.rglob("*")] == ["here", "below"]


@pytest.mark.parametrize("write", [files.write_folder, files.start_folder])
def test_what_somebody_else_writes_meanwhile_is_left_alone(
    write: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "made"
    monkeypatch.setattr(files, "_fill", lambda *_: (folder.mkdir(exist_ok=True), theirs(folder / "a.txt")))
    with pytest.raises(OutputUnwritable, match="is there already"):
        write(folder, {"a.txt": b"one"})
    assert [path.name for path in tmp_path.rglob("*")] == ["made", "a.txt"]


def test_files_that_no_register_names_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs(tmp_path / "video.mp4")
    monkeypatch.setattr(files, "digest_of", None)
    for write in (lambda: files.write(tmp_path / "video.mp4", "one"), lambda: files.write_folder(tmp_path, {})):
        with pytest.raises(OutputUnwritable, match=r"eec is not known to have written 'video\.mp4'"):
            write()


def test_a_user_s_own_files_change_together_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files.write_unregistered(dict.fromkeys(paths, "one"))
    calls = iter([None, OSError(errno.ENOSPC, "full")])

    def full(_: int) -> None:
        if error := next(calls):
            raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="full"):
            files.write_unregistered(dict.fromkeys(paths, "two"))
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["one", "one"]
