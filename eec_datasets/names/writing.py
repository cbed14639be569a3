"""``names.csv`` written again: the column `sets` of a set that was chosen, or the columns of one more source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_bias.shared import as_output_error, grouped, write_over
from eec_datasets.errors import FileProblems, InputError, Place, Problems
from eec_datasets.given_file import read_given
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.name_table import plain_id
from eec_datasets.locale.names import SOURCES, SOURCES_FILE, TABLE_FILE, check_numbers
from eec_datasets.locale.words import SLUG
from eec_datasets.text_file import changed_csv

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.locale.csv_file import CsvFile, Row
    from eec_datasets.locale.name_table import NameSource, NameTable
    from eec_datasets.names.choosing import ChosenSet

KEY_COLUMNS = ("name", "gender", "group")
"""Columns of a file that say whom its rows are about."""

Cells = Mapping[int, Mapping[str, str]]
"""Line of ``names.csv`` → what its cells become, by column."""


def write_set(table: NameTable, chosen: ChosenSet) -> None:
    """Write who is in a set into the column `sets`; nothing else of the table changes."""
    lines = {row.place.line for rows in chosen.cells.values() for row in rows}
    changed = {}
    for row in table.file.rows:
        others = [key for key in row["sets"].split() if key != chosen.rule.key]
        inside = [chosen.rule.key] if row.place.line in lines else []
        changed[row.place.line] = {"sets": " ".join(key for key in table.sets if key in (*others, *inside))}
    _write(table, changed)


def _write(
    table: NameTable, changed: Cells, columns: Iterable[str] = (), further: Iterable[Mapping[str, str]] = ()
) -> None:
    """Write the table with what changes; comments between rows stay where they are."""
    path = table.folder / TABLE_FILE
    text = changed_csv(read_given(path).decode("utf-8-sig"), changed, columns, further)
    with as_output_error(path):
        write_over({path: text})


@dataclass(frozen=True, slots=True)
class Addition:
    """The names in a file of a source: those that it describes, those that the table lacked, and those left out.

    Attributes
    ----------
    described : how many names the table now has something of the source for.
    added, left_out : names that the table lacked; they were added where the file says their group.
    groups : groups that no name of the table had.
    """

    described: int
    added: Sequence[str]
    left_out: Sequence[str]
    groups: Sequence[str]


def add_source(table: NameTable, key: str, path: Path, *, replace: bool = False) -> Addition:
    """Take what a source says of names into the table.

    Parameters
    ----------
    key : of the source, which ``corpus.toml`` describes.
    path : CSV with the columns ``name``, ``gender`` and fields of the source, in any order (a field that is called
        ``gender`` itself as ``SOURCE.gender``); with ``group`` also names that the table lacks are added, without it
        they are left out. What is said of a name of one group is not taken for that of another.
    replace : let other values take the place of those that the table has.

    Raises
    ------
    InputError : the source is not described, or the table says something else. FileProblems : the file has problems,
        all listed; nothing was written.
    """
    if key not in table.sources:
        raise InputError(
            f"no source '{key}' in {SOURCES_FILE}; there are: {', '.join(table.sources)}. Describe it there: "
            f'[{SOURCES}.{key}] with title, publisher, licence and fields = {{ count = "what it counts" }}'
        )
    problems = Problems()
    file = read_csv(path, ("name", "gender"), problems)
    source = table.sources[key]
    fields = _fields(file, source, problems)
    rows = file.distinct(KEY_COLUMNS)
    for column, cell in fields.items():
        check_numbers(file.rows, column, cell)
    for row in file.rows:
        row.expect("gender", list(table.grammar), f"'{row['name']}'")
        if not row["name"]:
            row.report("the name is empty", "Write it, or remove the row")
    rows_and_cells = ((row, {cell: row[column] for column, cell in fields.items() if row[column]}) for row in rows)
    changed, further, left_out = _joined(table, source, rows_and_cells, replace)
    if problems:
        raise FileProblems(f"{path}: nothing was taken in", problems.found)
    _write(table, changed, fields.values(), further)
    described = len(changed) + sum(not set(fields.values()).isdisjoint(row) for row in further)
    groups = dict.fromkeys(row["group"] for row in further)
    new = [group for group in groups if group not in {row["group"] for row in table.file.rows}]
    return Addition(described, [row["name"] for row in further], left_out, new)


def _fields(file: CsvFile, source: NameSource, problems: Problems) -> dict[str, str]:
    """The columns of a file that hold fields of a source → those of the table."""
    cells = zip(source.fields, source.columns, strict=True)
    fields = {cell if field in KEY_COLUMNS else field: cell for field, cell in cells}
    allowed = (*KEY_COLUMNS, *fields)
    for column in file.columns:
        if column not in allowed:
            fix = f"Columns, in any order: {', '.join(allowed)} (fields of {SOURCES_FILE}, [{SOURCES}.{source.key}])"
            problems.add(Place(file.name, 1), f"column '{column}' is not known of the source '{source.key}'", fix)
    return {column: cell for column, cell in fields.items() if column in file.columns}


def _joined(
    table: NameTable, source: NameSource, rows_and_cells: Iterable[tuple[Row, Mapping[str, str]]], replace: bool
) -> tuple[dict[int, dict[str, str]], list[dict[str, str]], list[str]]:
    """The cells that change, the rows that are new, and the names that are left out."""
    changed: dict[int, dict[str, str]] = {}
    further: list[dict[str, str]] = []
    left_out: list[str] = []
    names = [row["name"] for row in table.file.rows]
    spelt = {name.casefold(): name for name in names} | {name: name for name in names}
    # Without its accents (LUCIA) a name is still the same of that gender: it would have the same id.
    ids = ((plain_id(row["name"]), row) for row in table.file.rows)
    plain = {(name, row["gender"]): row["name"] for name, row in ids if SLUG.fullmatch(name)}
    by_name = grouped(((row["name"], row["gender"]), row) for row in table.file.rows)
    for row, cells in rows_and_cells:
        name, gender = row["name"], row["gender"]
        present = by_name.get((name, gender), [])
        _check_group(row, present)
        present = [old for old in present if row["group"] in ("", old["group"])]
        _check_share(row, present, cells.get(f"{source.key}.share") if source.evidence else None)
        for old in present:
            _check_same(row, old, cells, replace)
            if cells:
                changed[old.place.line] = dict(cells)
        if present:
            continue
        _check_spelling(row, spelt.get(name) or spelt.get(name.casefold()) or plain.get((plain_id(name), gender)))
        if row["group"]:
            further.append({"name": name, "group": row["group"], "gender": gender, **cells})
        else:
            left_out.append(name)
    return changed, further, left_out


def _check_group(row: Row, present: Sequence[Row]) -> None:
    """Note a name that the file gives to another group than the table."""
    groups = [row_there["group"] for row_there in present]
    if row["group"] and groups and row["group"] not in groups:
        message = f"'{row['name']}' ({row['gender']}) is {row['group']} here and {' and '.join(groups)} in {TABLE_FILE}"
        row.report(message, "A name belongs to one group: settle which, or leave the column group out")


def _check_share(row: Row, present: Sequence[Row], share: str | None) -> None:
    """Note a share of bearers who are of a group, where it is not said of which."""
    if share and len(present) > 1:
        groups = " and ".join(old["group"] for old in present)
        message = f"'{row['name']}' ({row['gender']}) is {groups} in {TABLE_FILE}, and a share is that of one group"
        row.report(message, "Say in the column group of which")


def _check_spelling(row: Row, there: str | None) -> None:
    """Note a name that the table has in other letters (LUCÍA), or that a sentence would not write so."""
    name = row["name"]
    if there is not None and there != name:
        row.report(f"'{name}' is written '{there}' in {TABLE_FILE}", "Write it as it is there, or remove the row")
    elif row["group"] and len(name) > 1 and name != name.title() and name in (name.upper(), name.lower()):
        letters = "capitals" if name.isupper() else "small letters"
        row.report(f"'{name}' has only {letters}", "Write it as in a sentence")


def _check_same(row: Row, old: Row, cells: Mapping[str, str], replace: bool) -> None:
    for column, cell in cells.items():
        if old[column] and old[column] != cell and not replace:
            message = f"{column} of '{row['name']}' is {cell} here and {old[column]} in {TABLE_FILE}:{old.place.line}"
            row.report(message, "Fix one of the two, or let the file replace what the table has (--replace)")
