"""Long data, one row per system and sentence, turned into a matrix systems × sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.codes import Coded, compact_any
from eec_bias.inputs.matrices import as_numbers
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import Source
from eec_bias.options import Ints

KEYS = ("person", "item", "pair")
"""What tells the sentences of one system apart, besides the axes."""


def widen(
    source: Source, systems: str, tasks: str | None, axes: tuple[str, ...] | None = None, by: str | None = None
) -> tuple[Ints, Source, tuple[str, ...], tuple[str, ...] | None]:
    """Bring the systems' sentences into the same order.

    Parameters
    ----------
    source : Source
        The long data.
    systems : str
        The column that names the systems.
    tasks : str, optional
        The column that names what they predict; the same system in two tasks counts as two.
    axes : tuple of str, optional
        Axes asked for; by default every text column that the row schema does not know and that varies within a
        system tells sentences apart.
    by : str, optional
        A further column to keep.

    Returns
    -------
    order : (S, rows) integer array
        Where each system's scores stand, systems in the order in which they first appear.
    source : Source
        The rows of the first system.
    names, tasks : tuple of str, tuple of str or None
        Of each system.

    Raises
    ------
    LabelsError
        If a system lacks a sentence the first system has, has others, or has one twice.
    OptionError
        If a column is missing.
    """
    for option, column in (("systems", systems), ("tasks", tasks)):
        if column is not None and column not in source.columns:
            raise OptionError(f"{option}={column!r} is no column of the data, which have {', '.join(source.columns)}")
    who, task = source.coded(systems), None if tasks is None else source.coded(tasks)
    unit, first = _units(who, task)
    names = tuple(who.levels[who.codes[row]] for row in first)
    what = None if task is None else tuple(task.levels[task.codes[row]] for row in first)
    titles = [f"{n} ({t})" for n, t in zip(names, what, strict=True)] if what else names
    wanted = source.labels() if axes is None else [*KEYS, *axes]
    columns = [name for name in wanted if name in source.columns and _within(source, name, unit)]
    order = _sentences(source, unit, titles, columns)
    columns += [name for name in ("emotion", by) if name is not None and name in source.columns and name not in columns]
    return order, source.take(order[0], columns), names, what


def read_long(
    scores: Any, rows: int, order: Ints, names: tuple[str, ...], tasks: tuple[str, ...] | None, **options: Any
) -> Outputs:
    """Check outputs of long data where they stand, then lay them out by system.

    Parameters
    ----------
    scores : array
        One output per row of the long data.
    rows : int
        Number of those rows.
    order, names, tasks
        From `widen`.
    **options
        ``outputs``, ``classes`` and ``score_range`` as for `outputs.read_outputs`.
    """
    notes: tuple[str, ...] = ()
    kept = list(range(len(names)))
    if options["outputs"] in ("score", "ordinal"):
        scores = _numbers(scores, rows)
        empty = np.isnan(scores[order]).all(axis=1)
        if empty.all():
            raise ScoresError(f"there are no scores: all {rows} are NaN")
        kept = np.flatnonzero(~empty).tolist()
        notes = tuple(
            f"system {names[s]!r} is left out: all its {order.shape[1]} scores are NaN" for s in np.flatnonzero(empty)
        )
        # A value that is there stands in for the systems left out, so that the check finds only true gaps.
        scores[order[empty]] = scores[order[kept[0]]]
    checked = read_outputs(scores, rows, **options)
    order, names = order[kept], tuple(names[s] for s in kept)
    what = None if tasks is None else tuple(tasks[s] for s in kept)
    parts = tuple(
        (label, Scores(part.values[0][order], names, part.score_range, what, notes + part.notes))
        for label, part in checked.parts
    )
    return Outputs(parts, None if checked.predicted is None else checked.predicted[0][order], checked.classes)


def _numbers(scores: Any, rows: int) -> Any:
    # A copy: gaps of systems left out are filled in below.
    values = np.array(as_numbers(scores))
    if values.shape != (rows,):
        raise ScoresError(f"scores has shape {values.shape} for {rows} rows; long data need one score per row")
    return values


def _units(who: Coded, task: Coded | None) -> tuple[Ints, Ints]:
    """Number each row's system by first appearance; return also the first row of each."""
    code = who.codes if task is None else who.codes * len(task.levels) + task.codes
    _, first, unit = np.unique(code, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[unit], np.sort(first)


def _within(source: Source, name: str, unit: Ints) -> bool:
    """Tell whether a column varies within systems; what does not says something about systems, not sentences."""
    codes = source.coded(name, ordered=False).codes
    first = np.empty(int(unit.max()) + 1, dtype=np.intp)
    first[unit] = codes
    return name in KEYS or bool((codes != first[unit]).any())


def _sentences(source: Source, unit: Ints, names: Sequence[str], columns: Sequence[str]) -> Ints:
    """Rows of each system (S, rows), the same sentence in each column, in the first system's order."""
    key = np.zeros(source.rows, dtype=np.int64)
    for column in columns:
        coded = source.coded(column, ordered=False)
        # Compacted at every step, so that the product of many columns does not overflow.
        key = compact_any(key * len(coded.levels) + coded.codes)[1].astype(np.int64)
    count = np.bincount(unit)
    order = np.lexsort((key, unit))
    if (count != count[0]).any():
        s = int(np.flatnonzero(count != count[0])[0])
        raise LabelsError(
            f"system {names[s]!r} has {count[s]} rows, {names[0]!r} has {count[0]}; every system needs the same "
            "sentences"
        )
    rows = order.reshape(len(count), -1)
    keys = key[rows]
    again = np.argwhere(keys[:, 1:] == keys[:, :-1])
    if len(again):
        s, j = (int(i) for i in again[0])
        raise LabelsError(
            f"system {names[s]!r} has the same sentence in rows {rows[s, j]} and {rows[s, j + 1]} (rows count from 0): "
            "the same person, item and axes"
        )
    if (keys != keys[0]).any():
        s, j = (int(i) for i in np.argwhere(keys != keys[0])[0])
        raise LabelsError(
            f"system {names[s]!r} does not have the sentences of {names[0]!r}: row {rows[s, j]} (rows count from 0) "
            "has no counterpart with the same person, item and axes"
        )
    return np.asarray(rows[:, np.argsort(rows[0])])
