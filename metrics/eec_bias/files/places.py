"""Names in the file system: what stands there, whether it may be written to, and its mode.

A name is never followed where it is a link, and nothing is waited for.
"""

import contextlib
import errno
import hashlib
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from eec_bias.errors import FileError

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""Flags of ``open`` that Windows lacks."""


class NoFileError(OSError):
    """A name is that of a link, a folder, a device or a pipe."""


def open_own(path: Path) -> io.BufferedReader:
    """Open a file to read it; a link is not followed, and a pipe is not waited for."""
    try:
        number = os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAIT)
    except OSError as error:
        if path.is_symlink():
            raise NoFileError(errno.ELOOP, "it is a link") from error
        raise
    stream = os.fdopen(number, "rb")
    if not stat.S_ISREG(os.fstat(number).st_mode):
        stream.close()
        raise NoFileError(errno.EINVAL, "it is no file")
    return stream


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file; empty for a link and for what is no file."""
    try:
        with open_own(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, NoFileError):
        return ""


def own_place(path: Path) -> Path:
    """The full path of a name; links in the folders above are resolved, but not the name itself."""
    whole = path.absolute()
    if whole.name in ("", ".."):
        return Path(os.path.realpath(whole))
    return Path(os.path.realpath(whole.parent), whole.name)


def status_of(path: Path) -> os.stat_result | None:
    """The status of a name itself, not of what it links to; None where it does not exist."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def is_read_only(status: os.stat_result) -> bool:
    """Whether nobody may write; by the mode, as the administrator may write whatever the mode says."""
    return not stat.S_ISLNK(status.st_mode) and not status.st_mode & 0o222


def check_writable(folder: Path) -> None:
    """Refuse a folder in which nothing can be created; for one that does not exist yet, its nearest existing parent."""
    above = next(path for path in (folder, *folder.parents) if path.exists())
    if not above.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if is_read_only(above.stat()) or not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def keep_mode(former: Path, new: Path) -> None:
    """Give a file or folder the mode of the one that it replaces, if that is of the same kind."""
    there = status_of(former)
    if there is not None and stat.S_IFMT(there.st_mode) == stat.S_IFMT(new.lstat().st_mode):
        new.chmod(stat.S_IMODE(there.st_mode))


def sync(folder: Path) -> None:
    """Flush the entries of a folder to disk."""
    if os.name == "nt":  # folders cannot be opened there
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise
    finally:
        os.close(number)


@contextlib.contextmanager
def as_file_error(path: Path) -> Iterator[None]:
    """Turn an error of the system during writing into a `FileError` that names the place."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"Cannot write {path}: {error.strerror or error}. Choose a folder that you may write to and that has room"
        ) from error
