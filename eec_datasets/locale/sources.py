"""TOML and CSV files read so that every value knows the line it stands on, and every mistake is told apart."""

from __future__ import annotations

import csv
import io
import re
import tomllib
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eec_datasets.locale.model import Place, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
SMART_QUOTES = "“”„«»‚‘"


@dataclass(slots=True)
class Problems:
    """Collects what is wrong, so that all of it can be told at once."""

    found: list[Problem] = field(default_factory=list)

    def add(self, place: Place, what: str, mend: str) -> None:
        """Note one problem."""
        self.found.append(Problem(place, what, mend))

    def __bool__(self) -> bool:
        return bool(self.found)


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A parsed TOML file that can say on which line a key stands."""

    name: str
    data: Mapping[str, Any]
    text: str

    def place(self, *keys: str) -> Place:
        """Line of the longest part of `keys` that the text shows (line 1 where nothing does)."""
        best, best_depth = 1, 0
        header: list[str] = []
        for number, raw in enumerate(self.text.splitlines(), start=1):
            line = raw.split("#", 1)[0].strip()
            if line.startswith("["):
                header = _dotted(line.strip("[] "))
                path = header
            elif "=" in line:
                path = header + _dotted(line.split("=", 1)[0].strip())
            else:
                continue
            depth = _common(path, keys)
            if depth > best_depth and depth == len(path[: len(keys)]):
                best, best_depth = number, depth
        return Place(self.name, best)


def _dotted(key: str) -> list[str]:
    return [part.strip().strip("\"'") for part in key.split(".")]


def _common(path: Sequence[str], keys: Sequence[str]) -> int:
    depth = 0
    for have, want in zip(path, keys, strict=False):
        if have != want:
            break
        depth += 1
    return depth


def read_toml(path: Path, problems: Problems) -> TomlFile:
    """Read a TOML file; a missing or broken one is noted and comes back empty."""
    try:
        text = unicodedata.normalize("NFC", _decode(path.read_bytes(), path.name, problems))
        return TomlFile(path.name, tomllib.loads(text), text)
    except OSError as error:
        _unreadable(path, error, problems)
    except RecursionError:
        problems.add(Place(path.name, 1), "tables or lists are nested too deeply to be read", "Write them flat")
    except tomllib.TOMLDecodeError as error:
        what, line = _toml_mistake(str(error), text)
        problems.add(Place(path.name, line), f"not valid TOML: {what}", "Mend the syntax")
    return TomlFile(path.name, {}, "")


def _toml_mistake(message: str, text: str) -> tuple[str, int]:
    """The message without its place, and the line: Python below 3.14 tells it only inside the message."""
    found = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    if found is None:
        return message, 1
    what = message[: found.start()]
    return (what, int(found[1])) if found[1] else (f"{what} at the end of the file", text.count("\n") + 1)


def _unreadable(path: Path, error: OSError, problems: Problems) -> None:
    if isinstance(error, FileNotFoundError):
        problems.add(Place(path.name, 1), "the file is missing", f"Write {path.name} (see CONTRIBUTING.md)")
    else:
        problems.add(
            Place(path.name, 1), f"the file cannot be read: {error.strerror}", "Check what it is and its rights"
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a CSV file: cells by column name, and where it stands."""

    cells: Mapping[str, str]
    place: Place

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True, slots=True)
class CsvFile:
    """A CSV file: its columns in order and its rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def read_csv(path: Path, required: Iterable[str], problems: Problems) -> CsvFile:
    """Read a CSV file with a header; what a spreadsheet may have done to it is named, not repaired."""
    name = path.name
    nothing = CsvFile(name, (), ())
    try:
        raw = path.read_bytes()
    except OSError as error:
        _unreadable(path, error, problems)
        return nothing
    before = len(problems.found)
    text = _decode(raw, name, problems)
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(lines, [])
    except csv.Error as error:
        problems.add(Place(name, 1), f"not valid CSV: {error}", "Check the quotes of the header")
        return nothing
    for separator, called in SEPARATORS.items():
        if len(header) == 1 and header[0].count(separator) >= 2:
            problems.add(Place(name, 1), f"the columns are separated by {called}", "Save the sheet as CSV with commas")
            return nothing
    _check_header(name, header, list(required), problems)
    if len(problems.found) > before:
        return nothing
    return CsvFile(name, tuple(header), tuple(_rows(lines, header, name, problems)))


def _decode(raw: bytes, name: str, problems: Problems) -> str:
    if raw.startswith(b"\xef\xbb\xbf"):
        problems.add(
            Place(name, 1),
            "the file begins with a byte order mark (BOM)",
            "Save it as 'UTF-8', not 'UTF-8 with BOM'",
        )
        raw = raw[3:]
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        problems.add(
            Place(name, 1),
            "the file is UTF-16 (what Excel calls Unicode text)",
            "Save it as UTF-8 and look at it again",
        )
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.add(
            Place(name, line),
            f"byte 0x{raw[error.start]:02x} is not UTF-8; the file looks like Latin-1 (Windows)",
            "Save it as UTF-8 and look at the accents again",
        )
        return raw.decode("latin-1")


def _check_header(name: str, header: list[str], required: list[str], problems: Problems) -> None:
    place = Place(name, 1)
    missing = [column for column in required if column not in header]
    if missing:
        head = f"column{'s' if len(missing) > 1 else ''} {', '.join(missing)} missing"
        what = f"{head}; the header has {', '.join(header) or 'nothing'}"
        problems.add(place, what, "A column may have been renamed: restore its name")
    for column in sorted({column for column in header if header.count(column) > 1}):
        problems.add(place, f"column '{column}' stands twice", "Remove one of the two")


def _rows(lines: Any, header: list[str], name: str, problems: Problems) -> Iterable[Row]:
    while True:
        start = lines.line_num + 1
        try:
            cells = next(lines)
        except StopIteration:
            return
        except csv.Error as error:
            problems.add(Place(name, start), f"not valid CSV: {error}", "Check the quotes of this row")
            return
        place = Place(name, start)
        if not any(cells) or cells[0].startswith("#"):
            continue
        if len(cells) != len(header):
            problems.add(place, f"{len(cells)} cells where the header has {len(header)}", _shift(cells))
            continue
        yield Row(
            {column: _cell(cell, column, place, problems) for column, cell in zip(header, cells, strict=True)},
            place,
        )


def _shift(cells: Sequence[str]) -> str:
    if any(cell and cell.strip()[:1] in SMART_QUOTES for cell in cells if cell.strip()):
        return 'Typographic quotes do not hold a cell together: use "…" around a cell that has commas'
    return "A comma may be missing or unquoted: the row has shifted"


def _cell(cell: str, column: str, place: Place, problems: Problems) -> str:
    if column not in ("note", "paper") and cell and cell[0] in SMART_QUOTES:
        problems.add(
            place,
            f"column '{column}' begins with the typographic quote {cell[0]}",
            "Remove the quotes a spreadsheet added",
        )
    if cell != cell.strip():
        problems.add(place, f"column '{column}' begins or ends with a space: {cell!r}", "Remove the space")
    return unicodedata.normalize("NFC", cell.strip())
