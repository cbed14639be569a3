"""Decisions about persons: selection rates, and their ratios with intervals over names, templates and words.

A system that hires, lends, moderates or escalates gives 0 or 1, or a probability. The rate of a group is the mean of
these; of scores on another scale it is the share above a threshold, or above the median of the item (a scoring rate).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from eec_bias.assembly.rows import FEW_DF, FEWER_DF, roughness
from eec_bias.errors import DesignError, OptionError, ScoresError
from eec_bias.inputs.reading import read_rows
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.strata import stratify
from eec_bias.inputs.thresholds import above, gathered
from eec_bias.methods.decisions.rates import Decisions, GroupRate, RateRatio, describe_threshold
from eec_bias.methods.published import name_system, to_json
from eec_bias.options import MEAN, MEDIAN, FewRuns, Floats, Incomplete, MeasureOptions, Threshold, is_number
from eec_bias.result.facts import VERSION
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import Contrast, build_contrasts, kron
from eec_bias.stats.inference import Inference
from eec_bias.stats.layout import Axis, Table
from eec_bias.stats.rates import ratio_of
from eec_bias.stats.tested import Analysis
from eec_bias.stats.units import sum_up

__all__ = ["Decisions", "GroupRate", "RateRatio", "decisions"]


def decisions(
    outcomes: Any,
    data: Any,
    *,
    above: Threshold | None = None,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    confidence: float = 0.95,
    incomplete: Incomplete = "refuse",
    families: Sequence[str] | None = ("family", "ending"),
    systems: Sequence[str] | str | None = None,
    runs: Sequence[str] | str | None = None,
    few_runs: FewRuns = "refuse",
) -> Decisions:
    """Compare how often a system selects groups: rates, differences, and ratios with intervals.

    Parameters
    ----------
    outcomes : (n,) or (S, n) array, or mapping or frame of system name to (n,) outcomes
        One per row of ``data``: 0 or 1, or the probability of 1. With ``above``, scores on any scale.
    data, axes, reference, incomplete, families, systems, runs, few_runs
        As for ``measure``. The reference is the group that others are compared with, and is yours to state.
    above : float or "median", optional
        Of scores: who counts as selected. ``median`` is that of all persons on the same item, so that the item, or its
        emotion, does not decide who lies above it (the scoring rate of New York's Local Law 144).
    confidence : float
        Level of the intervals, between 0 and 1. They are not adjusted for their number.

    Returns
    -------
    Decisions
        ``groups``, a rate for every group of an axis and of two or more axes together, and ``ratios``, each of them
        against the reference.

    Raises
    ------
    ScoresError, LabelsError, DesignError, OptionError
        As ``measure``; also if outcomes lie outside 0 to 1 and no threshold says who is selected.

    Notes
    -----
    The interval of a ratio is that of its logarithm by the delta method, with names, their families, templates, words
    and runs as samples (`eec_bias.stats.rates`). `benchmarks/ratios.py` simulates how often it covers the truth.
    """
    threshold = _read_threshold(above)
    options = MeasureOptions(
        axes=axes,
        reference=reference,
        score_range=None,
        confidence=confidence,
        incomplete=incomplete,
        families=families,
        systems=systems,
        runs=runs,
        few_runs=few_runs,
    )
    observed, outputs = read_rows(outcomes, data, options)
    scores = outputs.scores
    if threshold is None:
        _check_outcomes(scores)
    if incomplete == "shared":
        observed = observed.scored(scores.values)
    strata, notes = stratify(observed, options)
    design = strata[0].design
    groups: list[GroupRate] = []
    ratios: list[RateRatio] = []
    inference = Inference(confidence=float(confidence))
    for table in design.tables:
        analysed = _analyse(table, scores, threshold, inference)
        for s in range(len(scores.values)):
            system = name_system(scores.systems.keys_of(s))
            groups += _group_rates(analysed, s, system)
            ratios += _rate_ratios(analysed, s, system)
    if not ratios:
        raise DesignError(f"no two groups can be compared: {'; '.join(map(str, notes))}")
    return Decisions(
        groups=tuple(groups),
        ratios=tuple(ratios),
        selected=describe_threshold(threshold),
        confidence=float(confidence),
        data=str(observed.data),
        references=dict(zip(design.axes, design.references, strict=True)),
        notes=tuple(str(note) for note in (*scores.notes, *notes) if note.subject.key != "no_range"),
        version=VERSION,
    )


def _read_threshold(above: Any) -> Threshold | None:
    """Check what says who is selected."""
    if above is None:
        return None
    if isinstance(above, str) and above == MEDIAN:
        return MEDIAN
    if not is_number(above):
        raise OptionError(
            f"above is {above!r}; expected a number on the scale of the scores, such as 0.5, or 'median', that of all "
            "persons on the same item; without it outcomes are 0, 1 or probabilities"
        )
    return float(above)


def _check_outcomes(scores: Scores) -> None:
    """Refuse numbers that are neither a decision nor a probability of one."""
    values = scores.values if scores.runs is None else scores.runs
    outside = values[(values < 0) | (values > 1)]
    if outside.size:
        raise ScoresError(
            f"an outcome is {outside[0]:g} ({outside.size} of {values.size} lie outside 0 to 1); expected 0, 1 or a "
            "probability, or say with above which scores are selected: a number, or 'median'"
        )


class _Analysed(NamedTuple):
    """A table with its comparisons; ``values`` are (S, P, J), 1 for who is selected."""

    table: Table
    values: Floats
    contrasts: list[Contrast]
    analysis: Analysis


def _analyse(table: Table, scores: Scores, threshold: Threshold | None, inference: Inference) -> _Analysed:
    """Compare every group with its reference."""
    if threshold is None:
        selected = gathered(scores, table)
    else:
        selected = above(scores, table, threshold)
    values = selected.values
    if selected.has_holes:
        raise DesignError(
            f"{table.subset}: {np.isnan(values).any(axis=0).sum()} of the {values[0].size} combinations of person and "
            "item have no outcome; choose incomplete 'shared', which keeps the items all persons share"
        )
    contrasts = [each for each in build_contrasts(table.axes) if len(each.axes) == 1]
    if len(table.axes) > 1:
        contrasts += _of_intersections(table.axes)
    sums = sum_up(selected, table.cell, table.facets)
    analysis = analyse(table, contrasts, sums, selected, (0.0, 1.0), inference)
    return _Analysed(table, values, contrasts, analysis)


def _of_intersections(axes: Sequence[Axis]) -> Iterator[Contrast]:
    """Compare every cell with the cell of the references; with the mean of all where an axis has no reference."""
    names = tuple(axis.name for axis in axes)
    cells = np.eye(int(np.prod([len(axis.levels) for axis in axes])))
    levels = _cell_levels(axes)
    referenced = all(axis.reference is not None for axis in axes)
    base = kron([axis.base for axis in axes]) if referenced else kron([axis.average for axis in axes])
    against = ":".join(str(axis.reference) for axis in axes) if referenced else MEAN
    for level, unit in zip(levels, cells, strict=True):
        if level != against:
            yield Contrast("+".join(names), names, level, against, unit - base, unit)


def _cell_levels(axes: Sequence[Axis]) -> list[str]:
    """Name the cells in their order, the last axis fastest."""
    levels = [""]
    for axis in axes:
        levels = [f"{before}:{level}".removeprefix(":") for before in levels for level in axis.levels]
    return levels


def _group_rates(analysed: _Analysed, system: int, name: str) -> Iterator[GroupRate]:
    """Rates of the groups of each axis, and of all axes together, with the ratio to the highest of these."""
    table = analysed.table
    means = np.array([analysed.values[system, table.cell == k].mean() for k in range(len(table.cells))])
    sets = [(axis.name, _parts(table, a)) for a, axis in enumerate(table.axes)]
    if len(table.axes) > 1:
        cells = [(level, np.arange(len(means)) == k) for k, level in enumerate(_cell_levels(table.axes))]
        sets.append(("+".join(axis.name for axis in table.axes), cells))
    for axes, parts in sets:
        rates = [float(means[cells].mean()) for _, cells in parts]
        highest = max(rates)
        for (level, cells), rate in zip(parts, rates, strict=True):
            persons = int(cells[table.cell].sum())
            yield GroupRate(
                system=name,
                subset=table.subset,
                axes=axes,
                group=level,
                persons=persons,
                sentences=persons * len(table.items),
                rate=rate,
                ratio_to_highest=rate / highest if highest > 0 else None,
            )


def _parts(table: Table, axis: int) -> list[tuple[str, Any]]:
    """Levels of an axis with the cells (K,) that have them."""
    name = table.axes[axis]
    return [(level, np.array([cell[axis] == level for cell in table.cells])) for level in name.levels]


def _rate_ratios(analysed: _Analysed, system: int, name: str) -> Iterator[RateRatio]:
    """Difference and ratio of every group and its reference."""
    analysis = analysed.analysis
    low, high = analysis.estimates.interval(analysis.inference.confidence)
    rough = roughness(analysis, analysis.estimates)
    for r, contrast in enumerate(analysis.contrasts):
        of_systems = ratio_of(analysis, r)
        numbers = {key: to_json(each[system]) for key, each in of_systems.items()}
        reasons = list(map(str, rough[system, r]))
        if numbers["df"] is not None and numbers["df"] < FEW_DF and str(FEWER_DF) not in reasons:
            reasons.append(str(FEWER_DF))
        yield RateRatio(
            system=name,
            subset=analysed.table.subset,
            axes="+".join(contrast.axes),
            group=contrast.level,
            reference=contrast.reference,
            rate=numbers["rate"],
            rate_reference=numbers["rate_reference"],
            difference=float(analysis.estimates.effect[system, r]),
            difference_low=to_json(low[system, r]),
            difference_high=to_json(high[system, r]),
            ratio=_ratio(numbers),
            ratio_low=numbers["ratio_low"],
            ratio_high=numbers["ratio_high"],
            rough="; ".join(reasons),
            note=_why_none(contrast, numbers),
        )


def _ratio(numbers: Mapping[str, float | None]) -> float | None:
    """Return the ratio, 0 where only the reference is selected."""
    if numbers["rate"] == 0 and numbers["rate_reference"]:
        return 0.0
    return numbers["ratio"]


def _why_none(contrast: Contrast, numbers: Mapping[str, float | None]) -> str:
    """Say why there is no ratio, or no interval of it; empty where there are both."""
    if not numbers["rate_reference"]:
        return f"the rate of {contrast.reference} is 0, so no ratio to it is defined"
    if not numbers["rate"]:
        return f"the rate of {contrast.level} is 0: the ratio is 0, and there is no logarithm for an interval"
    if numbers["ratio_low"] is None:
        return "no interval: rates do not vary, or too few names, templates or words"
    return ""
