"""A translator's sheet: one entry for every text of a locale that a person has to write or check.

An entry knows the cell it stands for, so that a sheet can go out as CSV or PO and come back into the same cells.
Nothing is written unless the whole sheet can be: problems are told all at once, with the line of the sheet.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import tomlkit

from eec_datasets.errors import EecError
from eec_datasets.locale.model import PERSON_TYPES, WANTED
from eec_datasets.locale.reading import load_locale
from eec_datasets.locale.sources import Problems, read_csv, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.locale.model import Problem
    from eec_datasets.locale.sources import CsvFile, Row

NOT_FORMS = {
    "id", "set", "type", "pair", "id.gender", "id.race", "english", "status", "source", "flags", "partial", "kind",
    "emotion", "paper", "use", "translator", "checker", "note", "form", "level",
}  # fmt: skip


class SheetError(EecError):
    """A translator's sheet cannot be taken in; carries every problem, and nothing was written."""

    def __init__(self, sheet: str, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"sheet '{sheet}': {count} problem{'s' if count != 1 else ''}; nothing was written"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


@dataclass(frozen=True, slots=True)
class Entry:
    """One text: where it stands (`key`), what is wanted, the English, the text, and who wrote and checked it."""

    key: str
    wanted: str
    english: str
    text: str
    translator: str = ""
    checker: str = ""


def entries(folder: Path) -> list[Entry]:
    """Every text of a locale, in the order of its files: templates, words, persons.

    Raises
    ------
    SheetError : the files cannot be read.
    """
    problems = Problems()
    english = _english(folder.parent)
    found = [
        *_template_entries(folder, problems),
        *_word_entries(folder, english, problems),
        *_person_entries(folder, problems),
    ]
    if problems:
        raise SheetError(folder.name, problems.found)
    return found


@dataclass(frozen=True, slots=True)
class _English:
    templates: Mapping[str, str]
    words: Mapping[str, str]


def _english(root: Path) -> _English:
    locale = load_locale("en", root)
    return _English(
        {template.id: template.pattern.text("name") or "" for template in locale.templates},
        {word.id: word.forms[0].text for word in locale.words},
    )


def _template_entries(folder: Path, problems: Problems) -> Iterator[Entry]:
    english = _english(folder.parent).templates
    for name, table in read_toml(folder / "templates.toml", problems).data.items():
        for path, text in _texts_of(table):
            wanted = "the sentence" if path[0] != "forms" else f"the form of '{path[1]}' for {path[2]}"
            if path[-1] in PERSON_TYPES:
                wanted += f" with a {path[-1].replace('_', ' ')}"
            key = f"templates.toml:{'.'.join((name, *path))}"
            who = (str(table.get("translator", "")), str(table.get("checker", "")))
            yield Entry(key, wanted, english.get(name) or name, text, *who)


def _texts_of(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in table.items():
        inside = (*path, key)
        if isinstance(value, str) and inside[0] in ("text", "forms", "variants") and key != "note":
            yield inside, value
        elif isinstance(value, dict) and inside[0] in ("text", "forms", "variants"):
            yield from _texts_of(value, inside)


def _word_entries(folder: Path, english: _English, problems: Problems) -> Iterator[Entry]:
    file = read_csv(folder / "words.csv", ("id", "form"), problems)
    features = _feature_columns(file)
    for row in file.rows:
        asked = _asked(row, features)
        wanted = f"{row['kind']} word, {row['emotion']}" + (f"; agrees with {asked}" if asked else "")
        key = f"words.csv:{row['id']}" + (f":{asked.replace(', ', '.').replace(' ', '=')}" if asked else "")
        meaning = english.words.get(row["id"], row["id"])
        yield Entry(key, wanted, meaning, row["form"], row["translator"], row["checker"])


def _feature_columns(file: CsvFile) -> list[str]:
    return [column for column in file.columns if column not in NOT_FORMS and not column.startswith("gram.")]


def _asked(row: Row, features: Iterable[str]) -> str:
    return ", ".join(f"{name} {row[name]}" for name in features if row[name])


def _person_entries(folder: Path, problems: Problems) -> Iterator[Entry]:
    file = read_csv(folder / "persons.csv", ("id", "set", "type", "nom"), problems)
    roles = [column for column in file.columns if column not in NOT_FORMS and not column.startswith(("gram.", "id."))]
    for row in file.rows:
        for role in roles:
            wanted = f"{row['type'].replace('_', ' ')}, {row['id.gender']}; form '{role}'"
            if role != "nom":
                wanted += " (empty where it is like another form)"
            key = f"persons.csv:{row['set']}/{row['id']}:{role}"
            yield Entry(key, wanted, row["english"] or row["nom"], row[role], row["translator"], row["checker"])


def check_in(folder: Path, sheet: str, incoming: Sequence[tuple[Entry, int]], problems: Problems) -> list[Entry]:
    """What a returned sheet changes: entries that differ from the locale's files.

    A text that was changed loses the checker it had, unless the sheet names one; translator and checker must differ.

    Raises
    ------
    SheetError : entries are missing, unknown, doubled or checked by their own translator. Nothing has been written.
    """
    from eec_datasets.locale.model import Place

    present = {entry.key: entry for entry in entries(folder)}
    seen: dict[str, int] = {}
    changed = []
    for entry, line in incoming:
        place = Place(sheet, line)
        if entry.key in seen:
            problems.add(place, f"'{entry.key}' stands twice", f"The other is on line {seen[entry.key]}; keep one")
        seen[entry.key] = line
        old = present.get(entry.key)
        if old is None:
            problems.add(place, f"unknown key '{entry.key}'", "Do not change the column key; a row may have shifted")
            continue
        if entry.english != old.english:
            problems.add(
                place,
                f"the English of '{entry.key}' is '{entry.english}', not '{old.english}'",
                "A row may have shifted",
            )
        if entry.translator and entry.translator == entry.checker:
            problems.add(
                place, f"'{entry.key}' was translated and checked by {entry.checker}", "A second person checks"
            )
        if entry.text != old.text and entry.checker == old.checker and old.checker:
            entry = replace(entry, checker="")  # noqa: PLW2901  # the check was of the former text
        if entry != replace(old, wanted=entry.wanted):
            changed.append(entry)
    for key in present:
        if key not in seen:
            problems.add(Place(sheet, 1), f"'{key}' is missing", "Export the sheet again, or restore the row")
    if problems:
        raise SheetError(sheet, problems.found)
    return changed


def write_back(folder: Path, changed: Sequence[Entry]) -> list[str]:
    """Write changed entries into the locale's files; returns the names of the files that changed.

    Only the cells that changed are touched; comments and order stay.
    """
    by_file: dict[str, list[Entry]] = {}
    for entry in changed:
        by_file.setdefault(entry.key.split(":", 1)[0], []).append(entry)
    texts = {
        name: (_written_toml if name.endswith(".toml") else _written_csv)(folder / name, group)
        for name, group in by_file.items()
    }
    for name, text in texts.items():
        temporary = folder / f".{name}.new"
        temporary.write_text(text, encoding="utf-8", newline="")
        temporary.replace(folder / name)
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
        for who in ("translator", "checker"):
            if getattr(entry, who) != document[tables[0]].get(who, ""):
                document[tables[0]][who] = getattr(entry, who)
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
    text = path.read_text(encoding="utf-8")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    header = rows[0]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for cells in rows:
        writer.writerow(_row(path.name, header, cells, new))
    return out.getvalue()


def _row(name: str, header: list[str], cells: list[str], new: Mapping[str, Entry]) -> list[str]:
    if cells == header or not any(cells) or cells[0].startswith("#"):
        return cells
    row = dict(zip(header, cells, strict=True))
    for column, key in _keys_of(name, header, row):
        if key in new:
            row[column] = new[key].text
            row |= {who: getattr(new[key], who) for who in ("translator", "checker") if who in row}
    return [row[column] for column in header]


def _keys_of(name: str, header: list[str], row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if name == "words.csv":
        features = [column for column in header if column not in NOT_FORMS and not column.startswith("gram.")]
        asked = ".".join(f"{feature}={row[feature]}" for feature in features if row[feature])
        yield "form", f"words.csv:{row['id']}" + (f":{asked}" if asked else "")
        return
    for column in header:
        if column not in NOT_FORMS and not column.startswith(("gram.", "id.")):
            yield column, f"persons.csv:{row['set']}/{row['id']}:{column}"


def unwritten(found: Iterable[Entry]) -> list[Entry]:
    """The entries that still have to be written."""
    return [entry for entry in found if WANTED in entry.text or (not entry.text and ":nom" in entry.key)]
