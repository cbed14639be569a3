"""Scores and the data they belong to, read and checked together."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.checked_pairs import PART, holds_pairs, unfold_pairs
from eec_bias.inputs.containers import in_order_of_keys, open_scores
from eec_bias.inputs.emitted import scores_of_outputs
from eec_bias.inputs.labels import pairs_as_items, read_labels
from eec_bias.inputs.long import find_runs, read_long
from eec_bias.inputs.matrices import as_numbers, refuse_other_order
from eec_bias.inputs.observed import Observations, observe
from eec_bias.inputs.outputs import Outputs, read_outputs, with_noise
from eec_bias.inputs.person_labels import choose_families, words_of_names
from eec_bias.inputs.resolution import type_of
from eec_bias.inputs.runs import fold_runs
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import (
    FIRST_AXES,
    NO_ROWS,
    Source,
    axis_names,
    candidate_axes,
    keep_axes,
    lone_axes,
    read_source,
)
from eec_bias.inputs.systems import Naming, Systems
from eec_bias.notes import Note
from eec_bias.options import DEFAULTS, Ints, MeasureOptions


def read_rows(scores: Any, data: Any, options: MeasureOptions) -> tuple[Observations, Outputs]:
    """Read scores and the labels of their rows; parameters and errors as for `measure`."""
    source, outputs = read_scored(scores, data, options)
    if holds_pairs(source):
        source, outputs = unfold_pairs(source, outputs)
        options = replace(options, axes=("gender",), by=PART)
    return label_rows(source, options), outputs


def label_rows(source: Source, options: MeasureOptions) -> Observations:
    """Read the labels of rows: whom each is about and what; errors as for `measure`."""
    requested = axis_names(options.axes)
    if options.by is not None and requested is not None and options.by in requested:
        raise OptionError(
            f"by {options.by!r} is one of the axes measured; take it out of the axes, or choose simple: the effects of "
            "each axis within the levels of the others"
        )
    person = source.coded("person")
    notes: tuple[Note, ...] = ()
    if requested is None:
        every, notes = candidate_axes(source, person, options.by)
    else:
        every = {name: source.coded(name) for name in requested}
    kept = keep_axes(every, requested=requested is not None)
    labels = pairs_as_items(read_labels(source, kept))
    parts = None if options.by is None else source.coded(options.by)
    families = choose_families(options.families, source.columns)
    if not families and options.families == DEFAULTS.families:
        axes = {name: source.coded(name) for name in FIRST_AXES if name in source.columns} | every
        groups = {level for axis in axes.values() for level in axis.levels}
        words = words_of_names(source, person, groups)
        families, source = tuple(words), replace(source, columns={**source.columns, **words})
    return observe(
        source,
        labels,
        families=families,
        parts=parts,
        notes=(*notes, *lone_axes(every, kept)),
    )


def read_scored(scores: Any, data: Any, options: MeasureOptions) -> tuple[Source, Outputs]:
    """Check scores and data; long data become wide: one row per sentence, and the outputs of these sentences.

    Parameters
    ----------
    scores, data
        As for `measure`.
    options : MeasureOptions
        Those that say what the scores are, and of what, are followed.

    Raises
    ------
    ScoresError, LabelsError, OptionError
        As for `measure`.
    """
    source = read_source(data)
    if not source.rows:
        raise LabelsError(NO_ROWS)
    scores, options = scores_of_outputs(unpack(scores, data, source), options)
    refuse_other_order(scores, data)
    naming = Naming(options.systems, options.tasks, options.runs)
    if naming.runs is None:
        naming = replace(naming, runs=find_runs(source, naming.systems))
    if isinstance(naming.systems, str) or isinstance(naming.runs, str):
        source, order, systems = read_long(source, naming, axis_names(options.axes), options.by)
        read = _read_by_system(scores, order, systems, options)
    else:
        read = read_outputs(scores, source.rows, options, naming)
    return source, fold_runs(with_noise(read, options.resolution))


def _read_by_system(scores: Any, order: Ints, systems: Systems, options: MeasureOptions) -> Outputs:
    """Check the outputs of long data, one per row, and lay them out by system."""
    if options.output_kind in ("score", "ordinal"):
        numbers = as_numbers(scores)
        if numbers.shape != (order.size,):
            raise ScoresError(
                f"the scores have the shape {numbers.shape} for {order.size} rows; long data need one score per row"
            )
        read = read_outputs(numbers[order], order.shape[1], options, Naming(known=systems))
        kind = type_of(scores)
        if kind == "float64":
            return read
        parts = ((label, replace(part, kinds=(kind,) * len(order))) for label, part in read.parts)
        return replace(read, parts=tuple(parts))
    read = read_outputs(scores, order.size, options)
    by_rows = ((label, _by_rows(part, order, systems)) for label, part in read.parts)
    return replace(read, parts=tuple(by_rows), predicted=None if read.predicted is None else read.predicted[0][order])


def _by_rows(scores: Scores, order: Ints, systems: Systems) -> Scores:
    """Lay the scores of one system out as those of several, by their rows (S, n)."""
    count = len(order)
    noise = None if scores.noise is None else np.repeat(scores.noise, count)
    return replace(scores, values=scores.values[0][order], systems=systems, kinds=scores.kinds * count, noise=noise)


def unpack(scores: Any, data: Any, source: Source) -> Any:
    """Return scores or outputs without the container around them, a mapping by ids or texts in the order of rows."""
    scores = open_scores(scores, data)
    if not isinstance(scores, Mapping):
        return scores
    every = np.arange(source.rows)
    return in_order_of_keys(scores, *(source.texts(name, every) or () for name in ("id", "text")))
