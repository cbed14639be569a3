"""How far a language is: per file, texts that are written, and those a second person has checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.contribute.sheet import entries
from eec_datasets.locale.model import WANTED

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class FileProgress:
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


def progress(folder: Path) -> list[FileProgress]:
    """The counts of every file that a translator's sheet holds, in the order of the sheet.

    Raises
    ------
    SheetError : the files cannot be read.
    """
    files = grouped((entry.file, (entry.unit, entry)) for entry in entries(folder))
    counts = []
    for file, entries_of_file in files.items():
        units = grouped(entries_of_file).values()
        signed = [(unit[0].translator.casefold(), unit[0].checker.casefold()) for unit in units]
        written = sum(
            not any(WANTED in each.text or not (each.text or each.optional) for each in unit) for unit in units
        )
        checked = sum(checker not in ("", translator) for translator, checker in signed)
        counts.append(
            FileProgress(file, len(units), written, sum(bool(translator) for translator, _ in signed), checked)
        )
    return counts
