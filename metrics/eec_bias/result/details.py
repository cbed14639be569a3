"""What lies behind the rows of a result: every person's mean score, every item's and every pair's difference."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from eec_bias.inputs.codes import Coded
from eec_bias.inputs.sources import Source
from eec_bias.options import Floats, Ints
from eec_bias.result.frame import Row
from eec_bias.stats.analysis import Analysis
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Sums

FORM = "person_form"
OF_ITEMS = ("emotion", "template")
"""Columns that hold one label per item."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What one table of one stratum and output shows, for S systems, P persons, J items and R contrasts.

    Attributes
    ----------
    where : dict
        ``stratum`` and ``output``, where there are such.
    systems : tuple of dict, length S
        ``system`` and ``task`` of each, where they are named.
    subset : str
        ``names``, ``pairs`` or ``phrases``.
    axes : tuple of str
        The axes crossed in the table.
    persons : dict of str to tuple of str, length P
        Columns: ``person``, ``form`` where the data have it, one label per axis, ``base`` on pairs.
    person_means : (S, P) array
        Mean score of each person.
    items : dict of str to tuple of str, length J
        Columns: ``item``, and ``emotion`` and ``template`` where the data have them.
    contrasts : tuple of dict, length R
        ``term``, ``level`` and ``reference`` of each.
    item_effects : (S, R, J) array
        Each contrast on each item, in the units of the scores.
    bases : tuple of tuple of str, length R
        On pairs, the rows of the corpus each contrast rests on (``mother_father``); else empty.
    base_effects : tuple of (S, U) arrays
        Each contrast within each of its U bases.
    """

    where: Row
    systems: tuple[Row, ...]
    subset: str
    axes: tuple[str, ...]
    persons: dict[str, tuple[str, ...]]
    person_means: Floats
    items: dict[str, tuple[str, ...]]
    contrasts: tuple[Row, ...]
    item_effects: Floats
    bases: tuple[tuple[str, ...], ...] = ()
    base_effects: tuple[Floats, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, numbers in columns: one list per system."""
        return {
            **self.where,
            "systems": [dict(who) for who in self.systems],
            "subset": self.subset,
            "axes": list(self.axes),
            "persons": {name: list(labels) for name, labels in self.persons.items()},
            "person_means": self.person_means.tolist(),
            "items": {name: list(labels) for name, labels in self.items.items()},
            "contrasts": [dict(contrast) for contrast in self.contrasts],
            "item_effects": self.item_effects.tolist(),
            "bases": [list(names) for names in self.bases],
            "base_effects": [effects.tolist() for effects in self.base_effects],
        }


def read_detail(content: Mapping[str, Any]) -> Detail:
    """Read what `Detail.to_dict` wrote.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it is something else.
    """
    persons, items, contrasts = content["persons"], content["items"], content["contrasts"]
    systems, effects = len(content["systems"]), len(contrasts)
    found = Detail(
        where={key: content[key] for key in ("stratum", "output") if key in content},
        systems=tuple(dict(who) for who in content["systems"]),
        subset=str(content["subset"]),
        axes=tuple(content["axes"]),
        persons={name: tuple(labels) for name, labels in persons.items()},
        person_means=_shaped(content["person_means"], systems, len(persons["person"])),
        items={name: tuple(labels) for name, labels in items.items()},
        contrasts=tuple(dict(contrast) for contrast in contrasts),
        item_effects=_shaped(content["item_effects"], systems, effects, len(items["item"])),
        bases=tuple(tuple(names) for names in content["bases"]),
        base_effects=tuple(
            _shaped(effect, systems, len(names))
            for effect, names in zip(content["base_effects"], content["bases"], strict=True)
        ),
    )
    if any(len(labels) != len(persons["person"]) for labels in persons.values()):
        raise ValueError("columns of persons differ in length")
    return found


def _shaped(values: Any, *shape: int) -> Floats:
    return np.array(values, dtype=float).reshape(shape)


def hold(
    analysis: Analysis, systems: Sequence[Row], where: Row, source: Source | None, rows: Ints | None
) -> Callable[[], Detail]:
    """Keep what the details of one analysis need, so that they are computed only where they are asked for.

    Parameters
    ----------
    analysis : Analysis
        The analysis.
    systems : sequence of dict
        Names of the systems.
    where : dict
        Stratum and output.
    source : Source, optional
        The data; None where they are gone, as in a stream.
    rows : integer array, optional
        The rows of the data that the table counts in; None for all.
    """
    table = analysis.table
    persons, items = _labels(table, source, rows)
    units = tuple((tuple(table.bases[b] for b in unit.bases.tolist()), unit.sums) for unit in analysis.units)
    return partial(
        _detail, where, tuple(systems), table.subset, tuple(axis.name for axis in table.axes), persons, items,
        tuple(analysis.contrasts), analysis.sums, units,
    )  # fmt: skip


def _detail(
    where: Row,
    systems: tuple[Row, ...],
    subset: str,
    axes: tuple[str, ...],
    persons: dict[str, tuple[str, ...]],
    items: dict[str, tuple[str, ...]],
    contrasts: tuple[Contrast, ...],
    sums: Sums,
    units: tuple[tuple[tuple[str, ...], Sums], ...],
) -> Detail:
    shape = (len(sums.person), len(contrasts), sums.item.shape[2])
    if "base" in persons:
        parts = [unit.item[:, 0] for _, unit in units]
        effects = np.stack(parts, axis=1) if parts else np.zeros(shape)
    else:
        effects = np.einsum("rk,skj->srj", np.array([c.weights for c in contrasts]), sums.item)
    return Detail(
        where, systems, subset, axes, persons, sums.person, items,
        tuple({"term": c.term, "level": c.level, "reference": c.reference} for c in contrasts), effects,
        tuple(names for names, _ in units), tuple(unit.person for _, unit in units),
    )  # fmt: skip


def _labels(
    table: Table, source: Source | None, rows: Ints | None
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Columns that describe persons, and columns that describe items."""
    persons = {"person": table.persons}
    items = {"item": table.items}
    # In a stream no row of the data stands for a person or an item.
    if source is not None and table.rows.size and table.rows[0, 0] >= 0:
        of_person, of_item = (at if rows is None else rows[at] for at in (table.rows[:, 0], table.rows[0]))
        if FORM in source.columns:
            persons["form"] = _at(source.columns[FORM], of_person)
        items |= {name: _at(source.columns[name], of_item) for name in OF_ITEMS if name in source.columns}
    cells = table.cells
    for k, axis in enumerate(table.axes):
        persons[axis.name] = tuple(cells[c][k] for c in table.cell.tolist())
    if table.paired:
        persons["base"] = tuple(table.bases[b] for b in table.base.tolist())
    return persons, items


def _at(column: Any, rows: Ints) -> tuple[str, ...]:
    """Labels of a column at some rows, whatever holds the column."""
    if isinstance(column, Coded):
        return tuple(column.levels[code] for code in column.codes[rows].tolist())
    if hasattr(column, "iloc"):
        found = column.iloc[rows].tolist()
    elif hasattr(column, "take") and hasattr(column, "to_pylist"):
        found = column.take(rows).to_pylist()
    else:
        found = [column[row] for row in rows.tolist()]
    return tuple("" if label is None else str(label) for label in found)
