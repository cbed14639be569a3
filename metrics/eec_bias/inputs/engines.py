"""`measure_frame`: rows in a table that need not fit in memory, measured by sums that its engine takes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eec_bias.errors import BiasError, OptionError
from eec_bias.inputs.chunk_labels import Levels
from eec_bias.inputs.chunk_result import Gathered, finish
from eec_bias.inputs.chunk_scores import ChunkScores
from eec_bias.inputs.chunks import Accumulator
from eec_bias.inputs.engine_sums import Crossing, FrameSums, cross, refuse_doubles
from eec_bias.inputs.engine_table import (
    Facts,
    Frame,
    check_levels,
    collected,
    narwhals,
    read_facts,
    read_frame,
    refuse_unmarked,
)
from eec_bias.inputs.scores import Tasks, check_range, name_systems
from eec_bias.inputs.sources import axis_names, read_source
from eec_bias.options import ADJUST, INCOMPLETE, Adjust, Comparisons, Incomplete, Ints, Permutations
from eec_bias.result.result import Result
from eec_bias.stats.sums import parse_edge

Progress = Callable[[int, int, str], Any]

STEPS = ("checking scores and labels", "counting names and sentences", "looking for doubles", "summing up")


def measure_frame(
    frame: Any,
    scores: str | Sequence[str] = "score",
    *,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] = (0.0, 1.0),
    adjust: Adjust = "holm",
    edge: str = "none",
    incomplete: Incomplete = "refuse",
    simple: bool = False,
    contrasts: Comparisons = "default",
    systems: Sequence[str] | None = None,
    tasks: Tasks = None,
    permutations: Permutations = 0,
    bootstrap: int = 0,
    seed: int = 0,
    margin: float | None = None,
    data_name: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Measure a table of labels and scores that need not fit in memory; the same numbers as `measure` gives.

    Of names only sums leave the engine, per person and per group × item. Rows of noun phrases and pronouns (whose
    ``pair`` is not their ``item``) are brought to memory, as in `streaming.Accumulator`.

    Parameters
    ----------
    frame : DuckDB relation, Spark or polars frame, pyarrow table, pandas frame, …
        Any frame that narwhals knows, lazy or not: one row per sentence with the columns ``person``, ``item``, one
        per axis, the scores and, where noun phrases take part, ``pair``. Rows may come in any order.
    scores : str or sequence of str
        Column of scores; several are several systems, called as their columns.
    axes, reference, score_range, adjust, edge, incomplete, simple, contrasts, tasks, permutations, bootstrap, seed
        As for `measure`.
    systems : sequence of str, optional
        Other names for the systems.
    margin, data_name
        As for `measure`.
    progress : callable, optional
        Called as ``progress(done, total, what)`` before each step, and once at the end.

    Returns
    -------
    Result

    Raises
    ------
    ScoresError, LabelsError, DesignError, OptionError
        As `measure`; rows are named by their ``id`` or, without that column, by person and item.
    """
    ADJUST.check(adjust)
    INCOMPLETE.check(incomplete)
    parse_edge(edge)
    bounds = check_range(score_range)
    if not scores:
        raise OptionError(f"scores={scores!r} names no column; name one, or one per system")
    tell = progress or _silent
    tell(0, len(STEPS), STEPS[0])
    columns: tuple[str, ...] = (scores,) if isinstance(scores, str) else tuple(scores)
    rows = read_frame(frame, columns, None if axes is None else axis_names(axes))
    named = None if isinstance(scores, str) else columns
    names, what = name_systems(len(columns), named, systems, tasks, single=named is None)
    facts = read_facts(rows, bounds)
    kept = ChunkScores(bounds, systems, tasks, names, what, named, facts.missing)
    if len(kept.kept):
        kept.lowest, kept.highest = float(np.nanmin(facts.lowest)), float(np.nanmax(facts.highest))
    tell(1, len(STEPS), STEPS[1])
    crossing = cross(rows) if facts.names else None
    for name in ("person", "item", *rows.axes):
        levels = list(crossing.levels[name].number) if crossing else []
        check_levels(name, levels, rows, axis=name in rows.axes)
        if name in rows.axes:
            refuse_unmarked(rows, levels, name)
    tell(2, len(STEPS), STEPS[2])
    if crossing:
        refuse_doubles(rows)
    paired = _pairs(rows, facts, kept, crossing)
    tell(3, len(STEPS), STEPS[3])
    gathered = _gathered(rows, facts, kept, crossing, paired)
    result = finish(
        replace(gathered, asked=axes is not None, edge=edge, data=data_name or "?"),
        reference=reference, adjust=adjust, simple=simple, contrasts=contrasts, permutations=permutations,
        bootstrap=bootstrap, seed=seed, margin=margin, incomplete=incomplete,
    )  # fmt: skip
    tell(len(STEPS), len(STEPS), "")
    return result


def _silent(_done: int, _total: int, _what: str) -> None:
    return None


def _pairs(frame: Frame, facts: Facts, scores: ChunkScores, crossing: Crossing | None) -> Accumulator:
    """Bring the rows of noun phrases and pronouns to memory, sorted, as the engine's order means nothing."""
    whole = Accumulator(axes=frame.axes, score_range=scores.score_range)
    if crossing:
        own = {"person": "person", "item": "item"} | {f"axis {name}": name for name in frame.axes}
        whole.know({name: Levels(dict(crossing.levels[column].number)) for name, column in own.items()})
    if facts.rows == facts.names:
        return whole
    nw = narwhals()
    labels = [*frame.labels, *(f"#y{s}" for s in range(len(frame.scores)))]
    rows = frame.rows.filter(nw.col("pair") != nw.col("item")).select(*labels)
    table = collected(rows.sort("item", "person", "pair", *frame.axes))
    values = np.stack([np.asarray(table[f"#y{s}"].to_numpy(), dtype=float) for s in range(len(frame.scores))])
    try:
        whole.take(values, read_source(table.select(list(frame.labels))))
    except BiasError as error:
        raise type(error)(
            f"among the {table.num_rows} rows of noun phrases and pronouns, sorted by item and person: {error}"
        ) from None
    return whole


def _gathered(
    frame: Frame, facts: Facts, scores: ChunkScores, crossing: Crossing | None, paired: Accumulator
) -> Gathered:
    found = paired.gathered()
    if crossing is None:
        return replace(found, scores=scores, rows=facts.rows)
    kept = scores.kept
    sums = FrameSums(frame, crossing, tuple(kept.tolist()), facts.mean[kept], scores.score_range)
    persons: Ints = np.column_stack([crossing.person, crossing.groups[crossing.group]])
    units = np.arange(len(persons))
    return replace(found, scores=scores, rows=facts.rows, persons=persons, units=units, names=sums)
