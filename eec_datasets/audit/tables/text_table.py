"""A table in text: its encoding, what separates its columns, their names, and its rows."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_datasets.errors import InputError
from eec_datasets.text_file import FORMULA, SEPARATORS, UTF16

if TYPE_CHECKING:
    import pyarrow as pa

ENCODINGS: Final = {"cp1252": "Windows-1252 (Latin-1)", "cp1256": "Windows-1256 (Arabic)", "mac_roman": "Mac Roman"}
"""Encodings in which spreadsheets save CSV if it is not UTF-8, and their names in messages."""

LETTERS: Final = "áéíóúüñÁÉÍÓÚÑ¿¡ªºäöÄÖÜßàâçèêëîïôœùûÀÇÈÊÎãõÃÕìòğışİŞĞ" + "".join(map(chr, range(0x0621, 0x0653)))
"""Letters of the languages of the corpora, by which encodings that fit a text are told apart."""

LONGEST_LINE: Final = 1 << 20
"""Bytes that the names of the columns may take."""

SAMPLE, START = 50, 1 << 16
"""Rows, and letters, by which columns are counted."""

JSON: Final = re.compile(r"\s*\[?\s*\{")
"""Start of a JSON object, with or without a list around it."""


@dataclass(frozen=True, slots=True)
class FileForm:
    """The format of a table in text.

    Attributes
    ----------
    encoding, separator
        Of the text.
    skipped
        Lines before the names of the columns.
    names
        Names of the columns, as the file writes them.
    nameless
        Whether the rows have a first value that the line of names has none for, as R's ``write.table`` does.
    """

    encoding: str
    separator: str
    skipped: int
    names: tuple[str, ...]
    nameless: bool

    @property
    def notes(self) -> list[str]:
        """Return what is guessed, and worth a word."""
        notes = [] if self.separator == "," else [f"the columns are separated by {SEPARATORS[self.separator]}"]
        if self.encoding in ENCODINGS:
            notes.append(f"the file is not UTF-8 and is read as {ENCODINGS[self.encoding]}")
        return notes


def read_start(path: str, place: str, letters: str, big: int) -> tuple[str, str]:
    """Return a text and its encoding; of a file of so many bytes, whose encoding an engine checks, the first lines.

    Raises
    ------
    InputError
        It is no text.
    """
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(big)
    except OSError as error:
        raise InputError(f"Cannot read {place}: {error.strerror}.") from error
    if len(raw) == big:
        raw = raw[: raw.rfind(b"\n", 0, START) + 1] or raw
    if b"\0" in raw and not raw.startswith(UTF16):
        raise InputError(f"{place}: this is not a text file. Save the table as CSV in UTF-8.")
    return _decode(raw, letters)


def _decode(raw: bytes, letters: str) -> tuple[str, str]:
    """Return a text and its encoding; of those that fit, the one with most of the letters that are expected."""
    if raw.startswith(UTF16):
        return raw.decode("utf-16", errors="replace"), "utf-16"
    try:
        return raw.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        texts = {name: raw.decode(name, errors="replace") for name in ENCODINGS}
    expected = frozenset(letters)
    best = max(texts, key=lambda name: sum(n for letter, n in Counter(texts[name]).items() if letter in expected))
    return texts[best], best


def find_form(text: str, encoding: str, skipped: int, place: str) -> FileForm:
    """Find out how a table is written from its first lines.

    The separator is the one that gives a column ``id`` or ``text``, else the one that gives most columns; so a comma
    in a decimal number is none.

    Parameters
    ----------
    text, encoding
        As `read_start` returns them.
    skipped
        Lines before the names of the columns.
    place
        What messages call the file.

    Raises
    ------
    InputError
        The text is no table.
    """
    if JSON.match(text):
        raise InputError(f"{place}: this is JSON; give the file a name that ends in .json or .jsonl.")
    if len(text) > LONGEST_LINE and "\n" not in text[:LONGEST_LINE]:
        raise InputError(
            f"{place}: the first line goes on for more than {LONGEST_LINE >> 20} MB; expected the names of the "
            "columns, such as id,score."
        )
    # To the end of a line: a name that is cut off would be another name.
    start = text[: text.find("\n", START) + 1] or text
    lines = start.splitlines(keepends=True)[skipped:]
    declared_at = skipped
    if lines and (declared := re.fullmatch(r'"?sep=(.)"?\s*', lines[0])) and declared[1] in SEPARATORS:
        skipped, lines = skipped + 1, lines[1:]

    def read(separator: str, most: int) -> list[list[str]]:
        rows = csv.reader(lines, delimiter=separator)
        return list(itertools.islice(filter(None, rows), most))

    def suits(separator: str) -> tuple[bool, int]:
        try:
            (names,) = read(separator, 1) or [[]]
        except csv.Error:
            return False, 0
        return any(name.strip().casefold() in ("id", "text") for name in names), len(names)

    try:
        separator = max(SEPARATORS, key=suits)
        head, *rows = read(separator, SAMPLE) or [[]]
    except csv.Error as error:
        raise InputError(
            f"{place}:{declared_at + 1}: the names of the columns cannot be read ({error}). Expected a first line "
            "such as id,score."
        ) from error
    counted = [row[0] for row in rows] == [str(number) for number, _ in enumerate(rows, start=1)]
    nameless = len(rows) > 1 and counted and all(len(row) == len(head) + 1 for row in rows)
    names = ("", *head) if nameless else tuple(head)
    if not names:
        raise InputError(f"{place}: the file is empty; expected a first line with the names of the columns.")
    return FileForm(encoding, separator, skipped, names, nameless)


def begins_with_an_empty_line(path: str) -> bool:
    """Return whether a text does, which engines take for the names of the columns."""
    with Path(path).open("rb") as stream:
        return stream.read(8).removeprefix(codecs.BOM_UTF8).startswith((b"\n", b"\r"))


def first_rows(text: str, form: FileForm) -> list[list[str]]:
    """Return the first rows of a text, for engines that read the rest."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=form.separator)
    return [row for row in itertools.islice(lines, form.skipped + 1, 1000) if row]


def read_rows(path: str, place: str, form: FileForm, columns: Sequence[str]) -> pa.Table:
    """Return columns of a file as texts.

    Raises
    ------
    InputError
        It has no rows, or rows with more or fewer values than there are columns.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv as arrow_csv

    names = list(form.names) if form.nameless else None
    try:
        table = arrow_csv.read_csv(
            path if form.encoding == "utf-8" else io.BytesIO(_whole(path, form).encode()),
            read_options=arrow_csv.ReadOptions(skip_rows=form.skipped + form.nameless, column_names=names),
            parse_options=arrow_csv.ParseOptions(delimiter=form.separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(columns, pa.string()), include_columns=list(columns),
                strings_can_be_null=False,
            ),
        )  # fmt: skip
    except (OSError, pa.ArrowException) as error:
        if "Empty CSV" in str(error):
            raise InputError(
                f"{place}: the file has no rows; expected a line of names, such as id,score, and a row for each "
                "sentence."
            ) from error
        size = len(form.names)
        ragged = [(line, count) for line, count in lines_of_rows(path, place, form) if count != size]
        reason = "; ".join(f"line {line} has {count} values, expected {size}" for line, count in ragged[:3])
        raise InputError(f"{place}: cannot be read as CSV ({reason or str(error).splitlines()[0]}).") from error
    # The apostrophe goes that keeps a spreadsheet from running a text, as in `text_file.unguarded`.
    pattern = FORMULA.pattern.replace("'*", "'('*") + ")"
    for number, column in enumerate(table.columns):
        if pc.any(pc.starts_with(column, "'")).as_py():
            table = table.set_column(number, table.field(number), pc.replace_substring_regex(column, pattern, r"\1"))
    return table


def lines_of_rows(path: str, place: str, form: FileForm) -> list[tuple[int, int]]:
    """Return the line in which each row begins and how many values it has; read only to say what is wrong.

    Raises
    ------
    InputError
        A quotation mark is not closed.
    """
    reader = csv.reader(io.StringIO(_whole(path, form), newline=""), delimiter=form.separator)
    begins, rows = 1, []
    try:
        for row in reader:
            if row:
                rows.append((begins, len(row)))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{place}: cannot be read as CSV ({error}, from line {reader.line_num} on). Look for a quotation mark that "
            "is not closed."
        ) from error
    return rows[1 + form.skipped :]


def _whole(path: str, form: FileForm) -> str:
    encoding = "utf-8-sig" if form.encoding == "utf-8" else form.encoding
    return Path(path).read_bytes().decode(encoding, errors="replace")
