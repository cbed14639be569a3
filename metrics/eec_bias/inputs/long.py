"""Long data, one row per system and sentence, turned into a matrix systems × sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.codes import Coded, first_rows, number_rows
from eec_bias.inputs.matrices import as_numbers
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.scores import Scores, note_missing
from eec_bias.inputs.sources import FIRST_AXES, Source, axis_candidates
from eec_bias.inputs.systems import Systems
from eec_bias.options import Ints

KEYS = ("person", "item", "pair")
"""What tells the sentences of one system apart, besides the axes."""


@dataclass(frozen=True, slots=True)
class Long:
    """Long data brought into one order.

    Attributes
    ----------
    order : (S, n) integer array
        Where each system's scores stand, systems in the order in which they first appear.
    sentences : Source
        The rows of the first system, without the columns that say something about systems.
    systems : Systems
        Names and tasks.
    """

    order: Ints
    sentences: Source
    systems: Systems

    def read(self, scores: Any, **options: Any) -> Outputs:
        """Check outputs where they stand, then lay them out by system.

        Parameters
        ----------
        scores : array
            One output per row of the long data.
        **options
            ``outputs``, ``classes`` and ``score_range`` as for `outputs.read_outputs`.
        """
        rows, scored = self.order.size, np.arange(len(self.order))
        notes: tuple[str, ...] = ()
        if options["outputs"] in ("score", "ordinal"):
            # A copy: gaps of systems left out are filled in below.
            scores = np.array(as_numbers(scores))
            if scores.shape != (rows,):
                raise ScoresError(
                    f"the scores have the shape {scores.shape} for {rows} rows; long data need one score per row"
                )
            empty = np.isnan(scores[self.order]).all(axis=1)
            if empty.all():
                raise ScoresError(f"there are no scores: all {rows} are NaN")
            scored = np.flatnonzero(~empty)
            notes = note_missing(self.systems, empty, self.order.shape[1])
            # A value that is there stands in for the systems left out, so that the check finds only true gaps.
            scores[self.order[empty]] = scores[self.order[scored[0]]]
        checked = read_outputs(scores, rows, **options)
        order, systems = self.order[scored], self.systems.only(scored)
        parts = tuple(
            (label, Scores(part.values[0][order], systems, part.score_range, notes + part.notes))
            for label, part in checked.parts
        )
        return Outputs(parts, None if checked.predicted is None else checked.predicted[0][order], checked.classes)


def read_long(
    source: Source, systems: Any, tasks: Any, axes: tuple[str, ...] | None, runs: Any = None, by: str | None = None
) -> Long:
    """Bring the systems' sentences into the same order.

    Parameters
    ----------
    source : Source
        The long data.
    systems : str, optional
        The column that names the systems.
    tasks : str, optional
        The column that names what they predict; the same system in two tasks counts as two.
    axes : tuple of str, optional
        Axes asked for; by default every text column that the row schema does not know and that varies within a
        system tells sentences apart.
    runs : str, optional
        The column that names the runs of a system, each of which has every sentence.
    by : str, optional
        A column that the sentences will be cut by.

    Raises
    ------
    LabelsError
        If a system lacks a sentence the first system has, has others, or has one twice.
    OptionError
        If a column is missing, or sentences cannot be cut by it.
    """
    import pandas as pd

    column_options = {"systems": systems, "tasks": tasks, "runs": runs}
    for option, column in column_options.items():
        if not (column is None or isinstance(column, str)):
            other = next(f"{name} {value!r}" for name, value in column_options.items() if isinstance(value, str))
            raise OptionError(f"{option} is {column!r}; with long data it is the name of a column, as {other} is")
        if column is not None and column not in source.columns:
            raise OptionError(f"{option} {column!r} is no column of the data, which have {', '.join(source.columns)}")
        if column is not None and column in (by, *(axes or ())):
            raise OptionError(
                f"{'by' if column == by else 'axes'} names the column {column!r}, and so does {option}: it says "
                "something about systems, not about sentences or persons; leave it out there"
            )
    coded = [None if column is None else source.coded(column) for column in column_options.values()]
    number, rows = number_rows([column.codes for column in coded if column is not None])
    unit, appeared = pd.factorize(number)
    first = rows[appeared]
    named_systems = Systems(*(None if column is None else column.texts(first) for column in coded))
    candidates = axes if axes is not None else (*FIRST_AXES, "emotion", *axis_candidates(source))
    others = [name for name in source.columns if name not in column_options.values()]
    columns = {name: _within(source, name, unit) for name in dict.fromkeys((*candidates, *KEYS)) if name in others}
    keys = [name for name, varies in columns.items() if varies]
    order = _sentences(source, unit, list(map(named_systems.subject, range(len(first)))), keys)
    if by in others:
        _check_cut(source.coded(by), order)
    return Long(order, source.take(order[0], [name for name in others if columns.get(name, True)]), named_systems)


def _check_cut(column: Coded, order: Ints) -> None:
    """Refuse to cut by what systems say differently of a sentence; the parts of the first would be taken for all."""
    codes = column.codes[order]
    other = np.argwhere(codes != codes[0])
    if len(other):
        s, j = other[0]
        first, another = column.texts(order[[0, s], j])
        raise OptionError(
            f"by {column.name!r} is {first!r} in row {order[0, j]} and {another!r} in row {order[s, j]} (rows count "
            "from 0), which have the same sentence; a column to cut by says something about sentences, not about "
            "systems: measure its values apart"
        )


def _within(source: Source, name: str, unit: Ints) -> bool:
    """Tell whether a column varies within systems; what does not says something about systems, not sentences."""
    codes = source.coded(name, ordered=False).codes
    return name in KEYS or bool((codes != codes[first_rows(unit, int(unit.max()) + 1)][unit]).any())


def _sentences(source: Source, unit: Ints, names: Sequence[str], columns: Sequence[str]) -> Ints:
    """Rows of each system (S, rows), the same sentence in each column, in the first system's order."""
    key, _ = number_rows([source.coded(column, ordered=False).codes for column in columns])
    count = np.bincount(unit)
    order = np.lexsort((key, unit))
    if (count != count[0]).any():
        s = int(np.flatnonzero(count != count[0])[0])
        raise LabelsError(
            f"{names[s]} has {count[s]} rows, {names[0]} has {count[0]}; every system and run needs the same sentences"
        )
    rows = order.reshape(len(count), -1)
    keys = key[rows]
    again = np.argwhere(keys[:, 1:] == keys[:, :-1])
    if len(again):
        s, j = (int(i) for i in again[0])
        raise LabelsError(
            f"{names[s]} has the same sentence in rows {rows[s, j]} and {rows[s, j + 1]} (rows count from 0): "
            "the same person, item and axes"
        )
    if (keys != keys[0]).any():
        s, j = (int(i) for i in np.argwhere(keys != keys[0])[0])
        raise LabelsError(
            f"{names[s]} does not have the sentences of {names[0]}: row {rows[s, j]} (rows count from 0) "
            f"has no counterpart with the same {', '.join(columns)}; if one of these columns says something about "
            "systems or scores, name the axes without it"
        )
    return np.asarray(rows[:, np.argsort(rows[0])])
