"""Minimal pairs of a file, and how many are uneven: their sentences carry different defects, or one is missing."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.imported.label_checks import Item, Who

KEPT = 3
"""Examples that a report keeps of anything."""


@dataclass(frozen=True, slots=True)
class Evenness:
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
    examples: tuple[tuple[int | None, int | None], ...]

    @property
    def share(self) -> float:
        """Uneven pairs among all, 0 to 1."""
        return self.uneven / self.pairs if self.pairs else 0.0


def evenness(
    items: Sequence[Item], persons: Sequence[Who], defects: Sequence[frozenset[str]], order: Mapping[Who, int]
) -> list[Evenness]:
    """Gender pairs within each race and among persons without, race pairs within each gender.

    The first woman of a list is paired with the first man, the second with the second, and so on; so are
    the names of two races. That is how the lists were published, and how pairs were counted there.

    Parameters
    ----------
    items, persons : what each row says, and of whom (person, gender, race).
    defects : kinds of defect of each row.
    order : the place of each person in its list.
    """
    rows = {(item, who): at for at, (item, who) in reversed(list(enumerate(zip(items, persons, strict=True))))}
    grid = list(dict.fromkeys(items))
    lists: dict[tuple[str, str], list[Who]] = defaultdict(list)
    for who in sorted(order, key=lambda who: order[who]):
        lists[who[2], who[1]].append(who)
    return [_measure(axis, group, pairs, grid, rows, defects) for axis, group, pairs in _kinds(lists)]


def _kinds(lists: Mapping[tuple[str, str], list[Who]]) -> Iterator[tuple[str, str, list[tuple[Who, Who]]]]:
    races = sorted(dict.fromkeys(race for race, _ in lists), key=lambda race: (bool(race), race))
    genders = [gender for gender in ("female", "male") if any(gender == other for _, other in lists)]
    for race in races:
        if (race, "female") in lists and (race, "male") in lists:
            pairs = list(zip(lists[race, "female"], lists[race, "male"], strict=False))
            yield "gender", race or "no race", pairs
    named = [race for race in races if race]
    for gender in genders:
        for at, race in enumerate(named):
            for other in named[at + 1 :]:
                if (race, gender) in lists and (other, gender) in lists:
                    pairs = list(zip(lists[race, gender], lists[other, gender], strict=False))
                    group = gender if len(named) == 2 else f"{gender}, {race} and {other}"
                    yield "race", group, pairs


def _measure(
    axis: str,
    group: str,
    pairs: Sequence[tuple[Who, Who]],
    grid: Sequence[Item],
    rows: Mapping[tuple[Item, Who], int],
    defects: Sequence[frozenset[str]],
) -> Evenness:
    count = 0
    kinds: Counter[str] = Counter()
    uneven: list[tuple[int | None, int | None]] = []
    for item in grid:
        for one, other in pairs:
            left, right = rows.get((item, one)), rows.get((item, other))
            if left is None and right is None:
                continue
            count += 1
            differ = frozenset({"missing-row"}) if left is None or right is None else defects[left] ^ defects[right]
            if differ:
                uneven.append((left, right))
                kinds.update(differ)
    spread = uneven[:: max(1, len(uneven) // KEPT)][:KEPT]
    return Evenness(axis, group, count, len(uneven), dict(kinds.most_common()), tuple(spread))
