"""Work folders: where something is written until it is complete, and what a killed run has left behind."""

import contextlib
import errno
import json
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from eec_bias.errors import FileError
from eec_bias.files.places import open_own, status_of

if TYPE_CHECKING:
    from filelock import FileLock

WORK = ".eec-"
"""How the name of a work folder begins; a random part follows."""

WORK_TEXT = "eec writes here, and moves it from here to its place: "
"""What the file `WORK_FILE` of a work folder says, followed by the name of the place."""

NAME = re.compile(re.escape(WORK) + "[0-9a-f]{16}")
LONGEST_TEXT = 1 << 16
"""Bytes of the longest text that is read; names of places are shorter."""

WORK_FILE = "about"
WORK_LOCK = "lock"
NEW = "new"
OLD = "old"


class NoFolderError(OSError):
    """A name is not that of a folder."""


@contextlib.contextmanager
def work_folder(place: Path) -> Iterator[Path]:
    """Give the block a temporary folder beside a place, on the same disk; it is removed at the end."""
    place.parent.mkdir(parents=True, exist_ok=True)
    _undo_killed(place)
    work, lock = _started(place)
    try:
        yield work
    finally:
        _undo(work, place)
        lock.release()


def _started(place: Path) -> "tuple[Path, FileLock]":
    """Make a work folder for a place and take its lock."""
    while True:
        work = place.parent / f"{WORK}{secrets.token_hex(8)}"
        lock = _lock_of(work)
        work.mkdir(mode=0o700)
        # Until its text is there, another run may take it for one of a run that was killed, and remove it.
        try:
            lock.acquire()
        except TimeoutError:
            continue
        except OSError:
            pass  # Without locks nobody takes it for one that was left behind, and it stays if this run is killed.
        try:
            (work / WORK_FILE).write_text(_text_of(place), encoding="utf-8")
        except FileNotFoundError:
            lock.release()
            continue
        except BaseException:
            _remove(work)
            lock.release()
            raise
        return work, lock


def _lock_of(work: Path) -> "FileLock":
    from filelock import FileLock

    return FileLock(work / WORK_LOCK, timeout=0, fallback_to_soft=False)


def _text_of(place: Path) -> str:
    return WORK_TEXT + json.dumps(place.name)


def _undo_killed(place: Path) -> None:
    """Clean up after killed runs at a place; other folders with a similar name are not touched."""
    for work in place.parent.glob(f"{WORK}*"):
        if not (_is_work_on(place, work) or _is_just_made(work)):
            continue
        lock = _lock_of(work)
        try:
            lock.acquire()
        except OSError:
            continue  # somebody works there
        try:
            _undo(work, place)
        finally:
            lock.release()


def _is_work_on(place: Path, work: Path) -> bool:
    """Whether a folder was made by `work_folder` for a place."""
    try:
        if not {WORK_FILE} <= _names_in(work) <= {WORK_FILE, WORK_LOCK, NEW, OLD}:
            return False
        with open_own(work / WORK_FILE) as stream:
            return stream.read(LONGEST_TEXT) == _text_of(place).encode()
    except OSError:
        return False


def _is_just_made(work: Path) -> bool:
    """Whether a run was killed before it had noted what the folder is for; nothing can be lost with it."""
    try:
        names = _names_in(work)
        if not (NAME.fullmatch(work.name) and names <= {WORK_FILE, WORK_LOCK}):
            return False
        for name in names:
            with open_own(work / name) as stream:
                text = stream.read(LONGEST_TEXT)
            if not (text == b"" or (name == WORK_FILE and WORK_TEXT.encode().startswith(text))):
                return False
        return True
    except OSError:
        return False


def _names_in(work: Path) -> set[str]:
    """Return what a folder holds; the name of the folder is not followed where it is a link."""
    if not stat.S_ISDIR(work.lstat().st_mode):
        raise NoFolderError(errno.ENOTDIR, "it is no folder")
    return {path.name for path in work.iterdir()}


def _undo(work: Path, place: Path) -> None:
    """Remove a work folder; a folder that was moved aside goes back where no other has taken its place."""
    old = work / OLD
    moved = status_of(old) is not None
    if moved and status_of(work / NEW) is not None:
        if status_of(place) is not None:
            raise FileError(
                f"A run that was stopped has moved {place} to {old}, and another {place} was made since; nothing was "
                "changed. Move the older one where you want it"
            )
        old.rename(place)
    _remove(work)


def _remove(work: Path) -> None:
    """Remove a work folder, its marker last, so that a later run can finish a removal that was killed."""
    for name in (NEW, OLD):
        shutil.rmtree(work / name, ignore_errors=True)
    with contextlib.suppress(OSError):
        # The lock goes last, so that nobody else works there meanwhile.
        for name in (NEW, WORK_FILE, WORK_LOCK):
            (work / name).unlink(missing_ok=True)
        work.rmdir()
