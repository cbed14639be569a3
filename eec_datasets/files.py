"""Files and folders that are written: whole or not at all, and never in the place of what is somebody else's.

`eec_bias.files` does it and says more. It is imported when something is written, as that package loads slowly; its
errors become an `OutputUnwritable`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import OutputUnwritable

if TYPE_CHECKING:
    from eec_bias.files import OVERWRITE, REGISTER

__all__ = [
    "OVERWRITE",
    "REGISTER",
    "as_unwritable",
    "check",
    "check_folder",
    "not_ours",
    "registered",
    "replacing",
    "start_folder",
    "write",
    "write_all",
    "write_folder",
    "write_over",
]


def __getattr__(name: str) -> Any:
    """Import the name of the register, and the advice to replace something, when they are asked for."""
    if name in ("OVERWRITE", "REGISTER"):
        from eec_bias import files

        return getattr(files, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@contextlib.contextmanager
def as_unwritable(path: Path) -> Iterator[None]:
    """Turn what the system says while something is written into an `OutputUnwritable` that names the place."""
    from eec_bias.files import as_file_error

    with _as_our_error(), as_file_error(path):
        yield


@contextlib.contextmanager
def _as_our_error() -> Iterator[None]:
    from eec_bias.errors import FileError

    try:
        yield
    except FileError as error:
        raise OutputUnwritable(str(error)) from error


def registered(contents: Mapping[str, bytes], before: str = "") -> dict[str, bytes]:
    """Return files by their paths within a folder, and as one file more the register of them and of those before."""
    from eec_bias import files

    return files.registered(contents, before)


def not_ours(
    paths: Iterable[str], digest: Callable[[str], str], register: str, replaceable: Collection[str] = ()
) -> str:
    """Return which file of a folder is not as we wrote it; empty where all are.

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
    from eec_bias import files

    return files.not_ours(paths, digest, register, replaceable)


def check(paths: Iterable[Path], *, overwrite: bool = False) -> None:
    """Refuse places that nothing may or can be written to, before any time is spent on what goes there.

    Parameters
    ----------
    paths
        Files that are to be written.
    overwrite
        Whether a file that is there may be replaced; one that is read-only never is.

    Raises
    ------
    OutputUnwritable
        There is a file already, or a folder or a device; or a folder cannot be made or written.
    """
    from eec_bias import files

    with _as_our_error():
        files.check(paths, overwrite=overwrite)


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
    from eec_bias import files

    with _as_our_error(), files.replacing(path, overwrite=overwrite) as part:
        yield part


def write(path: Path, content: str | bytes, *, overwrite: bool = False) -> Path:
    """Write a text in UTF-8 as it is, or bytes (see `replacing`); return the path."""
    return write_all({path: content}, overwrite=overwrite)[0]


def write_all(contents: Mapping[Path, str | bytes], *, overwrite: bool = False) -> list[Path]:
    """Write files, of which none takes its place before all are on disk (see `replacing`); return their paths."""
    from eec_bias import files

    with _as_our_error():
        return files.write_all(contents, overwrite=overwrite)


def write_over(contents: Mapping[Path, str | bytes]) -> None:
    """Write files whatever they hold: a user's own files that are changed by request, or scratch.

    None takes its place before all are on disk.

    Raises
    ------
    OSError
        One is a link or read-only, or cannot be written.
    """
    from eec_bias import files

    with _as_our_error():
        files.write_over(contents)


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
        It holds something that would be lost, or what another command has made; or is read-only or a mount point; or
        cannot be made or written.
    """
    from eec_bias import files

    with _as_our_error():
        files.check_folder(folder, names, overwrite=overwrite)


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
        See `check_folder`; or the disk is full, or the file system keeps no locks. The older folder is as it was.
    """
    from eec_bias import files

    with _as_our_error():
        files.write_folder(folder, contents, overwrite=overwrite)


def start_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write a folder that is for somebody else to go on with: without a register, where there was none before.

    Raises
    ------
    OutputUnwritable
        It is there already, or cannot be written.
    """
    from eec_bias import files

    with _as_our_error():
        files.start_folder(folder, contents)
