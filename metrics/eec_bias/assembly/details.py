"""Means and differences behind the rows of a result, taken from an analysis and the labels of its data."""

from collections.abc import Sequence

import numpy as np

from eec_bias.inputs.observed import FORM, Observations
from eec_bias.inputs.strata import DataStratum
from eec_bias.options import AGREES, SAME, Floats
from eec_bias.result.details import Detail
from eec_bias.result.frame import Row
from eec_bias.stats.layout import Table
from eec_bias.stats.tested import Analysis


def describe_table(analysis: Analysis, systems: Sequence[Row], place: Row, stratum: DataStratum) -> Detail:
    """Return what lies behind the rows of one analysis.

    Parameters
    ----------
    analysis : Analysis
        The analysis.
    systems : sequence of dict
        Names of the systems.
    place : dict
        Stratum and output.
    stratum : DataStratum
        Where further columns are, of rows in memory, and which emotions are positive.
    """
    table, observed = analysis.table, stratum.observed
    return Detail(
        where=place,
        systems=tuple(systems),
        subset=table.subset,
        axes=tuple(axis.name for axis in table.axes),
        persons=_persons(table, observed),
        person_means=analysis.sums.person,
        items=_items(analysis, stratum),
        contrasts=tuple({"term": c.term, "level": c.level, "reference": c.reference} for c in analysis.contrasts),
        item_effects=analysis.estimates.by_item,
        item_means=_item_means(analysis),
        bases=tuple(tuple(table.bases[b] for b in table.base[persons[:, 0]].tolist()) for persons in analysis.persons),
        base_effects=tuple(part.sums.person for part, _ in analysis.rows) if table.paired else (),
    )


def _items(analysis: Analysis, stratum: DataStratum) -> dict[str, tuple[str, ...]]:
    """Return columns that describe items, with the sign of their emotion, and if their word agrees with a group."""
    table = analysis.table
    columns = stratum.observed.of_items(table.codes)
    if "emotion" not in columns:
        return columns
    agrees = np.zeros(len(table.items), dtype=bool)
    for contrast in analysis.contrasts:
        agrees |= stratum.agreeing(table, contrast)
    signs = (stratum.signs.get(emotion) for emotion in columns["emotion"])
    columns["valence"] = tuple("" if sign is None else str(sign) for sign in signs)
    columns["agreement"] = tuple(AGREES if each else SAME for each in agrees.tolist())
    return columns


def _mean(values: Floats) -> Floats:
    """Return the means of the scores that there are over persons (S, P, J); NaN for an item of which there is none."""
    count = np.isfinite(values).sum(axis=1)
    return np.where(count > 0, np.nansum(values, axis=1) / np.maximum(count, 1), np.nan)


def _item_means(analysis: Analysis) -> Floats:
    """Return the mean of the groups that each contrast compares on each item, (S, R, J)."""
    compared = analysis.weights != 0
    weights = compared / np.maximum(compared.sum(axis=1, keepdims=True), 1)
    if not analysis.persons:
        return np.asarray(weights @ analysis.sums.item)
    values = analysis.scores.values
    means = [_mean(values[:, persons.ravel()]) for persons in analysis.persons]
    shape = len(values), 0, values.shape[2]
    return np.nan_to_num(np.stack(means, axis=1)) if means else np.zeros(shape)


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
