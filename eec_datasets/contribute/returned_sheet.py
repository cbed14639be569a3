"""A returned sheet, checked as a whole and written back into the cells it came from.

Nothing is written unless the whole sheet can be: problems are told all at once, with the line of the sheet.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import tomlkit

from eec_datasets.checks.characters import HIDDEN, JOINERS, named
from eec_datasets.contribute.sheet import PEOPLE, SheetError, entries, keys_of, unit_of
from eec_datasets.errors import Place, Problem, Problems
from eec_datasets.locale.model import WANTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from eec_datasets.contribute.sheet import Entry

SLOT = re.compile(r"\{\{.*?\}\}")


def check_in(folder: Path, sheet: str, incoming: Sequence[tuple[Entry, int]], problems: Problems) -> list[Entry]:
    """What a returned sheet changes: entries that differ from the locale's files.

    A template, a noun and a row of words have one translator and one checker, whichever of their texts names them. A
    text that was changed loses the checker it had, unless the sheet names another; nobody checks their own.

    Parameters
    ----------
    incoming : the entries of the sheet and the lines they stand on.

    Raises
    ------
    SheetError : entries are missing, unknown, doubled or emptied, have lost a slot or hold a character that cannot be
        seen, or are checked by their own translator or without one. Nothing has been written.
    """
    present = {entry.key: entry for entry in entries(folder)}
    lines: dict[str, int] = {}
    units: dict[str, list[Entry]] = defaultdict(list)
    for entry, line in incoming:
        place, old = Place(sheet, line), present.get(entry.key)
        if entry.key in lines:
            problems.add(place, f"'{entry.key}' stands twice", f"The other is on line {lines[entry.key]}; keep one")
        lines[entry.key] = line
        if old is None:
            problems.add(place, f"unknown key '{entry.key}'", "Do not change the column key; a row may have shifted")
            continue
        text = entry.text or (WANTED if old.text == WANTED else "")
        _check_text(replace(entry, text=text), old, place, problems)
        units[unit_of(entry.key)].append(replace(entry, text=text, wanted=old.wanted))
    changed = []
    for unit, group in units.items():
        changed += _settled(unit, group, present, Place(sheet, lines[group[0].key]), problems)
    for key in present:
        if key not in lines:
            problems.add(Place(sheet, 1), f"'{key}' is missing", "Export the sheet again, or restore the row")
    if problems:
        raise SheetError(sheet, problems.found)
    return changed


def _check_text(entry: Entry, old: Entry, place: Place, problems: Problems) -> None:
    if entry.english != old.english:
        what = f"the English of '{entry.key}' is '{entry.english}', not '{old.english}'"
        problems.add(place, what, "A row may have shifted")
    if old.text and not entry.text:
        problems.add(place, f"'{entry.key}' is not translated", f"It was '{old.text}'; write a text")
        return
    # What copying brought in with a new text; where a spelling may ask for joiners, `eec locale check` says.
    for letter in dict.fromkeys(HIDDEN.findall(entry.text)) if entry.text != old.text else ():
        if letter not in JOINERS:
            problems.add(place, f"'{entry.key}' has the invisible character {named(letter)}", "Remove it")
    slots, kept = sorted(SLOT.findall(old.text)), SLOT.findall(entry.text)
    if slots and sorted(kept) != slots:
        what = f"'{entry.key}' has the slots {' '.join(kept) or 'none'}, not {' '.join(slots)}"
        problems.add(place, what, "Keep what stands in {{ … }}; to change it, edit the file itself")


def _settled(
    unit: str, group: Sequence[Entry], present: Mapping[str, Entry], place: Place, problems: Problems
) -> list[Entry]:
    """The entries of a unit that differ from the files, with the unit's one translator and one checker."""
    old = present[group[0].key]
    people = {}
    for who in PEOPLE:
        named = list(dict.fromkeys(name for entry in group if (name := getattr(entry, who))))
        # A new name on one line takes the place of the old one: a sheet need not repeat it on every line.
        latest = [name for name in named if name != getattr(old, who)] or named
        if len(latest) > 1:
            what = f"'{unit}' names the {who}s {' and '.join(latest)}"
            problems.add(place, what, f"All its texts have one {who}: leave one name")
        people[who] = latest[0] if latest else ""
    rewritten = any(entry.text != present[entry.key].text for entry in group)
    if rewritten and people["checker"] == old.checker:
        people["checker"] = ""  # the check was of the former text
    if people["checker"] and people["checker"].casefold() == people["translator"].casefold():
        what = f"'{unit}' was translated and checked by {people['checker']}"
        problems.add(place, what, "A second person checks")
    elif people["checker"] and not people["translator"]:
        what = f"'{unit}' has the checker {people['checker']} and no translator"
        problems.add(place, what, "Name who wrote it, or take the checker out")
    settled = [replace(entry, **people) for entry in group]
    return [entry for entry in settled if entry != present[entry.key]]


def write_back(folder: Path, changed: Sequence[Entry]) -> list[str]:
    """Write changed entries into the locale's files; returns the names of the files that changed.

    Only the cells that changed are touched; comments and order stay. All files are written beside the old ones before
    the first takes its place.
    """
    by_file: dict[str, list[Entry]] = defaultdict(list)
    for entry in changed:
        by_file[entry.key.split(":", 1)[0]].append(entry)
    texts = {
        name: (_written_toml if name.endswith(".toml") else _written_csv)(folder / name, group)
        for name, group in by_file.items()
    }
    try:
        for name, text in texts.items():
            (folder / f".{name}.new").write_text(text, encoding="utf-8", newline="")
        for name in texts:
            (folder / f".{name}.new").replace(folder / name)
    except OSError as error:
        problem = Problem(Place(str(folder), 1), f"cannot be written: {error.strerror}", "Mend its rights, or copy it")
        raise SheetError(folder.name, [problem]) from error
    return sorted(texts)


def _written_toml(path: Path, group: Sequence[Entry]) -> str:
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8"))
    for entry in group:
        *tables, last = _toml_path(entry.key, document)
        table = document
        for key in tables:
            table = table[key]
        if table[last] != entry.text:
            table[last] = tomlkit.string(entry.text, literal=not any(mark in entry.text for mark in "'\n"))
        unit = table if tables[0] == "nouns" else document[tables[0]]
        for who in PEOPLE:
            if getattr(entry, who) != unit.get(who, ""):
                unit[who] = getattr(entry, who)
    return tomlkit.dumps(document)


def _toml_path(key: str, document: Mapping[str, Any]) -> list[str]:
    """The keys of an entry; a key such as `f.sg` holds a dot of its own."""
    parts, path, table = key.split(":", 1)[1].split("."), [], document
    while parts:
        for size in range(1, len(parts) + 1):
            name = ".".join(parts[:size])
            if name in table:
                path.append(name)
                table, parts = table[name], parts[size:]
                break
        else:
            raise KeyError(key)
    return path


def _written_csv(path: Path, group: Sequence[Entry]) -> str:
    new = {entry.key: entry for entry in group}
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    header = rows[0] + [who for who in PEOPLE if who not in rows[0]]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for cells in rows[1:]:
        written = [*cells, *[""] * (len(header) - len(cells))] if any(cells) else cells
        writer.writerow(_row(path.name, header, written, new))
    return out.getvalue()


def _row(name: str, header: list[str], cells: list[str], new: Mapping[str, Entry]) -> list[str]:
    if not any(cells) or cells[0].startswith("#"):
        return cells
    row = dict(zip(header, cells, strict=True))
    for column, key in keys_of(name, header, row):
        if key in new:
            row |= {column: new[key].text} | {who: getattr(new[key], who) for who in PEOPLE}
    return [row[column] for column in header]
