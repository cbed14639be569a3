"""A balanced part of a corpus: some of its items, some of its names.

What is taken is settled by the seed and the ids alone: the part for a larger number holds that for a smaller one, and
two languages with the same ids take the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, TypeVar

from eec_bias.shared import grouped
from eec_datasets.errors import InputError
from eec_datasets.locale.model import NONE
from eec_datasets.render.grid import item_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from eec_datasets.locale.model import Person
    from eec_datasets.render.grid import Cell

T = TypeVar("T")

TURNS = (
    ("state", "anger"), ("situation", "fear"), ("state", "joy"), ("situation", "sadness"),
    ("situation", "anger"), ("state", "fear"), ("situation", "joy"), ("state", "sadness"),
)  # fmt: skip
"""The order in which items are taken: wherever it stops, kinds and emotions differ by one item at most."""

FEWEST_NAMES = 2
"""Names of a cell, so that they vary within it."""


def part_of_items(config: str, grid: Sequence[Cell], count: int, seed: int) -> tuple[Cell, ...]:
    """Some of the items of a config, each with a template and a word of its own, in the order of the config.

    Items without an emotion word are taken when all others are.

    Raises
    ------
    InputError : fewer are asked for than one of every turn, more than there are, or the config has templates with
        several words.
    """
    if len({template.id for template, _ in grid}) < len(grid):
        raise InputError(
            f"items is {count}, and '{config}' has templates that meet several words: a part would not be balanced. "
            "Name a config whose items each have a template of their own, such as en-black-white-100; in "
            "Python, items='lattice' takes the items of those"
        )
    if not len(TURNS) <= count <= len(grid):
        raise InputError(f"items is {count}; in '{config}' it can be a number from {len(TURNS)} to {len(grid)}")
    piles: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in _shuffled(grid, lambda cell: item_id(*cell), seed):
        template, word = cell
        piles[template.kind, word.emotion].append(cell)
    rounds = max(map(len, piles.values()))
    order = [cell for n in range(rounds) for turn in TURNS for cell in piles[turn][n : n + 1]]
    order += [cell for cell in grid if cell not in order]
    return tuple(cell for cell in grid if cell in order[:count])


def part_for_placebo(grid: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the items that phrases with neutral words are in: 20, four of each emotion and four without, if there are.

    Templates and words are used as evenly as the grid allows.
    """
    piles: dict[tuple[str, str], list[Cell]] = grouped(
        ((cell[0].kind, cell[1].emotion), cell) for cell in _shuffled(grid, lambda c: item_id(*c), 0)
    )
    used: Counter[str] = Counter()
    chosen: set[str] = set()
    for turn in (*TURNS, *TURNS, *[("neutral", NONE)] * 4):
        left = [cell for cell in piles.get(turn, ()) if item_id(*cell) not in chosen]
        if left:
            template, word = min(left, key=lambda cell: (used[cell[0].id], used[cell[1].id]))
            used.update((template.id, word.id))
            chosen.add(item_id(template, word))
    return tuple(cell for cell in grid if item_id(*cell) in chosen)


def part_of_names(config: str, persons: Sequence[Person], count: int, seed: int) -> list[Person]:
    """The persons with this many names of each cell (race × gender and so on); who has no name stays.

    Where it is known how often names are borne, the cells give names of the same ranks, so that a part of a set
    matched on that is matched too.

    Raises
    ------
    InputError : there are no names, or a cell has fewer.
    """
    cells: dict[tuple[str, ...], list[Person]] = defaultdict(list)
    by_id = _shuffled(persons, lambda person: person.id, seed)
    for person in _shuffled(by_id, lambda person: str(person.rank), seed):
        if person.type == "name":
            cells[tuple(person.identity.values())].append(person)
    if not cells:
        raise InputError(f"names is {count}, and '{config}' has no names. Leave it out")
    fewest = min(map(len, cells.values()))
    if not FEWEST_NAMES <= count <= fewest:
        allowed = f"a number from {FEWEST_NAMES} to {fewest} (of every cell)"
        raise InputError(f"names is {count}; in '{config}' it can be {allowed}")
    taken = {person.id for names in cells.values() for person in names[:count]}
    return [person for person in persons if person.type != "name" or person.id in taken]


def _shuffled(things: Iterable[T], name: Callable[[T], str], seed: int) -> list[T]:
    return sorted(things, key=lambda thing: hashlib.sha256(f"{seed} {name(thing)}".encode()).digest())
