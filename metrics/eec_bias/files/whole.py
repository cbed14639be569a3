"""Folders that are written, and replaced, as a whole."""

import contextlib
import errno
import os
import stat
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from eec_bias.errors import FileError
from eec_bias.files.lock import locked
from eec_bias.files.places import as_file_error, check_writable, digest_of, is_read_only, keep_mode, status_of, sync
from eec_bias.files.register import MARKS, OVERWRITE, REGISTER, not_ours, register_of, registered
from eec_bias.files.single import fill
from eec_bias.files.work import NEW, OLD, work_folder

UNMOVABLE = frozenset({errno.EBUSY, errno.EXDEV})
"""What the system says of a mount point, or of a folder of a container's image, that is to be renamed."""


def check_folder(folder: Path, names: Collection[str], *, overwrite: bool = False) -> None:
    """Refuse a folder that cannot be replaced as a whole.

    Parameters
    ----------
    folder : Path
        One that is to be written whole.
    names : collection of str
        What is to be written in it, by path.
    overwrite : bool
        Whether files of these names may be replaced that we did not write, or that were changed since. What has
        another name and is not ours is never taken away.

    Raises
    ------
    FileError
        It holds something that would be lost, or what another command has made; or is read-only or a mount point; or
        cannot be made or written.
    """
    with as_file_error(folder):
        check_writable(folder.parent)
        there = status_of(folder)
        if there is None:
            return
        if not stat.S_ISDIR(there.st_mode):
            raise FileError(f"{folder} is no folder, and one is to be written. Choose another place")
        if os.path.ismount(folder):
            raise FileError(_unmovable(folder))
        # Where one stands may itself be gone.
        with contextlib.suppress(FileNotFoundError):
            if Path.cwd().is_relative_to(folder.resolve()):
                raise FileError(
                    f"{folder} is replaced as a whole, and is the folder you stand in, or above it; nothing was "
                    "changed. Choose another folder, or go to the one above it and name it from there"
                )
        entries = sorted(folder.rglob("*"))
        for path in (folder, *entries):
            if is_read_only(path.lstat()):
                raise FileError(
                    f"{folder} is replaced as a whole, and {path} is read-only; nothing was changed. Choose another "
                    "folder, or make it writable"
                )
        _check_content(folder, entries, names, overwrite=overwrite)


def _check_content(folder: Path, entries: Sequence[Path], names: Collection[str], *, overwrite: bool) -> None:
    """Refuse a folder that holds what is not ours."""
    paths = []
    for path in entries:
        # Of folders only those with nothing in them.
        if path.is_symlink() or not path.is_dir() or not any(path.iterdir()):
            paths.append(path.relative_to(folder).as_posix())
    register = register_of(folder)

    def digest(name: str) -> str:
        return digest_of(folder / name)

    # What would be lost whatever is asked for is told first.
    if cause := not_ours(paths, digest, register, names):
        raise FileError(
            f"{folder} is replaced as a whole, and holds what would be lost ({cause}); nothing was changed. Choose "
            "another folder, or move it away"
        )
    if REGISTER in paths and not register and (folder / REGISTER).is_symlink():
        raise FileError(
            f"{folder} is replaced as a whole, and '{REGISTER}' in it is a link that eec did not make; nothing was "
            "changed. Choose another folder, or move it away"
        )
    if overwrite:
        return
    marks = [name for name in MARKS if (folder / name).exists()]
    if cause := not_ours(paths, digest, register):
        reason = f"is there already ({cause})"
    elif register and marks != [name for name in MARKS if name in names]:
        reason = "holds what another command has made"
    else:
        return
    raise FileError(f"{folder} {reason}, and nothing was changed. Choose another folder, or {OVERWRITE}")


def _unmovable(folder: Path) -> str:
    return (
        f"{folder} cannot be replaced as a whole, since it is a mount point or part of a container's image; nothing "
        f"was changed. Write to a folder in it, such as {folder / 'eec'}"
    )


def write_folder(folder: Path, contents: Mapping[str, bytes], *, overwrite: bool = False) -> None:
    """Write a folder that replaces the one before it as a whole.

    Parameters
    ----------
    folder : Path
        Its place.
    contents : mapping of str to bytes
        Files by their paths within it.
    overwrite : bool
        As for `check_folder`.

    Raises
    ------
    FileError
        See `check_folder`; or the disk is full, the file system keeps no locks, or another run goes on writing the same
        folder. The older folder is as it was.

    Notes
    -----
    The new folder lies beside the old one until it is whole. Between two renames there is none in its place; where a
    run is killed there, the next one puts the older folder back. The file ``.NAME.lock`` beside the folder stays: it is
    the lock, not the file, that keeps others away, and the system lets go of that when a run ends, however it ends.
    """
    check_folder(folder, contents, overwrite=overwrite)
    with as_file_error(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder), work_folder(folder) as work:
            _fill_folder(work / NEW, registered(contents), folder)
            # Another run may have been quicker, and others know nothing of the lock.
            check_folder(folder, contents, overwrite=overwrite)
            if status_of(folder) is not None:
                _move_aside(folder, work / OLD)
            (work / NEW).rename(folder)
            sync(folder.parent)


def start_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write a new folder that somebody else will go on with: it has no register, and must not exist before.

    Raises
    ------
    FileError
        It is there already, or cannot be written.
    """

    def refuse() -> None:
        if status_of(folder) is not None:
            raise FileError(f"{folder} is there already and was left alone. Choose another name")

    refuse()
    with as_file_error(folder):
        check_writable(folder.parent)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with work_folder(folder) as work:
            _fill_folder(work / NEW, contents, folder)
            # Another process may have been quicker.
            refuse()
            (work / NEW).rename(folder)
            sync(folder.parent)


def _fill_folder(new: Path, contents: Mapping[str, bytes], former: Path) -> None:
    """Write the files of a folder to disk, with the modes of those that they replace."""
    new.mkdir()
    for name, raw in contents.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fill(path, raw)
        keep_mode(former / name, path)
    folders = [path for path in new.rglob("*") if path.is_dir()]
    for path in (*folders, new):
        keep_mode(former / path.relative_to(new), path)
        sync(path)


def _move_aside(folder: Path, aside: Path) -> None:
    try:
        folder.rename(aside)
    except OSError as error:
        if error.errno in UNMOVABLE:
            raise FileError(_unmovable(folder)) from error
        raise
