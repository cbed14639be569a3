"""Frames × persons → the two sides of the sentences, finished as far as can be without the emotion word."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING

from eec_datasets.locale.finishing import capital, finished, joined, straddled
from eec_datasets.render.frames import role_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from eec_datasets.locale.model import Finish, Locale, Person
    from eec_datasets.render.frames import Frame, RoleMark, Setting


@dataclass(frozen=True, slots=True)
class Alike:
    """Persons of one class: the same type and grammar, so that every frame serves all of them.

    `at` are their places among all persons. Their forms are looked up once per role.
    """

    persons: list[Person] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    forms: dict[str, list[str]] = field(default_factory=dict)

    def in_role(self, locale: Locale, role: str, setting: Setting) -> list[str]:
        """The form of each person in a role."""
        if role not in self.forms:
            self.forms[role] = [role_form(locale, person, role, setting) for person in self.persons]
        return self.forms[role]


def classes_of(persons: Sequence[Person]) -> list[Alike]:
    """The persons by class, in the order in which the classes first occur."""
    classes: dict[tuple[object, ...], Alike] = {}
    for at, person in enumerate(persons):
        alike = classes.setdefault((person.type, *person.gram.items()), Alike())
        alike.persons.append(person)
        alike.at.append(at)
    return list(classes.values())


@dataclass(frozen=True, slots=True)
class Sides:
    """What stands before and after the emotion word, one of each per person.

    Where not `plain`, a join or a capital may reach across the word: the whole sentence is then finished with its
    word in. Without an emotion word, `before` is the sentence.
    """

    before: list[str]
    after: list[str]
    plain: bool

    def texts(self, forms: Iterable[str], finish: Finish) -> list[str]:
        """The sentences with these forms of the emotion word."""
        whole = [f"{left}{form}{right}" for left, form, right in zip(self.before, forms, self.after, strict=True)]
        return whole if self.plain else [finished(text, finish) for text in whole]


def fill(locale: Locale, parts: Sequence[tuple[Frame, Alike]], count: int, setting: Setting) -> Sides:
    """Put persons into their frames.

    Parameters
    ----------
    parts : frames of one template, each with the persons it serves.
    count : number of places that the persons' `at` count; a place nobody takes stays empty.
    """
    before, after = [""] * count, [""] * count
    for frame, alike in parts:
        lefts = _put(locale, frame.before, alike, setting)
        rights = _put(locale, frame.after, alike, setting)
        for at, left, right in zip(alike.at, lefts, rights, strict=True):
            before[at], after[at] = left, right
    return _finished(before, after, parts, locale.finish)


def _put(locale: Locale, parts: Sequence[str | RoleMark], alike: Alike, setting: Setting) -> list[str]:
    if all(isinstance(part, str) for part in parts):
        return [setting.bare("".join(map(str, parts)))] * len(alike.at)
    columns = [repeat(part) if isinstance(part, str) else alike.in_role(locale, part.role, setting) for part in parts]
    texts = list(map("".join, zip(*columns, strict=False)))  # the constant columns have no end
    return [setting.bare(text) for text in texts] if setting.strip else texts


def _finished(before: list[str], after: list[str], parts: Sequence[tuple[Frame, Alike]], finish: Finish) -> Sides:
    if all(frame.asks is None for frame, _ in parts):
        return Sides([finished(text, finish) for text in before], after, True)
    taken = [at for _, alike in parts for at in alike.at]
    if not all(before[at] for at in taken):
        return Sides(before, after, False)
    if finish.joins:
        # Few edges differ, as a join sees only the words beside the emotion word.
        reach = 2 * max(len(join.before) for join in finish.joins)
        edges = {(before[at][-reach:], after[at][:reach]) for at in taken}
        if any(straddled(left, right, finish.joins) for left, right in edges):
            return Sides(before, after, False)
        before, after = (_changed(side, lambda text: joined(text, finish)) for side in (before, after))
    before = [capital(text, finish) for text in before]
    return Sides(before, _changed(after, lambda text: text + finish.final), True)


def _changed(texts: Sequence[str], change: Callable[[str], str]) -> list[str]:
    """The texts after a change that is made once for each that differs."""
    made = {text: change(text) for text in set(texts)}
    return [made[text] for text in texts]


def whole(locale: Locale, frame: Frame, person: Person, form: str, setting: Setting) -> str:
    """One sentence: a frame with its person and the form of its emotion word."""
    sides = [
        "".join(part if isinstance(part, str) else role_form(locale, person, part.role, setting) for part in side)
        for side in (frame.before, frame.after)
    ]
    return finished(form.join(setting.bare(side) for side in sides), locale.finish)
