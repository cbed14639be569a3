"""The questions that a design asks, before a score is looked at."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from eec_bias.assembly.heard import pairs_to_hear
from eec_bias.assembly.reaction import SCORES
from eec_bias.errors import OptionError
from eec_bias.grouping import grouped
from eec_bias.inputs.strata import DataStratum
from eec_bias.options import ANY, MeasureOptions
from eec_bias.result.comparison import EMOTION, HEARD, REACTION, Comparison, question_term
from eec_bias.result.plan import Plan
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.layout import Table

BY_NAME_OR_PAIR = ("names", "pairs")
"""Kinds of sentences that say a group by several names or pairs, so that groups within groups are questions too."""

FEWEST_ITEMS_FOR_MARGIN = 4
"""With fewer items of an emotion its gap has so wide a range that it is close to 0 at no margin."""

FEWEST_BASES = 2
"""A contrast within bases needs so many of them."""


def plan_design(
    strata: Sequence[DataStratum], outputs: Sequence[str | None], options: MeasureOptions, *, reactions: bool = True
) -> Plan:
    """Return the plan of one measurement.

    Parameters
    ----------
    strata : sequence of DataStratum
        The parts of the data with their tables.
    outputs : sequence of str or None
        The kinds of output, such as ``rate[joy]``; None of scores alone.
    options : MeasureOptions
        What was asked for.
    reactions : bool
        Whether reactions are compared; not of the differences of two systems.
    """
    main: dict[Comparison, None] = {}
    second: dict[Comparison, None] = {}
    for stratum in strata:
        for output in outputs:
            for table in stratum.design.tables:
                asked = [_question(contrast, table.subset) for contrast in _contrasts(table)]
                by_class = [each for contrast in _contrasts(table) for each in _asked(stratum, table, contrast)]
                main |= dict.fromkeys(replace(question, stratum=stratum.label, output=output) for question in by_class)
                others = [*_emotion_questions(table, asked)]
                if reactions and output in SCORES:
                    others += _reaction_questions(table, asked, stratum)
                second |= dict.fromkeys(replace(each, stratum=stratum.label, output=output) for each in others)
    margin = None if options.margin is None else float(options.margin)
    if margin is not None:
        _check_items_of_emotions(strata)
    return Plan(tuple(main), tuple(second), float(options.confidence), margin, options.reaction_margin)


def _check_items_of_emotions(strata: Sequence[DataStratum]) -> None:
    """Refuse a margin where an emotion has so few items that no gap could be shown to lie within it.

    Raises
    ------
    OptionError
        Naming the first such emotion.
    """
    for stratum in strata:
        for table in stratum.design.tables:
            counts = np.bincount(table.facets.emotion + 1, minlength=len(table.facets.emotions) + 1)[1:]
            for emotion, count in zip(table.facets.emotions, counts.tolist(), strict=True):
                if count < FEWEST_ITEMS_FOR_MARGIN:
                    raise OptionError(
                        f"a margin was given, and the emotion {emotion!r} has {count} items in the sentences of "
                        f"{table.subset}: to show that a gap is close on every emotion takes {FEWEST_ITEMS_FOR_MARGIN} "
                        "items of each; score more sentences, such as 20 items of a corpus, or leave the margin out"
                    )


def _asked(stratum: DataStratum, table: Table, contrast: Contrast) -> Iterator[Comparison]:
    """Yield the questions of a contrast: one, or in a language whose words agree one per class of sentences."""
    question, classes = _question(contrast, table.subset), stratum.apart(table, contrast)
    if not classes:
        yield question
    for agreement in classes:
        yield replace(question, agreement=agreement)


def _contrasts(table: Table) -> Iterator[Contrast]:
    """Yield the contrasts of a table that are main questions.

    Axes of two levels: the gap, on average and in each group of the other axes, and if it is the same in these. More
    levels: each of them, on average and in each group of the other axes, and the gaps of the other axes. Levels said
    by one word or phrase: each of them, and the gaps of the other axes.
    """
    wide = {axis.name for axis in table.axes if len(axis.levels) > 2}
    by_name_or_pair = table.subset in BY_NAME_OR_PAIR
    for contrast in build_contrasts(table.axes, simple=True):
        if table.paired and len(table.within_bases(np.flatnonzero(contrast.weights))) < FEWEST_BASES:
            continue
        question = _question(contrast, table.subset)
        if question.is_main or (by_name_or_pair and _is_asked_within(question, wide)):
            yield contrast


def _is_asked_within(question: Comparison, wide: Collection[str]) -> bool:
    """Return whether an interaction or a simple effect is a question, beside the gaps of the axes themselves."""
    if not wide:
        return True
    return question.is_simple_effect and question.axes in wide


def _emotion_questions(table: Table, asked: Sequence[Comparison]) -> Iterator[Comparison]:
    """Yield one question per axis of a table that has emotions: is the gap another one for some emotion?"""
    if not table.facets.emotions:
        return
    for question in _by_axis(asked):
        yield replace(question, term=question_term(question.axes, EMOTION), emotion=ANY)


def _reaction_questions(table: Table, asked: Sequence[Comparison], stratum: DataStratum) -> Iterator[Comparison]:
    """Yield the questions of each axis of a table: do feelings move the scores as far, and are the same words heard?"""
    for question in _by_axis(asked):
        if question.axes == table.worded:
            # Nothing says how far a reaction depends on the word that says the group.
            continue
        contrasts = [each for each in build_contrasts(table.axes) if each.term == question.axes]
        if stratum.reaction_items(table, contrasts[0]) is not None:
            yield replace(question, term=question_term(question.axes, REACTION))
            if pairs_to_hear(table, contrasts, stratum) is not None:
                yield replace(question, term=question_term(question.axes, HEARD))


def _by_axis(asked: Sequence[Comparison]) -> Iterator[Comparison]:
    """Yield one question for each axis, of all its levels."""
    for questions in grouped((each.axes, each) for each in asked if each.is_main).values():
        first = questions[0]
        if len(questions) == 1:
            yield first
            continue
        references = {question.reference for question in questions}
        reference = references.pop() if len(references) == 1 else ANY
        yield replace(first, level=ANY, reference=reference)


def _question(contrast: Contrast, subset: str) -> Comparison:
    return Comparison(contrast.term, "+".join(contrast.axes), contrast.level, contrast.reference, subset)
