"""Pair evenness: what falls on the forms of one group more than on those of another.

A system that reacts to an accent, a capital or a long word gives a difference between groups that has nothing to do
with who is meant. Every such property is named with its counts; whether it matters is for the reader to judge.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from eec_datasets.checks.forms import roles_of
from eec_datasets.checks.properties import properties
from eec_datasets.checks.report import Finding
from eec_datasets.errors import RenderError
from eec_datasets.locale.model import UNMARKED
from eec_datasets.render.frames import role_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from eec_datasets.checks.trials import Subject, Trial
    from eec_datasets.locale.model import Person

LONGER = 1.0
"""Mean lengths are told where they are this many letters apart."""

LISTED = 6
"""Beyond this number, groups with the same count are told together."""

SPELLING = "A difference between these groups may be one of spelling"
FLAGS = "See whether a difference between these groups stands without them"


@dataclass(frozen=True, slots=True)
class Count:
    """How many of a group have a property."""

    group: str
    have: int
    all: int

    def __str__(self) -> str:
        return f"{self.group} {self.have} of {self.all}"


def evenness_findings(checked: Subject) -> Iterator[Finding]:
    """Uneven properties of the names, and of the noun phrases and pronouns, of every config."""
    told: set[object] = set()
    for trial in checked.trials:
        if not trial.plain:
            continue
        roles = _roles(checked, trial)
        for what, names in (("names", True), ("noun phrases and pronouns", False)):
            persons = [person for person in trial.persons if (person.type == "name") == names]
            key = tuple(id(person) for person in persons)
            if not persons or key in told:
                continue
            told.add(key)
            for finding in _uneven(checked, trial, what, persons, roles):
                if finding.what not in told:
                    told.add(finding.what)
                    yield finding


def _roles(checked: Subject, trial: Trial) -> list[str]:
    texts = [text for pattern in trial.choice.patterns.values() for text in pattern.texts.values()]
    asked = dict.fromkeys(role for text in texts for role in roles_of(text))
    return [role for role in checked.locale.roles if role in asked]


def _uneven(
    checked: Subject, trial: Trial, what: str, persons: Sequence[Person], roles: Sequence[str]
) -> Iterator[Finding]:
    axes = _axes(persons)
    where = f"{what} of {trial.name}"
    citation = _forms(checked, trial, persons, "nom")
    for name, counts in _uneven_of(persons, axes, _spelling(citation)).items():
        yield _finding(_first(persons, _spelling(citation), name), name, where, counts, SPELLING)
    yield from _lengths(persons, axes, citation, where)
    for role in roles:
        forms = _forms(checked, trial, persons, role)
        if all(citation[key] == form for key, form in forms.items()):
            continue
        having = [person for person in persons if id(person) in forms]
        plain = _uneven_of(having, axes, _spelling(citation))
        for name, counts in _uneven_of(having, axes, _spelling(forms)).items():
            if counts != plain.get(name):
                first = _first(having, _spelling(forms), name)
                yield _finding(first, name, f"{where}, in the role {role}", counts, SPELLING)
    for name, counts in _uneven_of(persons, axes, _flags).items():
        yield _finding(_first(persons, _flags, name), f"the flag {name}", where, counts, FLAGS)
    yield from _grammar(persons, axes, where)


def _forms(checked: Subject, trial: Trial, persons: Sequence[Person], role: str) -> dict[int, str]:
    return {id(person): form for person in persons if (form := _form(checked, trial, person, role)) is not None}


def _spelling(forms: Mapping[int, str]) -> Callable[[Person], Sequence[str]]:
    return lambda person: properties(forms.get(id(person), ""))


def _flags(person: Person) -> Sequence[str]:
    return person.flags


def _first(persons: Sequence[Person], of: Callable[[Person], Sequence[str]], name: str) -> Person:
    return next(person for person in persons if name in of(person))


def _form(checked: Subject, trial: Trial, person: Person, role: str) -> str | None:
    try:
        return trial.choice.setting.bare(role_form(checked.locale, person, role, trial.choice.setting))
    except RenderError:
        return None


def _axes(persons: Sequence[Person]) -> list[str]:
    """The identity axes on which these persons differ, gender last."""
    axes = {axis: None for person in persons for axis in person.identity if axis != "gender"}
    return [axis for axis in (*axes, "gender") if len({_label(person, axis) for person in persons}) > 1]


def _label(person: Person, axis: str) -> str:
    return person.identity.get(axis, UNMARKED)


def _uneven_of(
    persons: Sequence[Person], axes: Sequence[str], of: Callable[[Person], Sequence[str]]
) -> dict[str, list[list[Count]]]:
    """The properties whose share differs between groups: the counts along each axis, then those of the cells."""
    having: dict[str, set[int]] = defaultdict(set)
    for person in persons:
        for name in of(person):
            having[name].add(id(person))
    groupings = [[_label(person, axis) for person in persons] for axis in axes]
    if len(axes) == 2:
        cells = [f"{one} {two}" for one, two in zip(*groupings, strict=True)]
        groupings += [cells] if len(set(cells)) <= LISTED else []
    uneven = {}
    for name, some in having.items():
        have = [id(person) in some for person in persons]
        counts = [_counts(labels, have) for labels in groupings]
        if told := [groups for groups in counts if _differ(groups)]:
            uneven[name] = told
    return uneven


def _counts(labels: Sequence[str], have: Sequence[bool]) -> list[Count]:
    everyone = Counter(labels)
    some = Counter(label for label, has in zip(labels, have, strict=True) if has)
    return [Count(group, some[group], total) for group, total in everyone.items()]


def _differ(counts: Sequence[Count]) -> bool:
    return len({Fraction(count.have, count.all) for count in counts}) > 1


def _finding(first: Person, name: str, where: str, counts: Sequence[Sequence[Count]], mend: str) -> Finding:
    told = "; ".join(_told(groups) for groups in counts)
    return Finding("note", "evenness", first.place, f"{where}: {name} falls unevenly: {told}", mend)


def _told(counts: Sequence[Count]) -> str:
    if len(counts) <= LISTED:
        return ", ".join(map(str, counts))
    alike: dict[tuple[int, int], list[str]] = defaultdict(list)
    for count in counts:
        alike[count.have, count.all].append(count.group)
    ordered = sorted(alike.items(), reverse=True)
    return ", ".join(f"{have} of {all_} for each of {', '.join(groups)}" for (have, all_), groups in ordered)


def _lengths(persons: Sequence[Person], axes: Sequence[str], forms: Mapping[int, str], where: str) -> Iterator[Finding]:
    """A note where the mean length of the forms differs between the groups of an axis."""
    for axis in axes:
        letters: dict[str, list[int]] = defaultdict(list)
        for person in persons:
            letters[_label(person, axis)].append(len(forms[id(person)]))
        means = {group: sum(some) / len(some) for group, some in letters.items()}
        short, long = min(means, key=lambda group: means[group]), max(means, key=lambda group: means[group])
        if means[long] - means[short] < LONGER:
            continue
        shown = means if len(means) <= LISTED else {short: means[short], long: means[long]}
        told = ", ".join(f"{group} {mean:.1f}" for group, mean in shown.items())
        first = next(person for person in persons if _label(person, axis) == long)
        what = f"{where}: the mean length in letters differs: {told}"
        yield Finding("note", "evenness", first.place, what, SPELLING)


def _grammar(persons: Sequence[Person], axes: Sequence[str], where: str) -> Iterator[Finding]:
    """Features that change the rest of the sentence (elision, say), where gender does not settle them."""
    values: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for person in persons:
        for name, value in person.gram.items():
            values[name, _label(person, "gender")][value] += 1
    for name in dict.fromkeys(name for (name, _), counts in values.items() if len(counts) > 1):
        cells: dict[str, Counter[str]] = defaultdict(Counter)
        for person in persons:
            cells[" ".join(_label(person, axis) for axis in axes)][person.gram.get(name, "none")] += 1
        if len({frozenset((value, Fraction(n, c.total())) for value, n in c.items()) for c in cells.values()}) == 1:
            continue
        told = "; ".join(
            f"{group} {', '.join(f'{value} {n}' for value, n in counts.items())}" for group, counts in cells.items()
        )
        usual = Counter(person.gram.get(name, "none") for person in persons).most_common(1)[0][0]
        first = next(person for person in persons if person.gram.get(name, "none") != usual)
        what = f"{where}: the grammatical feature {name} falls unevenly: {told}"
        yield Finding("note", "evenness", first.place, what, "Words that agree with it differ between these groups")
