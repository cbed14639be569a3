"""Files and folders that are written: whole or not at all, and never in the place of what is somebody else's.

`eec_bias.files` does it and says how. Here its errors become an `OutputUnwritable`, as those of this package are all of
one kind.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ParamSpec, TypeVar

from eec_bias import shared
from eec_bias.shared import OVERWRITE, REGISTER, not_ours, own_place, registered
from eec_datasets.errors import OutputUnwritable

__all__ = [
    "OVERWRITE",
    "REGISTER",
    "as_unwritable",
    "check",
    "check_folder",
    "not_ours",
    "own_place",
    "registered",
    "replacing",
    "start_folder",
    "write",
    "write_all",
    "write_folder",
    "write_over",
]

P = ParamSpec("P")
R = TypeVar("R")


@contextlib.contextmanager
def _as_our_error() -> Iterator[None]:
    try:
        yield
    except shared.FileError as error:
        raise OutputUnwritable(str(error)) from error


def _with_our_errors(write_something: Callable[P, R]) -> Callable[P, R]:
    """Return a function that does the same and raises an `OutputUnwritable` instead of a `FileError`."""

    @functools.wraps(write_something)
    def wrapped(*arguments: P.args, **options: P.kwargs) -> R:
        with _as_our_error():
            return write_something(*arguments, **options)

    return wrapped


check = _with_our_errors(shared.check)
check_folder = _with_our_errors(shared.check_folder)
start_folder = _with_our_errors(shared.start_folder)
write = _with_our_errors(shared.write)
write_all = _with_our_errors(shared.write_all)
write_folder = _with_our_errors(shared.write_folder)
write_over = _with_our_errors(shared.write_over)


@contextlib.contextmanager
def replacing(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give the block a file to write that takes the place of `path` at its end; see `eec_bias.files.replacing`."""
    with _as_our_error(), shared.replacing(path, overwrite=overwrite) as part:
        yield part


@contextlib.contextmanager
def as_unwritable(path: Path) -> Iterator[None]:
    """Turn what the system says while something is written into an `OutputUnwritable` that names the place."""
    with _as_our_error(), shared.as_file_error(path):
        yield
