"""Flags that fall on one side only, and names that are also a word of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from eec_bias.shared import grouped
from eec_datasets.checks.parity import ENGLISH
from eec_datasets.checks.report import SeenKeys, finding
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reading import corpus_facts
from eec_datasets.locale.templating import words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.locale.model import Person, Word

WORD_FLAGS: Final = {"common-word", "emotion-word", "homograph"}
"""Flags that say of a name that it is a word."""


def flag_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Flags of one side of a pair, of one gender's forms, of one language; unflagged names that are words."""
    locale = checked.locale
    yield from _one_side([person for person in locale.persons if person.pair and not person.is_placebo])
    for word in locale.own_words:
        yield from _one_gender(word)
    yield from _one_language(checked)
    words = set(map(str.casefold, words_in(locale.texts)))
    for person in locale.persons:
        name = person.roles.get("nom", "")
        if person.type == "name" and name.casefold() in words and WORD_FLAGS.isdisjoint(person.flags):
            yield finding("flags.name-is-word", person.place, person=person.id, name=name)


def _one_side(persons: list[Person]) -> Iterator[LocaleFinding]:
    def others(person: Person) -> tuple[str, ...]:
        return tuple(label for axis, label in sorted(person.identity.items()) if axis != "gender")

    binary = (person for person in persons if person.identity.get("gender") in ("female", "male"))
    sides = grouped(((person.set, person.pair, *others(person)), person) for person in binary)
    reported = SeenKeys()
    for person, other in ((person, other) for pair in sides.values() for person in pair for other in pair):
        for flag in set(person.flags).difference(other.flags):
            if reported.is_new(flag, person.place):  # once for all levels of an axis
                yield finding("flags.one-side", person.place, flag=flag, person=person.id, other=other.id)


def _one_gender(word: Word) -> Iterator[LocaleFinding]:
    genders = {form.needs["gender"] for form in word.forms if "gender" in form.needs}
    for flag in dict.fromkeys(flag for form in word.forms for flag in form.flags):
        flagged = [form for form in word.forms if flag in form.flags]
        having = {form.needs.get("gender", "") for form in flagged}
        if len(having) == 1 and having < genders:
            texts = ", ".join(dict.fromkeys(form.text for form in flagged))
            yield finding("flags.one-gender", flagged[0].place, flag=flag, word=word, gender=having.pop(), forms=texts)


def _one_language(checked: Subject) -> Iterator[LocaleFinding]:
    """Flags that speak of who is meant, and that the English row of the same person has, or has not."""
    english_file = checked.folder.parent / ENGLISH / "persons.csv"
    if checked.folder.name == ENGLISH or not english_file.is_file():
        return
    own_flags = {*corpus_facts(checked.folder.parent).get("own_flags", ())}
    english = {(row["set"], row["id"]): {*row["flags"].split()} - own_flags for row in read_csv(english_file).rows}
    for row in read_csv(checked.folder / "persons.csv").rows:
        mine = {*row["flags"].split()} - own_flags
        theirs = english.get((row["set"], row["id"]), mine)
        for flag in sorted(mine ^ theirs):
            language = checked.folder.name if flag in mine else ENGLISH
            yield finding("flags.one-language", row.place, flag=flag, person=row["id"], language=language)
