"""The sentences themselves: every one is there once, and what makes no pair is told.

Two words give the same sentence whoever the person is, and two persons only where they share a form: so the words are
rendered with a few persons. (Rendering a config for use looks at every sentence, see `corpora`.)
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from eec_bias.shared import counted, grouped
from eec_datasets.checks.agreement_request import kind_of
from eec_datasets.checks.key import note_lacking
from eec_datasets.checks.report import SeenKeys, finding
from eec_datasets.errors import RenderError
from eec_datasets.render.items import items_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Case, Combination, Subject
    from eec_datasets.errors import Place
    from eec_datasets.locale.model import Person
    from eec_datasets.render.items import Dropped, Item


def sentence_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Render every config as it is, with its optional persons, and under every option; see what the key lacks."""
    present: dict[Combination, None] = {}
    reported = SeenKeys()
    for case in (case for case in checked.cases if case.templates is checked.locale.templates):
        dropped: list[Dropped] = []
        try:
            items = list(items_of(case.choice, case.persons, dropped, only=_representatives(case)))
        except RenderError as error:
            yield finding("sentences.not-rendered", case.spec.place, case=case, error=str(error).rstrip("."))
            continue
        for item in items if not case.variants or "persons" in case.variants else ():
            present |= dict.fromkeys((item.template.id, who.type, who.identity["gender"]) for who in item.persons)
        yield from _texts(case, items, reported)
        yield from _left_out(case, dropped, reported)
    note_lacking(checked, present)
    yield from _idle_joins(checked)


def _idle_joins(checked: Subject) -> Iterator[LocaleFinding]:
    """Joins that no sentence shows; first the few sentences are looked at that stand for all, then all of them."""
    joins = checked.locale.finish.joins
    left = {before: _whole_words(after) for before, after in joins.items()}
    cases = [case for case in checked.cases if not case.variants]
    for whole in (False, True):
        for case in cases if left else ():
            only = list(case.persons) if whole else _representatives(case)
            try:
                texts = [text for item in items_of(case.choice, case.persons, [], only=only) for text in item.texts]
            except RenderError:  # told above
                continue
            forms = [form for person in case.persons for form in person.roles.values()]
            shown = "\n".join([*texts, *forms])
            left = {before: pattern for before, pattern in left.items() if not pattern.search(shown)}
    for before in left:
        place = checked.locale_toml.place("finish", "joins")
        yield finding("unused.join", place, before=before, after=joins[before])


def _whole_words(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)


def _representatives(case: Case) -> list[Person]:
    """One person of each class and gender, and all who share a form with another: nobody else can coincide."""
    forms = [{case.choice.bare(form).casefold() for form in person.roles.values()} for person in case.persons]
    shared = Counter(form for some in forms for form in some)
    kinds = SeenKeys()
    return [
        person
        for person, person_forms in zip(case.persons, forms, strict=True)
        if kinds.is_new(kind_of(person)) or any(shared[form] > 1 for form in person_forms)
    ]


def _texts(case: Case, items: Sequence[Item], reported: SeenKeys) -> Iterator[LocaleFinding]:
    """Sentences that are there twice, and spaces that the parts of a template leave where they meet."""
    firsts: dict[str, tuple[Item, Person]] = {}
    for item in items:
        for person, text in zip(item.persons, item.texts, strict=True):
            if ("  " in text or text != text.strip()) and reported.is_new(item.template.id):
                values = {"item": item, "person": person, "case": case, "text": text}
                yield finding("sentences.stray-space", item.template.place, **values)
            first_item, first_person = firsts.setdefault(text, (item, person))
            if first_item is not item or first_person is not person:
                first, second, place = _cause(first_item, first_person, item, person)
                if reported.is_new(first, second):
                    yield finding("sentences.same", place, first=first, second=second, case=case, text=text)


def _cause(first: Item, person: Person, second: Item, other: Person) -> tuple[str, str, Place]:
    """Return what differs between two identical sentences, and where it stands."""
    if first.template is not second.template:
        return f"template {first.template.id}", f"template {second.template.id}", second.template.place
    if first.word.id != second.word.id:
        return f"the word '{first.word.id}'", f"'{second.word.id}'", second.word.place
    return f"'{person.id}'", f"'{other.id}'", other.place


def _left_out(case: Case, dropped: Sequence[Dropped], reported: SeenKeys) -> Iterator[LocaleFinding]:
    """A note for each pair whose sentences are identical, and for each person some word has no form for."""
    places = {person.id: person.place for person in case.persons}
    declared = {entry.why for entry in case.choice.locale.apart}
    found = (entry for entry in dropped if entry.reason not in declared)
    for persons, entries in grouped((entry.persons, entry) for entry in found).items():
        if reported.is_new(*persons):
            items = f"{counted(len(entries), 'item')} ({entries[0].item}{' …' if len(entries) > 1 else ''})"
            values = {"case": case, "items": items, "text": entries[0].reason.partition(": ")[2]}
            check = "sentences.no-pair" if len(persons) > 1 else "sentences.left-out"
            yield finding(check, places[persons[0]], persons=" and ".join(persons), **values)
