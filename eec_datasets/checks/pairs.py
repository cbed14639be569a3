"""Inside a pair exactly those slots change that the template declares, and every pair has its two sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from eec_bias.shared import counted, grouped
from eec_datasets.checks.agreement_request import kind_of, requests
from eec_datasets.checks.report import SeenKeys, finding
from eec_datasets.locale.agreement import matching
from eec_datasets.locale.model import UNMARKED

if TYPE_CHECKING:
    from eec_datasets.checks.agreement_request import PersonClass
    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Case, Subject
    from eec_datasets.locale.model import Person, Template
    from eec_datasets.render.choice import Choice

BINARY = {"female", "male"}
SlotTexts: TypeAlias = "tuple[str | None, ...]"
"""Texts of a slot: one per emotion word, None if no form fits."""


def change_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Slots of templates that change with the class or gender of a person and are not declared to, or never do."""
    changes = _Changes(checked)
    for case in checked.cases:
        kinds = grouped((kind_of(person), person) for person in case.persons)
        # Of each class and gender two: one to stand for it, one to show that persons of a class differ.
        persons = [(person, kind) for kind, members in kinds.items() for person in members[:2]]
        for template in case.templates:
            files = {word.file for word in checked.locale.words_of(template.kind)}
            if not files or not files.isdisjoint(case.choice.word_files):
                yield from changes.undeclared(case, template, persons)
    if checked.whole and checked.sound:
        yield from changes.unchanged()


@dataclass(slots=True)
class _Changes:
    """Comparisons of persons so far.

    Attributes
    ----------
    seen : template and key that declares (``changes`` or ``changes_neutral``) → slots that were seen to change.
    compared_genders : those for which persons of different gender were compared.
    """

    checked: Subject
    seen: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    compared_genders: set[tuple[str, str]] = field(default_factory=set)
    compared: SeenKeys = field(default_factory=SeenKeys)
    reported: SeenKeys = field(default_factory=SeenKeys)
    texts: dict[object, SlotTexts] = field(default_factory=dict)

    def undeclared(
        self, case: Case, template: Template, persons: Sequence[tuple[Person, PersonClass]]
    ) -> Iterator[LocaleFinding]:
        """Slots that change, and are not declared to, between two persons of a text not compared before."""
        pattern = case.choice.patterns[template.id]
        groups = grouped(((p.type, pattern.text(p.type, p.gram.values())), (p, kind)) for p, kind in persons)
        for (_, text), members in groups.items():
            for speaker in self.checked.speakers(text) if text is not None else ():
                values: dict[str, Mapping[str, SlotTexts]] = {}
                for (person, kind), (other, other_kind) in combinations(members, 2):
                    if self.compared.is_new(text, speaker, *case.choice.features.items(), kind, other_kind):
                        for each in (person, other):
                            if each.id not in values:
                                values[each.id] = self._values(case.choice, template, str(text), each, speaker)
                        yield from self._compared(template, person, other, values)

    def _values(
        self, choice: Choice, template: Template, text: str, person: Person, speaker: str | None
    ) -> Mapping[str, SlotTexts]:
        """Return what stands in each slot for this person, for every emotion word."""
        values: dict[str, SlotTexts] = defaultdict(tuple)
        for request in requests(choice, template, text, person, speaker):
            if request.role is not None:
                values[request.slot] += (choice.form(person, request.role),)
                continue
            key = (*map(id, request.words), *request.features.items())
            if key not in self.texts:
                forms_of = [matching(word, request.features) for word in request.words]
                self.texts[key] = tuple(forms[0].text if len(forms) == 1 else None for forms in forms_of)
            values[request.slot] += self.texts[key]
        return values

    def _compared(
        self, template: Template, person: Person, other: Person, values: Mapping[str, Mapping[str, SlotTexts]]
    ) -> Iterator[LocaleFinding]:
        """Note which slots show different texts; found are those that are not declared to change."""
        differing: dict[str, tuple[str, str]] = {}
        for slot, shown in values[person.id].items():
            for first, second in zip(shown, values[other.id].get(slot, ()), strict=False):
                if first and second and first != second:
                    differing.setdefault(slot, (first, second))
        genders = {person.identity["gender"], other.identity["gender"]}
        key = "changes" if genders <= BINARY else "changes_neutral"
        if genders & BINARY:
            self.seen[template.id, key].update(differing)
            if len(genders) > 1:
                self.compared_genders.add((template.id, key))
        declared = template.changes if key == "changes" else template.changes_neutral
        for slot, (first, second) in differing.items():
            if slot not in (*template.changes, *declared) and self.reported.is_new(template.id, slot, key):
                yield finding(
                    "pairs.undeclared-change", template.place, template=template, slot=slot, shown=first,
                    person=person, other_shown=second, other=other, key=key,
                    changed=f"{counted(len(differing), 'slot')} change ({', '.join(differing)})",
                    declared=f"{len(declared)} ({', '.join(declared)})",
                )  # fmt: skip

    def unchanged(self) -> Iterator[LocaleFinding]:
        """Declared slots that never change."""
        for template in self.checked.locale.templates:
            changing: set[str] = set()
            for key, slots in (("changes", template.changes), ("changes_neutral", template.changes_neutral)):
                changing |= self.seen[template.id, key]
                place = self.checked.templates_toml.place(template.id, key)
                for slot in slots if (template.id, key) in self.compared_genders else ():
                    if slot not in changing:
                        yield finding("pairs.unchanged", place, template=template.id, slot=slot, key=key)


def _sides(persons: Sequence[Person]) -> Iterator[tuple[str, Person]]:
    return ((person.pair, person) for person in persons if person.pair and not person.is_placebo)


def partner_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Pairs that lack a side, or have two members for one place."""
    reported = SeenKeys()
    for case in checked.cases if checked.whole else ():
        for pair, members in grouped(_sides(case.persons)).items():
            who, place = ", ".join(f"'{person.id}'" for person in members[:4]), members[0].place
            for gender in BINARY.difference(person.identity["gender"] for person in members):
                if reported.is_new(pair, gender, place):
                    yield finding("pairs.side-missing", place, pair=pair, case=case, gender=gender, who=who)
            first: dict[object, Person] = {}
            for person in members:
                other = first.setdefault(tuple(person.identity.items()), person)
                if other is not person:
                    labels = " ".join(label for label in person.identity.values() if label != UNMARKED)
                    yield finding("pairs.side-twice", person.place, person=person, other=other, labels=labels)
