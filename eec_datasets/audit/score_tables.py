"""A user's own table of scores: ``id`` and one column per system, checked against a corpus."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eec_datasets.audit.errors import BadScoresFile
from eec_datasets.systems.score_file import MARK, Header, parse_header

SHOWN = 3
"""Problems of one kind that are spelled out; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Table:
    """Scores in the order of the corpus.

    Attributes
    ----------
    scores
        One list per system, by column name.
    score_range
        Lowest and highest possible score: as declared, else as the file says, else 0 to 1.
    header
        What the file says it holds, where it was written by ``eec audit``.
    """

    scores: dict[str, list[float]]
    score_range: tuple[float, float]
    header: Header | None


def read_scores(
    path: Path, columns: Mapping[str, Sequence[str]], score_range: tuple[float, float] | None, data: str
) -> Table:
    """Read a table of scores and put it into the order of the corpus.

    Parameters
    ----------
    path
        A UTF-8 CSV file with comma, with or without a byte-order mark: a column ``id``, and one column of scores
        per system. Columns named like one of the corpus (``text``, ``race``, …) must hold what the corpus holds.
    columns
        Columns of the corpus, ``id`` among them.
    score_range
        Declared range; ``None`` takes the file's own declaration, or 0 to 1 without one.
    data
        ``NAME@VERSION#HASH`` of the corpus; a file written by ``eec audit`` must say the same.

    Raises
    ------
    BadScoresFile
        Everything that is wrong with the file, at once, by line.
    """
    text = _text(path)
    header = None
    skipped = 0
    if text.startswith(MARK):
        first, _, text = text.partition("\n")
        header, skipped = parse_header(first, path), 1
        _check_header(path, header, data)
    rows = _rows(path, text, skipped)
    if not rows:
        raise BadScoresFile(f"{path}: the file is empty; expected a line 'id,score' and one line per sentence.")
    names = _names(path, rows[0][1], skipped + 1)
    body = [(number, row) for number, row in rows[1:] if row]
    systems = [name for name in names if name not in columns]
    if not systems:
        raise BadScoresFile(
            f"{path}:{skipped + 1}: no column of scores beside {', '.join(names)}; "
            "expected id and one column per system, for example 'id,score'."
        )
    low, high = score_range or ((header.low, header.high) if header else (0.0, 1.0))
    problems = _Problems(path, data.partition("@")[0])
    by_id = _rows_by_id(body, names, columns, problems)
    scores = {name: _column(name, by_id, columns["id"], (low, high), problems) for name in systems}
    for name in names:
        if name in columns and name != "id":
            _same(name, by_id, columns, problems)
    problems.raise_if_any()
    return Table(scores, (low, high), header)


def _check_header(path: Path, header: Header, data: str) -> None:
    if header.data != data:
        raise BadScoresFile(
            f"{path}: the scores are of {header.data}, the corpus is {data}. "
            "Name the config they are of with --config, or score the corpus as it is now."
        )


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadScoresFile(f"Cannot read {path}: {error.strerror}.") from error
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadScoresFile(f"{path}: the file is UTF-16; expected UTF-8. Save the file as UTF-8.")
    # Spreadsheets put this mark before what they call "CSV UTF-8"; it says nothing that is not known.
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadScoresFile(
            f"{path}:{line}: byte {data[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        ) from error


def _rows(path: Path, text: str, skipped: int) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        return [(reader.line_num + skipped, row) for row in reader]
    except csv.Error as error:
        raise BadScoresFile(f"{path}:{reader.line_num + skipped}: not readable as CSV: {error}.") from error


def _names(path: Path, names: list[str], line: int) -> list[str]:
    check_head(path, line, names)
    if "id" not in names:
        raise BadScoresFile(
            f"{path}:{line}: no column 'id' among {', '.join(map(repr, names))}; "
            "expected a first line like 'id,score' with the ids of the corpus."
        )
    return names


def check_head(path: Path | str, line: int, names: Sequence[str]) -> None:
    """Refuse a head with other marks than commas, or with a name that is there twice.

    Raises
    ------
    BadScoresFile
        Naming the file and the line.
    """
    if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
        mark = "semicolons" if ";" in names[0] else "tabs"
        raise BadScoresFile(
            f"{path}:{line}: the columns are separated by {mark} ({names[0]!r}); expected commas, and a "
            "point in decimal numbers. Save the file with commas."
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadScoresFile(f"{path}:{line}: column {twice[0]!r} is there twice; expected each name once.")


class _Problems:
    """Collects what is wrong, so that one reading of the file shows all of it."""

    def __init__(self, path: Path, config: str) -> None:
        self.path = path
        self.config = config
        self.kinds: dict[str, list[str]] = {}

    def add(self, kind: str, what: str) -> None:
        self.kinds.setdefault(kind, []).append(what)

    def raise_if_any(self) -> None:
        if not self.kinds:
            return
        lines = [f"{self.path} does not fit config {self.config}:"]
        for kind, found in self.kinds.items():
            more = f" … and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
            lines.append(f"  {len(found):,} {kind}: {'; '.join(found[:SHOWN])}{more}")
        lines.append("Expected every id of the config once, with one number per system. Nothing was measured.")
        raise BadScoresFile("\n".join(lines))


_Numbered = tuple[int, dict[str, str]]


def _rows_by_id(
    body: Sequence[tuple[int, list[str]]],
    names: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    problems: _Problems,
) -> dict[str, _Numbered]:
    known = set(columns["id"])
    found: dict[str, _Numbered] = {}
    for line, values in body:
        if len(values) != len(names):
            problems.add("rows of another length", f"line {line} has {len(values)} values, expected {len(names)}")
            continue
        row = dict(zip(names, values, strict=True))
        if row["id"] not in known:
            problems.add("unknown ids", f"{row['id']!r} in line {line}")
        elif row["id"] in found:
            problems.add("duplicate ids", f"{row['id']} in lines {found[row['id']][0]} and {line}")
        else:
            found[row["id"]] = (line, row)
    for identifier in columns["id"]:
        if identifier not in found:
            problems.add("missing ids", identifier)
    return found


def _column(
    name: str,
    by_id: Mapping[str, _Numbered],
    ids: Sequence[str],
    limits: tuple[float, float],
    problems: _Problems,
) -> list[float]:
    low, high = limits
    scores = []
    for identifier in ids:
        if identifier not in by_id:
            continue
        line, row = by_id[identifier]
        try:
            score = float(row[name])
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            problems.add("values that are no finite number", f"{name} = {row[name]!r} in line {line} ({identifier})")
        elif not low <= score <= high:
            problems.add(
                f"scores outside {low:g} to {high:g} (declare another range with --score-range LO HI)",
                f"{name} = {score:g} in line {line} ({identifier})",
            )
        scores.append(score)
    return scores


def _same(name: str, by_id: Mapping[str, _Numbered], columns: Mapping[str, Sequence[str]], problems: _Problems) -> None:
    for identifier, expected in zip(columns["id"], columns[name], strict=True):
        if identifier not in by_id:
            continue
        line, row = by_id[identifier]
        if row[name] != expected:
            problems.add(
                f"values of {name!r} that differ from the corpus",
                f"{row[name]!r} in line {line}, expected {expected!r} ({identifier})",
            )
