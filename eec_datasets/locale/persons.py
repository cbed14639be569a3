"""``persons.csv`` and the sets of ``names.csv`` → persons.

A cell may hold a slot such as ``this woman from {{ country }}``: the row is then a base phrase, and there is one
person for every level of that axis (``country.csv``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from eec_datasets.locale.agreement import matching, mismatch
from eec_datasets.locale.apart import never_at
from eec_datasets.locale.csv_file import Column, Columns, optional, read_csv
from eec_datasets.locale.finishing import joined
from eec_datasets.locale.model import NONE, PERSON_TYPES, UNMARKED, Person
from eec_datasets.locale.names import persons_of
from eec_datasets.locale.templating import Agreement, slots_of
from eec_datasets.locale.words import check_id, read_features

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.csv_file import Row
    from eec_datasets.locale.model import Form, Locale, Word
    from eec_datasets.locale.name_table import NameTable
    from eec_datasets.locale.templating import Slots

PERSON_COLUMNS = Columns(
    (
        Column("id", needed=True, filled="Write the English member in lower-case ASCII"),
        Column("set", needed=True, filled="Name the set that configs ask for, such as noun-phrases"),
        Column("type", needed=True, values=PERSON_TYPES),
        Column("nom", needed=True, filled="Write its citation form"),
        Column("id.gender", needed=True, values="genders"),
        Column("source", needed=True, filled="Name the paper, table or list it is from"),
        Column("status", values="statuses"),
        Column("partial", values=("yes",)),
        *optional("pair", "english", "paper", "flags", "translator", "checker", "note"),
    )
)

SHARED = "in-two-races"
"""The flag of a name that stands for different groups in different lists."""


def read_persons(folder: Path, locale: Locale, facts: Mapping[str, Any], problems: Problems) -> tuple[Person, ...]:
    """The persons of a locale in file order, base phrases crossed with the levels of their axis."""
    file = read_csv(folder / "persons.csv", PERSON_COLUMNS.needed, problems)
    identity = [column for column in file.columns if column.startswith("id.")]
    file.check(PERSON_COLUMNS, facts, locale.features, (*locale.roles, *identity))
    for row in file.rows:
        check_id(row)
        if row["type"] != "name" and not row["pair"]:
            row.report(f"'{row['id']}' has no pair", "Name the row it is compared in, such as mother_father")
    rows = file.distinct(("set", "id"))
    return tuple(person for row in rows for person in _crossed(_person(row, identity, locale), row, locale))


def persons_of_sets(written: Sequence[Person], table: NameTable, locale: Locale) -> Iterator[Person]:
    """The names of sets, those flagged that stand for another group in another list of the language."""
    of_sets = list(persons_of(table, locale))
    # Sets may call one group by two labels, such as white and Anglo.
    group_of = {label: group for rule in table.sets.values() for label, group in rule.groups.items()}
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for person in (*written, *of_sets):
        if person.type == "name":
            race = person.identity["race"]
            groups[person.id, person.identity["gender"]].add(group_of.get(race, race))
    for person in of_sets:
        if len(groups[person.id, person.identity["gender"]] - {UNMARKED}) > 1:
            yield replace(person, flags=tuple(dict.fromkeys((*person.flags, SHARED))))
        else:
            yield person


def _person(row: Row, identity: list[str], locale: Locale) -> Person:
    axes = {"gender": UNMARKED, "race": UNMARKED} | {column[3:]: row[column] or UNMARKED for column in identity}
    return Person(
        id=row["id"],
        set=row["set"],
        type=row["type"] if row["type"] in PERSON_TYPES else "name",
        pair=row["pair"],
        identity=axes,
        gram=read_features(row, locale),
        roles={role: row[role] for role in locale.roles if row[role]},
        place=row.place,
        english=row["english"] or row["nom"],
        status=row["status"] or "paper",
        source=row["source"],
        flags=tuple(row["flags"].split()),
        partial=row["partial"] == "yes",
        base=row["id"],
    )


def _crossed(person: Person, row: Row, locale: Locale) -> Iterator[Person]:
    if not any(brace in text for text in person.roles.values() for brace in "{}"):
        yield person
        return
    problem_count = len(row.problems)
    texts = {role: slots_of(text, locale.levels, locale, with_person=False) for role, text in person.roles.items()}
    for slots in texts.values():
        for message, fix in slots.problems:
            row.report(f"'{row['id']}': {message}", fix)
    if len(row.problems) > problem_count:
        return
    used = {agreement.word for slots in texts.values() for agreement in slots.agreements}
    if len(used) != 1:
        message = f"the cells of '{person.id}' name {len(used)} axes"
        row.report(message, f"Use one axis: {', '.join(locale.levels) or 'add its file first'}")
        return
    axis = used.pop()
    neutral = locale.placebo_words.get(locale.placebo_kinds.get(axis, ""), ())
    for word in (*locale.levels[axis].values(), *neutral):
        if not never_at(locale.apart, person.id, word.level):
            yield from _with_word(person, axis, word, texts, row, locale)


def _with_word(
    person: Person, axis: str, word: Word, texts: Mapping[str, Slots], row: Row, locale: Locale
) -> Iterator[Person]:
    """Return a base phrase with a word put in: one for a level of an identity axis, or a neutral one in its place.

    Nobody if the word has not exactly one form for it, which is noted.
    """
    roles: dict[str, str] = {}
    flags = dict.fromkeys(person.flags)
    for role, slots in texts.items():
        pieces: list[str] = []
        for part in slots.parts:
            if isinstance(part, Agreement):
                form = _form(part, word, person, row)
                if form is None:
                    return
                pieces.append(form.text)
                flags |= dict.fromkeys(form.flags)
            else:
                pieces.append(str(part))
        roles[role] = joined("".join(pieces), locale.finish)
    yield replace(
        person,
        id=f"{person.id}-{word.id}",
        identity={**person.identity, axis: word.level or UNMARKED},
        roles=roles,
        english=f"{person.english} ({word.said})",
        said=word.said if word.level else NONE,
        placebo=NONE if word.level else word.said,
        flags=tuple(flags),
    )


def _form(agreement: Agreement, word: Word, person: Person, row: Row) -> Form | None:
    """Return the one form of a word for a slot of a base phrase; None, and noted, if it has not exactly one."""
    features = agreement.fixed if agreement.controller is None else {**person.gram, **agreement.fixed}
    forms = matching(word, features)
    if len(forms) == 1:
        return forms[0]
    if agreement.controller is None and not forms and word.forms:
        needed = " and ".join(dict.fromkeys(name for form in word.forms for name in form.needs))
        fix = f"Write {{{{ {agreement.word} | agree(person) }}}}"
        row.report(f"the words of '{agreement.word}' depend on {needed}, and '{person.id}' names nobody", fix)
    else:
        message, fix = mismatch(word, forms, features)
        row.problems.add(word.place, f"{message}; '{person.id}' ({person.place}) asks for one", fix)
    return None
