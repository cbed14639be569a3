"""The questions that a design asks, before a score is looked at: what rows there will be, and what they rest on."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from eec_bias.inputs.strata import DataStratum
from eec_bias.options import MeasureOptions
from eec_bias.result.plan import Plan, PlannedQuestion, Question
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.cues import contrast_key, name_agreement, pairs_of_cues
from eec_bias.stats.layout import Table


def plan_design(strata: Sequence[DataStratum], outputs: Sequence[str | None], options: MeasureOptions) -> Plan:
    """Return the plan of one measurement.

    Parameters
    ----------
    strata : sequence of DataStratum
        The parts of the data with their tables.
    outputs : sequence of str or None
        The kinds of output, such as ``rate[joy]``; None of scores alone.
    options : MeasureOptions
        What was asked for.
    """
    questions = tuple(dict.fromkeys(each.question for each in design_questions(strata, outputs, options)))
    margin = None if options.margin is None else float(options.margin)
    return Plan(questions, float(options.confidence), margin, emotions=emotions_of(strata))


def emotions_of(strata: Sequence[DataStratum]) -> tuple[str, ...]:
    """Return the emotions between which differences are compared."""
    tables = (table for stratum in strata for table in stratum.design.tables)
    return tuple(dict.fromkeys(emotion for table in tables for emotion in table.facets.emotions))


def design_questions(
    strata: Sequence[DataStratum], outputs: Sequence[str | None], options: MeasureOptions
) -> Iterator[PlannedQuestion]:
    """Yield every question of a design, with the persons and sentences that answer it."""
    for stratum in strata:
        questions = tuple(_questions_of_tables(stratum.design.tables, options))
        for output in outputs:
            for asked in questions:
                question = replace(asked.question, stratum=stratum.label, output=output)
                yield replace(asked, question=question)


def _questions_of_tables(tables: Sequence[Table], options: MeasureOptions) -> Iterator[PlannedQuestion]:
    pairwise = options.contrasts == "pairwise"
    by_table: list[list[tuple[Contrast, int]]] = []
    for table in tables:
        contrasts = build_contrasts(table.axes, simple=options.simple, pairwise=pairwise)
        sized = [(contrast, _units(table, contrast)) for contrast in contrasts]
        # A contrast within bases needs two of them.
        kept = [(contrast, units) for contrast, units in sized if units > 1 or not table.paired]
        by_table.append(kept)
        for contrast, units in kept:
            yield PlannedQuestion(_question(contrast, table.subset), units, _sentences(table, contrast, units))
    for one, other in pairs_of_cues(tables):
        if tables[one].items != tables[other].items:
            continue
        of_other = {contrast_key(contrast): (contrast, units) for contrast, units in by_table[other]}
        for contrast, units in by_table[one]:
            if contrast_key(contrast) not in of_other:
                continue
            against, units_against = of_other[contrast_key(contrast)]
            subset = f"{tables[one].subset}-{tables[other].subset}"
            question = _question(name_agreement(contrast, tables[one].subset, tables[other].subset), subset)
            sentences = _sentences(tables[one], contrast, units) + _sentences(tables[other], against, units_against)
            yield PlannedQuestion(question, units + units_against, sentences)


def _question(contrast: Contrast, subset: str) -> Question:
    return Question(contrast.term, "+".join(contrast.axes), contrast.level, contrast.reference, subset)


def _units(table: Table, contrast: Contrast) -> int:
    """How many persons a contrast compares; within bases how many bases."""
    cells = np.flatnonzero(contrast.weights)
    if table.paired:
        return len(table.within_bases(cells))
    return int(np.isin(table.cell, cells).sum())


def _sentences(table: Table, contrast: Contrast, units: int) -> int:
    sides = int(np.count_nonzero(contrast.weights)) if table.paired else 1
    return units * sides * len(table.items)
