"""Who is named in a text: two names are one person's only where they share a part and contradict each other in none."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A name as it stands in a text.

    Attributes
    ----------
    first
        First name; empty where a title stands for it (Mr. Smith).
    last
        Words behind the first name or the title, folded: initials and last names.
    sentence
        Number of the sentence.
    """

    first: str
    last: tuple[str, ...]
    sentence: int


def are_one(names: Sequence[NamedPerson]) -> bool:
    """Return whether all names of a text can only be one person's.

    Names that contradict each other (Emma, Sarah) are two persons. So are names that have nothing in common (Peter,
    Mr. Jones), and different names within one sentence (Peter Jones told Mr. Jones).
    """
    for one, other in combinations(names, 2):
        if one.first and other.first and one.first != other.first:
            return False
        if one.last and other.last and one.last != other.last:
            return False
        if one.sentence == other.sentence and (one.first, one.last) != (other.first, other.last):
            return False
    if not names:
        return True
    linked, waiting = [names[0]], list(names[1:])
    while waiting:
        found = next((name for name in waiting if any(_share(name, known) for known in linked)), None)
        if found is None:
            return False
        waiting.remove(found)
        linked.append(found)
    return True


def _share(one: NamedPerson, other: NamedPerson) -> bool:
    """Return whether two names have the first or the last name in common."""
    same_first = bool(one.first) and one.first == other.first
    same_last = bool(one.last) and one.last == other.last
    return same_first or same_last
