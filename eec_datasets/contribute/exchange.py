"""Sheets as files: CSV for spreadsheets, PO (through babel) for translation tools."""

from __future__ import annotations

import io
import re
import tomllib
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, PoFileParser, write_po

from eec_datasets.contribute.returned_sheet import take_in
from eec_datasets.contribute.scaffold import scaffold
from eec_datasets.contribute.sheet import UNIT_COLUMNS, SheetError, SheetText, entries, state_of
from eec_datasets.errors import Place, Problems
from eec_datasets.files import start_folder
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.encoding import QUOTES, read_text
from eec_datasets.locale.model import WANTED
from eec_datasets.locale.reading import load_locale
from eec_datasets.text_file import csv_text, guarded, unguarded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from babel.messages.catalog import Message


class _Catalogue(Catalog):
    """A catalogue that notes which entries stand twice; babel keeps the first text and says nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.twice: list[tuple[Message, Message]] = []

    def __setitem__(self, id: Any, message: Message) -> None:
        if id and (first := self.get(id, message.context)):
            self.twice.append((message, first))
        super().__setitem__(id, message)


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""The date PO headers carry, so that the same locale always gives the same file."""

_UNBROKEN = 1_000_000
"""Letters in a line of PO: with 0, babel would still break the comments, which carry sources."""

_WRAPPED = 76
"""The narrowest line at which tools wrap comments: babel 76, polib 78."""

SPACE = "␣"
"""Stands in a CSV sheet for a space at the beginning or end of a text."""

COLUMNS = ("key", "wanted", "english", "text", *UNIT_COLUMNS)
_QUOTED = re.compile(r'(msg\w+(\[\d+\])?\s*)?"([^"\\]|\\.)*"')
"""A line of PO with a text; babel takes the last letter away where the closing quote is missing."""

STATE = "state"
"""Column, and comment of PO, that says what a text was when the sheet was written: two sheets can be taken in."""


@cache
def _help(kind: str) -> str:
    """How to use a sheet of this kind."""
    return str(tomllib.loads(Path(__file__).with_name("sheet_help.toml").read_text(encoding="utf-8"))[kind])


def export_csv(folder: Path) -> str:
    """The sheet of a locale as CSV; its second line says how to use it."""
    rows = []
    for entry in entries(folder):
        # Spreadsheets take spaces at the edges of a text away.
        visible = replace(entry, text=re.sub(r"^ +| +$", lambda match: SPACE * len(match[0]), entry.text))
        rows.append([*(guarded(getattr(visible, column)) for column in COLUMNS), state_of(entry)])
    return csv_text([[*COLUMNS, STATE], [f"# {_help('csv')}", *[""] * len(COLUMNS)], *rows])


def import_csv(folder: Path, sheet: Path, *, started: bool = False) -> tuple[list[SheetText], list[str]]:
    """Take a CSV sheet back in.

    Parameters
    ----------
    started : whether the folder was made for this sheet, so that no text in it is newer than the sheet's.

    Returns
    -------
    (changed entries, names of the files that were written)

    Raises
    ------
    SheetError : every problem of the sheet with its line; nothing was written.
    """
    problems = Problems()
    file = read_csv(sheet, [column for column in COLUMNS if column != "comment"], problems, returned=True)
    if problems:
        raise SheetError(sheet.name, problems.found)
    incoming = []
    comments = {entry.key: entry.comment for entry in entries(folder)}
    for row in file.rows:
        entry = SheetText(**{column: unguarded(row[column]) for column in COLUMNS})  # type: ignore[arg-type]  # all of them texts
        if "comment" not in file.columns and entry.key in comments:  # a sheet without comments takes none away
            entry = replace(entry, comment=comments[entry.key])
        state = "" if started else row[STATE]
        incoming.append((replace(entry, text=entry.text.replace(SPACE, " ")), state, row.place))
    return take_in(folder, sheet.name, incoming, problems)


def export_po(folder: Path) -> str:
    """The sheet of a locale as a PO catalogue: msgctxt is the cell, msgid the English, msgstr the text."""
    catalog = Catalog(
        locale=folder.name.replace("-", "_"),
        project="eec-datasets",
        version="1",
        msgid_bugs_address="see CONTRIBUTING.md",
        header_comment=_help("po"),
        fuzzy=False,
    )
    catalog.creation_date = catalog.revision_date = _EPOCH
    for entry in entries(folder):
        people = [f"{role}: {name}" for role in UNIT_COLUMNS if (name := getattr(entry, role))]
        text = "" if WANTED in entry.text else entry.text
        comments = [f"{STATE}: {state_of(entry)}", entry.wanted]
        catalog.add(entry.english, text, context=entry.key, user_comments=people, auto_comments=comments)
    out = io.BytesIO()
    write_po(out, catalog, width=_UNBROKEN, sort_output=False)
    return out.getvalue().decode("utf-8")


def import_po(
    folder: Path, sheet: Path, translator: str | None = None, checker: str | None = None, *, started: bool = False
) -> tuple[list[SheetText], list[str]]:
    """Take a PO catalogue back in.

    Parameters
    ----------
    translator : recorded for every text that the catalogue changes, and with `checker` for those that name nobody.
    checker : recorded for every text.
    started : see `import_csv`.

    Raises
    ------
    SheetError : a fuzzy or missing entry, broken syntax; nothing was written.
    """
    problems = Problems()
    catalog = _read_po(sheet, problems)
    if catalog is None:
        raise SheetError(sheet.name, problems.found)
    language = catalog.locale_identifier
    if language and language.split("_")[0] != folder.name.split("-")[0]:
        problem = f"the catalogue says that its language is '{language}', and '{folder.name}' was expected"
        problems.add(Place(sheet.name, 1), problem, "Choose the file of this language, or mend its line Language")
    for message, first in catalog.twice:
        place = Place(sheet.name, message.lineno or 1)
        problems.add(place, f"'{message.context}' stands twice", f"The other is on line {first.lineno}; keep one")
    present = {entry.key: entry for entry in entries(folder)}
    incoming = []
    for message in (message for message in catalog if message.id):
        place, old = Place(sheet.name, message.lineno or 1), present.get(str(message.context))
        if message.context is None:
            mend = "It says which text the entry is for: restore it, or export the sheet again"
            problems.add(place, f"the entry '{message.id}' has no msgctxt", mend)
            continue
        if message.fuzzy:
            problems.add(place, f"'{message.context}' is fuzzy", "Settle the text and remove the fuzzy mark")
        text, notes = unicodedata.normalize("NFC", str(message.string)), _user_notes(message.user_comments, old)
        for name, cell in {"text": text, **notes}.items() if old is not None else ():
            if cell[:1] in QUOTES and cell != getattr(old, name):
                what = f"the {name} of '{message.context}' begins with the typographic quote {cell[0]}"
                problems.add(place, what, "Remove it")
        state = dict(note.split(": ", 1) for note in message.auto_comments if ": " in note).get(STATE, "")
        state = "" if started else state
        entry = SheetText(message.context, "", str(message.id), text, **notes)  # type: ignore[arg-type]  # texts
        incoming.append((entry, state, place))
    signed = (name and unicodedata.normalize("NFC", name.strip()) for name in (translator, checker))
    return take_in(folder, sheet.name, incoming, problems, *signed)


def start_from_sheet(
    tag: str, like: str, sheet: Path, root: Path, translator: str | None = None, checker: str | None = None
) -> tuple[list[SheetText], list[str]]:
    """Start a language with the texts of a sheet that `eec locale new` has written, here or on another machine.

    Parameters
    ----------
    like : tag of the locale whose structure is taken over, the one that the sheet was written from.
    translator, checker : of a PO catalogue, see `import_po`.

    Raises
    ------
    SheetError : the sheet has a problem; no folder was made.
    ScaffoldError : there is no such language.
    UnknownConfig : there is no locale `like`.
    """
    load_locale(like, root)
    with TemporaryDirectory() as trial:
        copy = Path(trial) / "locales"
        files = [path for each in (root, root / "en", root / like) for path in each.iterdir() if path.is_file()]
        start_folder(copy, {path.relative_to(root).as_posix(): path.read_bytes() for path in dict.fromkeys(files)})
        folder = scaffold(tag, like, copy)
        taken = import_sheet(folder, sheet, translator, checker, started=True)
        start_folder(root / tag, {path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    return taken


def import_sheet(
    folder: Path, sheet: Path, translator: str | None = None, checker: str | None = None, *, started: bool = False
) -> tuple[list[SheetText], list[str]]:
    """Take a sheet back in, which its name says to be a PO catalogue or else is CSV: see `import_csv`, `import_po`."""
    if is_po(sheet):
        return import_po(folder, sheet, translator, checker, started=started)
    return import_csv(folder, sheet, started=started)


def is_po(sheet: Path) -> bool:
    """Whether the name of a sheet says that it is a PO catalogue."""
    return sheet.suffix.lower() in (".po", ".pot")


def _read_po(sheet: Path, problems: Problems) -> _Catalogue | None:
    text = read_text(sheet, problems)
    if text is None or problems:
        return None
    try:
        catalog = _Catalogue()
        PoFileParser(catalog, abort_invalid=True).parse(io.StringIO(text))
        if not any(message.id for message in catalog):
            raise ValueError("it holds no entry")
    except (PoFileError, ValueError) as error:  # babel lets a number it cannot read pass as ValueError
        line = error.lineno + 1 if isinstance(error, PoFileError) else 1
        what = str(error).removesuffix(f" on {line - 1}")  # babel counts lines from 0
        problems.add(Place(sheet.name, line), f"not a valid PO file: {what}", "Mend it there, or export anew")
        return None
    for number, written in enumerate(text.split("\n"), start=1):
        if written.lstrip().startswith(('"', "msg")) and not _QUOTED.fullmatch(written.strip()):
            mend = 'Put the text between straight quotes, "…", and write \\" for a quote inside it'
            problems.add(Place(sheet.name, number), f"the quotes of this line do not match: {written.strip()}", mend)
    return catalog


def _user_notes(comments: Sequence[str], old: SheetText | None) -> dict[str, str]:
    """What translator's comments say of a text; a long one that a tool has wrapped is put together again."""
    notes: dict[str, str] = {}
    name, before = "", ""
    for line in comments:
        start, colon, value = line.partition(":")
        if colon and start in UNIT_COLUMNS:
            name, notes[start] = start, value.strip()
        elif name and line and len(f"# {before} {line.split()[0]}") > _WRAPPED:
            notes[name] = f"{notes[name]} {line}".lstrip()
        else:
            name = ""
        before = line
    for name, value in notes.items():
        was = getattr(old, name, "")
        same = "".join(value.split()) == "".join(was.split())  # a line may have been broken behind a hyphen
        notes[name] = was if same else unicodedata.normalize("NFC", value)
    return notes
