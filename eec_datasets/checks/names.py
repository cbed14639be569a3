"""Names and what is written before them: an article that counts as part of a name makes all women one family."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.checks.report import SeenKeys, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.locale.model import Person

BEFORE = re.compile(r"([^\W\d_]+)(['’ -]+)(?=\w)")
"""A word before a name, or written onto it."""


def name_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Yield names that still have an article, and families that coincide with a gender or another group."""
    locale = checked.locale
    for person in locale.persons:
        if person.type == "name":
            yield from _article_findings(checked, person)
    place, seen = checked.locale_toml.place("configs"), SeenKeys()
    for case in (case for case in checked.cases if not case.variants):
        names = [person for person in case.persons if person.type == "name"]
        forms = {person.id: person.roles["nom"] for person in names}
        families = grouped((locale.families.family(form), id_) for id_, form in forms.items())
        of_family = {frozenset(ids): family for family, ids in families.items() if len({forms[id_] for id_ in ids}) > 1}
        for axis in dict.fromkeys(axis for person in names for axis in person.identity):
            for level, ids in grouped((person.identity.get(axis, ""), person.id) for person in names).items():
                family = of_family.get(frozenset(ids))
                if family and len(ids) < len(names) and seen.is_new(family, level):
                    values = {"family": family, "level": level, "config": f"{locale.tag}-{case.spec.key}"}
                    yield finding("names.family-is-group", place, **values)


def _article_findings(checked: Subject, person: Person) -> Iterator[LocaleFinding]:
    families = checked.locale.families
    name = families.name_in(person.roles["nom"])
    if article := families.article_in(name):
        yield finding("names.article-in-name", person.place, name=name, article=article)
        return
    before = BEFORE.match(name)
    if before and name not in families.kept and before[1].islower() and name[before.end()].isupper():
        word = before[0].rstrip(" ")
        yield finding("names.word-before-name", person.place, form=person.roles["nom"], word=word)
