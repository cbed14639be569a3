"""From what was kept of rows that are not in memory to the result: sums over names, rows of noun phrases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from eec_bias.errors import ScoresError
from eec_bias.inputs.chunk_labels import Gaps, Levels, refuse_gaps
from eec_bias.inputs.chunk_scores import ChunkScores
from eec_bias.inputs.design import Design, build_design, lone_item
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import Source, choose_axes
from eec_bias.inputs.strata import Stratum
from eec_bias.inputs.table import describe
from eec_bias.options import ADJUST, INCOMPLETE, Adjust, Comparisons, Floats, Incomplete, Ints, Permutations
from eec_bias.result.assemble import Part, assemble
from eec_bias.result.result import Result
from eec_bias.result.signature import Signature
from eec_bias.stats.analysis import Analysis, analyse
from eec_bias.stats.inference import Inference, check_inference
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import Sums, summarise

ANY_ITEM = "*"
"""Item of the one row that stands for a person in the design of a stream."""


class NameSums(Protocol):
    """Sums over the rows of names, of the systems that have scores."""

    def gaps(self, units: Ints) -> Gaps:
        """Return which items the units met."""

    def remedy(self, gaps: Gaps) -> str:
        """Say what can be done about gaps."""

    def sum_up(self, units: Ints, cell: Ints, items: Ints, edge: str) -> Sums:
        """Return the sums of a table.

        Parameters
        ----------
        units : (P,) integer array
            The persons, sorted by cell.
        cell : (P,) integer array
            Their cells in the table.
        items : (J,) integer array
            The items, which all units met.
        edge : str
            Edge treatment of the logarithms.
        """


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is known of all rows.

    Attributes
    ----------
    axes : tuple of str
        Columns of groups.
    asked : bool
        Whether they were asked for, or are all there are.
    scores : ChunkScores
        The systems.
    rows : int
        How many there were.
    edge, data : str
        Edge treatment, and what the signature calls the data.
    levels : mapping of str to Levels
        Labels of ``person``, ``item``, ``base`` and ``axis NAME`` by number.
    persons : (U, 1 + A) integer array
        Person and axes of each unit of names.
    units : (U,) integer array
        The units' numbers in ``names``.
    names : NameSums
        The sums over names.
    paired : list of (codes by column, (S, n) scores)
        The rows of noun phrases and pronouns.
    """

    axes: tuple[str, ...]
    asked: bool
    scores: ChunkScores
    rows: int
    edge: str
    data: str
    levels: Mapping[str, Levels]
    persons: Ints
    units: Ints
    names: NameSums
    paired: Sequence[tuple[dict[str, Ints], Floats]]


def finish(
    kept: Gathered,
    *,
    reference: Any = "default",
    adjust: Adjust = "holm",
    simple: bool = False,
    contrasts: Comparisons = "default",
    permutations: Permutations = 0,
    bootstrap: int = 0,
    seed: int = 0,
    margin: float | None = None,
    incomplete: Incomplete = "refuse",
) -> Result:
    """Measure what was gathered.

    Parameters
    ----------
    kept : Gathered
        Sums and rows.
    reference, adjust, simple, contrasts, permutations, bootstrap, seed, margin, incomplete
        As for ``measure``.

    Raises
    ------
    BiasError
        If there is nothing, or no design in which the terms can be estimated.
    """
    ADJUST.check(adjust)
    INCOMPLETE.check(incomplete)
    source, values, units = _source(kept)
    scores = kept.scores.whole(values, kept.rows)
    inference = check_inference(
        permutations=permutations, seed=seed, bootstrap=bootstrap, margin=margin, contrasts=contrasts, adjust=adjust,
        score_range=scores.score_range, observed=(kept.scores.lowest, kept.scores.highest),
    )  # fmt: skip
    shared = incomplete == "shared"
    axes = choose_axes(source, kept.axes if kept.asked else None)
    design = build_design(source, axes, reference=reference, shared=shared)
    analyses = [
        _analyse(table, kept, scores, units, simple=simple, inference=inference, shared=shared)
        for table in design.tables
    ]
    design = _noted(design, [found.table for found in analyses], kept.rows, shared)
    low, high = scores.score_range
    extras: tuple[tuple[str, str], ...] = (("range", f"{low:g}..{high:g}"),) if (low, high) != (0.0, 1.0) else ()
    extras += (("incomplete", incomplete),) if shared else ()
    signature = Signature(
        kept.data, design.axes, design.references, "names+items", adjust, kept.edge, (*extras, *inference.extras)
    )
    part = Part(Stratum(None, None, design), None, scores, analyses)
    return assemble([part], design.axes, (*scores.notes, *design.notes), adjust, kept.edge, signature)


def _source(kept: Gathered) -> tuple[Source, Floats, Ints]:
    """Return labels of the paired rows, then one row per person of names; scores of the former; the units."""
    if not len(kept.units) and not kept.paired:
        raise ScoresError("no rows have come; call update(scores, rows) for every chunk before result()")
    systems = len(kept.scores.missing)
    names = ["person", *(f"axis {name}" for name in kept.axes)]
    codes = {name: [part[name] for part, _ in kept.paired] + [kept.persons[:, k]] for k, name in enumerate(names)}
    joined = {name: np.concatenate(parts).astype(np.intp) for name, parts in codes.items()}
    n, units = sum(scores.shape[1] for _, scores in kept.paired), len(kept.units)
    items = [*kept.levels["item"].number, ANY_ITEM]
    item = np.concatenate([*(part["item"] for part, _ in kept.paired), np.full(units, len(items) - 1)])
    base = np.concatenate([*(part["base"] for part, _ in kept.paired), np.full(units, -1)])
    bases = list(kept.levels["base"].number) if "base" in kept.levels else []
    pair = [items[i] if b < 0 else f"{items[i]}/{bases[b]}" for i, b in zip(item, base, strict=True)]
    columns: dict[str, Any] = {"person": kept.levels["person"].coded("person", joined["person"])}
    columns |= {"item": [items[i] for i in item.tolist()], "pair": pair}
    columns |= {name: kept.levels[f"axis {name}"].coded(name, joined[f"axis {name}"]) for name in kept.axes}
    scores = np.concatenate([np.zeros((systems, 0)), *(scores for _, scores in kept.paired)], axis=1)
    return Source(columns, n + units, kept.data), scores, np.concatenate([np.full(n, -1), kept.units])


def _analyse(
    table: Table, kept: Gathered, scores: Scores, units: Ints, *, simple: bool, inference: Inference, shared: bool
) -> Analysis:
    bounds = scores.score_range
    if table.paired:
        values = table.gather(scores.values)
        sums = summarise(values, table.cell, edge=kept.edge, score_range=bounds)
        return analyse(table, sums, score_range=bounds, values=values, simple=simple, inference=inference)
    own = units[table.rows[:, 0]]
    table, items = _crossed(table, kept.names, own, list(kept.levels["item"].number), shared)
    sums = kept.names.sum_up(own, table.cell, items, kept.edge)
    return analyse(table, sums, score_range=bounds, simple=simple, inference=inference)


def _crossed(table: Table, names: NameSums, own: Ints, labels: list[str], shared: bool) -> tuple[Table, Ints]:
    """Give a table its items; where persons lack some, refuse it or keep the items all share."""
    gaps = names.gaps(own)
    items, notes = gaps.found, table.notes
    if gaps.count:
        unit, item = gaps.first()
        p = int(np.flatnonzero(own == unit)[0])
        person = f"{table.persons[p]!r} ({describe(table.axes, table.cells[table.cell[p]])})"
        if not shared or not len(gaps.shared):
            refuse_gaps(gaps, len(own), person, labels[item], "" if shared else names.remedy(gaps))
        items = gaps.shared
        notes = (
            f"names: incomplete table cut to the {len(items)} of {len(gaps.found)} items all persons share",
            *notes,
        )
    items = np.array(sorted(items.tolist(), key=labels.__getitem__), dtype=np.intp)
    rows = np.broadcast_to(np.intp(-1), (len(own), len(items)))
    return replace(table, items=tuple(labels[j] for j in items.tolist()), rows=rows, notes=notes), items


def _noted(design: Design, tables: Sequence[Table], rows: int, shared: bool) -> Design:
    """Count rows left out in rows of the stream, not of the design it is summed up by."""
    notes = tuple(note for table in tables for note in table.notes) + lone_item(tables)
    left = rows - sum(len(table.persons) * len(table.items) for table in tables)
    if left and not shared:
        notes += (f"{left} of {rows} rows take no part: they carry no level, or no counterpart, on the axes measured",)
    return replace(design, notes=notes)
