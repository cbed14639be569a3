"""``persons.csv`` and the files of identity axes → persons.

A cell of ``persons.csv`` may hold a slot such as ``this woman from {{ country }}``: the row is then a base phrase,
and there is one person for every level of that axis (``country.csv``).
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any

from eec_datasets import schema
from eec_datasets.locale.agreement import matching, select
from eec_datasets.locale.finishing import joined
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.model import PERSON_TYPES, Form, Person, Place, Word
from eec_datasets.locale.sources import read_csv
from eec_datasets.locale.templating import Controller, Inflecting, compiled, slots_of
from eec_datasets.locale.words import SLUG, check_columns, grouped, read_form, read_gram

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from eec_datasets.locale.grammar import Grammar
    from eec_datasets.locale.sources import CsvFile, Problems, Row
    from eec_datasets.locale.templating import Agreement

REQUIRED = ("id", "set", "type", "nom", "id.gender", "source")
OTHER = ("pair", "english", "status", "flags", "partial", "translator", "checker", "note")
NOT_AXES = {*schema.BEFORE_AXES, *schema.AFTER_AXES, "noun", "self", "super", "loop", "caller", "none", "true", "false"}
LEVEL_REQUIRED = ("level", "form", "source")
LEVEL_OTHER = ("id", "use", "translator", "checker", "note", "english", "status")
OWN_FILES = {"words.csv", "persons.csv", "expected.csv", "anchor-words.csv"}
TERRITORY = re.compile(r"\{([A-Z]{2})\}")
"""Stands in the form of a level for the name of a territory."""


def read_levels(folder: Path, grammar: Grammar, problems: Problems) -> dict[str, dict[str, Word]]:
    """The identity axes that have a file of their own: axis → level → the word that names it."""
    axes = {}
    for path in sorted(folder.glob("*.csv")):
        if path.name in OWN_FILES:
            continue
        file = read_csv(path, LEVEL_REQUIRED, problems)
        if not path.stem.isidentifier() or path.stem in NOT_AXES:
            mend = "Name the file in lower-case ASCII after the column it makes, such as country.csv"
            problems.add(Place(file.name, 1), f"an identity axis cannot be called '{path.stem}'", mend)
            continue
        check_columns(file, {*LEVEL_REQUIRED, *LEVEL_OTHER}, grammar, problems)
        axes[path.stem] = {
            rows[0]["level"]: _level(rows, grammar, problems) for rows in grouped(file, "level", problems)
        }
    return axes


def _level(rows: list[Row], grammar: Grammar, problems: Problems) -> Word:
    forms = tuple(_territory(read_form(row, grammar, problems), row, grammar, problems) for row in rows)
    first = rows[0]
    gram = read_gram(first, grammar, problems)
    if not slug(first["level"]):
        problems.add(first.place, f"the level '{first['level']}' has no letter of a–z", "Write its English name")
    for row in rows:
        if not row["source"]:
            problems.add(row.place, f"the level '{row['level']}' has no source", "Name where the word is from")
    return Word(slug(first["level"]), forms, first.place, gram, kind="level", source=first["source"])


def _territory(form: Form, row: Row, grammar: Grammar, problems: Problems) -> Form:
    """Fill ``{XX}`` with the name that CLDR gives territory XX in this language."""
    match = TERRITORY.search(form.text)
    if match is None:
        return form
    language = cldr(grammar.tag)
    name = language.territories.get(match[1]) if language else None
    if name is None:
        problems.add(row.place, f"CLDR has no territory '{match[1]}'", "Use a two-letter ISO 3166 code")
        return form
    return dataclasses.replace(form, text=form.text.replace(match[0], name))


def slug(text: str) -> str:
    """An ASCII identifier of an English word."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def read_persons(
    folder: Path,
    grammar: Grammar,
    facts: Mapping[str, Any],
    levels: Mapping[str, Mapping[str, Word]],
    problems: Problems,
) -> tuple[Person, ...]:
    """The persons of a locale in file order, base phrases crossed with the levels of their axis."""
    file = read_csv(folder / "persons.csv", REQUIRED, problems)
    identity = {column for column in file.columns if column.startswith("id.")}
    check_columns(file, {*REQUIRED, *OTHER, *grammar.roles, *identity}, grammar, problems)
    persons: list[Person] = []
    seen: dict[tuple[str, str], int] = {}
    for row in file.rows:
        _check_row(row, facts, problems)
        key = (row["set"], row["id"])
        if key in seen:
            problems.add(
                row.place,
                f"'{row['id']}' stands twice in the set '{row['set']}'",
                f"The other is on line {seen[key]}; remove one",
            )
            continue
        seen[key] = row.place.line
        persons.extend(_crossed(_person(row, grammar, file, problems), levels, grammar, problems))
    return tuple(persons)


def _check_row(row: Row, facts: Mapping[str, Any], problems: Problems) -> None:
    name = row["id"] or "?"
    if not SLUG.fullmatch(row["id"]):
        problems.add(
            row.place,
            f"id '{row['id']}'",
            "Write the English member in lower-case ASCII, words joined by '-'",
        )
    if row["type"] not in PERSON_TYPES:
        problems.add(row.place, f"type '{row['type']}' of '{name}'", f"One of: {', '.join(PERSON_TYPES)}")
    if row["type"] != "name" and not row["pair"]:
        problems.add(row.place, f"'{name}' has no pair", "Name the row it is compared in, such as mother_father")
    if row["id.gender"] not in facts["genders"]:
        problems.add(row.place, f"id.gender '{row['id.gender']}' of '{name}'", f"One of: {', '.join(facts['genders'])}")
    if not row["set"]:
        problems.add(row.place, f"'{name}' is in no set", "Name the set that configs ask for, such as noun-phrases")
    if row["partial"] not in ("", "yes"):
        problems.add(row.place, f"partial '{row['partial']}' of '{name}'", "Write yes, or leave it empty")
    if not row["nom"]:
        problems.add(row.place, f"'{name}' has no form in the column nom", "Write its citation form")
    if not row["source"]:
        problems.add(row.place, f"'{name}' has no source", "Name the paper, table or list it is from")
    if row["status"] not in ("", *facts["statuses"]):
        problems.add(row.place, f"status '{row['status']}' of '{name}'", f"One of: {', '.join(facts['statuses'])}")
    for flag in row["flags"].split():
        if flag not in facts["flags"]:
            problems.add(row.place, f"unknown flag '{flag}'", f"Flags (corpus.toml): {', '.join(facts['flags'])}")


def _person(row: Row, grammar: Grammar, file: CsvFile, problems: Problems) -> Person:
    identity = {column[3:]: row[column] or "unmarked" for column in file.columns if column.startswith("id.")}
    return Person(
        id=row["id"],
        set=row["set"],
        type=row["type"] if row["type"] in PERSON_TYPES else "name",
        pair=row["pair"],
        identity={
            "gender": identity.pop("gender", "unmarked"),
            "race": identity.pop("race", "unmarked"),
            **identity,
        },
        gram=read_gram(row, grammar, problems),
        roles={role: row[role] for role in grammar.roles if row[role]},
        place=row.place,
        english=row["english"] or row["nom"],
        status=row["status"] or "paper",
        source=row["source"],
        flags=tuple(row["flags"].split()),
        partial=row["partial"] == "yes",
    )


def _crossed(
    person: Person, levels: Mapping[str, Mapping[str, Word]], grammar: Grammar, problems: Problems
) -> Iterator[Person]:
    if not any(brace in text for text in person.roles.values() for brace in "{}"):
        yield person
        return
    before = len(problems.found)
    agreements = [
        agreement
        for text in person.roles.values()
        for agreement in _cell_slots(text, person, levels, grammar, problems)
    ]
    if len(problems.found) > before:
        return
    used = {agreement.word for agreement in agreements}
    if len(used) != 1:
        problems.add(
            person.place,
            f"the cells of '{person.id}' name {len(used)} axes",
            f"Use one axis: {', '.join(levels) or 'add its file first'}",
        )
        return
    axis = used.pop()
    for level, word in levels[axis].items():
        if not all(_agrees(agreement, word, person, problems) for agreement in agreements):
            continue
        yield dataclasses.replace(
            person,
            id=f"{person.id}-{word.id}",
            identity={**person.identity, axis: level},
            roles={
                role: joined(phrase(text, axis, word, person.gram), grammar.finish)
                for role, text in person.roles.items()
            },
            english=f"{person.english} ({level})",
        )


def phrase(text: str, axis: str, word: Word, gram: Mapping[str, str]) -> str:
    """A base phrase with the level of an identity axis put in (``this woman from {{ country }}``)."""
    inflecting = Inflecting(lambda features: select(word, features).text, word.gram)
    return str(compiled(text).render({axis: inflecting, "person": Controller(gram)}))


def _agrees(agreement: Agreement, word: Word, person: Person, problems: Problems) -> bool:
    """Whether a level has exactly one form for this base phrase; noted where it has not."""
    features = {**({} if agreement.controller is None else person.gram), **agreement.fixed}
    forms = matching(word, features)
    if len(forms) == 1:
        return True
    shown = ", ".join(f"{name} {value}" for name, value in features.items()) or "no features"
    texts = " and ".join(f"'{form.text}' (line {form.place.line})" for form in forms)
    what = f"'{word.id}' has {f'{len(forms)} forms' if forms else 'no form'} for {shown}{f': {texts}' if forms else ''}"
    problems.add(
        word.place, f"{what}; '{person.id}' ({person.place}) asks for one", "Leave one" if forms else "Add a row for it"
    )
    return False


def _cell_slots(
    text: str, person: Person, levels: Mapping[str, Any], grammar: Grammar, problems: Problems
) -> tuple[Any, ...]:
    slots = slots_of(text, levels, grammar, with_person=False)
    for what, mend in slots.problems:
        problems.add(person.place, f"'{person.id}': {what}", mend)
    return slots.agreements
