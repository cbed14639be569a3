"""The one path from what was observed to a result: design, analysis, rows, system by system."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from eec_bias.assembly.dealing import deal_all
from eec_bias.assembly.details import describe_table
from eec_bias.assembly.gaps import check_holes, keep_whole_runs, missing_rows, note_missing
from eec_bias.assembly.heard import feeling_rows, heard_rows
from eec_bias.assembly.questions import plan_design
from eec_bias.assembly.reaction import SCORES, note_reaction, reaction_rows, say_signs
from eec_bias.assembly.rows import (
    cell_rows,
    contrast_rows,
    equivalence_rows,
    family_rows,
    fit_rows,
    flip_rows,
    gap_rows,
    left_out_rows,
    rate_rows,
    term_rows,
    untested,
    variance_rows,
)
from eec_bias.assembly.signals import note_untested_signals, signal_rows
from eec_bias.data_name import DataName
from eec_bias.errors import DesignError, OptionError
from eec_bias.grouping import grouped
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.scores import UNBOUNDED, Scores, gathered
from eec_bias.inputs.strata import DataStratum, stratify
from eec_bias.inputs.thresholds import above, say_threshold
from eec_bias.notes import Note
from eec_bias.options import DEFAULTS, MEDIAN, Bools, Floats, MeasureOptions
from eec_bias.result.adjusting import adjust
from eec_bias.result.columns import TermColumns, Terms, joined
from eec_bias.result.comparison import REACTION, Comparison
from eec_bias.result.facts import Facts, class_settings
from eec_bias.result.frame import BESIDE, Row
from eec_bias.result.plan import Plan
from eec_bias.result.record import ATTRIBUTES
from eec_bias.result.result import Result
from eec_bias.result.signals import note_slopes
from eec_bias.result.term import EQUAL_SCORES, ZERO
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts, contrast_cells, estimand
from eec_bias.stats.cues import compare_cues
from eec_bias.stats.facets import with_classes
from eec_bias.stats.incomplete import NotConnectedError
from eec_bias.stats.inference import Inference, check_inference
from eec_bias.stats.resolution import Resolution, of_type
from eec_bias.stats.tested import Analysis, Tested
from eec_bias.stats.units import sum_up

P_VALUES = ("p", "p_adjusted", "p_names_only", "p_permutation", "beta_p")
"""Columns without a number in rows that compare equal scores."""

RESOLUTIONS = {"type": "resolution_of_type", "shares": "resolution_of_shares"}
"""Notes on a resolution that no one declared or measured, by where it is from."""

Kind = tuple[DataStratum, str | None, Scores]
"""A stratum, the output, and the numbers of the systems."""

Lists = dict[str, list[list[Row]]]
"""By kind one list of rows per system."""

Tables = tuple[Row, list[TermColumns], Lists]
"""The subject of the rows, the rows of terms, and the rows of the lists next to them."""


@dataclass(frozen=True, slots=True)
class MeasuredPart:
    """One kind of output in one stratum, with an analysis per table, and how their effects agree."""

    stratum: DataStratum
    output: str | None
    analyses: tuple[Analysis, ...]
    apart: tuple[tuple[str, Analysis], ...]
    agreements: tuple[Tested, ...]
    differ: tuple[Note, ...]
    bounds: tuple[float, float] | None = None
    differences: bool = False

    @property
    def place(self) -> Row:
        """The leading keys that name stratum and output."""
        return self.stratum.place | ({} if self.output is None else {"output": self.output})

    @property
    def is_rate(self) -> bool:
        """Return whether the output is how often a class is predicted."""
        return self.output not in (None, "score")

    @property
    def has_signals(self) -> bool:
        """Return whether scores are set against signals: not rates, and not the differences of two systems."""
        return not self.differences and not self.is_rate

    @property
    def reacts(self) -> bool:
        """Return whether reactions are compared: those of one system, in scores."""
        return not self.differences and self.output in SCORES

    @property
    def dealt(self) -> list[tuple[str | None, Analysis]]:
        """The analyses whose contrasts are questions, of all items and of those whose words agree or do not."""
        return [*((None, analysis) for analysis in self.analyses), *self.apart]

    @property
    def notes(self) -> list[Note]:
        """Return what could not be compared."""
        notes = [*(note for analysis in self.analyses for note in analysis.notes), *self.differ]
        if self.has_signals:
            notes += [note for analysis in self.analyses for note in note_untested_signals(analysis)]
        if self.stratum.label is None:
            return notes
        return [Note("in_stratum", {"label": self.stratum.label, "note": note}) for note in notes]


def assemble(observed: Observations, outputs: Outputs, options: MeasureOptions) -> Result:
    """Lay out what was observed, analyse it, and put the rows together.

    Parameters
    ----------
    observed : Observations
        Whom the rows are about, and what they met.
    outputs : Outputs
        The scores of the systems on these rows.
    options : MeasureOptions
        What was asked for.

    Raises
    ------
    OptionError
        If options contradict each other or the scores.
    DesignError
        If no term can be estimated.
    """
    scores = outputs.scores
    if options.incomplete == "shared":
        observed = observed.scored(scores.values)
    strata, notes = stratify(observed, options)
    systems = [scores.systems.keys_of(s) for s in range(len(scores.values))]
    bounds = scores.score_range if scores.bounded else UNBOUNDED
    check_threshold(options, bounds)
    inference = check_inference(options, bounds)
    kinds = [(stratum, *kind) for stratum in strata for kind in outputs.parts]
    parts = [_analyse(*kind, options, inference) for kind in kinds]
    axes = tuple(dict.fromkeys(axis for stratum in strata for axis in stratum.design.axes))
    tables = [*_tables(parts, axes), *_rates(kinds, options)]
    tables += [*_feelings(parts), *_flips(strata, outputs), *_emotions(strata, scores)]
    rows: dict[str, list[Row]] = {kind: [] for kind in BESIDE}
    for s, system in enumerate(systems):
        for place, _, lists in tables:
            leading = system | place
            for kind, system_rows in lists.items():
                rows[kind] += [leading | row for row in system_rows[s]]
    terms = joined([columns.named(place) for place, of_table, _ in tables for columns in of_table])
    of_design = (*notes, *dict.fromkeys(note for part in parts for note in part.notes))
    if not terms.there.any():
        raise DesignError(f"no term can be estimated: {'; '.join(map(str, of_design))}")
    of_scores = *scores.notes, *_note_resolution(scores, options, parts)
    notes = (*of_scores, *_note_margin(inference.margin, scores), *of_design)
    notes += tuple(note_slopes(rows["signals"], inference.alpha))
    if any(part.reacts for part in parts):
        tables_of_names = [(stratum, table) for stratum in strata for table in stratum.design.tables]
        notes += tuple(dict.fromkeys(note_reaction(tables_of_names, options)))
    if outputs.predicted is not None and scores.score_range != (0.0, 1.0):
        notes += (Note("rates_in_shares"),)
    plan = plan_design(strata, [output for output, _ in outputs.parts], options, reactions=not scores.differences)
    p, se, df = (terms[key] for key in ("p", "se", "df"))
    terms = terms.filled(adjust(terms.comparisons, p, se, df, plan))
    if not scores.differences:
        # Of two systems equal differences are no lack of reaction.
        terms = _without_p(terms, len(outputs.parts))
    beside: dict[str, Any] = {ATTRIBUTES.get(kind, kind): tuple(kind_rows) for kind, kind_rows in rows.items()}
    by_name = {axis.name: axis for part in parts for a in reversed(part.analyses) for axis in a.table.axes}
    return Result(
        terms=Terms(terms, systems),
        **beside,
        notes=notes,
        axes=axes,
        score_range=scores.score_range,
        beta_estimand=estimand([by_name[name] for name in axes if name in by_name]),
        facts=_facts(strata, axes, scores, options, inference, observed.data, plan),
        plan=plan,
        leaving_out=partial(_leave_out, systems, parts),
        dealing=partial(
            deal_all, [(part.place, *each) for part in parts for each in part.dealt], systems, plan, options
        ),
        details=tuple(
            describe_table(analysis, systems, part.place, part.stratum) for part in parts for analysis in part.analyses
        ),
    )


def _note_margin(margin: float | None, scores: Scores) -> Iterator[Note]:
    """Note a margin that looks like one in other units, and one that no two scores exceed."""
    if margin is None:
        return
    if margin < 1 and scores.bounded:
        yield Note("margin_below_a_point", {"margin": margin, "meant": 100 * margin})
    least, most = scores.observed
    if 0 < most - least <= margin * scores.point:
        yield Note("wide_margin", {"margin": margin * scores.point, "least": least, "most": most})


def _analyse(
    stratum: DataStratum, output: str | None, scores: Scores, options: MeasureOptions, inference: Inference
) -> MeasuredPart:
    edge = "none" if scores.bounded else None
    point = scores.point if output in (None, "score") else 0.01
    in_units = replace(inference, margin=None if inference.margin is None else inference.margin * point)
    analyses: list[Analysis] = []
    apart: list[tuple[str, Analysis]] = []
    notes: list[Note] = []
    for laid_out in stratum.design.tables:
        contrasts = build_contrasts(laid_out.axes, simple=True)
        agrees = np.any([stratum.agreeing(laid_out, contrast) for contrast in contrasts], axis=0)
        table = replace(laid_out, facets=with_classes(laid_out.facets, agrees))
        own, lost = keep_whole_runs(table, gathered(scores, table), scores.systems, scores.run_names)
        check_holes(table, own, scores.systems)
        sums = sum_up(own, table.cell, table.facets, edge=edge, score_range=scores.score_range)
        resolution = _resolution(output, scores, options)
        analysis = analyse(table, contrasts, sums, own, scores.score_range, in_units, resolution)
        _check_comparable(analysis)
        notes += [*lost, *note_missing(analysis, scores.systems)]
        analyses.append(analysis)
        of_test = scores.score_range, in_units, resolution
        apart += [
            (agreement, analyse(part, [contrast], sum_up(some, part.cell, part.facets, edge=edge), some, *of_test))
            for contrast in contrasts
            for agreement, items in stratum.apart(table, contrast).items()
            for part, some in [(table.on_items(items), own.on_items(items))]
        ]
    agreements, differ = compare_cues(analyses)
    bounds = scores.score_range if scores.bounded else None
    return MeasuredPart(
        stratum,
        output,
        tuple(analyses),
        tuple(apart),
        agreements,
        (*notes, *differ),
        bounds,
        differences=scores.differences,
    )


def _resolution(output: str | None, scores: Scores, options: MeasureOptions) -> Floats:
    """Return how far apart scores of each system (S,) may be and still be equal; rates are exact."""
    if options.resolution is None or output not in (None, "score"):
        return scores.resolution
    return np.full(len(scores.values), float(options.resolution))


def _note_resolution(scores: Scores, options: MeasureOptions, parts: Sequence[MeasuredPart]) -> Iterator[Note]:
    """Note how far apart scores may be and still be equal, where that was declared or measured, or matters."""
    given = options.resolution
    if isinstance(given, Resolution) and given.known == "measured":
        yield Note("resolution_measured", {"resolution": float(given), "sentences": given.detail})
    elif isinstance(given, Resolution) and given.known != "declared":
        if _decides(scores, parts).any():
            yield Note(RESOLUTIONS[given.known], {"resolution": float(given), "type": given.detail})
    elif given is not None:
        yield Note("resolution_declared", {"resolution": float(given)})
    elif not scores.differences:
        key = RESOLUTIONS["type" if scores.noise is None else "shares"]
        decides = np.flatnonzero(_decides(scores, parts)).tolist()
        for kind, systems in grouped((scores.kind(s), s) for s in decides).items():
            yield Note(key, {"resolution": float(scores.resolution[systems].max()), "type": kind})
        yield from _note_single_precision(scores, parts)


def _decides(scores: Scores, parts: Sequence[MeasuredPart]) -> Bools:
    """The systems (S,) some of whose scores are treated as equal although they are not identical."""
    decides = np.zeros(len(scores.values), dtype=bool)
    for part in parts:
        for analysis in part.analyses:
            if analysis.equal is not None:
                decides |= (analysis.affected.any(axis=2) & analysis.equal).any(axis=1)
    return decides


def _note_single_precision(scores: Scores, parts: Sequence[MeasuredPart]) -> Iterator[Note]:
    """Note differences of doubles that single precision, with which most networks reckon, would not have told."""
    analyses = [analysis for part in parts if not part.is_rate for analysis in part.analyses]
    found = max((_below_single_precision(analysis, scores) for analysis in analyses), default=0.0)
    if found:
        yield Note("below_single_precision", {"resolution": found})


def _below_single_precision(analysis: Analysis, scores: Scores) -> float:
    """Return how far apart scores may be that single precision cannot tell apart; 0 if differences are larger."""
    if analysis.apart is None or analysis.equal is None:
        return 0.0
    differ = analysis.affected.any(axis=2) & ~analysis.equal
    found = 0.0
    for s, most in enumerate(analysis.scores.largest.tolist()):
        limit = of_type("float32", most)
        if scores.kind(s) == "float64" and (differ[s] & (analysis.apart[s] <= limit)).any():
            found = max(found, limit)
    return found


def _without_p(terms: TermColumns, outputs: int) -> TermColumns:
    """Return terms without p where rows compare equal scores; they still count in the families of tests.

    If the scores of one output are equal and those of another class move, the gap is 0, and not a lack of reaction.
    """
    state, equal = terms["state"].copy(), terms["state"] == EQUAL_SCORES
    if not equal.any():
        return terms
    same = grouped((replace(each, output=None), r) for r, each in enumerate(terms.comparisons))
    for rows in same.values():
        another_moves = equal[:, rows].sum(axis=1, keepdims=True) < outputs
        equal[:, rows] &= ~another_moves
        state[:, rows] = np.where((state[:, rows] == EQUAL_SCORES) & another_moves, ZERO, state[:, rows])
    without = {key: np.where(equal, np.nan, terms[key]) for key in P_VALUES}
    return terms.filled({"state": state, **without})


def _check_comparable(analysis: Analysis) -> None:
    """Refuse a table in which groups have no item in common, or none of an emotion, so that nothing compares them."""
    axes = ", ".join(axis.name for axis in analysis.table.axes)
    try:
        _ = analysis.estimates
    except NotConnectedError:
        raise DesignError(
            f"{analysis.subset}: no item has scores of persons of all groups on {axes}, so nothing compares them; "
            "expected sentences that differ only in the person, with the same item for all of these"
        ) from None
    if not (analysis.emotions and analysis.contrasts):
        return
    try:
        _ = analysis.in_each_emotion
    except NotConnectedError as error:
        emotion = analysis.emotions[error.stratum]
        raise DesignError(
            f"{analysis.subset}: no item of the emotion {emotion} has scores of persons of all groups on {axes}, so "
            "nothing compares them there; have its sentences scored, or leave out those of this emotion"
        ) from None


def _tables(parts: list[MeasuredPart], axes: tuple[str, ...]) -> Iterator[Tables]:
    """Yield the rows of every analysis."""
    for part in parts:
        for analysis in part.analyses:
            terms = [term_rows(analysis, part.stratum.observed, part.bounds)]
            lists = {
                "cells": cell_rows(analysis, axes),
                "families": family_rows(analysis.table, axes, len(analysis.runs)),
                "missing": missing_rows(analysis, axes),
                "fits": fit_rows(analysis.beta, analysis.subset, rate=part.is_rate),
                "equivalence": equivalence_rows(analysis),
                "variances": variance_rows(analysis),
            }
            if part.has_signals:
                lists["signals"] = signal_rows(analysis)
            if part.reacts:
                reactions, means = reaction_rows(analysis, part.stratum, part.bounds)
                heard, words = heard_rows(analysis, part.stratum)
                terms += [*reactions, *heard]
                lists["heard"] = [of_emotions + of_words for of_emotions, of_words in zip(means, words, strict=True)]
            yield part.place, terms, lists
        for agreement_of_words, analysis in part.apart:
            place = {**part.place, "agreement": agreement_of_words}
            yield place, [gap_rows(analysis, part.stratum.observed, part.bounds)], {}
        for agreement in part.agreements:
            terms = [contrast_rows(agreement, {}, untested(agreement.estimates))]
            yield part.place, terms, {"equivalence": equivalence_rows(agreement)}


def _leave_out(systems: Sequence[Row], parts: Sequence[MeasuredPart]) -> list[Row]:
    """Return the rows of each contrast without each name, family and template, system by system."""
    rows: list[list[Row]] = [[] for _ in systems]
    for part in parts:
        for analysis in part.analyses:
            of_items = part.stratum.observed.of_items(analysis.table.codes)
            for s, of_system in enumerate(left_out_rows(analysis, of_items.get("template", ()))):
                rows[s] += [systems[s] | part.place | row for row in of_system]
    return [row for of_system in rows for row in of_system]


def _rates(kinds: Sequence[Kind], options: MeasureOptions) -> Iterator[Tables]:
    """Return the rates of outcomes, and of scores above the threshold if there is one."""
    threshold, inference = options.rate_above, Inference(confidence=float(options.confidence))
    for stratum, output, scores in kinds:
        if threshold is None and not _are_outcomes(output, scores, options):
            continue
        resolution = _resolution(output, scores, options)
        for table in stratum.design.tables:
            selected = gathered(scores, table) if threshold is None else above(scores, table, threshold, resolution)
            own, _ = keep_whole_runs(table, selected, scores.systems, scores.run_names)
            check_holes(table, own, scores.systems)
            contrasts = [*build_contrasts(table.axes), *contrast_cells(table.axes)]
            sums = sum_up(own, table.cell, table.facets)
            analysis = analyse(table, contrasts, sums, own, (0.0, 1.0), inference)
            place = stratum.place | ({} if output is None else {"output": output})
            of_systems = rate_rows(analysis, threshold)
            for row in chain.from_iterable(of_systems):
                row["id"] = Comparison.of(place | row).id
            yield place, [], {"rates": of_systems}


def _are_outcomes(output: str | None, scores: Scores, options: MeasureOptions) -> bool:
    """Return whether numbers say which sentences were selected, by 1 and 0: a class, or scores without other values."""
    if output not in (None, "score"):
        return True
    if output is not None or options.outputs is not None or scores.differences:
        return False
    values = scores.values if scores.runs is None else scores.runs
    if scores.bounded and scores.score_range != (0.0, 1.0):
        return False
    known = values[~np.isnan(values)]
    return bool(known.size) and bool(((known == 0) | (known == 1)).all())


def check_threshold(options: MeasureOptions, score_range: tuple[float, float]) -> None:
    """Refuse a threshold that every score or no possible score lies above, or that does not fit the kind of output.

    Parameters
    ----------
    options : MeasureOptions
        What was asked for.
    score_range : (float, float)
        Lowest and highest possible score.

    Raises
    ------
    OptionError
        If it is one of these.
    """
    threshold, (low, high) = options.rate_above, score_range
    if threshold is None:
        return
    if options.output_kind not in ("score", "ordinal"):
        raise OptionError(
            f"the rate above {threshold!r} is for scores, and the outputs are {options.output_kind!r}, whose rate of "
            "each class is measured as it is: leave the threshold out"
        )
    if threshold == MEDIAN:
        return
    if not low <= threshold < high:
        raise OptionError(
            f"the rate above {threshold!r} was asked for, and scores run from {low:g} to {high:g}: all of them or none "
            f"could lie above it; expected a threshold from {low:g} to below {high:g}"
        )


def _emotions(strata: list[DataStratum], scores: Scores) -> Iterator[Tables]:
    """Yield the mean score of the sentences of each emotion."""
    for stratum in strata:
        labels = stratum.observed.labels.get("emotion")
        if labels is None:
            continue
        rows_of = stratum.observed.rows
        named = ~stratum.observed.neutral[rows_of.unit]
        of_rows = np.array(labels)[rows_of.item[named]]
        values = scores.values[:, rows_of.position[named]]
        rows: list[list[Row]] = [[] for _ in values]
        for emotion in sorted(set(labels)):
            chosen = values[:, of_rows == emotion]
            counts = np.count_nonzero(~np.isnan(chosen), axis=1)
            sums = np.nansum(chosen, axis=1)
            for system_rows, total, count in zip(rows, sums.tolist(), counts.tolist(), strict=True):
                if count:
                    system_rows.append({"emotion": emotion, "mean": total / count, "n_sentences": count})
        yield stratum.place, [], {"emotions": rows}


def _feelings(parts: Sequence[MeasuredPart]) -> Iterator[Tables]:
    """Yield the words for feelings that each system hears, from the first table with enough of them."""
    for part in parts:
        if part.reacts and not part.place:
            of_tables = (feeling_rows(analysis, part.stratum) for analysis in part.analyses)
            rows = next((each for each in of_tables if each is not None), None)
            if rows is not None:
                yield {}, [], {"feelings": rows}


def _flips(strata: list[DataStratum], outputs: Outputs) -> Iterator[Tables]:
    """Yield how often the class changes, where classes are known."""
    if outputs.predicted is not None:
        for stratum in strata:
            for table in stratum.design.tables:
                yield stratum.place, [], {"flips": flip_rows(table, outputs.predicted, len(outputs.classes))}


def _facts(
    strata: list[DataStratum], axes: tuple[str, ...], scores: Scores, options: MeasureOptions, inference: Inference,
    data: DataName, plan: Plan,
) -> Facts:  # fmt: skip
    """Return the facts of a result of the default test."""
    reference_by_axis: dict[str, str] = {}
    for stratum in reversed(strata):
        reference_by_axis |= dict(zip(stratum.design.axes, stratum.design.references, strict=True))
    settings: list[tuple[str, str]] = []
    if options.resolution is not None and getattr(options.resolution, "known", "declared") == "declared":
        # A measured resolution differs from run to run.
        settings.append(("resolution", f"{options.resolution:.12g}"))
    if options.incomplete != DEFAULTS.incomplete:
        settings.append(("incomplete", options.incomplete))
    if options.by is not None:
        settings.append(("by", options.by))
    if options.output_kind != "score":
        settings.append(("outputs", options.output_kind))
    if options.rate_above is not None:
        settings.append(("above", say_threshold(options.rate_above)))
    facets = [table.facets for stratum in strata for table in stratum.design.tables]
    by_emotion = next((part.strata for part in facets if part.strata), "")
    if any(question.asks == REACTION for question in plan.second):
        settings.append(("reaction", say_signs(options.signs, facets)))
        by_emotion += "+agreement" if any(stratum.uses_classes for stratum in strata) else ""
    settings += class_settings(options.classes, options.positive_class)
    samples = ["names", *max((part.names for part in facets), key=len)]
    if scores.runs is not None and scores.runs.shape[1] > 1:
        samples.append("runs")
    return Facts(
        data=data,
        axes=axes,
        references=tuple(reference_by_axis[axis] for axis in axes),
        samples=tuple(samples),
        families=any(table.has_families for stratum in strata for table in stratum.design.tables),
        strata=by_emotion,
        score_range=scores.score_range if scores.bounded else None,
        confidence=float(options.confidence),
        settings=(*settings, *inference.settings),
        plan=plan.short,
    )
