"""Minimal pairs of labelled sentences, and how many are uneven: their defects differ, or one of the two is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from eec_bias.shared import grouped

ItemKey: TypeAlias = tuple[str, str, str]
"""What a sentence says: template, emotion, word."""

PersonKey: TypeAlias = tuple[str, str, str]
"""Of whom it says it: person, gender, race."""

Sides: TypeAlias = tuple[int | None, int | None]
"""The rows of the two sentences of a pair; None where one is missing."""

MISSING = "missing-row"
EXAMPLES = 3
"""Examples that are kept of uneven pairs."""


@dataclass(frozen=True, slots=True)
class PairEvenness:
    """Pairs of one kind.

    Attributes
    ----------
    axis : ``gender`` or ``race``.
    group : who is paired: the race or ``no race`` of gender pairs, the gender of race pairs.
    uneven : pairs that carry different defects, or of which a sentence is missing.
    kinds : defect → pairs in which it stands on one side only, the most frequent first.
    examples : rows of both sides (None: missing) of some uneven pairs.
    """

    axis: str
    group: str
    pairs: int
    uneven: int
    kinds: Mapping[str, int]
    examples: tuple[Sides, ...]

    @property
    def share(self) -> float:
        """Uneven pairs among all, 0 to 1."""
        return self.uneven / self.pairs if self.pairs else 0.0


def missing_rows(items: Sequence[ItemKey], persons: Sequence[PersonKey]) -> dict[PersonKey, tuple[int, ItemKey]]:
    """Which persons lack sentences that others have: how many, and the first of them."""
    have = {person: set(stated) for person, stated in grouped(zip(persons, items, strict=True)).items()}
    grid = dict.fromkeys(items)
    return {
        person: (len(grid) - len(stated), next(item for item in grid if item not in stated))
        for person, stated in have.items()
        if len(stated) < len(grid)
    }


def pair_evenness(
    items: Sequence[ItemKey],
    persons: Sequence[PersonKey],
    defects: Sequence[frozenset[str]],
    order: Mapping[PersonKey, int],
) -> list[PairEvenness]:
    """Gender pairs within each race and among persons without, race pairs within each gender.

    The first woman of a list is paired with the first man, the second with the second, and so on; so are
    the names of two races. That is how the lists were published, and how pairs were counted there.

    Parameters
    ----------
    items, persons : what each row says, and of whom.
    defects : the checks that each row fails.
    order : the place of each person in its list.
    """
    sentences = list(zip(items, persons, strict=True))
    rows = {sentence: row for row, sentence in reversed(list(enumerate(sentences)))}
    by_item = grouped(sentences)
    result = []
    lists = _lists(order)
    for axis, group, first, second in _pairings(lists):
        pairs = list(zip(lists[first], lists[second], strict=False))
        pair_number = {person: number for number, pair in enumerate(pairs) for person in pair}
        sides = [
            (rows.get((item, pairs[number][0])), rows.get((item, pairs[number][1])))
            for item, some in by_item.items()
            for number in sorted({pair_number[person] for person in some if person in pair_number})
        ]
        differences = [
            {MISSING} if left is None or right is None else defects[left] ^ defects[right] for left, right in sides
        ]
        kinds = Counter(kind for differ in differences for kind in sorted(differ))
        uneven = [both for both, differ in zip(sides, differences, strict=True) if differ]
        spread = tuple(uneven[:: max(1, len(uneven) // EXAMPLES)][:EXAMPLES])
        result.append(PairEvenness(axis, group, len(sides), len(uneven), dict(kinds.most_common()), spread))
    return result


def in_no_pair(order: Mapping[PersonKey, int]) -> list[tuple[str, str]]:
    """Gender and race of those whom nobody is paired with."""
    lists = _lists(order)
    paired = {part for _, _, *both in _pairings(lists) for part in both}
    return [(gender, race) for race, gender in lists if (race, gender) not in paired]


def _lists(order: Mapping[PersonKey, int]) -> dict[tuple[str, str], list[PersonKey]]:
    """The persons of each race and gender in their order."""
    return grouped(((person[2], person[1]), person) for person in sorted(order, key=lambda person: order[person]))


def _pairings(
    lists: Mapping[tuple[str, str], list[PersonKey]],
) -> Iterator[tuple[str, str, tuple[str, str], tuple[str, str]]]:
    """Axis and group of each kind of pair, and the two lists (race, gender) that are paired."""
    races = sorted({race for race, _ in lists})
    named_races = [race for race in races if race]
    for race in races:
        if (race, "female") in lists and (race, "male") in lists:
            yield "gender", race or "no race", (race, "female"), (race, "male")
    for gender in ("female", "male"):
        for race, other in combinations(named_races, 2):
            if (race, gender) in lists and (other, gender) in lists:
                group = gender if len(named_races) == 2 else f"{gender}, {race} and {other}"
                yield "race", group, (race, gender), (other, gender)
