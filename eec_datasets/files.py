"""The one room that writes files: whole or not at all, and never in the place of what is somebody else's.

Beside what it writes it keeps a register of names and SHA-256. A file that is there is replaced unasked where the
register knows it as it is; any other file is replaced only where ``overwrite`` says so. What is written lies under a
temporary name until it is whole and on disk. A release on the Hub carries the same register.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import hashlib
import itertools
import json
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from eec_datasets.errors import OutputUnwritable

REGISTER: Final = ".eec-written"
HEAD: Final = (
    "# What eec has written here: SHA-256 and name. It replaces these files unasked while they are unchanged.\n"
)
MARKS: Final = ("README.md", "manifest.json", "result.json")
"""Files by which folders of different commands are told apart: a build, an imported corpus, a result, a task."""
OVERWRITE: Final = "replace it: --overwrite on the command line, overwrite=True in Python"

_count = itertools.count()


def line_of(name: str, digest: str) -> str:
    """Return what the register says of a file."""
    return f"{digest}  {json.dumps(name)}"


def registered(contents: Mapping[str, bytes], before: str = "") -> dict[str, bytes]:
    """Return files by their paths within a folder, and as one file more the register of them and of those before."""
    lines = [line_of(name, hashlib.sha256(raw).hexdigest()) for name, raw in contents.items()]
    return {**contents, REGISTER: "".join([before or HEAD, *(f"{line}\n" for line in lines)]).encode()}


def not_ours(
    paths: Iterable[str], digest: Callable[[str], str], register: str, replaceable: Collection[str] = ()
) -> str:
    """Say which file of a folder is not as we wrote it; empty where all are.

    Parameters
    ----------
    paths
        Paths within the folder.
    digest
        Gives the SHA-256 of one, empty for what is no file; asked for those only that the register names.
    register
        Text of its register.
    replaceable
        Paths that may hold anything.
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


def check(paths: Iterable[Path], *, overwrite: bool = False) -> None:
    """Refuse places that nothing may or can be written to, before any time is spent on what goes there.

    Parameters
    ----------
    paths
        Files that are to be written.
    overwrite
        Whether files may be replaced that we did not write, or that were changed since.

    Raises
    ------
    OutputUnwritable
        A file that is there is not ours to replace, or is a folder or device; or a folder cannot be made or written.
    """
    for path in paths:
        with as_unwritable(path):
            if path.exists() and not path.is_file():
                kind = "folder" if path.is_dir() else "device or a pipe"
                raise OutputUnwritable(f"{path} is a {kind}; expected the name of a file")
            there = path.exists() or path.is_symlink()
            if there and not overwrite and (cause := _not_ours_in(path.parent, [path.name])):
                raise OutputUnwritable(
                    f"{path} is there already ({cause}), and nothing was changed. Choose another name, or {OVERWRITE}"
                )
            _check_writable(path.parent)


def _not_ours_in(folder: Path, paths: Iterable[str], replaceable: Collection[str] = ()) -> str:
    """As `not_ours`, of a folder on this machine."""
    return not_ours(paths, lambda name: digest_of(folder / name), _register(folder), replaceable)


def _check_writable(folder: Path) -> None:
    above = next(path for path in (folder, *folder.parents) if path.exists())
    if not above.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _register(folder: Path) -> str:
    with contextlib.suppress(FileNotFoundError):
        return (folder / REGISTER).read_text(encoding="utf-8", errors="replace")
    return ""


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file; empty for a link, which is none of ours, and for what is no file."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def replacing(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give the block a file to write that takes the place of `path` at its end; if it fails, nothing is left of it.

    Parameters
    ----------
    path
        What is to be written; the folder is made where there is none.
    overwrite
        As for `check`.

    Raises
    ------
    OutputUnwritable
        See `check`; or the disk is full.
    """
    check([path], overwrite=overwrite)
    with as_unwritable(path), _beside(path) as part:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        # Another process may have been quicker.
        check([path], overwrite=overwrite)
        # Noted before it is there: a run that is killed between the two is not taken for somebody else's work.
        _register_file(path, digest_of(part))


def write(path: Path, content: str | bytes, *, overwrite: bool = False) -> Path:
    """Write a text in UTF-8 as it is, or bytes (see `replacing`); return the path."""
    return write_all({path: content}, overwrite=overwrite)[0]


def write_all(contents: Mapping[Path, str | bytes], *, overwrite: bool = False) -> list[Path]:
    """Write files of which all may be written or none is (see `replacing`); return their paths."""
    check(contents, overwrite=overwrite)
    with contextlib.ExitStack() as places:
        for path, content in contents.items():
            _fill(places.enter_context(replacing(path, overwrite=overwrite)), content)
    return list(contents)


def write_unregistered(contents: Mapping[Path, str | bytes]) -> None:
    """Write files whatever is there, without a register: a user's own files that are changed by request, or scratch.

    All lie beside their places before the first takes its own.

    Raises
    ------
    OSError
        One cannot be written.
    """
    with contextlib.ExitStack() as places:
        for path, content in contents.items():
            _fill(places.enter_context(_beside(path)), content)


def check_folder(folder: Path, names: Collection[str], *, overwrite: bool = False) -> None:
    """Refuse a folder that cannot be replaced as a whole.

    Parameters
    ----------
    folder
        One that is to be written whole.
    names
        What is to be written in it, by path.
    overwrite
        Whether files of these names may be replaced that we did not write, or that were changed since. What has
        another name and is not ours is never taken away.

    Raises
    ------
    OutputUnwritable
        It holds something that would be lost, or what another command has made; or cannot be made or written.
    """
    with as_unwritable(folder):
        _check_writable(folder.parent)
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise OutputUnwritable(f"{folder} is no folder, and one is to be written. Choose another place")
        if not folder.exists():
            return
        # Where one stands may itself be gone.
        with contextlib.suppress(FileNotFoundError):
            if Path.cwd().is_relative_to(folder.resolve()):
                raise OutputUnwritable(
                    f"{folder} is replaced as a whole, and is the folder you stand in, or above it; nothing was "
                    "changed. Choose another folder, or go to the one above it and name it from there"
                )
        there = sorted(folder.rglob("*"))
        # Of folders only those with nothing in them.
        entries = [path for path in there if path.is_symlink() or not path.is_dir() or not any(path.iterdir())]
        paths = [path.relative_to(folder).as_posix() for path in entries]
        # What would be lost whatever is asked for is told first.
        if cause := _not_ours_in(folder, paths, names):
            raise OutputUnwritable(
                f"{folder} is replaced as a whole, and holds what would be lost ({cause}); nothing was changed. Choose "
                "another folder, or move it away"
            )
        if overwrite:
            return
        marks = [name for name in MARKS if (folder / name).exists()]
        if cause := _not_ours_in(folder, paths):
            reason = f"is there already ({cause})"
        elif _register(folder) and marks != [name for name in MARKS if name in names]:
            reason = "holds what another command has made"
        else:
            return
        raise OutputUnwritable(f"{folder} {reason}, and nothing was changed. Choose another folder, or {OVERWRITE}")


def write_folder(folder: Path, contents: Mapping[str, bytes], *, overwrite: bool = False) -> None:
    """Write a folder that replaces the one before it as a whole.

    Parameters
    ----------
    folder
        Its place.
    contents
        Files by their paths within it.
    overwrite
        As for `check_folder`.

    Raises
    ------
    OutputUnwritable
        See `check_folder`; or the disk is full. The older folder is as it was.

    Notes
    -----
    The new folder lies beside the old one until it is whole. Between two renames there is none in its place; where a
    run is killed there, the next one puts the older folder back.
    """
    _move_in_folder(folder, registered(contents), lambda: check_folder(folder, contents, overwrite=overwrite))


def start_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write a folder that is for somebody else to go on with: without a register, where there was none before.

    Raises
    ------
    OutputUnwritable
        It is there already, or cannot be written.
    """

    def refuse() -> None:
        if os.path.lexists(folder):
            raise OutputUnwritable(f"{folder} is there already and was left alone. Choose another name")

    _move_in_folder(folder, contents, refuse)


def _move_in_folder(folder: Path, contents: Mapping[str, bytes], check_place: Callable[[], None]) -> None:
    """Write a folder beside its place, which is checked before and after, and move it there."""
    check_place()
    work = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        with as_unwritable(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            _sweep(folder)
            for name, raw in contents.items():
                (work / "new" / name).parent.mkdir(parents=True, exist_ok=True)
                _fill(work / "new" / name, raw)
            # Another process may have been quicker.
            check_place()
            if folder.exists():
                folder.rename(work / "old")
            (work / "new").rename(folder)
    finally:
        _clear(work, folder)


def _clear(work: Path, folder: Path) -> None:
    """Remove a folder of work; an older folder that was moved into it goes back, Ctrl-C or not."""
    if (work / "old").exists() and not folder.exists():
        (work / "old").rename(folder)
    shutil.rmtree(work, ignore_errors=True)


@contextlib.contextmanager
def as_unwritable(path: Path) -> Iterator[None]:
    """Turn what the system says while something is written into an `OutputUnwritable` that names the place."""
    try:
        yield
    except OSError as error:
        raise OutputUnwritable(
            f"Cannot write {path}: {error.strerror or error}. Choose a folder that you may write to and that has room"
        ) from error


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary file, to be brought to disk by the block, that takes the place of `path` when it ends well."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{next(_count)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
        yield part
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _fill(part: Path, content: str | bytes) -> None:
    with part.open("wb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _register_file(path: Path, digest: str) -> None:
    """Add a file to the register of its folder."""
    text, line = _register(path.parent), line_of(path.name, digest)
    if line in text.splitlines():
        return
    # A full disk may have torn the last line.
    before = HEAD if not text else "" if text.endswith("\n") else "\n"
    with (path.parent / REGISTER).open("ab", buffering=0) as register:
        register.write(f"{before}{line}\n".encode())
        os.fsync(register.fileno())


def _sweep(path: Path) -> None:
    """Take away what runs that were killed have left beside a file or a folder."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*"):
        owner, _, rest = left.name.removeprefix(f".{path.name}.").partition(".")
        if not owner.isdecimal() or _alive(int(owner)):
            continue
        if rest.endswith("part"):
            left.unlink(missing_ok=True)
        elif not rest and left.is_dir() and {inner.name for inner in left.iterdir()} <= {"new", "old"}:
            _clear(left, path)


def _alive(process: int) -> bool:
    """Whether the process runs that a temporary name was made by."""
    # On Windows the question below would end the process.
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
