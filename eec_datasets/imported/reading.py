"""A CSV file of somebody else's → rows, every cell as it stands: what is wrong with the text must stay to be seen."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eec_datasets.checks.report import counted
from eec_datasets.errors import EecError
from eec_datasets.imported.presets import FIELDS, GENDERS, NEEDED
from eec_datasets.text_file import csv_rows, decode_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from eec_datasets.imported.presets import Preset

BOM = b"\xef\xbb\xbf"
LISTED = 5
NO_LABEL = frozenset(("unmarked", "none", "nan", "n/a", "-"))
"""What stands in a column of labels for no label."""
WHO = ("person", "gender", "race")
"""Labels that say who is meant: in other letters (european) they would make groups and persons of their own."""


class ForeignFileError(EecError):
    """The file cannot be read as a table of sentences; the message lists what is wrong with file and line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence of the file with its labels, as they stand there.

    Attributes
    ----------
    line : of the file, where the row begins.
    gender : ``female`` or ``male`` where the label is one of the usual ones, else as it stands.
    race : as it stands, or as most rows write it; empty for a person without.
    """

    line: int
    sentence: str
    person: str
    gender: str
    id: str = ""
    template: str = ""
    race: str = ""
    emotion: str = ""
    word: str = ""
    english: str = ""

    @property
    def group(self) -> str:
        """Who the person stands for, in the file's own labels."""
        return group_of(self.gender, self.race)


def group_of(gender: str, race: str) -> str:
    """A gender and a race as the name of a group."""
    gender = gender or "(no gender)"
    return f"{race} {gender}" if race else f"{gender} (no race)"


@dataclass(frozen=True, slots=True)
class ForeignCorpus:
    """The rows of a file, and the layout they were read by."""

    name: str
    preset: Preset
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def read_corpus(path: Path, preset: Preset) -> ForeignCorpus:
    """Read a CSV file by a layout.

    Raises
    ------
    ForeignFileError : the file is missing, its columns are not found, or its rows have shifted.
    TextFileError : it is no UTF-8 or no CSV.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ForeignFileError(f"{path}: cannot be read: {error.strerror}") from error
    table = list(csv_rows(decode_lines(raw.splitlines(keepends=True), path.name), path.name))
    notes = ("the file begins with a byte order mark (BOM), which was skipped",) if raw.startswith(BOM) else ()
    if not table:
        raise ForeignFileError(f"{path.name}: the file is empty; a header and one row per sentence were expected")
    header = _header(table[0][1])
    indices = _columns(path.name, header, preset)
    rows = table[1:]
    _check_lengths(path.name, header, rows)
    if not rows:
        raise ForeignFileError(f"{path.name}: there is a header and no row; one row per sentence was expected")
    read, merged = _merged([_row(line, cells, indices) for line, cells in rows])
    races = dict.fromkeys(row.race for row in read)
    return ForeignCorpus(path.name, preset.for_races(races), tuple(read), (*notes, *merged, *_lacking(read)))


def _lacking(rows: Sequence[Row]) -> Iterator[str]:
    """A note for each column that every row needs and some have nothing in."""
    for name in NEEDED:
        lines = [row.line for row in rows if not getattr(row, name).strip()]
        if lines:
            shown = ", ".join([*map(str, lines[:LISTED]), *(["…"] if len(lines) > LISTED else [])])
            yield f"{counted(len(lines), 'row')} without a {name}: line{'s' if len(lines) > 1 else ''} {shown}"


def _merged(rows: Sequence[Row]) -> tuple[Sequence[Row], list[str]]:
    """The rows with labels that differ in case, or in how accents are stored, written alike; and what to note of it."""
    notes = []
    for name in WHO:
        counts = Counter(getattr(row, name) for row in rows)
        usual: dict[str, str] = {}
        for label, _ in counts.most_common():
            usual.setdefault(unicodedata.normalize("NFC", label).casefold(), label)
        other = {label: usual[unicodedata.normalize("NFC", label).casefold()] for label in counts}
        other = {label: read for label, read in other.items() if label != read}
        if other:
            rows = [replace(row, **{name: other.get(getattr(row, name), getattr(row, name))}) for row in rows]
            some = [f"{label} as {read}" for label, read in other.items()]
            shown = [*some[:LISTED], *(["…"] if len(some) > LISTED else [])]
            notes.append(
                f"{sum(map(counts.__getitem__, other))} rows write the {name} in other case or with accents stored in "
                f"another way, and were read like the others: {', '.join(shown)}"
            )
    return rows, notes


def _header(cells: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    header = []
    for cell in cells:
        title = cell.strip()
        seen[title] += 1
        header.append(title if seen[title] == 1 else f"{title} ({seen[title]})")
    return header


def _columns(name: str, header: Sequence[str], preset: Preset) -> dict[str, int]:
    present = {key: [title for title in preset.columns.get(key, ()) if title in header] for key in FIELDS}
    indices = {key: header.index(titles[0]) for key, titles in present.items() if titles}
    missing = [key for key in FIELDS if key not in indices and (key in NEEDED or _named(key, preset))]
    if missing:
        lacking = "; ".join(f"{key} (looked for: {', '.join(preset.columns[key])})" for key in missing)
        titles = ", ".join(title or "(unnamed)" for title in header)
        raise ForeignFileError(
            f"{name}:1: no column for {lacking}; the header has: {titles}. Name the column that holds {missing[0]}"
        )
    return indices


def _named(key: str, preset: Preset) -> bool:
    """Whether a column was named: by a preset, or by hand with a single header."""
    headers = preset.columns.get(key, ())
    return bool(headers) and key not in ("id", "english") and (bool(preset.name) or len(headers) == 1)


def _check_lengths(name: str, header: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> None:
    width = len(header)
    shifted = [(line, len(cells)) for line, cells in rows if len(cells) != width]
    if shifted:
        lines = [f"  {name}:{line}: {count} cells where the header has {width}" for line, count in shifted[:LISTED]]
        more = [f"  and {len(shifted) - LISTED} more"] if len(shifted) > LISTED else []
        head = f"{name}: {len(shifted)} row{'s have' if len(shifted) > 1 else ' has'} shifted; nothing was read"
        raise ForeignFileError("\n".join([head, *lines, *more, "  A separator may be missing or unquoted"]))


def _row(line: int, cells: Sequence[str], indices: dict[str, int]) -> Row:
    values = {name: cells[index] for name, index in indices.items()}
    sentence = values.pop("sentence")
    english = values.pop("english", "")
    trimmed = {name: value.strip() for name, value in values.items()}
    for name in ("gender", "race", "emotion", "word"):
        if trimmed.get(name, "").lower() in NO_LABEL:
            trimmed[name] = ""
    gender = trimmed["gender"]
    trimmed["gender"] = GENDERS.get(gender.lower(), gender)
    return Row(line=line, sentence=sentence, english=english, **trimmed)
