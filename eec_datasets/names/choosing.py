"""The members of a set by its rule: names that are in it stay where they may; the best of the rest join them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets.errors import InputError
from eec_datasets.locale.name_table import id_of
from eec_datasets.locale.names import TABLE_FILE
from eec_datasets.locale.reading import families_of
from eec_datasets.locale.words import SLUG
from eec_datasets.names.candidates import (
    Cell,
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
    from eec_datasets.locale.name_table import NameSet, NameTable
    from eec_datasets.names.program import Limits

    Pools = Mapping[Cell, list[Row]]
    Reasons = Mapping[int, Sequence[str]]


PREFERENCE = 0.1
"""Weight of the evidence of a name, if being in the set already weighs 1."""

TIE = 1e-4
"""Weight of the order that the seed gives."""


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

    Names that are in the set stay as long as the rules let them; as few as can be are exchanged until its cells keep
    every bound of the rule: how even they are, and how many names of one family or ending they hold.

    Parameters
    ----------
    fresh : choose all members again.
    seed : settles ties, so another seed may give another set.

    Raises
    ------
    InputError : there are fewer names that may be in the set than it asks for, or none of them together keep its
        bounds; others: see `load_table`.
    """
    table = load_table(tag, root)
    rule = rule_of(table, key)
    if rule.like and (fresh or seed):
        what = f"the set '{key}' has the people of {rule.like}, so that nothing is chosen again or in another order"
        raise InputError(f"{rule.place}: {what}. Leave fresh and seed out")
    if rule.like:
        return _result(table, rule, members_like(table, rule, root), {})
    reasons = refusals(table, rule, word_lists(table))
    pools = {cell: _pool(rule, cell, rows, reasons) for cell, rows in rows_by_cell(table, rule).items()}
    return _result(table, rule, _best(table, rule, pools, fresh=fresh, seed=seed), reasons)


def _pool(rule: NameSet, cell: Cell, rows: Sequence[Row], reasons: Reasons) -> list[Row]:
    """The candidates of a cell that may be in."""
    pool = [row for row in rows if row.place.line not in reasons]
    if len(pool) < rule.size:
        refused = sum(reasons.get(row.place.line, []) != lacking(row, rule) for row in rows)
        raise InputError(
            f"{rule.place}: the set '{rule.key}' asks for {rule.size} names in each cell, and {' '.join(cell)} has "
            f"{len(pool)} that may be in it: of {len(rows)} in names.csv, {refused} are refused and "
            f"{len(rows) - refused - len(pool)} lack a number of the rule. Ask for fewer, or add names"
        )
    return pool


def _best(table: NameTable, rule: NameSet, pools: Pools, *, fresh: bool, seed: int) -> dict[Cell, list[Row]]:
    """The members of each cell that are worth most together and keep every bound of the rule."""
    import numpy as np

    from eec_datasets.names import program

    families = families_of(table.folder)
    ties = np.random.default_rng(seed)
    cells = []
    for pool in pools.values():
        preferred = _preferred(table, rule, pool)
        stays = [not fresh and rule.key in row["sets"].split() for row in pool]
        candidates = program.Candidates(
            features=features_of(pool, rule.match),
            worth=np.array(stays) + PREFERENCE * preferred + TIE * ties.random(len(pool)),
            kept=np.array([id_of(row) in rule.keep for row in pool]),
            families=[families.family(row["name"]) for row in pool],
            endings=[families.ending(row["name"]) for row in pool],
        )
        cells.append(candidates)
    start = None
    if not fresh:
        start = [
            [place for place, row in enumerate(pool) if rule.key in row["sets"].split()] for pool in pools.values()
        ]
    members = program.best(cells, limits_of(rule), start)
    if members is None:
        raise InputError(
            f"{rule.place}: no {rule.size} names of each cell keep the bounds of the set '{rule.key}' together. Widen "
            "one (within, family_at_most, ending_at_most, families_at_least), ask for fewer names, or add some"
        )
    return {
        cell: [pool[place] for place in places] for (cell, pool), places in zip(pools.items(), members, strict=True)
    }


def limits_of(rule: NameSet) -> Limits:
    """Return what the cells of a set have to keep."""
    from eec_datasets.names import program

    return program.Limits(rule.size, rule.within, rule.family_at_most, rule.ending_at_most, rule.families_at_least)


def _preferred(table: NameTable, rule: NameSet, pool: Sequence[Row]) -> NDArray[np.float64]:
    """Return how much each name is preferred, from 0 to 1: by its rank in a typical set, else by its evidence."""
    import numpy as np

    if not rule.typical:
        return np.array([strength_of(table, row) for row in pool])
    values = np.array([value_of(row, rule.typical) for row in pool])
    ranks: NDArray[np.float64] = values.argsort(kind="stable").argsort(kind="stable") / len(pool)
    return ranks


def features_of(rows: Sequence[Row], features: Sequence[str]) -> NDArray[np.float64]:
    """Features of names: names × features, NaN where one is not known."""
    import numpy as np

    values = [[value_of(row, feature) for feature in features] for row in rows]
    return np.array(values, dtype=float).reshape(len(rows), len(features))


def strength_of(table: NameTable, row: Row) -> float:
    """Return how sure it is of which group a name is: the least share of a source, 0 if only models give one."""
    shares = [float(row[f"{source.key}.share"] or 1) for source in table.sources_of(row) if source.evidence]
    return min(shares, default=0.0) if is_attested(table, row) else 0.0


def is_attested(table: NameTable, row: Row) -> bool:
    """Return whether a source other than a model says of which group the name is."""
    return bool({"people", "list"} & set(table.evidence(row)))


def members_like(table: NameTable, rule: NameSet, root: Path | None) -> dict[Cell, list[Row]]:
    """The people of another language's set, by id, as they are written here."""
    tag, _, key = rule.like.partition("/")
    other = load_table(tag, root)
    other_rule = rule_of(other, key)
    if labels := [label for label in rule.groups if label not in other_rule.groups]:
        raise InputError(
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
        raise InputError(
            f"{rule.place}: the set '{rule.key}' has the people of {rule.like}, and {table.folder / 'names.csv'} lacks "
            f"{len(missing)} of them: {', '.join(missing[:12])}. Write how they are spelt in this language"
        )
    return chosen


def _result(table: NameTable, rule: NameSet, chosen: Mapping[Cell, Sequence[Row]], reasons: Reasons) -> ChosenSet:
    before = {row.place.line: row for row in table.file.rows if rule.key in row["sets"].split()}
    after = {row.place.line: row for rows in chosen.values() for row in rows}
    other = "others keep the bounds of the rule better"
    if rule.typical:
        other = (
            f"not among the {rule.size} of the cell with the largest {rule.typical} that keep the bounds of the rule"
        )
    if rule.like:
        other = f"not in {rule.like}"
    left = [(row, reasons.get(line, [other])) for line, row in before.items() if line not in after]
    if nameless := [row["name"] for row in after.values() if not SLUG.fullmatch(id_of(row))]:
        raise InputError(
            f"{table.folder / TABLE_FILE}: no id can be made of {', '.join(nameless[:12])}. "
            "Write the English form in lower-case ASCII into a column id"
        )
    cells = {cell: sorted(rows, key=lambda row: row.place.line) for cell, rows in chosen.items()}
    return ChosenSet(rule, cells, left, [row for line, row in after.items() if line not in before])
