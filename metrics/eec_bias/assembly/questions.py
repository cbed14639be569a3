"""The questions that a design asks, before a score is looked at: what rows there will be, and what they rest on."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eec_bias.inputs.strata import DataStratum
from eec_bias.options import Ints, MeasureOptions
from eec_bias.result.comparison import Comparison
from eec_bias.result.plan import Plan, PlannedQuestion
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
        questions = [
            PlannedQuestion(question, sum(part.units for part in parts), sum(part.n_sentences for part in parts))
            for question, parts in _questions_of_tables(stratum.design.tables, options)
        ]
        for output in outputs:
            for asked in questions:
                question = replace(asked.question, stratum=stratum.label, output=output)
                yield replace(asked, question=question)


def checksums_of(strata: Sequence[DataStratum], options: MeasureOptions) -> dict[str, str]:
    """Return a checksum of the sentences that each question compares, by its id.

    It is the same for two lists if they hold the same sentences on the same side of the question, in any order. Empty
    where the data hold no texts.
    """
    checksums: dict[str, str] = {}
    for stratum in strata:
        for question, parts in _questions_of_tables(stratum.design.tables, options):
            sides = [side for part in parts for side in part.sides()]
            texts = [stratum.observed.texts("text", rows) for rows in sides]
            if all(side is not None for side in texts):
                ordered = json.dumps([sorted(side or ()) for side in texts])
                key = replace(question, stratum=stratum.label).id
                checksums[key] = hashlib.sha256(ordered.encode()).hexdigest()[:16]
    return checksums


@dataclass(frozen=True, slots=True)
class _Compared:
    """What a contrast compares in one table: so many persons, or bases where it is taken within these."""

    table: Table
    contrast: Contrast
    units: int

    @property
    def n_sentences(self) -> int:
        sides = int(np.count_nonzero(self.contrast.weights)) if self.table.paired else 1
        return self.units * sides * len(self.table.items)

    def sides(self) -> Iterator[Ints]:
        """Yield the rows of the data whose scores count up, and those whose scores count down."""
        table, weights = self.table, self.contrast.weights
        cells = np.flatnonzero(weights)
        if table.paired:
            persons = np.sort(table.within_bases(cells).ravel())
        else:
            persons = np.flatnonzero(np.isin(table.cell, cells))
        for sign in (1, -1):
            rows = table.rows[persons[np.sign(weights[table.cell[persons]]) == sign]]
            yield rows[rows >= 0]


def _questions_of_tables(
    tables: Sequence[Table], options: MeasureOptions
) -> Iterator[tuple[Comparison, Sequence[_Compared]]]:
    """Yield every question of some tables, with what is compared: in one table, or in each of two kinds of cues."""
    by_table: list[list[_Compared]] = []
    for table in tables:
        contrasts = build_contrasts(table.axes, simple=options.simple)
        compared = [_Compared(table, contrast, _units(table, contrast)) for contrast in contrasts]
        # A contrast within bases needs two of them.
        kept = [each for each in compared if each.units > 1 or not table.paired]
        by_table.append(kept)
        for each in kept:
            yield _question(each.contrast, table.subset), (each,)
    for one, other in pairs_of_cues(tables):
        if tables[one].items != tables[other].items:
            continue
        of_other = {contrast_key(each.contrast): each for each in by_table[other]}
        for each in by_table[one]:
            against = of_other.get(contrast_key(each.contrast))
            if against is None:
                continue
            subset = f"{tables[one].subset}-{tables[other].subset}"
            contrast = name_agreement(each.contrast, tables[one].subset, tables[other].subset)
            yield _question(contrast, subset), (each, against)


def _question(contrast: Contrast, subset: str) -> Comparison:
    return Comparison(contrast.term, "+".join(contrast.axes), contrast.level, contrast.reference, subset)


def _units(table: Table, contrast: Contrast) -> int:
    """How many persons a contrast compares; within bases how many bases."""
    cells = np.flatnonzero(contrast.weights)
    if table.paired:
        return len(table.within_bases(cells))
    return int(np.isin(table.cell, cells).sum())
