"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from eec_datasets.errors import OutputUnwritable


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the block a file to write that takes the place of `path` at its end; if it fails, nothing is left of it.

    Parameters
    ----------
    path
        What is to be written; the folder is made where there is none.

    Raises
    ------
    OSError
        The folder cannot be made or written, or `path` is a device, a pipe or a folder, which no file may replace.
    """
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "it is no file, and is left as it is", str(path))
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> Path:
    """Write a text as it is, in UTF-8, whole or not at all; return its path.

    Raises
    ------
    OutputUnwritable
        The folder cannot be made or written.
    """
    try:
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise OutputUnwritable(f"Cannot write {path}: {error.strerror}. Choose a folder you may write to.") from error
    return path


def alive(process: int) -> bool:
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
