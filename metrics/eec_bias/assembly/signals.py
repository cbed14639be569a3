"""Rows on whether scores depend on how strongly names signal their group."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from eec_bias.assembly.gaps import MANY
from eec_bias.assembly.rows import FEW_DF, FEW_OF_FACET, FEWER_DF, fill_rows
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, Ints
from eec_bias.result.frame import Row
from eec_bias.stats.adjust import adjust_families
from eec_bias.stats.default_test import Estimates
from eec_bias.stats.families import MOST_OF_ONE, Families
from eec_bias.stats.incomplete import fill_holes
from eec_bias.stats.rounding import exceeds
from eec_bias.stats.signals import FEWEST_NAMES, SignalDesign, names_of_group, run_signal_test
from eec_bias.stats.tested import Analysis
from eec_bias.stats.units import means_by_run

POWER = 0.8


def signal_rows(analysis: Analysis) -> list[list[Row]]:
    """Rows of the slope of scores on the signal, one per axis whose signals are known and group that can be tested."""
    rows: list[list[Row]] = [[] for _ in analysis.runs]
    left_out = _lacks_too_many(analysis)
    if left_out.all():
        return rows
    inference = analysis.inference
    for axis, groups in _groups(analysis).items():
        tested = {level: _test(analysis, group) for level, group in groups.items() if group is not None}
        if not tested:
            continue
        p = np.concatenate([found.p for found in tested.values()], axis=1)
        adjusted = np.stack([adjust_families(of_system, [axis] * len(tested)) for of_system in p])
        for r, (level, found) in enumerate(tested.items()):
            group = groups[level]
            assert group is not None
            fixed = [{"axis": axis, "level": level, "subset": analysis.subset, "n_persons": len(group.names)}]
            low, high = found.interval(inference.confidence)
            at_level = stdtrit(found.df, 1 - inference.alpha / (2 * len(tested))) + stdtrit(found.df, POWER)
            numbers = {
                "effect": found.effect, "se": found.se, "df": found.df, "t": found.t, "p": found.p,
                "p_adjusted": adjusted[:, [r]], "ci_low": low, "ci_high": high, "mde": found.se * at_level,
                "rough": _rough(analysis, found, group),
            }  # fmt: skip
            for s, of_system in enumerate(fill_rows(fixed, numbers, len(rows))):
                if not left_out[s]:
                    rows[s] += of_system
    return rows


def note_untested_signals(analysis: Analysis) -> Iterator[Note]:
    """Note the groups whose signals are known, and whose slope cannot be tested."""
    for axis, groups in _groups(analysis).items():
        about = {"subset": analysis.subset, "axis": axis}
        if _lacks_too_many(analysis).any():
            yield Note("signal_with_missing", {**about, "percent": round(100 * MANY)})
        if lacking := [level for level, group in groups.items() if group is None]:
            yield Note("signal_not_tested", {**about, "levels": ", ".join(lacking), "fewest": FEWEST_NAMES})


class SignalGroup(NamedTuple):
    """The names of a group whose slope is tested.

    Attributes
    ----------
    names : (P,) integer array
        Their positions.
    design : SignalDesign
        Their cells, signals and families.
    """

    names: Ints
    design: SignalDesign


def _groups(analysis: Analysis) -> dict[str, dict[str, SignalGroup | None]]:
    """By axis and level the names whose slope is tested; None where it cannot be."""
    table = analysis.table
    found: dict[str, dict[str, SignalGroup | None]] = {}
    for axis in table.axes:
        signal = table.signals.get(axis.name)
        if signal is None or np.isnan(signal).all():
            continue
        position = table.axes_of([axis.name])[0]
        groups: dict[str, SignalGroup | None] = {}
        for level in axis.levels:
            cells = np.array([levels[position] == level for levels in table.cells])
            names = names_of_group(cells, table.cell, signal)
            groups[level] = None
            if len(names) and (design := _design(analysis, axis.name, names)).is_estimable:
                groups[level] = SignalGroup(names, design)
        found[axis.name] = groups
    return found


def _design(analysis: Analysis, axis: str, names: Ints) -> SignalDesign:
    """The names, with cells numbered from 0."""
    table = analysis.table
    cell = np.unique(table.cell[names], return_inverse=True)[1].reshape(-1).astype(np.intp)
    families = []
    for each in table.families:
        code = np.unique(each.code[names], return_inverse=True)[1].reshape(-1).astype(np.intp)
        families.append(Families(each.name, code))
    return SignalDesign(cell, table.signals[axis][names], tuple(families))


def _test(analysis: Analysis, group: SignalGroup) -> Estimates:
    """Test the slope of some names in all systems; few missing scores are those that a fit expects."""
    scores, cell = analysis.scores, analysis.table.cell
    values, runs = scores.values, scores.runs
    if scores.has_holes:
        values = fill_holes(values, cell)
        if runs is not None:
            runs = np.stack([fill_holes(of_system, cell) for of_system in runs])
    means: Floats | None = None if runs is None else means_by_run(runs)[:, group.names]
    return run_signal_test(values[:, group.names], group.design, analysis.facets, means, analysis.scale)


def _lacks_too_many(analysis: Analysis) -> Bools:
    """The systems (S,) that lack more scores than a fit may stand for."""
    if not analysis.scores.has_holes:
        return np.zeros(len(analysis.runs), dtype=bool)
    return np.asarray(np.isnan(analysis.scores.values).mean(axis=(1, 2)) > MANY)


def _rough(
    analysis: Analysis, found: Estimates, group: SignalGroup
) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
    """Why the interval of each system is rough, (S, 1); empty where it is not."""
    reasons = np.full(found.p.shape, "", dtype=object)
    for s in np.flatnonzero(~np.isnan(found.p[:, 0]) & (found.se[:, 0] > 0)).tolist():
        notes = []
        if exceeds(FEW_DF, found.df[s, 0]):
            notes.append(FEWER_DF)
        if exceeds(FEW_OF_FACET, found.least[s, 0]):
            notes.append(Note("few_degrees_of_freedom_over", {"fewest": FEW_OF_FACET, "facet": found.scarce[s, 0]}))
        # What the furthest of normal names has is drawn, which takes its time.
        if exceeds(found.largest[s, 0], MOST_OF_ONE) and exceeds(found.largest[s, 0], group.design.most_of_one):
            name = analysis.table.persons[int(group.names[found.furthest[s, 0]])]
            percent = round(100 * float(found.largest[s, 0]))
            notes.append(Note("one_name_decides", {"name": name, "percent": percent}))
        reasons[s, 0] = "; ".join(map(str, notes))
    return reasons
