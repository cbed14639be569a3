"""Changes of scores when another name is put into the same sentences.

Prabhakaran, Hutchinson & Mitchell (2019), *Perturbation Sensitivity Analysis to Detect Unintended Model Biases*. The
names are those of the corpus, so the measures describe; they test nothing. Whether groups of names differ is asked of
the default test, names × sentences, whose rows stand beside.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, expect
from eec_bias.inputs.axes import axis_names
from eec_bias.inputs.reading import read_scored
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.thresholds import as_told
from eec_bias.methods.perturbation.groups import adjust_over, compare_groups
from eec_bias.methods.perturbation.layout import Perturbed, lay_out_perturbed
from eec_bias.methods.perturbation.measures import count_empty, evaluate, percentiles, profile, redraw
from eec_bias.methods.perturbation.study import (
    CORRELATION,
    DEV,
    RANGE,
    SAMPLE,
    PerturbationStudy,
    measure_scalars,
    perturbation_table,
)
from eec_bias.methods.published import NO_BETA, WORDS, build_result, row
from eec_bias.notes import Note
from eec_bias.options import UNMARKED, Floats, Incomplete, MeasureOptions, Tasks, checked, is_number
from eec_bias.result.facts import Facts
from eec_bias.result.frame import DISTANCE, NAME, SENSITIVITY, Row
from eec_bias.result.plan import joined
from eec_bias.result.record import flat_scalars, scalars_by_system
from eec_bias.result.result import Result
from eec_bias.result.term import Term

__all__ = ["PerturbationStudy", "perturbation", "perturbation_table"]

SAYS = WORDS["perturbation"]
LABEL, NOTE = Note("perturbation"), Note("perturbation_row")

FEW = 30
"""Of fewer sentences, percentile intervals are too narrow to pass without a word."""


@checked("perturbation")
def perturbation(
    scores: Any,
    data: Any,
    *,
    group: Sequence[str] | str | None = None,
    thresholds: Sequence[float] | float | None = None,
    baseline: Sequence[str] | str | None = None,
    reference: Any = "default",
    confidence: float = 0.95,
    incomplete: Incomplete = "estimate",
    bootstrap: int = 0,
    seed: int = 0,
    score_range: tuple[float, float] = (0.0, 1.0),
    systems: Sequence[str] | str | None = None,
    tasks: Tasks = None,
) -> Result:
    """Measure how scores move with the name put into a sentence, as Prabhakaran et al. (2019).

    Parameters
    ----------
    scores, data, score_range, systems, tasks
        As for ``measure``; the data are rows of ``eec perturb``, or of an EEC.
    group : str or sequence of str, optional
        Columns of labels of the names; by default the identity axes with two marked levels, ``()`` for none.
    thresholds : float or sequence of float, optional
        Thresholds of LabelDist, on the scale of the scores; by default nine, a tenth of it apart.
    baseline : str or sequence of str, optional
        Persons whose sentences are the originals; by default ``original``, else the pronouns, each an x of its own.
    reference
        As for ``measure``, for the default test of the groups.
    confidence : float
        Of the intervals.
    incomplete : {"estimate", "refuse", "shared"}
        By default every mean is over the sentences that a name has; ``shared`` leaves out the sentences that lack a
        name, and ``refuse`` makes them an error.
    bootstrap, seed : int
        How often the sentences are resampled for the intervals, and the seed.

    Returns
    -------
    Result
        Rows ``score_dev, score_dev_sample, score_range, label_dist, correlation, score_sens``, then those of the
        default test of the groups; ``study`` is a `PerturbationStudy`.

    Raises
    ------
    LabelsError, DesignError, OptionError
        If a name carries two labels or stands in a sentence twice, a sentence lacks its original, fewer than two
        sentences are left, or an option cannot be used.
    """
    group_columns = axis_names((group,) if isinstance(group, str) else group, "group")
    options = MeasureOptions(score_range=score_range, systems=systems, tasks=tasks, axes=group_columns)
    source, outputs = read_scored(scores, data, options)
    checked = outputs.scores
    levels = _read_thresholds(thresholds, checked.score_range)
    corpus = lay_out_perturbed(source, baseline=baseline, group=group_columns, incomplete=incomplete)
    measured = _measure(checked, corpus, levels, bootstrap, seed, confidence)
    tests, notes = compare_groups(checked, corpus, {"reference": reference, "confidence": confidence})
    plan = joined([test.plan for test in tests if test.plan])
    tested = adjust_over(tests, plan) if plan else ()
    terms: list[Term] = []
    for s, rows in enumerate(measured):
        keys = checked.systems.keys_of(s)
        terms += [*rows, *(term for term in tested if {key: term.get(key) for key in keys} == keys)]
    settings = [("base", corpus.reference), ("thresholds", "+".join(map(_threshold_label, levels.tolist())))]
    if incomplete != "estimate":
        settings.append(("incomplete", incomplete))
    if bootstrap:
        settings.append(("boot", f"{bootstrap}@{seed}/sentences"))
    tested_by = tests[0].facts if tests else Facts()
    facts = replace(
        tested_by,
        data=source.data,
        axes=tuple(corpus.labels),
        references=tuple(reference for test in tests for reference in test.facts.references),
        samples=("perturbation", *tested_by.samples),
        score_range=checked.score_range,
        confidence=confidence,
        settings=tuple(settings),
        plan=plan.short if plan else "",
    )
    beside = ("cells", "fits", "variances", "details")
    more: dict[str, Any] = {kind: tuple(row for test in tests for row in getattr(test, kind)) for kind in beside}
    return build_result(
        "perturbation", facts, checked, terms=tuple(terms), **more,
        notes=(*checked.notes, *corpus.notes, *_notes(corpus, bootstrap), *notes, LABEL),
        beta_estimand=tests[0].beta_estimand if tests else NO_BETA, plan=plan,
        study=PerturbationStudy(
            corpus.names, corpus.forms, corpus.labels, corpus.baseline, len(corpus.sentences), bootstrap,
            source.data.title or "corpus without a name", tuple(terms),
        ),
        own_scalars=scalars_by_system(terms, measure_scalars) | flat_scalars(tested),
    )  # fmt: skip


def _read_thresholds(thresholds: Any, bounds: tuple[float, float]) -> Floats:
    """Check thresholds, or choose nine."""
    low, high = bounds
    if thresholds is None:
        return np.round(low + (high - low) * np.arange(1, 10) / 10, 12)
    given = list(thresholds) if np.iterable(thresholds) else [thresholds]
    different = given and all(map(is_number, given)) and len(set(given)) == len(given)
    expect(different, "thresholds", thresholds, "a number or several different ones, such as .3, .5 and .7")
    for value in given:
        if not low <= value <= high:
            raise OptionError(
                f"threshold {value:g} lies outside the scale of the scores, [{low:g}, {high:g}]; give thresholds on "
                "that scale, or declare another score range"
            )
    return np.sort(np.array(given, dtype=float))


def _measure(
    scores: Scores, corpus: Perturbed, thresholds: Floats, resamples: int, seed: int, confidence: float
) -> list[list[Term]]:
    """The rows of the measures, one list per system: of all names, of groups, of single names."""
    keys = _keys_of_rows(corpus, thresholds)
    members = np.array([names for _, _, names in corpus.groups]).reshape(-1, len(corpus.names))
    by_system = []
    _, tolerance = as_told(scores.values, scores.resolution, scores.score_range)
    for s, system_scores in enumerate(scores.values):
        system = profile(system_scores, corpus.rows, corpus.originals)
        # A score that equals a threshold reaches it, whatever holds the scores.
        reached_from = thresholds - tolerance[s]
        run = partial(evaluate, system, reached_from, members, scale=scores.span)
        whole = run()
        drawn = [whole[:0], *(run(weights) for weights in redraw(len(corpus.sentences), resamples, seed))]
        notes: list[tuple[Note, ...]] = [(NOTE,)] * len(keys)
        for c, number in enumerate(count_empty(system, reached_from), start=3):
            if number:
                notes[c] = (NOTE, _nobody(number, len(corpus.names)))
        if np.isnan(whole[0, 3 + len(thresholds)]):
            notes[3 + len(thresholds)] = (NOTE, Note("equal_scores_or_changes"))
        numbers = zip(keys, whole[0], *percentiles(np.concatenate(drawn), confidence), notes, strict=True)
        by_system.append(
            [
                row(
                    scores.systems.keys_of(s), *of_row, subset="names", **about, effect=value, se=se, ci_low=low,
                    ci_high=high,
                )
                for about, value, se, low, high, of_row in numbers
            ]
        )  # fmt: skip
    return by_system


def _nobody(without: int, names: int) -> Note:
    """Note for how many names no sentence reaches a threshold."""
    if without == names:
        return Note("no_sentence_of_any_name")
    return Note("no_sentence_of_names", {"count": without, "names": names})


def _keys_of_rows(corpus: Perturbed, thresholds: Floats) -> list[Row]:
    """Return what each row is about, in the order of `measures.evaluate`."""
    original_counts = (corpus.originals >= 0).sum(axis=0)

    def about(term: str, names: Any = slice(None), **keys: Any) -> Row:
        occurs = corpus.rows[names] >= 0
        met = occurs.any(axis=0)
        sentences = int(np.count_nonzero(occurs) + original_counts[met].sum())
        return {"term": term, **keys, "n_persons": len(occurs), "n_items": int(met.sum()), "n_sentences": sentences}

    compared, of_name = partial(about, reference=corpus.reference), ((NAME, n, [k]) for k, n in enumerate(corpus.names))
    return [
        *map(about, (DEV, SAMPLE, RANGE)),
        *(compared(DISTANCE, level=_threshold_label(c)) for c in thresholds.tolist()),
        about(CORRELATION),
        *(compared(SENSITIVITY, names, axes=axes, level=level) for axes, level, names in (*corpus.groups, *of_name)),
    ]


def _threshold_label(threshold: float) -> str:
    """Write a threshold as briefly as it can be read back."""
    short = f"{threshold:g}"
    return short if float(short) == threshold else repr(threshold)


def _notes(corpus: Perturbed, resamples: int) -> tuple[Note, ...]:
    """Notes on what is compared, which standard deviation is meant, and what the intervals are for."""
    fewest, sentences = int((corpus.rows >= 0).sum(axis=1).min()), len(corpus.sentences)
    compared: dict[str, Any] = {"baseline": " or ".join(corpus.baseline), "names": _counted("name", len(corpus.names))}
    compared["sentences"] = sentences
    if len(corpus.baseline) > 1:
        originals = int((corpus.originals >= 0).sum())
        notes = [Note("perturbation_compared_each", {**compared, "originals": originals})]
    else:
        notes = [Note("perturbation_compared", compared)]
    notes.append(Note("perturbation_deviation"))
    if resamples:
        notes.append(Note("perturbation_resampled", {"resamples": resamples}))
        if fewest < FEW:
            notes.append(Note("perturbation_few_sentences", {"few": FEW, "fewest": fewest}))
        if corpus.templates < sentences:
            numbers = {"sentences": sentences, "templates": _counted("template", corpus.templates)}
            notes.append(Note("perturbation_few_templates", numbers))
    if len(corpus.names) == 1:
        notes.append(Note("perturbation_one_name"))
    for column, labels in corpus.labels.items():
        if number := labels.count(UNMARKED):
            values = {"unmarked": number, "of": len(corpus.names), "column": column}
            notes.append(Note("perturbation_unmarked", values))
    return tuple(notes)


def _counted(noun: str, number: int) -> Note:
    """Return a number of names or templates as a note."""
    if noun == "name":
        return Note("names", {"count": number}) if number != 1 else Note("one_name")
    return Note("templates", {"count": number}) if number != 1 else Note("one_template")
