"""Files that tests change and read."""

import csv
from collections.abc import Callable
from pathlib import Path


def change(path: Path, *pairs: tuple[str, str], times: int = -1) -> None:
    """Replace texts in a file, all of which must be there."""
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, f"{path.name} has no {old!r}"
        text = text.replace(old, new, times)
    path.write_text(text, encoding="utf-8")


def keep(path: Path, wanted: Callable[[str], bool]) -> None:
    """Leave of a file the lines that are wanted."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if wanted(line)), encoding="utf-8")


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, strict=True))
