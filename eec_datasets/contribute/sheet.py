"""A translator's sheet: one entry for every text of a locale that a person has to write or check.

An entry knows the cell it stands for, so that a sheet can go out as CSV or PO and come back into the same cells
(`returned_sheet`). The answer key is not in it: whoever writes that must not have the texts before
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from eec_datasets.corpora import configs_of, first_sentences
from eec_datasets.errors import FileProblems, Problems, RenderError
from eec_datasets.locale import words
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.model import PERSON_TYPES, WANTED
from eec_datasets.locale.persons import PERSON_COLUMNS
from eec_datasets.locale.reading import load_locale, stamp_of
from eec_datasets.locale.templates import texts_of
from eec_datasets.locale.templating import nouns_in
from eec_datasets.locale.toml_file import read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.errors import Problem
    from eec_datasets.locale.csv_file import CsvFile, Row
    from eec_datasets.locale.model import Locale
    from eec_datasets.locale.toml_file import TomlTable

PEOPLE = ("translator", "checker")
UNIT_COLUMNS = ("source", *PEOPLE, "comment")
"""What a unit has once, whichever of its texts names it; templates and nouns have no source."""
NOTE = "note"
"""What a comment is called in the files of a language."""
PUBLISHED = ("paper", "corrected")
"""Statuses of words that a paper has."""
SLOT = re.compile(r"\{\{.*?\}\}")


class SheetError(FileProblems):
    """A translator's sheet cannot be taken in; carries every problem, and nothing was written."""

    def __init__(self, sheet: str, problems: Sequence[Problem]) -> None:
        super().__init__(f"sheet '{sheet}'", problems, "; nothing was written")


@dataclass(frozen=True, slots=True)
class SheetText:
    """One text: its name (`key`), what is wanted, the English, the text, its source, and who wrote and checked it.

    Attributes
    ----------
    cell : where it stands in its file: the keys of a TOML file, or the line and column of a CSV file.
    unit : name of what has one translator and one checker: a template, a noun, a row of words or persons.
    optional : whether it may stay empty.
    status : of a word or a person, how it relates to published lists; empty for other texts and forms.
    wording : of a word, the value of the option wording that it is for; empty where it is for all.
    """

    key: str
    wanted: str
    english: str
    text: str
    source: str = ""
    translator: str = ""
    checker: str = ""
    comment: str = ""
    cell: tuple[str, ...] = field(default=(), compare=False)
    unit: str = field(default="", compare=False)
    optional: bool = field(default=False, compare=False)
    status: str = field(default="", compare=False)
    wording: str = field(default="", compare=False)

    @property
    def file(self) -> str:
        """Name of the file that the text stands in."""
        return self.key.split(":", 1)[0]


def state_of(entry: SheetText) -> str:
    """What an entry holds, in short: its text, and its source and people. No spreadsheet takes it for a number."""
    parts = (entry.text.replace(WANTED, ""), "\0".join(getattr(entry, column) for column in UNIT_COLUMNS))
    return "s" + "-".join(sha256(part.encode()).hexdigest()[:6] for part in parts)


def entries(folder: Path) -> list[SheetText]:
    """Every text of a locale, in the order of its files: nouns, templates, words, persons, levels of identity axes.

    Raises
    ------
    SheetError : the files cannot be read.
    """
    problems = Problems()
    english = load_locale("en", folder.parent)
    meanings = {word.id: word.forms[0].text for word in english.words}
    grammar = read_toml(folder / "locale.toml", problems)
    result = [
        *_toml_entries(grammar, read_toml(folder / "templates.toml", problems), english, folder.parent),
        *_form_entries(read_csv(folder / "words.csv", ("id", "form"), problems), meanings, folder.name),
        *_person_entries(read_csv(folder / "persons.csv", ("id", "set", "type", "nom"), problems), grammar),
    ]
    for path in words.axis_files(folder):
        meanings = {level: word.forms[0].text for level, word in english.levels.get(path.stem, {}).items()}
        result += _form_entries(read_csv(path, ("level", "form"), problems), meanings, folder.name)
    if problems:
        raise SheetError(folder.name, problems.found)
    return result


def _toml_entries(grammar: TomlTable, templates: TomlTable, english: Locale, root: Path) -> Iterator[SheetText]:
    """Nouns and templates, each with an English sentence of its template.

    The English of a noun is its id, as an English template may do without it, with a sentence in which it stands.
    """
    meanings = english_sentences(english, root)
    in_template: dict[str, str] = {}
    for table, _, text in texts_of(grammar, templates):
        for noun in nouns_in([text]):
            in_template.setdefault(noun, table.keys[-1])
    for table, keys, text in texts_of(grammar, templates):
        cell, wanted = (*table.keys, *keys), "the sentence"
        if keys == ("form",):
            features = [f"{key} {value}" for key, value in table.data.items() if key not in (*PEOPLE, NOTE, "form")]
            wanted = "; ".join(["a fixed noun of the templates", *filter(None, [", ".join(features)])])
        elif keys[0] == "forms":
            wanted = f"the form of '{keys[1]}' for {keys[2]}"
        if keys[-1] in PERSON_TYPES:
            wanted += f" with a {keys[-1].replace('_', ' ')}"
        if WANTED in text and (slots := SLOT.findall(text)):
            wanted += f"; put {' and '.join(slots)} where they belong"
        key, name = f"{table.name}:{'.'.join(cell)}", table.keys[-1]
        unit = key if keys == ("form",) else f"{table.name}:{name}"
        translator, checker, note = (str(table.get(column, "")) for column in (*PEOPLE, NOTE))
        person_type = keys[-1] if keys[-1] in PERSON_TYPES else "name"
        if keys == ("form",):
            example = meanings.get((in_template.get(name, ""), person_type))
            meaning = f"{name} (as in: {example})" if example else name
        else:
            meaning = meanings.get((name, person_type)) or meanings.get((name, "name")) or name
        yield SheetText(key, wanted, meaning, text, "", translator, checker, note, cell, unit)


def english_sentences(english: Locale, root: Path) -> dict[tuple[str, str], str]:
    """For each template and type of person the first English sentence there is."""
    return _english_sentences(root, stamp_of(root / english.tag))


@lru_cache(maxsize=4)
def _english_sentences(root: Path, _stamp: tuple[int, ...]) -> dict[tuple[str, str], str]:
    sentences: dict[tuple[str, str], str] = {}
    for config in configs_of(load_locale("en", root), root):
        try:
            first = first_sentences(config)
        except RenderError:  # its set of names is not here
            continue
        sentences = first | sentences
    return sentences


def _form_entries(file: CsvFile, meanings: Mapping[str, str], tag: str) -> Iterator[SheetText]:
    """Words, and the levels of an identity axis; a name that CLDR knows is shown, and need not be written."""
    names, axis = words.territories(tag), file.name.removesuffix(".csv")
    for row in file.rows:
        name = row["level"] or row["id"]
        wanted = f"a level of the axis {axis}: {name}" if row["level"] else f"{row['kind']} word, {row['emotion']}"
        key, features = f"{file.name}:{name}", {name: row[name] for name in _form_columns(file) if row[name]}
        if features:
            key += ":" + ".".join(map("=".join, features.items()))
            wanted += f"; agrees with {', '.join(map(' '.join, features.items()))}"
        for code in dict.fromkeys(words.TERRITORY.findall(row["form"])):
            wanted += f"; {{{code}}} is filled in: {names.get(code, '(not known to CLDR)')}"
        yield _csv_entry(row, "form", key, wanted, meanings.get(name, name), key)


def _person_entries(file: CsvFile, grammar: TomlTable) -> Iterator[SheetText]:
    roles = {role: grammar.table("roles", role).data for role in _form_columns(file)}
    options = grammar.table("options")
    values = [(name, value) for name in options.data for value in options.table(name).data]
    # Forms that only an option puts in the place of another: who has none keeps that other.
    spare = {str(role) for value in values for role in options.table(*value, "roles").data.values()} - {"nom"}
    for row in file.rows:
        unit = f"{file.name}:{row['set']}/{row['id']}"
        english = row["english"] or row["id" if "english" in file.columns else "nom"]
        for role, rule in roles.items():
            wanted = f"{row['type'].replace('_', ' ')}, {row['id.gender']}; form '{role}'"
            served = row["type"] in rule.get("types", PERSON_TYPES)
            optional = "like" in rule or role in spare or not served
            if served and "like" in rule:
                wanted += f" (empty where it is like '{rule['like']}')"
            elif not served and "like" not in rule:
                wanted += " (stays empty)"
            yield replace(_csv_entry(row, role, f"{unit}:{role}", wanted, english, unit), optional=optional)


def _csv_entry(row: Row, column: str, key: str, wanted: str, english: str, unit: str) -> SheetText:
    cell = (str(row.place.line), column)
    status = row["status"] if column in ("form", "nom") else ""
    return SheetText(
        key,
        wanted,
        english,
        row[column],
        row["source"],
        row["translator"],
        row["checker"],
        row[NOTE],
        cell,
        unit,
        status=status,
        wording=row["wording"],
    )


def _form_columns(file: CsvFile) -> list[str]:
    """The columns of persons that hold their forms, and of words those that say who a form agrees with."""
    declared = {*words.WORD_COLUMNS.names, *words.LEVEL_COLUMNS.names, *PERSON_COLUMNS.names}
    others = declared - {"nom"}
    return [column for column in file.columns if column not in others and not column.startswith(("gram.", "id."))]
