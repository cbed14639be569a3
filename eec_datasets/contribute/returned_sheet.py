"""A returned sheet, checked as a whole and written back into the cells it came from.

Nothing is written unless the whole sheet can be: problems are told all at once, with the line of the sheet.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

import tomlkit

from eec_bias.shared import grouped
from eec_datasets.checks.characters import HIDDEN, JOINERS, char_name
from eec_datasets.checks.files import decoded
from eec_datasets.contribute.sheet import NOTE, PEOPLE, PUBLISHED, SLOT, UNIT_COLUMNS, SheetError, entries, state_of
from eec_datasets.errors import Place, Problem, Problems
from eec_datasets.files import write_over
from eec_datasets.given_file import read_given
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.model import WANTED
from eec_datasets.locale.toml_file import read_toml
from eec_datasets.text_file import changed_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.contribute.sheet import SheetText
    from eec_datasets.locale.csv_file import Row

HINT = re.compile(r"[a-z]{2,3}(-\w+)*: ")
"""How a comment begins that the scaffold wrote: the word in the language that was begun from."""
FORMULA_SIGNS = re.compile(r"'*[=@]")
DOUBT = re.compile(r"[?؟]\s*$")
STATE = re.compile("s[0-9a-f]{6}-[0-9a-f]{6}")
"""What `state_of` gives."""
LOST = re.compile(r"#\S+[?!]|.*\?(\w|\?\?).*|\W*\?\?\W*", re.DOTALL)
"""What spreadsheets show of a text such as -ment, in the language of the program, or save of letters that are not in
the encoding of their country."""


def _since_export(
    entry: SheetText, state: str, old: SheetText | None, report: Callable[[str, str], None], translator: str | None
) -> SheetText:
    """The entry of a sheet, or that of the files where only they have changed since the sheet was written.

    A text that has changed in the files is a problem, unless the translator who changed it has changed it again. Who
    has signed there the text that the sheet has as well stays.

    Parameters
    ----------
    state : of the entry when the sheet was written; empty where the sheet does not say it.
    """
    if not STATE.fullmatch(state) or old is None or state == state_of(old):
        return entry
    text, people = state.split("-")
    (text_here, people_here), (text_there, people_there) = (state_of(each).split("-") for each in (entry, old))
    if people_here == people and text_here in (text, text_there):
        return old
    if text_here == text_there:
        there = {} if people_there == people else {column: getattr(old, column) for column in UNIT_COLUMNS}
        return replace(entry, **{column: getattr(entry, column) or name for column, name in there.items()})
    again = text_here != text and old.translator and old.translator in (translator, entry.translator)
    if text_there != text and not again:
        message = f"'{entry.key}' has become '{old.text}' in the files since this sheet was written"
        report(message, "Write that text, or change it in a new sheet: eec locale export")
    return entry


def take_in(
    folder: Path, sheet: str, incoming: Sequence[tuple[SheetText, str, Place]], problems: Problems,
    translator: str | None = None, checker: str | None = None,
) -> tuple[list[SheetText], list[str]]:  # fmt: skip
    """Write what a returned sheet changes; returns those entries and the names of the files that were written.

    A template, a noun and a row of words have one source, translator, checker and comment, whichever of their texts
    names them. A text that was changed loses the checker it had, unless the sheet names another; nobody checks their
    own. A word of a paper that was changed gets the status `changed`, and a source of its own, and the former word
    stands under `paper`. What the sheet does not have stays as it is.

    Parameters
    ----------
    incoming : the entries of the sheet, their states when it was written, and where they stand.
    translator, checker : who takes the sheet in, where it is not the sheet that says it.

    Raises
    ------
    SheetError : entries are unknown, doubled or emptied, have lost a slot, hold a formula or a character that cannot be
        seen, or are checked by their own translator. Nothing has been written.
    """
    lines: dict[str, int] = {}
    unsound: set[str] = set()
    units: dict[str, list[tuple[SheetText, SheetText]]] = defaultdict(list)
    present = {entry.key: entry for entry in entries(folder)}
    meanings = {entry.english for entry in present.values()}
    for in_sheet, state, place in incoming:
        report, old = partial(problems.add, place), present.get(in_sheet.key)
        entry = _since_export(in_sheet, state, old, report, translator)
        if entry.key in lines:
            report(f"'{entry.key}' stands twice", f"The other is on line {lines[entry.key]}; keep one")
        lines[entry.key] = place.line
        if old is None:
            report(f"unknown key '{entry.key}'", "Do not change the column key; a row may have shifted")
            continue
        if entry.english != old.english and entry.english in meanings:  # else the English has changed since
            report(f"the English of '{old.key}' is '{entry.english}', not '{old.english}'", "A row may have shifted")
        if entry.text and entry.text == in_sheet.text:  # who takes the sheet in has seen that text, and no other
            wrote = translator and (entry.text != old.text or (checker and not entry.translator))
            signed = {"translator": translator if wrote else entry.translator, "checker": checker or entry.checker}
            entry = replace(entry, **signed)  # type: ignore[arg-type]  # texts
        text = _trimmed(entry.text, old)
        if not text and WANTED in old.text:
            text = old.text
        new = replace(old, text=text, **{name: getattr(entry, name) for name in UNIT_COLUMNS})
        problem_count = len(problems)
        _check_text(old, new, report)
        if len(problems) > problem_count:
            unsound.add(new.key)
        units[old.unit].append((old, new))
    changed = []
    for group in units.values():
        changed += _settled(group, unsound, partial(problems.add, Place(sheet, lines[group[0][0].key])))
    if not lines:
        problems.add(Place(sheet, 1), "the sheet has no text", "Write at least one row of it: eec locale export")
    if problems:
        raise SheetError(sheet, problems.found)
    return changed, _write_back(folder, changed, present)


def _trimmed(text: str, old: SheetText) -> str:
    """The text of a sheet without spaces at its edges, but for those that the text in the files has there too."""
    bare = text.strip()
    if old.file.endswith(".csv") or not bare:
        return bare
    before = text[: len(text) - len(text.lstrip())] if old.text[:1].isspace() else ""
    after = text[len(text.rstrip()) :] if old.text[-1:].isspace() else ""
    return before + bare + after


def _check_text(old: SheetText, new: SheetText, report: Callable[[str, str], None]) -> None:
    if old.text and not new.text:
        report(f"'{new.key}' is not translated", f"It was '{old.text}'; write a text")
        return
    if new.text != old.text and (right := decoded(new.text)) != new.text:
        message = f"'{new.key}' has '{new.text}', which was UTF-8 read as Latin-1 (Windows)"
        report(message, f"Write '{right}'; a spreadsheet that asks how to open the sheet is told UTF-8")
    if new.text != old.text and LOST.fullmatch(new.text):
        message = f"'{new.key}' is '{new.text}', in which a spreadsheet has lost what was written"
        report(message, "Write it again, behind an apostrophe if it begins with = + - or @, and save as CSV in UTF-8")
    elif new.text != old.text:
        _check_is_one_text(new, report)
    # What copying brought in with a new text; where a spelling may ask for joiners, `eec locale check` says.
    for letter in dict.fromkeys(HIDDEN.findall(new.text)) if new.text != old.text else ():
        if letter not in JOINERS:
            report(f"'{new.key}' has the invisible character {char_name(letter)}", "Remove it")
    if WANTED in old.text:  # its slots are a proposal
        return
    slots, slots_left = SLOT.findall(old.text), SLOT.findall(new.text)
    # Spaces within a slot say nothing, and those that do not break look like others.
    without_spaces = [sorted("".join(slot.split()) for slot in each) for each in (slots, slots_left)]
    if slots and without_spaces[0] != without_spaces[1]:
        message = f"'{new.key}' has the slots {' '.join(slots_left) or 'none'}, not {' '.join(sorted(slots))}"
        report(message, "Keep what stands in {{ … }}; to change it, edit the file itself")


def _check_is_one_text(new: SheetText, report: Callable[[str, str], None]) -> None:
    """Note what is no text, several texts, or one that its writer doubts."""
    if FORMULA_SIGNS.match(new.text):
        report(f"'{new.key}' is a formula: {new.text!r}", "Write the word or sentence itself")
    if " / " in new.text:
        report(f"'{new.key}' has two texts: '{new.text}'", "Write one; the other belongs into the column comment")
    if DOUBT.search(new.text) and (new.file.endswith(".csv") or new.cell[-1] == "form"):
        report(f"'{new.key}' has a question mark: '{new.text}'", "Write a doubt into the column comment")


def _settled(
    group: Sequence[tuple[SheetText, SheetText]], unsound: Collection[str], report: Callable[[str, str], None]
) -> list[SheetText]:
    """The entries of a unit that differ from the files, with the unit's one source, translator, checker and comment.

    Parameters
    ----------
    unsound : keys of entries that have a problem already.
    """
    first = group[0][0]
    people: dict[str, Any] = {}
    for column in UNIT_COLUMNS:
        names = list(dict.fromkeys(name for _, new in group if (name := getattr(new, column))))
        # A new name on one line takes the place of the old one: a sheet need not repeat it on every line.
        latest = [name for name in names if name != getattr(first, column)] or names
        if len(latest) > 1 and column == "comment":
            latest = ["; ".join(latest)]
        if len(latest) > 1:
            message = f"'{first.unit}' names the {column}s {' and '.join(latest)}"
            report(message, f"All its texts have one {column}: leave one name")
        people[column] = latest[0] if latest else ""
    if first.file.endswith(".toml") and people["source"]:
        report(f"'{first.unit}' has the source {people['source']}", "Templates and nouns have none: empty the cell")
    if first.source and not people["source"]:
        report(f"'{first.unit}' has lost its source", f"It was '{first.source}'; name where the text is from")
    if people["checker"] == first.checker and any(old.text != new.text for old, new in group):
        people["checker"] = ""  # the check was of the former text
    checker, translator = people["checker"], people["translator"]
    if checker and checker.casefold() == translator.casefold():
        report(f"'{first.unit}' was translated and checked by {checker}", "A second person checks")
    elif checker and not translator and any(old.text != new.text for old, new in group):
        message = f"'{first.unit}' was changed, and names the checker {checker} and no translator"
        report(message, "Who changes a text is its translator; somebody else checks it")
    is_begun = all(new.text and not old.text for old, new in group)
    if is_begun and HINT.match(first.comment) and people["comment"] == first.comment:
        people["comment"] = ""
    for old, new in group:
        if old.status in PUBLISHED and new.text != old.text and old.key not in unsound:
            _check_published(old, new, people["source"], report)
    return [settled for old, new in group if (settled := replace(new, **people)) != old]


def _check_published(old: SheetText, new: SheetText, source: str, report: Callable[[str, str], None]) -> None:
    """Note a published word that is changed under the name of the paper, or where it stands for the paper's own."""
    if old.wording == "published":
        message = f"'{old.key}' is the word that was published, and becomes '{new.text}'"
        report(message, "Leave it: it repeats the paper. Change the row of another wording")
    elif source == old.source:
        message = f"'{old.key}' was '{old.text}', from {old.source}, and becomes '{new.text}'"
        report(message, "Name in source where the new word is from; the former one is kept under paper")


def _write_back(folder: Path, changed: Sequence[SheetText], present: Mapping[str, SheetText]) -> list[str]:
    """Write changed entries into the locale's files; returns the names of the files that changed.

    Only the cells that changed are touched; comments and order stay.
    """
    texts = {}
    for name, group in grouped((entry.file, entry) for entry in changed).items():
        text = read_given(folder / name).decode("utf-8")
        if name.endswith(".toml"):
            texts[name] = _written_toml(text, group)
        else:
            texts[name] = _written_csv(folder / name, text, group, present)
    try:
        write_over({folder / name: text for name, text in texts.items()})
    except OSError as error:
        problem = Problem(Place(str(folder), 1), f"cannot be written: {error.strerror}", "Mend its rights, or copy it")
        raise SheetError(folder.name, [problem]) from error
    return sorted(texts)


def _written_toml(text: str, group: Sequence[SheetText]) -> str:
    document: Any = tomlkit.parse(text)
    for entry in group:
        *tables, last = entry.cell
        table: Any = reduce(lambda table_there, key: table_there[key], tables, document)
        if table[last] != entry.text:
            table[last] = tomlkit.string(entry.text, literal=not any(mark in entry.text for mark in "'\n"))
        unit = table if tables[0] == "nouns" else document[tables[0]]
        said = {**{column: getattr(entry, column) for column in PEOPLE}, NOTE: entry.comment}
        for column, value in said.items():
            if value != unit.get(column, ""):
                unit[column] = value
    return tomlkit.dumps(document)


def _written_csv(path: Path, text: str, group: Sequence[SheetText], present: Mapping[str, SheetText]) -> str:
    rows = {row.place.line: row for row in read_csv(path).rows}
    options = read_toml(path.with_name("locale.toml")).table("options").data
    new: dict[int, dict[str, str]] = defaultdict(dict)
    for entry in group:
        line, column = int(entry.cell[0]), entry.cell[1]
        new[line] |= {column: entry.text, "source": entry.source, NOTE: entry.comment}
        new[line] |= {name: getattr(entry, name) for name in PEOPLE}
        former = present[entry.key]
        if former.status in PUBLISHED and former.text != entry.text:
            word = _same_word(rows[line], options)
            for other, row in rows.items():  # a word has one status in all its forms
                if row["set"] == rows[line]["set"] and _same_word(row, options) == word:
                    new[other] |= {"status": "changed", "paper": row["paper"] or row[column]}
    added = [name for name in (*PEOPLE, "paper", NOTE) if any(cells.get(name) for cells in new.values())]
    return changed_csv(text, new, added)


def _same_word(row: Row, options: Collection[str]) -> tuple[str, ...]:
    """What the forms of a word have in common under the same options."""
    return (row["id"], *(row[option] for option in options))
