"""The members of a set by its rule: names that are in it stay where they may; the rest is chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets.locale.names import TABLE_FILE, id_of
from eec_datasets.locale.words import SLUG
from eec_datasets.names.candidates import (
    Cell,
    NameSetError,
    cells_in,
    lacking,
    load_table,
    refusals,
    rows_by_cell,
    rule_of,
    value_of,
    word_lists,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from eec_datasets.locale.csv_file import Row
    from eec_datasets.locale.names import NameSet, NameTable

    Pools = Mapping[Cell, list[Row]]
    Reasons = Mapping[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class ChosenSet:
    """A set by its rule.

    Attributes
    ----------
    cells : cell → its members, in the order of the table.
    left : names that were in the set and are not, with the reasons; joined : names that are new.
    """

    rule: NameSet
    cells: Mapping[Cell, Sequence[Row]]
    left: Sequence[tuple[Row, Sequence[str]]]
    joined: Sequence[Row]


def choose(tag: str, key: str, *, fresh: bool = False, seed: int = 0, root: Path | None = None) -> ChosenSet:
    """Choose the members of a set by the rule of ``names.toml``.

    Names that are in the set stay as long as the rules let them; vacancies are filled, and in a matched set as few
    names as needed are exchanged until its cells are as even as the rule asks.

    Parameters
    ----------
    fresh : choose all members anew.
    seed : of the order in which candidates are looked at; it settles ties, so another seed may give another set.

    Raises
    ------
    NameSetError : there are fewer names that may be in the set than it asks for; others: see `load_table`.
    """
    table = load_table(tag, root)
    rule = rule_of(table, key)
    if rule.like and (fresh or seed):
        what = f"the set '{key}' has the people of {rule.like}, so that nothing is chosen anew or in another order"
        raise NameSetError(f"{rule.place}: {what}. Leave fresh and seed out")
    if rule.like:
        return _result(table, rule, members_like(table, rule, root), {})
    reasons = refusals(table, rule, word_lists(table))
    pools = {cell: _pool(rule, cell, rows, reasons, seed) for cell, rows in rows_by_cell(table, rule).items()}
    staying = {cell: _staying(pool, rule, fresh) for cell, pool in pools.items()}
    chosen = _typical(rule, pools, staying) if rule.typical else _matched(table, rule, pools, staying)
    return _result(table, rule, chosen, reasons)


def _staying(pool: Sequence[Row], rule: NameSet, fresh: bool) -> list[Row]:
    """The members that stay as far as there is room: first those that the rule keeps, then the most typical."""
    rows = [row for row in pool if id_of(row) in rule.keep or (not fresh and rule.key in row["sets"].split())]
    return sorted(rows, key=lambda row: (id_of(row) not in rule.keep, rule.typical and -value_of(row, rule.typical)))


def _pool(rule: NameSet, cell: Cell, rows: Sequence[Row], reasons: Reasons, seed: int) -> list[Row]:
    """The candidates of a cell that may be in, in the order of the seed."""
    import numpy as np

    pool = [row for row in rows if row.place.line not in reasons]
    if len(pool) < rule.size:
        refused = sum(reasons.get(row.place.line, []) != lacking(row, rule) for row in rows)
        raise NameSetError(
            f"{rule.place}: the set '{rule.key}' asks for {rule.size} names in each cell, and {' '.join(cell)} has "
            f"{len(pool)} that may be in it: of {len(rows)} in names.csv, {refused} are refused and "
            f"{len(rows) - refused - len(pool)} lack a number of the rule. Ask for fewer, or add names"
        )
    return [pool[index] for index in np.random.default_rng(seed).permutation(len(pool))]


def _typical(rule: NameSet, pools: Pools, staying: Pools) -> dict[Cell, list[Row]]:
    chosen = {}
    for cell, pool in pools.items():
        rest = sorted(pool, key=lambda row: -value_of(row, rule.typical))
        chosen[cell] = list({row.place.line: row for row in (*staying[cell], *rest)}.values())[: rule.size]
    return chosen


def _matched(table: NameTable, rule: NameSet, pools: Pools, staying: Pools) -> dict[Cell, list[Row]]:
    import numpy as np

    from eec_datasets.names import matching

    features = [features_of(pool, rule.match) for pool in pools.values()]
    strength = [np.array([strength_of(table, rule, row) for row in pool]) for pool in pools.values()]
    start = matching.assigned(features, rule.size)
    start = [_filled(pools[cell], staying[cell], rows, rule.size) for cell, rows in zip(pools, start, strict=True)]
    exchanged = matching.exchanged(features, start, rule.within, strength)
    return {cell: [pool[index] for index in rows] for (cell, pool), rows in zip(pools.items(), exchanged, strict=True)}


def _filled(pool: Sequence[Row], staying: Sequence[Row], near: Sequence[int], size: int) -> list[int]:
    """The rows of the names that are kept, filled up with those that lie nearest."""
    places = {row.place.line: index for index, row in enumerate(pool)}
    present = [places[row.place.line] for row in staying]
    return sorted(list(dict.fromkeys([*present, *near, *range(len(pool))]))[:size])


def features_of(rows: Sequence[Row], features: Sequence[str]) -> NDArray[np.float64]:
    """Features of names: names × features, NaN where one is not known."""
    import numpy as np

    values = [[value_of(row, feature) for feature in features] for row in rows]
    return np.array(values, dtype=float).reshape(len(rows), len(features))


def strength_of(table: NameTable, rule: NameSet, row: Row) -> float:
    """How much a name is preferred: the least share that a source gives its group, 0 where only models give one.

    Infinite for a name that the rule keeps.
    """
    if id_of(row) in rule.keep:
        return math.inf
    shares = [float(row[f"{source.key}.share"] or 1) for source in table.sources_of(row) if source.evidence]
    return min(shares, default=0.0) if is_attested(table, row) else 0.0


def is_attested(table: NameTable, row: Row) -> bool:
    """Whether a source other than a model says of which group the name is."""
    return bool({"people", "list"} & set(table.evidence(row)))


def members_like(table: NameTable, rule: NameSet, root: Path | None) -> dict[Cell, list[Row]]:
    """The people of another language's set, by id, as they are written here."""
    tag, _, key = rule.like.partition("/")
    other = load_table(tag, root)
    other_rule = rule_of(other, key)
    if labels := [label for label in rule.groups if label not in other_rule.groups]:
        raise NameSetError(
            f"{rule.place}: the set '{rule.key}' has the group {labels[0]}, and {rule.like} has the groups "
            f"{', '.join(other_rule.groups)}. Name groups of that set"
        )
    chosen, missing, others = {}, [], cells_in(other, other_rule)
    for cell, rows in rows_by_cell(table, rule).items():
        rows_by_id = {id_of(row): row for row in rows}
        ids = [id_of(row) for row in others.get(cell, ())]
        missing += [name for name in ids if name not in rows_by_id]
        chosen[cell] = [rows_by_id[name] for name in ids if name in rows_by_id]
    if missing:
        raise NameSetError(
            f"{rule.place}: the set '{rule.key}' has the people of {rule.like}, and {table.folder / 'names.csv'} lacks "
            f"{len(missing)} of them: {', '.join(missing[:12])}. Write how they are spelt in this language"
        )
    return chosen


def _result(table: NameTable, rule: NameSet, chosen: Mapping[Cell, Sequence[Row]], reasons: Reasons) -> ChosenSet:
    before = {row.place.line: row for row in table.file.rows if rule.key in row["sets"].split()}
    after = {row.place.line: row for rows in chosen.values() for row in rows}
    chosen_ones = f"with the largest {rule.typical}" if rule.typical else "that make the cells even"
    other = f"not in {rule.like}" if rule.like else f"not among the {rule.size} of the cell {chosen_ones}"
    left = [(row, reasons.get(line, [other])) for line, row in before.items() if line not in after]
    if nameless := [row["name"] for row in after.values() if not SLUG.fullmatch(id_of(row))]:
        raise NameSetError(
            f"{table.folder / TABLE_FILE}: no id can be made of {', '.join(nameless[:12])}. "
            "Write the English form in lower-case ASCII into a column id"
        )
    cells = {cell: sorted(rows, key=lambda row: row.place.line) for cell, rows in chosen.items()}
    return ChosenSet(rule, cells, left, [row for line, row in after.items() if line not in before])
