"""A translator's sheet: one entry for every text of a locale that a person has to write or check.

An entry knows the cell it stands for, so that a sheet can go out as CSV or PO and come back into the same cells
(`returned_sheet`). The answer key is not in it: whoever writes that must not have the texts before
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_datasets.errors import FileProblems, Problems
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.model import PERSON_TYPES
from eec_datasets.locale.reading import load_locale
from eec_datasets.locale.templates import texts_in
from eec_datasets.locale.toml_file import read_toml
from eec_datasets.locale.words import TERRITORY, axis_files

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.errors import Problem
    from eec_datasets.locale.csv_file import CsvFile, Row
    from eec_datasets.locale.model import Locale
    from eec_datasets.locale.toml_file import TomlTable

NOT_FORMS = {
    "id", "set", "type", "pair", "id.gender", "id.race", "english", "status", "source", "flags", "partial", "kind",
    "emotion", "paper", "use", "translator", "checker", "note", "form", "level",
}  # fmt: skip


PEOPLE = ("translator", "checker")


class SheetError(FileProblems):
    """A translator's sheet cannot be taken in; carries every problem, and nothing was written."""

    def __init__(self, sheet: str, problems: Sequence[Problem]) -> None:
        super().__init__(f"sheet '{sheet}'", problems, "; nothing was written")


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
    """Every text of a locale, in the order of its files: nouns, templates, words, persons, levels of identity axes.

    Raises
    ------
    SheetError : the files cannot be read.
    """
    problems = Problems()
    english = load_locale("en", folder.parent)
    found = [
        *_noun_entries(read_toml(folder / "locale.toml", problems).table("nouns")),
        *_template_entries(read_toml(folder / "templates.toml", problems), english),
        *_word_entries(read_csv(folder / "words.csv", ("id", "form"), problems), english),
        *_person_entries(read_csv(folder / "persons.csv", ("id", "set", "type", "nom"), problems)),
    ]
    for path in axis_files(folder):
        found += _level_entries(read_csv(path, ("level", "form"), problems), path.stem, folder.name, english)
    if problems:
        raise SheetError(folder.name, problems.found)
    return found


def _people(table: TomlTable) -> tuple[str, str]:
    return str(table.get("translator", "")), str(table.get("checker", ""))


def _noun_entries(nouns: TomlTable) -> Iterator[Entry]:
    """The fixed nouns; their English is their id, as an English template may do without them."""
    for name in nouns.data:
        table = nouns.table(name)
        if isinstance(table.get("form"), str):  # `eec locale check` tells what is wrong with others
            features = ", ".join(f"{key} {value}" for key, value in table.data.items() if key not in (*PEOPLE, "form"))
            wanted = "a fixed noun of the templates" + (f"; {features}" if features else "")
            yield Entry(f"locale.toml:nouns.{name}.form", wanted, name, table["form"], *_people(table))


def _template_entries(templates: TomlTable, english: Locale) -> Iterator[Entry]:
    meanings = {template.id: template.pattern.text("name") for template in english.templates}
    for name in templates.data:
        table = templates.table(name)
        for keys, text in texts_in(table.data):
            wanted = "the sentence" if keys[0] != "forms" else f"the form of '{keys[1]}' for {keys[2]}"
            if keys[-1] in PERSON_TYPES:
                wanted += f" with a {keys[-1].replace('_', ' ')}"
            key = f"templates.toml:{'.'.join((name, *keys))}"
            yield Entry(key, wanted, meanings.get(name) or name, text, *_people(table))


def _word_entries(file: CsvFile, english: Locale) -> Iterator[Entry]:
    meanings = {word.id: word.forms[0].text for word in english.words}
    for row in file.rows:
        wanted = f"{row['kind']} word, {row['emotion']}{_agreeing(row, file)}"
        yield _row_entry(file, row, wanted, meanings.get(row["id"], row["id"]))


def _level_entries(file: CsvFile, axis: str, tag: str, english: Locale) -> Iterator[Entry]:
    """The words of identity axes; a name that CLDR knows is shown, and need not be written."""
    language = cldr(tag)
    meanings = {level: word.forms[0].text for level, word in english.levels.get(axis, {}).items()}
    for row in file.rows:
        wanted = f"a level of the axis {axis}: {row['level']}{_agreeing(row, file)}"
        if code := TERRITORY.search(row["form"]):
            name = language.territories.get(code[1]) if language else None
            wanted += f"; {code[0]} is filled in: {name or '(not known to CLDR)'}"
        yield _row_entry(file, row, wanted, meanings.get(row["level"], row["level"]))


def _person_entries(file: CsvFile) -> Iterator[Entry]:
    for row in file.rows:
        for role, key in keys_of(file.name, file.columns, row.cells):
            wanted = f"{row['type'].replace('_', ' ')}, {row['id.gender']}; form '{role}'"
            if role != "nom":
                wanted += " (empty where it is like another form)"
            yield Entry(key, wanted, row["english"] or row["nom"], row[role], row["translator"], row["checker"])


def _row_entry(file: CsvFile, row: Row, wanted: str, english: str) -> Entry:
    """The entry of a row of words."""
    ((column, key),) = keys_of(file.name, file.columns, row.cells)
    return Entry(key, wanted, english, row[column], row["translator"], row["checker"])


def _agreeing(row: Row, file: CsvFile) -> str:
    asked = ", ".join(f"{name} {row[name]}" for name in feature_columns(file.columns) if row[name])
    return f"; agrees with {asked}" if asked else ""


def feature_columns(columns: Iterable[str]) -> list[str]:
    """The columns of a file of words that say who a form agrees with."""
    return [column for column in columns if column not in NOT_FORMS and not column.startswith(("gram.", "id."))]


def keys_of(name: str, columns: Sequence[str], row: Mapping[str, str]) -> list[tuple[str, str]]:
    """The cells of a row that a sheet holds: (column, key of its entry)."""
    if name == "persons.csv":
        return [(column, f"{name}:{row['set']}/{row['id']}:{column}") for column in feature_columns(columns)]
    stem = row["id" if name == "words.csv" else "level"]
    asked = ".".join(f"{feature}={row[feature]}" for feature in feature_columns(columns) if row[feature])
    return [("form", f"{name}:{stem}" + (f":{asked}" if asked else ""))]


def unit_of(key: str) -> str:
    """The part of a key that names what has one translator and one checker: a template, a noun, a row of words.

    >>> unit_of("templates.toml:t01.forms.feel.f"), unit_of("persons.csv:names/ana:nom")
    ('templates.toml:t01', 'persons.csv:names/ana')
    """
    if key.startswith("templates.toml:"):
        return key.split(".text", 1)[0].split(".forms", 1)[0].split(".variants", 1)[0]
    return key.rpartition(":")[0] if key.startswith("persons.csv:") else key
