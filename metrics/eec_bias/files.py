"""The one place that owns and writes files: whole or not at all, and never in the place of what is somebody else's.

A file that exists is replaced only where ``overwrite`` says so. A folder that is written as a whole holds a register of
its files (`REGISTER`: SHA-256 and name). It is ours while it holds nothing but what its register lists, unchanged, and
is then replaced as a whole, under a lock that the operating system keeps. A name that is a link is never followed, what
is read-only stays, and modes are kept.

What is written lies in a work folder with a random name beside its place until it is whole and on disk. What a run that
was killed has left there is undone by the next run that writes to the same place: it knows the work folder by the text
in it, and that nobody works there by the lock, not by a name or the number of a process.
"""

import contextlib
import errno
import hashlib
import io
import json
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from eec_bias.errors import FileError

REGISTER = ".eec-written"
"""File of a folder that lists what eec has written there."""

HEAD = "# What eec has written here: SHA-256 and name. It replaces these files unasked while they are unchanged.\n"
MARKS = ("README.md", "manifest.json", "result.json")
"""Files by which folders of different commands are told apart: a build, an imported corpus, a result, a task."""

OVERWRITE = "replace it: --overwrite on the command line, overwrite=True in Python"

LARGEST_REGISTER = 1 << 26
"""Bytes of the largest register that is read."""

PATIENCE = 60.0
"""Seconds to wait for another run that writes the same folder."""

WORK = ".eec-"
"""How the name of a work folder begins; a random part follows."""

WORK_TEXT = "eec writes here, and moves it from here to its place: "
"""What the file `WORK_FILE` of a work folder says, followed by the name of the place."""

WORK_FILE = "about"
WORK_LOCK = "lock"
NEW = "new"
OLD = "old"

NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})
"""What a file system without locks says."""

NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV})
"""What a file system without hard links says."""

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""Flags of ``open`` that Windows lacks."""

UNMOVABLE = frozenset({errno.EBUSY, errno.EXDEV})
"""What the system says of a mount point, or of a folder of a container's image, that is to be renamed."""


# Registers of folders


def line_of(name: str, digest: str) -> str:
    """Return the line of a register for a file."""
    return f"{digest}  {json.dumps(name)}"


def registered(contents: Mapping[str, bytes], before: str = "") -> dict[str, bytes]:
    """Return files by their paths within a folder, and as one file more the register of them and of those before."""
    lines = [line_of(name, hashlib.sha256(raw).hexdigest()) for name, raw in contents.items()]
    text = "".join([before or HEAD, *(f"{line}\n" for line in lines)])
    return {**contents, REGISTER: text.encode()}


def not_ours(
    paths: Iterable[str], digest: Callable[[str], str], register: str, replaceable: Collection[str] = ()
) -> str:
    """Return why a folder is not ours: a file that is not as we wrote it; empty where all are.

    Parameters
    ----------
    paths : iterable of str
        Paths within the folder.
    digest : callable
        Gives the SHA-256 of one, empty for what is no file; asked for those only that the register names.
    register : str
        Text of its register.
    replaceable : collection of str
        Paths that may hold anything.

    Returns
    -------
    str
        A clause that names the file.
    """
    lines = set(register.splitlines())
    known_names = {line.partition("  ")[2] for line in lines}
    for name in paths:
        if name in (REGISTER, *replaceable):
            continue
        if json.dumps(name) not in known_names:
            return f"eec is not known to have written '{name}'"
        if line_of(name, digest(name)) not in lines:
            return f"'{name}' was changed since eec wrote it"
    return ""


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file; empty for a link and for what is no file."""
    try:
        with _open_own(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, _NoFileError):
        return ""


class _NoFileError(OSError):
    """A name is that of a link, a folder, a device or a pipe."""


def _open_own(path: Path) -> io.BufferedReader:
    """Open a file to read it; its name is not followed where it is a link, and nothing is waited for."""
    try:
        number = os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAIT)
    except OSError as error:
        if path.is_symlink():
            raise _NoFileError(errno.ELOOP, "it is a link") from error
        raise
    stream = os.fdopen(number, "rb")
    if not stat.S_ISREG(os.fstat(number).st_mode):
        stream.close()
        raise _NoFileError(errno.EINVAL, "it is no file")
    return stream


def _register_of(folder: Path) -> str:
    """Return the register of a folder; empty where there is none, or where its name is that of something else."""
    try:
        with _open_own(folder / REGISTER) as stream:
            return stream.read(LARGEST_REGISTER).decode(errors="replace")
    except (FileNotFoundError, _NoFileError):
        return ""


# Single files


def check(paths: Iterable[Path], *, overwrite: bool = False) -> None:
    """Refuse places that nothing may or can be written to, before any time is spent on what goes there.

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
            _check_writable(path.parent)


def _check_place(path: Path, *, overwrite: bool) -> None:
    there = _status(path)
    if there is None:
        return
    if stat.S_ISDIR(there.st_mode):
        raise FileError(f"{path} is a folder; expected the name of a file")
    if not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        raise FileError(f"{path} is a device or a pipe; expected the name of a file")
    if not overwrite:
        raise FileError(f"{path} is there already, and nothing was changed. Choose another name, or {OVERWRITE}")
    if _is_read_only(there):
        raise FileError(f"{path} is read-only, and nothing was changed. Choose another name, or make it writable")


def _status(path: Path) -> os.stat_result | None:
    """Return what the system says of a name itself, not of what it leads to; None where there is none."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _is_read_only(status: os.stat_result) -> bool:
    """Whether nobody may write; by the mode, as the administrator may write whatever the mode says."""
    return not stat.S_ISLNK(status.st_mode) and not status.st_mode & 0o222


def _check_writable(folder: Path) -> None:
    """Refuse a folder in which nothing can be made; of one that is to be made, the one above it that is there."""
    above = next(path for path in (folder, *folder.parents) if path.exists())
    if not above.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if _is_read_only(above.stat()) or not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextlib.contextmanager
def replacing(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give the block a file to write that takes the place of `path` at its end; if it fails, nothing is left of it.

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
    with as_file_error(path), _work_folder(path) as work:
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
    """Write files, of which none takes its place before all are on disk (see `replacing`); return their paths."""
    check(contents, overwrite=overwrite)
    with contextlib.ExitStack() as works:
        parts = {}
        for path, content in contents.items():
            with as_file_error(path):
                parts[path] = works.enter_context(_work_folder(path)) / NEW
                _fill(parts[path], content)
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
            there = _status(path)
            if there is not None and stat.S_ISLNK(there.st_mode):
                raise _NoFileError(errno.ELOOP, "it is a link; name the file itself")
            if there is not None and _is_read_only(there):
                raise PermissionError(errno.EACCES, "it is read-only")
            parts[path] = works.enter_context(_work_folder(path)) / NEW
            _fill(parts[path], content)
        for path, part in parts.items():
            _put(part, path, overwrite=True)


def _fill(part: Path, content: str | bytes) -> None:
    with part.open("xb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _put(part: Path, path: Path, *, overwrite: bool) -> None:
    """Move a whole file to its place; it takes over the mode of the one that was there."""
    _keep_mode(path, part)
    if overwrite:
        part.replace(path)
    else:
        _put_where_none_is(part, path)
    _sync(path.parent)


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


def _keep_mode(former: Path, new: Path) -> None:
    """Give a file or folder the mode of the one whose place it takes, where there is one of the same kind."""
    there = _status(former)
    if there is not None and stat.S_IFMT(there.st_mode) == stat.S_IFMT(new.lstat().st_mode):
        new.chmod(stat.S_IMODE(there.st_mode))


def _sync(folder: Path) -> None:
    """Bring the names in a folder to disk."""
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


# Folders


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
        _check_writable(folder.parent)
        there = _status(folder)
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
            if _is_read_only(path.lstat()):
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
    register = _register_of(folder)

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
        with _locked(folder), _work_folder(folder) as work:
            _fill_folder(work / NEW, registered(contents), folder)
            # Another run may have been quicker, and others know nothing of the lock.
            check_folder(folder, contents, overwrite=overwrite)
            if _status(folder) is not None:
                _move_aside(folder, work / OLD)
            (work / NEW).rename(folder)
            _sync(folder.parent)


def start_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write a folder that is for somebody else to go on with: without a register, where there was none before.

    Raises
    ------
    FileError
        It is there already, or cannot be written.
    """

    def refuse() -> None:
        if _status(folder) is not None:
            raise FileError(f"{folder} is there already and was left alone. Choose another name")

    refuse()
    with as_file_error(folder):
        _check_writable(folder.parent)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _work_folder(folder) as work:
            _fill_folder(work / NEW, contents, folder)
            # Another process may have been quicker.
            refuse()
            (work / NEW).rename(folder)
            _sync(folder.parent)


def _fill_folder(new: Path, contents: Mapping[str, bytes], former: Path) -> None:
    """Write the files of a folder to disk, with the modes of those whose places they take."""
    new.mkdir()
    for name, raw in contents.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _fill(path, raw)
        _keep_mode(former / name, path)
    folders = [path for path in new.rglob("*") if path.is_dir()]
    for path in (*folders, new):
        _keep_mode(former / path.relative_to(new), path)
        _sync(path)


def _move_aside(folder: Path, aside: Path) -> None:
    try:
        folder.rename(aside)
    except OSError as error:
        if error.errno in UNMOVABLE:
            raise FileError(_unmovable(folder)) from error
        raise


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs from writing the same folder; the file of the lock stays, and means nothing by itself."""
    # Whoever may write to the folder above may lock, whoever made the file.
    lock = FileLock(folder.with_name(f".{folder.name}.lock"), timeout=PATIENCE, mode=0o666, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise FileError(
            f"Another run has been writing {folder} for {PATIENCE:.0f} seconds; nothing was changed. Wait until it is "
            "done, or choose another folder"
        ) from error
    except OSError as error:
        if error.errno in NO_LOCKS:
            raise FileError(
                f"The file system of {folder} keeps no locks ({error.strerror}), so two runs could mix what they "
                "write; nothing was changed. Write to a folder on another disk, and copy it"
            ) from error
        raise
    try:
        yield
    finally:
        lock.release()


# Work folders


@contextlib.contextmanager
def _work_folder(place: Path) -> Iterator[Path]:
    """Give the block a folder of its own beside a place, on the same disk; it is gone at the end."""
    place.parent.mkdir(parents=True, exist_ok=True)
    _undo_killed(place)
    work = place.parent / f"{WORK}{secrets.token_hex(8)}"
    lock = _work_lock(work)
    try:
        work.mkdir(mode=0o700)
        # Without locks nobody takes it for one that was left behind, and it stays if this run is killed.
        with contextlib.suppress(OSError):
            lock.acquire()
        (work / WORK_FILE).write_text(_work_text(place), encoding="utf-8")
        yield work
    finally:
        _undo(work, place)
        lock.release()


def _work_lock(work: Path) -> FileLock:
    return FileLock(work / WORK_LOCK, timeout=0, fallback_to_soft=False)


def _work_text(place: Path) -> str:
    return WORK_TEXT + json.dumps(place.name)


def _undo_killed(place: Path) -> None:
    """Undo what runs that were killed have left of a place; what merely has such a name is not touched."""
    for work in place.parent.glob(f"{WORK}*"):
        if not _is_work_on(place, work):
            continue
        lock = _work_lock(work)
        try:
            lock.acquire()
        except (Timeout, OSError):
            continue  # somebody works there
        try:
            _undo(work, place)
        finally:
            lock.release()


def _is_work_on(place: Path, work: Path) -> bool:
    """Whether a folder was made by `_work_folder` for a place."""
    try:
        if not stat.S_ISDIR(work.lstat().st_mode):
            return False
        inside = {path.name for path in work.iterdir()}
        if not {WORK_FILE} <= inside <= {WORK_FILE, WORK_LOCK, NEW, OLD}:
            return False
        with _open_own(work / WORK_FILE) as stream:
            return stream.read(1 << 16) == _work_text(place).encode()
    except OSError:
        return False


def _undo(work: Path, place: Path) -> None:
    """Remove a work folder; a folder that was moved aside goes back where no other has taken its place."""
    old = work / OLD
    moved = _status(old) is not None
    if moved and _status(work / NEW) is not None:
        if _status(place) is not None:
            raise FileError(
                f"A run that was stopped has moved {place} to {old}, and another {place} was made since; nothing was "
                "changed. Move the older one where you want it"
            )
        old.rename(place)
    _remove(work)


def _remove(work: Path) -> None:
    """Remove a work folder, last of all the file by which it is known: a run that is killed here is gone on with."""
    for name in (NEW, OLD):
        shutil.rmtree(work / name, ignore_errors=True)
    with contextlib.suppress(OSError):
        for name in (NEW, WORK_LOCK, WORK_FILE):
            (work / name).unlink(missing_ok=True)
        work.rmdir()


@contextlib.contextmanager
def as_file_error(path: Path) -> Iterator[None]:
    """Turn what the system says while something is written into a `FileError` that names the place."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"Cannot write {path}: {error.strerror or error}. Choose a folder that you may write to and that has room"
        ) from error
