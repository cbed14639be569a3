"""The texts that are left out, each with its reason, as a CSV file that is written while they go by."""

from __future__ import annotations

import contextlib
import csv
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_bias.shared import replacing
from eec_datasets.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from eec_datasets.rewrite.resolve import LeftOut

    LeftOutCallback: TypeAlias = Callable[[str, str, LeftOut], object]

COLUMNS: Final = ("id", "reason", "anchor", "role", "word", "rule", "text")


@contextlib.contextmanager
def left_out_file(path: Path, *, overwrite: bool = False) -> Iterator[LeftOutCallback]:
    """Give the block what takes id, text and reason of every text left out; the file is there when the block ends.

    The texts stay as they are, byte for byte.

    Raises
    ------
    OutputError
        The file is no ``.csv``; or see `eec_bias.files.check`.
    """
    if path.suffix != ".csv":
        raise OutputError(f"{path}: the suffix is {path.suffix!r}; expected .csv for the texts left out")
    with (
        replacing(path, overwrite=overwrite) as part,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        yield lambda id, text, left_out: rows.writerow(
            (id, left_out.reason, left_out.anchor, left_out.role, left_out.word, left_out.rule, text)
        )
