"""The texts that are left out, each with its reason, as a CSV file that is written while they go by."""

from __future__ import annotations

import contextlib
import csv
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_datasets import row_file
from eec_datasets.errors import OutputUnwritable
from eec_datasets.files import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from eec_datasets.rewrite.resolve import LeftOut

    Tell: TypeAlias = Callable[[str, str, LeftOut], object]

COLUMNS: Final = ("id", "reason", "anchor", "role", "word", "rule", "text")


@contextlib.contextmanager
def left_out_file(path: Path, *, overwrite: bool = False) -> Iterator[Tell]:
    """Give the block what takes id, text and reason of every text left out; the file is there when the block ends.

    Raises
    ------
    OutputUnwritable
        The file is no ``.csv``, is there and may not be replaced, or cannot be written.
    """
    if path.suffix != ".csv":
        raise OutputUnwritable(f"{path}: the suffix is {path.suffix!r}; expected .csv for the texts left out")
    row_file.check_place(path, overwrite=overwrite)
    with contextlib.ExitStack() as stack:
        try:
            part = stack.enter_context(replacing(path))
            file = stack.enter_context(part.open("w", encoding="utf-8", newline=""))
        except OSError as error:
            raise OutputUnwritable(
                f"Cannot write {path}: {error.strerror}. Choose a folder you may write to"
            ) from error
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        yield lambda id, text, why: rows.writerow((id, why.reason, why.anchor, why.role, why.word, why.rule, text))
