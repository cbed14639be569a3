"""What lies behind the rows of a result, taken from an analysis and the labels of its data."""

from collections.abc import Sequence

import numpy as np

from eec_bias.inputs.sources import Source
from eec_bias.inputs.wording import FORM, label_at
from eec_bias.options import Ints
from eec_bias.result.details import Detail
from eec_bias.result.frame import Row
from eec_bias.stats.analysis import Analysis
from eec_bias.stats.layout import Table

OF_ITEMS = ("emotion", "template")
"""Columns that hold one label per item."""


def describe_table(
    analysis: Analysis, systems: Sequence[Row], where: Row, source: Source | None, rows: Ints | None
) -> Detail:
    """Return what lies behind the rows of one analysis.

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
    table, sums, contrasts = analysis.table, analysis.sums, analysis.contrasts
    persons, items = _labels(table, source, rows)
    if table.paired:
        parts = [unit.sums.item[:, 0] for unit in analysis.units]
        shape = (len(sums.person), len(contrasts), sums.item.shape[2])
        effects = np.stack(parts, axis=1) if parts else np.zeros(shape)
    else:
        weights = np.array([c.weights for c in contrasts]).reshape(len(contrasts), sums.item.shape[1])
        effects = np.einsum("rk,skj->srj", weights, sums.item)
    return Detail(
        where=where,
        systems=tuple(systems),
        subset=table.subset,
        axes=tuple(axis.name for axis in table.axes),
        persons=persons,
        person_means=sums.person,
        items=items,
        contrasts=tuple({"term": c.term, "level": c.level, "reference": c.reference} for c in contrasts),
        item_effects=effects,
        bases=tuple(tuple(table.bases[b] for b in unit.bases.tolist()) for unit in analysis.units),
        base_effects=tuple(unit.sums.person for unit in analysis.units),
    )


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
            persons["form"] = label_at(source.columns[FORM], of_person)
        items |= {name: label_at(source.columns[name], of_item) for name in OF_ITEMS if name in source.columns}
    cells = table.cells
    for k, axis in enumerate(table.axes):
        persons[axis.name] = tuple(cells[c][k] for c in table.cell.tolist())
    if table.paired:
        persons["base"] = tuple(table.bases[b] for b in table.base.tolist())
    return persons, items
