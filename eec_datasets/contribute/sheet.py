"""A translator's sheet: one entry for every text of a locale that a person has to write or check.

An entry knows the cell it stands for, so that a sheet can go out as CSV or PO and come back into the same cells
(`eec_datasets.contribute.writing`). The answer key is not in it: whoever writes that must not have the texts before
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import babel

from eec_datasets.errors import EecError
from eec_datasets.locale.model import PERSON_TYPES
from eec_datasets.locale.persons import OWN_FILES, TERRITORY
from eec_datasets.locale.reading import load_locale
from eec_datasets.locale.sources import Problems, read_csv, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.locale.model import Problem
    from eec_datasets.locale.sources import Row

NOT_FORMS = {
    "id", "set", "type", "pair", "id.gender", "id.race", "english", "status", "source", "flags", "partial", "kind",
    "emotion", "paper", "use", "translator", "checker", "note", "form", "level",
}  # fmt: skip


PEOPLE = ("translator", "checker")


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
    """Every text of a locale, in the order of its files: nouns, templates, words, persons, levels of identity axes.

    Raises
    ------
    SheetError : the files cannot be read.
    """
    problems = Problems()
    english = _english(folder.parent)
    found = [
        *_noun_entries(folder, problems),
        *_template_entries(folder, english, problems),
        *_word_entries(folder, english, problems),
        *_person_entries(folder, problems),
        *_level_entries(folder, english, problems),
    ]
    if problems:
        raise SheetError(folder.name, problems.found)
    return found


@dataclass(frozen=True, slots=True)
class _English:
    templates: Mapping[str, str]
    words: Mapping[str, str]
    levels: Mapping[str, Mapping[str, str]]


def _english(root: Path) -> _English:
    locale = load_locale("en", root)
    return _English(
        {template.id: template.pattern.text("name") or "" for template in locale.templates},
        {word.id: word.forms[0].text for word in locale.words},
        {axis: {level: word.forms[0].text for level, word in words.items()} for axis, words in locale.levels.items()},
    )


def _noun_entries(folder: Path, problems: Problems) -> Iterator[Entry]:
    """The fixed nouns; their English is their id, as an English template may do without them."""
    nouns = read_toml(folder / "locale.toml", problems).data.get("nouns", {})
    for name, table in nouns.items() if isinstance(nouns, dict) else ():
        if not isinstance(table, dict) or not isinstance(table.get("form"), str):
            continue  # `eec locale check` tells what is wrong with it
        features = ", ".join(f"{key} {value}" for key, value in table.items() if key not in (*PEOPLE, "form"))
        wanted = "a fixed noun of the templates" + (f"; {features}" if features else "")
        who = (str(table.get("translator", "")), str(table.get("checker", "")))
        yield Entry(f"locale.toml:nouns.{name}.form", wanted, name, table["form"], *who)


def _template_entries(folder: Path, english: _English, problems: Problems) -> Iterator[Entry]:
    for name, table in read_toml(folder / "templates.toml", problems).data.items():
        for path, text in _texts_of(table):
            wanted = "the sentence" if path[0] != "forms" else f"the form of '{path[1]}' for {path[2]}"
            if path[-1] in PERSON_TYPES:
                wanted += f" with a {path[-1].replace('_', ' ')}"
            key = f"templates.toml:{'.'.join((name, *path))}"
            who = (str(table.get("translator", "")), str(table.get("checker", "")))
            yield Entry(key, wanted, english.templates.get(name) or name, text, *who)


def _texts_of(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in table.items():
        inside = (*path, key)
        if isinstance(value, str) and inside[0] in ("text", "forms", "variants") and key != "note":
            yield inside, value
        elif isinstance(value, dict) and inside[0] in ("text", "forms", "variants"):
            yield from _texts_of(value, inside)


def _word_entries(folder: Path, english: _English, problems: Problems) -> Iterator[Entry]:
    file = read_csv(folder / "words.csv", ("id", "form"), problems)
    features = feature_columns(file.columns)
    for row in file.rows:
        wanted = f"{row['kind']} word, {row['emotion']}{_agreeing(row, features)}"
        meaning = english.words.get(row["id"], row["id"])
        ((_, key),) = keys_of(file.name, file.columns, row.cells)
        yield Entry(key, wanted, meaning, row["form"], row["translator"], row["checker"])


def _level_entries(folder: Path, english: _English, problems: Problems) -> Iterator[Entry]:
    """The words of identity axes; a name that CLDR knows is shown, and need not be written."""
    territories = babel.Locale.parse(folder.name, sep="-").territories
    for path in sorted(folder.glob("*.csv")):
        if path.name in OWN_FILES:
            continue
        file = read_csv(path, ("level", "form"), problems)
        features = feature_columns(file.columns)
        for row in file.rows:
            wanted = f"a level of the axis {path.stem}: {row['level']}{_agreeing(row, features)}"
            if code := TERRITORY.search(row["form"]):
                wanted += f"; {code[0]} is filled in: {territories.get(code[1], '(not known to CLDR)')}"
            meaning = english.levels.get(path.stem, {}).get(row["level"], row["level"])
            ((_, key),) = keys_of(file.name, file.columns, row.cells)
            yield Entry(key, wanted, meaning, row["form"], row["translator"], row["checker"])


def _agreeing(row: Row, features: Iterable[str]) -> str:
    asked = ", ".join(f"{name} {row[name]}" for name in features if row[name])
    return f"; agrees with {asked}" if asked else ""


def feature_columns(columns: Iterable[str]) -> list[str]:
    """The columns of a file of words that say who a form agrees with."""
    return [column for column in columns if column not in NOT_FORMS and not column.startswith(("gram.", "id."))]


def _person_entries(folder: Path, problems: Problems) -> Iterator[Entry]:
    file = read_csv(folder / "persons.csv", ("id", "set", "type", "nom"), problems)
    for row in file.rows:
        for role, key in keys_of(file.name, file.columns, row.cells):
            wanted = f"{row['type'].replace('_', ' ')}, {row['id.gender']}; form '{role}'"
            if role != "nom":
                wanted += " (empty where it is like another form)"
            yield Entry(key, wanted, row["english"] or row["nom"], row[role], row["translator"], row["checker"])


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
