"""Write files and folders whole, and replace nothing that is not ours.

A single file that exists is replaced only with ``overwrite``. A folder is always written as a whole. Its
``manifest.json`` names the command that wrote it and lists every file with its SHA-256. We replace such a folder only
if it holds exactly what its manifest lists: without asking if the same command wrote it, else with ``overwrite``.

New content lies in a work folder beside its place until it is complete. The name of the work folder is made from the
name of the place, and the operating system keeps a lock on it while its run lives. The next run that writes to the
same place removes the work folders of runs that were killed.
"""

import contextlib
import errno
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

from eec_bias.errors import OutputError

MANIFEST = "manifest.json"
"""File of a folder that lists what we have written there."""

FORMAT = 1
OVERWRITE = "replace it: --overwrite on the command line, overwrite=True in Python"

ADVICE = {
    errno.ENOSPC: "Make room on that disk, or write to another",
    errno.ENAMETOOLONG: "Give a shorter path",
}
"""Advice on fixing an error of the system, by the number of the error."""

NEW, OLD = "new", "old"
"""In a work folder: what is being written, and the folder that it replaces."""


# Manifests


def with_manifest(contents: Mapping[str, bytes], command: str, before: bytes = b"{}") -> dict[str, bytes]:
    """Return the files of a folder with their manifest.

    Parameters
    ----------
    contents : mapping of str to bytes
        Files by their paths within the folder.
    command : str
        The command that writes them, such as ``audit``.
    before : bytes
        A manifest with further facts, which are kept, and with files that stay in the folder.
    """
    facts = json.loads(before)
    hashes = {name: hashlib.sha256(raw).hexdigest() for name, raw in contents.items() if name != MANIFEST}
    files = {**facts.pop("files", {}), **hashes}
    manifest = {"format": FORMAT, **facts, "command": command, "files": dict(sorted(files.items()))}
    return {**contents, MANIFEST: (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()}


def listed_in(manifest: bytes) -> tuple[str, dict[str, str]]:
    """Return the command and the files (path → SHA-256) of a manifest; nothing if it is another program's."""
    try:
        read = json.loads(manifest)
        return str(read["command"]), {str(name): str(digest) for name, digest in read["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "", {}


def first_foreign(
    names: Iterable[str], digest: Callable[[str], str], files: Mapping[str, str], replaceable: Collection[str] = ()
) -> str:
    """Return a clause that names the first file that a manifest does not list as it is now; empty if there is none.

    Parameters
    ----------
    names : iterable of str
        Paths of the files that are there.
    digest : callable
        Gives the SHA-256 of a file; asked only for files that the manifest lists.
    files : mapping of str to str
        What the manifest lists (see `listed_in`).
    replaceable : collection of str
        Paths that may hold anything.
    """
    for name in sorted(names):
        if name in replaceable or (name == MANIFEST and files):
            continue
        if name not in files:
            return f"eec did not write '{name}'"
        if digest(name) != files[name]:
            return f"'{name}' was changed since eec wrote it"
    return ""


# Folders


def check_folder(folder: Path, command: str, *, overwrite: bool = False, inputs: Iterable[Path] = ()) -> None:
    """Refuse a folder that cannot be written as a whole, before time is spent on its content.

    Parameters
    ----------
    folder : Path
        Its place.
    command : str
        The command that is going to write it.
    overwrite : bool
        Replace a complete folder of another command, or an incomplete one of ours. A file that its manifest does not
        list is never taken away.
    inputs : iterable of Path
        Files that the command reads. A folder that holds one is not replaced.

    Raises
    ------
    OutputError
        It holds something that would be lost, or what another command has made; it is a link, a mount point, read-only
        or the folder you are in; it cannot be made or written.
    """
    with as_output_error(folder):
        if folder.is_symlink():
            raise OutputError(
                f"{folder} is a link, and we follow none, as it may lead to someone else's folder; nothing was "
                "changed. Name the folder itself, or another one"
            )
        _check_writable(folder.parent)
        if not folder.exists():
            return
        if not folder.is_dir():
            raise OutputError(f"{folder} is not a folder, and we need to write a folder here. Choose another place")
        if os.path.ismount(folder):
            raise OutputError(_unmovable(folder))
        with contextlib.suppress(FileNotFoundError):  # the current folder may be gone
            if Path.cwd().is_relative_to(folder.resolve()):
                raise OutputError(
                    f"{folder} is the folder you are in, or above it, and would be replaced as a whole; nothing was "
                    f"changed. Name a new folder in it, such as {folder / 'eec'}"
                )
        for path in inputs:
            if path.resolve().is_relative_to(folder.resolve()):
                raise OutputError(
                    f"{folder} would be replaced as a whole, and contains {path}, which this command reads; nothing "
                    f"was changed. Choose another folder"
                )
        _check_content(folder, command, overwrite=overwrite)


def _check_content(folder: Path, command: str, *, overwrite: bool) -> None:
    """Refuse a folder that holds what is not ours to replace."""
    names = []
    for path in (folder, *folder.rglob("*")):
        status = path.lstat()
        if _is_read_only(status):
            raise OutputError(
                f"{folder} would be replaced as a whole, and {path} is read-only; nothing was changed. Choose another "
                "folder, or make it writable"
            )
        if path != folder and (not stat.S_ISDIR(status.st_mode) or not any(path.iterdir())):
            names.append(path.relative_to(folder).as_posix())
    manifest = folder / MANIFEST
    text = manifest.read_bytes() if manifest.is_file() and not manifest.is_symlink() else b""
    made_by, files = listed_in(text)
    if cause := first_foreign(names, lambda name: _digest(folder / name), files):
        raise OutputError(
            f"{folder} would be replaced as a whole, and something would be lost ({cause}); nothing was changed. "
            "Choose another folder, or move it away"
        )
    if overwrite or not names:
        return
    missing = sorted(files.keys() - set(names))
    if made_by != command:
        reason = f"contains files of eec {made_by}"
    elif missing:
        reason = f"already exists and lacks '{missing[0]}', which its manifest lists"
    else:
        return
    raise OutputError(f"{folder} {reason}, and nothing was changed. Choose another folder, or {OVERWRITE}")


def write_folder(folder: Path, contents: Mapping[str, bytes], command: str, *, overwrite: bool = False) -> None:
    """Write a folder with its manifest; it replaces the one before it as a whole (see `check_folder`).

    Parameters
    ----------
    folder : Path
        Its place.
    contents : mapping of str to bytes
        Files by their paths within it. If one of them is the manifest, its further facts are kept.
    command, overwrite
        As for `check_folder`.

    Raises
    ------
    OutputError
        See `check_folder`; or the disk is full. The older folder is as it was.
    """
    check_folder(folder, command, overwrite=overwrite)
    whole = with_manifest(contents, command, contents.get(MANIFEST, b"{}"))
    with as_output_error(folder), _work_folder(folder) as work:
        place, new, old = _place(folder), work / NEW, work / OLD
        _fill_folder(new, whole)
        while True:
            # Another run may have been quicker.
            check_folder(folder, command, overwrite=overwrite)
            with _movable(folder), contextlib.suppress(FileNotFoundError):
                place.rename(old)
            try:
                new.rename(place)
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
                shutil.rmtree(old, ignore_errors=True)  # another run has replaced it between the two renames
            else:
                return


def start_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write a new folder that someone else will go on with: it has no manifest, and must not exist before.

    Raises
    ------
    OutputError
        It already exists, or cannot be written.
    """

    def refuse() -> None:
        if os.path.lexists(folder):
            raise OutputError(f"{folder} already exists, and nothing was changed. Choose another name")

    refuse()
    with as_output_error(folder):
        _check_writable(folder.parent)
        with _work_folder(folder) as work:
            _fill_folder(work / NEW, contents)
            # Another process may have been quicker.
            refuse()
            (work / NEW).rename(_place(folder))


def _fill_folder(new: Path, contents: Mapping[str, bytes]) -> None:
    new.mkdir()
    for name, raw in contents.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _fill(path, raw)


@contextlib.contextmanager
def _movable(folder: Path) -> Iterator[None]:
    """Say of a folder that the system does not rename what it is."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EBUSY, errno.EXDEV):
            raise OutputError(_unmovable(folder)) from error
        raise


def _unmovable(folder: Path) -> str:
    return (
        f"{folder} cannot be replaced as a whole, since it is a mount point or part of a container's image; nothing "
        f"was changed. Write to a folder in it, such as {folder / 'eec'}"
    )


# Single files


def check(paths: Iterable[Path], *, overwrite: bool = False) -> None:
    """Refuse files that may not or cannot be written, before time is spent on their content.

    Raises
    ------
    OutputError
        A file exists and `overwrite` is not set, or it is read-only; it is a folder or a device; its folder cannot be
        made or written.
    """
    for path in paths:
        with as_output_error(path):
            _check_file(path, overwrite=overwrite)
            _check_writable(path.parent)


def _check_file(path: Path, *, overwrite: bool) -> None:
    if not os.path.lexists(path):
        return
    there = path.lstat()
    if stat.S_ISDIR(there.st_mode):
        raise OutputError(f"{path} is a folder; expected the name of a file")
    if not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        raise OutputError(f"{path} is a device or a pipe; expected the name of a file")
    if not overwrite:
        raise OutputError(f"{path} already exists, and nothing was changed. Choose another name, or {OVERWRITE}")
    if _is_read_only(there):
        raise OutputError(f"{path} is read-only, and nothing was changed. Choose another name, or make it writable")


@contextlib.contextmanager
def replacing(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give the block a temporary file that replaces `path` when the block ends; if the block fails, nothing is left.

    Raises
    ------
    OutputError
        See `check`; or the disk is full.
    """
    check([path], overwrite=overwrite)
    with as_output_error(path), _work_folder(path) as work:
        part = work / NEW
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        # Another process may have been quicker.
        check([path], overwrite=overwrite)
        part.replace(_place(path))


def write(path: Path, content: str | bytes, *, overwrite: bool = False) -> Path:
    """Write a text in UTF-8 as it is, or bytes (see `replacing`); return the path."""
    with replacing(path, overwrite=overwrite) as part:
        _fill(part, content)
    return path


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
            if path.is_symlink():
                raise OSError(errno.ELOOP, "it is a link; name the file itself")
            if path.exists() and _is_read_only(path.lstat()):
                raise PermissionError(errno.EACCES, "it is read-only")
            parts[path] = works.enter_context(_work_folder(path)) / NEW
            _fill(parts[path], content)
        for path, part in parts.items():
            part.replace(_place(path))


def _fill(part: Path, content: str | bytes) -> None:
    """Write a new file and flush it to disk."""
    with part.open("xb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


# Work folders


@contextlib.contextmanager
def _work_folder(path: Path) -> Iterator[Path]:
    """Give the block a folder beside a place, on the same disk; remove it at the end, and those of killed runs before.

    A run that was killed between two renames has moved the older folder away; it comes back.
    """
    place = _place(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    begins = f".eec-{hashlib.sha256(os.fsencode(place.name)).hexdigest()[:16]}-"
    for left in place.parent.iterdir():
        if re.fullmatch(re.escape(begins) + "[0-9a-f]{16}", left.name) and not left.is_symlink():
            with _locked(left, wait=False) as is_locked:
                if is_locked:
                    _undo(left, place)
    while True:
        work = place.parent / f"{begins}{secrets.token_hex(8)}"
        work.mkdir(mode=0o700)
        with _locked(work, wait=True):
            if not work.exists():
                continue  # another run took it for one of a killed run before it was locked
            try:
                yield work
            finally:
                _undo(work, place)
            return


@contextlib.contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Lock a folder until the block or this process ends; false if another run has it, or the disk keeps no locks."""
    try:
        import fcntl

        number = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):  # Windows, or the folder is gone
        yield False
        return
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = True
        except OSError:
            is_locked = False
        yield is_locked
    finally:
        os.close(number)


def _undo(work: Path, place: Path) -> None:
    """Remove a work folder; a folder that was moved aside goes back if no other has taken its place."""
    old = work / OLD
    if old.exists() and (work / NEW).exists():
        if os.path.lexists(place):
            raise OutputError(
                f"A run that was stopped has moved {place} to {old}, and another {place} was made since; nothing was "
                "changed. Move the older one where you want it"
            )
        old.rename(place)
    shutil.rmtree(work, ignore_errors=True)


# The file system


def _place(path: Path) -> Path:
    """Return the full path of a name; links in the folders above are resolved, but not the name itself."""
    whole = path.absolute()
    if whole.name in ("", ".."):
        return Path(os.path.realpath(whole))
    return Path(os.path.realpath(whole.parent), whole.name)


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file; empty for a link and for anything that is no file."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _is_read_only(status: os.stat_result) -> bool:
    """Say if nobody may write; by the mode, as the administrator may write whatever the mode says."""
    return not stat.S_ISLNK(status.st_mode) and not status.st_mode & 0o222


def _check_writable(folder: Path) -> None:
    """Refuse a folder in which nothing can be created; if it does not exist yet, its nearest existing parent."""
    above = next(path for path in (folder, *folder.parents) if path.exists())
    if not above.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if _is_read_only(above.stat()) or not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextlib.contextmanager
def as_output_error(path: Path) -> Iterator[None]:
    """Turn an error of the system during writing into an `OutputError` that names the place."""
    try:
        yield
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, "Choose a folder that you may write to")
        raise OutputError(f"Cannot write {path}: {error.strerror or error}. {advice}") from error
