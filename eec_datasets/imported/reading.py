"""A CSV file of somebody else's → rows, every cell as it stands: what is wrong with the text must stay to be seen."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eec_bias.shared import counted
from eec_datasets.errors import EecError
from eec_datasets.given_file import read_given
from eec_datasets.imported.presets import FIELDS, GENDERS, NEEDED
from eec_datasets.standard_input import name_of
from eec_datasets.text_file import csv_rows, decode_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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
class ForeignRow:
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
    """Return the name of a group by its gender and race."""
    gender = gender or "(no gender)"
    if not race:
        return f"{gender} (no race)"
    return f"{race} {gender}"


@dataclass(frozen=True, slots=True)
class ForeignCorpus:
    """The rows of a file, and the layout they were read by."""

    name: str
    preset: Preset
    rows: tuple[ForeignRow, ...]
    notes: tuple[str, ...] = ()


def read_corpus(path: Path, preset: Preset) -> ForeignCorpus:
    """Read a CSV file by a layout.

    Raises
    ------
    ForeignFileError : the file is missing, its columns are not found, or its rows have shifted.
    TextFileError : it is no UTF-8 or no CSV.
    """
    try:
        raw = read_given(path)
    except OSError as error:
        raise ForeignFileError(f"{path}: cannot be read: {error.strerror}") from error
    table = list(csv_rows(decode_lines(raw.splitlines(keepends=True), name_of(path)), name_of(path)))
    notes = []
    if raw.startswith(BOM):
        notes.append("the file begins with a byte order mark (BOM), which was skipped")
    if not table:
        raise ForeignFileError(f"{name_of(path)}: the file is empty; a header and one row per sentence were expected")
    (_, titles), *rows = table
    header = _numbered([title.strip() for title in titles])
    indices = _columns(name_of(path), header, preset)
    _refuse_shifted(name_of(path), rows, len(header))
    if not rows:
        raise ForeignFileError(f"{name_of(path)}: there is a header and no row; one row per sentence was expected")
    read, merged = _merged([_row(line, cells, indices) for line, cells in rows])
    races = dict.fromkeys(row.race for row in read)
    return ForeignCorpus(name_of(path), preset.for_races(races), tuple(read), (*notes, *merged, *_lacking(read)))


def _numbered(titles: Sequence[str]) -> list[str]:
    """Return the titles of columns with a number behind the second and later ones of a name: ``text (2)``."""
    seen: Counter[str] = Counter()
    found = []
    for title in titles:
        seen[title] += 1
        if seen[title] > 1:
            found.append(f"{title} ({seen[title]})")
        else:
            found.append(title)
    return found


def _refuse_shifted(name: str, rows: Sequence[tuple[int, Sequence[str]]], width: int) -> None:
    """Refuse a file with rows that have more or fewer cells than its header."""
    shifted = [(line, len(cells)) for line, cells in rows if len(cells) != width]
    if not shifted:
        return
    have = "1 row has" if len(shifted) == 1 else f"{len(shifted)} rows have"
    lines = [f"{name}: {have} shifted; nothing was read"]
    lines += [f"  {name}:{line}: {count} cells where the header has {width}" for line, count in shifted[:LISTED]]
    if len(shifted) > LISTED:
        lines.append(f"  and {len(shifted) - LISTED} more")
    lines.append("  A separator may be missing or unquoted")
    raise ForeignFileError("\n".join(lines))


def some(items: Sequence[str], most: int = LISTED) -> str:
    """The first few of a list, and a sign where there are more."""
    shown = list(items[:most])
    if len(items) > most:
        shown.append("…")
    return ", ".join(shown)


def _lacking(rows: Sequence[ForeignRow]) -> Iterator[str]:
    """Yield a note for each column that every row needs and some have nothing in."""
    for name in NEEDED:
        lines = [str(row.line) for row in rows if not getattr(row, name).strip()]
        if len(lines) == 1:
            yield f"1 row without a {name}: line {lines[0]}"
        elif lines:
            yield f"{counted(len(lines), 'row')} without a {name}: lines {some(lines)}"


def _merged(rows: Sequence[ForeignRow]) -> tuple[Sequence[ForeignRow], list[str]]:
    """Return the rows with labels written alike that differ in case or in how accents are stored, and notes on it."""
    notes = []
    for name in WHO:
        counts = Counter(getattr(row, name) for row in rows)
        folded = {label: unicodedata.normalize("NFC", label).casefold() for label, _ in counts.most_common()}
        usual = {key: label for label, key in reversed(folded.items())}
        other = {label: usual[folded[label]] for label in counts if usual[folded[label]] != label}
        if not other:
            continue
        merged = []
        for row in rows:
            label = getattr(row, name)
            merged.append(replace(row, **{name: other.get(label, label)}))
        rows = merged
        number = sum(counts[label] for label in other)
        pairs = [f"{label} as {kept}" for label, kept in other.items()]
        notes.append(
            f"{number} rows write the {name} in other case or with accents stored in another way, and were read like "
            f"the others: {some(pairs)}"
        )
    return rows, notes


def _columns(name: str, header: Sequence[str], preset: Preset) -> dict[str, int]:
    indices, missing = {}, []
    for key in FIELDS:
        headers = preset.columns.get(key, ())
        present = [title for title in headers if title in header]
        # A column is named by a preset, or by hand with a single header.
        named = bool(headers) and (bool(preset.name) or len(headers) == 1)
        if present:
            indices[key] = header.index(present[0])
        elif key in NEEDED or (named and key not in ("id", "english")):
            missing.append(f"{key} (looked for: {', '.join(headers)})")
    if missing:
        titles = ", ".join(title or "(unnamed)" for title in header)
        raise ForeignFileError(
            f"{name}:1: no column for {'; '.join(missing)}; the header has: {titles}. Name the column that holds "
            f"{missing[0].split()[0]}"
        )
    return indices


def _row(line: int, cells: Sequence[str], indices: Mapping[str, int]) -> ForeignRow:
    values = {name: cells[index] for name, index in indices.items()}
    labels = {name: value.strip() for name, value in values.items() if name not in ("sentence", "english")}
    for name in ("gender", "race", "emotion", "word"):
        if labels.get(name, "").lower() in NO_LABEL:
            labels[name] = ""
    labels["gender"] = GENDERS.get(labels["gender"].lower(), labels["gender"])
    return ForeignRow(line=line, **values | labels)
