"""The sixteen data sets of Lakkaraju, Srivastava & Valtorta (2022): their words, groups and cases."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeVar

from eec_datasets.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

Value = TypeVar("Value")

WORDS: Final = {
    "E1": ("grim",),
    "E2": ("happy",),
    "E3": ("grim", "happy"),
    "E4": ("grim", "depressing", "happy"),
    "E5": ("depressing", "happy", "glad"),
}
"""Sets of emotion words by label (their Table 1), by English id."""

SETS: Final = {1: ("E1", "E2", "E3", "E4", "E5"), 2: ("E3", "E4", "E5"), 3: ("E1", "E2", "E3", "E4", "E5"),
               4: ("E3", "E4", "E5")}  # fmt: skip
"""Sets of words by data group: 1 gender, 2 gender confounded, 3 gender and race, 4 both confounded together."""

CASES: Final = {
    0: (50, 50, 50), 1: (90, 10, 50), 2: (10, 90, 50), 3: (90, 50, 10), 4: (10, 50, 90), 5: (50, 90, 10),
    6: (50, 10, 90),
}  # fmt: skip
"""Percentage of positive words for male, female and neutral reference in group 2, by case k (their Table 8)."""

TEMPLATES: Final = ("t01", "t02", "t03", "t04")
"""The templates with a word for a state: persons as subject and object."""

PUBLISHED_IN: Final = "en"
"""The language in which the words stand as published: *feels grim*."""

STATES: Final = {"grim": "miserable", "depressing": "depressed"}
"""The state that stands for a word that describes a situation, in languages other than `PUBLISHED_IN`.

In our locales grim and depressing are words for situations. Most languages cannot say *feels depressing*: the form is
missing, or means that the person depresses others.
"""

POSITIVE: Final = frozenset(("happy", "glad"))
NA: Final = "NA"
"""Composite label, in the column ``rg``, of persons whose gender and race are not said."""


def words_in(label: str, language: str) -> tuple[str, ...]:
    """The words of a set, as ids of a locale's emotion words."""
    words = WORDS[label]
    return words if language == PUBLISHED_IN else tuple(STATES.get(word, word) for word in words)


def chosen(group: int | Sequence[int] | None, words: str | Sequence[str] | None) -> list[tuple[int, str]]:
    """Data groups and sets of words asked for, in order; all sixteen by default.

    Raises
    ------
    InputError : there is no such group, no such set, or the group does not have the set.
    """
    groups, labels = _several("group", group, SETS), _several("words", words, WORDS)
    pairs = [(number, label) for number in sorted(set(groups)) for label in SETS[number] if label in labels]
    if not pairs:
        raise InputError(
            f"group {_any_of(groups)} has no set {_any_of(labels)}: a word of each kind is needed to confound. "
            f"Choose {_any_of(SETS[2])}"
        )
    return pairs


def _several(name: str, option: object, allowed: Collection[Value]) -> list[Value]:
    """The values of an option that takes one or several of those known; all by default."""
    if option is None:
        return list(allowed)
    several = list(option) if isinstance(option, Iterable) and not isinstance(option, str) else [option]
    return [expect(name, value, allowed) for value in several or [option]]


def expect(name: str, value: object, allowed: Collection[Value]) -> Value:
    """The one of those known that a value of an option is; any other is refused."""
    for candidate in allowed:
        if candidate == value:
            return candidate
    raise InputError(f"{name} is {value!r}; expected {_any_of(allowed)}")


def _any_of(values: Iterable[object]) -> str:
    *before, last = map(str, values)
    return f"{', '.join(before)} or {last}" if before else last


def size(positive: int, negative: int) -> int:
    """Sentences per class of a confounded set: the smallest number that splits 90/10, 50/50 and 10/90 evenly.

    Evenly: every class has every template × word equally often at each end. So a system that does not react to
    groups has the same mean in every class, and adjusting for the class changes nothing.

    Parameters
    ----------
    positive, negative : how many words there are of each kind.
    """
    return 10 * len(TEMPLATES) * math.lcm(positive, negative)
