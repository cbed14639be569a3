"""Inside a pair exactly those slots change that the template declares, and every pair has its two sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.checks.agreement_request import class_of, requests
from eec_datasets.checks.report import Once, counted, finding
from eec_datasets.errors import RenderError
from eec_datasets.locale.agreement import matching
from eec_datasets.locale.model import UNMARKED

if TYPE_CHECKING:
    from eec_datasets.checks.agreement_request import AgreementRequest
    from eec_datasets.checks.report import Finding
    from eec_datasets.checks.subject import Case, Subject
    from eec_datasets.locale.model import Person, Template
    from eec_datasets.render.choice import Choice

BINARY = ("female", "male")
Shown: TypeAlias = "tuple[str | None, ...]"
"""What stands in a slot, None where no form fits: one text per emotion word."""


@dataclass(slots=True)
class _Seen:
    """The slots of a template seen to change between women and men, and with neutral references.

    Attributes
    ----------
    met, met_neutral : whether a woman and a man, or either and a neutral reference, were compared.
    """

    binary: set[str] = field(default_factory=set)
    neutral: set[str] = field(default_factory=set)
    met: bool = False
    met_neutral: bool = False


def change_findings(checked: Subject, sound: bool) -> Iterator[Finding]:
    """Slots that change undeclared and, where every form is there (`sound`), declared slots that never change."""
    changes: dict[str, _Seen] = defaultdict(_Seen)
    compared, told = Once(), Once()
    memory: dict[object, Shown] = {}
    for case in checked.cases:
        for template in case.templates:
            for one, other, slots in _comparisons(checked, case, template, compared, memory):
                changed = [slot for slot, (first, second) in slots.items() if _difference(first, second)]
                neutral = _note(changes[template.id], one, other, changed)
                declared = (*template.changes, *template.changes_neutral) if neutral else template.changes
                for slot in changed:
                    if slot not in declared and told.first(template.id, slot, neutral):
                        yield _undeclared(template, slot, (one, other), slots[slot], changed, neutral)
    if checked.whole and sound:
        for template in checked.locale.templates:
            yield from _unchanged(checked, template, changes[template.id])


def _comparisons(
    checked: Subject, case: Case, template: Template, compared: Once, memory: dict[object, Shown]
) -> Iterator[tuple[Person, Person, dict[str, tuple[Shown, Shown]]]]:
    """Every two persons of a type that differ in class or gender, not `compared` before, and what their slots show."""
    choice = case.choice
    features = tuple(choice.features.items())
    for kind in dict.fromkeys(person.type for person in case.persons):
        text = choice.patterns[template.id].text(kind)
        if text is None:
            continue
        persons = _representatives([person for person in case.persons if person.type == kind])
        for speaker in checked.speakers(text):
            values: dict[str, Mapping[str, Shown]] = {}
            for one, other in combinations(persons, 2):
                if not compared.first(text, speaker, _kind(one), _kind(other), features):
                    continue
                for person in (one, other):
                    if person.id not in values:
                        values[person.id] = _values(choice, template, text, person, speaker, memory)
                first, second = values[one.id], values[other.id]
                yield one, other, {slot: (shown, second.get(slot, ())) for slot, shown in first.items()}


def _representatives(persons: Sequence[Person]) -> list[Person]:
    """For each class and gender two persons: one to stand for it, one to show that persons of a class differ."""
    kept: dict[object, list[Person]] = defaultdict(list)
    for person in persons:
        kept[_kind(person)].append(person)
    return [person for some in kept.values() for person in some[:2]]


def _kind(person: Person) -> tuple[object, ...]:
    return (class_of(person), person.identity["gender"])


def _values(
    choice: Choice, template: Template, text: str, person: Person, speaker: str | None, memory: dict[object, Shown]
) -> Mapping[str, Shown]:
    """What stands in each slot for this person, for every emotion word."""
    values: dict[str, Shown] = defaultdict(tuple)
    for request in requests(choice, template, text, person.gram, speaker):
        values[request.slot] += _shown(choice, template, request, person, memory)
    return values


def _shown(
    choice: Choice, template: Template, request: AgreementRequest, person: Person, memory: dict[object, Shown]
) -> Shown:
    if request.role is not None:
        try:
            return (choice.role_form(person, request.role),)
        except RenderError:
            return (None,)
    features = request.features or {}
    key = (id(request.word) if request.word else template.kind, *features.items())
    if key not in memory:
        words = choice.locale.words_of(template.kind) if request.word is None else (request.word,)
        found = [matching(word, features) for word in words]
        memory[key] = tuple(forms[0].text if len(forms) == 1 else None for forms in found)
    return memory[key]


def _difference(first: Shown, second: Shown) -> tuple[str, str] | None:
    """The first texts that differ."""
    return next(((a, b) for a, b in zip(first, second, strict=False) if a and b and a != b), None)


def _note(seen: _Seen, one: Person, other: Person, changed: Sequence[str]) -> bool:
    """Note what changed between two persons; whether one of them is a neutral reference."""
    genders = {one.identity["gender"], other.identity["gender"]}
    neutral = not genders <= set(BINARY)
    if not neutral:
        seen.binary.update(changed)
        seen.met |= len(genders) > 1
    elif genders & set(BINARY):
        seen.neutral.update(changed)
        seen.met_neutral = True
    return neutral


def _undeclared(
    template: Template,
    slot: str,
    persons: tuple[Person, Person],
    shown: tuple[Shown, Shown],
    changed: Sequence[str],
    neutral: bool,
) -> Finding:
    texts = _difference(*shown)
    assert texts is not None
    declared = template.changes_neutral if neutral else template.changes
    return finding(
        "pairs.undeclared-change", template.place, template=template.id, slot=slot,
        shown=texts[0], person=persons[0].id, other_shown=texts[1], other=persons[1].id,
        changed=f"{counted(len(changed), 'slot')} change ({', '.join(changed)})",
        key="changes_neutral" if neutral else "changes", declared=f"{len(declared)} ({', '.join(declared)})",
    )  # fmt: skip


def _unchanged(checked: Subject, template: Template, seen: _Seen) -> Iterator[Finding]:
    for key, slots, met, changing in (
        ("changes", template.changes, seen.met, seen.binary),
        ("changes_neutral", template.changes_neutral, seen.met_neutral, seen.binary | seen.neutral),
    ):
        place = checked.templates_toml.place(template.id, key)
        for slot in slots if met else ():
            if slot not in changing:
                yield finding("pairs.unchanged", place, template=template.id, slot=slot, key=key)


def partner_findings(checked: Subject) -> Iterator[Finding]:
    """Pairs that lack a side, or have two members for one place."""
    told = Once()
    for case in checked.cases if checked.whole else ():
        pairs: dict[str, list[Person]] = defaultdict(list)
        for person in case.persons:
            if person.pair:
                pairs[person.pair].append(person)
        for pair, members in pairs.items():
            for key, found in (*_sides_missing(case, pair, members), *_sides_twice(pair, members)):
                if told.first(pair, *key):
                    yield found


def _sides_missing(case: Case, pair: str, members: Sequence[Person]) -> Iterator[tuple[tuple[object, ...], Finding]]:
    genders = {person.identity["gender"] for person in members}
    who = ", ".join(f"'{person.id}'" for person in members[:4])
    place = members[0].place
    for gender in BINARY:
        if gender not in genders:
            found = finding("pairs.side-missing", place, pair=pair, case=case.name, gender=gender, who=who)
            yield (gender, place), found


def _sides_twice(pair: str, members: Sequence[Person]) -> Iterator[tuple[tuple[object, ...], Finding]]:
    first: dict[object, Person] = {}
    for person in members:
        other = first.setdefault(tuple(person.identity.items()), person)
        if other is not person:
            labels = " ".join(label for label in person.identity.values() if label != UNMARKED)
            values = {"person": person.id, "other": other.id, "place": other.place, "labels": labels, "pair": pair}
            yield (person.id, other.id), finding("pairs.side-twice", person.place, **values)
