"""Single files, and several that take their places together."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from eec_bias.errors import FileError
from eec_bias.files.places import (
    NoFileError,
    as_file_error,
    check_writable,
    is_read_only,
    keep_mode,
    status_of,
    sync,
)
from eec_bias.files.register import OVERWRITE
from eec_bias.files.work import NEW, work_folder

NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV})
"""What a file system without hard links says."""


def check(paths: Iterable[Path], *, overwrite: bool = False) -> None:
    """Refuse places that may not or cannot be written to, before time is spent on their content.

    Parameters
    ----------
    paths : iterable of Path
        Files that are to be written.
    overwrite : bool
        Whether a file that is there may be replaced; one that is read-only never is.

    Raises
    ------
    FileError
        There is a file already, or a folder or a device; or a folder cannot be made or written.
    """
    for path in paths:
        with as_file_error(path):
            _check_place(path, overwrite=overwrite)
            check_writable(path.parent)


def _check_place(path: Path, *, overwrite: bool) -> None:
    there = status_of(path)
    if there is None:
        return
    if stat.S_ISDIR(there.st_mode):
        raise FileError(f"{path} is a folder; expected the name of a file")
    if not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        raise FileError(f"{path} is a device or a pipe; expected the name of a file")
    if not overwrite:
        raise FileError(f"{path} is there already, and nothing was changed. Choose another name, or {OVERWRITE}")
    if is_read_only(there):
        raise FileError(f"{path} is read-only, and nothing was changed. Choose another name, or make it writable")


@contextlib.contextmanager
def replacing(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give the block a temporary file that replaces `path` when the block ends; if the block fails, nothing is left.

    Parameters
    ----------
    path : Path
        What is to be written; the folder is made where there is none.
    overwrite : bool
        As for `check`.

    Raises
    ------
    FileError
        See `check`; or the disk is full.
    """
    check([path], overwrite=overwrite)
    with as_file_error(path), work_folder(path) as work:
        part = work / NEW
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        # Another process may have been quicker.
        check([path], overwrite=overwrite)
        _put(part, path, overwrite=overwrite)


def write(path: Path, content: str | bytes, *, overwrite: bool = False) -> Path:
    """Write a text in UTF-8 as it is, or bytes (see `replacing`); return the path."""
    return write_all({path: content}, overwrite=overwrite)[0]


def write_all(contents: Mapping[Path, str | bytes], *, overwrite: bool = False) -> list[Path]:
    """Write several files, none of which appears before all are on disk (see `replacing`); return their paths."""
    check(contents, overwrite=overwrite)
    with contextlib.ExitStack() as works:
        parts = {}
        for path, content in contents.items():
            with as_file_error(path):
                parts[path] = works.enter_context(work_folder(path)) / NEW
                fill(parts[path], content)
        # Another process may have been quicker.
        check(contents, overwrite=overwrite)
        for path, part in parts.items():
            with as_file_error(path):
                _put(part, path, overwrite=overwrite)
    return list(contents)


def write_over(contents: Mapping[Path, str | bytes]) -> None:
    """Write files whatever they hold: a user's own files that are changed by request, or scratch.

    None takes its place before all are on disk.

    Raises
    ------
    OSError
        One is a link or read-only, or cannot be written.
    """
    with contextlib.ExitStack() as works:
        parts = {}
        for path, content in contents.items():
            there = status_of(path)
            if there is not None and stat.S_ISLNK(there.st_mode):
                raise NoFileError(errno.ELOOP, "it is a link; name the file itself")
            if there is not None and is_read_only(there):
                raise PermissionError(errno.EACCES, "it is read-only")
            parts[path] = works.enter_context(work_folder(path)) / NEW
            fill(parts[path], content)
        for path, part in parts.items():
            _put(part, path, overwrite=True)


def fill(part: Path, content: str | bytes) -> None:
    """Write a new file and flush it to disk."""
    with part.open("xb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _put(part: Path, path: Path, *, overwrite: bool) -> None:
    """Move a finished file to its place, with the mode of the one that it replaces."""
    keep_mode(path, part)
    if overwrite:
        part.replace(path)
    else:
        _put_where_none_is(part, path)
    sync(path.parent)


def _put_where_none_is(part: Path, path: Path) -> None:
    try:
        os.link(part, path)  # unlike a rename it replaces nothing
    except FileExistsError:
        _check_place(path, overwrite=False)
        raise
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        part.replace(path)
