"""Sheets as files: CSV for spreadsheets, PO (through babel) for translation tools."""

from __future__ import annotations

import io
import re
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, PoFileParser, write_po

from eec_datasets.contribute.returned_sheet import since_export, take_in
from eec_datasets.contribute.sheet import UNIT_COLUMNS, Entry, SheetError, entries, state_of
from eec_datasets.errors import Place, Problems
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.encoding import QUOTES, read_text
from eec_datasets.locale.model import WANTED
from eec_datasets.text_file import csv_text, guarded, unguarded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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
CSV_HELP = (
    "How to use this sheet: write in the column text only, as you would say it in your own language; leave key, "
    "wanted, english and state as they are. Keep what stands in {{ … }}. Name in source the list, dictionary or paper "
    "that a name or word is from (templates have none). Put your name in translator; a second person reads every "
    f"text and puts theirs in checker. '{WANTED}' or an empty cell is still to be written. "
    f"{SPACE} is a space at the edge of a text; an apostrophe before = + - @ keeps it from being a formula. "
    "Save as CSV in UTF-8 (Excel: CSV UTF-8)."
)
PO_HELP = """\
# How to use this catalogue: write each msgstr as you would say it in your own language. Keep what stands in {{ … }}.
# The comment above an entry says what is wanted; an empty msgstr is still to be written, or like another form.
# A name or word has the list, dictionary or paper that it is from in a translator's comment: "source: …".
# Say who wrote and who read it when it is taken back: eec locale import TAG FILE --translator NAME --checker NAME"""


def export_csv(folder: Path) -> str:
    """The sheet of a locale as CSV; its second line says how to use it."""
    rows = []
    for entry in entries(folder):
        # Spreadsheets take spaces at the edges of a text away.
        visible = replace(entry, text=re.sub(r"^ +| +$", lambda match: SPACE * len(match[0]), entry.text))
        rows.append([*(guarded(getattr(visible, column)) for column in COLUMNS), state_of(entry)])
    return csv_text([[*COLUMNS, STATE], [f"# {CSV_HELP}", *[""] * len(COLUMNS)], *rows])


def import_csv(folder: Path, sheet: Path) -> tuple[list[Entry], list[str]]:
    """Take a CSV sheet back in.

    Returns
    -------
    (changed entries, names of the files that were written)

    Raises
    ------
    SheetError : every problem of the sheet with its line; nothing was written.
    """
    problems = Problems()
    file = read_csv(sheet, COLUMNS, problems, returned=True)
    if problems:
        raise SheetError(sheet.name, problems.found)
    present, incoming = {entry.key: entry for entry in entries(folder)}, []
    for row in file.rows:
        entry = Entry(**{column: unguarded(row[column]) for column in COLUMNS})  # type: ignore[arg-type]  # all of them texts
        entry = replace(entry, text=entry.text.replace(SPACE, " "))
        incoming.append((since_export(entry, row[STATE], present.get(entry.key), row.report), row.place.line))
    return take_in(folder, sheet.name, present, incoming, problems)


def export_po(folder: Path) -> str:
    """The sheet of a locale as a PO catalogue: msgctxt is the cell, msgid the English, msgstr the text."""
    catalog = Catalog(
        locale=folder.name.replace("-", "_"),
        project="eec-datasets",
        version="1",
        msgid_bugs_address="see CONTRIBUTING.md",
        header_comment=PO_HELP,
        fuzzy=False,
    )
    catalog.creation_date = catalog.revision_date = _EPOCH
    for entry in entries(folder):
        people = [f"{role}: {name}" for role in UNIT_COLUMNS if (name := getattr(entry, role))]
        text = "" if entry.text == WANTED else entry.text
        comments = [f"{STATE}: {state_of(entry)}", entry.wanted]
        catalog.add(entry.english, text, context=entry.key, user_comments=people, auto_comments=comments)
    out = io.BytesIO()
    write_po(out, catalog, width=_UNBROKEN, sort_output=False)
    return out.getvalue().decode("utf-8")


def import_po(
    folder: Path, sheet: Path, translator: str | None = None, checker: str | None = None
) -> tuple[list[Entry], list[str]]:
    """Take a PO catalogue back in.

    Parameters
    ----------
    translator : recorded for every text that the catalogue changes, and with `checker` for those that name nobody.
    checker : recorded for every text.

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
    translator, checker = (name and unicodedata.normalize("NFC", name.strip()) for name in (translator, checker))
    present = {entry.key: entry for entry in entries(folder)}
    incoming = []
    for message in catalog:
        if message.id:
            line, old = message.lineno or 1, present.get(str(message.context))
            report = partial(problems.add, Place(sheet.name, line))
            if message.context is None:
                mend = "It says which text the entry is for: restore it, or export the sheet again"
                report(f"the entry '{message.id}' has no msgctxt", mend)
                continue
            if message.fuzzy:
                report(f"'{message.context}' is fuzzy", "Settle the text and remove the fuzzy mark")
            state = dict(note.split(": ", 1) for note in message.auto_comments if ": " in note).get(STATE, "")
            in_sheet = _po_entry(message, old)
            for name in ("text", *UNIT_COLUMNS) if old is not None else ():
                cell = getattr(in_sheet, name)
                if cell[:1] in QUOTES and cell != getattr(old, name):
                    report(
                        f"the {name} of '{message.context}' begins with the typographic quote {cell[0]}", "Remove it"
                    )
            entry = since_export(in_sheet, state, old, report, translator)
            if entry.text == in_sheet.text:  # who took the catalogue in has seen that text, and no other
                entry = _po_signed(entry, old, translator, checker)
            incoming.append((entry, line))
    return take_in(folder, sheet.name, present, incoming, problems)


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


def _po_entry(message: Message, old: Entry | None) -> Entry:
    """An entry as a catalogue says it."""
    comments = _user_notes(message.user_comments, old)
    text = unicodedata.normalize("NFC", str(message.string))
    source, wrote, read = (comments.get(column, "") for column in UNIT_COLUMNS)
    return Entry(str(message.context), "", str(message.id), text, source, wrote, read)


def _user_notes(comments: Sequence[str], old: Entry | None) -> dict[str, str]:
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


def _po_signed(entry: Entry, old: Entry | None, translator: str | None, checker: str | None) -> Entry:
    """The entry with who wrote and read it, where the one who takes the catalogue in has named them."""
    if old is None or not entry.text:
        return entry
    wrote = entry.text != old.text or (checker and not entry.translator)
    new = translator if translator and wrote else entry.translator
    return replace(entry, translator=new, checker=checker or entry.checker)
