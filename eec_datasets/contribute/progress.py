"""How far a language is: per file, texts that are written, and those a second person has checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_datasets.contribute.sheet import entries
from eec_datasets.grouping import grouped
from eec_datasets.locale.model import WANTED

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.contribute.sheet import Entry


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of one file of a locale.

    Attributes
    ----------
    of : what has one translator and one checker: the templates, the nouns, the rows of words or persons.
    written : those of which no text is left to be written.
    translated, checked : those that name who wrote them, and the second person who read them.
    """

    file: str
    of: int
    written: int
    translated: int
    checked: int


def progress(folder: Path) -> list[Progress]:
    """The counts of every file that a translator's sheet holds, in the order of the sheet.

    Raises
    ------
    SheetError : the files cannot be read.
    """
    files = grouped((entry.file, (entry.unit, entry)) for entry in entries(folder))
    return [_counted(file, list(grouped(units).values())) for file, units in files.items()]


def _counted(file: str, units: list[list[Entry]]) -> Progress:
    written = sum(not any(map(_is_to_write, unit)) for unit in units)
    translated = sum(bool(unit[0].translator) for unit in units)
    checked = sum(unit[0].checker.casefold() not in ("", unit[0].translator.casefold()) for unit in units)
    return Progress(file, len(units), written, translated, checked)


def _is_to_write(entry: Entry) -> bool:
    """Whether the text is still to be written."""
    return WANTED in entry.text or not (entry.text or entry.optional)
