"""CSV files, read so that every row knows its line; traces of a spreadsheet are reported, not repaired."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import Place, Problems
from eec_datasets.locale.encoding import QUOTES, read_text
from eec_datasets.locale.toml_file import one_of
from eec_datasets.text_file import SEPARATORS, separators_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

PROSE = frozenset({"note", "paper", "sentence", "comment", "correction", "question", "asked"})
"""Columns of sentences and remarks, which may begin with any quote."""
UNNAMED = "A spreadsheet may have added an empty column: remove it, or give it a name"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a CSV file.

    Attributes
    ----------
    needed : whether the file must have it.
    filled : how to fix an empty cell; empty where a cell may be.
    values : what may stand in a cell, or the name of the list in ``corpus.toml`` that says it; none: anything.
    """

    name: str
    needed: bool = False
    filled: str = ""
    values: tuple[str, ...] | str = ()


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a kind of CSV file."""

    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        """All that the file may have."""
        return [column.name for column in self.columns]

    @property
    def needed(self) -> list[str]:
        """Those that it must have."""
        return [column.name for column in self.columns if column.needed]


def optional(*names: str) -> tuple[Column, ...]:
    """Columns that a file may have, and in which anything may stand."""
    return tuple(map(Column, names))


class Row(dict[str, str]):
    """One line of a CSV file: cells by column name, where it stands, and where its problems are noted."""

    __slots__ = ("place", "problems")

    def __init__(self, cells: Iterable[tuple[str, str]], place: Place, problems: Problems) -> None:
        super().__init__(cells)
        self.place, self.problems = place, problems

    def __missing__(self, column: str) -> str:
        return ""

    def report(self, what: str, fix: str) -> None:
        """Note a problem of the row."""
        self.problems.add(self.place, what, fix)

    def expect(self, column: str, values: Sequence[str], of: str) -> None:
        """Note a cell that holds none of these values; `of` says whose it is."""
        if self[column] not in values:
            self.report(f"{column} '{self[column]}' of {of}", one_of(values))


@dataclass(frozen=True, slots=True)
class CsvFile:
    """A CSV file: its columns in order and its rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    problems: Problems

    def check(
        self,
        declared: Columns,
        facts: Mapping[str, Any],
        features: Collection[str] = (),
        further: Collection[str] = (),
        **values: Sequence[str],
    ) -> None:
        """Note the columns and cells that are not as declared.

        Parameters
        ----------
        facts : what ``corpus.toml`` says.
        features : may be columns as well, also behind ``gram.``.
        further : columns beside those declared.
        values : what may stand in a column, beside what is declared.
        """
        known = {*declared.names, *further}
        about = f", and the features of locale.toml: {', '.join(features)}" if features else ""
        for column in self.columns:
            if not column:
                self.problems.add(Place(self.name, 1), "a column has no name", UNNAMED)
            elif column not in known and column.removeprefix("gram.") not in features and self._filled(column):
                fix = f"Columns: {', '.join(sorted(known))}{about}"
                self.problems.add(Place(self.name, 1), f"column '{column}' is not known", fix)
        allowed = {column.name: _values(column, facts) for column in declared.columns if column.values}
        allowed.update({column: tuple(some) for column, some in values.items()})
        for row in self.rows:
            of = f"'{row['id'] or row['level'] or row['name'] or '?'}'"
            for each in declared.columns:
                if each.filled and not row[each.name]:
                    row.report(f"column '{each.name}' of {of} is empty", each.filled)
            for name, some in allowed.items():
                row.expect(name, some if name in declared.needed else ("", *some), of)
            for flag in row["flags"].split():
                if flag not in facts["flags"]:
                    row.report(f"unknown flag '{flag}'", f"Flags (corpus.toml): {', '.join(facts['flags'])}")

    def _filled(self, column: str) -> bool:
        """Return whether a column has anything in it; an empty one may be left of a role that was removed."""
        return not column.isidentifier() or any(row[column] for row in self.rows)

    def distinct(self, columns: Sequence[str]) -> Iterator[Row]:
        """The rows without those that repeat the cells of another in these columns, which are noted."""
        lines: dict[tuple[str, ...], int] = {}
        for row in self.rows:
            first = lines.setdefault(tuple(row[column] for column in columns), row.place.line)
            if first == row.place.line:
                yield row
            else:
                cells = ", ".join(f"{column} '{row[column]}'" for column in columns if row[column])
                row.report(f"{cells} appears twice", f"The other is on line {first}; remove one")


def _values(column: Column, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what may stand in a column."""
    if isinstance(column.values, str):
        return tuple(facts[column.values])
    return column.values


def read_csv(
    path: Path,
    required: Iterable[str] = (),
    problems: Problems | None = None,
    *,
    name: str = "",
    prose: Collection[str] = PROSE,
) -> CsvFile:
    """Read a CSV file with a header; one that cannot be used comes back empty.

    Parameters
    ----------
    name : how its places are called, if not by the name of the file.
    prose : columns in which a text may begin with a typographic quote.
    """
    problems = Problems() if problems is None else problems
    name = name or path.name
    place, problem_count, header = Place(name, 1), len(problems), list[str]()
    text = read_text(path, problems)
    lines = csv.reader([])
    if text is not None:
        try:
            stream = io.StringIO(text, newline="")
            separators = separators_in(stream.readline())
            stream.seek(0)
            lines = csv.reader(stream, strict=True)
            header = next(lines, [])
            if separators == [","]:
                _check_header(place, header, required, problems)
            else:
                called = " and ".join(map(SEPARATORS.__getitem__, separators))
                problems.add(place, f"the columns are separated by {called}", "Save the sheet as CSV with commas")
        except csv.Error as error:
            problems.add(place, f"not valid CSV: {error}", "Check the quotes of the header")
    if len(problems) > problem_count:
        return CsvFile(name, (), (), problems)
    return CsvFile(name, tuple(header), tuple(_rows(lines, header, name, problems, prose)), problems)


def _check_header(place: Place, header: list[str], required: Iterable[str], problems: Problems) -> None:
    missing = [column for column in required if column not in header]
    if missing:
        head = f"column{'s' if len(missing) > 1 else ''} {', '.join(missing)} missing"
        message = f"{head}; the header has {', '.join(header) or 'nothing'}"
        problems.add(place, message, "A column may have been renamed: restore its name")
    for column in sorted(column for column, count in Counter(header).items() if count > 1):
        if column:
            problems.add(place, f"column '{column}' appears twice", "Remove one of the two")
        else:
            problems.add(place, f"{header.count('')} columns have no name", UNNAMED)


def _rows(lines: Any, header: list[str], name: str, problems: Problems, prose: Collection[str]) -> Iterator[Row]:
    while True:
        place = Place(name, lines.line_num + 1)
        try:
            cells = next(lines)
        except StopIteration:
            return
        except csv.Error as error:
            problems.add(place, f"not valid CSV: {error}", "Check the quotes of this row")
            return
        if not any(cells) or cells[0].startswith("#"):
            continue
        if len(cells) != len(header):
            fix = "A comma may be missing or unquoted: the row has shifted"
            if any(cell.strip()[:1] in QUOTES for cell in cells if cell.strip()):
                fix = 'Typographic quotes do not protect the commas in a cell: use "…" around a cell that has commas'
            problems.add(place, f"{len(cells)} cells where the header has {len(header)}", fix)
            continue
        bare = [unicodedata.normalize("NFC", cell.strip()) for cell in cells]
        row = Row(zip(header, bare, strict=True), place, problems)
        if bare != cells or not QUOTES.isdisjoint([cell[:1] for cell in cells]):
            _report_traces(row, zip(header, cells, strict=True), prose)
        yield row


def _report_traces(row: Row, cells: Iterable[tuple[str, str]], prose: Collection[str]) -> None:
    """Note what a spreadsheet has put around the cells of a row; a text with slots is a sentence."""
    for column, cell in cells:
        if cell[:1] in QUOTES and column not in prose and "{{" not in cell:
            message = f"column '{column}' begins with the typographic quote {cell[0]}"
            row.report(message, "Remove the quotes a spreadsheet added")
        if cell != cell.strip():
            row.report(f"column '{column}' begins or ends with a space: {cell!r}", "Remove the space")
