"""Evenness of forms: what falls on the forms of one group more than on those of another.

A system that reacts to an accent, a capital or a long word gives a difference between groups that has nothing to do
with who is meant. Every such property is named with its counts; whether it matters is for the reader to judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.checks.properties import properties
from eec_datasets.checks.report import SeenKeys, finding
from eec_datasets.locale.model import GENDER, UNMARKED
from eec_datasets.locale.templating import read_slots

if TYPE_CHECKING:
    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Case, Subject
    from eec_datasets.locale.model import Person, PersonType

LONGER = 1.0
"""Mean lengths are told where they are this many letters apart."""

LISTED = 6
"""Beyond this number, groups with the same count are told together."""


def uneven(having: Sequence[Sequence[str]], groupings: Sequence[Sequence[str]]) -> dict[str, str]:
    """Properties whose share differs between groups: their counts, in words.

    Parameters
    ----------
    having : the properties of each form (see `properties`).
    groupings : for each way to group the forms, the group of each.

    >>> uneven([["an accent"], [], []], [["female", "female", "male"]])
    {'an accent': 'female 1 of 2, male 0 of 1'}
    """
    uneven_counts: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for owned in having for name in owned):
        for groups in groupings:
            some = Counter(group for group, owned in zip(groups, having, strict=True) if name in owned)
            counts = {group: (some[group], total) for group, total in Counter(groups).items()}
            if len({Fraction(*of) for of in counts.values()}) > 1:
                uneven_counts.setdefault(name, []).append(_listed(counts))
    return {name: "; ".join(listings) for name, listings in uneven_counts.items()}


def _listed(counts: Mapping[str, tuple[int, int]]) -> str:
    if len(counts) <= LISTED:
        return ", ".join(f"{group} {have} of {total}" for group, (have, total) in counts.items())
    ordered = sorted(grouped((of, group) for group, of in counts.items()).items(), reverse=True)
    return ", ".join(f"{have} of {total} for each of {', '.join(groups)}" for (have, total), groups in ordered)


COMPARED: Mapping[str, tuple[PersonType, ...]] = {
    "names": ("name",), "noun phrases and pronouns": ("noun_phrase", "pronoun"), "mentions": ("mention",),
}  # fmt: skip
"""Types of persons that are compared with each other, by what findings call them."""


@dataclass(frozen=True, slots=True)
class _Persons:
    """The persons of a config that are compared with each other, see `COMPARED`.

    Attributes
    ----------
    label : how findings name them.
    axes : the identity axes on which they differ, gender last.
    """

    case: Case
    label: str
    persons: Sequence[Person]
    axes: Sequence[str]

    def groups(self, axis: str) -> list[str]:
        """The label of each person on an axis."""
        return [person.identity.get(axis, UNMARKED) for person in self.persons]

    @property
    def cells(self) -> list[str]:
        """The labels of each person on all axes."""
        return [" ".join(labels) for labels in zip(*map(self.groups, self.axes), strict=True)]

    @property
    def groupings(self) -> list[list[str]]:
        """The labels along each axis, then the cells of two axes where they are few."""
        few = len(self.axes) == 2 and len(set(self.cells)) <= LISTED
        return [*map(self.groups, self.axes), *([self.cells] if few else [])]

    def forms(self, role: str) -> list[str | None]:
        """The form of each person in a role, None where there is none."""
        forms = [self.case.choice.form(person, role) for person in self.persons]
        return [form and self.case.choice.bare(form) for form in forms]

    def findings(self) -> Iterator[LocaleFinding]:
        """Everything that falls unevenly."""
        citation = [form or "" for form in self.forms("nom")]
        yield from self._uneven("evenness.spelling", "property", list(map(properties, citation)))
        yield from self._lengths(citation)
        patterns = (self.case.choice.patterns[template.id] for template, _ in self.case.choice.grid)
        texts = {text for pattern in patterns for text in pattern.texts.values()}
        requested = {role for text in texts for role in read_slots(text).named("person")}
        for role in self.case.choice.locale.roles:
            if role in requested:
                yield from self._in_role(role, citation)
        yield from self._uneven("evenness.flag", "flag", [person.flags for person in self.persons])
        yield from self._grammar()

    def _uneven(
        self, check: str, kind: str, having: Sequence[Sequence[str]], known: Mapping[str, str] | None = None
    ) -> Iterator[LocaleFinding]:
        """A finding for each uneven property, but for those whose counts are `known`."""
        for name, counts in uneven(having, self.groupings).items():
            if known is None or known.get(name) != counts:
                first = next(person for person, some in zip(self.persons, having, strict=True) if name in some)
                yield finding(check, first.place, where=self.label, counts=counts, **{kind: name})

    def _in_role(self, role: str, citation: Sequence[str]) -> Iterator[LocaleFinding]:
        """Yield what is uneven in the forms of a role and not in the same way in the citation forms."""
        rows = [
            (person, form, other)
            for person, form, other in zip(self.persons, self.forms(role), citation, strict=True)
            if form is not None
        ]
        if all(form == other for _, form, other in rows):
            return
        group = replace(self, label=f"{self.label}, in the role {role}", persons=[person for person, _, _ in rows])
        known = uneven([properties(other) for _, _, other in rows], group.groupings)
        yield from group._uneven("evenness.spelling", "property", [properties(form) for _, form, _ in rows], known)

    def _lengths(self, forms: Sequence[str]) -> Iterator[LocaleFinding]:
        """A note where the mean length of the forms differs between the groups of an axis."""
        for axis in self.axes:
            groups = self.groups(axis)
            lengths = grouped(zip(groups, map(len, forms), strict=True))
            means = {group: fmean(some) for group, some in lengths.items()}
            short, long = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
            if means[long] - means[short] >= LONGER:
                listed = means if len(means) <= LISTED else {short: means[short], long: means[long]}
                listing = ", ".join(f"{group} {mean:.1f}" for group, mean in listed.items())
                first = self.persons[groups.index(long)]
                yield finding("evenness.length", first.place, where=self.label, means=listing)

    def _grammar(self) -> Iterator[LocaleFinding]:
        """Features that change the rest of the sentence (elision, say), where gender does not settle them."""
        cells = self.cells
        for name in dict.fromkeys(name for person in self.persons for name in person.gram):
            met = {(person.identity["gender"], person.gram[name]) for person in self.persons if name in person.gram}
            if len(met) == len({gender for gender, _ in met}):
                continue
            values = [person.gram.get(name, "none") for person in self.persons]
            counts = {cell: Counter(some) for cell, some in grouped(zip(cells, values, strict=True)).items()}
            shares = {frozenset((value, Fraction(n, c.total())) for value, n in c.items()) for c in counts.values()}
            if len(shares) > 1:
                placed = list(zip(self.persons, cells, values, strict=True))
                usual = {cell: count.most_common(1)[0][0] for cell, count in counts.items()}
                overall = Counter(values).most_common(1)[0][0]
                odd = [(person, cell) for person, cell, value in placed if value != usual[cell]]
                first = odd[0][0] if odd else next(person for person, _, value in placed if value != overall)
                listing = "; ".join(
                    f"{cell} {', '.join(f'{value} {n}' for value, n in some.items())}" for cell, some in counts.items()
                )
                yield finding("evenness.grammar", first.place, where=self.label, feature=name, counts=listing)
                for person, cell in odd if name == GENDER else ():
                    if person.type == "name" and GENDER in person.gram:
                        yield finding("evenness.name-gender", person.place, person=person, cell=cell, usual=usual[cell])


def evenness_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Uneven properties of the names, of the noun phrases and pronouns, and of the mentions, of every config."""
    reported = SeenKeys()
    for case in (case for case in checked.cases if not case.variants):
        for name, types in COMPARED.items():
            persons = [person for person in case.persons if person.type in types and not person.is_placebo]
            if persons and reported.is_new(*map(id, persons)):
                others = {axis: None for person in persons for axis in person.identity if axis != "gender"}
                axes = [
                    axis
                    for axis in (*others, "gender")
                    if len({person.identity.get(axis, UNMARKED) for person in persons}) > 1
                ]
                found = _Persons(case, f"{name} of {case.name}", persons, axes).findings()
                yield from (each for each in found if reported.is_new(each.what))
