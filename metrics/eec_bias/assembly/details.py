"""What lies behind the rows of a result, taken from an analysis and the labels of its data."""

from collections.abc import Sequence

from eec_bias.inputs.observed import Observations
from eec_bias.inputs.person_labels import FORM
from eec_bias.result.details import Detail
from eec_bias.result.frame import Row
from eec_bias.stats.layout import Table
from eec_bias.stats.tested import Analysis


def describe_table(analysis: Analysis, systems: Sequence[Row], place: Row, observed: Observations) -> Detail:
    """Return what lies behind the rows of one analysis.

    Parameters
    ----------
    analysis : Analysis
        The analysis.
    systems : sequence of dict
        Names of the systems.
    place : dict
        Stratum and output.
    observed : Observations
        Where further columns are, of rows in memory.
    """
    table = analysis.table
    return Detail(
        where=place,
        systems=tuple(systems),
        subset=table.subset,
        axes=tuple(axis.name for axis in table.axes),
        persons=_persons(table, observed),
        person_means=analysis.sums.person,
        items=observed.of_items(table.codes),
        contrasts=tuple({"term": c.term, "level": c.level, "reference": c.reference} for c in analysis.contrasts),
        item_effects=analysis.estimates.by_item,
        bases=tuple(tuple(table.bases[b] for b in table.base[persons[:, 0]].tolist()) for persons in analysis.persons),
        base_effects=tuple(part.sums.person for part, _ in analysis.rows) if table.paired else (),
    )


def _persons(table: Table, observed: Observations) -> dict[str, tuple[str, ...]]:
    """Columns that describe persons."""
    persons = {"person": table.persons}
    if FORM in observed.of_persons:
        persons["form"] = tuple(observed.of_persons[FORM][unit] for unit in table.units.tolist())
    cells = table.cells
    for k, axis in enumerate(table.axes):
        persons[axis.name] = tuple(cells[c][k] for c in table.cell.tolist())
    if table.paired:
        persons["base"] = tuple(table.bases[b] for b in table.base.tolist())
    return persons
