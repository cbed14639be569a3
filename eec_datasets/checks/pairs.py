"""Inside a pair exactly those slots change that the template declares, and every pair has its two sides."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from eec_datasets.checks.asking import asked_of, class_of
from eec_datasets.checks.report import Finding
from eec_datasets.errors import RenderError
from eec_datasets.locale.agreement import matching
from eec_datasets.render.frames import role_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.checks.asking import Asked
    from eec_datasets.checks.trials import Subject, Trial
    from eec_datasets.locale.model import Locale, Person, Template
    from eec_datasets.render.frames import Setting

BINARY = ("female", "male")
Values = dict[str, tuple[str | None, ...]]


@dataclass(slots=True)
class Changes:
    """The slots seen to change, by template: between women and men, and with neutral references.

    Attributes
    ----------
    met : templates in which a woman and a man were compared.
    met_neutral : templates in which a neutral reference was compared with either.
    """

    findings: dict[object, Finding] = field(default_factory=dict)
    binary: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    neutral: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    met: set[str] = field(default_factory=set)
    met_neutral: set[str] = field(default_factory=set)
    seen: set[object] = field(default_factory=set)
    shown: dict[object, tuple[str | None, ...]] = field(default_factory=dict)


def change_findings(checked: Subject, sound: bool) -> Iterator[Finding]:
    """Slots that change undeclared and, where every form is there (`sound`), declared slots that never change."""
    changes = Changes()
    for trial in checked.trials:
        for template in trial.templates:
            _compare(checked, trial, template, changes)
    yield from changes.findings.values()
    if checked.whole and sound:
        for template in checked.locale.templates:
            yield from _unchanged(checked, template, changes)


def _compare(checked: Subject, trial: Trial, template: Template, changes: Changes) -> None:
    pattern, setting = trial.choice.patterns[template.id], trial.choice.setting
    for kind in dict.fromkeys(person.type for person in trial.persons):
        text = pattern.text(kind)
        if text is None:
            continue
        persons = _representatives([person for person in trial.persons if person.type == kind])
        for speaker in checked.speakers(text):
            values: dict[str, Values] = {}
            for one, other in combinations(persons, 2):
                key = (text, speaker, _kind(one), _kind(other), tuple(setting.features.items()))
                if key in changes.seen:
                    continue
                changes.seen.add(key)
                for person in (one, other):
                    if person.id not in values:
                        values[person.id] = _values(checked.locale, template, text, person, speaker, setting, changes)
                _pair(template, one, other, values, changes)


def _representatives(persons: Sequence[Person]) -> list[Person]:
    """For each class and gender two persons: one to stand for it, one to show that persons of a class differ."""
    kept: dict[object, list[Person]] = defaultdict(list)
    for person in persons:
        some = kept[_kind(person)]
        if len(some) < 2:
            some.append(person)
    return [person for some in kept.values() for person in some]


def _kind(person: Person) -> tuple[object, ...]:
    return (class_of(person), person.identity["gender"])


def _values(
    locale: Locale,
    template: Template,
    text: str,
    person: Person,
    speaker: str | None,
    setting: Setting,
    changes: Changes,
) -> Values:
    """What stands in each slot for this person (None where no form fits), for every emotion word."""
    values: Values = {}
    for asked in asked_of(locale, template, text, person.gram, speaker, setting):
        values[asked.slot] = values.get(asked.slot, ()) + _shown(
            locale, template, asked, person, setting, changes.shown
        )
    return values


def _shown(
    locale: Locale,
    template: Template,
    asked: Asked,
    person: Person,
    setting: Setting,
    memory: dict[object, tuple[str | None, ...]],
) -> tuple[str | None, ...]:
    if asked.role is not None:
        try:
            return (role_form(locale, person, asked.role, setting),)
        except RenderError:
            return (None,)
    features = asked.features or {}
    key = (id(asked.word) if asked.word else template.kind, tuple(features.items()))
    if key not in memory:
        words = locale.words_of(template.kind) if asked.word is None else (asked.word,)
        found = [matching(word, features) for word in words]
        memory[key] = tuple(forms[0].text if len(forms) == 1 else None for forms in found)
    return memory[key]


def _pair(template: Template, one: Person, other: Person, values: Mapping[str, Values], changes: Changes) -> None:
    first, second = values[one.id], values[other.id]
    changed = [slot for slot in first if _differ(first[slot], second.get(slot, ()))]
    neutral = any(person.identity["gender"] not in BINARY for person in (one, other))
    if neutral:
        declared = (*template.changes, *template.changes_neutral)
        if {one.identity["gender"], other.identity["gender"]} & set(BINARY):
            changes.neutral[template.id].update(changed)
            changes.met_neutral.add(template.id)
    else:
        declared = template.changes
        changes.binary[template.id].update(changed)
        if one.identity["gender"] != other.identity["gender"]:
            changes.met.add(template.id)
    undeclared = [slot for slot in changed if slot not in declared]
    for slot in undeclared:
        key = (template.id, slot, neutral)
        if key not in changes.findings:
            changes.findings[key] = _undeclared(template, slot, one, other, first, second, changed, neutral)


def _differ(first: Sequence[str | None], second: Sequence[str | None]) -> bool:
    return any(a != b for a, b in zip(first, second, strict=False) if a and b)


def _undeclared(
    template: Template,
    slot: str,
    one: Person,
    other: Person,
    first: Values,
    second: Values,
    changed: Sequence[str],
    neutral: bool,
) -> Finding:
    shown = next((a, b) for a, b in zip(first[slot], second[slot], strict=False) if a and b and a != b)
    key = "changes_neutral" if neutral else "changes"
    declared = template.changes_neutral if neutral else template.changes
    what = (
        f"template {template.id} shows '{shown[0]}' with '{one.id}' and '{shown[1]}' with '{other.id}': "
        f"{_slots(len(changed))} change ({', '.join(changed)}), {key} lists {len(declared)} ({', '.join(declared)})"
    )
    return Finding("error", "pairs", template.place, what, f"Add '{slot}' to {key}, or mend the text")


def _slots(count: int) -> str:
    return f"{count} slot{'s' if count != 1 else ''}"


def _unchanged(checked: Subject, template: Template, changes: Changes) -> Iterator[Finding]:
    place = checked.templates_toml.place(template.id, "changes")
    seen = changes.binary[template.id]
    if template.id in changes.met:
        for slot in template.changes:
            if slot not in seen:
                what = f"template {template.id} lists '{slot}' in changes, and it is the same for everybody"
                yield Finding("error", "pairs", place, what, "Take it out of changes, or make the word agree")
    if template.id in changes.met_neutral:
        for slot in template.changes_neutral:
            if slot not in seen | changes.neutral[template.id]:
                place = checked.templates_toml.place(template.id, "changes_neutral")
                what = f"template {template.id} lists '{slot}' in changes_neutral, and it is the same for everybody"
                yield Finding("error", "pairs", place, what, "Take it out of changes_neutral, or make the word agree")


def partner_findings(checked: Subject) -> Iterator[Finding]:
    """Pairs that lack a side, or have two members for one place."""
    if not checked.whole:
        return
    told: set[object] = set()
    for trial in checked.trials:
        pairs: dict[str, list[Person]] = defaultdict(list)
        for person in trial.persons:
            if person.pair:
                pairs[person.pair].append(person)
        for pair, members in pairs.items():
            for key, finding in _partners(trial.name, pair, members):
                if key not in told:
                    told.add(key)
                    yield finding


def _partners(name: str, pair: str, members: Sequence[Person]) -> Iterator[tuple[object, Finding]]:
    genders = {person.identity["gender"] for person in members}
    for gender in BINARY:
        if gender not in genders:
            who = ", ".join(f"'{person.id}'" for person in members[:4])
            what = f"the pair '{pair}' of {name} has no {gender} member, only {who}"
            mend = "Add the row, or mend the name of the pair"
            yield (pair, gender, members[0].place), Finding("error", "pairs", members[0].place, what, mend)
    places: dict[object, Person] = {}
    for person in members:
        key = tuple(person.identity.items())
        if key in places:
            told = " ".join(value for value in person.identity.values() if value != "unmarked")
            what = f"'{person.id}' and '{places[key].id}' ({places[key].place}) are both the {told} member of '{pair}'"
            yield (
                (pair, person.id, places[key].id),
                Finding("error", "pairs", person.place, what, "Give one of them another pair"),
            )
        places.setdefault(key, person)
