"""Tables with holes: what of them can be measured, how much is missing where, and what it could change."""

from collections.abc import Iterator, Sequence

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.inputs.scores import Systems
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats
from eec_bias.result.frame import Row
from eec_bias.stats.default_test import Estimates, run_test
from eec_bias.stats.facets import Facets, only_items
from eec_bias.stats.families import cluster_names
from eec_bias.stats.layout import Table
from eec_bias.stats.tested import Analysis, Part
from eec_bias.stats.units import UnitScores, sum_up

MANY = 0.05
"""With a larger share missing of a group's sentences, or of those of one emotion, a row is rough."""

LISTED = 6
"""Persons named in a note; the rest are counted."""

NO_EMOTION = "none"


def keep_whole_runs(
    table: Table, scores: UnitScores, systems: Systems, names: Sequence[Sequence[str]]
) -> tuple[UnitScores, list[Note]]:
    """Leave out the runs in which a group has no score at all, and say so.

    Parameters
    ----------
    table : Table
        The cells.
    scores : UnitScores
        The scores of its persons.
    systems : Systems
        Who gave them, for notes.
    names : sequence of sequence of str
        The names of each system's runs.
    """
    if scores.runs is None:
        return scores, []
    runs, notes = scores.runs.copy(), []
    for s, of_system in enumerate(runs):
        for n, run in enumerate(of_system):
            silent = [k for k in np.unique(table.cell) if np.isnan(run[table.cell == k]).all()]
            if silent and not np.isnan(run).all():
                cell = ", ".join(table.cells[silent[0]])
                name = names[s][n] if n < len(names[s]) else str(n)
                about = {"subject": systems.subject_note(s), "run": name, "subset": table.subset, "cell": cell}
                notes.append(Note("run_left_out", about))
                of_system[n] = np.nan
    if not notes:
        return scores, []
    with np.errstate(invalid="ignore", divide="ignore"):
        there = ~np.isnan(runs)
        values = np.where(there, runs, 0.0).sum(axis=1) / there.sum(axis=1)
    return UnitScores(values, runs, of_phrases=scores.of_phrases), notes


def check_holes(table: Table, scores: UnitScores, systems: Systems) -> None:
    """Refuse what cannot be had of a table with holes.

    Raises
    ------
    DesignError
        If a system has scores of fewer than two persons of a group of names.
    """
    if not scores.has_holes:
        return
    if table.paired:
        return
    answered = np.asarray(~np.isnan(scores.values).all(axis=2))
    for s, k in np.ndindex(len(answered), len(table.cells)):
        number = int(answered[s, table.cell == k].sum())
        if number < min(FEWEST, int(table.counts[k])):
            levels = ", ".join(map("{}={}".format, (axis.name for axis in table.axes), table.cells[k]))
            persons = "no person" if number == 0 else "one person only"
            raise DesignError(
                f"{table.subset}: {systems.subject_note(s)} has scores of {persons} with {levels}; how much persons "
                "differ needs two or more in every group: have the sentences scored again, or leave the system out"
            )


FEWEST = 2
"""Persons of each group that must have a score."""


def note_missing(analysis: Analysis, systems: Systems) -> Iterator[Note]:
    """Say what is missing of a table: rows of the data, answers of systems, and persons without any."""
    if not analysis.scores.has_holes:
        return
    table, present = analysis.table, ~np.isnan(analysis.scores.values)
    absent = table.holes
    if absent.any():
        yield Note("sentences_missing", {"subset": table.subset, "count": int(absent.sum()), "all": absent.size})
    for s, of_system in enumerate(present):
        missing = int((~of_system & ~absent).sum())
        if missing == 0:
            continue
        subject, asked = systems.subject_note(s), int((~absent).sum())
        about = {"subject": subject, "subset": table.subset}
        yield Note(
            "answers_missing", {**about, "count": missing, "all": asked, "percent": round(100 * missing / asked, 2)}
        )
        silent = [table.persons[p] for p in np.flatnonzero(~of_system.any(axis=1) & ~absent.all(axis=1))]
        if silent:
            named = ", ".join(silent[:LISTED]) + ("" if len(silent) <= LISTED else ", …")
            yield Note("persons_without_answer", {**about, "count": len(silent), "named": named})


def missing_rows(analysis: Analysis, axes: tuple[str, ...]) -> list[list[Row]]:
    """Rows of how many sentences of each cell and emotion have no score, of systems that lack some."""
    rows: list[list[Row]] = [[] for _ in analysis.runs]
    if not analysis.scores.has_holes:
        return rows
    table, present = analysis.table, ~np.isnan(analysis.scores.values)
    for s in np.flatnonzero(~present.all(axis=(1, 2))).tolist():
        for k, levels in enumerate(table.cells):
            level_by_axis = dict(zip((axis.name for axis in table.axes), levels, strict=True))
            named = {"subset": table.subset, **{axis: level_by_axis.get(axis) for axis in axes}}
            for emotion, items in _emotions(table.facets):
                here = present[s][table.cell == k][:, items]
                counts = {"n_missing": int((~here).sum()), "n_sentences": int(here.size)}
                rows[s].append(named | {"emotion": emotion} | counts)
    return rows


def _emotions(facets: Facets) -> Iterator[tuple[str | None, Bools]]:
    """The items of each emotion that is compared, and of the others together."""
    if not facets.emotions:
        yield None, np.ones(len(facets.items.code), dtype=bool)
        return
    for k, emotion in enumerate(facets.emotions):
        yield emotion, facets.emotion == k
    if (facets.emotion < 0).any():
        yield NO_EMOTION, facets.emotion < 0


def note_many_missing(analysis: Analysis) -> dict[tuple[int, int], Note]:
    """Note, by system and contrast, that a lot is missing, with the effect on what all persons share."""
    found: dict[tuple[int, int], Note] = {}
    if not analysis.scores.has_holes:
        return found
    r = 0
    for part in analysis.parts:
        missing = _shares_missing(part, analysis.facets)
        for weights in part.weights:
            shares = missing[:, weights != 0].max(axis=1, initial=0.0)
            for s in np.flatnonzero(shares > MANY).tolist():
                found[s, r] = _many_missing(analysis, part, weights, s, float(shares[s]))
            r += 1
    return found


def _shares_missing(part: Part, facets: Facets) -> Floats:
    """The largest share of each cell's sentences of one emotion that is missing, (S, K)."""
    missing = np.isnan(part.scores.values)
    emotions = [items for _, items in _emotions(facets)]
    by_person = np.stack([missing[:, :, items].sum(axis=2) for items in emotions], axis=2)
    starts = np.flatnonzero(np.diff(part.sums.cell_of_person, prepend=-1))
    asked = np.outer(part.sums.count, [items.sum() for items in emotions])
    return np.asarray((np.add.reduceat(by_person, starts, axis=1) / asked).max(axis=2))


def _many_missing(analysis: Analysis, part: Part, weights: Floats, s: int, share: float) -> Note:
    """Say that a lot is missing, with the row on the items that all units share."""
    values = part.scores.values[s : s + 1]
    used = np.isin(part.sums.cell_of_person, np.flatnonzero(weights))
    shared = np.flatnonzero(~np.isnan(values[0][used]).any(axis=0))
    if len(shared) < FEWEST:
        return Note("many_missing_none_shared", {"percent": round(100 * share)})
    cell = np.unique(part.sums.cell_of_person[used], return_inverse=True)[1]
    facets = only_items(analysis.facets, shared)
    sums = sum_up(UnitScores(values[:, used][:, :, shared]), cell, facets)
    families = tuple(type(each)(each.name, each.code[used]) for each in part.families)
    found: Estimates = run_test(
        sums, weights[weights != 0][None], facets, analysis.scale, cluster_names(cell, families)
    )
    low, high = found.interval(analysis.inference.confidence)
    if np.isnan(low[0, 0]):
        return Note(
            "many_missing_shared",
            {"percent": round(100 * share), "items": len(shared), "effect": float(found.effect[0, 0])},
        )
    numbers = {"effect": float(found.effect[0, 0]), "low": float(low[0, 0]), "high": float(high[0, 0])}
    return Note("many_missing", {"percent": round(100 * share), "items": len(shared), **numbers})


def worst_cases(analysis: Analysis, bounds: tuple[float, float] | None) -> tuple[Floats, Floats]:
    """Effects (S, R) if everything missing stood at the end of the scale that lowers them, and that raises them.

    NaN where nothing is missing, or the scale has no known ends.
    """
    shape = analysis.estimates.effect.shape
    low, high = np.full(shape, np.nan), np.full(shape, np.nan)
    if bounds is None or not analysis.scores.has_holes:
        return low, high
    at_bottom, at_top = (analysis.scores.filled_with(end) for end in bounds)
    lacking = np.isnan(analysis.scores.values).any(axis=(1, 2))
    cell = analysis.table.cell
    for r, contrast in enumerate(analysis.contrasts):
        rising = (contrast.weights > 0)[cell][:, None]
        ends = np.where(rising, at_bottom, at_top), np.where(rising, at_top, at_bottom)
        for found, values in zip((low, high), ends, strict=True):
            found[:, r] = np.where(lacking, _effect(analysis, r, values), np.nan)
    return low, high


def _effect(analysis: Analysis, row: int, values: Floats) -> Floats:
    """The plain difference of means of complete scores (S, P, J), (S,)."""
    weights = analysis.contrasts[row].weights
    if analysis.persons:
        sides = values[:, analysis.persons[row]].mean(axis=(1, 3))
        return np.asarray(sides @ weights[np.flatnonzero(weights)])
    means = values.mean(axis=2)
    of_cell = [means[:, analysis.table.cell == k].mean(axis=1) for k in np.flatnonzero(weights)]
    return np.asarray(np.stack(of_cell, axis=1) @ weights[np.flatnonzero(weights)])
