"""What the published procedures share: their input, their rows, and the label that says how they err."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eec_bias.errors import DesignError, OptionError
from eec_bias.inputs.design import Design, build_design
from eec_bias.inputs.scores import Scores, read_scores
from eec_bias.inputs.sources import Source, choose_axes, read_source
from eec_bias.options import Bools, Floats
from eec_bias.result.frame import TERM_KEYS, Row
from eec_bias.result.signature import Signature
from eec_bias.stats.layout import Table

NEUTRAL = "none"
"""Emotion of the templates without an emotion word."""


@dataclass(frozen=True, slots=True)
class Study:
    """Scores and data as a published procedure takes them.

    Attributes
    ----------
    source : Source
        The rows.
    design : Design
        The tables of names and of pairs.
    scores : Scores
        Scores of S systems.
    tasks : tuple of (str or None), length S
        What each system predicts: an emotion, ``valence``, or not known.
    """

    source: Source
    design: Design
    scores: Scores
    tasks: tuple[str | None, ...]

    def table(self, subset: str) -> Table | None:
        """Return the table of a subset, None where the data have none."""
        return next((table for table in self.design.tables if table.subset == subset), None)

    def emotions(self, table: Table) -> tuple[str, ...]:
        """Return the emotion of each item of a table.

        Raises
        ------
        LabelsError
            If the data have no column ``emotion``.
        """
        column = self.source.coded("emotion")
        return tuple(column.levels[code] for code in column.codes[table.rows[0]])

    def who(self, system: int) -> Row:
        """Return the keys that name a system."""
        named: Row = {} if self.scores.systems is None else {"system": self.scores.systems[system]}
        return named if self.tasks == (None,) * len(self.tasks) else named | {"task": self.tasks[system]}

    def signature(self, test: str, adjust: str, edge: str) -> Signature:
        """Return the signature of a result."""
        low, high = self.scores.score_range
        extras = (("range", f"{low:g}..{high:g}"),) if (low, high) != (0.0, 1.0) else ()
        design = self.design
        return Signature(self.source.data, design.axes, design.references, test, adjust, edge, extras)


def read_study(
    scores: Any,
    data: Any,
    *,
    tasks: str | Sequence[str | None] | None,
    axes: Sequence[str] | None,
    reference: Any,
    score_range: tuple[float, float],
    systems: Sequence[str] | None,
    data_name: str | None,
) -> Study:
    """Check scores, labels and tasks; parameters as for ``measure``.

    Returns
    -------
    Study

    Raises
    ------
    OptionError
        If the tasks are not one per system, or one is neither an emotion of the data nor ``valence``.
    """
    source = read_source(data, data_name)
    checked = read_scores(scores, source.rows, score_range, systems)
    columns = choose_axes(source, None if axes is None else tuple(axes))
    design = build_design(source, columns, reference=reference)
    return Study(source, design, checked, _read_tasks(tasks, len(checked.values), source))


def _read_tasks(tasks: str | Sequence[str | None] | None, systems: int, source: Source) -> tuple[str | None, ...]:
    found = (tasks,) * systems if tasks is None or isinstance(tasks, str) else tuple(tasks)
    if len(found) != systems:
        raise OptionError(f"tasks= has {len(found)} entries for {systems} systems; give one per system")
    named = {task for task in found if task is not None}
    if named:
        allowed = [level for level in source.coded("emotion").levels if level != NEUTRAL] + ["valence"]
        for task in sorted(named - set(allowed)):
            raise OptionError(f"task {task!r} is unknown; with these data it is one of {', '.join(allowed)}")
    return found


def keep_items(table: Table, keep: Bools) -> Table:
    """Return the table with some of its items."""
    items = tuple(item for item, kept in zip(table.items, keep, strict=True) if kept)
    return replace(table, items=items, rows=table.rows[:, keep])


def gather(scores: Floats, table: Table) -> Floats:
    """Return the scores of a table's rows, (S, P, J)."""
    return scores[:, table.rows.ravel()].reshape(len(scores), *table.rows.shape)


def two_levels(table: Table, axis: str) -> tuple[str, str]:
    """Return level and reference of an axis with two levels.

    Raises
    ------
    DesignError
        If the axis has more levels: the procedure compares two groups.
    """
    levels = next(a.levels for a in table.axes if a.name == axis)
    if len(levels) != 2:
        raise DesignError(
            f"axis {axis!r} has the levels {', '.join(levels)}; the procedure compares two groups: "
            "filter the others away"
        )
    reference = next(a.reference for a in table.axes if a.name == axis) or levels[1]
    return next(level for level in levels if level != reference), reference


def row(who: Row, **values: Any) -> Row:
    """Return a row of terms with every key, null where nothing is given and where a value is not finite."""
    filled = {key: values.get(key) for key in TERM_KEYS}
    return who | {key: plain(value) for key, value in filled.items()} | {"note": values.get("note", "")}


def plain(value: Any) -> Any:
    """Return numbers as Python numbers, null where not finite."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
