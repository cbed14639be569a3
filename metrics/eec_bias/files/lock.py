"""The lock that keeps other runs from writing the same folder; the operating system keeps it."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

from eec_bias.errors import FileError

PATIENCE = 60.0
"""Seconds to wait for another run that writes the same folder."""

NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})
"""What a file system without locks says."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs from writing the same folder; the file of the lock stays, and means nothing by itself."""
    from filelock import FileLock, Timeout

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
